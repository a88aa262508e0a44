package usage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/money"
	"sesskeep/internal/statusline"

	"github.com/spf13/cobra"
)

// A status line is drawn while somebody waits for it: what is not there after so many
// times the patience of other commands is left out.
const (
	statusTimes = 5
	stdinTimes  = 3
)

func statuslineCommand(sh *shell.Shell, money *MoneyOptions) *cobra.Command {
	wrap := ""
	cmd := &cobra.Command{
		Use:   "statusline",
		Short: "Print costs for the status line of Claude Code",
		Long: `Print one short line for the status line of Claude Code: what the session cost, with
its agents, and what today cost in all projects. The session is the one in the JSON
that Claude writes to standard input. It never fails and never waits long: what is
not known in time is left out, or taken from what Claude says itself.

What Claude gives only to a status line, and writes to no file, is kept: the limits of
your plan, for "usage --windows", and the size of a session's context, for "ps" and
"watch".

"statusline install" puts it into the settings of Claude Code, around a status line that
you have already: with --wrap it prints what your own command prints.`,
		Example: "  sesskeep usage statusline install\n  sesskeep usage statusline --tz UTC < status.json\n  sesskeep usage statusline --wrap ~/my-line.sh < status.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if wrap != "" {
				return runWrapped(cmd.Context(), sh, wrap)
			}
			runStatusline(cmd.Context(), sh, *money)
			return nil
		},
	}
	cmd.Flags().StringVar(&wrap, "wrap", "", "run this `COMMAND` of yours with the same input, and print what it prints")
	return cmd
}

func runStatusline(ctx context.Context, sh *shell.Shell, o MoneyOptions) {
	patience := cmp.Or(sh.Patience, time.Minute)
	ctx, cancel := context.WithTimeout(ctx, statusTimes*patience)
	defer cancel()
	in := readStatus(sh.Stdin, stdinTimes*patience)
	line := make(chan string, 1)
	// Whatever hangs, a file system too, must not hang Claude: the process ends
	// with this one.
	go func() {
		keepStatus(sh, in)
		line <- statusText(ctx, sh, in, o)
	}()
	text := ""
	select {
	case text = <-line:
	case <-ctx.Done():
	}
	if text == "" && in.USD > 0 {
		text = fmt.Sprintf("$%.2f session", in.USD)
	}
	if text != "" {
		_, _ = fmt.Fprintln(sh.Stdout, text) // a status line has no place for an error
	}
}

// noLine says what could not be read. What is not there is no reason for words.
func noLine(sh *shell.Shell, err error) string {
	if !errors.Is(err, fs.ErrNotExist) {
		sh.Report(fail.Wording(err))
	}
	return ""
}

// statusText makes the line; it is empty if that does not work, and standard error, which
// the client does not show, says why.
func statusText(ctx context.Context, sh *shell.Shell, in statusline.Report, o MoneyOptions) string {
	sh.Out.Flags.Quiet = true
	zone, prices, err := ReadMoney(ctx, sh, o)
	if err != nil { // a line with list prices is better than none
		zone = sh.Now().Location()
		if prices, err = money.ReadPrices(ctx, ""); err != nil {
			return ""
		}
	}
	a, done, err := sh.Open()
	if err != nil {
		return noLine(sh, err)
	}
	defer done()
	s, err := a.Catalog.Reports.Status(ctx, money.StatusOptions{Session: in.Session, Transcript: in.Transcript, Now: sh.Now().In(zone), Prices: prices})
	if err != nil {
		return noLine(sh, err)
	}
	var parts []string
	if total := s.Session.Total(); total.Messages > 0 {
		text := total.Cost.String() + " session"
		if s.Session.Agents.Messages > 0 {
			text += fmt.Sprintf(" (%s agents)", s.Session.Agents.Cost.String())
		}
		parts = append(parts, text)
	}
	parts = append(parts, s.Today.Cost.String()+" today")
	return strings.Join(parts, sh.Out.Gap())
}

// keepStatus keeps what no file of the client has, for other commands.
func keepStatus(sh *shell.Shell, in statusline.Report) {
	if dir, err := sh.Dirs().Data(); err == nil {
		_ = statusline.Open(dir).Keep(in, sh.Now()) // the next report comes soon
	}
}

// readStatus reads what Claude wrote to standard input. A terminal, or a writer
// that never ends, is not waited for.
func readStatus(r io.Reader, patience time.Duration) statusline.Report {
	got := make(chan statusline.Report, 1)
	go func() {
		var in json.RawMessage
		_ = json.NewDecoder(io.LimitReader(r, 1<<20)).Decode(&in)
		got <- statusline.Parse(in)
	}()
	select {
	case s := <-got:
		return s
	case <-time.After(patience):
		return statusline.Report{}
	}
}
