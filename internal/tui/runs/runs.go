// Package runs has the pages about sessions that sesskeep runs: the list of runs,
// a form that starts one, a run with what it says, and the inbox.
//
// What runs there are and what they ask is World.Running; pages.RunningMsg says
// that it is another. All words are those of the dashboard.
package runs

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/holder"
	"sesskeep/internal/keys"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// List is the page with all runs.
type List struct {
	world *pages.World
	list  pages.List
	at    string // the run that is chosen
}

// NewList makes the page.
func NewList(w *pages.World) *List { return &List{world: w} }

func (l *List) Start() tea.Cmd { l.refresh(); return nil }

func (l *List) Typing() bool { return false }

func (l *List) Title() string {
	if !l.world.Running.Known {
		return "runs"
	}
	living := 0
	for i := range l.world.Running.Runs {
		if l.world.Running.Runs[i].Living() {
			living++
		}
	}
	return fmt.Sprintf("%s, %d of them going on", draw.Plural(len(l.world.Running.Runs), "run"), living)
}

// refresh keeps the chosen run while others come.
func (l *List) refresh() {
	runs := l.world.Running.Runs
	l.list.Resize(len(runs))
	for i := range runs {
		if runs[i].ID == l.at {
			l.list.Choose(i)
		}
	}
	l.note()
}

func (l *List) note() {
	l.at = ""
	if run := l.chosen(); run != nil {
		l.at = run.ID
	}
}

func (l *List) chosen() *holder.Record {
	if runs := l.world.Running.Runs; l.list.At < len(runs) {
		return &runs[l.list.At]
	}
	return nil
}

func (l *List) Actions() []keys.Action {
	if l.world.Runs == nil {
		return nil
	}
	list := []keys.Action{keys.NewRun}
	if run := l.chosen(); run != nil {
		list = append(append(list, keys.Open), actionsOf(run)...)
	}
	return append(list, keys.Inbox)
}

// actionsOf are what can be done to a run as it is.
func actionsOf(run *holder.Record) []keys.Action {
	switch {
	case !run.Living():
		return []keys.Action{keys.Message, keys.ForgetRun}
	case run.State == pages.Working:
		return []keys.Action{keys.Message, keys.Interrupt, keys.StopRun, keys.Copy}
	}
	return []keys.Action{keys.Message, keys.StopRun, keys.Copy}
}

func (l *List) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pages.RunningMsg:
		l.refresh()
	case pages.ClickMsg:
		if row, ok := l.list.Row(msg.Y - headLines); ok {
			l.list.Choose(row)
			l.note()
		}
	}
	return nil
}

func (l *List) Do(a keys.Action) (tea.Cmd, bool) {
	if l.list.Do(a) {
		l.note()
		return nil, true
	}
	run := l.chosen()
	switch {
	case l.world.Runs == nil:
		return nil, false
	case a == keys.NewRun:
		return pages.Open(NewForm(l.world)), true
	case run == nil:
		return nil, false
	case a == keys.Open:
		return pages.Open(NewOne(l.world, run.ID)), true
	}
	return act(l.world, run, a)
}

// act does to a run what a key asks for.
func act(w *pages.World, run *holder.Record, a keys.Action) (tea.Cmd, bool) {
	id := run.ID
	do := func(said string, run func(context.Context) error) (tea.Cmd, bool) {
		return func() tea.Msg {
			if err := run(w.Ctx); err != nil {
				return pages.NoteMsg{Text: err.Error()}
			}
			return pages.NoteMsg{Text: id + " " + said}
		}, true
	}
	switch {
	case a == keys.Message:
		return message(w, run), true
	case a == keys.Interrupt && run.State == pages.Working:
		return do("is interrupted", func(ctx context.Context) error { _, err := w.Runs.Interrupt(ctx, id, w.Actor); return err })
	case a == keys.StopRun && run.Living():
		return do("is being stopped", func(ctx context.Context) error { _, err := w.Runs.Stop(ctx, id, w.Actor); return err })
	case a == keys.ForgetRun && !run.Living():
		return do("is forgotten; its session stays", func(ctx context.Context) error { return w.Runs.Remove(ctx, id) })
	case a == keys.Copy && run.Living():
		return pages.Copy("sesskeep run attach " + id), true
	}
	return nil, false
}

// message asks for a message. If the run has ended, another run resumes its session
// with it.
func message(w *pages.World, run *holder.Record) tea.Cmd {
	label, enter, old := "message to "+run.ID, "send", *run
	if !run.Living() {
		label, enter = "resume the session of "+run.ID, "start"
	}
	return pages.Ask(&pages.Prompt{Label: label, Enter: enter, Done: func(text string) tea.Cmd {
		if strings.TrimSpace(text) == "" {
			return pages.Note("nothing was sent")
		}
		if !old.Living() {
			return start(w, runs.Order{
				Dir: old.Dir, Prompt: text, Mode: string(old.Mode), Resume: old.SessionID, Root: old.Root, Role: old.Role, Purpose: old.Purpose,
			})
		}
		return func() tea.Msg {
			if _, err := w.Runs.Send(w.Ctx, old.ID, text, ""); err != nil {
				return pages.NoteMsg{Text: err.Error()}
			}
			return pages.NoteMsg{Text: "sent to " + old.ID}
		}
	}})
}

