package sealed_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/sealed"
)

type note struct {
	Version int    `json:"version"`
	Text    string `json:"text"`
	On      bool   `json:"on"`
}

func newFile(t *testing.T) sealed.File {
	t.Helper()
	dir := t.TempDir()
	return sealed.File{Path: filepath.Join(dir, "note.json"), Copies: []string{filepath.Join(dir, "copy.json")}, Version: 1}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Whatever byte of a file is changed, and wherever it is cut, the answer is what was
// written.
func TestEveryDamage(t *testing.T) {
	f := newFile(t)
	want := note{1, "a text, with \"sum\": \"x\" in it", true}
	if err := f.Save(want); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	try := func(what string, at int, damaged []byte) {
		write(t, f.Path, damaged)
		got, state, err := sealed.Load[note](f)
		if err != nil || got != want {
			t.Errorf("%s at %d: %+v, %v", what, at, got, err)
		}
		if state.Whole {
			t.Errorf("%s at %d: whole", what, at)
		}
		if state.Lost != nil {
			lost++
		}
	}
	for i := range text {
		for _, mask := range []byte{1, 2, 4, 0x20, 0xff} {
			damaged := bytes.Clone(text)
			damaged[i] ^= mask
			try("a bit", i, damaged)
		}
		try("cut", i, text[:i])
	}
	if lost < 5*len(text) {
		t.Errorf("%d of %d damages were noticed", lost, 6*len(text))
	}
	write(t, f.Path, text)
	if _, state, err := sealed.Load[note](f); err != nil || !state.Whole || state.Lost != nil {
		t.Errorf("as it was: %+v, %v", state, err)
	}
}

func TestLoadElsewhere(t *testing.T) {
	f := newFile(t)
	if _, _, err := sealed.Load[note](f); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	write(t, f.Path, []byte(`{"version":1,"text":"old"}`))
	if got, state, err := sealed.Load[note](f); err != nil || got.Text != "old" || state.Whole || state.Lost != nil {
		t.Errorf("without a seal: %+v %+v %v", got, state, err)
	}
	write(t, f.Path, []byte("x"))
	if _, _, err := sealed.Load[note](f); !errors.Is(err, sealed.ErrDamaged) {
		t.Errorf("damaged, and no copy: %v", err)
	}
	if err := f.Save(note{1, "new", false}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(f.Path); err != nil {
		t.Fatal(err)
	}
	got, state, err := sealed.Load[note](f)
	if err != nil || got.Text != "new" || !errors.Is(state.Lost, fs.ErrNotExist) || state.From != f.Copies[0] {
		t.Errorf("lost: %+v %+v %v", got, state, err)
	}
}

// What is newer is neither read nor taken for damage.
func TestNewer(t *testing.T) {
	f := newFile(t)
	if err := f.Save(note{2, "new", false}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := sealed.Load[note](f); !errors.Is(err, sealed.ErrNewer) {
		t.Errorf("a newer file: %v", err)
	}
	if err := os.Remove(f.Path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := sealed.Load[note](f); !errors.Is(err, sealed.ErrNewer) {
		t.Errorf("a newer copy: %v", err)
	}
}
