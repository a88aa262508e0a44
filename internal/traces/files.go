package traces

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/regular"
)

// erase adds a file or a directory of the home to what is removed, and counts its contents.
func (f *finder) erase(name string, kind Kind) error {
	if slices.Contains(f.found.Erase, name) {
		return nil
	}
	f.found.Erase = append(f.found.Erase, name)
	return filepath.WalkDir(f.home.Path(name), func(file string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return nil // it was removed meanwhile
		}
		rest, _ := filepath.Rel(f.home.Path(name), file)
		f.count(kindIn(kind, filepath.ToSlash(rest)), 1, info.Size())
		return nil
	})
}

// kindIn returns the kind of a file below a directory of a project or of a session.
func kindIn(kind Kind, rest string) Kind {
	if kind != Transcripts {
		return kind
	}
	parts := strings.Split(rest, "/")
	switch {
	case slices.Contains(parts, "memory"):
		return Memory
	case slices.Contains(parts, "tool-results"):
		return Results
	case slices.Contains(parts, "subagents"), strings.HasPrefix(path.Base(rest), "agent-"):
		return Agents
	case path.Base(rest) == "sessions-index.json":
		return Lists
	case rest == ".", strings.HasSuffix(rest, ".jsonl"):
		return Transcripts
	}
	return Other
}

// projects finds traces below projects/.
func (f *finder) projects() error {
	for _, dir := range f.scope.Whole {
		if err := f.erase(path.Join("projects", string(dir)), Transcripts); err != nil {
			return err
		}
	}
	dirs, err := f.home.ReadDir("projects")
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		if slices.Contains(f.scope.Whole, sesskeep.ProjectKey(dir.Name())) {
			continue
		}
		if err := f.folder(path.Join("projects", dir.Name())); err != nil {
			return err
		}
	}
	for _, id := range f.scope.Of.Sessions {
		if err := f.family(id); err != nil {
			return err
		}
	}
	return nil
}

// folder finds the files of the sessions in a directory that other sessions share.
func (f *finder) folder(dir string) error {
	entries, err := f.home.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if e.Name() == "sessions-index.json" {
			err = f.list(name)
		} else if len(e.Name()) >= 36 && f.of.Session(e.Name()[:36]) {
			err = f.erase(name, Transcripts)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list finds the entries of the sessions in a sessions-index.json.
func (f *finder) list(name string) error {
	text, err := f.home.ReadFile(name, maxState)
	if err != nil {
		return skipGone(err)
	}
	after, n, err := scrubbed(text, f.of)
	switch {
	case err != nil && f.of.In(text): // it can be removed: clients since 2.1 neither read nor write it
		return f.erase(name, Lists)
	case err != nil, n == 0:
		return nil
	}
	f.count(Lists, n, 0)
	f.found.Edits = append(f.found.Edits, Edit{f.home.Path(name), Lists, n, source(after)})
	return nil
}

// family finds files of a session whose names lack its id: agents beside transcripts.
func (f *finder) family(id sesskeep.SessionID) error {
	family, err := f.store.With(f.home).Family(id)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range family.Files() {
		if f.covered(name) {
			continue
		}
		kind := Transcripts
		if strings.HasPrefix(path.Base(name), "agent-") {
			kind = Agents
		}
		if !strings.HasPrefix(name, "projects/") {
			continue // found by its name
		}
		if err := f.erase(name, kind); err != nil {
			return err
		}
	}
	return nil
}

// covered reports whether a directory above the file is already removed as a whole.
func (f *finder) covered(name string) bool {
	return slices.ContainsFunc(f.found.Erase, func(dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") })
}

// kindOf has the directories of a home whose files are named by the ids of sessions, and what
// those files are.
var kindOf = map[string]Kind{
	"tasks": Todos, "todos": Todos, "file-history": Edits, "session-env": Other, "image-cache": Images, "uploads": Images,
	"debug": Debug, "usage-data": Usage, "telemetry": Other, "dump-prompts": Debug, "traces": Debug, "logs": Debug, "errors": Debug,
	"startup-perf": Debug, "statsig": Other, "feedback-bundles": Other,
}

// named finds files and directories whose names have the id of a session, up to two levels
// below the home.
func (f *finder) named() error {
	for _, dir := range slices.Sorted(maps.Keys(kindOf)) {
		if err := f.namedIn(dir, kindOf[dir], 1); err != nil {
			return err
		}
	}
	plans, err := f.home.ReadDir("plans")
	if err != nil {
		return err
	}
	for _, e := range plans {
		if f.scope.hasPlan(e.Name()) {
			if err := f.erase(path.Join("plans", e.Name()), Plans); err != nil {
				return err
			}
		}
	}
	for hash := range f.found.pastes {
		name := path.Join("paste-cache", hash+".txt")
		if !regularName(hash) || f.home.Stat(name) == nil {
			continue
		}
		if err := f.erase(name, Pastes); err != nil {
			return err
		}
	}
	return nil
}

// hasPlan reports whether a file in plans/ belongs to one of the sessions.
func (s *Scope) hasPlan(name string) bool {
	plan, ok := strings.CutSuffix(name, ".md")
	return ok && slices.ContainsFunc(s.Slugs, func(slug string) bool { return plan == slug || strings.HasPrefix(plan, slug+"-agent-") })
}

// regularName reports whether a text is the name of a single file, without a path.
func regularName(name string) bool { return filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) }

func (f *finder) namedIn(dir string, kind Kind, deeper int) error {
	entries, err := f.home.ReadDirAll(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case f.of.In([]byte(e.Name())):
			err = f.erase(name, kind)
		case e.IsDir() && deeper > 0 && dir != "session-env":
			err = f.namedIn(name, kind, deeper-1)
		case e.Type()&fs.ModeSymlink != 0: // such as debug/latest
			if target, _ := os.Readlink(f.home.Path(name)); f.of.In([]byte(target)) {
				err = f.erase(name, kind)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// skipGone returns nil for the error that a file does not exist: it was removed meanwhile.
func skipGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, regular.ErrNotRegular) {
		return nil
	}
	return err
}
