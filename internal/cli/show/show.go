// Package show has the commands that read one session: show, tree, conversations, agents,
// turns, files, diff and export; and the history of a file over all sessions.
package show

import (
	"context"
	"fmt"
	"io"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/reading"
	"sesskeep/internal/term"
	"sesskeep/internal/view"

	"github.com/spf13/cobra"
)

type showOptions struct {
	address    string
	thinking   string
	tools      string
	focused    bool
	everything bool
	plain      bool
	leaf       string
	around     string
	last       int
	raw        bool
	follow     bool
	audit      bool
	verbose    bool
}

// Command is "show".
func Command(sh *shell.Shell) *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use:   "show ADDRESS",
		Short: "Read a session",
		Long: `Show a session as a conversation: prompts, answers, thinking, tool calls with their
results and diffs. If a session has several conversations, it shows the one that
"claude --resume" would continue; :LEAF after the session names another one ("session
branches" lists them), #UUID a message, /AGENT a sub-agent.

--follow keeps showing what is written from then on, until it is interrupted.

--audit accounts for every record of the file: which conversation shows it, what it is
folded under, or why it is hidden; damaged places and line ends too, so that the bytes
add up to the size of the file. With -v it lists every record.`,
		Example: `  sesskeep show 3987
  sesskeep show @last --last 1 --thinking full
  sesskeep show 3987:fb6d                 another branch
  sesskeep show 3987#4122                 around a message
  sesskeep show 3987/adbde13 --tools full  a sub-agent, with all outputs
  sesskeep show @live --last 1 --follow   and keep reading
  sesskeep show 3987 --raw | jq .type     the lines as they are
  sesskeep show 3987 --audit              what becomes of every record`,
		Args:              shell.OneArg("session"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.address = args[0]
			return runShow(cmd.Context(), sh, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.thinking, "thinking", "peek", "show thinking in `DETAIL`: hide, peek or full")
	f.StringVar(&o.tools, "tools", "card", "show tool calls in `DETAIL`: line, card or full")
	f.BoolVar(&o.focused, "focused", false, "only prompts and final answers")
	f.BoolVar(&o.everything, "everything", false, "context, hooks and notices too")
	f.BoolVar(&o.plain, "plain", false, "Markdown as it was written; on a pipe it always is")
	f.StringVar(&o.leaf, "leaf", "", "the conversation that ends with this `UUID`")
	f.StringVar(&o.around, "around", "", "a few turns around this message `UUID`")
	f.IntVar(&o.last, "last", 0, "only the last `N` prompts and what followed")
	f.BoolVar(&o.raw, "raw", false, "the lines of the file, byte for byte")
	f.BoolVarP(&o.follow, "follow", "f", false, "keep showing lines as they are written")
	f.BoolVar(&o.audit, "audit", false, "account for every record of the file")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "with --audit: list every record")
	shell.Complete(cmd, "thinking", "hide", "peek", "full")
	shell.Complete(cmd, "tools", "line", "card", "full")
	return cmd
}

func (o *showOptions) check() error {
	if err := shell.OneOf("thinking", o.thinking, "hide", "peek", "full"); err != nil {
		return err
	}
	if err := shell.OneOf("tools", o.tools, "line", "card", "full"); err != nil {
		return err
	}
	if o.audit && (o.raw || o.follow) {
		return fail.Usage("--audit cannot be combined with --raw or --follow", "leave one of them out")
	}
	if o.verbose && !o.audit {
		return fail.Usage("--verbose lists the records of --audit", "add --audit, or leave it out")
	}
	if o.last < 0 {
		return fail.Usage("--last must not be negative", "leave it out to see everything")
	}
	return nil
}

// One shows what an address names, as "show" does without flags.
func One(ctx context.Context, sh *shell.Shell, address string) error {
	return runShow(ctx, sh, showOptions{address: address, thinking: "peek", tools: "card"})
}

func runShow(ctx context.Context, sh *shell.Shell, o showOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.follow {
		if err := o.checkFollow(sh); err != nil {
			return err
		}
	}
	a, target, err := sh.Find(ctx, o.address)
	if err != nil {
		return err
	}
	if o.raw {
		return showRaw(sh, target)
	}
	if o.leaf != "" {
		target.Leaf = o.leaf
	}
	if o.audit {
		return runAudit(ctx, sh, a, target, o)
	}
	if o.around != "" {
		target.Message = o.around
	}
	session, err := a.Catalog.Read(ctx, target)
	if err != nil {
		return err
	}
	defer session.Close()
	if o.follow && session.Inline != "" {
		return fail.Usage("--follow cannot follow an agent inside its session's file", "follow the session")
	}
	span, err := session.Span(reading.Window{Leaf: target.Leaf, Message: target.Message, Prompts: o.last})
	if err != nil {
		return err
	}
	s := shown{sh: sh, app: a, session: session, target: target, span: span, options: o}
	if a.Catalog.Runs(ctx, target) {
		for _, call := range session.Transcript.Digest.Standing.Calls {
			s.running = append(s.running, call.ID)
		}
	}
	if o.follow {
		return s.follow(ctx, a)
	}
	return sh.Out.Print(ctx, output.Listing{Value: reading.Page{}, Make: func() (any, error) { return session.Page(ctx, span) }, Items: "blocks", Render: func(w io.Writer) error { return s.render(ctx, w) }})
}

