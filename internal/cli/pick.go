package cli

import (
	"context"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/follow"
	"sesskeep/internal/tui"
)

// pickHit lets the user search until they pick a hit, and returns its address.
func pickHit(ctx context.Context, sh *shell) (string, error) {
	a, err := openLive(sh)
	if err != nil {
		return "", err
	}
	picked, err := tui.PickOne(ctx, onScreen(sh, a), tui.Pick{Title: "show which hit?", Search: true})
	return picked.Address, err
}

// pickResume has somebody pick the session to go on with.
func pickResume(ctx context.Context, sh *shell) (*app.App, *catalog.Session, error) {
	a, err := openLive(sh)
	if err != nil {
		return nil, nil, err
	}
	picked, err := tui.PickOne(ctx, onScreen(sh, a), tui.Pick{Title: "resume which session?"})
	return a, picked.Session, err
}

// pickWatched has somebody pick the session to watch, or all that run. Of the one
// picked the last turn is told first.
func pickWatched(ctx context.Context, sh *shell, a *app.App, w *follow.WatchOptions) error {
	picked, err := tui.PickOne(ctx, onScreen(sh, a), tui.Pick{Title: "watch which session?", All: "all that run"})
	if err != nil || picked.Session == nil {
		return err
	}
	t, err := a.Catalog.FindIn(ctx, picked.Session.Root, picked.Session.ID)
	w.Targets = []follow.WatchTarget{{Store: t.Store, Ref: t.Ref, LastTurn: true}}
	return err
}

// onScreen is how the interface is shown here.
func onScreen(sh *shell, a *app.App) tui.Options {
	return tui.Options{App: a, Stdin: sh.Stdin, Stdout: sh.lend(), Env: findTerminal(sh), Screen: sh.out.screen, Now: sh.Now, Scope: sh.scope}
}

// interactive reports whether an interface can be shown: both ends are a
// terminal that can move its cursor.
func interactive(sh *shell) bool {
	return sh.Stdout.TTY() && sh.asks() && !dumbTerminal(sh)
}

// dumbTerminal reports whether the terminal can only write line after line.
func dumbTerminal(sh *shell) bool { return sh.Getenv("TERM") == "dumb" }

// findTerminal is what a terminal is known by.
func findTerminal(sh *shell) []string {
	var env []string
	for _, name := range []string{
		"TERM", "COLORTERM", "TERM_PROGRAM", "TMUX", "STY", "SSH_TTY", "WT_SESSION",
		"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
	} {
		if value, ok := sh.Lookup(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
