package app

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"sesskeep"
	read "sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// Blob is one thing that a session holds, whole.
type Blob = read.Blob

// diffRef ends the ref of what a call changed.
const diffRef = ".diff"

// Blob opens what a block refers to, and calls use with it. One that is not there
// is [CodeNotFound].
//
// A fork has the lines of the session it is of, but the outputs that were saved
// beside that stay there.
func (a *App) Blob(ctx context.Context, t Target, ref string, use func(*Blob) error) error {
	seen := map[string]bool{}
	for {
		s, err := a.Read(ctx, t)
		if err != nil {
			return err
		}
		defer s.Close()
		b, err := blob(ctx, s, ref)
		if err == nil {
			defer b.Close()
			return use(b)
		}
		seen[t.Ref.File] = true
		origin, known := a.origin(ctx, t)
		if !read.IsSaved(ref) || Code(err) != CodeNotFound || !known || seen[origin.Ref.File] {
			return err
		}
		t = origin
	}
}

func blob(ctx context.Context, s *read.Session, ref string) (*Blob, error) {
	if place, ok := strings.CutSuffix(ref, diffRef); ok && validPlace(place) {
		return diffBlob(ctx, s, place)
	}
	return s.Blob(ctx, ref)
}

// origin is the session that another one was forked from, if that is known.
func (a *App) origin(ctx context.Context, t Target) (Target, bool) {
	row := func(id string) (Session, bool) {
		page, err := a.List(ctx, Filter{ID: id, In: t.Store.Root(), Source: "all", Archived: ArchivedToo, Limit: 1, Uncounted: true})
		if err != nil || len(page.Sessions) == 0 {
			return Session{}, false
		}
		return page.Sessions[0], page.Sessions[0].ID == id
	}
	fork, known := row(string(t.Ref.Session))
	if !known || fork.ForkedFrom == "" {
		return Target{}, false
	}
	from, known := row(fork.ForkedFrom)
	if !known {
		return Target{}, false
	}
	origin, err := a.TargetOf(&from)
	return origin, err == nil
}

func validPlace(name string) bool {
	_, ok := view.ParsePlace(name)
	return ok
}

// diffBlob is what a call changed, as JSON.
func diffBlob(ctx context.Context, s *read.Session, place string) (*Blob, error) {
	none := &sesskeep.Error{Op: "find blob", Name: place + diffRef, Err: sesskeep.ErrNotFound}
	at, _ := view.ParsePlace(place)
	line := at
	line.Block, line.Item = 0, 0
	turn, err := s.TurnOf(line.String())
	if err != nil {
		return nil, none
	}
	parts, err := s.Parts(ctx, turn)
	if err != nil {
		return nil, err
	}
	for i := range parts {
		if p := &parts[i]; p.Call != nil && p.Place.String() == place {
			text, err := json.Marshal(p.Call.Diff)
			return &Blob{Reader: bytes.NewReader(text), Name: place + ".json", Type: "application/json", Size: int64(len(text)), Shown: true}, err
		}
	}
	return nil, none
}
