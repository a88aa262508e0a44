package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/follow"
	"sesskeep/internal/health"
	"sesskeep/internal/history"
	"sesskeep/internal/money"
	"sesskeep/internal/paging"
	"sesskeep/internal/reading"
	"sesskeep/internal/resume"
	"sesskeep/internal/setup"
	"sesskeep/internal/storetest"
)

const zeroHome = `
-- projects/-w/c9cf1234-0000-4000-8000-000000000001.jsonl --
{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/w","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"hi"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","cwd":"/w","timestamp":"2026-11-15T10:00:05.000Z","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[{"type":"text","text":"ho"}],"usage":{"input_tokens":1000,"output_tokens":100}}}
-- projects/-w/c9cf9999-0000-4000-8000-000000000002.jsonl --
{"type":"user","uuid":"v1","parentUuid":null,"cwd":"/w","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"two"}}
`

func zeroApp(t *testing.T) *app.App {
	t.Helper()
	a, err := app.Open(app.Options{Roots: []string{storetest.Home(t, zeroHome)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// TestZeroOptions asks every question with options that say nothing.
func TestZeroOptions(t *testing.T) {
	ctx := t.Context()
	a := zeroApp(t)
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	target, err := a.Catalog.Find(ctx, "c9cf1")
	if err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func() error{
		"list":          func() error { _, err := c.List(ctx, ask.Filter{}); return err },
		"projects":      func() error { _, err := c.ListProjects(ctx, paging.Slice{}); return err },
		"conversations": func() error { _, err := c.Conversations(ctx, "w", paging.Slice{}); return err },
		"search":        func() error { _, err := a.Catalog.Search(ctx, ask.Search{}); return err },
		"usage":         func() error { _, err := a.Catalog.Reports.Usage(ctx, money.UsageOptions{}); return err },
		"windows":       func() error { _, err := a.Catalog.Reports.Usage(ctx, money.UsageOptions{By: "window"}); return err },
		"stats":         func() error { _, err := a.Catalog.Reports.Stats(ctx, money.StatsOptions{}); return err },
		"ledger":        func() error { _, err := a.Catalog.Reports.Ledger(ctx, "", money.LedgerOptions{}); return err },
		"status":        func() error { _, err := a.Catalog.Reports.Status(ctx, money.StatusOptions{}); return err },
		"session status": func() error {
			_, err := a.Catalog.Reports.Status(ctx, money.StatusOptions{Session: target.Ref.ID()})
			return err
		},
		"costs":    func() error { _, err := a.Catalog.SessionCosts(ctx, []string{target.Ref.ID()}, nil); return err },
		"prompts":  func() error { _, err := a.History.Prompts(ctx, history.PromptFilter{}); return err },
		"uses":     func() error { _, err := a.History.RecentProjects(ctx, history.PromptFilter{}); return err },
		"timeline": func() error { _, err := a.History.Timeline(ctx, history.PromptFilter{}, nil); return err },
		"commands": func() error { _, _, err := a.Setup.Commands(ctx, setup.CommandFilter{}); return err },
		"doctor":   func() error { _, err := a.Health.Doctor(ctx, health.DoctorOptions{}); return err },
		"storage":  func() error { _, err := a.Health.Storage(ctx, time.Time{}); return err },
		"states":   func() error { _, err := a.Index.States(ctx, time.Time{}); return err },
		"resume":   func() error { _, err := a.Resume.Plan(ctx, target, resume.Options{}); return err },
		"agents":   func() error { _, err := a.Catalog.Agents(ctx, target); return err },
		"files":    func() error { _, err := a.Talk.Files(ctx, target); return err },
		"ps":       func() error { _, err := a.Live.Ps(ctx, follow.PsOptions{}); return err },
		"log":      func() error { _, err := follow.Lifecycle(ctx, "none", follow.LifeFilter{}); return err },
		"read": func() error {
			s, err := a.Catalog.Read(ctx, target)
			if err != nil {
				return err
			}
			defer s.Close()
			span, err := s.Span(reading.Window{})
			if err != nil {
				return err
			}
			_, err = s.Page(ctx, span)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := ask(); err != nil {
				t.Error(err)
			}
		})
	}
}

// What stays is told at once, and ends with its caller.
func TestZeroFollowing(t *testing.T) {
	a := zeroApp(t)
	stop := errors.New("enough")
	if err := a.Live.PsWatch(t.Context(), follow.PsOptions{}, func(follow.ProcessPage) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("ps: got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := a.Live.Watch(ctx, follow.WatchOptions{Ready: func(int) { cancel() }}, func(follow.Event) error { return nil })
	if err != nil && errcode.Of(err) != errcode.Canceled {
		t.Errorf("watch: got %v", err)
	}
}

// TestCodes holds what methods promise about their errors.
func TestCodes(t *testing.T) {
	a := zeroApp(t)
	c, err := a.Catalog.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		want errcode.Code
		ask  func(ctx context.Context) error
	}{
		{errcode.NotFound, func(ctx context.Context) error { _, err := a.Catalog.Find(ctx, "ffff"); return err }},
		{errcode.Ambiguous, func(ctx context.Context) error { _, err := a.Catalog.Find(ctx, "c9cf"); return err }},
		{errcode.NoProject, func(context.Context) error { _, err := c.FindProject("nowhere"); return err }},
		{errcode.NoProject, func(ctx context.Context) error { _, err := c.Project(ctx, "nowhere"); return err }},
		{errcode.Invalid, func(ctx context.Context) error { _, err := c.List(ctx, ask.Filter{Sort: "?"}); return err }},
		{errcode.Invalid, func(ctx context.Context) error {
			_, err := a.Catalog.Reports.Usage(ctx, money.UsageOptions{By: "?"})
			return err
		}},
		{errcode.Invalid, func(ctx context.Context) error { _, err := c.List(ctx, ask.Filter{Cursor: "?"}); return err }},
		{errcode.Invalid, func(ctx context.Context) error {
			_, err := a.Catalog.Search(ctx, ask.Search{Cursor: "?"})
			return err
		}},
		{errcode.Invalid, func(ctx context.Context) error {
			_, err := c.ListProjects(ctx, paging.Slice{Cursor: "?"})
			return err
		}},
		{errcode.NoHome, func(context.Context) error {
			_, err := app.Open(app.Options{Roots: []string{"/nowhere/at/all"}})
			return err
		}},
		{errcode.Canceled, func(context.Context) error { _, err := c.List(gone, ask.Filter{}); return err }},
		{"", func(ctx context.Context) error { _, err := c.List(ctx, ask.Filter{}); return err }},
	} {
		if err := test.ask(t.Context()); errcode.Of(err) != test.want {
			t.Errorf("%v: got %q, want %q", err, errcode.Of(err), test.want)
		}
	}
}
