package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sesskeep/internal/regular"
)

// Draft is a copy of a file that a user edits. It takes the place of the file when it is
// valid, and never otherwise.
type Draft struct {
	Path   string // of the copy, for the editor
	target string
	before []byte
}

// Rejected is where a text that is not valid is kept, beside the file at path.
func Rejected(path string) string { return path + ".rejected" }

// NewDraft copies the file at path: what was rejected the last time, the file, or the
// template where there is neither. Only the user can read the copy.
func NewDraft(path string) (*Draft, error) {
	if err := regular.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	d := &Draft{target: path}
	var err error
	for _, name := range []string{Rejected(path), path} {
		if d.before, err = regular.ReadFile(name, maxSize); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		d.before, err = []byte(Template()), nil
	}
	if err != nil {
		return nil, err
	}
	d.Path = filepath.Join(filepath.Dir(path), fmt.Sprintf("edit-%d.toml", os.Getpid()))
	if err := regular.WriteFile(d.Path, d.before, 0o600); err != nil {
		d.Discard()
		return nil, err
	}
	return d, nil
}

// Discard removes the copy.
func (d *Draft) Discard() { _ = os.Remove(d.Path) } // it is gone once it took the place of the file

// Finish puts the copy in the place of the file, and reports whether it did: not where
// nothing was changed. A text that is not valid is kept as [Rejected], and the error is
// [*Error].
func (d *Draft) Finish() (bool, error) {
	text, err := regular.ReadFile(d.Path, maxSize)
	if err != nil || bytes.Equal(text, d.before) {
		return false, err
	}
	if _, problems := Parse(text); len(problems) > 0 {
		if err := regular.WriteFile(Rejected(d.target), text, 0o600); err != nil {
			return false, err
		}
		return false, &Error{Path: d.target, Problems: problems}
	}
	target := d.target
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real // a link stays one
	}
	if err := regular.Replace(target, text); err != nil {
		return false, err
	}
	if err := os.Remove(Rejected(d.target)); !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	return true, nil
}
