package app

import (
	"context"
	"io"

	"sesskeep"
	"sesskeep/internal/export"
	read "sesskeep/internal/reading"
)

// What documents are made of, by the names fronts know it by.
type (
	Document       = export.Options
	DocumentFormat = export.Format
)

// ParseFormat reads the name of a format of documents. An unknown one is
// [CodeInvalid].
func ParseFormat(name string) (DocumentFormat, error) {
	f, err := export.ParseFormat(name)
	if err != nil {
		return f, &Error{CodeInvalid, err}
	}
	return f, nil
}

// ExportOptions say what is written.
type ExportOptions struct {
	Document
	Agents bool // with what the agents did, below the calls that started them
	// Begun is called when nothing can be wrong with the question any more, before
	// the first byte; it may be nil.
	Begun func()
}

// Export writes what a Target names as a document. A leaf that is not there is
// [CodeNotFound].
func (a *App) Export(ctx context.Context, w io.Writer, t Target, o ExportOptions) error {
	s, err := a.Read(ctx, t)
	if err != nil {
		return err
	}
	defer s.Close()
	if o.Leaf == "" {
		o.Leaf = t.Leaf
	}
	if o.Leaf != "" {
		if _, err := s.FindLeaf(o.Leaf); err != nil {
			return err
		}
	}
	if o.Agents {
		o.Agent = func(ctx context.Context, id sesskeep.AgentID) (*read.Session, error) { return a.agentOf(ctx, t, id) }
	}
	if o.Begun != nil {
		o.Begun()
	}
	return export.Write(ctx, w, s, o.Document)
}

// agentOf opens the transcript of an agent of a session.
func (a *App) agentOf(ctx context.Context, t Target, id sesskeep.AgentID) (*read.Session, error) {
	family, err := t.Store.Family(t.Store.Parent(t.Ref))
	if err != nil {
		return nil, err
	}
	for _, ref := range family.Agents {
		if ref.Agent == id {
			return a.Read(ctx, Target{Store: t.Store, Ref: ref})
		}
	}
	return nil, &sesskeep.Error{Op: "find agent", Name: string(id), Err: sesskeep.ErrNotFound}
}
