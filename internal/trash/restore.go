package trash

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/label"
	"sesskeep/internal/shelf"
)

// Restore puts families back from the trash, byte for byte, where they were. What
// is still there and equal is left alone; what differs is [errcode.Conflict], and then
// nothing is done. Files get the present as their time, so that the client's next
// clean-up does not take them: the manifest has the old one.
func (tr *Trash) Restore(ctx context.Context, d acts.Doing, addresses []string) (acts.Outcome, error) {
	return tr.each(ctx, d, "restore", addresses, func(t Trashed) (shelf.Steps, error) { return restoreSteps(tr.journal.Shelf, t, tr.now()) })
}

// Purge removes families in the trash for good, and their kept copies too. It
// cannot be undone. What is not in the trash is [errcode.NotFound] in its result.
func (tr *Trash) Purge(ctx context.Context, d acts.Doing, addresses []string) (acts.Outcome, error) {
	return tr.each(ctx, d, "purge", addresses, func(t Trashed) (shelf.Steps, error) {
		var steps shelf.Steps
		if t.ID != "" {
			steps = append(steps, shelf.Label{Key: t.Key, Edit: func(label.Label) (label.Label, error) { return label.Label{}, nil }})
		}
		return append(steps, shelf.Purge{Path: filepath.Join(tr.journal.Shelf.TrashDir(), t.Name)}), nil
	})
}

// each makes an act of families in the trash.
func (tr *Trash) each(ctx context.Context, d acts.Doing, verb string, addresses []string, plan func(t Trashed) (shelf.Steps, error)) (acts.Outcome, error) {
	out := acts.Outcome{Verb: verb, Results: []acts.Result{}, DryRun: d.DryRun}
	if err := tr.journal.Start(ctx, d, verb, "sessions"); err != nil {
		return out, err
	}
	batch := d.BatchFor(len(addresses))
	for _, address := range addresses {
		t, err := tr.find(ctx, address)
		r := acts.Result{ID: t.ID, Kind: t.Kind, Address: address, Root: t.Root, Key: t.Key, Title: t.Title, Agents: t.Agents, Files: t.Files, Size: t.Size}
		if err != nil {
			r.ID = address
		} else {
			err = tr.one(ctx, d, verb, batch, t, &r, plan)
		}
		out.Add(r, err)
		d.Report(out.Total, len(addresses))
	}
	if out.Changed > 0 && !d.DryRun {
		tr.journal.Shelf.Prune()
		tr.journal.Touch()
	}
	return out, nil
}

func (tr *Trash) one(ctx context.Context, d acts.Doing, verb, batch string, t Trashed, r *acts.Result, plan func(t Trashed) (shelf.Steps, error)) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	steps, err := plan(t)
	if err != nil {
		return &sesskeep.Error{Op: verb, Name: cmp.Or(t.ID, t.Name), Err: err}
	}
	there := t
	if err := there.count(tr.journal.Shelf); err != nil && verb == "restore" {
		r.Note = "it comes back as it lies in the trash: " + err.Error()
	} else if err != nil {
		r.Note = "not all of it was counted: " + err.Error()
	}
	r.Changed = true
	p := shelf.Plan{Verb: verb, Actor: d.Actor, Home: t.Root, Session: t.Key.String(), What: t.Kind, Batch: batch, Steps: steps}
	if verb == "purge" && !d.DryRun {
		if err := tr.forget(ctx, t, r); err != nil {
			return err
		}
	}
	r.Act, err = tr.journal.Do(ctx, d, p)
	return err
}

// forget removes the kept copies of a family that is purged: before it, so that a
// crash in between leaves what can be purged again.
func (tr *Trash) forget(ctx context.Context, t Trashed, r *acts.Result) error {
	h := tr.homeOf(t)
	if h == nil || h.Copies == nil || t.ID == "" {
		return nil
	}
	var slugs []string
	if t.Slug != "" {
		slugs = append(slugs, t.Slug)
	}
	kept, err := h.Copies.Family(t.Key.Session, slugs...)
	if errors.Is(err, sesskeep.ErrNotFound) || err == nil && len(kept.Members) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	r.Note = withNote(r.Note, "its kept copies were removed too")
	if err := h.Copies.Remover.Drop(ctx, t.Key.Session, slugs...); err != nil {
		return err
	}
	waiting, err := tr.homes.Vault.WaitingMirrors()
	for _, dir := range waiting {
		r.Note = withNote(r.Note, "those in "+dir+" are removed when it is there")
	}
	return err
}

// withNote is one note of two.
func withNote(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// restoreSteps are those that put a family back.
func restoreSteps(s *shelf.Shelf, t Trashed, now time.Time) (shelf.Steps, error) {
	dir := filepath.Join(s.TrashDir(), t.Name)
	var steps shelf.Steps
	var failed error
	for _, unit := range t.Units {
		name := filepath.FromSlash(unit)
		more, err := putBack(filepath.Join(dir, "files", name), filepath.Join(t.Root, name), now)
		steps, failed = append(steps, more...), errors.Join(failed, err)
	}
	return append(steps, shelf.Move{From: filepath.Join(dir, ManifestName)}), failed
}

// putBack moves a file or a directory to where it was. Where a directory is there
// by now, what it holds goes into it.
func putBack(from, to string, now time.Time) (shelf.Steps, error) {
	what, err := os.Lstat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing in the trash", from)
	}
	if err != nil {
		return nil, err
	}
	there, err := os.Lstat(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		steps, err := shelf.MoveTree(from, to)
		for n, step := range steps {
			if m, ok := step.(shelf.Move); ok {
				m.Modified = now
				steps[n] = m
			}
		}
		return steps, err
	case err != nil:
		return nil, err
	case what.IsDir() && there.IsDir():
		return putBackAll(from, to, now)
	case !what.IsDir() && there.Mode().IsRegular():
		if same, err := shelf.Same(from, to); err != nil || same {
			return shelf.Steps{shelf.Move{From: from}}, err // into our backups
		}
	}
	return nil, fmt.Errorf("%s is there again, and differs: %w", to, fs.ErrExist)
}

func putBackAll(from, to string, now time.Time) (steps shelf.Steps, failed error) {
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		more, err := putBack(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()), now)
		steps, failed = append(steps, more...), errors.Join(failed, err)
	}
	return steps, failed
}

// PlanUndo plans to put a family back as Restore does: with the time of the undo, so that
// the client's next clean-up does not take it.
func PlanUndo(ctx context.Context, s *shelf.Shelf, a shelf.Act, by shelf.Actor) (acts.Change, error) {
	fail := func(err error) (acts.Change, error) {
		return acts.Change{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: err}
	}
	manifest, ok := a.Steps[0].(shelf.Create)
	if !ok {
		return fail(errors.New("it has no manifest"))
	}
	t, err := readManifest(s, filepath.Base(filepath.Dir(manifest.File)))
	if errors.Is(err, fs.ErrNotExist) {
		return fail(errors.New("it is not in the trash any more"))
	}
	if err != nil {
		return fail(err)
	}
	if ctx.Err() != nil {
		return acts.Change{}, ctx.Err()
	}
	steps, err := restoreSteps(s, t, s.Now())
	if err != nil {
		return fail(err)
	}
	p := shelf.Plan{Verb: "undo", Actor: by, Home: a.Home, Session: a.Session, What: a.What, Undoes: a.ID, Steps: steps}
	return acts.Change{Plan: p, Verb: a.Verb, File: a.Subject()}, s.Check(p)
}
