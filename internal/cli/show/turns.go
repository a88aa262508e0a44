package show

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// TurnsCommand is "session usage".
func TurnsCommand(sh *shell.Shell) *cobra.Command {
	var o usage.MoneyOptions
	cmd := shell.AddressCommand(sh, "usage", "Show context and cost of a session, prompt by prompt", func(ctx context.Context, address string) error {
		return runTurns(ctx, sh, address, o)
	})
	cmd.Long = `Show what each prompt of a session cost and how full the context was when Claude had
answered it. AGENTS is the cost of the agents that ran meanwhile; it is not part of
COST. NEW is what was not read from the cache: a large figure after a pause means that
the cache had expired. A prompt that follows a compaction is marked.

It covers all branches of the session and marks those that "claude --resume" would not
continue; an address such as 3987:fb6d names one branch. Messages that a fork copied cost
nothing here: they count in the session they came from.`
	cmd.Example = `  sesskeep session usage 3987
  sesskeep session usage @last --json
  sesskeep session usage 3987 --jq '.turns[] | select(.compactionCount > 0) | .text'`
	o.Register(cmd)
	return cmd
}

func runTurns(ctx context.Context, sh *shell.Shell, address string, o usage.MoneyOptions) error {
	zone, prices, err := usage.ReadMoney(ctx, sh, o)
	if err != nil {
		return err
	}
	a, target, err := sh.Find(ctx, address)
	if err != nil {
		return err
	}
	page, err := a.Talk.TurnUsage(ctx, target, prices)
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "turns",
		Table: func(s term.Screen) *term.Table {
			if !s.TTY {
				return turnRows(&page)
			}
			return turnTable(s, &page, zone)
		},
		Footer: turnFooter(&page),
		Empty:  "This session has no prompts.",
	})
}

// turnTable is a session turn by turn for people.
func turnTable(s term.Screen, page *talk.TurnUsagePage, zone *time.Location) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "time", Style: term.Cyan}, {Title: "prompt", Flex: true, Min: 20}, {Title: "cost", Right: true},
		{Title: "context", Right: true}, {Title: "new", Right: true}, {Title: "output", Right: true},
		{Title: "agents", Right: true}, {Title: "", Style: term.Yellow},
	}}
	day := ""
	for i := range page.Turns {
		u := &page.Turns[i]
		when := u.Time.In(zone).Format("15:04")
		if d := u.Time.In(zone).Format("01-02"); d != day {
			day, when = d, d+" "+when
		}
		if u.Time.IsZero() {
			when = ""
		}
		text := u.Text
		if text == "" {
			text = "(no prompt)"
		}
		cells := output.Cells([]string{
			when, text, ownCost(u), tokensOrNone(u.Context), tokensOrNone(u.Usage.Context() - u.Usage.CacheRead),
			tokensOrNone(u.Usage.Output), agentsCost(u), turnNote(u, page.Leaf != ""),
		})
		t.Row(cells...)
	}
	return t
}

func ownCost(u *talk.TurnUsage) string {
	if u.Messages == 0 {
		return ""
	}
	return u.Cost.String()
}

func agentsCost(u *talk.TurnUsage) string {
	if u.Agents == nil {
		return ""
	}
	return u.Agents.Cost.String()
}

func tokensOrNone(n int64) string {
	if n == 0 {
		return ""
	}
	return term.Tokens(n)
}

// turnNote is what is unusual about a turn.
func turnNote(u *talk.TurnUsage, oneBranch bool) string {
	var notes []string
	switch {
	case u.Compactions == 1:
		notes = append(notes, "compacted")
	case u.Compactions > 1:
		notes = append(notes, fmt.Sprintf("compacted %d times", u.Compactions))
	}
	if !u.Active && !oneBranch {
		notes = append(notes, "other branch")
	}
	if u.Elsewhere > 0 && u.Messages == 0 {
		notes = append(notes, "copied")
	}
	return strings.Join(notes, ", ")
}

// turnRows is the same for programs: whole figures.
func turnRows(page *talk.TurnUsagePage) *term.Table {
	t := &term.Table{}
	for _, title := range []string{
		"time", "prompt", "cost_usd", "context", "input", "output", "cache_read", "cache_write_5m", "cache_write_1h",
		"messages", "agents_usd", "compactions", "active", "id",
	} {
		t.Columns = append(t.Columns, term.Column{Title: title})
	}
	n := func(n int64) string { return strconv.FormatInt(n, 10) }
	for i := range page.Turns {
		u := &page.Turns[i]
		agents, when := "", ""
		if u.Agents != nil {
			agents = usage.Dollars(u.Agents.Cost)
		}
		if !u.Time.IsZero() {
			when = u.Time.UTC().Format(time.RFC3339)
		}
		t.Row(output.Cells([]string{
			when, u.Text, usage.Dollars(u.Cost), n(u.Context), n(u.Usage.Input), n(u.Usage.Output), n(u.Usage.CacheRead),
			n(u.Usage.CacheWrite5m), n(u.Usage.CacheWrite1h), n(int64(u.Messages)), agents, n(int64(u.Compactions)),
			strconv.FormatBool(u.Active), u.ID,
		})...)
	}
	return t
}

func turnFooter(page *talk.TurnUsagePage) string {
	elsewhere := 0
	for i := range page.Turns {
		elsewhere += page.Turns[i].Elsewhere
	}
	text := output.Plural(page.Total, "prompt") + " · " + page.Totals.Cost.String() + " with agents · " + usage.PricedWith(page.Prices, nil)
	if elsewhere > 0 {
		text += " · " + output.Plural(elsewhere, "message") + " counted in another session"
	}
	return text
}
