package travel

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/backup"
	"sesskeep/internal/bundle"
	"sesskeep/internal/errcode"
	"sesskeep/internal/relocate"
)

// Mapping says that files below one path lie below another one now.
type Mapping struct{ From, To string }

// ParseMapping reads FROM=TO.
func ParseMapping(text string) (Mapping, error) {
	from, to, ok := strings.Cut(text, "=")
	m := Mapping{trimSlash(from), trimSlash(to)}
	if !ok || m.From == "" || !filepath.IsAbs(m.To) {
		return m, errcode.New(errcode.Invalid, fmt.Errorf("%q is not OLD=NEW with two full paths", text))
	}
	return m, nil
}

func trimSlash(path string) string {
	if trimmed := strings.TrimRight(path, `/\`); trimmed != "" {
		return trimmed
	}
	return path
}

// Mappings are tried from the longest path to the shortest. They apply to whole names of a path only.
type Mappings []Mapping

// Path returns where a path is now.
func (ms Mappings) Path(path string) string {
	if m, ok := ms.of(path); ok {
		return m.To + strings.TrimPrefix(path, m.From)
	}
	return path
}

// of returns the mapping that applies to a path.
func (ms Mappings) of(path string) (Mapping, bool) {
	var best Mapping
	for _, m := range ms {
		rest, ok := strings.CutPrefix(path, m.From)
		if ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') && len(m.From) > len(best.From) {
			best = m
		}
	}
	return best, best.From != ""
}

// content returns the content of a file of a home with new paths in place of old ones: in the
// working directories of transcripts, and in the projects of history.jsonl.
func (ms Mappings) content(name string, r io.ReadCloser) io.ReadCloser {
	for _, m := range ms {
		switch {
		case strings.HasPrefix(name, "projects/") && strings.HasSuffix(name, ".jsonl"):
			r = bundle.Relocate(r, m.From, m.To)
		case name == "history.jsonl":
			r = relocate.History(r, m.From, m.To)
		}
	}
	return r
}

// projects knows the directories below projects/ of a home in a backup, and the paths of their
// projects.
type projects struct {
	repo  *backup.Repository
	maps  Mappings
	files map[string][]*backup.File // transcripts by directory
	paths map[string]string         // path of the project by directory; "": not known
}

// newProjects finds the directories of a home.
func newProjects(r *backup.Repository, maps Mappings, list []*backup.File) *projects {
	p := &projects{repo: r, maps: maps, files: map[string][]*backup.File{}, paths: map[string]string{}}
	for _, f := range list {
		p.add(f.Name, f)
	}
	return p
}

// add adds a file of the home, if it is a transcript.
func (p *projects) add(name string, f *backup.File) {
	parts := strings.Split(name, "/")
	if len(parts) == 3 && parts[0] == "projects" && strings.HasSuffix(parts[2], ".jsonl") {
		p.files[parts[1]] = append(p.files[parts[1]], f)
	}
}

// The path of a project is searched for in so many transcripts, and in so many lines of each.
const (
	lookedFiles = 5
	lookedLines = 200
)

// path returns the path of a project's directory; "" if no transcript names it.
func (p *projects) path(dir string) (string, error) {
	if path, ok := p.paths[dir]; ok {
		return path, nil
	}
	files := p.files[dir]
	for _, f := range files[:min(len(files), lookedFiles)] {
		path, err := p.namedIn(f, sesskeep.ProjectKey(dir))
		if err != nil && !errors.Is(err, backup.ErrDamaged) {
			return "", err
		}
		if path != "" {
			p.paths[dir] = path
			return path, nil
		}
	}
	p.paths[dir] = ""
	return "", nil
}

// namedIn returns the working directory in a transcript that belongs to a project directory.
func (p *projects) namedIn(f *backup.File, dir sesskeep.ProjectKey) (string, error) {
	r := p.repo.Open(*f)
	defer r.Close()
	in := bufio.NewReader(r)
	for range lookedLines {
		line, err := in.ReadBytes('\n')
		var entry struct{ Cwd string }
		if json.Unmarshal(line, &entry) == nil && entry.Cwd != "" && dir.Holds(entry.Cwd) {
			return entry.Cwd, nil
		}
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
}

// dir returns the name of a directory below projects/ at the new paths.
func (p *projects) dir(dir string) (string, error) {
	if len(p.maps) == 0 {
		return dir, nil
	}
	path, err := p.path(dir)
	if err != nil {
		return "", err
	}
	if path != "" {
		if now := p.maps.Path(path); now != path {
			return string(sesskeep.DirName(now)), nil
		}
		return dir, nil
	}
	for _, m := range p.maps { // no line has the path, so the name of the directory has to do
		rest, ok := strings.CutPrefix(dir, string(sesskeep.DirName(m.From)))
		if ok && (rest == "" || rest[0] == '-') {
			return string(sesskeep.DirName(m.To)) + rest, nil
		}
	}
	return dir, nil
}

// name returns the name of a file of the home at the new paths.
func (p *projects) name(name string) (string, error) {
	parts := strings.SplitN(name, "/", 3)
	if parts[0] != "projects" || len(parts) < 3 {
		return name, nil
	}
	dir, err := p.dir(parts[1])
	return path.Join("projects", dir, parts[2]), err
}

// choice is which sessions and projects of a backup are restored; empty: all.
type choice struct {
	ids   []string // beginnings of ids of sessions
	paths []string // paths of projects
	used  map[string]bool
}

func newChoice(only []string) *choice {
	c := &choice{used: map[string]bool{}}
	for _, text := range only {
		if filepath.IsAbs(text) {
			c.paths = append(c.paths, trimSlash(text))
		} else {
			c.ids = append(c.ids, strings.ToLower(text))
		}
	}
	return c
}

func (c *choice) all() bool { return len(c.ids)+len(c.paths) == 0 }

// session reports whether a session was chosen.
func (c *choice) session(id string) bool {
	for _, prefix := range c.ids {
		if id != "" && strings.HasPrefix(id, prefix) {
			c.used[prefix] = true
			return true
		}
	}
	return false
}

// project reports whether the project of a path was chosen, under its old path or its new one.
func (c *choice) project(path string, maps Mappings) bool {
	for _, chosen := range c.paths {
		if path != "" && (path == chosen || maps.Path(path) == chosen) {
			c.used[chosen] = true
			return true
		}
	}
	return false
}

// missing lists what was chosen and is not in the backup.
func (c *choice) missing() []string {
	return slices.DeleteFunc(slices.Concat(c.ids, c.paths), func(text string) bool { return c.used[text] })
}
