package run

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// InboxCommand is "inbox" with its subcommands.
func InboxCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "inbox", Short: "Answer what running sessions ask", Args: shell.NoArgs,
		Long: `List what the sessions that sesskeep runs ask: permission to use a tool, or a question of
the model. The first answer counts. What is not answered in time is denied.

PROMPT is the id that "inbox ls" shows, or its first characters.`,
		Example: "  sesskeep inbox\n  sesskeep inbox allow 5f0c\n  sesskeep inbox deny 5f0c --message \"Use the test database\"",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runInboxLs(cmd.Context(), sh) },
	}
	cmd.AddCommand(inboxLsCommand(sh), inboxAllowCommand(sh), inboxDenyCommand(sh), inboxWatchCommand(sh))
	return cmd
}

func inboxLsCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List what waits for an answer", Args: shell.NoArgs,
		Example: "  sesskeep inbox ls\n  sesskeep inbox ls --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runInboxLs(cmd.Context(), sh) },
	}
}

func runInboxLs(ctx context.Context, sh *shell.Shell) error {
	r, err := Open(sh)
	if err != nil {
		return err
	}
	page, err := r.Inbox(ctx)
	if err != nil {
		return err
	}
	l := output.Listing{
		Value: page, Items: "prompts",
		Table: func(s term.Screen) *term.Table { return inboxTable(s, page.Prompts, sh.Now()) },
		Empty: "Nothing waits for you.",
	}
	if sh.Out.Screen.TTY && len(page.Prompts) > 0 {
		l.Render = func(w io.Writer) error {
			for i := range page.Prompts {
				writePrompt(w, sh, &page.Prompts[i])
			}
			return nil
		}
	}
	return sh.Out.Print(ctx, l)
}

func inboxTable(s term.Screen, list []runs.InboxItem, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "prompt", Style: term.Yellow, Min: output.Uncut}, {Title: "run"}, {Title: "since", Right: true}, {Title: "tool"},
		{Title: "directory", Flex: true, Min: 10}, {Title: "input", Flex: true, Min: 20},
	}}
	for _, p := range list {
		since := output.RFC3339(p.Since)
		if s.TTY {
			since = output.Ago(p.Since, now)
		}
		t.Row(term.Cell{Text: p.ID}, term.Cell{Text: p.RunID}, term.Cell{Text: since}, term.Cell{Text: p.Tool},
			term.Cell{Text: p.Dir}, term.Cell{Text: string(p.Input)})
	}
	return t
}

// writePrompt shows what is asked: questions to be read, any other input whole, whatever
// its length.
func writePrompt(w io.Writer, sh *shell.Shell, p *runs.InboxItem) {
	paint := sh.Out.Screen.Paint
	fmt.Fprintf(w, "%s  %s %s\n", paint(term.Yellow, output.Head(p.ID, 8)), p.RunID, term.Line(output.Joined(": ", string(p.Kind), p.Tool, p.Description)))
	fmt.Fprintf(w, "  in %s, denied in %s\n", term.Line(p.Dir), term.Duration(p.Deadline.Sub(sh.Now()).Round(time.Second)))
	if p.AgentID != "" {
		fmt.Fprintf(w, "  asked by the agent %s\n", term.Line(p.AgentID))
	}
	if p.Blocked != "" {
		fmt.Fprintf(w, "  because of %s\n", term.Line(p.Blocked))
	}
	if len(p.Questions) > 0 {
		writeQuestions(w, sh, p.Questions)
	} else {
		for _, line := range inputLines(p.Input) {
			fmt.Fprintln(w, "  | "+line)
		}
	}
	for _, r := range p.Rules {
		fmt.Fprintln(w, paint(term.Dim, "  always would allow "+term.Line(r.Text)+" in "+term.Line(r.File)))
	}
}

// inputLines is the input of a tool as it can be read, every sign that a terminal
// could obey made visible.
func inputLines(input json.RawMessage) []string {
	var b bytes.Buffer
	if json.Indent(&b, input, "", "  ") != nil {
		b.Reset()
		b.Write(input)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, term.Clean(strings.TrimSuffix(line, "\n")))
	}
	return lines
}

type allowOptions struct {
	scope   string
	input   string
	hash    string
	answers []string
	yes     bool
}

// scopes are the values of --scope.
func scopes() (words []string) {
	for _, s := range launch.Scopes {
		words = append(words, string(s))
	}
	return words
}

