package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep/homefs"
	"sesskeep/internal/disk"
)

// Erase removes a file of the home, or a directory with all it holds, for good. It opens
// none of them. It cannot be undone, so it comes after what can be.
type Erase struct {
	Path  string `json:"path"`
	Files int    `json:"files"` // that are there when the act begins
}

// erasable are the directories of a home in which something may be erased: those that hold
// what the client writes about sessions.
var erasable = []string{
	"backups", "debug", "dump-prompts", "errors", "feedback-bundles", "file-history", "image-cache", "jobs", "logs", "paste-cache",
	"plans", "projects", "session-env", "sessions", "statsig", "startup-perf", "tasks", "teams", "telemetry", "todos", "traces",
	"uploads", "usage-data",
}

func (e Erase) file() string { return e.Path }

func (e Erase) check(t *task) (Step, error) {
	if err := e.allow(t); err != nil {
		return e, err
	}
	var err error
	e.Files, err = filesIn(e.Path)
	return e, err
}

// allow refuses everything but what lies below one of the directories that are erasable.
func (e Erase) allow(t *task) error {
	home, err := filepath.Abs(t.home)
	if err != nil {
		return err
	}
	rest, err := filepath.Rel(home, e.Path)
	top, name, below := strings.Cut(filepath.ToSlash(rest), "/")
	if err != nil || !filepath.IsLocal(rest) || !below || name == "" || !slices.Contains(erasable, top) {
		return fmt.Errorf("%s is nothing that is erased: %w", e.Path, fs.ErrPermission)
	}
	dir, err := realDir(filepath.Dir(e.Path))
	if err != nil {
		return err
	}
	path := filepath.Join(dir, filepath.Base(e.Path))
	if top == "session-env" && !strings.Contains(name, "/") {
		return t.reaches(e.Path, path) // what lies in it is secret, and is not opened
	}
	if secret(path) {
		return homefs.ErrDenied
	}
	return t.reaches(e.Path, path)
}

func (e Erase) stage(*task) (Step, error) { return e, nil }

func (e Erase) run(t *task) error {
	if err := e.allow(t); err != nil {
		return err
	}
	if err := t.at("erase"); err != nil {
		return err
	}
	info, err := os.Lstat(e.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		err = t.shelf.data.removeTree(e.Path)
	default:
		err = disk.Remove(t.sys(), e.Path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := t.at("erased"); err != nil {
		return err
	}
	if err := t.sys().SyncDir(filepath.Dir(e.Path)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (e Erase) revert(*task) error {
	if n, err := filesIn(e.Path); err != nil || n >= e.Files {
		return err
	}
	return ErrPurged
}

func (e Erase) inverse(*task) (Step, error) { return nil, ErrPurged }

// filesIn counts what is at a path and below it.
func filesIn(path string) (n int, err error) {
	err = filepath.WalkDir(path, func(_ string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		n++
		return err
	})
	return n, err
}
