package vault

import (
	"os"
	"path/filepath"
	"testing"

	"sesskeep"
	"sesskeep/internal/disk"
)

// syncs counts what is synced.
type syncs struct {
	disk.System
	files, dirs int
}

func (s *syncs) OpenFile(name string, flag int, perm os.FileMode) (disk.File, error) {
	f, err := s.System.OpenFile(name, flag, perm)
	return counting{f, s}, err
}

func (s *syncs) SyncDir(dir string) error {
	s.dirs++
	return s.System.SyncDir(dir)
}

type counting struct {
	disk.File
	of *syncs
}

func (c counting) Sync() error {
	c.of.files++
	return c.File.Sync()
}

// Markers without content are on the disk once their directory is.
func TestMarkersAreSyncedTogether(t *testing.T) {
	l, sys := layout{t.TempDir()}, &syncs{System: disk.Real}
	id := sesskeep.SessionID("11111111-0000-4000-8000-000000000000")
	key := boxKey{"-w", id}
	if err := os.MkdirAll(l.folder(key), 0o700); err != nil {
		t.Fatal(err)
	}
	names := []string{mainName(key), "projects/-w/" + string(id) + "/subagents/agent-a1.jsonl", "projects/-w/agent-b2.jsonl"}
	for range 2 { // there is nothing left to do the second time
		if err := l.mark(sys, key, names); err != nil {
			t.Fatal(err)
		}
	}
	if sys.files != 1 || sys.dirs != 2 { // of the agent beside, whose marker says whose it is, and of the folder
		t.Errorf("%d files and %d directories were synced", sys.files, sys.dirs)
	}
	for _, top := range []string{string(id) + ".jsonl", string(id), "agent-b2.jsonl"} {
		if keys, err := l.marked("-w", top); err != nil || len(keys) != 1 || keys[0] != key {
			t.Errorf("%s leads to %v, %v", top, keys, err)
		}
		if _, err := os.Lstat(filepath.Join(l.folder(key), top+".part")); err == nil {
			t.Errorf("%s left a part", top)
		}
	}
}
