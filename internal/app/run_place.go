package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// RunPlaces says where runs may work that are asked for from elsewhere: not on the
// command line, where naming a directory is consent.
type RunPlaces struct {
	Roots []string // any directory below one of them, too
	Never []string // these are none, nor is what is inside of them
	Home  string   // of the user: it is none itself
}

// errPlace says that nothing may be run in a directory.
var errPlace = errors.New("not a directory of a known project, and not below one that the server was started with")

// RunPlace is where a run works.
type RunPlace struct {
	Dir  string
	Root string // the home: that of the project, else the first
}

func sameDir(real, path string) bool {
	if path == "" {
		return false
	}
	other, err := filepath.EvalSymlinks(path)
	return err == nil && other == real
}

// inside reports whether a directory is another one or inside of it.
func inside(real, root string) bool {
	if resolved, err := filepath.EvalSymlinks(root); err == nil {
		root = resolved
	}
	rest, err := filepath.Rel(root, real)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(os.PathSeparator))
}
