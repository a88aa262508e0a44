package sesskeep

import (
	"path"
	"slices"
	"strings"
)

// sidecars adds the small files of the session, and leaves out what stands in the
// Family already.
func (f *Family) sidecars(s *Store, slugs []string) {
	id := string(f.Key.Session)
	for _, dir := range []string{"tasks", "file-history", "image-cache", "uploads"} {
		f.Sidecars = append(f.Sidecars, s.walk(path.Join(dir, id), f.unread)...)
	}
	for _, dir := range []string{"todos", "debug", "plans"} {
		for _, name := range s.regular(dir, f.unread) {
			plan, isPlan := strings.CutSuffix(name, ".md")
			switch {
			case dir == "todos" && strings.HasPrefix(name, id+"-agent-"),
				dir == "debug" && name == id+".txt",
				dir == "plans" && isPlan && slices.ContainsFunc(slugs, func(slug string) bool { return planOf(plan, slug) }):
				f.Sidecars = append(f.Sidecars, path.Join(dir, name))
			}
		}
	}
	known := map[string]bool{}
	for _, name := range f.Results {
		known[name] = true
	}
	for _, list := range [][]Ref{f.Agents, f.Lone, f.Twins} {
		for _, ref := range list {
			known[ref.File] = true
		}
	}
	f.Sidecars = slices.DeleteFunc(f.Sidecars, func(name string) bool { return known[name] })
	slices.Sort(f.Sidecars)
}

// planOf reports whether a plan is of the slug: its own, or one of its agents'.
func planOf(plan, slug string) bool {
	return slug != "" && (plan == slug || strings.HasPrefix(plan, slug+"-agent-"))
}

// maxSidecarDepth is far below any file the client writes beside a session.
const maxSidecarDepth = 8

// walk lists the files below a directory. It follows no links. Unread is given
// what cannot be read.
func (s *Store) walk(dir string, unread func(name string, err error)) []string {
	var files []string
	dirs := []string{dir}
	for len(dirs) > 0 {
		dir, dirs = dirs[0], dirs[1:]
		entries, err := s.files.ReadDir(dir)
		if err != nil {
			unread(dir, err)
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case e.Type().IsRegular():
				files = append(files, name)
			case e.IsDir() && strings.Count(name, "/") < maxSidecarDepth:
				dirs = append(dirs, name)
			}
		}
	}
	return files
}

// regular lists the names of the files in a directory. Unread is called if it
// cannot be read.
func (s *Store) regular(dir string, unread func(name string, err error)) []string {
	entries, err := s.files.ReadDir(dir)
	if err != nil {
		unread(dir, err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}
