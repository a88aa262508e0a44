package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/shelf"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// activity is the page with what was changed, here or by commands: the journal.
type activity struct {
	world  *pages.World
	list   pages.List
	limit  int // changes that are asked for
	loaded bool
	more   bool // there are older ones
	rows   []activityRow
	err    error
}

// activityRow is what one command did.
type activityRow struct {
	acts.ActRow                 // the last of its changes
	count       int             // of changes
	undone      bool            // it was undone
	key         sesskeep.Key    // of the session that it was about
	session     catalog.Session // that; empty: it is not listed
	title       string          // of it, listed or in the trash
}

// activityMsg is the journal.
type activityMsg struct {
	rows []activityRow
	more bool
	err  error
}

// firstActs is how many changes are listed at first.
const firstActs = 200

func newActivity(w *pages.World) *activity { return &activity{world: w, limit: firstActs} }

func (p *activity) Start() tea.Cmd {
	w, limit := p.world, p.limit
	return func() tea.Msg {
		page, err := w.App.Acts.Activity(acts.ActFilter{Limit: limit})
		if err != nil {
			return activityMsg{err: err}
		}
		rows := together(page.Acts)
		return activityMsg{rows, page.More, addSessions(w, rows)}
	}
}

// together makes one row of the changes of one command, and finds out what was
// undone. The journal has the last change first: an undo comes before what it
// undoes, and one that was itself undone counts for nothing.
func together(acts []acts.ActRow) []activityRow {
	var rows []activityRow
	undone, of := map[int]bool{}, map[string]int{}
	verbs := map[int]string{}
	for _, a := range acts {
		verbs[a.ID] = a.Verb
	}
	for _, a := range acts {
		gone := undone[a.ID]
		if a.Undoes > 0 && !gone && a.State == shelf.Done {
			undone[a.Undoes] = true
		}
		if at, ok := of[a.Batch]; ok && a.Batch != "" {
			rows[at].count++
			rows[at].undone = rows[at].undone && gone
			continue
		}
		of[a.Batch] = len(rows)
		row := activityRow{ActRow: a, count: 1, undone: gone}
		if a.Undoes > 0 {
			row.Verb = strings.TrimSpace(a.Verb + " " + verbs[a.Undoes])
		}
		row.key, _ = sesskeep.ParseKey(a.SessionID)
		rows = append(rows, row)
	}
	return rows
}

// addSessions finds the sessions that the rows are about, in lists and in the trash.
func addSessions(w *pages.World, rows []activityRow) error {
	var ids []string
	for i := range rows {
		if rows[i].key.Session != "" {
			ids = append(ids, string(rows[i].key.Session))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	trash, err := w.App.Trash.List(w.Ctx)
	if err != nil {
		return err
	}
	titles := map[sesskeep.Key]string{}
	for i := range trash.Trash {
		titles[trash.Trash[i].Key] = trash.Trash[i].Title
	}
	snapshot, err := w.Catalog()
	if err != nil {
		return err
	}
	page, err := snapshot.List(w.Ctx, ask.Filter{Sessions: ids, Source: "all"})
	known := map[sesskeep.Key]*catalog.Session{}
	for i := range page.Sessions {
		if s := &page.Sessions[i]; !s.IsAgent {
			known[s.Key], titles[s.Key] = s, catalog.NameOf(s)
		}
	}
	for i := range rows {
		rows[i].title = titles[rows[i].key]
		if s := known[rows[i].key]; s != nil {
			rows[i].session = *s
		}
	}
	return err
}

func (p *activity) Typing() bool { return false }

func (p *activity) Title() string { return "what was changed" }

func (p *activity) Actions() []keys.Action {
	row := p.chosen()
	if row == nil {
		return nil
	}
	list := []keys.Action{keys.Undo}
	if row.session.ID != "" && row.count == 1 {
		list = append(list, keys.Open, keys.Copy)
	}
	return list
}

// Word calls undo by what it does here.
func (p *activity) Word(a keys.Action) string {
	if row := p.chosen(); a == keys.Undo && row != nil && row.count > 1 {
		return fmt.Sprintf("undo all %s", term.Count(row.count))
	}
	return ""
}

func (p *activity) chosen() *activityRow {
	if p.list.At >= len(p.rows) {
		return nil
	}
	return &p.rows[p.list.At]
}

func (p *activity) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case activityMsg:
		p.apply(msg)
	case pages.ChangedMsg:
		return p.Start()
	case pages.ClickMsg:
		if row, ok := p.list.Row(msg.Y - listHead); ok {
			p.list.Choose(row)
		}
	}
	return nil
}

