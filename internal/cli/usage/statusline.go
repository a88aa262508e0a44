package usage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	wrap, form := "", usualLine
	cmd := &cobra.Command{
		Use:   "statusline",
		Short: "Print costs for the status line of Claude Code",
		Long: `Print one short line for the status line of Claude Code: what the session cost, with
its agents, and what today cost in all projects. The session is the one in the JSON
that Claude writes to standard input. It never fails and never waits long: what is
not known in time is left out, or taken from what Claude says itself.

--line chooses what it shows, and the key statusline.line of config.toml does so for
good: parts with | between them, in which {session}, {agents}, {today}, {context},
{context%}, {window}, {model}, {5h}, {5h-resets}, {5h-full}, {7d}, {7d-resets} and
{7d-full} stand for values. A part is left out if a value of it is not known. --line json
writes all of them as one line of JSON.

What Claude gives only to a status line, and writes to no file, is kept: the limits of
your plan, for "usage --windows", and the size of a session's context, for "ps" and
"watch".

"statusline install" puts it into the settings of Claude Code, around a status line that
you have already: with --wrap it prints what your own command prints.`,
		Example: "  sesskeep usage statusline install\n  sesskeep usage statusline --tz UTC < status.json\n  sesskeep usage statusline --line '{context} {context%}|5h {5h}|{today} today' < status.json\n  sesskeep usage statusline --wrap ~/my-line.sh < status.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if wrap != "" {
				return runWrapped(cmd.Context(), sh, wrap)
			}
			runStatusline(cmd.Context(), sh, *money, form)
			return nil
		},
	}
	cmd.Flags().StringVar(&form, "line", usualLine, "show these `PARTS`, or json")
	cmd.Flags().StringVar(&wrap, "wrap", "", "run this `COMMAND` of yours with the same input, and print what it prints")
	return cmd
}

func runStatusline(ctx context.Context, sh *shell.Shell, o MoneyOptions, form string) {
	patience := cmp.Or(sh.Patience, time.Minute)
	ctx, cancel := context.WithTimeout(ctx, statusTimes*patience)
	defer cancel()
	in := readStatus(sh.Stdin, stdinTimes*patience)
	line := make(chan string, 1)
	// Whatever hangs, a file system too, must not hang Claude: the process ends
	// with this one.
	go func() {
		keepStatus(sh, in)
		line <- statusText(ctx, sh, in, o, form)
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
func noLine(sh *shell.Shell, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		sh.Report(fail.Wording(err))
	}
}

// jsonLine is the format in which a line is JSON.
const jsonLine = "json"

// statusText makes the line; it is empty if that does not work, and standard error, which
// the client does not show, says why.
func statusText(ctx context.Context, sh *shell.Shell, in statusline.Report, o MoneyOptions, form string) string {
	sh.Out.Flags.Quiet = true
	if err := CheckLine(form); form != jsonLine && err != nil {
		sh.Report(err.Error())
		form = usualLine
	}
	zone, prices, err := ReadMoney(ctx, sh, o)
	if err != nil { // a line with list prices is better than none
		zone = sh.Now().Location()
		if prices, err = money.ReadPrices(ctx, ""); err != nil {
			return ""
		}
	}
	var known *money.Status
	if s, err := readSpent(ctx, sh, in, zone, prices); err == nil {
		known = &s
	} else {
		noLine(sh, err)
	}
	l := newStatusLine(sh, in, known, zone)
	if form == jsonLine {
		return l.encoded()
	}
	return l.text(form, sh.Out.Gap())
}

// readSpent is what the session and today cost.
func readSpent(ctx context.Context, sh *shell.Shell, in statusline.Report, zone *time.Location, prices *money.Prices) (money.Status, error) {
	a, done, err := sh.Open()
	if err != nil {
		return money.Status{}, err
	}
	defer done()
	return a.Catalog.Reports.Status(ctx, money.StatusOptions{Session: in.Session, Transcript: in.Transcript, Now: sh.Now().In(zone), Prices: prices})
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
