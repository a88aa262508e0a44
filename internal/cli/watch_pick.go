package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
)

// choice is something that can be picked by its number.
type choice struct {
	text string // painted
	note string // below it or behind it; painted
}

// pickWatched asks which project and which of its sessions is to be watched.
// Those that run come first.
func (sh *shell) pickWatched(ctx context.Context, a *app.App, w *app.WatchOptions) error {
	running, err := a.Ps(ctx, app.PsOptions{Now: sh.Now})
	if err != nil {
		return err
	}
	c, err := a.Catalog(ctx)
	if err != nil {
		return err
	}
	in := sh.lines()
	projects := projectChoices(c.Projects, running.Sessions)
	choices := []choice{{text: "all sessions that run", note: plural(running.Total, "session")}}
	for _, p := range projects {
		choices = append(choices, choice{sh.screen.Paint(term.Cyan, term.Line(p.Name)), sh.runningIn(p, running.Sessions) + sh.screen.Paint(term.Dim, term.Line(sh.tilde(p.Path)))})
	}
	at, err := sh.pickOne(ctx, in, "project", choices)
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
	if at, err = sh.pickOne(ctx, in, "session", choices); err != nil {
		return err
	}
	if at == 0 {
		w.Project = &project
		return nil
	}
	t, err := a.Find(ctx, rows[at-1].ID)
	w.Targets = []app.WatchTarget{{Target: t}}
	return err
}

// projectChoices are the projects to choose from: those in which something runs
// first, then those used last.
func projectChoices(all []app.Project, running []app.Process) []app.Project {
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

func countIn(p *app.Project, running []app.Process) int {
	n := 0
	for i := range running {
		if running[i].Project == p.ID {
			n++
		}
	}
	return n
}

// runningIn says what goes on in a project.
func (sh *shell) runningIn(p app.Project, running []app.Process) string {
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
func sessionChoices(ctx context.Context, sh *shell, c *app.Catalog, p app.Project) ([]app.Row, error) {
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

func (sh *shell) sessionChoice(r *app.Row) choice {
	state := ""
	if r.State != nil {
		glyph, style := draw.State(sh.screen, r.State.Word)
		state = sh.screen.Paint(style, term.Pad(glyph+" "+r.State.Word, 12))
	}
	title := term.Truncate(term.Line(rowTitle(r)), max(20, sh.screen.Width-32))
	return choice{state + " " + sh.screen.Paint(term.Bold, title), sh.screen.Paint(term.Dim, term.Ago(r.LastActivityAt.Time, sh.Now()))}
}

// pickOne asks for one of some choices by its number. The first is 0, and what
// Enter alone means.
func (sh *shell) pickOne(ctx context.Context, in <-chan string, what string, choices []choice) (int, error) {
	for i, c := range choices {
		fmt.Fprintln(sh.Stdout, strings.TrimRight(sh.screen.Paint(term.Yellow, strconv.Itoa(i))+"  "+c.text+"  "+c.note, " "))
	}
	for {
		line, ok := sh.prompt(ctx, in, fmt.Sprintf("watch which %s, 0-%d> ", what, len(choices)-1))
		if !ok {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			return 0, errShown // nobody answers
		}
		if line == "" {
			return 0, nil
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 0 && n < len(choices) {
			return n, nil
		}
	}
}
