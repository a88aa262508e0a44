package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
)

// projects is the page with the list of projects.
type projects struct {
	world  *world
	list   list
	loaded bool
	all    []app.Project
	shown  []int // of all, those that have every word
	err    error

	input   input
	editing bool
}

// projectsMsg is the list that was asked for.
type projectsMsg struct {
	list []app.Project
	err  error
}

func newProjects(w *world) *projects { return &projects{world: w} }

func (p *projects) start() tea.Cmd {
	return func() tea.Msg {
		catalog, err := p.world.catalog()
		if err != nil {
			return projectsMsg{nil, err}
		}
		page, err := catalog.ListProjects(p.world.ctx, app.Slice{})
		return projectsMsg{page.Projects, err}
	}
}

func (p *projects) typing() bool { return p.editing }

func (p *projects) title() string {
	if !p.loaded {
		return "projects"
	}
	return count(len(p.all), "project")
}

func (p *projects) hints() []hint {
	return []hint{{"enter", "open"}, {"esc", "clear"}, {"up", "up"}, {"down", "down"}}
}

func (p *projects) actions() []keys.Action {
	if p.chosen() == nil {
		return []keys.Action{keys.Filter, keys.All}
	}
	return []keys.Action{keys.Open, keys.Filter, keys.All, keys.Copy}
}

func (p *projects) chosen() *app.Project {
	if p.list.at >= len(p.shown) {
		return nil
	}
	return &p.all[p.shown[p.list.at]]
}

func (p *projects) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case projectsMsg:
		p.take(msg)
	case changedMsg:
		return p.start()
	case clickMsg:
		if row, ok := p.list.row(msg.y - listHead); ok && row == p.list.at {
			return p.open(p.chosen())
		} else if ok {
			p.list.choose(row)
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		return p.typed(msg)
	}
	return nil
}

// take shows the list. The project one stood on, at first the one of the
// sessions, stays the chosen one.
func (p *projects) take(msg projectsMsg) {
	var id string
	if before := p.chosen(); before != nil {
		id = before.ID
	} else if p.world.scope.project != nil {
		id = p.world.scope.project.ID
	}
	p.loaded, p.all, p.err = true, msg.list, msg.err
	p.sift()
	if at := slices.IndexFunc(p.shown, func(i int) bool { return p.all[i].ID == id }); at >= 0 {
		p.list.choose(at)
	}
}

func (p *projects) sift() {
	words := strings.Fields(strings.ToLower(p.input.text()))
	p.shown = p.shown[:0]
	for i := range p.all {
		text := strings.ToLower(p.all[i].ID + " " + p.all[i].Path)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			p.shown = append(p.shown, i)
		}
	}
	p.list.resize(len(p.shown))
}

func (p *projects) do(a keys.Action) (tea.Cmd, bool) {
	if p.list.do(a) {
		return nil, true
	}
	switch a {
	case keys.Open:
		return p.open(p.chosen()), true
	case keys.All:
		p.world.scope.all = true
		return send(actionMsg{keys.Sessions}), true
	case keys.Filter:
		p.editing = true
	case keys.Copy:
		if c := p.chosen(); c != nil {
			return send(copyMsg{c.ID}), true
		}
	case keys.Back:
		if p.input.text() == "" {
			return nil, false
		}
		p.input.set("")
		p.sift()
	default:
		return nil, false
	}
	return nil, true
}

// open shows the sessions of a project.
func (p *projects) open(c *app.Project) tea.Cmd {
	if c == nil {
		return nil
	}
	of := *c
	p.world.scope.choose, p.world.scope.project, p.world.scope.all = nil, &of, false
	return send(actionMsg{keys.Sessions})
}

func (p *projects) typed(msg tea.Msg) tea.Cmd {
	key, _ := msg.(tea.KeyPressMsg)
	switch key.String() {
	case "esc":
		p.editing = false
		p.input.set("")
	case "enter":
		p.editing = false
		return p.open(p.chosen())
	case "up":
		p.list.do(keys.Up)
		return nil
	case "down":
		p.list.do(keys.Down)
		return nil
	default:
		p.input.update(msg)
	}
	p.sift()
	return nil
}

func (p *projects) view(width, height int) []string {
	lines := []string{p.heading(width)}
	if len(p.shown) == 0 {
		return append(lines, "", "  "+cut(p.world.screen, p.emptiness(), width-2))
	}
	cols := projectColumns.fit(width)
	lines = append(lines, cols.header(p.world.screen))
	return append(lines, p.list.view(height-listHead, func(i int, chosen bool) string {
		one := &p.all[p.shown[i]]
		return cols.row(p.world.screen, chosen, func(title string) term.Cell { return p.cell(one, title) })
	})...)
}

func (p *projects) heading(width int) string {
	name := " " + p.world.screen.Paint(term.Bold, "1 Projects")
	switch {
	case p.editing:
		name += "  /" + p.input.view(p.world.screen, width-30)
	case p.input.text() != "":
		name += "  " + p.world.screen.Paint(term.Yellow, "/"+p.input.text())
	}
	place := fmt.Sprintf("%s/%s ", term.Count(min(p.list.at+1, len(p.shown))), term.Count(len(p.shown)))
	return spread(p.world.screen, name, p.world.screen.Paint(term.Dim, place), width)
}

var projectColumns = columns{
	{title: "project", width: 20, style: term.Cyan},
	{title: "path", stretch: true, width: 1, style: term.Dim},
	{title: "sessions", width: 8, right: true, from: 50},
	{title: "agents", width: 6, right: true, from: 76},
	{title: "size", width: 8, right: true, from: 90},
	{title: "active", width: 6, right: true, style: term.Dim},
}

func (p *projects) cell(c *app.Project, title string) term.Cell {
	switch title {
	case "project":
		return term.Cell{Text: c.ID}
	case "path":
		if c.Path == "" {
			return term.Cell{Text: "unknown path (" + c.DirName + ")"}
		}
		return term.Cell{Text: c.Path}
	case "sessions":
		return term.Cell{Text: term.Count(c.Counts.User)}
	case "agents":
		if c.Counts.Agent == 0 {
			return term.Cell{}
		}
		return term.Cell{Text: term.Count(c.Counts.Agent)}
	case "size":
		return term.Cell{Text: term.Bytes(c.Size)}
	}
	return term.Cell{Text: term.Ago(c.LastActivity.Time, p.world.now())}
}

func (p *projects) emptiness() string {
	switch {
	case p.err != nil:
		return "Cannot list projects: " + term.Line(p.err.Error())
	case !p.loaded:
		return "Reading transcripts" + glyphsOf(p.world.screen).ellipsis
	case p.input.text() != "":
		return "No projects match. " + keyName(p.world.screen, "esc") + " clears the filter."
	}
	return "No projects here yet."
}
