// Package configure has the commands that show and edit what sesskeep does by default.
package configure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/config"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// Command is "config" with the commands below it.
func Command(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:        "config",
		SuggestFor: []string{"configuration", "settings", "prefs"},
		Short:      "Show and edit what sesskeep does by default",
		Long: `config.toml says what sesskeep does by default: values of flags, homes with names,
colours, keys, prices, notices, and what is kept. It lies in ~/.config/sesskeep, or below
XDG_CONFIG_HOME; no file of a project is read. SESSKEEP_CONFIG names another file, or
none if it is empty. The environment wins over the file, and flags win over both.

A file with an unknown key, or one that others can write, ends every command before it
does anything. Hooks and the status line work without it.`,
		Example: "  sesskeep config show --origin\n  sesskeep config edit\n  sesskeep config path",
		Args:    shell.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return fail.Usage("config: which subcommand?", `"sesskeep config --help" lists them`)
		},
	}
	cmd.AddCommand(configShowCommand(sh), configEditCommand(sh), configPathCommand(sh))
	return cmd
}

type configShowOptions struct{ origin bool }

func configShowCommand(sh *shell.Shell) *cobra.Command {
	var o configShowOptions
	cmd := &cobra.Command{
		Use: "show", Short: "Show what is configured", Args: shell.NoArgs,
		Long: `Show the value of every key, and what sets it: the file, the environment, or neither.

Exit codes: 0 fine · 2 the file is not valid: every problem is listed · 4 the file is not
read, because others can write it`,
		Example: `  sesskeep config show
  sesskeep config show --origin
  sesskeep config show --jq '.values[] | select(.origin != "default") | .key'`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runConfigShow(cmd.Context(), sh, o) },
	}
	cmd.Flags().BoolVar(&o.origin, "origin", false, "say where each value comes from")
	return cmd
}

// File is where the file is.
type File struct {
	Path   string `json:"path,omitempty"` // empty: none is read
	Exists bool   `json:"exists"`
}

// Page is what "config show" writes as JSON.
type Page struct {
	File
	Values []Value `json:"values"`
	Total  int     `json:"total"`
}

// Value is the value of one key.
type Value struct {
	Key    string `json:"key"`
	Value  string `json:"value"`  // as the file writes it; empty: there is none
	Origin string `json:"origin"` // default, file or environment
	// Variable is the one of the environment that sets it.
	Variable string `json:"variable,omitempty"`
	Line     int    `json:"line,omitempty"` // of the file
}

func runConfigShow(ctx context.Context, sh *shell.Shell, o configShowOptions) error {
	if err := shell.ConfigProblem(sh); err != nil {
		return listProblems(sh, err)
	}
	page := Page{File: File{sh.Config().Path, sh.Config().Exists}, Values: values(sh)}
	page.Total = len(page.Values)
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "values",
		Table: func(s term.Screen) *term.Table {
			t := &term.Table{Screen: s, Columns: []term.Column{{Title: "key", Style: term.Yellow, Min: output.Uncut}, {Title: "value", Flex: true, Min: 20}}}
			if o.origin {
				t.Columns = append(t.Columns, term.Column{Title: "origin", Style: term.Dim})
			}
			for _, v := range page.Values {
				cells := []term.Cell{{Text: v.Key}, {Text: v.Value}, {Text: v.from(page.Path)}}
				t.Row(cells[:len(t.Columns)]...)
			}
			return t
		},
	})
}

// from says where a value comes from.
func (v Value) from(file string) string {
	switch v.Origin {
	case "file":
		return filepath.Base(file) + ":" + strconv.Itoa(v.Line)
	case "environment":
		return "environment: " + v.Variable
	}
	return v.Origin
}

// values are the values of all keys: a table has one for each of its names.
func values(sh *shell.Shell) []Value {
	list := []Value{}
	for i := range config.Keys {
		k := &config.Keys[i]
		if table, ok := strings.CutSuffix(k.Name, ".*"); ok {
			for _, v := range sh.Config().Table(table) {
				list = append(list, fileValue(v))
			}
			continue
		}
		list = append(list, valueOf(sh, k))
	}
	return list
}

func fileValue(v config.Value) Value {
	return Value{Key: v.Name, Value: v.Written(), Origin: "file", Line: v.Line}
}

