package list

import (
	"context"
	"fmt"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"
)

// What a person sees of a list before all is read: after how long, and how much.
const (
	soon     = 800 * time.Millisecond
	soonRows = 15
)

// printSoon prints a list that the first reading of a large home keeps waiting.
// A person is shown the newest rows meanwhile; programs get the whole list and
// nothing else. The list is made by a function that takes the most rows to
// make, 0 for all.
func printSoon(ctx context.Context, sh *shell.Shell, list func(a *app.App, limit int) (output.Listing, error)) error {
	bar, o := sh.Reading()
	defer bar.Done()
	if sh.Out.ForPeople() {
		o.Patience = soon
	}
	a, err := sh.OpenWith(o)
	if err != nil {
		return err
	}
	if o.Patience > 0 {
		if err := printEarly(ctx, sh, a, bar, list); err != nil {
			return err
		}
	}
	l, err := list(a, 0)
	if err != nil {
		return err
	}
	bar.Done()
	return sh.Out.Print(ctx, l)
}

// printEarly shows the first rows of a list while homes are still being read, and waits
// for the end of that. An error of half a list may not be one of the whole list.
func printEarly(ctx context.Context, sh *shell.Shell, a *app.App, bar *term.Progress, list func(a *app.App, limit int) (output.Listing, error)) error {
	for shown := false; !shown; {
		// Mostly all is read by now, and the whole list is all that is made.
		if _, err := a.Catalog.Snapshot(ctx); err == nil && a.Index.Coverage().Reading == nil {
			return ctx.Err()
		}
		l, err := list(a, soonRows)
		reading := a.Index.Coverage().Reading
		if reading == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || l.Table(sh.Out.Screen).Len() == 0 {
			time.Sleep(soon / 8)
			continue
		}
		if err := bar.Aside(func() error { return printRows(sh, l, reading.Files, reading.Total) }); err != nil {
			return err
		}
		shown = true
	}
	return a.Index.Finish(ctx)
}

func printRows(sh *shell.Shell, l output.Listing, files, total int) error {
	if err := l.Table(sh.Out.Screen).Write(sh.Stdout); err != nil {
		return err
	}
	text := "of what was read before; the whole list follows"
	if total > 0 {
		text = fmt.Sprintf("the newest of %s files; %s are still to be read, then the whole list follows",
			term.Count(files), term.Count(total-files))
	}
	_, err := fmt.Fprintf(sh.Stdout, "%s\n\n", sh.Out.Screen.Paint(term.Dim, text))
	return err
}
