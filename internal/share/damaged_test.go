package share_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/sealed"
	"sesskeep/internal/share"
)

// changeFile changes a file of a store.
func changeFile(t *testing.T, path string, change func(text []byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(bytes.Clone(text))
	if bytes.Equal(text, changed) {
		t.Fatalf("%s did not change", path)
	}
	if err := os.WriteFile(path, changed, 0o600); err != nil {
		t.Fatal(err)
	}
}

// unseal cuts the seal off the record of a link.
func unseal(text []byte) []byte {
	body, _, _ := bytes.Cut(text, []byte(",\n  \"sum\": \""))
	return append(body, "\n}\n"...)
}

// A page is served only if it is the one that the record of its link describes, and the record
// is the one that was written for the secret.
func TestDamagedLink(t *testing.T) {
	for name, change := range map[string]func(s *share.Store, l share.Link){
		"another byte in the page": func(s *share.Store, l share.Link) {
			changeFile(t, filepath.Join(s.Dir, l.ID+".html"), func(text []byte) []byte { return bytes.Replace(text, []byte("on"), []byte("On"), 1) })
		},
		"a record without its seal": func(s *share.Store, l share.Link) { changeFile(t, filepath.Join(s.Dir, l.ID+".json"), unseal) },
		"a record for another secret with the same id": func(s *share.Store, l share.Link) {
			changeFile(t, filepath.Join(s.Dir, l.ID+".json"), func(text []byte) []byte {
				at := bytes.Index(text, []byte(l.ID)) + len(l.ID) // in the hash, which begins with the id
				copy(text[at:], bytes.Repeat([]byte("0"), 8))
				return sealed.Seal(unseal(text))
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newStore(t)
			secret, l := create(t, s, "one", time.Hour)
			change(s, l)
			if got, err := read(t, s, secret); !errors.Is(err, share.ErrNoLink) {
				t.Errorf("it opens %q, %v", got, err)
			}
		})
	}
}

// A record under the name of another one is listed as damaged, not as a second link.
func TestForgedRecordIsListedAsDamaged(t *testing.T) {
	s, _ := newStore(t)
	_, one := create(t, s, "one", time.Hour)
	_, two := create(t, s, "two", time.Hour)
	changeFile(t, filepath.Join(s.Dir, one.ID+".json"), func([]byte) []byte {
		text, err := os.ReadFile(filepath.Join(s.Dir, two.ID+".json"))
		if err != nil {
			t.Fatal(err)
		}
		return text
	})
	for id, damaged := range map[string]bool{one.ID: true, two.ID: false} {
		l, err := s.Find(id)
		if err != nil || l.ID != id || strings.Contains(l.Problem, "damaged") != damaged {
			t.Errorf("%s: %+v, %v", id, l, err)
		}
	}
}

// Neither an unknown secret nor a prefix of several ids says anything about the files.
func TestNoLinkNamesNoFile(t *testing.T) {
	s, _ := newStore(t)
	firsts := map[byte]bool{}
	for {
		_, l := create(t, s, "x", time.Hour)
		if firsts[l.ID[0]] {
			if l, err := s.Find(l.ID[:1]); !errors.Is(err, share.ErrNoLink) {
				t.Errorf("a prefix of two ids finds %+v, %v", l, err)
			}
			break
		}
		firsts[l.ID[0]] = true
	}
	if _, err := read(t, s, "link-unknown"); !errors.Is(err, share.ErrNoLink) || strings.Contains(err.Error(), s.Dir) {
		t.Errorf("an unknown secret: %v", err)
	}
}
