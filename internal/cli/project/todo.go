package project

import (
	"context"
	"fmt"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/keep"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"
	"sesskeep/internal/todos"

	"github.com/spf13/cobra"
)

// TodoCommand is "todo" with its subcommands.
func TodoCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "todo", SuggestFor: []string{"todos", "tasks"}, Short: "List what sessions have to do", Args: shell.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return fail.Usage("todo: which subcommand?", `"sesskeep todo --help" lists them`)
		},
	}
	cmd.AddCommand(todoLsCommand(sh))
	return cmd
}

func todoLsCommand(sh *shell.Shell) *cobra.Command {
	var f todos.Filter
	cmd := &cobra.Command{
		Use: "ls [ADDRESS]", Aliases: []string{"list"}, Short: "List open todos and tasks across sessions", Args: shell.MaybeArg("session"),
		Long: `List what sessions have to do and have not done: the todos of clients before 2.1 and the
tasks of later ones, those of agents and teams too, the most recently changed first. It
covers all projects; -p picks one. --done lists what is completed too. With an ADDRESS it
lists what that session has to do and has done.`,
		Example: `  sesskeep todo ls
  sesskeep todo ls -p my-app --done
  sesskeep todo ls 3987
  sesskeep todo ls --jq '.items[] | select(.status == "in_progress") | .text'`,
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				_, t, err := sh.Find(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				f.Session, f.Root, f.Done = t.Ref.ID(), t.Store.Root(), true
			}
			return runTodoLs(cmd.Context(), sh, f)
		},
	}
	cmd.Flags().BoolVar(&f.Done, "done", false, "what is completed too")
	return cmd
}

func runTodoLs(ctx context.Context, sh *shell.Shell, f todos.Filter) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	a, scope, done, err := shell.OpenScope(ctx, sh)
	if err != nil {
		return err
	}
	defer done()
	f.Projects = scope.IDs()
	page, err := a.Todos.List(ctx, f)
	if err != nil {
		return err
	}
	done()
	keep.NoteUnread(sh, page.Problems)
	if limit > 0 && limit < len(page.Items) {
		page.Items = page.Items[:limit]
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "items",
		Table:  func(s term.Screen) *term.Table { return todoTable(s, page.Items) },
		Footer: todoFooter(page), Empty: "Nothing is open.",
	})
}

func todoFooter(page todos.Page) string {
	if shown := len(page.Items); shown < page.Total {
		return fmt.Sprintf("%s of %s", term.Count(shown), output.Plural(page.Total, "item"))
	}
	return output.Plural(page.Total, "item")
}

func todoTable(s term.Screen, items []todos.Item) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "status", Min: 11}, {Title: "text", Flex: true, Min: 24}, {Title: "session", Style: term.Yellow, Min: output.Uncut},
		{Title: "title", Flex: true, Min: 12}, {Title: "project", Style: term.Cyan, Min: 12},
	}}
	for i := range items {
		item := &items[i]
		session := item.Session
		if s.TTY {
			session = output.Head(session, 8)
		}
		if item.Agent != "" {
			session += "/" + item.Agent
		}
		if item.Team != "" {
			session = item.Team
		}
		t.Row(term.Cell{Text: item.Status}, term.Cell{Text: item.Text}, term.Cell{Text: session}, term.Cell{Text: item.Title}, term.Cell{Text: item.Project})
	}
	return t
}
