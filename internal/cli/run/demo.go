package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/clientline"
	"sesskeep/internal/regular"
	"sesskeep/internal/runs"
	"sesskeep/internal/standin"

	"github.com/spf13/cobra"
)

// demoOptions makes this program stand in for the client of runs in the sample home.
func demoOptions(sh *shell.Shell, o *runs.Options) {
	o.Client, o.ClientArgs = sh.Program, []string{"run", "standin"}
	if len(o.Holder) > 0 {
		o.Holder = []string{o.Holder[0], "--demo", "run", "hold"}
	}
}

// DemoWork is where runs work in the sample home unless a directory is named. It is replaced with
// the home.
func DemoWork(sh *shell.Shell) (string, error) {
	dir := filepath.Join(sh.Dirs().Below, "work")
	return dir, regular.MkdirAll(dir, 0o700)
}

// demoRun is a run that the sample home has from the start.
type demoRun struct {
	purpose, prompt string
	steps           []standin.Step
}

// demoRuns wait for answers of both kinds: a permission, and choices.
var demoRuns = []demoRun{
	{
		purpose: "Release 1.4 of the parser", prompt: "Tag release 1.4 of the parser and push the tag.",
		steps: []standin.Step{
			{Word: "say", Value: "The tests pass and the changelog has all 23 commits since 1.3. What is left is the tag."},
			{Word: "use", Value: "Bash", Input: clientline.Object{"command", "git tag -a v1.4 -m 'parser 1.4' && git push origin v1.4", "description", "Tag the release and push the tag"},
				Denied: "Then I leave the tag to you. Nothing was pushed."},
			{Word: "say", Value: "You allowed it. In the sample home no command runs, so there is no tag."},
		},
	},
	{
		purpose: "Rate limit for the login", prompt: "Add a rate limit to POST /login.",
		steps: []standin.Step{
			{Word: "say", Value: "There are two ways to count attempts. I need two decisions before I change anything."},
			{Word: "use", Value: "AskUserQuestion", Denied: "Then I change nothing.", Input: clientline.Object{"questions", []any{
				question("What should an attempt be counted by?", "Key", false, "IP address", "Account", "Both"),
				question("Where should blocked attempts be reported?", "Report", true, "Log line", "Metric", "Mail to the account"),
			}}},
			{Word: "say", Value: "Thank you. Claude would now write the limiter; in the sample home nothing is written."},
		},
	},
}

// question is one as the client puts it.
func question(text, header string, several bool, labels ...string) clientline.Object {
	var options []any
	for _, label := range labels {
		options = append(options, clientline.Object{"label", label, "description", ""})
	}
	return clientline.Object{"question", text, "header", header, "multiSelect", several, "options", options}
}

// demoSteps is the answer to a prompt in the sample home.
func demoSteps(prompt string) []standin.Step {
	for i := range demoRuns {
		if demoRuns[i].prompt == strings.TrimSpace(prompt) {
			return demoRuns[i].steps
		}
	}
	const here = "This is the sample home: no model answers here, and no command runs."
	if asks := strings.HasSuffix(strings.TrimSpace(prompt), "?"); asks || len(strings.Fields(prompt)) < 3 {
		return []standin.Step{{Word: "say", Value: here}}
	}
	return []standin.Step{
		{Word: "say", Value: here + " Claude might run the tests first, and ask you for permission."},
		{Word: "use", Value: "Bash", Input: clientline.Object{"command", "go test ./...", "description", "Run the tests"}, Denied: "You denied it, so I stop here."},
		{Word: "say", Value: "You allowed it. Claude would continue with what the tests print."},
	}
}

func runStandInCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "standin", Short: "Stand in for the client in the sample home; runs start this", Hidden: true, DisableFlagParsing: true,
		Example: "  sesskeep run standin -p",
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "--help") { // no flag is parsed
				return cmd.Help()
			}
			code := standin.Run(standin.Options{
				Args: args, Getenv: sh.Getenv, Stdin: sh.Stdin, Stdout: sh.Stdout, Stderr: sh.Stderr, Exit: os.Exit,
				Model: "claude-opus-4-5-20251101", Anywhere: true, Steps: demoSteps,
			})
			if code != 0 {
				return fmt.Errorf("the stand-in ended with exit code %d", code)
			}
			return nil
		},
	}
}

// How long the runs of the sample home wait, and how long a command waits until they do.
const (
	demoWait  = 50 * time.Minute
	demoStart = 5 * time.Second
)

// StartDemo starts the runs that the sample home has from the start, unless it has them.
func StartDemo(sh *shell.Shell, r *runs.Runs, dir string) {
	if err := startDemoRuns(context.Background(), sh, r, dir); err != nil {
		sh.Note("the runs of the sample home: " + err.Error())
	}
}

// startDemoRuns starts the runs that the sample home has from the start, unless it has them.
func startDemoRuns(ctx context.Context, sh *shell.Shell, r *runs.Runs, dir string) error {
	program, err := sh.Program()
	if err != nil || !filepath.IsAbs(program) {
		return err
	}
	if err := regular.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	mark, err := regular.OpenFile(filepath.Join(dir, "samples"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if os.IsExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := mark.Close(); err != nil {
		return err
	}
	work, err := DemoWork(sh)
	if err != nil {
		return err
	}
	roots, err := sh.Roots()
	if err != nil {
		return err
	}
	for i := range demoRuns {
		p, err := r.Plan(runs.Order{
			Dir: work, Prompt: demoRuns[i].prompt, Purpose: demoRuns[i].purpose, Root: sh.Absolute(roots)[0], By: shell.Actor(sh),
			Limits: runs.Limits{Answer: demoWait, Idle: demoWait},
		})
		if err == nil {
			_, err = r.Start(ctx, p)
		}
		if err != nil {
			return err
		}
	}
	for end := time.Now().Add(demoStart); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if page, err := r.Inbox(ctx); err != nil || page.Total >= len(demoRuns) {
			return err
		}
	}
	return nil
}
