package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
)

// palette is the page where one types what to do or where to go.
type palette struct {
	world   *world
	input   input
	list    list
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
		palette screen // which has done its work
		wish    tea.Msg
	}
	recentMsg struct{ rows []app.Session }
)

// recentSessions is how many sessions can be found here.
const recentSessions = 200

func newPalette(w *world, here []keys.Action) *palette {
	p := &palette{world: w}
	added := map[keys.Action]bool{keys.Palette: true}
	for _, a := range slices.Concat(here, everywhere()) {
		b := keys.Find(a)
		if added[a] || len(b.Keys) == 0 {
			continue
		}
		added[a] = true
		p.add(choice{name: b.Text, hint: keyName(w.screen, b.Keys[0]), hay: string(a) + " " + b.Text, wish: send(actionMsg{a})})
	}
	p.sift()
	return p
}

func (p *palette) add(c choice) {
	c.hay = strings.ToLower(c.hay)
	p.choices = append(p.choices, c)
}

func (p *palette) start() tea.Cmd {
	return func() tea.Msg {
		catalog, err := p.world.catalog()
		if err != nil {
			return noteMsg{err.Error()}
		}
		page, err := catalog.List(p.world.ctx, app.Filter{Limit: recentSessions})
		if err != nil {
			return noteMsg{err.Error()}
		}
		return recentMsg{page.Sessions}
	}
}

func (p *palette) title() string { return "commands and sessions" }
func (p *palette) typing() bool  { return true }

func (p *palette) actions() []keys.Action { return nil }

func (p *palette) hints() []hint {
	return []hint{{"enter", "do it"}, {"esc", "back"}, {"up", "up"}, {"down", "down"}}
}

func (p *palette) do(keys.Action) (tea.Cmd, bool) { return nil, false }

func (p *palette) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case recentMsg:
		for i := range msg.rows {
			r := &msg.rows[i]
			p.add(choice{
				name: app.NameOf(r), hint: r.Project + "  " + r.ID[:min(8, len(r.ID))],
				hay:  strings.Join([]string{app.NameOf(r), r.GitBranch, r.Project, r.ID}, " "),
				wish: func() tea.Msg { return openMsg{newConversation(p.world, *r)} },
			})
		}
		p.sift()
	case clickMsg:
		if row, ok := p.list.row(msg.y - listHead); ok {
			p.list.choose(row)
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
		return send(backMsg{})
	case "enter":
		return p.choose()
	case "up", "ctrl+p":
		p.list.do(keys.Up)
	case "down", "ctrl+n":
		p.list.do(keys.Down)
	case "pgup":
		p.list.do(keys.PageUp)
	case "pgdown":
		p.list.do(keys.PageDown)
	case "backspace":
		if p.input.text() == "" {
			return send(backMsg{})
		}
		fallthrough
	default:
		if p.input.update(msg) {
			p.list.choose(0)
			p.sift()
		}
	}
	return nil
}

func (p *palette) choose() tea.Cmd {
	if p.list.at >= len(p.shown) {
		return nil
	}
	return send(chosenMsg{p, p.choices[p.shown[p.list.at]].wish()})
}

func (p *palette) sift() {
	words := strings.Fields(strings.ToLower(p.input.text()))
	p.shown = p.shown[:0]
	for i := range p.choices {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(p.choices[i].hay, w) }) {
			p.shown = append(p.shown, i)
		}
	}
	p.list.resize(len(p.shown))
}

func (p *palette) view(width, height int) []string {
	lines := []string{" :" + p.input.view(p.world.screen, width-4), ""}
	if len(p.shown) == 0 {
		return append(lines, "  Nothing is called that. "+keyName(p.world.screen, "esc")+" goes back.")
	}
	cols := columns{
		{title: "name", stretch: true, width: 1},
		{title: "hint", width: min(32, width/3), right: true, style: term.Dim},
	}.fit(width)
	return append(lines, p.list.view(height-listHead, func(i int, chosen bool) string {
		c := &p.choices[p.shown[i]]
		return cols.row(p.world.screen, chosen, func(title string) term.Cell {
			if title == "hint" {
				return term.Cell{Text: c.hint}
			}
			return term.Cell{Text: c.name}
		})
	})...)
}