// apply shows the journal. The change one stood on stays the chosen one.
func (p *activity) apply(msg activityMsg) {
	was := 0
	if row := p.chosen(); row != nil {
		was = row.ID
	}
	if p.loaded, p.err = true, msg.err; msg.rows != nil || msg.err == nil {
		p.rows, p.more = msg.rows, msg.more
	}
	p.list.Resize(len(p.rows))
	if at := slices.IndexFunc(p.rows, func(r activityRow) bool { return r.ID == was }); at > 0 {
		p.list.Choose(at)
	}
}

func (p *activity) Do(a keys.Action) (tea.Cmd, bool) {
	if p.list.Do(a) {
		if p.more && p.list.At+p.list.Height >= len(p.rows) {
			p.limit *= 2
			p.more = false
			return p.Start(), true
		}
		return nil, true
	}
	row := p.chosen()
	switch {
	case a == keys.Undo && row == nil:
		return pages.Note("nothing has been changed yet"), true
	case a == keys.Undo && row.undone:
		return pages.Note("this is already undone"), true
	case a == keys.Undo:
		return pages.StartAct(undoAct(p.world, row.ID)), true
	case row == nil || row.session.ID == "":
		return nil, false
	case a == keys.Open:
		return pages.Open(conversation.New(p.world, row.session)), true
	case a == keys.Copy:
		return pages.Copy(row.session.Address()), true
	}
	return nil, false
}

var activityColumns = pages.Columns{
	{Title: "when", Width: 6, Right: true, Style: term.Dim},
	{Title: "what", Width: 13, Style: term.Bold},
	{Title: "session", Stretch: true, Width: 1},
	{Title: "change", Width: 24, From: 100},
	{Title: "by", Width: 16, Style: term.Dim, From: 76},
	{Title: "state", Width: 10, Style: term.Yellow},
}

func (p *activity) View(width, height int) []string {
	sc := p.world.Screen
	position := fmt.Sprintf("%s/%s ", term.Count(min(p.list.At+1, p.list.Len)), term.Count(p.list.Len))
	lines := []string{pages.Spread(sc, " "+sc.Paint(term.Bold, "Activity"), sc.Paint(term.Dim, position), width)}
	if len(p.rows) == 0 {
		return append(lines, strings.Split(term.Wrap("\n"+p.emptiness(), max(1, width-2), "  "), "\n")...)
	}
	cols := activityColumns.Fit(width)
	lines = append(lines, cols.Header(sc))
	return append(lines, p.list.View(height-listHead, func(i int, chosen bool) string {
		return cols.Row(sc, chosen, func(title string) term.Cell { return p.cell(&p.rows[i], title) })
	})...)
}

func (p *activity) cell(r *activityRow, title string) term.Cell {
	switch title {
	case "when":
		return term.Cell{Text: term.Ago(r.Timestamp.Time, p.world.Now())}
	case "what":
		return term.Cell{Text: r.Verb}
	case "session":
		switch {
		case r.count > 1:
			return term.Cell{Text: draw.Plural(r.count, "session")}
		case r.title != "":
			return term.Cell{Text: r.title}
		case len(r.Files) > 0 && r.key.Session == "":
			return term.Cell{Text: r.Files[0], Style: term.Dim}
		}
		return term.Cell{Text: string(r.key.Session), Style: term.Dim}
	case "change":
		return term.Cell{Text: r.What}
	case "by":
		return term.Cell{Text: actorWords(r.Actor)}
	}
	return term.Cell{Text: p.state(r)}
}

func (p *activity) state(r *activityRow) string {
	switch {
	case r.undone:
		return "undone"
	case r.State != shelf.Done:
		return cmp.Or(string(r.State), "unclear")
	}
	return ""
}

func (p *activity) emptiness() string {
	switch {
	case p.err != nil:
		return "Cannot read what was changed: " + term.Line(p.err.Error())
	case !p.loaded:
		return "Reading" + pages.GlyphsOf(p.world.Screen).Ellipsis
	}
	return "Nothing has been changed yet. What you rename, tag, archive or trash is listed here and can be undone."
}
