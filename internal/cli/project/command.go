package project

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"sesskeep"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/setup"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type commandOptions struct {
	kind  string
	scope string
	name  string
}

// CommandsCommand is "command" with its subcommands.
func CommandsCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "command", Short: "List slash commands, agents and skills, and show one", Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("command: which subcommand?", `"sesskeep command --help" lists them`)
		},
	}
	cmd.AddCommand(commandLsCommand(sh), commandShowCommand(sh))
	return cmd
}

func commandLsCommand(sh *shell.Shell) *cobra.Command {
	var o commandOptions
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"}, Short: "List slash commands, agents and skills", Args: shell.NoArgs,
		Long: `List the Markdown files that add slash commands, agents and skills to Claude Code:
your own, which lie in the home, and those of the project you are in or that -p
names, which lie in its .claude directory. --all takes every project.`,
		Example: `  sesskeep command ls
  sesskeep command ls --kind agent
  sesskeep command ls -p ~/src/my-app --json=name,kind,file`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runCommandLs(cmd.Context(), sh, o) },
	}
	o.register(cmd)
	return cmd
}

func commandShowCommand(sh *shell.Shell) *cobra.Command {
	var o commandOptions
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a slash command, an agent or a skill", Args: shell.OneArg("command"),
		Long: `Show what the file of a slash command, an agent or a skill says about itself, and
its text. NAME is what "command ls" lists; a slash before it does no harm.`,
		Example: `  sesskeep command show git:commit
  sesskeep command show reviewer --kind agent --scope user`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeCommands(sh, cmd, args, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = args[0]
			return runCommandShow(cmd.Context(), sh, o)
		},
	}
	o.register(cmd)
	return cmd
}

func (o *commandOptions) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.kind, "kind", "", "only this `KIND`: command, agent or skill")
	cmd.Flags().StringVar(&o.scope, "scope", "", "only of this `SCOPE`: user or project")
	shell.Complete(cmd, "kind", "command", "agent", "skill")
	shell.Complete(cmd, "scope", "user", "project")
}

func (o commandOptions) check() error {
	if err := shell.OneOf("kind", o.kind, "command", "agent", "skill"); err != nil {
		return err
	}
	return shell.OneOf("scope", o.scope, "user", "project")
}

// readCommands reads the command files of the homes and of the project.
func readCommands(ctx context.Context, sh *shell.Shell, o commandOptions) ([]setup.CommandText, []sesskeep.Problem, error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	a, done, err := sh.Open()
	if err != nil {
		return nil, nil, err
	}
	defer done()
	return a.Setup.Commands(ctx, setup.CommandFilter{Kind: o.kind, Scope: o.scope, Where: shell.Where(sh)})
}

func runCommandLs(ctx context.Context, sh *shell.Shell, o commandOptions) error {
	slice, err := sh.Slice()
	if err != nil {
		return err
	}
	list, problems, err := readCommands(ctx, sh, o)
	if err != nil {
		return err
	}
	page, err := setup.CommandList(list, problems, slice)
	if err != nil {
		return err
	}
	footer := output.Plural(page.Total, "command")
	if len(problems) > 0 {
		footer += fmt.Sprintf(" · %s could not be read (%s: %s)",
			output.Plural(len(problems), "file"), sh.Tilde(problems[0].File), problems[0].Reason)
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "commands",
		Table:  func(s term.Screen) *term.Table { return commandTable(s, page.Commands) },
		Footer: footer,
		Empty:  "No commands here. Claude reads them from commands/, agents/ and skills/ in its home and in a project's .claude.",
	})
}

func commandTable(s term.Screen, list []setup.Command) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "name", Style: term.Yellow}, {Title: "kind"}, {Title: "scope"}, {Title: "category", Style: term.Cyan},
		{Title: "description", Flex: true, Min: 24},
	}}
	prefixes := sharedPrefixes(list)
	for _, c := range list {
		category := c.Category
		if prefix, _, ok := strings.Cut(c.Name, "_"); ok && category == "" && prefixes[prefix] > 1 {
			category = prefix
		}
		t.Row(term.Cell{Text: c.Name}, term.Cell{Text: string(c.Kind)}, term.Cell{Text: string(c.Scope)},
			term.Cell{Text: category}, term.Cell{Text: c.Description})
	}
	return t
}

// sharedPrefixes counts what stands before the first "_" of names: people group command
// files by it, as in audit_cli and audit_docs.
func sharedPrefixes(list []setup.Command) map[string]int {
	often := map[string]int{}
	for _, c := range list {
		if prefix, _, ok := strings.Cut(c.Name, "_"); ok && prefix != "" {
			often[prefix]++
		}
	}
	return often
}

func runCommandShow(ctx context.Context, sh *shell.Shell, o commandOptions) error {
	list, _, err := readCommands(ctx, sh, o)
	if err != nil {
		return err
	}
	c, err := setup.PickCommand(list, strings.TrimPrefix(o.name, "/"))
	if err != nil {
		return fail.Hint(err, `"sesskeep command ls" lists what there is`)
	}
	return sh.Out.Print(ctx, output.Listing{Value: c, Render: func(w io.Writer) error {
		facts := []fact{
			{"name", c.Name}, {"kind", string(c.Kind)}, {"scope", string(c.Scope)},
			{"category", c.Category}, {"file", sh.Tilde(c.File)},
		}
		for _, p := range c.Meta {
			if p.Key != "name" || p.Value != c.Name {
				facts = append(facts, fact{p.Key, cmp.Or(strings.Join(p.List, ", "), p.Value)})
			}
		}
		if err := writeFacts(w, sh.Out.Screen, facts); err != nil {
			return err
		}
		body := strings.TrimSpace(term.Clean(c.Body))
		if body == "" {
			return nil
		}
		_, err := fmt.Fprintf(w, "\n%s\n", body)
		return err
	}})
}

// completeCommands offers the names of commands with what they are for.
func completeCommands(sh *shell.Shell, cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	sh.Out.Flags.Quiet = true
	var words []string
	list, _, err := readCommands(cmd.Context(), sh, commandOptions{})
	for _, c := range list {
		if err == nil && len(args) == 0 && strings.HasPrefix(c.Name, typed) {
			words = shell.Offer(words, c.Name, c.Description)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