// valueOf is the value of one key that takes effect.
func valueOf(sh *shell.Shell, k *config.Key) Value {
	for _, name := range k.Env {
		if text, ok := sh.Variable(name); ok && text != "" {
			return Value{Key: k.Name, Value: variableValue(name, text), Origin: "environment", Variable: name}
		}
	}
	if v, ok := sh.Config().Value(k.Name); ok {
		return fileValue(v)
	}
	return Value{Key: k.Name, Value: k.Default, Origin: "default"}
}

// variableValue is what a variable says, as the file writes it.
func variableValue(name, text string) string {
	switch name {
	case "NO_COLOR":
		text = "never"
	case "CLICOLOR_FORCE":
		text = "always"
	}
	return strconv.Quote(text)
}

// listProblems writes everything that is wrong with the file, and returns the error for it.
func listProblems(sh *shell.Shell, err error) error {
	var invalid *config.Error
	if !errors.As(err, &invalid) || len(invalid.Problems) == 1 || sh.Out.JSON() {
		return shell.ConfigError(sh, err)
	}
	for _, p := range invalid.Problems {
		sh.Report(fmt.Sprintf("%s:%d: %s", invalid.Path, p.Line, p))
	}
	return fail.Usage("the configuration is not valid: "+output.Plural(len(invalid.Problems), "problem"), `"sesskeep config edit" opens it`)
}

func configPathCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print where the configuration file is", Args: shell.NoArgs,
		Long:    `Print where the configuration file is, whether it exists or not.`,
		Example: "  sesskeep config path\n  cat \"$(sesskeep config path)\"",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := sh.Config()
			if c.Path == "" {
				sh.Note("no configuration is read: " + shell.ConfigVariable + " is empty, or there is no home directory")
				return nil
			}
			return sh.Out.Print(cmd.Context(), output.Listing{Value: File{c.Path, c.Exists}, Table: func(s term.Screen) *term.Table {
				t := &term.Table{Screen: s, Columns: []term.Column{{Title: "path", Min: output.Uncut}}}
				t.Row(term.Cell{Text: c.Path})
				return t
			}})
		},
	}
}

func configEditCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "edit", Short: "Edit the configuration file, and check it", Args: shell.NoArgs,
		Long: `Open the configuration file in the editor that VISUAL or EDITOR names, and check what
was saved. A text that is not valid does not take the place of the file: it is kept
beside it, as config.toml.rejected, and opened again the next time. Without a file you
begin with every key as a comment.

Exit codes: 0 saved, or nothing changed · 2 what was saved is not valid`,
		Example: "  sesskeep config edit\n  EDITOR=nano sesskeep config edit",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runConfigEdit(cmd.Context(), sh) },
	}
}

func runConfigEdit(ctx context.Context, sh *shell.Shell) error {
	path := sh.Config().Path
	if path == "" {
		return fail.Usage("no configuration is read, so none can be edited", "set HOME, or name a file in "+shell.ConfigVariable)
	}
	var unsafe *config.UnsafeError
	if err := shell.ConfigProblem(sh); errors.As(err, &unsafe) {
		return shell.ConfigError(sh, err)
	}
	draft, err := config.NewDraft(path)
	if err != nil {
		return err
	}
	defer draft.Discard()
	if err := runEditor(ctx, sh, draft.Path); err != nil {
		return err
	}
	saved, err := draft.Finish()
	var invalid *config.Error
	switch {
	case errors.As(err, &invalid):
		err = listProblems(sh, err)
		sh.Note("the file is as it was; what you wrote is in " + sh.Tilde(config.Rejected(path)))
		return fail.Hint(err, `"sesskeep config edit" opens it again`)
	case err != nil:
		return err
	case !saved:
		_, err = fmt.Fprintln(sh.Stdout, "Nothing changed.")
		return err
	}
	_, err = fmt.Fprintf(sh.Stdout, "Saved %s\n", term.Line(sh.Tilde(path)))
	return err
}

// runEditor opens a file in the user's editor, on this terminal.
func runEditor(ctx context.Context, sh *shell.Shell, file string) error {
	command := editorOf(sh.Getenv)
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, sh.Lend(), sh.LendErrors()
	if err := errors.Join(sh.Stdout.Flush(), sh.Stderr.Flush()); err != nil {
		return err
	}
	sh.Lent.Store(true)
	defer sh.Lent.Store(false)
	if err := cmd.Run(); err != nil {
		return fail.Hint(fmt.Errorf("the editor %s: %w", command[0], err), "set EDITOR to the one you use; the file is as it was")
	}
	return nil
}

// editorOf is the command of the user's editor: words, as git takes them.
func editorOf(getenv func(string) string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(getenv(name)); len(words) > 0 {
			return words
		}
	}
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi"}
}
