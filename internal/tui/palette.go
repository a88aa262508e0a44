package tui

import (
	"slices"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// palette is the page where one types what to do or where to go.
type palette struct {
	world   *pages.World
	title   string
	start   func() tea.Msg // finds more choices; nil: there are none
	input   pages.Input
	list    pages.List
	choices []choice
	shown   []int
}

// choice is something to choose.
type choice struct {
	name, hint string
	hay        string         // what typed words are looked for in
	wish       func() tea.Msg // what it asks the interface for
}

// Messages of the palette to the interface.
type (
	chosenMsg struct {
		palette pages.Page // which has done its work
		wish    tea.Msg
	}
	recentMsg struct{ rows []catalog.Session }
)

// recentSessions is how many sessions can be found here.
const recentSessions = 200

// newPalette lists pages first: a user who types the name of a page wants to open it.
func newPalette(w *pages.World, here, everywhere []keys.Action) *palette {
	p := &palette{world: w, title: "commands and sessions"}
	p.choices = actionsAsChoices(w, slices.Concat(rootKeys(everywhere), here, everywhere))
	p.start = p.recent
	p.sift()
	return p
}

// newMenu has what can be done on a page, and nothing else.
func newMenu(w *pages.World, here []keys.Action) *palette {
	p := &palette{world: w, title: "actions", choices: actionsAsChoices(w, here)}
	p.sift()
	return p
}

// rootKeys are those of the actions that show a page of its own.
func rootKeys(actions []keys.Action) []keys.Action {
	return slices.DeleteFunc(slices.Clone(actions), func(a keys.Action) bool { return rootPages[a] == nil })
}

// actionsAsChoices makes choices of actions, each once.
func actionsAsChoices(w *pages.World, actions []keys.Action) (list []choice) {
	added := map[keys.Action]bool{keys.Palette: true, keys.Menu: true}
	for _, a := range actions {
		b := keys.Find(a)
		if added[a] || len(b.Keys) == 0 {
			continue
		}
		added[a] = true
		list = append(list, choice{name: b.Text, hint: pages.KeyName(w.Screen, b.Keys[0]), hay: strings.ToLower(string(a) + " " + b.Text), wish: pages.Press(a)})
	}
	return list
}

func (p *palette) add(c choice) {
	c.hay = strings.ToLower(c.hay)
	p.choices = append(p.choices, c)
}

func (p *palette) Start() tea.Cmd { return p.start }

// recent finds the sessions that were active last.
func (p *palette) recent() tea.Msg {
	catalog, err := p.world.Catalog()
	if err != nil {
		return pages.NoteMsg{Text: err.Error()}
	}
	page, err := catalog.List(p.world.Ctx, ask.Filter{Limit: recentSessions})
	if err != nil {
		return pages.NoteMsg{Text: err.Error()}
	}
	return recentMsg{page.Sessions}
}

func (p *palette) Title() string { return p.title }
func (p *palette) Typing() bool  { return true }

func (p *palette) Actions() []keys.Action { return nil }

func (p *palette) Hints() []pages.Hint {
	return []pages.Hint{{Key: "enter", Word: "do it"}, {Key: "esc", Word: "back"}, {Key: "up", Word: "up"}, {Key: "down", Word: "down"}}
}

func (p *palette) Do(keys.Action) (tea.Cmd, bool) { return nil, false }

func (p *palette) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case recentMsg:
		for i := range msg.rows {
			r := &msg.rows[i]
			p.add(choice{
				name: catalog.NameOf(r), hint: p.world.ProjectName(r.Project) + "  " + r.ID[:min(8, len(r.ID))],
				hay:  strings.Join([]string{catalog.NameOf(r), r.GitBranch, p.world.ProjectName(r.Project), r.ID}, " "),
				wish: func() tea.Msg { return pages.OpenMsg{Page: conversation.New(p.world, *r)} },
			})
		}
		p.sift()
	case facetsMsg:
		p.choices = append(p.choices, msg.choices...)
		p.sift()
	case pages.ClickMsg:
		if row, ok := p.list.Row(msg.Y - listHead); ok {
			p.list.Choose(row)
			return p.choose()
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		return p.typed(msg)
	}
	return nil
}

func (p *palette) typed(msg tea.Msg) tea.Cmd {
	key, _ := msg.(tea.KeyPressMsg)
	switch key.String() {
	case "esc", "ctrl+k":
		return pages.Back()
	case "enter":
		return p.choose()
	case "up", "ctrl+p":
		p.list.Do(keys.Up)
	case "down", "ctrl+n":
		p.list.Do(keys.Down)
	case "pgup":
		p.list.Do(keys.PageUp)
	case "pgdown":
		p.list.Do(keys.PageDown)
	case "backspace":
		if p.input.Text() == "" {
			return pages.Back()
		}
		fallthrough
	default:
		if p.input.Update(msg) {
			p.list.Choose(0)
			p.sift()
		}
	}
	return nil
}

func (p *palette) choose() tea.Cmd {
	if p.list.At >= len(p.shown) {
		return nil
	}
	return pages.Send(chosenMsg{p, p.choices[p.shown[p.list.At]].wish()})
}

func (p *palette) sift() {
	words := strings.Fields(strings.ToLower(p.input.Text()))
	p.shown = p.shown[:0]
	for i := range p.choices {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(p.choices[i].hay, w) }) {
			p.shown = append(p.shown, i)
		}
	}
	p.list.Resize(len(p.shown))
}

func (p *palette) View(width, height int) []string {
	lines := []string{" :" + p.input.View(p.world.Screen, width-4), ""}
	if len(p.shown) == 0 {
		return append(lines, "  Nothing is called that. "+pages.KeyName(p.world.Screen, "esc")+" goes back.")
	}
	cols := pages.Columns{
		{Title: "name", Stretch: true, Width: 1},
		{Title: "hint", Width: min(32, width/3), Right: true, Style: term.Dim},
	}.Fit(width)
	return append(lines, p.list.View(height-listHead, func(i int, chosen bool) string {
		c := &p.choices[p.shown[i]]
		return cols.Row(p.world.Screen, chosen, func(title string) term.Cell {
			if title == "hint" {
				return term.Cell{Text: c.hint}
			}
			return term.Cell{Text: c.name}
		})
	})...)
}
