package share_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/share"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// newStore is an empty store with a clock.
func newStore(t *testing.T) (*share.Store, *time.Time) {
	t.Helper()
	now := noon
	return &share.Store{Dir: filepath.Join(t.TempDir(), "links"), Now: func() time.Time { return now }}, &now
}

func page(text string, life time.Duration) share.Page {
	return share.Page{Session: "s", Policy: "default-src 'none'", Until: noon.Add(life), Write: func(_ context.Context, w io.Writer, l *share.Link) error {
		l.Title = "A page"
		_, err := io.WriteString(w, text)
		return err
	}}
}

func create(t *testing.T, s *share.Store, text string, life time.Duration) (string, share.Link) {
	t.Helper()
	secret, l, err := s.Create(t.Context(), page(text, life))
	if err != nil {
		t.Fatal(err)
	}
	return secret, l
}

// read is the page of a secret.
func read(t *testing.T, s *share.Store, secret string) (string, error) {
	t.Helper()
	f, size, policy, err := s.Open(secret)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if int64(len(text)) != size || policy != "default-src 'none'" {
		t.Errorf("%d bytes of %d, policy %q", len(text), size, policy)
	}
	return string(text), err
}

// Each secret opens its own page, and no other text opens any.
func TestGuess(t *testing.T) {
	s, _ := newStore(t)
	one, l := create(t, s, "one", time.Hour)
	two, _ := create(t, s, "two", time.Hour)
	for secret, want := range map[string]string{one: "one", two: "two"} {
		if got, err := read(t, s, secret); got != want || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	for _, guess := range []string{"", "x", l.ID, one[:len(one)-1], one + "A", strings.ToUpper(one), strings.TrimPrefix(one, share.Prefix), "../" + one} {
		if got, err := read(t, s, guess); !errors.Is(err, share.ErrNoLink) {
			t.Errorf("%q opens %q, %v", guess, got, err)
		}
	}
	// The file of another link under the name of this one does not open it.
	forged := filepath.Join(s.Dir, l.ID+".json")
	other, err := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	if err != nil || len(other) != 2 {
		t.Fatal(other, err)
	}
	for _, path := range other {
		if path != forged {
			data, err := os.ReadFile(path)
			if err != nil || os.WriteFile(forged, data, 0o600) != nil {
				t.Fatal(err)
			}
		}
	}
	if got, err := read(t, s, one); !errors.Is(err, share.ErrNoLink) {
		t.Errorf("a forged link opens %q, %v", got, err)
	}
}

// A link has an end, which is checked with every reading; the next link removes the files of
// those that have expired.
func TestLife(t *testing.T) {
	s, now := newStore(t)
	for _, life := range []time.Duration{0, -time.Hour, share.MaxLife + time.Minute} {
		if _, _, err := s.Create(t.Context(), page("x", life)); err == nil {
			t.Errorf("a link is valid for %v", life)
		}
	}
	secret, l := create(t, s, "x", time.Hour)
	*now = noon.Add(59 * time.Minute)
	if _, err := read(t, s, secret); err != nil {
		t.Error(err)
	}
	*now = noon.Add(time.Hour)
	if _, err := read(t, s, secret); !errors.Is(err, share.ErrNoLink) {
		t.Errorf("an expired link: %v", err)
	}
	if list, err := s.List(); err != nil || len(list) != 1 || !list[0].Expired {
		t.Errorf("%+v, %v", list, err)
	}
	create(t, s, "y", 2*time.Hour)
	if left, err := filepath.Glob(filepath.Join(s.Dir, l.ID+"*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// A page that cannot be written leaves nothing, and one that is too large is refused.
func TestUnwritten(t *testing.T) {
	s, _ := newStore(t)
	p := page("", time.Hour)
	p.Write = func(context.Context, io.Writer, *share.Link) error { return io.ErrUnexpectedEOF }
	if _, _, err := s.Create(t.Context(), p); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	p.Write = func(_ context.Context, w io.Writer, _ *share.Link) error {
		for range 32 { // without the limit it ends, too
			if _, err := w.Write(make([]byte, 16<<20)); err != nil {
				return err
			}
		}
		return nil
	}
	if _, _, err := s.Create(t.Context(), p); !errors.Is(err, share.ErrTooLarge) {
		t.Error(err)
	}
	if left, err := os.ReadDir(s.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// A directory that cannot be read is no empty list.
func TestUnreadableList(t *testing.T) {
	s, _ := newStore(t)
	if list, err := s.List(); err != nil || list == nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
	if err := os.WriteFile(s.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := s.List(); err == nil {
		t.Errorf("a file in its place is a list: %v", list)
	}
}

// Without leaves no secret in a path.
func TestWithout(t *testing.T) {
	for path, want := range map[string]string{"/shared/link-abc": "/shared/link-…", "/x/LINK-abc/y": "/x/LINK-…", "/sessions": "/sessions"} {
		if got := share.Without(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
