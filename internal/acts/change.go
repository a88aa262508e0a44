// Package acts has what all changes have in common: who makes them and how far, what a
// planned change of a text is, the list of what was changed, and our hooks in settings.
package acts

import (
	"bytes"
	"slices"

	"sesskeep/internal/shelf"
)

// Change is a planned change, with the text of its first file if that is small.
type Change struct {
	Plan   shelf.Plan
	Verb   string // of an undo: that of the act
	File   string // the first one
	Before []byte // nil: there is no file, or it is not small
	After  []byte // nil: the file goes, or it is not small
	Partly bool   // of an undo: others changed the file since, and that stays
}

// Removes reports whether the file goes, and all others with it.
func (c Change) Removes() bool {
	return c.Before != nil && c.After == nil || len(c.Plan.Steps) > 0 && !slices.ContainsFunc(c.Plan.Steps, stays)
}

// stays reports whether there is a file where a step was made.
func stays(step shelf.Step) bool {
	m, ok := step.(shelf.Move)
	return !ok || m.To != ""
}

// Become completes a change of a text: a file is placed, replaced, or goes into
// our data directory.
func (c Change) Become(s *shelf.Shelf, f shelf.File, after []byte) (Change, error) {
	c.After = after
	switch {
	case (c.Before == nil) == (after == nil) && bytes.Equal(c.Before, after):
		return c, nil
	case c.Before == nil:
		c.Plan.Steps = shelf.Steps{shelf.Create{File: c.File, From: shelf.Bytes(after)}}
	case after == nil:
		c.Plan.Steps = shelf.Steps{shelf.Move{From: f.Path, Link: c.File}}
	default:
		c.Plan.Steps = shelf.Steps{shelf.Replace{File: c.File, Before: shelf.ContentOf(c.Before), From: shelf.Bytes(after)}}
	}
	return c, s.Check(c.Plan)
}
