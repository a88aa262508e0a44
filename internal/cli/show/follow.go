package show

import (
	"context"

	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/follow"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// checkFollow rejects flags that --follow cannot be combined with.
func (o *showOptions) checkFollow(sh *shell.Shell) error {
	form, err := sh.Out.Form()
	if err != nil {
		return err
	}
	switch {
	case form != "" && form != "table" || sh.Out.Flags.JQ != "":
		return fail.Usage("--follow is for reading", `use "sesskeep watch --json --since-start"`)
	case o.raw:
		return fail.Usage("--follow cannot be combined with --raw", "use tail -f with the file")
	case o.around != "":
		return fail.Usage("--follow cannot be combined with --around", "what follows comes at the end: use --last")
	}
	return nil
}

// follow shows what there is, and then what is written from there on.
func (s *shown) follow(ctx context.Context, a *app.App) error {
	r, err := s.open(ctx, s.sh.Stdout)
	if err != nil {
		return err
	}
	r.release()
	if err := r.out.Flush(); err != nil {
		return err
	}
	o := follow.WatchOptions{
		Targets: []follow.WatchTarget{{Store: s.target.Store, Ref: s.target.Ref, Single: true, Read: s.session.Transcript}}, Now: s.sh.Now,
	}
	return a.Live.Watch(ctx, o, func(m follow.Event) error {
		s.more(r, &m)
		return r.out.Flush()
	})
}

// more shows a moment the way the rest is shown.
func (s *shown) more(r *renderer, m *follow.Event) {
	switch {
	case m.Kind == follow.ReplacedEvent:
		r.line(r.screen.Paint(term.Yellow, r.glyphs.Rule+" "+output.Rewritten+" "+r.glyphs.Rule))
	case m.Kind == follow.GoneEvent:
		r.line(r.screen.Paint(term.Yellow, r.glyphs.Rule+" the transcript was deleted "+r.glyphs.Rule))
	case m.Part == nil || !m.Chained:
	case s.options.focused && m.Kind != "prompt" && m.Kind != "text":
	case m.Kind == "call": // how it ends will be shown when it has
		r.one(&view.Part{Kind: view.CallPart, Time: m.Part.Time, UUID: m.UUID, Line: m.Line, Call: running(m.Call)})
	default:
		r.one(m.Part)
	}
}

// running is a call without its result.
func running(c *view.Call) *view.Call {
	return &view.Call{ID: c.ID, Tool: c.Tool, Server: c.Server, Short: c.Short, Summary: c.Summary, State: c.State, Outcome: "runs"}
}