// start starts a run and shows it.
func start(w *pages.World, o runs.Order) tea.Cmd {
	o.By = w.Actor
	return func() tea.Msg {
		if o.Root == "" {
			o.Root = w.App.Resume.Home(w.Ctx, o.Dir)
		}
		plan, err := w.Runs.Plan(o)
		if err == nil {
			err = plan.Missing()
		}
		if err != nil {
			return pages.NoteMsg{Text: err.Error()}
		}
		run, err := w.Runs.Start(w.Ctx, plan)
		if err != nil {
			return pages.NoteMsg{Text: err.Error()}
		}
		return pages.OpenMsg{Page: NewOne(w, run.ID)}
	}
}

// headLines are above the first row.
const headLines = 2

var columns = pages.Columns{
	{Title: "run", Width: 5, Style: term.Yellow},
	{Title: "state", Width: 11},
	{Title: "what", Stretch: true, Width: 1},
	{Title: "directory", Width: 16, Style: term.Cyan, From: 72},
	{Title: "model", Width: 18, Style: term.Dim, From: 120},
	{Title: "mode", Width: 11, Style: term.Dim, From: 100},
	{Title: "turns", Width: 5, Right: true, From: 90},
	{Title: "cost", Width: 7, Right: true},
	{Title: "since", Width: 7, Right: true, Style: term.Dim},
}

func (l *List) View(width, height int) []string {
	sc, n := l.world.Screen, len(l.world.Running.Runs)
	position := fmt.Sprintf("%s/%s ", term.Count(min(l.list.At+1, n)), term.Count(n))
	lines := []string{pages.Spread(sc, " "+sc.Paint(term.Bold, "6 Runs")+l.unread(), sc.Paint(term.Dim, position), width)}
	if l.chosen() == nil {
		return append(lines, wrapped(emptiness(l.world), width)...)
	}
	cols := columns.Fit(width)
	lines = append(lines, cols.Header(sc))
	return append(lines, l.list.View(height-headLines, func(i int, chosen bool) string {
		run := &l.world.Running.Runs[i]
		return cols.Row(sc, chosen, func(title string) term.Cell { return l.cell(run, title) })
	})...)
}

// unread says how many runs are not listed because they cannot be read.
func (l *List) unread() string {
	n := len(l.world.Running.Unread)
	if n == 0 {
		return ""
	}
	return l.world.Screen.Paint(term.Red, fmt.Sprintf(" %s cannot be read: run ls", term.Count(n)))
}

func emptiness(w *pages.World) string {
	switch r := &w.Running; {
	case w.Runs == nil:
		return "Nothing can be run here."
	case r.Err != nil:
		return "Cannot look for runs: " + term.Line(r.Err.Error())
	case !r.Known:
		return "Looking for runs" + pages.GlyphsOf(w.Screen).Ellipsis
	}
	key := pages.KeyName(w.Screen, keys.Find(keys.NewRun).Keys[0])
	return "Nothing was run yet. A run is a session without its terminal: it works, asks here, and waits for more. " + key + " starts one."
}

func wrapped(text string, width int) []string {
	return strings.Split(term.Wrap("\n"+text, max(1, width-2), "  "), "\n")
}

func (l *List) cell(run *holder.Record, title string) term.Cell {
	switch title {
	case "run":
		return term.Cell{Text: run.ID}
	case "state":
		glyph, style := draw.State(l.world.Screen, stateWord(run))
		return term.Cell{Text: glyph + " " + string(run.State), Style: style}
	case "what":
		return term.Cell{Text: what(run)}
	case "directory":
		return term.Cell{Text: filepath.Base(run.Dir)}
	case "model":
		return term.Cell{Text: run.Model}
	case "mode":
		return term.Cell{Text: modeWord(string(run.Mode))}
	case "turns":
		return term.Cell{Text: term.Count(run.Turns)}
	case "cost":
		return term.Cell{Text: money(run)}
	}
	return term.Cell{Text: term.Ago(run.Since.Time, l.world.Now())}
}

// what says what a run is about: its purpose, else how its first message begins.
func what(run *holder.Record) string { return cmp.Or(run.Purpose, run.Title, "(no message)") }

// stateWord is the state of a session that looks like that of a run.
func stateWord(run *holder.Record) string {
	switch run.State {
	case "queued":
		return "idle"
	case "starting":
		return pages.Working
	}
	return string(run.State)
}

// modeWord is what people call a permission mode.
func modeWord(mode string) string {
	if mode == "default" {
		return "ask"
	}
	return mode
}

func money(run *holder.Record) string {
	switch usd := float64(run.Cost.USD); {
	case usd == 0:
		return "$0.00"
	case usd < 0.01:
		return "<$0.01"
	default:
		return fmt.Sprintf("$%.2f", usd)
	}
}
