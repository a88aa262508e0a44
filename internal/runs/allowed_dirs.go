package runs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// AllowedDirs restricts where runs may work that are not started on the command
// line, where naming a directory is consent.
type AllowedDirs struct {
	Roots []string // these directories and everything below
	Never []string // never these, nor anything below
	Home  string   // the user's home directory: not allowed itself
}

// ErrDirNotAllowed means that no run may work in a directory.
var ErrDirNotAllowed = errors.New("not a directory of a known project, and not below one that the server was started with")

// Location is where a run works.
type Location struct {
	Dir  string
	Root string // the home: the project's, or the first one
}

func SameDir(real, path string) bool {
	if path == "" {
		return false
	}
	other, err := filepath.EvalSymlinks(path)
	return err == nil && other == real
}

// Inside reports whether a directory is root or below it.
func Inside(real, root string) bool {
	if resolved, err := filepath.EvalSymlinks(root); err == nil {
		root = resolved
	}
	rest, err := filepath.Rel(root, real)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(os.PathSeparator))
}