// showRaw copies the file. A terminal would obey what it says.
func showRaw(sh *shell.Shell, target catalog.Target) error {
	if sh.Out.Screen.TTY {
		return fail.Usage("--raw writes bytes a terminal might obey", "send it to a file or a program: sesskeep show … --raw | less")
	}
	f, err := target.Store.Files().Open(target.Ref.File)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = io.Copy(sh.Stdout, io.NewSectionReader(f, 0, info.Size()))
	return err
}

// shown is a conversation on its way to the screen. Turns are read one at a
// time, so that a session of any length can be shown.
type shown struct {
	sh      *shell.Shell
	app     *app.App
	session *reading.Session
	target  catalog.Target
	span    reading.Span
	options showOptions
	running []string // ids of calls that are still at it
}

func (s *shown) render(ctx context.Context, w io.Writer) error {
	r, err := s.open(ctx, w)
	if err != nil {
		return err
	}
	r.tally()
	return r.out.Flush()
}

// open writes all there is and gives what wrote it.
func (s *shown) open(ctx context.Context, w io.Writer) (*renderer, error) {
	if err := s.header(ctx, w); err != nil {
		return nil, err
	}
	r := newRenderer(w, s.sh.Out.Screen, renderOptions{
		Thinking: s.options.thinking, Tools: s.options.tools, Focused: s.options.focused,
		Everything: s.options.everything, Plain: s.options.plain, Location: s.sh.Now().Location(), Running: s.running,
		Saved: func(name string) (*reading.Saved, error) { return s.app.Talk.Saved(ctx, s.target, name) },
	})
	return r, s.session.Each(ctx, s.span.Turns(), func(parts []view.Part) error {
		r.show(parts)
		return nil
	})
}

// todoFact says how much of what a session has to do is open; "": it has nothing to do, or
// that cannot be read, which "todo ls" reports.
func todoFact(a *app.App, t catalog.Target) string {
	open, all, err := a.Todos.OpenOf(t.Store.Root(), t.Ref.ID())
	switch {
	case err != nil || all == 0 || t.Ref.Agent != "":
		return ""
	case open == 0:
		return "all " + term.Count(all) + " todos done (todo ls)"
	}
	return fmt.Sprintf("%s of %s open (todo ls)", term.Count(open), output.Plural(all, "todo"))
}

// header says what is shown and what is left out.
func (s *shown) header(ctx context.Context, w io.Writer) error {
	t, screen := s.session.Transcript, s.sh.Out.Screen
	title, err := s.session.Title(ctx)
	if err != nil {
		return err
	}
	if title == "" {
		title = catalog.UntitledTarget(s.target, len(t.Tree.Turns))
	}
	facts := []string{s.target.Ref.ID()}
	if agent := s.session.Agent(); agent.Inline() > 0 {
		facts[0] += "/" + string(agent)
	}
	facts[0] += s.target.Suffix
	if len(t.Digest.Cwds) > 0 {
		facts = append(facts, t.Digest.Cwds[0])
	}
	if t.Digest.GitBranch != "" {
		facts = append(facts, t.Digest.GitBranch)
	}
	facts = append(facts, linkFacts(ctx, s.app, s.target, &t.Digest)...)
	if n := len(t.Tree.Conversations); n > 1 {
		facts = append(facts, fmt.Sprintf("conversation %d of %d (session conversations)", s.span.Number, n))
	}
	if n := len(t.Tree.Inline); n > 0 {
		facts = append(facts, output.Plural(n, "inline agent")+" (session agents)")
	}
	if t.Digest.Damage > 0 {
		facts = append(facts, output.Warning(screen)+output.Plural(t.Digest.Damage, "damaged place")+" (doctor)")
	}
	if todo := todoFact(s.app, s.target); todo != "" {
		facts = append(facts, todo)
	}
	if next := string(t.Digest.ContinuedIn); next != "" && next != s.target.Ref.ID() {
		facts = append(facts, "continued in "+next)
	}
	if n := s.span.Before(); n > 0 {
		facts = append(facts, output.Plural(n, "turn")+" before")
	}
	if n := s.span.After(); n > 0 {
		facts = append(facts, output.Plural(n, "turn")+" after")
	}
	_, err = fmt.Fprintf(w, "%s\n%s\n\n", screen.Paint(term.Bold, term.Line(title)),
		screen.Paint(term.Dim, term.Line(strings.Join(facts, s.sh.Out.Gap()))))
	return err
}
