package app

import (
	"cmp"
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

// Read opens what a Target means for reading: a transcript, or an agent inside of
// it that is named or has the message. It costs what was appended since it was
// last opened, as long as it is remembered, and has to be closed. A file that is
// gone is [errcode.NoHome], an agent that is not there [errcode.NotFound].
func (a *App) Read(ctx context.Context, t Target) (*read.Session, error) {
	s, err := a.transcripts.Open(ctx, t.Store, t.Ref)
	if err != nil {
		return nil, err
	}
	agent := cmp.Or(t.Inline, s.InlineOf(t.Message))
	if agent == "" {
		return s, nil
	}
	defer s.Close()
	return s.InlineAgent(agent)
}
