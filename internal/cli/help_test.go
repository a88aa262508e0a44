package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/cli/shell"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandTree is every command with its name in full.
func commandTree() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		all[c.CommandPath()] = c
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(shell.New(shell.Env{}), allCommands))
	return all
}

// TestHelp holds every command to what help promises: a line that says what it
// does, an example that could be typed, and flags that are described.
func TestHelp(t *testing.T) {
	all := commandTree()
	for path, c := range all {
		t.Run(path, func(t *testing.T) {
			if c.Short == "" || strings.HasSuffix(c.Short, ".") || len(c.Short) > 70 {
				t.Errorf("short help is %q", c.Short)
			}
			if !c.Runnable() {
				t.Error("does nothing when called")
			}
			if !c.HasSubCommands() || c.Example != "" {
				checkExamples(t, all, c)
			}
			for line := range strings.Lines(c.Long) {
				if n := len([]rune(line)); n > 90 {
					t.Errorf("line of %d characters in help: %q", n, line)
				}
			}
			c.LocalFlags().VisitAll(func(f *pflag.Flag) {
				if f.Usage == "" || strings.HasSuffix(f.Usage, ".") {
					t.Errorf("--%s is described as %q", f.Name, f.Usage)
				}
			})
		})
	}
}

// checkExamples finds the command and the flags that an example uses.
func checkExamples(t *testing.T, all map[string]*cobra.Command, c *cobra.Command) {
	t.Helper()
	if !strings.Contains(c.Example, c.CommandPath()) && !strings.Contains(c.Example, "sesskeep ") {
		t.Errorf("no example: %q", c.Example)
	}
	for line := range strings.Lines(c.Example) {
		if !strings.HasPrefix(line, "  ") {
			t.Errorf("example is not indented: %q", line)
		}
		_, line, ok := strings.Cut(line, "sesskeep ")
		if !ok {
			continue
		}
		line, _, _ = strings.Cut(line, " | ")
		words := strings.Fields(line)
		used, rest, err := all["sesskeep"].Find(words)
		if err != nil {
			t.Errorf("example %q: %v", line, err)
			continue
		}
		for _, word := range rest {
			name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
			if strings.HasPrefix(word, "--") && used.Flag(name) == nil {
				t.Errorf("example %q: no flag %s", line, word)
			}
		}
	}
}

// TestHelpRuns asks every command for help, in both ways.
func TestHelpRuns(t *testing.T) {
	for path, c := range commandTree() {
		words := strings.Fields(path)[1:]
		for _, args := range [][]string{append(words, "--help"), append([]string{"help"}, words...)} {
			var stdout, stderr bytes.Buffer
			env := shell.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
				Lookup: func(string) (string, bool) { return "", false }}
			if exit := Main(args, env); exit != 0 || stderr.Len() > 0 {
				t.Errorf("%q: exit code %d: %s", args, exit, &stderr)
			}
			if !strings.Contains(stdout.String(), c.UseLine()) {
				t.Errorf("%q does not show %q", args, c.UseLine())
			}
		}
	}
}

// Every name in the table of heeded flags is one of a command.
func TestHeeded(t *testing.T) {
	all := commandTree()
	for name := range shell.Heeded {
		if name != "sesskeep" && all["sesskeep "+name] == nil {
			t.Errorf("there is no command %q", name)
		}
	}
}

// Words of other programs lead to commands and flags that are there, and are no commands of ours.
func TestOtherWords(t *testing.T) {
	all := commandTree()
	for typed, meant := range shell.OtherWords {
		group, word := "sesskeep", typed
		if i := strings.LastIndex(typed, " "); i >= 0 {
			group, word = "sesskeep "+typed[:i], typed[i+1:]
		}
		if all[group] == nil || all[group+" "+word] != nil {
			t.Errorf("%q is a command, or not behind one", typed)
		}
		for _, name := range meant {
			words, flag, _ := strings.Cut(name, " -")
			c := all["sesskeep "+words]
			if c == nil {
				t.Errorf("%q leads to %q, which does not exist", typed, name)
				continue
			}
			flag = strings.TrimPrefix(flag, "-")
			found := c.Flag(flag)
			if len(flag) == 1 {
				found = c.Flags().ShorthandLookup(flag)
			}
			if flag != "" && found == nil && c.InheritedFlags().ShorthandLookup(flag) == nil {
				t.Errorf("%q leads to %q, which does not take that flag", typed, name)
			}
		}
		if c := all[group]; c != nil {
			for _, sub := range c.Commands() {
				if slices.Contains(sub.Aliases, word) {
					t.Errorf("%q is another name of %s", typed, sub.CommandPath())
				}
			}
		}
	}
}

// TestOneCommand holds that who calls one command gets the one that is there among
// all, whatever stands before it, and that a word that is none gets all of them.
func TestOneCommand(t *testing.T) {
	for _, c := range newRoot(shell.New(shell.Env{}), allCommands).Commands() {
		for _, name := range append(c.Aliases, c.Name()) {
			for _, before := range [][]string{nil, {"--all"}, {"--claude-dir", "ls"}, {"-p", "show", "--json"}} {
				args := append(before, name, "--limit", "3", "doctor")
				found, _, err := rootFor(shell.New(shell.Env{}), args).Find(args)
				if err != nil || found.CommandPath() != c.CommandPath() || found.GroupID != c.GroupID || len(found.Commands()) != len(c.Commands()) {
					t.Errorf("%v is %s, %v; want %s", args, found.CommandPath(), err, c.CommandPath())
				}
				if n := len(found.Root().Commands()); n > 3 {
					t.Errorf("%v made %d commands", args, n)
				}
			}
		}
	}
	for _, args := range [][]string{nil, {"--help"}, {"shwo", "show"}, {"help", "show"}, {"__complete", "ls", ""}, {"-p", "show"}} {
		if n := len(rootFor(shell.New(shell.Env{}), args).Commands()); n != len(topCommands) {
			t.Errorf("%v made %d commands of %d", args, n, len(topCommands))
		}
	}
}
