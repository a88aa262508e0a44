package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/reading"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func sessionCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "Look into one session, name it, tag it",
		Example: `  sesskeep session branches 3987
  sesskeep session agents @last
  sesskeep session files 3987 --patch
  sesskeep session usage 3987
  sesskeep session rename 3987 "The half line"
  sesskeep session tag add later 3987`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError{"session: which subcommand?", `"sesskeep session --help" lists them`}
		},
	}
	cmd.AddCommand(lsCommand(sh), showCommand(sh), treeCommand(sh), branchesCommand(sh), agentsCommand(sh), filesCommand(sh), turnsCommand(sh),
		branchCommand(sh), diffCommand(sh))
	cmd.AddCommand(labelCommands(sh)...)
	return cmd
}

// addressCommand is a command about one session.
func addressCommand(sh *shell, use, short string, run func(ctx context.Context, address string) error) *cobra.Command {
	return &cobra.Command{
		Use: use + " ADDRESS", Short: short, Args: oneArg("session"),
		ValidArgsFunction: sh.completeSessions,
		RunE:              func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args[0]) },
	}
}

// readAt finds a transcript and reads it.
func readAt(ctx context.Context, sh *shell, address string) (*reading.Session, catalog.Target, error) {
	a, target, err := sh.find(ctx, address)
	if err != nil {
		return nil, target, err
	}
	s, err := a.Catalog.Read(ctx, target)
	return s, target, err
}

func branchesCommand(sh *shell) *cobra.Command {
	cmd := addressCommand(sh, "branches", "List the conversations of a session", func(ctx context.Context, address string) error {
		return runBranches(ctx, sh, address)
	})
	cmd.Long = `List the conversations in a session, the newest first. A new one begins where a prompt
was edited, retried or rewound; parallel tool calls and compaction do not start one. The
one that "claude --resume" would continue is marked.`
	cmd.Example = "  sesskeep session branches 3987\n  sesskeep show 3987:fb6d        one of them"
	return cmd
}

func runBranches(ctx context.Context, sh *shell, address string) error {
	s, target, err := readAt(ctx, sh, address)
	if err != nil {
		return err
	}
	defer s.Close()
	list, err := talk.Branches(ctx, s)
	if err != nil {
		return err
	}
	page := catalog.ConversationPage{Root: target.Store.Root(), Conversations: list, Total: len(list)}
	return sh.print(ctx, listing{
		value: page, items: "conversations",
		table: func(s term.Screen) *term.Table {
			return conversationTable(s, list, func(string) string { return target.Suffix }, sh.Now())
		},
		footer: plural(len(list), "conversation") + " in " + target.Ref.ID() + target.Suffix,
		empty:  "No conversations: the file holds no messages.",
	})
}

func conversationTable(s term.Screen, list []ask.Conversation, suffix func(id string) string, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "address", Style: term.Yellow, Min: uncut}, {Title: "current"}, {Title: "name", Flex: true, Min: 24},
		{Title: "kind"}, {Title: "prompts", Right: true}, {Title: "msgs", Right: true}, {Title: "active", Right: true},
	}}
	if s.TTY {
		t.Columns[1].Title = ""
	}
	for _, c := range list {
		mark := ""
		if c.Active {
			mark = "●"
			if s.ASCII {
				mark = "*"
			}
		}
		cells := []term.Cell{
			{Text: c.SessionID + ":" + c.Leaf + suffix(c.SessionID)}, {Text: mark, Style: term.Green}, {Text: c.Name},
			{Text: string(c.Kind)}, {Text: strconv.Itoa(c.PromptCount)}, {Text: strconv.Itoa(c.MessageCount)},
			{Text: c.LastActivity.UTC().Format(time.RFC3339)},
		}
		if s.TTY {
			cells[0].Text = head(c.SessionID, 8) + ":" + head(c.Leaf, 8) + suffix(c.SessionID)
			cells[6].Text = term.Ago(c.LastActivity.Time, now)
		}
		t.Row(cells...)
	}
	return t
}

func head(s string, n int) string { return s[:min(n, len(s))] }

