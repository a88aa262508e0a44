package tui

import (
	"context"
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/draw"
	"sesskeep/internal/keeping"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/vault"

	tea "charm.land/bubbletea/v2"
)

// copies is the page about the copies of sessions: which sessions will be deleted
// and whether they are kept, and which are gone and can be restored.
type copies struct {
	world  *pages.World
	lists  [2]pages.List // of what expires, and of what is gone
	gone   bool          // that one is shown
	loaded bool
	got    copiesMsg
}

// copiesMsg is how the copies are.
type copiesMsg struct {
	status   keeping.KeepStatus
	days     int // after which sessions are deleted
	expiring []keeping.ExpiringSession
	gone     []keeping.GoneSession
	covered  ask.Coverage // of the lists
	err      error
}

func newCopies(w *pages.World) *copies { return &copies{world: w} }

func (c *copies) Start() tea.Cmd {
	w := c.world
	return func() (msg tea.Msg) {
		var got copiesMsg
		if got.status, got.err = w.App.Keep.Status(w.Ctx); got.err != nil {
			return got
		}
		got.days = w.App.Keep.Period(w.Managed)
		var soon ask.Coverage
		if got.expiring, soon, got.err = w.App.Keep.Expiring(w.Ctx, keeping.ExpiringOptions{Managed: w.Managed}); got.err != nil {
			return got
		}
		got.gone, got.covered, got.err = w.App.Keep.Gone(w.Ctx)
		got.covered = got.covered.Join(soon)
		w.Half(got.covered)
		return got
	}
}

func (c *copies) Typing() bool { return false }

// Gathers says that the page counts what is in the homes.
func (c *copies) Gathers() {}

func (c *copies) Title() string {
	if !c.loaded || c.got.err != nil {
		return "copies"
	}
	gap := pages.GlyphsOf(c.world.Screen).Gap
	st := c.got.status
	text := fmt.Sprintf("%s of %s kept", term.Count(st.Covered), draw.Plural(st.Sessions, "session"))
	if !st.On {
		text = "copies are not kept"
	}
	if st.CopyOnly > 0 {
		text += gap + term.Count(st.CopyOnly) + " copy only"
	}
	if st.Size > 0 {
		text += gap + term.Bytes(st.Size)
	}
	return text
}

// list is the one that is shown.
func (c *copies) list() *pages.List {
	if c.gone {
		return &c.lists[1]
	}
	return &c.lists[0]
}

// chosen is the session that the list stands on, by its key.
func (c *copies) chosen() (key sesskeep.Key, ok bool) {
	at := c.list().At
	switch {
	case c.gone && at < len(c.got.gone):
		return c.world.App.Homes.SessionKey(c.got.gone[at].Root, c.got.gone[at].ID), true
	case !c.gone && at < len(c.got.expiring):
		return c.world.App.Homes.SessionKey(c.got.expiring[at].Root, c.got.expiring[at].ID), true
	}
	return key, false
}

func (c *copies) Actions() []keys.Action {
	var list []keys.Action
	_, ok := c.chosen()
	if ok && c.gone {
		list = append(list, keys.Restore)
	}
	if ok {
		list = append(list, keys.Open)
	}
	if c.loaded && c.got.err == nil {
		list = append(list, keys.KeepNow, keys.Report)
	}
	return list
}

// Word calls the keys by what they do here.
func (c *copies) Word(a keys.Action) string {
	switch {
	case a == keys.Report && c.gone:
		return "what expires"
	case a == keys.Report:
		return "what is gone"
	case a == keys.KeepNow && !c.got.status.On:
		return "keep copies"
	}
	return ""
}

func (c *copies) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case copiesMsg:
		first := !c.loaded
		c.loaded, c.got = true, msg
		c.lists[0].Resize(len(msg.expiring))
		c.lists[1].Resize(len(msg.gone))
		if first && len(msg.expiring) == 0 {
			c.gone = len(msg.gone) > 0
		}
	case pages.ChangedMsg:
		return c.Start()
	case pages.ClickMsg:
		if row, ok := c.list().Row(msg.Y - listHead); ok {
			c.list().Choose(row)
		}
	}
	return nil
}

