// Package relocate follows folders of projects that were moved: sessions, memory, prompts and
// the client's own entry go to the new path, and back again.
package relocate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/homes"
	"sesskeep/internal/liveness"
	"sesskeep/internal/shelf"
)

// MovedProject is what a folder that was moved changes in one home.
type MovedProject struct {
	Root        string     `json:"root"`             // directory of the home
	From        string     `json:"fromPath"`         // old path of the folder
	To          string     `json:"toPath"`           // new path of the folder
	Directories []MovedDir `json:"directories"`      // directories below projects/ that move
	History     int        `json:"historyLineCount"` // changed lines of history.jsonl
	States      int        `json:"stateKeyCount"`    // changed project entries in .claude.json
	Notes       []string   `json:"notes"`            // remarks for people
	Changed     bool       `json:"changed"`          // true if anything changed
	Act         int        `json:"actId,omitempty"`  // number of the act, for undo
	DryRun      bool       `json:"dryRun"`           // true if nothing was changed

	steps shelf.Steps
}

// MovedDir is a directory below projects/ that goes to another one.
type MovedDir struct {
	From     string `json:"fromDirName"`      // old directory below projects/
	To       string `json:"toDirName"`        // new directory below projects/
	Path     string `json:"projectPath"`      // new working directory
	Sessions int    `json:"sessionCount"`     // number of sessions
	Merged   bool   `json:"merged,omitempty"` // true if the new directory already exists
	Partly   bool   `json:"partly,omitempty"` // true if sessions of other projects stay behind
}

// Mover follows folders that were moved.
type Mover struct {
	journal *acts.Journal
	homes   *homes.Set
	catalog *catalog.Catalog
	live    *liveness.Checker
}

// New makes a Mover of folders that sessions in some homes were started in.
func New(j *acts.Journal, set *homes.Set, c *catalog.Catalog, live *liveness.Checker) *Mover {
	return &Mover{journal: j, homes: set, catalog: c, live: live}
}

