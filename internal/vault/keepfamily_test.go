package vault

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
)

// unreadable is a home of which one file cannot be opened, however often it is tried.
type unreadable struct {
	homefs.FS
	name string
}

func (u unreadable) Open(name string) (homefs.File, error) {
	if name == u.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return u.FS.Open(name)
}

// A family is kept only if all of it can be read: an act that needs the copy, as
// removing its files does, would lose the rest.
func TestKeepFamilyUnread(t *testing.T) {
	for _, name := range []string{
		mainA, "projects/-w/" + idA + "/subagents/agent-a1.jsonl", "projects/-w/" + idA + "/tool-results/t1.txt", "tasks/" + idA + "/1.json",
	} {
		w := newWorld(t)
		store := sesskeep.New(homefs.New(w.root, unreadable{plainFS{w.store.Files()}, name}))
		if _, err := w.home().Keeper.KeepFamily(t.Context(), store, idA); !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), w.path(name)) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
