package app

import (
	"context"

	read "sesskeep/internal/reading"
)

// Ambiguous is an address that several things answer to.
type Ambiguous = read.Ambiguous

// TooShort is an address that needs more characters.
type TooShort = read.TooShort

// pool keeps the transcripts that were read.
type pool = read.Pool

// minPrefix is the shortest part of an id that is taken for one.
const minPrefix = read.MinPrefix

// Read opens a transcript for reading. It costs what was appended since it was
// last opened, as long as it is remembered, and has to be closed.
func (a *App) Read(ctx context.Context, t Target) (*read.Session, error) {
	return a.transcripts.Open(ctx, t.Store, t.Ref)
}