// Project follows a folder that was moved: the sessions that were started in it or
// below it are those of its new path, in the directory in which the client looks
// for them, with their memory, and so are the prompts in history.jsonl and the
// project's entry in .claude.json. Transcripts are moved, and never rewritten. Every
// home that knows the folder is one act.
//
// While a client of a home runs it is [errcode.Held]; a session that is in both
// directories is [errcode.Conflict]; a folder that no home knows is [errcode.NoProject].
func (mv *Mover) Project(ctx context.Context, d acts.Doing, from, to string) ([]MovedProject, error) {
	if mv.journal.Shelf == nil {
		return nil, &sesskeep.Error{Op: Verb, Name: from, Err: acts.ErrNoShelf}
	}
	m := repoint{filepath.Clean(from), filepath.Clean(to)}
	if _, inside := m.path(m.to); inside || m.from == m.to {
		return nil, errcode.New(errcode.Invalid, fmt.Errorf("%s: %s lies in %s", Verb, m.to, m.from))
	}
	list := []MovedProject{}
	for _, h := range mv.homes.List {
		if h.Disk() == nil {
			continue // it is gone
		}
		p, err := mv.planMove(ctx, h, m)
		if err != nil {
			return list, &sesskeep.Error{Op: Verb, Name: from, Err: err}
		}
		if !p.Changed {
			continue
		}
		p.DryRun = d.DryRun
		if err := mv.doMove(ctx, d, h, &p); err != nil {
			return list, err
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return list, errcode.ErrNoProject(from)
	}
	if !d.DryRun {
		mv.journal.Touch()
	}
	return list, nil
}

func (mv *Mover) doMove(ctx context.Context, d acts.Doing, h *homes.Home, p *MovedProject) error {
	plan := shelf.Plan{Verb: Verb, Actor: d.Actor, Home: h.Store.Root(), What: p.From + " -> " + p.To, Steps: p.steps}
	if err := mv.live.Home(ctx, h); err != nil {
		return &sesskeep.Error{Op: Verb, Name: p.From, Err: err}
	}
	var err error
	p.Act, err = mv.journal.Do(ctx, d, plan)
	return err
}

// Verb is how the journal calls it.
const Verb = "project mv"

// planMove works out what a folder that was moved changes in a home.
func (mv *Mover) planMove(ctx context.Context, h *homes.Home, m repoint) (MovedProject, error) {
	p := MovedProject{Root: h.Store.Root(), From: m.from, To: m.to, Directories: []MovedDir{}, Notes: []string{}}
	if err := mv.planDirs(ctx, h, m, &p); err != nil {
		return p, err
	}
	if err := mv.planState(ctx, h, m, &p); err != nil {
		return p, err
	}
	if err := planHistory(h, m, &p); err != nil {
		return p, err
	}
	p.Changed = len(p.steps) > 0
	return p, nil
}

// planDirs moves the directories of projects in the folder.
func (mv *Mover) planDirs(ctx context.Context, h *homes.Home, m repoint, p *MovedProject) error {
	c, err := mv.catalog.Snapshot(ctx)
	if err != nil {
		return err
	}
	old := string(sesskeep.DirName(m.from))
	here := map[string][]ask.Project{} // by directory
	for _, project := range c.Projects {
		if project.Root != h.Store.Root() {
			continue
		}
		if project.Path == "" && project.DirName == old { // no session names its path
			project.Path = m.from
		}
		here[project.DirName] = append(here[project.DirName], project)
	}
	if here[old] == nil && h.Store.Files().Disk().Stat(path.Join("projects", old)) != nil { // no session at all, but perhaps memory
		here[old] = []ask.Project{{DirName: old, Path: m.from}}
	}
	for _, dir := range slices.Sorted(maps.Keys(here)) {
		if err := mv.planDir(ctx, h, m, here[dir], p); err != nil {
			return err
		}
	}
	return nil
}

// planDir moves one directory, or what projects in the folder have of it.
func (mv *Mover) planDir(ctx context.Context, h *homes.Home, m repoint, projects []ask.Project, p *MovedProject) error {
	targets := map[string]bool{}
	for _, project := range projects {
		to, moved := m.path(project.Path)
		if !moved {
			targets[project.DirName] = true
			continue
		}
		targets[string(sesskeep.DirName(to))] = true
	}
	for _, project := range projects {
		to, moved := m.path(project.Path)
		d := MovedDir{From: project.DirName, To: string(sesskeep.DirName(to)), Path: to, Partly: len(targets) > 1}
		if !moved || d.From == d.To {
			continue
		}
		d.Merged = h.Store.Files().Disk().Stat(path.Join("projects", d.To)) != nil
		if project.ID != "" {
			rows, err := mv.catalog.Rows(ctx, ask.Filter{Project: project.ID, Archived: ask.ArchivedToo})
			if err != nil {
				return err
			}
			d.Sessions = len(rows)
		}
		steps, err := mv.dirSteps(ctx, h, project, d, p)
		if err != nil {
			return err
		}
		p.Directories = append(p.Directories, d)
		p.steps = append(p.steps, steps...)
	}
	return nil
}

// dirSteps moves a directory whole where that can be done, and else what belongs
// to the project.
func (mv *Mover) dirSteps(ctx context.Context, h *homes.Home, project ask.Project, d MovedDir, p *MovedProject) (shelf.Steps, error) {
	from, to := filepath.Join(h.Store.Root(), "projects", d.From), filepath.Join(h.Store.Root(), "projects", d.To)
	if !d.Partly {
		return p.merge(from, to)
	}
	all, err := mv.catalog.Rows(ctx, ask.Filter{Project: project.ID, Source: "all", Archived: ask.ArchivedToo})
	if err != nil {
		return nil, err
	}
	p.Notes = append(p.Notes, fmt.Sprintf("projects/%s is shared with another project: its memory stays there", d.From))
	var steps shelf.Steps
	done := map[string]bool{}
	for _, r := range all {
		f, err := h.Store.With(h.Store.Files().Disk()).Family(r.Ref.Session)
		if err != nil {
			return nil, err
		}
		for _, unit := range acts.Units(r.Ref.Session, f.Files()) {
			name, below := cutDir(unit, "projects/"+d.From)
			if !below || done[unit] {
				continue
			}
			done[unit] = true
			more, err := p.merge(filepath.Join(from, filepath.FromSlash(name)), filepath.Join(to, filepath.FromSlash(name)))
			if err != nil {
				return nil, err
			}
			steps = append(steps, more...)
		}
	}
	return steps, nil
}

// cutDir takes a directory off a path.
func cutDir(name, dir string) (string, bool) {
	if !catalog.Within(name, dir) || name == dir {
		return "", false
	}
	return name[len(dir)+1:], true
}

// merge moves a file or a directory to a place where there may be one already. Of
// two memories that differ each stays where it is.
func (p *MovedProject) merge(from, to string) (shelf.Steps, error) {
	there, err := os.Lstat(to)
	if errors.Is(err, fs.ErrNotExist) {
		return shelf.MoveTree(from, to)
	}
	if err != nil {
		return nil, err
	}
	what, err := os.Lstat(from)
	switch {
	case err != nil:
		return nil, err
	case what.IsDir() && there.IsDir():
		return p.mergeAll(from, to)
	}
	if same, err := shelf.Same(from, to); err == nil && same {
		p.Notes = append(p.Notes, from+" is at its new place already")
		return nil, nil
	}
	if filepath.Base(filepath.Dir(from)) == "memory" {
		p.Notes = append(p.Notes, from+" stays: the new place has another one")
		return nil, nil
	}
	return nil, fmt.Errorf("%s is there already: %w", to, fs.ErrExist)
}

func (p *MovedProject) mergeAll(from, to string) (shelf.Steps, error) {
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, err
	}
	var steps shelf.Steps
	for _, e := range entries {
		more, err := p.merge(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
		if err != nil {
			return nil, err
		}
		steps = append(steps, more...)
	}
	return steps, nil
}

// planState re-points .claude.json, wherever it is.
func (mv *Mover) planState(ctx context.Context, h *homes.Home, m repoint, p *MovedProject) error {
	for _, file := range homefs.StateFiles(h.Store.Root()) {
		f, err := mv.journal.Shelf.Read(ctx, h.Store.Root(), file)
		if err != nil {
			return err
		}
		if f.Data == nil {
			continue
		}
		after, n, kept, err := m.state(f.Data)
		if err != nil {
			p.Notes = append(p.Notes, fmt.Sprintf("%s stays as it is: %v", file, err))
			continue
		}
		for _, path := range kept {
			p.Notes = append(p.Notes, fmt.Sprintf("%s keeps its entry for %s: the new place has one of its own", file, path))
		}
		if n > 0 {
			p.States += n
			p.steps = append(p.steps, shelf.Replace{File: file, Before: shelf.ContentOf(f.Data), From: shelf.Bytes(after)})
		}
	}
	return nil
}

// planHistory re-points history.jsonl.
func planHistory(h *homes.Home, m repoint, p *MovedProject) error {
	file := filepath.Join(h.Store.Root(), "history.jsonl")
	before, err := shelf.ContentAt(file)
	if err != nil || before == (shelf.Content{}) {
		return err
	}
	if p.History, err = m.countHistory(file); err != nil || p.History == 0 {
		return err
	}
	p.steps = append(p.steps, shelf.Replace{File: file, Before: before, From: m.history(file)})
	return nil
}
