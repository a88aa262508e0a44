package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func projectCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "project", Short: "List projects and look into one", Args: noArgs,
		Example: "  sesskeep project ls\n  sesskeep project show my-app",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError{"project: which subcommand?", `"sesskeep project --help" lists them`}
		},
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "ls", Aliases: []string{"list"}, Short: "List projects, the most recently active first", Args: noArgs,
			Example: "  sesskeep project ls\n  sesskeep project ls --json=id,path,sessionCount",
			RunE:    func(cmd *cobra.Command, _ []string) error { return runProjectLs(cmd.Context(), sh) },
		},
		projectVerb(sh, "show", "Show what is known about a project", runProjectShow),
		projectVerb(sh, "conversations", "List all conversations of a project", runProjectConversations),
		memoryCommand(sh), projectMoveCommand(sh),
	)
	return cmd
}

// projectVerb is a command about one project: the one named, or the one you
// are in.
func projectVerb(sh *shell, verb, short string, run func(context.Context, *shell, *app.App, *ask.Project) error) *cobra.Command {
	return &cobra.Command{
		Use: verb + " [PROJECT]", Short: short, ValidArgsFunction: sh.completeProjects,
		Example: "  sesskeep project " + verb + " my-app\n  sesskeep project " + verb + "          the one you are in",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return oneArg("project")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				sh.flags.project = args[0]
			}
			a, c, err := sh.catalog(cmd.Context())
			if err != nil {
				return err
			}
			p, err := sh.scope(c)
			if err != nil {
				return err
			}
			if p == nil {
				return usageError{"which project? you are in none that Claude knows", `"sesskeep project ls" lists them`}
			}
			return run(cmd.Context(), sh, a, p)
		},
	}
}

func runProjectLs(ctx context.Context, sh *shell) error {
	_, c, err := sh.catalog(ctx)
	if err != nil {
		return err
	}
	slice, err := sh.slice()
	if err != nil {
		return err
	}
	page, err := c.ListProjects(ctx, slice)
	if err != nil {
		return err
	}
	files, bytes, err := c.Size(ctx)
	if err != nil {
		return err
	}
	return sh.print(ctx, listing{
		value: page, items: "projects",
		table:  func(s term.Screen) *term.Table { return projectTable(s, page.Projects, sh.Now()) },
		footer: fmt.Sprintf("%s · %s in %s transcripts", plural(page.Total, "project"), term.Bytes(bytes), term.Count(files)),
		empty:  "No projects here yet.",
	})
}

func projectTable(s term.Screen, list []ask.Project, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "project", Style: term.Cyan, Min: uncut}, {Title: "path", Flex: true, Min: 20},
		{Title: "active", Right: true}, {Title: "sessions", Right: true}, {Title: "size", Right: true},
		{Title: "agents", Right: true}, {Title: "helpers", Right: true},
	}}
	for _, p := range list {
		cells := []term.Cell{
			{Text: p.ID}, {Text: p.Path}, {Text: rfc(p.LastActivity)}, {Text: strconv.Itoa(p.Counts.User)},
			{Text: strconv.FormatInt(p.Size, 10)}, {Text: strconv.Itoa(p.Counts.Agent + p.InlineAgents)}, {Text: strconv.Itoa(p.Counts.Helper)},
		}
		if s.TTY {
			if p.Path == "" {
				cells[1] = term.Cell{Text: "unknown path (" + p.DirName + ")", Style: term.Dim}
			}
			cells[2].Text = ago(p.LastActivity, now)
			cells[4].Text = term.Bytes(p.Size)
			cells[5].Text, cells[6].Text = nonZero(p.Counts.Agent+p.InlineAgents), nonZero(p.Counts.Helper)
		}
		t.Row(cells...)
	}
	return t
}

// projectName gives projects the names that people use: their ids without what tells
// them from others of the same name, where there are no others. Scripts get the ids.
func projectName(ctx context.Context, sh *shell) func(id string) string {
	var names map[string]string
	return func(id string) string {
		if !sh.screen.TTY || sh.homes == nil {
			return id
		}
		if _, known := names[id]; !known {
			if now, err := sh.homes.Catalog.ProjectNames(ctx); err == nil {
				names = now
			}
			if _, known = names[id]; !known && names != nil {
				names[id] = id
			}
		}
		return cmp.Or(names[id], id)
	}
}

func nonZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// rfc and ago write a time that may not be known.
func rfc(s stamp.Time) string {
	if s.IsZero() {
		return ""
	}
	return s.UTC().Format(time.RFC3339)
}

func ago(s stamp.Time, now time.Time) string {
	if s.IsZero() {
		return ""
	}
	return term.Ago(s.Time, now)
}

func runProjectShow(ctx context.Context, sh *shell, a *app.App, named *ask.Project) error {
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return err
	}
	p, err := c.Project(ctx, named.ID)
	if err != nil {
		return err
	}
	name, id := projectName(ctx, sh)(p.ID), p.ID
	if name == id {
		id = ""
	}
	return sh.print(ctx, listing{value: p, render: func(w io.Writer) error {
		return writeFacts(w, sh.screen, []fact{
			{"project", name}, {"id", id}, {"path", p.Path}, {"directory", directory(&p)}, {"home", p.Root},
			{"worktree of", p.Repository},
			{"sessions", strconv.Itoa(p.Counts.User)}, {"agents", nonZero(p.Counts.Agent)},
			{"helpers", nonZero(p.Counts.Helper)}, {"size", term.Bytes(p.Size)},
			{"last active", rfc(p.LastActivity)},
		})
	}})
}

// directory is where the project lies in the home. The client would look for
// it elsewhere if somebody named it by hand.
func directory(p *ask.Project) string {
	if p.Path == "" || sesskeep.ProjectKey(p.DirName).Holds(p.Path) {
		return p.DirName
	}
	return p.DirName + " (not named after the path)"
}

// fact is a name and what is known under it.
type fact struct{ name, value string }

// writeFacts writes what is known, one fact a line.
func writeFacts(w io.Writer, s term.Screen, facts []fact) error {
	width := 0
	for _, f := range facts {
		if f.value != "" {
			width = max(width, len(f.name))
		}
	}
	for _, f := range facts {
		if f.value == "" {
			continue
		}
		name := s.Paint(term.Dim, term.Pad(f.name, width))
		if _, err := fmt.Fprintf(w, "%s  %s\n", name, term.Line(f.value)); err != nil {
			return err
		}
	}
	return nil
}

func runProjectConversations(ctx context.Context, sh *shell, a *app.App, p *ask.Project) error {
	slice, err := sh.slice()
	if err != nil {
		return err
	}
	snapshot, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return err
	}
	page, err := snapshot.Conversations(ctx, p.ID, slice)
	if err != nil {
		return err
	}
	page.Root = p.Root
	ids := make([]string, len(page.Conversations))
	for i := range page.Conversations {
		ids[i] = page.Conversations[i].SessionID
	}
	suffix, err := a.Catalog.Suffixes(ctx, ids)
	if err != nil {
		return err
	}
	in := func(id string) string { return suffix(p.Root, id) }
	name := projectName(ctx, sh)(p.ID)
	return sh.print(ctx, listing{
		value: page, items: "conversations",
		table:  func(s term.Screen) *term.Table { return conversationTable(s, page.Conversations, in, sh.Now()) },
		footer: plural(page.Total, "conversation") + " in " + name,
		empty:  "No conversations in " + name + ".",
	})
}
