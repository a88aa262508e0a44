// Package picker lets the user pick something on the terminal: a session to resume or to
// watch, or a hit of a search.
package picker

import (
	"context"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/follow"
	"sesskeep/internal/keys"
	"sesskeep/internal/tui"
)

// Hit lets the user search until they pick a hit, and returns its address.
func Hit(ctx context.Context, sh *shell.Shell) (string, error) {
	a, err := shell.OpenLive(sh)
	if err != nil {
		return "", err
	}
	picked, err := tui.PickOne(ctx, Screen(sh, a), tui.Pick{Title: "show which hit?", Search: true})
	return picked.Address, err
}

// Session lets the user pick the session to resume. The list starts with those that have
// words, of all projects.
func Session(ctx context.Context, sh *shell.Shell, words string) (*app.App, *catalog.Session, error) {
	if words != "" && sh.Flags.Project == "" {
		sh.Flags.All = true
	}
	a, err := shell.OpenLive(sh)
	if err != nil {
		return nil, nil, err
	}
	picked, err := tui.PickOne(ctx, Screen(sh, a), tui.Pick{Title: "resume which session?", Words: words})
	return a, picked.Session, err
}

// Watched lets the user pick the session to watch, or all that run. The last turn of the
// picked one is shown first.
func Watched(ctx context.Context, sh *shell.Shell, a *app.App, w *follow.WatchOptions) error {
	picked, err := tui.PickOne(ctx, Screen(sh, a), tui.Pick{Title: "watch which session?", All: "all that run"})
	if err != nil || picked.Session == nil {
		return err
	}
	t, err := a.Catalog.FindIn(ctx, picked.Session.Root, picked.Session.ID)
	w.Targets = []follow.WatchTarget{{Store: t.Store, Ref: t.Ref, LastTurn: true}}
	return err
}

// Screen is how the interface is shown here.
func Screen(sh *shell.Shell, a *app.App) tui.Options {
	keys.Bind(sh.Config().Bindings())
	return tui.Options{App: a, Stdin: sh.Stdin, Stdout: sh.Lend(), Env: findTerminal(sh), Screen: sh.Out.Screen, Now: sh.Now, Scope: sh.OneProject}
}

// Interactive reports whether an interface can be shown: both ends are a
// terminal that can move its cursor.
func Interactive(sh *shell.Shell) bool {
	return sh.Stdout.TTY() && sh.Asks() && !Dumb(sh)
}

// Dumb reports whether the terminal can only write line after line.
func Dumb(sh *shell.Shell) bool { return sh.Getenv("TERM") == "dumb" }

// findTerminal is what a terminal is known by.
func findTerminal(sh *shell.Shell) []string {
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
