package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"sesskeep/internal/money"

	"github.com/spf13/cobra"
)

// A status line is drawn while somebody waits for it.
const (
	statusTime  = 1500 * time.Millisecond
	statusStdin = 300 * time.Millisecond
)

func statuslineCommand(sh *shell, money *moneyOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "statusline",
		Short: "Print costs for the status line of Claude Code",
		Long: `Print one short line for the status line of Claude Code: what the session cost, with
its agents, and what today cost in all projects. The session is the one in the JSON
that Claude writes to standard input. It never fails and never waits long: what is
not known in time is left out, or taken from what Claude says itself.

To use it, put this into ~/.claude/settings.json:

  "statusLine": {"type": "command", "command": "sesskeep usage statusline"}`,
		Example: "  sesskeep usage statusline\n  sesskeep usage statusline --tz UTC < status.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runStatusline(cmd.Context(), sh, *money)
			return nil
		},
	}
}

// claudeStatus is what Claude tells a status line, as far as we use it.
type claudeStatus struct {
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Cost       struct {
		USD float64 `json:"total_cost_usd"`
	} `json:"cost"`
}

func runStatusline(ctx context.Context, sh *shell, o moneyOptions) {
	ctx, cancel := context.WithTimeout(ctx, statusTime)
	defer cancel()
	in := readStatus(sh.Stdin)
	line := make(chan string, 1)
	// Whatever hangs, a file system too, must not hang Claude: the process ends
	// with this one.
	go func() { line <- sh.statusline(ctx, in, o) }()
	text := ""
	select {
	case text = <-line:
	case <-ctx.Done():
	}
	if text == "" && in.Cost.USD > 0 {
		text = fmt.Sprintf("$%.2f session", in.Cost.USD)
	}
	if text != "" {
		_, _ = fmt.Fprintln(sh.Stdout, text) // nobody to tell
	}
}

// statusline makes the line; it is empty if that does not work.
func (sh *shell) statusline(ctx context.Context, in claudeStatus, o moneyOptions) string {
	sh.flags.quiet = true
	zone, prices, err := sh.money(o)
	if err != nil { // a line with list prices is better than none
		zone = sh.Now().Location()
		if prices, err = money.ReadPrices(""); err != nil {
			return ""
		}
	}
	a, done, err := sh.open()
	if err != nil {
		return ""
	}
	defer done()
	s, err := a.Status(ctx, money.StatusOptions{Session: in.Session, Transcript: in.Transcript, Now: sh.Now().In(zone), Prices: prices})
	if err != nil {
		return ""
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
	return strings.Join(parts, sh.gap())
}

// readStatus reads what Claude wrote to standard input. A terminal, or a writer
// that never ends, is not waited for.
func readStatus(r io.Reader) claudeStatus {
	got := make(chan claudeStatus, 1)
	go func() {
		var s claudeStatus
		_ = json.NewDecoder(io.LimitReader(r, 1<<20)).Decode(&s)
		got <- s
	}()
	select {
	case s := <-got:
		return s
	case <-time.After(statusStdin):
		return claudeStatus{}
	}
}
