package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/shelf"
	"sesskeep/internal/term"
	"sesskeep/internal/trash"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// trashPage is the page with the sessions in the trash.
type trashPage struct {
	world  *pages.World
	list   pages.List
	loaded bool
	page   trash.TrashPage
	marks  pages.Marks[string, trash.Trashed]
	err    error
}

// trashMsg is what lies in the trash.
type trashMsg struct {
	page trash.TrashPage
	err  error
}

func newTrash(w *pages.World) *trashPage { return &trashPage{world: w} }

func (t *trashPage) Start() tea.Cmd {
	return func() tea.Msg {
		page, err := t.world.App.Trash.List(t.world.Ctx)
		return trashMsg{page, err}
	}
}

func (t *trashPage) Typing() bool { return false }

func (t *trashPage) Title() string {
	if !t.loaded {
		return "trash"
	}
	return fmt.Sprintf("%s in the trash, %s", draw.Plural(t.page.Total, "session"), term.Bytes(t.page.Size))
}

func (t *trashPage) Actions() []keys.Action {
	if t.chosen() == nil {
		return nil
	}
	return []keys.Action{keys.Restore, keys.Purge, keys.Mark, keys.MarkAll, keys.Copy}
}

func (t *trashPage) chosen() *trash.Trashed {
	if t.list.At >= len(t.page.Trash) {
		return nil
	}
	return &t.page.Trash[t.list.At]
}

func (t *trashPage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case trashMsg:
		t.apply(msg)
	case pages.ChangedMsg:
		return t.Start()
	case pages.ClickMsg:
		if row, ok := t.list.Row(msg.Y - listHead); ok {
			t.list.Choose(row)
		}
	}
	return nil
}

func (t *trashPage) apply(msg trashMsg) {
	t.loaded, t.err = true, msg.err
	if msg.err != nil {
		return
	}
	t.page = msg.page
	t.list.Resize(len(t.page.Trash))
	for _, was := range t.marks.List() { // what went keeps no mark
		if !slices.ContainsFunc(t.page.Trash, func(is trash.Trashed) bool { return is.Name == was.Name }) {
			t.marks.Drop(was.Name)
		}
	}
}

func (t *trashPage) Do(a keys.Action) (tea.Cmd, bool) {
	if t.list.Do(a) {
		return nil, true
	}
	one := t.chosen()
	if a == keys.Back && t.marks.Len() > 0 {
		t.marks.Clear()
		return nil, true
	}
	if one == nil || !slices.Contains(t.Actions(), a) {
		return nil, false
	}
	switch a {
	case keys.Mark:
		t.marks.Toggle(one.Name, *one)
		t.list.Do(keys.Down)
	case keys.MarkAll:
		t.markAll()
	case keys.Copy:
		return pages.Copy(cmp.Or(one.ID, one.Name)), true
	case keys.Restore:
		return t.restore(), true
	case keys.Purge:
		return t.purge(), true
	}
	return nil, true
}

func (t *trashPage) markAll() {
	if t.marks.Len() > 0 {
		t.marks.Clear()
		return
	}
	for i := range t.page.Trash {
		t.marks.Add(t.page.Trash[i].Name, t.page.Trash[i])
	}
}

// subjects are what something is done to: what is marked, else the chosen one.
func (t *trashPage) subjects() []trash.Trashed {
	if t.marks.Len() > 0 {
		return t.marks.List()
	}
	return []trash.Trashed{*t.chosen()}
}

func (t *trashPage) restore() tea.Cmd {
	d := t.over(t.subjects(), t.world.App.Trash.Restore)
	d.Doing, d.Done = "restoring", "restored"
	return pages.StartAct(d)
}

// over is a deed about what lies in the trash, by its names there: a session can
// lie there twice.
func (t *trashPage) over(list []trash.Trashed, act func(context.Context, acts.Doing, []string) (acts.Outcome, error)) pages.Act {
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
	}
	return pages.Act{Count: len(list), Run: func(ctx context.Context, by acts.Doing) (acts.Outcome, error) { return act(ctx, by, names) }}
}

