package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/picker"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/resume"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type resumeOptions struct {
	address string
	fork    bool
	print   bool
	yes     bool
}

// ResumeCommand is "resume".
func ResumeCommand(sh *shell.Shell) *cobra.Command {
	var o resumeOptions
	cmd := &cobra.Command{
		Use:   "resume [ADDRESS|WORDS]",
		Short: "Resume a session in Claude Code",
		Long: `Run "claude --resume" for a session, in the directory it worked in last. WORDS
that only one title has name that session; if several have them, and without an address,
it lets you pick one on a terminal, where the list narrows as you type; q leaves (130).
Where there is no terminal it only prints the command, as --print-command does.

The client continues the conversation that was written last, whatever its branch.
A session that a client already runs needs --yes: two clients that write to one session
make a branch.
The program is the one named by SESSKEEP_CLAUDE, else claude in PATH.

Exit codes: those of claude · 1 there is no claude · 2 which session? · 3 not found ·
5 needs --yes`,
		Example: `  sesskeep resume 3987
  sesskeep resume flaky parser
  sesskeep resume @last --fork
  sesskeep resume 3987 --print-command`,
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.address = strings.Join(args, " ")
			return runResume(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.fork, "fork", false, "continue in a new session that starts as a copy")
	cmd.Flags().BoolVar(&o.print, "print-command", false, "only print the command")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "even if a client already runs it or its directory is gone")
	return cmd
}

func runResume(ctx context.Context, sh *shell.Shell, o resumeOptions) error {
	p, err := resumePlan(ctx, sh, o)
	if err != nil {
		return err
	}
	if err := Consent(sh, p, o.yes || o.print, "use --yes to do it all the same"); err != nil {
		return err
	}
	if o.print || !picker.Interactive(sh) {
		return sh.Out.Print(ctx, output.Listing{Value: p, Render: func(w io.Writer) error {
			_, err := fmt.Fprintln(w, resumeLine(sh, p))
			return err
		}})
	}
	return RunClient(sh, p)
}

// Consent refuses a plan that is in the way of others, unless the user agreed to
// that, and says what there is to know about it.
func Consent(sh *shell.Shell, p resume.Plan, agreed bool, hint string) error {
	if len(p.Conflicts) > 0 && !agreed {
		err := fmt.Errorf("resume %s: %s: %w", output.Head(p.Session, 8), strings.Join(p.Conflicts, "; "), errcode.ErrConflict)
		return fail.Hint(err, hint)
	}
	for _, text := range slices.Concat(p.Warnings, p.Conflicts) {
		sh.Note(text)
	}
	return nil
}

// resumePlan finds the session, or asks for it, and plans how to resume it.
func resumePlan(ctx context.Context, sh *shell.Shell, o resumeOptions) (p resume.Plan, err error) {
	if o.address == "" && !picker.Interactive(sh) {
		return p, fail.Usage("which session?", "usage: sesskeep resume ADDRESS, such as @last")
	}
	how := resume.Options{Fork: o.fork}
	if o.address == "" {
		return pickedPlan(ctx, sh, "", how)
	}
	a, target, err := sh.Find(ctx, o.address)
	if err == nil {
		return a.Resume.Plan(ctx, target, how)
	}
	if a == nil || !errors.Is(err, sesskeep.ErrNotFound) {
		return p, err
	}
	found, unread := titled(ctx, sh, a, o.address)
	switch {
	case unread != nil:
		return p, unread
	case len(found) == 0:
		return p, err
	case len(found) == 1:
		return a.Resume.PlanSession(ctx, &found[0], how)
	case picker.Interactive(sh):
		return pickedPlan(ctx, sh, o.address, how)
	}
	return p, severalMatch(o.address, found)
}

// pickedPlan lets the user pick a session, among those that have words, and plans how to
// resume it.
func pickedPlan(ctx context.Context, sh *shell.Shell, words string, how resume.Options) (resume.Plan, error) {
	a, row, err := picker.Session(ctx, sh, words)
	if err != nil {
		return resume.Plan{}, err
	}
	p, err := a.Resume.PlanSession(ctx, row, how)
	return p, errors.Join(err, a.Close()) // the client has the terminal now
}

