package runs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Places says where runs may work that are asked for from elsewhere: not on the
// command line, where naming a directory is consent.
type Places struct {
	Roots []string // any directory below one of them, too
	Never []string // these are none, nor is what is inside of them
	Home  string   // of the user: it is none itself
}

// ErrPlace says that nothing may be run in a directory.
var ErrPlace = errors.New("not a directory of a known project, and not below one that the server was started with")

// Place is where a run works.
type Place struct {
	Dir  string
	Root string // the home: that of the project, else the first
}

func SameDir(real, path string) bool {
	if path == "" {
		return false
	}
	other, err := filepath.EvalSymlinks(path)
	return err == nil && other == real
}

// Inside reports whether a directory is another one or inside of it.
func Inside(real, root string) bool {
	if resolved, err := filepath.EvalSymlinks(root); err == nil {
		root = resolved
	}
	rest, err := filepath.Rel(root, real)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(os.PathSeparator))
}
