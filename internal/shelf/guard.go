package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
)

// errOutside says that a link leads to a place where nothing may be changed.
var errOutside = fmt.Errorf("leads out of Claude's home: %w", fs.ErrPermission)

// lead finds the file that a name leads to. The file need not be there. It must
// hold no secrets, and lie in the home, in our data directory, or where a link
// leads that the owner put directly in the home or in projects/; or it is the
// client's state beside the home, or a file that the user named for this act.
func (t *task) lead(name string) (string, error) {
	path, err := follow(name)
	if err != nil {
		return "", err
	}
	return path, t.allow(name, path)
}

// leadMoved is lead for a file that is moved: if it is a link itself it is not
// followed. It may lie where a link leads, if that is given.
func (t *task) leadMoved(name, link string) (string, error) {
	dir, err := realDir(filepath.Dir(name))
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, filepath.Base(name))
	if link != "" {
		if led, err := t.lead(link); err != nil || led == path {
			return path, err
		}
	}
	if err := t.allow(name, path); err != nil {
		return "", err
	}
	return path, withoutSecrets(path)
}

// still refuses a file that its name does not lead to any more.
func (t *task) still(name, path string) error {
	now, err := t.lead(name)
	if err == nil && now != path {
		err = fmt.Errorf("%s leads to another file now: %w", name, ErrChanged)
	}
	return err
}

func (t *task) allow(name, path string) error {
	if secret(path) {
		return homefs.ErrDenied
	}
	return t.reaches(name, path)
}

// reaches refuses a path outside of where something may be changed.
func (t *task) reaches(name, path string) error {
	home, err := filepath.Abs(t.home)
	if err != nil {
		return err
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return err
	}
	data, err := realDir(t.shelf.data.dir)
	if err != nil {
		return err
	}
	if inside(home, path) || inside(data, path) || t.linked(name, path) || t.state(name) || slices.Contains(t.named, path) {
		return nil
	}
	return errOutside
}

// state reports whether a name is that of the client's state, or of a copy of it that the
// client made, which lie beside the usual home. Its owner may keep it elsewhere and put a link there.
func (t *task) state(name string) bool {
	home, err := filepath.Abs(t.home)
	if err != nil {
		return false
	}
	name, err = filepath.Abs(name)
	return err == nil && slices.ContainsFunc(homefs.StateFiles(home), func(file string) bool {
		return name == file || strings.HasPrefix(name, file+".")
	})
}

// linked reports whether a name leads to its path by a link of the owner's.
func (t *task) linked(name, path string) bool {
	home, err := filepath.Abs(t.home)
	if err != nil {
		return false
	}
	if name, err = filepath.Abs(name); err != nil {
		return false
	}
	rest, err := filepath.Rel(home, name)
	if err != nil || !filepath.IsLocal(rest) {
		return false
	}
	parts := strings.Split(rest, string(filepath.Separator))
	depth := 1
	if parts[0] == "projects" {
		depth = 2
	}
	for n := 1; n <= min(depth, len(parts)); n++ {
		link := filepath.Join(home, filepath.Join(parts[:n]...))
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if target, err := follow(link); err == nil && inside(target, path) {
			return true
		}
	}
	return false
}

// inside reports whether a path, all links followed, is a directory or below it.
func inside(dir, path string) bool {
	rest, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rest)
}

// secret reports whether a path, all links followed, is one that must not even
// be opened: a link could lead there, in this home or in any other.
func secret(path string) bool {
	parts := strings.Split(filepath.ToSlash(path), "/")
	for n := 1; n <= 3 && n <= len(parts); n++ {
		if homefs.Denied(strings.Join(parts[len(parts)-n:], "/")) {
			return true
		}
	}
	return false
}

// withoutSecrets refuses a directory that holds secrets.
func withoutSecrets(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return nil // other checks refuse it
	}
	return filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && secret(path) {
			err = &sesskeep.Error{Op: "move", Name: path, Err: homefs.ErrDenied}
		}
		return err
	})
}

// follow finds the file a path leads to: people keep their settings elsewhere
// and put a link in the home.
func follow(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range 40 { // as many links as systems allow
		// From where a link really lies: its directory can be one too.
		dir, err := realDir(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, filepath.Base(path))
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		target, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		path = target
	}
	return "", errors.New("too many links")
}

// realDir follows the links of a directory. What is not there yet is no link.
func realDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(dir)
	parent := filepath.Dir(dir)
	if !errors.Is(err, fs.ErrNotExist) || parent == dir {
		return real, err
	}
	switch info, linkErr := os.Lstat(dir); {
	case linkErr == nil && info.Mode()&fs.ModeSymlink != 0:
		return "", err // a link to nowhere
	case linkErr == nil:
		return filepath.EvalSymlinks(dir) // it was made meanwhile
	}
	if real, err = realDir(parent); err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(dir)), nil
}