// titled are the sessions that have all words in their titles, the most recently active
// first; of the project that -p names, if it names one.
func titled(ctx context.Context, sh *shell.Shell, a *app.App, text string) (found []catalog.Session, err error) {
	scope, err := sh.NamedScope(ctx, a)
	if err != nil {
		return nil, err
	}
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	page, err := c.List(ctx, ask.Filter{Projects: scope.IDs()})
	words := strings.Fields(strings.ToLower(text))
	for i := range page.Sessions {
		title := strings.ToLower(catalog.NameOf(&page.Sessions[i]))
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(title, word) }) {
			found = append(found, page.Sessions[i])
		}
	}
	return found, err
}

// severalMatch is the error for words that several sessions have in their titles.
func severalMatch(words string, found []catalog.Session) error {
	const few = 5
	var list []string
	for i := range found[:min(few, len(found))] {
		list = append(list, fmt.Sprintf("%s %q", found[i].Address(), catalog.NameOf(&found[i])))
	}
	text := fmt.Sprintf("%s match %q: %s", output.Plural(len(found), "session"), words, strings.Join(list, ", "))
	if len(found) > few {
		text += ", …"
	}
	return fail.Missing(text, "give more words, or an id")
}

// claudeName is how the client is called here.
func claudeName(sh *shell.Shell) string {
	if name := sh.Getenv("SESSKEEP_CLAUDE"); name != "" {
		return name
	}
	return "claude"
}

// otherHome is what CLAUDE_CONFIG_DIR has to be for the client to find a home,
// and whether it is something else now. The usual home has to be found without
// it, unless the user sets it too: where the variable names it, the client keeps its own
// state in another file.
func otherHome(sh *shell.Shell, root string) (value string, change bool) {
	root = filepath.Clean(root)
	switch set := sh.Getenv("CLAUDE_CONFIG_DIR"); {
	case set != "" && filepath.Clean(set) == root:
		return set, false
	case root == filepath.Join(sh.Home, ".claude"):
		return "", set != ""
	}
	return root, true
}

// resumeLine is the plan as a line for a POSIX shell.
func resumeLine(sh *shell.Shell, p resume.Plan) string {
	var words []string
	if p.Dir != "" {
		words = append(words, "cd", "--", output.Quote(p.Dir), "&&")
	}
	switch home, change := otherHome(sh, p.Root); {
	case change && home == "":
		words = append(words, "env", "-u", "CLAUDE_CONFIG_DIR")
	case change:
		words = append(words, "CLAUDE_CONFIG_DIR="+output.Quote(home))
	}
	words = append(words, output.Quote(claudeName(sh)))
	for _, arg := range p.Argv[1:] {
		words = append(words, output.Quote(arg))
	}
	line := strings.Join(words, " ")
	if sh.Out.Screen.TTY {
		line = term.Clean(line)
	}
	return line
}

// RunClient runs the client on our terminal until it ends.
func RunClient(sh *shell.Shell, p resume.Plan) error {
	if sh.Flags.Demo.On {
		return fail.Usage("the sessions of the sample home cannot be resumed", "with one of yours this would run: "+resumeLine(sh, p))
	}
	path, err := exec.LookPath(claudeName(sh))
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		// Not wrapped: that there is no program is not that there is no session.
		fmt.Fprintln(sh.Stdout, resumeLine(sh, p)) // whole, to be copied
		return fail.Hint(fmt.Errorf("run claude: %v", err), "install Claude Code, or name it with SESSKEEP_CLAUDE; the command is above")
	}
	cmd := exec.Command(path, p.Argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Dir, sh.Stdin, sh.Lend(), sh.LendErrors()
	home, change := otherHome(sh, p.Root)
	cmd.Env = claudeEnv(os.Environ(), home, change)
	sh.Lent.Store(true)
	err = cmd.Run()
	sh.Lent.Store(false)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if code := exit.ExitCode(); code >= 0 {
			return fail.Exit(code)
		}
		return fmt.Errorf("run claude: %w", err)
	}
	return err
}

// claudeEnv removes the variables of a client that runs us, so that the new client does not
// take itself for a nested one, and names another home if that has to change.
func claudeEnv(env []string, home string, change bool) []string {
	env = slices.DeleteFunc(env, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "CLAUDECODE" || name == "CLAUDE_CODE_ENTRYPOINT" || change && name == "CLAUDE_CONFIG_DIR"
	})
	if change && home != "" {
		env = append(env, "CLAUDE_CONFIG_DIR="+home)
	}
	return env
}