// purge asks for the first letters of the session, or for the number of several:
// this cannot be undone.
func (t *trashPage) purge() tea.Cmd {
	list := t.subjects()
	word, what := pages.ShortID(cmp.Or(list[0].ID, list[0].Name)), "it"
	if len(list) > 1 {
		word, what = strconv.Itoa(len(list)), draw.Plural(len(list), "session")
	}
	d := t.over(list, t.world.App.Trash.Purge)
	d.Doing, d.Done, d.Agreed, d.Final = "deleting", "deleted for ever, with the copies", true, true
	return pages.Ask(&pages.Prompt{
		Label: fmt.Sprintf("type %s to delete %s for ever", word, what), Enter: "delete for ever",
		Done: func(text string) tea.Cmd {
			if !strings.EqualFold(strings.TrimSpace(text), word) {
				return pages.Note("nothing deleted: you did not type " + word)
			}
			return pages.StartAct(d)
		},
	})
}

var trashColumns = pages.Columns{
	{Title: "title", Stretch: true, Width: 1},
	{Title: "id", Width: 8, Style: term.Yellow, From: 60},
	{Title: "agents", Width: 6, Right: true, From: 90},
	{Title: "size", Width: 8, Right: true},
	{Title: "by", Width: 16, Style: term.Dim, From: 76},
	{Title: "trashed", Width: 7, Right: true, Style: term.Dim},
}

func (t *trashPage) View(width, height int) []string {
	sc := t.world.Screen
	name := " " + sc.Paint(term.Bold, "9 Trash")
	if n := t.marks.Len(); n > 0 {
		name += "  " + pages.Marked(sc, n)
	}
	position := fmt.Sprintf("%s/%s ", term.Count(min(t.list.At+1, t.list.Len)), term.Count(t.list.Len))
	lines := []string{pages.Spread(sc, name, sc.Paint(term.Dim, position), width)}
	if t.chosen() == nil {
		return append(lines, strings.Split(term.Wrap("\n"+t.emptiness(), max(1, width-2), "  "), "\n")...)
	}
	cols := trashColumns.Fit(width)
	lines = append(lines, cols.Header(sc))
	return append(lines, t.list.View(height-listHead, func(i int, chosen bool) string {
		one := &t.page.Trash[i]
		return cols.Row(sc, chosen, func(title string) term.Cell { return t.cell(one, title) })
	})...)
}

func (t *trashPage) cell(one *trash.Trashed, title string) term.Cell {
	switch title {
	case "title":
		text := cmp.Or(one.Title, one.Kind, one.Name)
		if t.marks.Has(one.Name) {
			text = pages.MarkGlyph(t.world.Screen) + " " + text
		}
		return term.Cell{Text: text}
	case "id":
		return term.Cell{Text: one.ID[:min(8, len(one.ID))]}
	case "agents":
		if one.Agents == 0 {
			return term.Cell{}
		}
		return term.Cell{Text: term.Count(one.Agents)}
	case "size":
		return term.Cell{Text: term.Bytes(one.Size)}
	case "by":
		return term.Cell{Text: actorWords(one.Actor)}
	}
	return term.Cell{Text: term.Ago(one.TrashedAt.Time, t.world.Now())}
}

// actorWords say who did something, and with what.
func actorWords(a shelf.Actor) string {
	return strings.Join(slices.DeleteFunc([]string{a.User, a.From}, func(s string) bool { return s == "" }), ", ")
}

func (t *trashPage) emptiness() string {
	switch {
	case t.err != nil:
		return "Cannot look into the trash: " + term.Line(t.err.Error())
	case !t.loaded:
		return "Looking into the trash" + pages.GlyphsOf(t.world.Screen).Ellipsis
	}
	return fmt.Sprintf("The trash is empty. In a list of sessions %s moves one here.", pages.KeyName(t.world.Screen, keys.Find(keys.Trash).Keys[0]))
}
