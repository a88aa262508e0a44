package cli

import (
	"context"
	"os"

	"sesskeep/internal/app"
	"sesskeep/internal/follow"
	"sesskeep/internal/tui"

	xterm "golang.org/x/term"
)

// asks reports whether there is a person to ask: both ends are a terminal, and
// the answer is not for a program.
func (sh *shell) asks() bool {
	in, ok := sh.Stdin.(*os.File)
	return ok && xterm.IsTerminal(int(in.Fd())) && sh.screen.TTY &&
		sh.flags.json == "" && !sh.flags.jsonl && sh.flags.jq == ""
}

// pickSearch has somebody search until a hit is picked, and shows it.
func pickSearch(ctx context.Context, sh *shell) error {
	a, err := sh.openLive()
	if err != nil {
		return err
	}
	picked, err := tui.PickOne(ctx, sh.onScreen(a), tui.Pick{Title: "show which hit?", Search: true})
	if err != nil {
		return err
	}
	return runShow(ctx, sh, showOptions{address: picked.Address, thinking: "peek", tools: "card"})
}

// pickResume has somebody pick the session to go on with.
func (sh *shell) pickResume(ctx context.Context) (*app.App, *app.Session, error) {
	a, err := sh.openLive()
	if err != nil {
		return nil, nil, err
	}
	picked, err := tui.PickOne(ctx, sh.onScreen(a), tui.Pick{Title: "resume which session?"})
	return a, picked.Session, err
}

// pickWatched has somebody pick the session to watch, or all that run. Of the one
// picked the last turn is told first.
func (sh *shell) pickWatched(ctx context.Context, a *app.App, w *follow.WatchOptions) error {
	picked, err := tui.PickOne(ctx, sh.onScreen(a), tui.Pick{Title: "watch which session?", All: "all that run"})
	if err != nil || picked.Session == nil {
		return err
	}
	t, err := a.FindIn(ctx, picked.Session.Root, picked.Session.ID)
	w.Targets = []follow.WatchTarget{{Store: t.Store, Ref: t.Ref, LastTurn: true}}
	return err
}
