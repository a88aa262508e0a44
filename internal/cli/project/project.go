// Package project has the commands about what a home has besides sessions: projects with
// their memory, the history of prompts, and command files.
package project

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/purge"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/show"
	"sesskeep/internal/setup"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// Command is "project" with its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "project", Short: "List projects and look into one", Args: shell.NoArgs,
		Example: "  sesskeep project ls\n  sesskeep project show my-app",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("project: which subcommand?", `"sesskeep project --help" lists them`)
		},
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "ls", Aliases: []string{"list"}, Short: "List projects, the most recently active first", Args: shell.NoArgs,
			Example: "  sesskeep project ls\n  sesskeep project ls --json=id,path,sessionCount",
			RunE:    func(cmd *cobra.Command, _ []string) error { return runProjectLs(cmd.Context(), sh) },
		},
		projectVerb(sh, "show", "Show what is known about a project", runProjectShow),
		projectVerb(sh, "conversations", "List all conversations of a project", runProjectConversations),
		memoryCommand(sh), projectMoveCommand(sh), purge.ProjectCommand(sh),
	)
	return cmd
}

// projectVerb is a command about one project: the one named, or the one you
// are in.
func projectVerb(sh *shell.Shell, verb, short string, run func(context.Context, *shell.Shell, *app.App, *ask.Project) error) *cobra.Command {
	return &cobra.Command{
		Use: verb + " [PROJECT]", Short: short, ValidArgsFunction: sh.CompleteProjects,
		Example: "  sesskeep project " + verb + " my-app\n  sesskeep project " + verb + "          the one you are in",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return shell.OneArg("project")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				sh.Flags.Project = args[0]
			}
			a, c, err := sh.Catalog(cmd.Context())
			if err != nil {
				return err
			}
			p, err := sh.OneProject(c)
			if err != nil {
				return err
			}
			if p == nil {
				return fail.Usage("which project? you are in none that Claude knows", `"sesskeep project ls" lists them`)
			}
			return run(cmd.Context(), sh, a, p)
		},
	}
}

func runProjectLs(ctx context.Context, sh *shell.Shell) error {
	_, c, err := sh.Catalog(ctx)
	if err != nil {
		return err
	}
	slice, err := sh.Slice()
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
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "projects",
		Table:  func(s term.Screen) *term.Table { return projectTable(s, page.Projects, sh.Now()) },
		Footer: fmt.Sprintf("%s · %s in %s transcripts", output.Plural(page.Total, "project"), term.Bytes(bytes), term.Count(files)),
		Empty:  "No projects here yet.",
	})
}

func projectTable(s term.Screen, list []ask.Project, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "project", Style: term.Cyan, Min: output.Uncut}, {Title: "path", Flex: true, Min: 20},
		{Title: "active", Right: true}, {Title: "sessions", Right: true}, {Title: "size", Right: true},
		{Title: "agents", Right: true}, {Title: "helpers", Right: true},
	}}
	for _, p := range list {
		cells := []term.Cell{
			{Text: p.ID}, {Text: p.Path}, {Text: output.RFC3339(p.LastActivity)}, {Text: strconv.Itoa(p.Counts.User)},
			{Text: strconv.FormatInt(p.Size, 10)}, {Text: strconv.Itoa(p.Counts.Agent + p.InlineAgents)}, {Text: strconv.Itoa(p.Counts.Helper)},
		}
		if s.TTY {
			if p.Path == "" {
				cells[1] = term.Cell{Text: "unknown path (" + p.DirName + ")", Style: term.Dim}
			}
			cells[2].Text = output.Ago(p.LastActivity, now)
			cells[4].Text = term.Bytes(p.Size)
			cells[5].Text, cells[6].Text = output.NonZero(p.Counts.Agent+p.InlineAgents), output.NonZero(p.Counts.Helper)
		}
		t.Row(cells...)
	}
	return t
}

func runProjectShow(ctx context.Context, sh *shell.Shell, a *app.App, named *ask.Project) error {
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return err
	}
	p, err := c.Project(ctx, named.ID)
	if err != nil {
		return err
	}
	name, id := sh.ProjectName(ctx)(p.ID), p.ID
	if name == id {
		id = ""
	}
	list, err := a.Setup.ClientList(&p.Project)
	if err != nil {
		sh.Miss(err)
	}
	return sh.Out.Print(ctx, output.Listing{Value: ShownProject{p, list}, Render: func(w io.Writer) error {
		facts := []fact{
			{"project", name}, {"id", id}, {"path", p.Path}, {"directory", directory(&p.Project)}, {"home", p.Root},
			{"worktree of", p.Repository},
			{"sessions", strconv.Itoa(p.Counts.User)}, {"agents", output.NonZero(p.Counts.Agent)},
			{"helpers", output.NonZero(p.Counts.Helper)}, {"size", term.Bytes(p.Size)},
			{"last active", output.RFC3339(p.LastActivity)},
		}
		return writeFacts(w, sh.Out.Screen, append(facts, listFacts(list)...))
	}})
}

// ShownProject is a project with what the client itself lists of it.
type ShownProject struct {
	catalog.OneProject
	// ClientList is sessions-index.json of clients of early 2026, where there is one.
	ClientList *setup.ClientList `json:"clientList,omitempty"`
}

// shownGone is how many sessions that are gone a project shows; --json has all.
const shownGone = 10

// listFacts say what the client's own list has beyond the transcripts.
func listFacts(l *setup.ClientList) []fact {
	if l == nil {
		return nil
	}
	text := fmt.Sprintf("%s in sessions-index.json, last written %s", output.Plural(l.Total, "session"), output.RFC3339(l.Modified))
	if n := len(l.Gone); n > 0 {
		text += fmt.Sprintf("; %s gone", term.Count(n))
	}
	facts := []fact{{"client's list", text}}
	for i, s := range l.Gone {
		if i == shownGone {
			return append(facts, fact{"", fmt.Sprintf("and %s more (--json)", term.Count(len(l.Gone)-i))})
		}
		facts = append(facts, fact{"gone", fmt.Sprintf("%s %s %s", output.Head(s.ID, 8), output.RFC3339(s.LastActivity), s.Title)})
	}
	return facts
}

// directory is where the project lies in the home. The client would look for
// it elsewhere if somebody named it by hand.
func directory(p *ask.Project) string {
	if p.Path == "" || sesskeep.ProjectKey(p.DirName).Holds(p.Path) {
		return p.DirName
	}
	return p.DirName + " (not named after the path)"
}

func runProjectConversations(ctx context.Context, sh *shell.Shell, a *app.App, p *ask.Project) error {
	slice, err := sh.Slice()
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
	name := sh.ProjectName(ctx)(p.ID)
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "conversations",
		Table:  func(s term.Screen) *term.Table { return show.ConversationTable(s, page.Conversations, in, sh.Now()) },
		Footer: output.Plural(page.Total, "conversation") + " in " + name,
		Empty:  "No conversations in " + name + ".",
	})
}
