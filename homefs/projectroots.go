package homefs

import (
	"os"
	"strings"
	"sync"
)

// mostProjectRoots is how many directories stay open.
const mostProjectRoots = 128

// projectRoots are directories of projects that stay open. A [os.Root] opens every
// directory on the way to a file, which takes longer than reading a piece of it.
type projectRoots struct {
	mu    sync.Mutex
	roots map[string]*os.Root // by name
}

// of gives the directory of the project that name is in, and name's place in it; nil if
// it has to be opened from the home.
func (p *projectRoots) of(home *os.Root, name string) (root *os.Root, below string) {
	project, below, ok := cutProject(name)
	if !ok {
		return nil, ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if root, known := p.roots[project]; known || len(p.roots) >= mostProjectRoots {
		return root, below
	}
	root, err := home.OpenRoot("projects/" + project)
	if err != nil {
		return nil, "" // the caller opens the file another way, and has the error then
	}
	if p.roots == nil {
		p.roots = map[string]*os.Root{}
	}
	p.roots[project] = root
	return root, below
}

// forget lets go of the directory that name is in. It is closed when its last user is done.
func (p *projectRoots) forget(name string) {
	if project, _, ok := cutProject(name); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.roots, project)
	}
}

func cutProject(name string) (project, below string, ok bool) {
	rest, ok := strings.CutPrefix(name, "projects/")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "/")
}
