package vault

import (
	"context"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
)

// faulty is a home of which one call fails.
type faulty struct {
	homefs.FS
	calls  int
	fail   int // which one; 0: none
	failed string
}

func (f *faulty) next(what, name string) error {
	f.calls++
	if f.calls != f.fail {
		return nil
	}
	f.failed = what + " " + name
	return &fs.PathError{Op: what, Path: name, Err: syscall.EIO}
}

func (f *faulty) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.next("list", name); err != nil {
		return nil, err
	}
	return f.FS.ReadDir(name)
}

func (f *faulty) Stat(name string) (fs.FileInfo, error) {
	if err := f.next("look at", name); err != nil {
		return nil, err
	}
	return f.FS.Stat(name)
}

func (f *faulty) Open(name string) (homefs.File, error) {
	if err := f.next("open", name); err != nil {
		return nil, err
	}
	return f.FS.Open(name)
}

// plainFS is a home as a file system.
type plainFS struct{ *homefs.Home }

func (p plainFS) ReadDir(name string) ([]fs.DirEntry, error) { return p.ReadDirAll(name) }
func (p plainFS) Stat(name string) (fs.FileInfo, error)      { return p.Info(name) }

// Whatever call fails while a home is read, what is copied or compared says so, or
// it has everything. Nothing is called gone, and the next sweep has it all.
func TestReadFaults(t *testing.T) {
	for name, does := range map[string]func(w *world, s *sesskeep.Store) (silent bool){
		"sweep": func(w *world, s *sesskeep.Store) bool {
			k, err := w.home().Keeper.Sweep(context.Background(), s, SweepOptions{})
			if k.Gone > 0 {
				t.Errorf("%d files are called gone", k.Gone)
			}
			return err == nil && len(k.Problems) == 0
		},
		"keep a family": func(w *world, s *sesskeep.Store) bool {
			_, err := w.home().Keeper.KeepFamily(context.Background(), s, idA)
			return err == nil
		},
		"survey": func(w *world, s *sesskeep.Store) bool {
			w.sweep()
			v, err := w.home().Survey(s, nil)
			silent := err == nil && len(v.Unread) == 0
			if silent && (v.Sessions != 2 || v.Covered != 2) {
				t.Errorf("%d of %d sessions are covered", v.Covered, v.Sessions)
			}
			return silent
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.sweep()
			sites := 0
			for n := 1; ; n++ {
				w.append(mainA, "{}\n")
				want := w.files()
				f := &faulty{FS: plainFS{w.store.Files()}, fail: n}
				silent := does(w, sesskeep.New(homefs.New(w.root, f)))
				if f.failed == "" {
					break
				}
				sites = n
				if silent {
					w.covered(fmt.Sprintf("%d: could not %s", n, f.failed), want)
				}
			}
			w.sweep()
			w.compare(w.files())
			t.Logf("%d sites", sites)
			if sites < 30 {
				t.Errorf("only %d sites", sites)
			}
		})
	}
}

// covered makes sure that the copies are the files: what failed was not needed.
func (w *world) covered(what string, want map[string]string) {
	w.t.Helper()
	h := w.home()
	for name, text := range want {
		if got := readCopy(w.t, h, name); got != text {
			w.t.Errorf("%s: nobody said so, and the copy of %s is %s", what, name, short(got))
		}
	}
}
