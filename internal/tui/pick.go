package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/search"
)

// Pick says what is to be picked.
type Pick struct {
	Title  string // what is asked, such as "watch which session?"
	Search bool   // hits of a search, and not sessions of a list
	// All is what can be picked instead of one session, such as "all that run";
	// empty: nothing.
	All string
	// Words are in the filter at first, where the user can change them.
	Words string
}

// Picked is what somebody picked.
type Picked struct {
	Session *catalog.Session // nil: all
	Address string           // of it, or of the hit
}

// PickOne shows a list like that of the interface, with its filter and its preview,
// until a session is picked. It returns context.Canceled if somebody leaves
// without.
func PickOne(ctx context.Context, o Options, p Pick) (Picked, error) {
	var m *model
	err := run(ctx, o, func(made *model) {
		m = made
		m.stack = []pages.Page{newPicker(m.world, p)}
	})
	switch {
	case err != nil:
		return Picked{}, err
	case m.picked == nil:
		return Picked{}, context.Canceled
	}
	return *m.picked, nil
}

// picks reports whether the interface is only there to pick something.
func (m *model) picks() bool {
	_, ok := m.stack[0].(*picker)
	return ok
}

// pickedMsg ends the interface with what was picked.
type pickedMsg struct{ picked Picked }

// picker is a page of the interface on which one session is to be picked.
type picker struct {
	pick Pick
	page pages.Page // the list
	// chosen is what the list stands on.
	chosen func() (Picked, bool)
}

func newPicker(w *pages.World, p Pick) *picker {
	if p.Search {
		s := search.New(w, "")
		return &picker{pick: p, page: s, chosen: func() (Picked, bool) {
			r, address := s.Chosen()
			return Picked{r, address}, r != nil
		}}
	}
	s := newSessions(w)
	if p.Words != "" {
		s.editing = true
		s.input.Set(p.Words)
		s.words = strings.Fields(strings.ToLower(p.Words))
	}
	return &picker{pick: p, page: s, chosen: func() (Picked, bool) {
		r := s.chosen()
		if r == nil {
			return Picked{}, false
		}
		row := *r
		return Picked{&row, row.Address()}, true
	}}
}

func (p *picker) Start() tea.Cmd                  { return p.page.Start() }
func (p *picker) View(width, height int) []string { return p.page.View(width, height) }
func (p *picker) Title() string                   { return p.pick.Title }
func (p *picker) Typing() bool                    { return p.page.Typing() }

// Update has Enter pick while a filter is typed: the rows are there already.
func (p *picker) Update(msg tea.Msg) tea.Cmd {
	key, _ := msg.(tea.KeyPressMsg)
	if p.Typing() && !p.pick.Search && key.String() == "enter" {
		return p.pickChosen()
	}
	return p.page.Update(msg)
}

// pickerKeys are the keys of a list that are of use for picking.
var pickerKeys = map[keys.Action]bool{keys.Filter: true, keys.Sort: true, keys.All: true, keys.Preview: true,
	keys.NextHit: true, keys.PrevHit: true, keys.Back: true}

func (p *picker) Do(a keys.Action) (tea.Cmd, bool) {
	switch {
	case a == keys.Open:
		return p.pickChosen(), true
	case a == keys.Live && p.pick.All != "":
		return pages.Send(pickedMsg{}), true
	case pickerKeys[a], slices.Contains(pages.Moves, a):
		return p.page.Do(a)
	}
	return nil, false
}

// pickChosen picks what the list stands on.
func (p *picker) pickChosen() tea.Cmd {
	picked, ok := p.chosen()
	if !ok {
		return pages.Note("there is nothing to pick")
	}
	return pages.Send(pickedMsg{picked})
}

func (p *picker) Actions() []keys.Action {
	list := []keys.Action{keys.Open}
	if p.pick.All != "" {
		list = append(list, keys.Live)
	}
	for _, a := range p.page.Actions() {
		if pickerKeys[a] {
			list = append(list, a)
		}
	}
	return list
}

// Word calls the keys by what they do here.
func (p *picker) Word(a keys.Action) string {
	switch a {
	case keys.Open:
		return "pick"
	case keys.Live:
		return p.pick.All
	}
	if n, ok := p.page.(pages.Namer); ok {
		return n.Word(a)
	}
	return ""
}

func (p *picker) Hints() []pages.Hint {
	if t, ok := p.page.(pages.Typist); ok && p.pick.Search {
		return t.Hints()
	}
	return []pages.Hint{{Key: "enter", Word: "pick"}, {Key: "esc", Word: "clear"}, {Key: "up", Word: "up"}, {Key: "down", Word: "down"}}
}