func (c *copies) Do(a keys.Action) (tea.Cmd, bool) {
	if c.list().Do(a) {
		return nil, true
	}
	key, ok := c.chosen()
	switch {
	case a == keys.Report || a == keys.PrevReport:
		c.gone = !c.gone
		return nil, true
	case a == keys.KeepNow:
		return c.keep(), true
	case a == keys.Restore && !c.gone:
		return pages.Note("it is still there: only a deleted session can be restored"), true
	case !ok:
		return nil, false
	case a == keys.Restore:
		return pages.StartAct(restoreCopy(c.world, key)), true
	case a == keys.Open:
		return openByKey(c.world, key), true
	}
	return nil, false
}

// openByKey opens the conversation of a session.
func openByKey(w *pages.World, key sesskeep.Key) tea.Cmd {
	return func() tea.Msg {
		row := w.Row(key)
		if row == nil {
			return pages.NoteMsg{Text: "it can no longer be read"}
		}
		return pages.OpenMsg{Page: conversation.New(w, *row)}
	}
}

// restoreCopy puts a session back where it was.
func restoreCopy(w *pages.World, key sesskeep.Key) pages.Act {
	return pages.Act{Doing: "restoring", Done: "restored", Count: 1, Run: func(ctx context.Context, by acts.Doing) (acts.Outcome, error) {
		r, act, err := w.App.Keep.Restore(ctx, by, key.String())
		if err != nil {
			return acts.Outcome{}, err
		}
		result := acts.Result{ID: string(key.Session), Key: key, Act: act, Files: r.Count(keeping.RestoreGone), Changed: r.Count(keeping.RestoreGone) > 0}
		out := acts.Outcome{Verb: "keep restore", Total: 1, Results: []acts.Result{result}}
		if result.Changed {
			out.Changed = 1
		}
		return out, nil
	}}
}

// keep copies everything that is not kept yet. Who has not said yes is asked.
func (c *copies) keep() tea.Cmd {
	if !c.loaded || c.got.err != nil {
		return nil
	}
	d := keepNow(c.world)
	if c.got.status.On {
		return pages.StartAct(d)
	}
	p := &pages.Prompt{
		Label: fmt.Sprintf("keep a copy of every session in %s, about %s? y or n", c.got.status.Dir, term.Bytes(c.got.status.Bytes/3)),
		Enter: "answer",
	}
	p.Input.Set("y")
	p.Done = func(text string) tea.Cmd {
		if !strings.HasPrefix(strings.ToLower(strings.TrimSpace(text)), "y") {
			return pages.Note("nothing is copied")
		}
		copyAll := d.Run
		d.Run = func(ctx context.Context, by acts.Doing) (acts.Outcome, error) {
			if _, err := c.world.App.Keep.SetPolicy(func(p *vault.Policy) { p.On, p.Asked = true, c.world.Now() }); err != nil {
				return acts.Outcome{}, err
			}
			return copyAll(ctx, by)
		}
		return pages.StartAct(d)
	}
	return pages.Ask(p)
}

// keepNow copies everything that is not kept yet.
func keepNow(w *pages.World) pages.Act {
	var report keeping.KeepReport
	return pages.Act{
		Doing: "copying", Done: "copied", Final: true,
		Run: func(ctx context.Context, by acts.Doing) (_ acts.Outcome, err error) {
			report, err = w.App.Keep.Now(ctx, func(done, total int, _ int64) { by.Progress(done, total) })
			return acts.Outcome{Verb: "keep now", Changed: report.Copied}, err
		},
		Words: func(acts.Outcome) string { return keepWords(report) },
	}
}

func keepWords(r keeping.KeepReport) string {
	text := "everything is already kept"
	if r.Copied > 0 {
		text = fmt.Sprintf("%s copied, %s", draw.Plural(r.Copied, "file"), term.Bytes(r.Bytes))
	}
	if n := len(r.Problems); n > 0 {
		text += fmt.Sprintf(", %s not: %s", term.Count(n), r.Problems[0].Reason)
	}
	if r.Stopped != "" {
		text += ", stopped: " + r.Stopped
	}
	return text
}

