package talk

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/export"
	"sesskeep/internal/reading"
	"sesskeep/internal/redact"
)

// ParseFormat parses the name of a document format. If it is unknown, the error is
// [errcode.Invalid].
func ParseFormat(name string) (export.Format, error) {
	f, err := export.ParseFormat(name)
	if err != nil {
		return f, errcode.New(errcode.Invalid, err)
	}
	return f, nil
}

// ExportOptions choose what is written.
type ExportOptions struct {
	export.Options
	Agents bool // include the work of agents, below the calls that started them
	// Plain leaves secrets in the document. Lines of a transcript always have them.
	Plain bool
	// OnReady is called when the request is known to be valid, before the first byte is
	// written; it may be nil.
	OnReady func()
	// OnHidden is called at the end with what marks stand for; it may be nil.
	OnHidden func(secrets []redact.Count)
}

// Redacted reports whether marks stand in the place of secrets.
func (o *ExportOptions) Redacted() bool { return !o.Plain && o.Format != export.JSONL }

// What says for the journal what is taken out of the program.
func (o *ExportOptions) What() string {
	if o.Redacted() {
		return string(o.Format) + ", redacted"
	}
	return string(o.Format) + ", not redacted"
}

// Export writes what a Target names as a document. If the leaf does not exist, the
// error is [errcode.NotFound].
func (tk *Talk) Export(ctx context.Context, w io.Writer, t catalog.Target, o ExportOptions) error {
	o.From, o.To = o.Stretch(t)
	if o.All && (o.From != "" || o.To != "") {
		return errcode.New(errcode.Invalid, errors.New("a stretch is of one conversation, not of all"))
	}
	t.Message = cmp.Or(o.From, o.To) // by which an agent inside the file is found
	s, err := tk.catalog.Read(ctx, t)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := o.find(s, t); err != nil {
		return err
	}
	if o.Agents {
		o.Agent = func(ctx context.Context, id sesskeep.AgentID) (*reading.Session, error) {
			return tk.agentOf(ctx, t, id)
		}
		if o.Started, err = tk.startedInline(ctx, t, s); err != nil {
			return err
		}
	}
	o.Saved = func(ref sesskeep.Ref, name string) (*reading.Saved, error) {
		return tk.Saved(ctx, catalog.Target{Store: t.Store, Ref: ref}, name)
	}
	if o.Redacted() {
		rules, err := tk.rules()
		if err != nil {
			return err
		}
		o.Redact = rules.Document()
	}
	if o.OnReady != nil {
		o.OnReady()
	}
	err = export.Write(ctx, w, s, o.Options)
	if err == nil && o.OnHidden != nil {
		o.OnHidden(o.Redact.Counts())
	}
	return err
}

// find fails if the session does not have the conversation or the messages that are asked for.
func (o *ExportOptions) find(s *reading.Session, t catalog.Target) (err error) {
	if o.Leaf == "" {
		o.Leaf = t.Leaf
	}
	if o.From != "" || o.To != "" {
		_, err = s.Between(o.Leaf, o.From, o.To)
		return err
	}
	if o.Leaf != "" {
		_, err = s.FindLeaf(o.Leaf)
	}
	return err
}

// Stretch returns the messages that a document begins and ends with: those of the Target, or of
// the options.
func (o *ExportOptions) Stretch(t catalog.Target) (from, to string) {
	if t.Message != "" {
		return stretchOf(t.Message)
	}
	return o.From, o.To
}

// stretchOf returns the ends of a stretch as an address has it: A..#B, A.., ..#B, or A, which
// is one turn.
func stretchOf(messages string) (from, to string) {
	from, to, several := strings.Cut(messages, "..")
	if !several {
		return messages, messages
	}
	return from, strings.TrimPrefix(to, "#")
}

// Saved opens an output that was too large for its line, by the name in its call. If
// it is gone, the error is [errcode.NotFound].
func (tk *Talk) Saved(ctx context.Context, t catalog.Target, name string) (o *reading.Saved, err error) {
	err = tk.catalog.Lineage(ctx, t, func(t catalog.Target) (err error) {
		o, err = reading.OpenSaved(t.Store, t.Ref, name)
		return err
	})
	return o, err
}

// startedInline returns the function that maps calls to the agents inside a session's
// file that they started.
func (tk *Talk) startedInline(ctx context.Context, t catalog.Target, s *reading.Session) (func(call string) sesskeep.AgentID, error) {
	if t.Ref.Agent != "" || t.Inline == "" && len(s.Transcript.Tree.Inline) == 0 {
		return nil, nil
	}
	agents, err := catalog.AgentsOf(ctx, t, s)
	if err != nil {
		return nil, err
	}
	by := map[string]sesskeep.AgentID{}
	for _, agent := range agents {
		if agent.Root != "" && agent.Call != "" {
			by[agent.Call] = agent.ID
		}
	}
	return func(call string) sesskeep.AgentID { return by[call] }, nil
}

// agentOf opens the transcript of an agent of a session.
func (tk *Talk) agentOf(ctx context.Context, t catalog.Target, id sesskeep.AgentID) (s *reading.Session, err error) {
	if id.Inline() > 0 {
		session := catalog.Target{Store: t.Store, Ref: t.Ref}
		if session.Inline, err = tk.catalog.InlineRoot(ctx, session, string(id)); err != nil {
			return nil, err
		}
		return tk.catalog.Read(ctx, session)
	}
	err = tk.catalog.Lineage(ctx, t, func(t catalog.Target) error {
		family, err := t.Store.Family(t.Store.Parent(t.Ref))
		for _, ref := range family.Agents {
			if ref.Agent == id {
				s, err = tk.catalog.Read(ctx, catalog.Target{Store: t.Store, Ref: ref})
				return err
			}
		}
		if err != nil {
			return err
		}
		return &sesskeep.Error{Op: "find agent", Name: string(id), Err: sesskeep.ErrNotFound}
	})
	return s, err
}

// Rules returns what documents hide.
func (tk *Talk) Rules() (*redact.Rules, error) { return tk.rules() }
