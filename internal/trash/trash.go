// Package trash is where sessions lie until they are put back or purged: below the data of
// our own, each in a directory with a manifest, which has all that is needed to put them
// back.
package trash

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/sealed"
	"sesskeep/internal/shelf"
	"sesskeep/internal/stamp"
)

// Trash is where whole families lie until they are put back or purged.
type Trash struct {
	journal *acts.Journal
	homes   *homes.Set
	now     func() time.Time
}

// New makes the Trash of a journal's shelf, for what lay in some homes.
func New(j *acts.Journal, set *homes.Set, now func() time.Time) *Trash {
	return &Trash{journal: j, homes: set, now: now}
}

// MoveOut plans to move the units of a family to the trash now, with its manifest.
func (tr *Trash) MoveOut(t Trashed) (shelf.Steps, error) {
	now := tr.now()
	t.sumTranscripts()
	t.TrashedAt, t.Name = stamp.Time{Time: now.UTC()}, trashName(now, cmp.Or(t.ID, t.Kind))
	text, err := json.MarshalIndent(manifest{manifestVersion, t}, "", "  ")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(tr.journal.Shelf.TrashDir(), t.Name)
	steps := shelf.Steps{shelf.Create{File: filepath.Join(dir, ManifestName), From: shelf.Bytes(sealed.Seal(text))}}
	for _, unit := range t.Units {
		name := filepath.FromSlash(unit)
		moves, err := shelf.MoveTree(filepath.Join(t.Root, name), filepath.Join(dir, "files", name))
		if err != nil {
			return nil, err
		}
		steps = append(steps, moves...)
	}
	return steps, nil
}

// trashName names a directory in the trash.
func trashName(now time.Time, id string) string {
	return fmt.Sprintf("%s-%s-%s", now.UTC().Format("20060102T150405"), catalog.Short(id), acts.NewBatch()[:6])
}

// TrashPage is a page of the trash.
type TrashPage struct {
	Trash    []Trashed          `json:"trash"`          // contents of the trash, newest first
	Total    int                `json:"total"`          // entries in all
	HasMore  bool               `json:"hasMore"`        // more entries follow this page
	Next     string             `json:"next,omitempty"` // cursor of the next page
	Size     int64              `json:"fileSize"`       // of all of it
	Problems []sesskeep.Problem `json:"problems"`       // what could not be read, and what an interrupted change left

	// Partial reports whether something lies there that could not be read. What an
	// interrupted change left is a problem, but all of it is listed.
	Partial bool `json:"-"`

	unread []unreadTrash // manifests that could not be read
}

// unreadTrash is a directory of the trash whose manifest could not be read.
type unreadTrash struct {
	name string
	err  error
}

// List lists what was moved to the trash from the homes that are read, the
// newest first.
func (tr *Trash) List(ctx context.Context) (TrashPage, error) {
	page := TrashPage{Trash: []Trashed{}, Problems: []sesskeep.Problem{}}
	if tr.journal.Shelf == nil {
		return page, nil
	}
	entries, err := os.ReadDir(tr.journal.Shelf.TrashDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return page, err
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return page, ctx.Err()
		}
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() {
			continue
		}
		t, err := readManifest(tr.journal.Shelf, e.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist): // nothing lies there: it was put back, or has not come
		case err != nil:
			page.Partial = true
			page.Problems = append(page.Problems, sesskeep.Problem{File: e.Name(), Reason: err.Error()})
			page.unread = append(page.unread, unreadTrash{e.Name(), err})
		case tr.homeOf(t) != nil:
			if err := t.count(tr.journal.Shelf); err != nil {
				page.Partial = page.Partial || t.Missing == 0
				page.Problems = append(page.Problems, sesskeep.Problem{File: e.Name(), Reason: err.Error()})
			}
			page.Trash = append(page.Trash, t)
			page.Size += t.Size
		}
	}
	page.Total = len(page.Trash)
	slices.SortStableFunc(page.Trash, func(a, b Trashed) int {
		return cmp.Or(b.TrashedAt.Compare(a.TrashedAt.Time), strings.Compare(a.Name, b.Name))
	})
	return page, nil
}

// homeOf is the home that a family in the trash is of; nil: it is not read now.
func (tr *Trash) homeOf(t Trashed) *homes.Home {
	for _, h := range tr.homes.List {
		if h.Store.Root() == t.Root || t.ID != "" && h.Key(t.Key.Session) == t.Key {
			return h
		}
	}
	return nil
}

// find finds a family in the trash by its session or its name there, or the
// beginning of one. Of several times the same session it is the one that was moved
// there last.
func (tr *Trash) find(ctx context.Context, address string) (Trashed, error) {
	page, err := tr.List(ctx)
	if err != nil {
		return Trashed{}, err
	}
	var found []Trashed
	for _, t := range page.Trash {
		if !t.called(address) {
			continue
		}
		if !slices.ContainsFunc(found, func(f Trashed) bool { return f.Key == t.Key && f.Kind == t.Kind }) {
			found = append(found, t)
		}
	}
	unread := page.unreadFor(address, found)
	switch {
	case unread != nil:
		return Trashed{}, &sesskeep.Error{Op: "find in the trash", Name: address, Err: fmt.Errorf("%w: %w", sesskeep.ErrIncomplete, unread)}
	case len(found) == 0:
		return Trashed{}, &sesskeep.Error{Op: "find in the trash", Name: address, Err: sesskeep.ErrNotFound}
	case len(found) == 1:
		return found[0], nil
	}
	var names []string
	for _, t := range found {
		names = append(names, cmp.Or(t.ID, t.Name))
	}
	return Trashed{}, catalog.Ambiguous(address, names)
}

// unreadFor joins the errors that leave a doubt about what an address names: nothing was
// found and it may be what could not be read, or the session was trashed again later and that
// one cannot be read.
func (p *TrashPage) unreadFor(address string, found []Trashed) (err error) {
	for _, u := range p.unread {
		later := slices.ContainsFunc(found, func(t Trashed) bool {
			return t.ID != "" && t.Name != address && strings.Contains(u.name, "-"+catalog.Short(t.ID)+"-") && u.name > t.Name
		})
		if len(found) == 0 || later {
			err = errors.Join(err, u.err)
		}
	}
	return err
}
