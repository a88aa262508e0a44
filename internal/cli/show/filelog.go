package show

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// FileCommand is "file" with its subcommands.
func FileCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "file", Short: "Show who changed a file, and what it was", Args: shell.NoArgs,
		Example: "  sesskeep file log reader.go",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("file: which subcommand?", `"sesskeep file --help" lists them`)
		},
	}
	log := &cobra.Command{
		Use:   "log [PATH]",
		Short: "List changes that sessions made to a file, or to all",
		Long: `List the changes that sessions and their sub-agents made to a file with their editing
tools, the newest first: when, where, how many lines, and the prompt that led to it. It
covers all projects; -p picks one. A PATH that does not begin with / is the end of a
path: reader.go finds every file of that name. Without a PATH it lists the latest changes
of all files, 50 or -n. Changes made by shell commands are not known.

Exit codes: 0 fine, also if nothing was found · 2 wrong usage · 3 no such project`,
		Example: `  sesskeep file log reader.go
  sesskeep file log reader.go --since 7d
  sesskeep file log "$PWD/README.md" -n 5 --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "" {
				return fail.Usage("the path is empty", "for example: sesskeep file log reader.go")
			}
			return runFileLog(cmd.Context(), sh, strings.Join(args, ""))
		},
	}
	cmd.AddCommand(log, fileShowCommand(sh), fileDiffCommand(sh), fileRestoreCommand(sh))
	return cmd
}

func runFileLog(ctx context.Context, sh *shell.Shell, path string) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	o := talk.FileLogOptions{Path: strings.TrimPrefix(path, "./"), Limit: limit}
	if o.Since, o.Until, err = sh.Span(); err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	if o.Projects, err = usage.Projects(ctx, sh, a); err != nil {
		return err
	}
	log, err := a.Talk.FileLog(ctx, o)
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: log, Items: "changes",
		Table:  func(s term.Screen) *term.Table { return fileLogTable(s, &log, sh) },
		Footer: output.Plural(log.Total, "change"),
		Empty:  "No session changed such a file with its tools.",
	})
}

func fileLogTable(s term.Screen, log *talk.FileLog, sh *shell.Shell) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "when", Right: true}, {Title: "address", Style: term.Yellow, Min: output.Uncut},
		{Title: "added", Right: true, Style: term.Green}, {Title: "removed", Right: true, Style: term.Red},
		{Title: "state"}, {Title: "prompt", Flex: true, Min: 24}, {Title: "title", Flex: true, Min: 16},
		{Title: "project", Style: term.Cyan}, {Title: "file", Flex: true, Min: 16},
	}}
	for i := range log.Changes {
		c := &log.Changes[i]
		session, agent, message := c.SessionID, c.AgentID, c.UUID
		when, added, removed, state := output.RFC3339(c.Time), strconv.Itoa(c.Added), strconv.Itoa(c.Removed), c.State
		if s.TTY {
			session, message = output.Head(session, 8), output.Head(message, 8)
			when, added, removed = term.Ago(c.Time.Time, sh.Now()), fmt.Sprintf("+%d", c.Added), fmt.Sprintf("-%d", c.Removed)
			if state == "ok" { // the usual
				state = ""
			}
		}
		if agent != "" {
			session += "/" + agent
		}
		t.Row(output.Cells([]string{when, session + "#" + message + c.Suffix, added, removed, state, c.Prompt, c.Title, c.Project, c.Path})...)
	}
	return t
}
