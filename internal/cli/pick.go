package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/term"

	xterm "golang.org/x/term"
)

// asks reports whether there is a person to ask: both ends are a terminal, and
// the answer is not for a program.
func (sh *shell) asks() bool {
	in, ok := sh.Stdin.(*os.File)
	return ok && xterm.IsTerminal(int(in.Fd())) && sh.screen.TTY &&
		sh.flags.json == "" && !sh.flags.jsonl && sh.flags.jq == ""
}

// pickSearch asks for queries until one of the sessions found is opened.
func pickSearch(ctx context.Context, sh *shell, o searchOptions) error {
	a, done, err := sh.open()
	if err != nil {
		return err
	}
	defer done()
	in := sh.lines()
	for {
		text, ok := sh.prompt(ctx, in, "search> ")
		if !ok || text == "" {
			return ctx.Err()
		}
		o.text = text
		results, err := sh.pickFrom(ctx, a, o)
		if err != nil {
			return err
		}
		if len(results) == 0 {
			continue
		}
		n := 0
		for ask := fmt.Sprintf("open 1-%d, or Enter for another search> ", len(results)); ; {
			choice, ok := sh.prompt(ctx, in, ask)
			if !ok {
				return ctx.Err()
			}
			if n, err = strconv.Atoi(choice); choice == "" || err == nil && n >= 1 && n <= len(results) {
				break
			}
		}
		if n == 0 {
			continue
		}
		return runShow(ctx, sh, showOptions{address: address(term.Screen{}, results[n-1]), thinking: "peek", tools: "card"})
	}
}

// lines gives what is typed, line by line. It reads on its own, so that an
// interrupt is heard while it waits; it ends with the process.
func (sh *shell) lines() <-chan string {
	typed := make(chan string)
	go func() {
		defer close(typed)
		for in := bufio.NewScanner(sh.Stdin); in.Scan(); {
			typed <- strings.TrimSpace(in.Text())
		}
	}()
	return typed
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

// pickable is how many sessions are offered at a time.
const pickable = 9

// pickFrom searches and shows what there is to choose from. A query that is
// wrong is explained, and another one can be tried.
func (sh *shell) pickFrom(ctx context.Context, a *app.App, o searchOptions) ([]app.SearchResult, error) {
	s, _, err := sh.searchFor(o)
	var wrong usageError
	if errors.As(err, &wrong) {
		fmt.Fprintf(sh.Stdout, "%s\n%s\n", term.Line(wrong.message), sh.screen.Paint(term.Dim, term.Line(wrong.hint)))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.Limit, s.Hits = pickable, 1
	page, err := a.Search(ctx, s)
	if err != nil {
		return nil, err
	}
	writeChoices(sh.Stdout, sh, page)
	return page.Results, nil
}

func writeChoices(w io.Writer, sh *shell, page app.SearchPage) {
	for i, r := range page.Results {
		text := ""
		if len(r.Hits) > 0 {
			text = marked(sh.screen, r.Hits[0])
		}
		title := sh.screen.Truncate(term.Line(app.NameOf(&r.Session)), max(20, sh.screen.Width-20))
		fmt.Fprintf(w, "%s %s  %s\n   %s\n", sh.screen.Paint(term.Yellow, strconv.Itoa(i+1)), sh.screen.Paint(term.Bold, title),
			sh.screen.Paint(term.Cyan, term.Line(r.Session.Project)), sh.screen.Truncate(text, max(20, sh.screen.Width-4)))
	}
	fmt.Fprintln(w, sh.screen.Paint(term.Dim, searchSummary(page)))
}
