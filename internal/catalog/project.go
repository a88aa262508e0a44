package catalog

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/reading"
)

// ProjectsNamed finds the projects that a name means: a short name, an absolute
// path, the name of a directory in the home, or a path with a dash for every
// slash. A directory that several paths share means all of them. Without one it
// is [errcode.NoProject]; a name of several directories is [errcode.Ambiguous].
func (c *Snapshot) ProjectsNamed(name string) ([]ask.Project, error) {
	for _, means := range []func(*ask.Project) bool{
		func(p *ask.Project) bool { return p.ID == name },
		func(p *ask.Project) bool {
			return p.Path == path.Clean(name) && p.Path != "" && strings.HasPrefix(name, "/")
		},
		func(p *ask.Project) bool { return p.DirName == name || p.Path != "" && dashed(p.Path) == name },
	} {
		found := c.projectsThat(means)
		if len(found) == 0 {
			continue
		}
		return found, oneDirectory(name, found)
	}
	return nil, errcode.ErrNoProject(name)
}

// ProjectNamed finds the one project that a name means. A path whose dashed form is the
// name comes before others in the same directory; several such paths are
// [errcode.Ambiguous]. A path in several homes is one project.
func (c *Snapshot) ProjectNamed(name string) (ask.Project, error) {
	found, err := c.ProjectsNamed(name)
	if err != nil {
		return ask.Project{}, err
	}
	isOther := func(p ask.Project) bool { return dashed(p.Path) != name }
	if exact := slices.DeleteFunc(slices.Clone(found), isOther); len(exact) > 0 {
		found = exact
	}
	e := &reading.Ambiguous{Address: name}
	for _, p := range found {
		if path := cmp.Or(p.Path, p.ID); !slices.Contains(e.Candidates, path) {
			e.Candidates = append(e.Candidates, path)
		}
	}
	if len(e.Candidates) > 1 {
		return ask.Project{}, &sesskeep.Error{Op: "find project", Name: name, Err: e}
	}
	return found[0], nil
}

func (c *Snapshot) projectsThat(means func(*ask.Project) bool) (found []ask.Project) {
	for i := range c.Projects {
		if means(&c.Projects[i]) {
			found = append(found, c.Projects[i])
		}
	}
	return found
}

// dashed is a path as clients of cli-bridge write it.
func dashed(path string) string { return strings.ReplaceAll(path, "/", "-") }

// oneDirectory reports an error if the projects lie in several directories of
// one home.
func oneDirectory(name string, found []ask.Project) error {
	dirs := map[string]string{} // root → directory
	e := &reading.Ambiguous{Address: name}
	several := false
	for _, p := range found {
		e.Candidates = append(e.Candidates, p.ID)
		was, known := dirs[p.Root]
		several = several || known && was != p.DirName
		dirs[p.Root] = p.DirName
	}
	if !several {
		return nil
	}
	return &sesskeep.Error{Op: "find project", Name: name, Err: e}
}
