package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/follow"
	"sesskeep/internal/term"
	"sesskeep/internal/tui"

	xterm "golang.org/x/term"
)

// asks reports whether there is a person to ask: both ends are a terminal, and
// the answer is not for a program.
func (sh *shell) asks() bool {
	return sh.typed() && sh.screen.TTY && sh.flags.json == "" && !sh.flags.jsonl && sh.flags.jq == ""
}

// typed reports whether standard input is a terminal.
func (sh *shell) typed() bool {
	in, ok := sh.Stdin.(*os.File)
	return ok && xterm.IsTerminal(int(in.Fd()))
}

// pickSearch has somebody search until a hit is picked, and shows it.
func pickSearch(ctx context.Context, sh *shell) error {
	a, err := openLive(sh)
	if err != nil {
		return err
	}
	picked, err := tui.PickOne(ctx, onScreen(sh, a), tui.Pick{Title: "show which hit?", Search: true})
	if err != nil {
		return err
	}
	return runShow(ctx, sh, showOptions{address: picked.Address, thinking: "peek", tools: "card"})
}

// pickResume has somebody pick the session to go on with.
func (sh *shell) pickResume(ctx context.Context) (*app.App, *catalog.Session, error) {
	a, err := openLive(sh)
	if err != nil {
		return nil, nil, err
	}
	picked, err := tui.PickOne(ctx, onScreen(sh, a), tui.Pick{Title: "resume which session?"})
	return a, picked.Session, err
}

// pickWatched has somebody pick the session to watch, or all that run. Of the one
// picked the last turn is told first.
func (sh *shell) pickWatched(ctx context.Context, a *app.App, w *follow.WatchOptions) error {
	picked, err := tui.PickOne(ctx, onScreen(sh, a), tui.Pick{Title: "watch which session?", All: "all that run"})
	if err != nil || picked.Session == nil {
		return err
	}
	t, err := a.Catalog.FindIn(ctx, picked.Session.Root, picked.Session.ID)
	w.Targets = []follow.WatchTarget{{Store: t.Store, Ref: t.Ref, LastTurn: true}}
	return err
}

// prompt asks for a line; the second result is false when there are no more.
func (sh *shell) prompt(ctx context.Context, in <-chan string, text string) (string, bool) {
	fmt.Fprint(sh.Stdout, sh.screen.Paint(term.Bold, text))
	select {
	case line, ok := <-in:
		if !ok {
			fmt.Fprintln(sh.Stdout)
		}
		return line, ok
	case <-ctx.Done():
		fmt.Fprintln(sh.Stdout)
		return "", false
	}
}

// oneLine reads a line and not a byte more: what is typed after it is for others.
func oneLine(r io.Reader) <-chan string {
	typed := make(chan string, 1)
	go func() {
		defer close(typed)
		var line []byte
		for b := make([]byte, 1); ; {
			n, err := r.Read(b)
			if n > 0 && b[0] != '\n' {
				line = append(line, b[0])
				continue
			}
			if n == 0 && err == nil {
				continue
			}
			if n > 0 || len(line) > 0 {
				typed <- strings.TrimSpace(string(line))
			}
			return
		}
	}()
	return typed
}
