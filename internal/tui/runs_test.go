package tui

import (
	"encoding/json"
	"testing"
	"time"

	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/tui/pagetest"
)

// someRuns are three runs, of which one asks.
func someRuns() runningMsg {
	run := func(id, state, title string, ago time.Duration) holder.Record {
		r := holder.Record{}
		r.ID, r.Title, r.Dir = id, title, "/home/ada/src/shop-api"
		r.State, r.Mode, r.Model, r.Turns = launch.State(state), "default", "claude-opus-5-5", 2
		r.CreatedAt.Time, r.Since.Time = pagetest.Now.Add(-ago), pagetest.Now.Add(-ago)
		r.SessionID = "5ed27b6c-0d8e-4ac1-9b0e-0000000000" + id[1:] + id[1:]
		r.Cost.USD = 0.42
		return r
	}
	msg := runningMsg{Known: true, Runs: []holder.Record{
		run("r9", "needs you", "Add idempotency keys", 9*time.Second),
		run("r8", "working", "Docs sweep", 3*time.Minute),
		run("r7", "ended", "Update the changelog", 2*time.Hour),
	}}
	item := runs.InboxItem{RunID: "r9", SessionID: msg.Runs[0].SessionID, Dir: "/home/ada/src/shop-api", Title: "Add idempotency keys"}
	item.ID, item.Kind, item.Tool, item.Description, item.Hash = "p", "permission", "Bash", "Remove the old build", "h"
	item.Input = json.RawMessage(`{"command":"rm -rf build && \u202egnp.x","timeout":5000}`)
	item.Since.Time, item.Deadline.Time = pagetest.Now.Add(-9*time.Second), pagetest.Now.Add(14*time.Minute+51*time.Second)
	item.Rules = append(item.Rules, launch.Rule{Text: "Bash(rm:*)", File: "localSettings"})
	msg.Inbox = []runs.InboxItem{item}
	return msg
}

// TestRunPages draws the pages about runs.
func TestRunPages(t *testing.T) {
	m := openDemo(t)
	press(m, "6")
	wantText(t, m, "Nothing can be run here.")
	m.world.Runs = runs.New(runs.Options{Dir: t.TempDir(), Client: func() (string, error) { return "", errcode.ErrNoClient }})
	m.world.Dir = "/home/ada/src/shop-api"
	m.running(someRuns())
	m.Update(resizedMsg{})
	wantGolden(t, m, "runs-80x24")
	wantText(t, m, "◆ 1 needs you")
	press(m, "i")
	wantGolden(t, m, "inbox-80x24")
	press(m, "?")
	wantText(t, m, "allow what it asks, once", "deny what it asks")
	press(m, "esc", "6", "+")
	wantGolden(t, m, "new-run-80x24")
	press(m, "x", "enter")
	wantText(t, m, "run in /home/ada/src/shop-api: there is no such directory")
}
