package index

import (
	"errors"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
)

// holeFS has a copy with a piece that is damaged, as long as it is not healed.
type holeFS struct {
	homefs.FS
	name   string
	healed bool
}

func (f *holeFS) Open(name string) (homefs.File, error) {
	file, err := f.FS.Open(name)
	if err != nil || name != f.name || f.healed {
		return file, err
	}
	return holeFile{file}, nil
}

type holeFile struct{ homefs.File }

func (f holeFile) ReadAt(p []byte, off int64) (int, error) {
	const from, to = 10, 90
	if off >= from && off < to {
		return 0, &homefs.HoleError{From: from, To: to, Err: errors.New("damaged")}
	}
	if off < from && off+int64(len(p)) > from {
		p = p[:from-off]
		n, err := f.File.ReadAt(p, off)
		if err == nil {
			err = &homefs.HoleError{From: from, To: to, Err: errors.New("damaged")}
		}
		return n, err
	}
	return f.File.ReadAt(p, off)
}

// What was read around the hole of a copy counts as long as there is nothing better, and
// not once the copy is healed, though its status is the same.
func TestHealedCopyIsReadAgain(t *testing.T) {
	const name = "projects/-w-kin/00000001-0000-4000-8000-000000000000.jsonl"
	home := damageHome(t)
	want := freshAnswers(t, home)
	x := openAt(t, t.TempDir())
	defer x.Close()
	fsys := &holeFS{FS: homeFS{homeAt(t, home).Store.Files()}, name: name}
	walk := func(o Options) Report {
		t.Helper()
		r, err := x.Walk(t.Context(), []ask.Home{{Store: sesskeep.New(homefs.New(home, fsys))}}, o)
		must(t, err)
		return r
	}
	walk(Options{RowsOnly: true})
	walk(Options{})
	for range 2 {
		if r := walk(Options{}); r.Read != 1 {
			t.Errorf("the damaged copy is not tried again: %+v", r)
		}
	}
	fsys.healed = true
	walk(Options{})
	compareAnswers(t, "healed", mustAnswer(t, x, home), want)
	if r := walk(Options{}); r.Read != 0 {
		t.Errorf("it was read whole, and is read again: %+v", r)
	}
}
