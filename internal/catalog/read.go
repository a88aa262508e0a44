package catalog

import (
	"cmp"
	"context"

	"sesskeep"
	"sesskeep/internal/reading"
)

// Read opens what a Target means for reading: a transcript, or an agent inside of
// it that is named or has the message. It costs what was appended since it was
// last opened, as long as it is remembered, and has to be closed. A file that is
// gone is [errcode.NoHome], an agent that is not there [errcode.NotFound].
func (c *Catalog) Read(ctx context.Context, t Target) (*reading.Session, error) {
	s, err := c.transcripts.Open(ctx, t.Store, t.Ref)
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

// summaries are those that the index knows of transcripts, as it is: what it lacks is read.
func (c *Catalog) summaries(ctx context.Context, store *sesskeep.Store, dir sesskeep.ProjectKey, refs []sesskeep.Ref) map[string][]sesskeep.LeafTitle {
	x, err := c.index.AsIs()
	if err != nil {
		return nil
	}
	found, err := x.Summaries(ctx, store.Root(), dir, refs)
	if err != nil {
		return nil // those of a damaged index are read too
	}
	return found
}