func inboxAllowCommand(sh *shell.Shell) *cobra.Command {
	var o allowOptions
	cmd := &cobra.Command{
		Use: "allow PROMPT", Short: "Allow what a session asks", Args: shell.OneArg("prompt"),
		Long: `Allow a tool, or answer a question. On a terminal it shows what is asked, whole, and asks
you once more; otherwise it needs --hash, which is the inputHash of "inbox ls --json", or
--yes to allow whatever waits under that id.

Exit codes: 0 fine · 2 no such answer · 3 nothing waits · 5 somebody was faster, or the
input changed: then it is denied`,
		Example: `  sesskeep inbox allow 5f0c
  sesskeep inbox allow 5f0c --yes --scope run
  sesskeep inbox allow 5f0c --yes --answer Blue
  sesskeep inbox allow 5f0c --yes --input '{"command":"ls"}'`,
		RunE: func(cmd *cobra.Command, args []string) error { return runAllow(cmd.Context(), sh, args[0], o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.scope, "scope", "once", "allow it for this `TIME`: once, run (until the run ends) or always, which writes the rules that \"inbox ls\" shows")
	f.StringVar(&o.input, "input", "", "use the tool with this `JSON` instead")
	f.StringVar(&o.hash, "hash", "", "only if the input has this `HASH`")
	f.StringArrayVar(&o.answers, "answer", nil, "answer a question with `TEXT`; once for each question, or QUESTION=TEXT")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	shell.Complete(cmd, "scope", scopes()...)
	return cmd
}

func runAllow(ctx context.Context, sh *shell.Shell, id string, o allowOptions) error {
	r, err := Open(sh)
	if err != nil {
		return err
	}
	if !slices.Contains(launch.Scopes, launch.Scope(o.scope)) {
		return fail.Usage(fmt.Sprintf("--scope %q: unknown value", o.scope), "use one of "+strings.Join(scopes(), ", "))
	}
	item, err := r.FindPrompt(ctx, id)
	if err != nil {
		return runHint(err)
	}
	a := launch.Answer{Prompt: item.ID, Hash: item.Hash, Behavior: launch.Allow, Scope: launch.Scope(o.scope)}
	if o.hash != "" {
		a.Hash = o.hash
	}
	if o.input != "" {
		a.Input = json.RawMessage(o.input)
	}
	if a.Answers, err = answersTo(&item, o.answers); err != nil {
		return err
	}
	if !o.yes && o.hash == "" {
		if !sh.Asks() {
			return fail.Usage("this needs a terminal to confirm on", "give --hash of what you have seen, or --yes")
		}
		writePrompt(sh.Stdout, sh, &item)
		if ok, err := confirmAllow(ctx, sh, &item, &a); !ok {
			return err
		}
	}
	run, err := r.AnswerPrompt(ctx, a, shell.Actor(sh))
	if err != nil {
		return runHint(err)
	}
	return printRun(ctx, sh, run, "allowed "+item.Tool+" in "+item.RunID)
}

func inboxDenyCommand(sh *shell.Shell) *cobra.Command {
	var message string
	cmd := &cobra.Command{
		Use: "deny PROMPT", Short: "Deny what a session asks", Args: shell.OneArg("prompt"),
		Long: `Deny a tool, or leave a question without an answer. The model gets the message.

Exit codes: 0 fine · 3 nothing waits · 5 somebody was faster`,
		Example: "  sesskeep inbox deny 5f0c\n  sesskeep inbox deny 5f0c --message \"Use the test database\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := Open(sh)
			if err != nil {
				return err
			}
			item, err := r.FindPrompt(cmd.Context(), args[0])
			if err != nil {
				return runHint(err)
			}
			run, err := r.AnswerPrompt(cmd.Context(), launch.Answer{Prompt: item.ID, Hash: item.Hash, Behavior: launch.Deny, Message: message}, shell.Actor(sh))
			if err != nil {
				return runHint(err)
			}
			return printRun(cmd.Context(), sh, run, "denied "+item.Tool+" in "+item.RunID)
		},
	}
	cmd.Flags().StringVar(&message, "message", "", "say this `TEXT` to it: why, or what to do instead")
	return cmd
}

// inboxPause is the time between two checks of all runs.
const inboxPause = time.Second

func inboxWatchCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "watch", Short: "Watch for new questions", Args: shell.NoArgs,
		Long:    "Show what waits for an answer, and then whatever comes, until Ctrl-C. On a terminal it\nrings the bell. --json writes one object a line.",
		Example: "  sesskeep inbox watch\n  sesskeep inbox watch --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runInboxWatch(cmd.Context(), sh) },
	}
}

func runInboxWatch(ctx context.Context, sh *shell.Shell) error {
	r, err := Open(sh)
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	for {
		page, err := r.Inbox(ctx)
		if err != nil {
			return err
		}
		for i := range page.Prompts {
			p := &page.Prompts[i]
			if shown[p.ID] {
				continue
			}
			shown[p.ID] = true
			if sh.Out.JSON() {
				if err := output.WriteAnswer(sh.Stdout, p, ""); err != nil {
					return err
				}
				continue
			}
			if sh.Out.Screen.TTY {
				fmt.Fprint(sh.Stdout, term.Bell)
			}
			writePrompt(sh.Stdout, sh, p)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(inboxPause):
		}
	}
}
