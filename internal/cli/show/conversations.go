package show

import (
	"context"
	"strconv"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/reading"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// BranchesCommand is "session conversations".
func BranchesCommand(sh *shell.Shell) *cobra.Command {
	cmd := shell.AddressCommand(sh, "conversations", "List the conversations of a session", func(ctx context.Context, address string) error {
		return runBranches(ctx, sh, address)
	})
	cmd.Aliases = []string{"branches"}
	cmd.Long = `List the conversations in a session, the newest first. A new one begins where a prompt
was edited, retried or rewound; parallel tool calls and compaction do not start one. The
one that "claude --resume" would continue is marked.`
	cmd.Example = "  sesskeep session conversations 3987\n  sesskeep show 3987:fb6d        one of them"
	return cmd
}

func runBranches(ctx context.Context, sh *shell.Shell, address string) error {
	_, s, target, err := readAt(ctx, sh, address)
	if err != nil {
		return err
	}
	defer s.Close()
	list, err := talk.Branches(ctx, s)
	if err != nil {
		return err
	}
	page := catalog.ConversationPage{Root: target.Store.Root(), Conversations: list, Total: len(list), Covered: ask.NewCovered(ask.Coverage{Complete: true})}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "conversations",
		Table: func(s term.Screen) *term.Table {
			return ConversationTable(s, list, func(string) string { return target.Suffix }, sh.Now())
		},
		Footer: output.Plural(len(list), "conversation") + " in " + target.Ref.ID() + target.Suffix,
		Empty:  "No conversations: the file holds no messages.",
	})
}

// ConversationTable has a row for each conversation. The suffix of a session follows its id where
// several homes have it.
func ConversationTable(s term.Screen, list []ask.Conversation, suffix func(id string) string, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "address", Style: term.Yellow, Min: output.Uncut}, {Title: "current"}, {Title: "name", Flex: true, Min: 24},
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
			cells[0].Text = output.Head(c.SessionID, 8) + ":" + output.Head(c.Leaf, 8) + suffix(c.SessionID)
			cells[6].Text = term.Ago(c.LastActivity.Time, now)
		}
		t.Row(cells...)
	}
	return t
}

// readAt finds a transcript and reads it.
func readAt(ctx context.Context, sh *shell.Shell, address string) (*app.App, *reading.Session, catalog.Target, error) {
	a, target, err := sh.Find(ctx, address)
	if err != nil {
		return nil, nil, target, err
	}
	s, err := a.Catalog.Read(ctx, target)
	return a, s, target, err
}
