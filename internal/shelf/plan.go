package shelf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sesskeep"
)

// Plan is a change of one file that was worked out and not made.
type Plan struct {
	Verb   string // what it is for: "hook install", "undo", …
	File   string // as it was named
	Path   string // the file itself, where links lead
	Before []byte // nil: there is no file
	After  []byte // nil: the file goes
	Undoes int    // of an undo: the act
	Partly bool   // of an undo: others changed the file since, and that stays
}

// Empty reports whether there is nothing to do.
func (p Plan) Empty() bool {
	return (p.Before == nil) == (p.After == nil) && bytes.Equal(p.Before, p.After)
}

// maxFile bounds what is edited.
const maxFile = 4 << 20

// look starts a plan with what the file holds now.
func look(verb, file string) (Plan, error) {
	p := Plan{Verb: verb, File: file}
	var err error
	if p.Path, err = follow(file); err != nil {
		return p, &sesskeep.Error{Op: verb, Name: file, Err: err}
	}
	if secret(p.Path) {
		return p, &sesskeep.Error{Op: verb, Name: file, Err: sesskeep.ErrDenied}
	}
	if p.Before, err = content(p.Path); err != nil {
		return p, &sesskeep.Error{Op: verb, Name: file, Err: err}
	}
	return p, nil
}

// secret reports whether a path, all links followed, is one that must not even
// be opened: a link could lead there, in this home or in any other.
func secret(path string) bool {
	parts := strings.Split(filepath.ToSlash(path), "/")
	for n := 1; n <= 3 && n <= len(parts); n++ {
		if sesskeep.Denied(strings.Join(parts[len(parts)-n:], "/")) {
			return true
		}
	}
	return false
}

// allowed refuses to change a file that its owner may not write. Whoever took
// that right away meant it, and a new file in its place would not ask.
func (p Plan) allowed() error {
	info, err := os.Lstat(p.Path)
	if p.Empty() || err != nil || info.Mode().Perm()&0o200 != 0 {
		return nil
	}
	return &sesskeep.Error{Op: p.Verb, Name: p.File, Err: fmt.Errorf("the file is read-only: %w", fs.ErrPermission)}
}

// follow finds the file a path leads to: people keep their settings elsewhere
// and put a link in the home. The file need not be there, its directory must.
func follow(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range 40 { // as many links as systems allow
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			return filepath.Join(dir, filepath.Base(path)), err
		}
		if err != nil {
			return "", err
		}
		target, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(target) {
			// From where the link really lies: its directory can be one too.
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			target = filepath.Join(dir, target)
		}
		path = target
	}
	return "", fmt.Errorf("too many links")
}

// content reads a small regular file; nil means that there is none.
func content(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, sesskeep.ErrNotRegular
	case info.Size() > maxFile:
		return nil, sesskeep.ErrTooLarge
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// sum names a content; that of no file is "".
func sum(data []byte) string {
	if data == nil {
		return ""
	}
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:])
}
