package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
	"sesskeep/internal/term"
)

// choice is something that can be picked by its number.
type choice struct {
	text string // painted
	note string // below it or behind it; painted
}

// pickWatched asks which project and which of its sessions is to be watched.
// Those that run come first.
func (sh *shell) pickWatched(ctx context.Context, a *app.App, w *follow.WatchOptions) error {
	running, err := a.Ps(ctx, follow.PsOptions{Now: sh.Now})
	if err != nil {
		return err
	}
	c, err := a.Catalog(ctx)
	if err != nil {
		return err
	}
	typed := sh.lines()
	in := func() <-chan string { return typed }
	projects := projectChoices(c.Projects, running.Sessions)
	choices := []choice{{text: "all sessions that run", note: plural(running.Total, "session")}}
	for _, p := range projects {
		choices = append(choices, choice{sh.screen.Paint(term.Cyan, term.Line(p.ID)), sh.runningIn(p, running.Sessions) + sh.screen.Paint(term.Dim, term.Line(sh.tilde(p.Path)))})
	}
	sh.writeNumbered(choices, 0)
	at, err := sh.pickNumber(ctx, in, "watch which project", 0, len(choices)-1, "Enter: all that run")
	if err != nil || at == 0 {
		return err
	}
	project := projects[at-1]
	rows, err := sessionChoices(ctx, sh, c, project)
	if err != nil {
		return err
	}
	choices = []choice{{text: "all of them that run"}}
	for i := range rows {
		choices = append(choices, sh.sessionChoice(&rows[i]))
	}
	sh.writeNumbered(choices, 0)
	if at, err = sh.pickNumber(ctx, in, "watch which session", 0, len(choices)-1, "Enter: all that run"); err != nil {
		return err
	}
	if at == 0 {
		w.Project = &project
		return nil
	}
	t, err := a.Find(ctx, rows[at-1].Address())
	w.Targets = []follow.WatchTarget{{Store: t.Store, Ref: t.Ref}}
	return err
}

// projectChoices are the projects to choose from: those in which something runs
// first, then those used last.
func projectChoices(all []app.Project, running []follow.Process) []app.Project {
	var first, then []app.Project
	for _, p := range all {
		if countIn(&p, running) > 0 {
			first = append(first, p)
		} else {
			then = append(then, p)
		}
	}
	list := append(first, then...)
	return list[:min(len(list), pickable)]
}

func countIn(p *app.Project, running []follow.Process) int {
	n := 0
	for i := range running {
		if running[i].Project == p.ID {
			n++
		}
	}
	return n
}

// runningIn says what goes on in a project.
func (sh *shell) runningIn(p app.Project, running []follow.Process) string {
	text := ""
	for i := range running {
		if running[i].Project == p.ID {
			glyph, style := draw.State(sh.screen, string(running[i].State.Word))
			text += sh.screen.Paint(style, glyph+" "+string(running[i].State.Word)) + "  "
		}
	}
	return text
}

// sessionChoices are the sessions of a project: those that run first.
func sessionChoices(ctx context.Context, sh *shell, c *app.Catalog, p app.Project) ([]app.Session, error) {
	f := app.Filter{Project: p.ID, Now: sh.Now(), States: []string{"working", "needs you", "your turn", "idle"}}
	live, err := c.List(ctx, f)
	if err != nil {
		return nil, err
	}
	f.States = []string{"unclean", "ended"}
	f.Limit = pickable
	rest, err := c.List(ctx, f)
	list := append(live.Sessions, rest.Sessions...)
	return list[:min(len(list), max(pickable, len(live.Sessions)))], err
}

func (sh *shell) sessionChoice(r *app.Session) choice {
	state := ""
	if r.State != nil {
		glyph, style := draw.State(sh.screen, r.State.Word)
		state = sh.screen.Paint(style, term.Pad(glyph+" "+r.State.Word, 12))
	}
	title := sh.screen.Truncate(term.Line(app.NameOf(r)), max(20, sh.screen.Width-32))
	return choice{state + " " + sh.screen.Paint(term.Bold, title), sh.screen.Paint(term.Dim, term.Ago(r.LastActivityAt.Time, sh.Now()))}
}

// writeNumbered shows what there is to choose from.
func (sh *shell) writeNumbered(choices []choice, first int) {
	for i, c := range choices {
		fmt.Fprintln(sh.Stdout, strings.TrimRight(sh.screen.Paint(term.Yellow, strconv.Itoa(first+i))+"  "+c.text+"  "+c.note, " "))
	}
}

// pickNumber asks for a number until one comes. Enter alone is 0, where 0 can be
// chosen. Whoever types q, or nothing any more, leaves as with an interrupt.
func (sh *shell) pickNumber(ctx context.Context, in func() <-chan string, question string, first, last int, enter string) (int, error) {
	keys := joined(", ", enter, "q: leave")
	for {
		line, ok := sh.prompt(ctx, in(), fmt.Sprintf("%s, %d-%d (%s)> ", question, first, last, keys))
		switch n, err := strconv.Atoi(line); {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case !ok || strings.EqualFold(line, "q"):
			return 0, context.Canceled
		case line == "" && first == 0:
			return 0, nil
		case err == nil && n >= first && n <= last:
			return n, nil
		}
		fmt.Fprintf(sh.Stdout, "%s is none of them: type a number from %d to %d, or q to leave\n", strconv.Quote(term.Line(line)), first, last)
	}
}
