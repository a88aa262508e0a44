package show

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// AgentsCommand is "session agents".
func AgentsCommand(sh *shell.Shell) *cobra.Command {
	cmd := shell.AddressCommand(sh, "agents", "Show the sub-agents of a session as a tree", func(ctx context.Context, address string) error {
		return runAgents(ctx, sh, address)
	})
	cmd.Long = `Show the sub-agents that a session started, each below the one that called it, wherever
the client wrote them: inside the main file (1.0), beside it (2.0), in a directory of
their own, or started by a workflow. Helpers are agents that the client runs for itself.`
	cmd.Example = "  sesskeep session agents 3987\n  sesskeep show 3987/adbde13     read one of them"
	return cmd
}

// AgentPage is what --json writes.
type AgentPage struct {
	Root   string          `json:"root"`
	Agents []catalog.Agent `json:"agents"`
	Total  int             `json:"total"`
}

func runAgents(ctx context.Context, sh *shell.Shell, address string) error {
	a, target, err := sh.Find(ctx, address)
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
	err = sh.Out.Print(ctx, output.Listing{
		Value: AgentPage{target.Store.Root(), list, len(list)}, Items: "agents",
		Table:  func(s term.Screen) *term.Table { return agentTable(s, list) },
		Footer: agentFooter(list, target.Ref.ID()+target.Suffix),
		Empty:  empty,
	})
	return cmp.Or(err, unread)
}

// agentFooter counts agents as lists of sessions do: the client's helpers apart, and
// without those that have no transcript.
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
	text := output.Plural(agents, "agent")
	if helpers > 0 {
		text += " and " + output.Plural(helpers, "helper")
	}
	text += " of " + session
	if lost > 0 {
		text += fmt.Sprintf(" · %d without a transcript", lost)
	}
	return text
}

func agentTable(s term.Screen, list []catalog.Agent) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "agent", Style: term.Yellow, Min: output.Uncut}, {Title: "type", Style: term.Cyan}, {Title: "description", Flex: true, Min: 20},
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
