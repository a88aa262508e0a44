package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sesskeep/internal/regular"
)

// marker is the file that marks a directory as ours. It contains the time of the
// story.
const (
	marker     = ".sesskeep-demo"
	markerText = "sesskeep demo home: made up, and replaced when it is written again\n"
)

// ErrNotDemo says that a directory has something else in it.
var ErrNotDemo = errors.New("not empty and not a demo home")

// sign makes dir ours.
func sign(dir string, now time.Time) error {
	file := filepath.Join(dir, marker)
	if err := os.WriteFile(file, []byte(markerText+now.UTC().Format(time.RFC3339Nano)+"\n"), 0o600); err != nil {
		return err
	}
	return os.Chtimes(file, now, now)
}

// writtenAt returns the time of the story in dir; zero if there is none.
func writtenAt(dir string) time.Time {
	text, err := regular.ReadFile(filepath.Join(dir, marker), 1<<10)
	if err != nil {
		return time.Time{}
	}
	stamp, _ := strings.CutPrefix(string(text), markerText)
	at, _ := time.Parse(time.RFC3339Nano, strings.TrimSpace(stamp))
	return at
}

// free reports whether dir may be replaced.
func free(dir string) error {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	text, err := regular.ReadFile(filepath.Join(dir, marker), 1<<10)
	if err != nil || !strings.HasPrefix(string(text), "sesskeep demo home") {
		return ErrNotDemo
	}
	return nil
}
