package catalog

import (
	"path/filepath"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/reading"
)

// FindProject resolves what a user calls a project: its short name, its path,
// its directory's name, or the last part of its path if no other has it. None is
// [errcode.NoProject], several are [errcode.Ambiguous].
func (c *Snapshot) FindProject(word string) (*ask.Project, error) {
	path := filepath.Clean(word)
	same := []func(p *ask.Project) bool{
		func(p *ask.Project) bool { return p.ID == word },
		func(p *ask.Project) bool { return p.Path == path && p.Path != "" },
		func(p *ask.Project) bool { return p.DirName == word },
		func(p *ask.Project) bool { return p.Name == word },
		func(p *ask.Project) bool { return endsIn(p.Path, word) },
		func(p *ask.Project) bool { return strings.HasPrefix(p.ID, word) && len(word) >= reading.MinPrefix },
	}
	for _, match := range same {
		var found []*ask.Project
		for i := range c.Projects {
			if match(&c.Projects[i]) {
				found = append(found, &c.Projects[i])
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			e := &reading.Ambiguous{Address: word}
			for _, p := range found {
				e.Candidates = append(e.Candidates, p.ID)
			}
			return nil, e
		}
	}
	return nil, errcode.ErrNoProject(word)
}

// endsIn reports whether the last parts of a path are word, which has several.
func endsIn(path, word string) bool {
	return strings.Contains(word, "/") && strings.HasSuffix(filepath.ToSlash(path), "/"+strings.Trim(word, "/"))
}

// ProjectAt is the project that dir lies in: the deepest whose path is dir or
// above it. It is nil outside any project.
func (c *Snapshot) ProjectAt(dir string) *ask.Project {
	var best *ask.Project
	for i := range c.Projects {
		p := &c.Projects[i]
		if p.Path == "" || !Within(dir, p.Path) {
			continue
		}
		if best == nil || len(p.Path) > len(best.Path) || p.Path == best.Path && p.LastActivity.After(best.LastActivity.Time) {
			best = p
		}
	}
	return best
}

func Within(dir, base string) bool {
	return dir == base || strings.HasPrefix(dir, strings.TrimSuffix(base, "/")+"/")
}
