package homefs_test

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

// A failing home cannot give one of its names.
type failing struct {
	homefs.FS
	name string
	err  error
}

func (f *failing) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: f.err}
	}
	return f.FS.ReadDir(name)
}

func (f *failing) Stat(name string) (fs.FileInfo, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: f.err}
	}
	return f.FS.Stat(name)
}

// What a home cannot give is known even where whoever asked drops the error, until it can
// be read again. That something is not there is an answer.
func TestUnread(t *testing.T) {
	root := storetest.Home(t, "-- plans/a.md --\nx\n")
	disk, err := homefs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	home := &failing{FS: through{disk}, name: "plans", err: syscall.EIO}
	s := homefs.New(root, home)
	s.Stat("nothing")
	s.Stat("plans")
	_, _ = s.ReadDir("plans")
	if got := s.Unread(); len(got) != 1 || got[0].Path != s.Path("plans") || !errors.Is(got[0], syscall.EIO) {
		t.Errorf("got %v", got)
	}
	if s.Missing("plans") {
		t.Error("what cannot be looked at counts as missing")
	}
	if s.RetryUnread() || len(s.Unread()) != 1 {
		t.Errorf("nothing has changed, and it is %v", s.Unread())
	}
	home.err = nil
	if !s.RetryUnread() || len(s.Unread()) != 0 || s.RetryUnread() {
		t.Errorf("it can be read again, and still %v", s.Unread())
	}
	home.err = syscall.EIO
	s.Stat("plans")
	home.err = fs.ErrNotExist
	s.Stat("plans")
	if got := s.Unread(); len(got) != 0 {
		t.Errorf("it is gone, and still %v", got)
	}
}

// through is a home as a file system.
type through struct{ *homefs.Home }

func (s through) Stat(name string) (fs.FileInfo, error) { return s.Info(name) }