func (c *copies) View(width, height int) []string {
	sc, l := c.world.Screen, c.list()
	position := fmt.Sprintf("%s/%s ", term.Count(min(l.At+1, l.Len)), term.Count(l.Len))
	name := " " + sc.Paint(term.Bold, "Copies") + "  " + c.tab("expiring", len(c.got.expiring), !c.gone) + "  " + c.tab("gone", len(c.got.gone), c.gone)
	lines := []string{pages.Spread(sc, name, sc.Paint(term.Dim, position), width)}
	if _, ok := c.chosen(); !ok {
		return append(lines, strings.Split(term.Wrap("\n"+c.emptiness(), max(1, width-2), "  "), "\n")...)
	}
	cols := expiringColumns
	if c.gone {
		cols = goneColumns
	}
	cols = cols.Fit(width)
	lines = append(lines, cols.Header(sc))
	return append(lines, l.View(height-listHead, func(i int, chosen bool) string {
		return cols.Row(sc, chosen, func(title string) term.Cell { return c.cell(i, title) })
	})...)
}

// tab names one of the lists.
func (c *copies) tab(name string, n int, shown bool) string {
	text := name
	if c.loaded {
		text += " " + term.Count(n)
	}
	if shown {
		return c.world.Screen.Paint(term.Bold|term.Cyan, "["+text+"]")
	}
	return c.world.Screen.Paint(term.Dim, text)
}

var (
	expiringColumns = pages.Columns{
		{Title: "days", Width: 8, Right: true},
		{Title: "title", Stretch: true, Width: 1},
		{Title: "project", Width: 16, Style: term.Cyan, From: 60},
		{Title: "size", Width: 8, Right: true, From: 76},
		{Title: "kept", Width: 8},
	}
	goneColumns = pages.Columns{
		{Title: "", Width: 11},
		{Title: "title", Stretch: true, Width: 1},
		{Title: "project", Width: 16, Style: term.Cyan, From: 60},
		{Title: "size", Width: 8, Right: true, From: 76},
		{Title: "gone", Width: 6, Right: true, Style: term.Dim},
	}
)

func (c *copies) cell(i int, title string) term.Cell {
	if c.gone {
		return c.goneCell(&c.got.gone[i], title)
	}
	s := &c.got.expiring[i]
	switch title {
	case "days":
		return daysLeft(s)
	case "title":
		return term.Cell{Text: untitled(s.Title, s.ID)}
	case "project":
		return term.Cell{Text: c.world.ProjectName(s.Project)}
	case "size":
		return term.Cell{Text: term.Bytes(s.Size)}
	}
	if s.Kept {
		return term.Cell{Text: "kept", Style: term.Green}
	}
	return term.Cell{Text: "not kept", Style: term.Yellow}
}

// daysLeft says when a session will be deleted.
func daysLeft(s *keeping.ExpiringSession) term.Cell {
	switch {
	case s.Days < 0:
		return term.Cell{Text: "any time", Style: term.Red}
	case s.Days <= int(expiringSoon.Hours()/24):
		return term.Cell{Text: draw.Plural(s.Days, "day"), Style: term.Yellow}
	}
	return term.Cell{Text: draw.Plural(s.Days, "day"), Style: term.Dim}
}

func (c *copies) goneCell(s *keeping.GoneSession, title string) term.Cell {
	switch title {
	case "title":
		return term.Cell{Text: untitled(s.Title, s.ID)}
	case "project":
		return term.Cell{Text: c.world.ProjectName(s.Project)}
	case "size":
		return term.Cell{Text: term.Bytes(s.Size)}
	case "gone":
		return term.Cell{Text: term.Ago(s.Noticed.Time, c.world.Now())}
	}
	glyph, style := draw.State(c.world.Screen, pages.CopyOnly)
	return term.Cell{Text: glyph + " " + pages.CopyOnly, Style: style}
}

// untitled calls a session by its id where it has no title.
func untitled(title, id string) string {
	if title == "" {
		return id
	}
	return title
}

func (c *copies) emptiness() string {
	switch {
	case c.got.err != nil:
		return "Cannot look at the copies: " + term.Line(c.got.err.Error())
	case !c.loaded:
		return "Comparing sessions with their copies" + pages.GlyphsOf(c.world.Screen).Ellipsis
	case c.gone && c.got.status.On:
		return c.world.SoFar("Nothing is gone.") + " Sessions that Claude Code deletes are listed here and can be restored."
	case c.gone:
		return fmt.Sprintf("No copies are kept yet, so nothing can be restored. %s keeps a copy of every session.", pages.KeyName(c.world.Screen, keys.Find(keys.KeepNow).Keys[0]))
	}
	return c.world.SoFar("No session will be deleted.")
}