func agentsCommand(sh *shell) *cobra.Command {
	cmd := addressCommand(sh, "agents", "Show the sub-agents of a session as a tree", func(ctx context.Context, address string) error {
		return runAgents(ctx, sh, address)
	})
	cmd.Long = `Show the sub-agents that a session started, each below the one that called it, wherever
the client wrote them: inside the main file (1.0), beside it (2.0), in a directory of
their own, or started by a workflow. Helpers are agents that the client runs for itself.`
	cmd.Example = "  sesskeep session agents 3987\n  sesskeep show 3987/adbde13     read one of them"
	return cmd
}

// agentPage is what --json writes.
type agentPage struct {
	Root   string          `json:"root"`
	Agents []catalog.Agent `json:"agents"`
	Total  int             `json:"total"`
}

func runAgents(ctx context.Context, sh *shell, address string) error {
	a, target, err := sh.find(ctx, address)
	if err != nil {
		return err
	}
	list, unread := a.Catalog.Agents(ctx, target)
	if unread != nil && errcode.Of(unread) != errcode.Incomplete {
		return unread
	}
	if list == nil {
		list = []catalog.Agent{}
	}
	empty := "This session started no agents."
	if unread != nil {
		empty = "No agent was found."
	}
	err = sh.print(ctx, listing{
		value: agentPage{target.Store.Root(), list, len(list)}, items: "agents",
		table:  func(s term.Screen) *term.Table { return agentTable(s, list) },
		footer: agentFooter(list, target.Ref.ID()+target.Suffix),
		empty:  empty,
	})
	return cmp.Or(err, unread)
}

// agentFooter counts agents as lists of sessions do: the client's helpers apart, and
// not those of which there is no transcript.
func agentFooter(list []catalog.Agent, session string) string {
	var agents, helpers, lost int
	for _, a := range list {
		switch {
		case a.Helper:
			helpers++
		case a.MessageCount == 0:
			lost++
		default:
			agents++
		}
	}
	text := plural(agents, "agent")
	if helpers > 0 {
		text += " and " + plural(helpers, "helper")
	}
	text += " of " + session
	if lost > 0 {
		text += fmt.Sprintf(" · %d without a transcript", lost)
	}
	return text
}

func agentTable(s term.Screen, list []catalog.Agent) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "agent", Style: term.Yellow, Min: uncut}, {Title: "type", Style: term.Cyan}, {Title: "description", Flex: true, Min: 20},
		{Title: "time", Right: true}, {Title: "tokens", Right: true}, {Title: "calls", Right: true},
		{Title: "msgs", Right: true}, {Title: "layout"},
	}}
	for _, a := range list {
		id, kind := string(a.ID), a.Type
		if a.Helper {
			kind = "helper"
		}
		tokens := a.Usage.Context() + a.Usage.Output
		cells := []term.Cell{
			{Text: id}, {Text: kind}, {Text: a.Description}, {Text: strconv.FormatInt(a.DurationMs, 10)},
			{Text: strconv.FormatInt(tokens, 10)}, {Text: strconv.Itoa(a.CallCount)},
			{Text: strconv.Itoa(a.MessageCount)}, {Text: a.Layout},
		}
		if s.TTY {
			cells[0].Text = branch(s, a.Depth) + id
			cells[3].Text = term.Duration(time.Duration(a.DurationMs) * time.Millisecond)
			cells[4].Text = term.Tokens(tokens)
		}
		t.Row(cells...)
	}
	return t
}

// branch draws how deep a row lies. Spaces would be lost: a table takes them
// for noise in a text.
func branch(s term.Screen, depth int) string {
	if depth <= 1 {
		return ""
	}
	corner, line := "└", "─"
	if s.ASCII {
		corner, line = "`", "-"
	}
	return corner + strings.Repeat(line, 2*min(depth-2, 20)) + " "
}

func versionCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version", Args: noArgs,
		Example: "  sesskeep version\n  sesskeep version --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := version()
			return sh.print(cmd.Context(), listing{value: v, render: func(w io.Writer) error {
				_, err := fmt.Fprintln(w, v)
				return err
			}})
		},
	}
}
