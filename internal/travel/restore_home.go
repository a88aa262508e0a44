package travel

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/backup"
	"sesskeep/internal/homes"
	"sesskeep/internal/shelf"
)

// unit is what one act restores: the files of a session, or those that belong to no session.
type unit struct {
	session string // id; "": files that belong to no session
	dir     string // new name of the directory below projects/; "": outside of projects/
	files   []*backup.File
}

// homeRestorer restores one home.
type homeRestorer struct {
	*restorer
	target   Target
	home     *homes.Home // nil: it does not exist yet, which only a dry run accepts
	projects *projects
	dirs     map[string]string // directories of the sessions that exist, by session
	out      *RestoredHome
}

// home restores the files of a home.
func (r *restorer) home(ctx context.Context, t Target) error {
	r.out.Homes = append(r.out.Homes, RestoredHome{From: t.Home.Root, Root: t.Root})
	list := r.trees[homeTree+t.Home.ID]
	h := &homeRestorer{restorer: r, target: t, home: r.tr.opts.Homes.At(t.Root), out: &r.out.Homes[len(r.out.Homes)-1]}
	h.projects = newProjects(r.o.From, r.o.Maps, list)
	if err := h.listThere(); err != nil {
		return err
	}
	units, err := h.units(list)
	if err != nil {
		return err
	}
	for _, key := range sortedKeys(units) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := h.unit(ctx, units[key]); err != nil {
			return err
		}
	}
	return nil
}

// listThere finds the sessions that the home has already.
func (h *homeRestorer) listThere() error {
	h.dirs = map[string]string{}
	if h.home == nil || h.home.Disk() == nil {
		return nil
	}
	files := h.home.Disk().Files()
	dirs, err := files.ReadDir("projects")
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		entries, err := files.ReadDir(path.Join("projects", dir.Name()))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if id, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && sesskeep.IsUUID(id) {
				h.dirs[id] = dir.Name()
			}
		}
	}
	return nil
}

// units groups the files that were chosen by session.
func (h *homeRestorer) units(list []*backup.File) (map[string]*unit, error) {
	units := map[string]*unit{}
	for _, f := range list {
		if homefs.Denied(f.Name) || !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			h.keep(f.Name, "it is never restored")
			continue
		}
		dir, id := owner(f.Name)
		chosen, err := h.chosen(dir, id)
		if err != nil {
			return nil, err
		}
		if !chosen {
			continue
		}
		if dir != "" {
			if dir, err = h.projects.dir(dir); err != nil {
				return nil, err
			}
		}
		key := cmp.Or(id, dir)
		if units[key] == nil {
			units[key] = &unit{session: id}
		}
		units[key].dir = cmp.Or(units[key].dir, dir)
		units[key].files = append(units[key].files, f)
	}
	return units, nil
}

// chosen reports whether a session, or a project without a session, is to be restored.
func (h *homeRestorer) chosen(dir, id string) (bool, error) {
	if h.choice.all() || h.choice.session(id) {
		return true, nil
	}
	if dir == "" && id != "" { // a file outside of projects/: the transcript shows which project it is
		dir = h.dirOf(id)
	}
	if dir == "" || len(h.choice.paths) == 0 {
		return false, nil
	}
	project, err := h.projects.path(dir)
	return err == nil && h.choice.project(project, h.o.Maps), err
}

// dirOf returns the directory below projects/ that a session has in the backup.
func (h *homeRestorer) dirOf(id string) string {
	for dir, files := range h.projects.files {
		for _, f := range files {
			if path.Base(f.Name) == id+".jsonl" {
				return dir
			}
		}
	}
	return ""
}

// owner returns the directory below projects/ and the session that a file of a home belongs
// to; either may be empty.
func owner(name string) (dir, id string) {
	parts := strings.Split(name, "/")
	last := parts[len(parts)-1]
	switch {
	case parts[0] == "projects" && len(parts) > 2:
		dir, id = parts[1], strings.TrimSuffix(parts[2], ".jsonl")
	case parts[0] == "todos":
		id, _, _ = strings.Cut(last, "-agent-")
	case parts[0] == "debug":
		id = strings.TrimSuffix(last, ".txt")
	case len(parts) > 2: // tasks, file-history, image-cache, uploads
		id = parts[1]
	}
	if !sesskeep.IsUUID(id) {
		id = ""
	}
	return dir, id
}

// unit restores the files of one session, with its labels, as one act.
func (h *homeRestorer) unit(ctx context.Context, u *unit) error {
	if dir, ok := h.dirs[u.session]; ok && u.session != "" && u.dir != "" && dir != u.dir {
		h.keep(filepath.Join(h.target.Root, "projects", dir, u.session+".jsonl"), "the session is there, in another project")
		return nil
	}
	plan := shelf.Plan{Verb: verb, Actor: h.doing.Actor, Home: h.target.Root, Batch: h.doing.Batch, What: h.o.Backup.ID}
	if h.home != nil && u.session != "" {
		plan.Session = h.home.Key(sesskeep.SessionID(u.session)).String()
	}
	var placed []*backup.File
	for _, f := range u.files {
		step, ok, err := h.step(f)
		if err != nil {
			return err
		}
		if ok {
			plan.Steps, placed = append(plan.Steps, step), append(placed, f)
		}
	}
	plan.Steps = append(plan.Steps, h.labelSteps(u.session)...)
	return h.act(ctx, plan, placed)
}

// step returns the step that restores a file, and false if the file needs none.
func (h *homeRestorer) step(f *backup.File) (step shelf.Create, ok bool, err error) {
	if len(h.o.Maps) > 0 && path.Base(f.Name) == "sessions-index.json" {
		return step, false, nil // clients of early 2026 wrote it, and no other reads it
	}
	name, err := h.projects.name(f.Name)
	if err != nil {
		return step, false, err
	}
	file := filepath.Join(h.target.Root, filepath.FromSlash(name))
	source := func() (io.ReadCloser, error) { return h.o.Maps.content(f.Name, h.o.From.Open(*f)), nil }
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return shelf.Create{File: file, Mode: f.Mode, From: source}, true, nil
	case err != nil:
		return step, false, err
	}
	same := false
	if info.Mode().IsRegular() {
		if same, err = beginsWith(file, source); isLost(err) {
			h.lose(f)
			return step, false, nil
		}
	}
	if err != nil {
		return step, false, err
	}
	if same {
		h.out.Present++
	} else {
		h.keep(file, "it is there and differs")
	}
	h.progress(f.Size)
	return step, false, nil
}

// beginsWith reports whether a file begins with all bytes of a source: it may have grown since.
func beginsWith(file string, from shelf.Source) (bool, error) {
	there, err := shelf.FileSource(file)()
	if err != nil {
		return false, err
	}
	defer there.Close()
	r, err := from()
	if err != nil {
		return false, err
	}
	defer r.Close()
	return isPrefix(r, there)
}

// lose notes a file of the backup that cannot be read.
func (h *homeRestorer) lose(f *backup.File) {
	h.restorer.out.Lost = append(h.restorer.out.Lost, f.Tree+"/"+f.Name)
	h.progress(f.Size)
}

// act makes an act without the files that turn out to be damaged in the backup.
func (h *homeRestorer) act(ctx context.Context, p shelf.Plan, files []*backup.File) error {
	if p.Empty() {
		return nil
	}
	err := h.do(ctx, p)
	if err != nil && ctx.Err() == nil {
		rest := shelf.Steps(p.Steps[len(files):])
		var intact []*backup.File
		for n, f := range files {
			if damage := h.intact(f); isLost(damage) {
				h.lose(f)
				continue
			}
			intact, rest = append(intact, f), append(rest, p.Steps[n])
		}
		if len(intact) == len(files) {
			return err
		}
		p.Steps, files = rest, intact
		if p.Empty() {
			return nil
		}
		err = h.do(ctx, p)
	}
	if err != nil {
		return err
	}
	h.count(files)
	return nil
}

// do makes an act. A dry run makes none: the plan has only names that are free.
func (h *homeRestorer) do(ctx context.Context, p shelf.Plan) error {
	if h.doing.DryRun {
		return nil
	}
	act, err := h.tr.opts.Journal.Do(ctx, h.doing, p)
	if err != nil {
		return err
	}
	h.restorer.out.Acts++
	h.restorer.out.Act = act
	return nil
}

// count adds files to the result.
func (h *homeRestorer) count(files []*backup.File) {
	for _, f := range files {
		h.out.Files++
		h.out.Size += f.Size
		if isTranscript(f.Name) {
			h.out.Sessions++
		}
		h.progress(f.Size)
	}
}
