package tui

import (
	"fmt"
	"slices"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/paging"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// projects is the page with the list of projects.
type projects struct {
	world  *pages.World
	list   pages.List
	loaded bool
	all    []ask.Project
	shown  []int // of all, those that have every word
	err    error

	input   pages.Input
	editing bool
}

// projectsMsg is the list that was asked for.
type projectsMsg struct {
	list []ask.Project
	err  error
}

func newProjects(w *pages.World) *projects { return &projects{world: w} }

func (p *projects) Start() tea.Cmd {
	return func() tea.Msg {
		catalog, err := p.world.Catalog()
		if err != nil {
			return projectsMsg{nil, err}
		}
		page, err := catalog.ListProjects(p.world.Ctx, paging.Slice{})
		return projectsMsg{page.Projects, err}
	}
}

func (p *projects) Typing() bool { return p.editing }

// Gathers says that the page counts what is in the homes.
func (p *projects) Gathers() {}

func (p *projects) Title() string {
	if !p.loaded {
		return "projects"
	}
	return draw.Plural(len(p.all), "project")
}

func (p *projects) Hints() []pages.Hint {
	return []pages.Hint{{Key: "enter", Word: "open"}, {Key: "esc", Word: "clear"}, {Key: "up", Word: "up"}, {Key: "down", Word: "down"}}
}

func (p *projects) Actions() []keys.Action {
	if p.chosen() == nil {
		return []keys.Action{keys.Filter, keys.All}
	}
	return []keys.Action{keys.Open, keys.Filter, keys.All, keys.Copy}
}

func (p *projects) chosen() *ask.Project {
	if p.list.At >= len(p.shown) {
		return nil
	}
	return &p.all[p.shown[p.list.At]]
}

func (p *projects) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case projectsMsg:
		p.apply(msg)
	case pages.ChangedMsg:
		return p.Start()
	case pages.ClickMsg:
		if row, ok := p.list.Row(msg.Y - listHead); ok && row == p.list.At {
			return p.open(p.chosen())
		} else if ok {
			p.list.Choose(row)
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		return p.typed(msg)
	}
	return nil
}

// apply shows the list. The project one stood on, at first the one of the
// sessions, stays the chosen one.
func (p *projects) apply(msg projectsMsg) {
	var id string
	if before := p.chosen(); before != nil {
		id = before.ID
	} else if p.world.Scope.Project != nil {
		id = p.world.Scope.Project.ID
	}
	p.loaded, p.all, p.err = true, msg.list, msg.err
	p.sift()
	if at := slices.IndexFunc(p.shown, func(i int) bool { return p.all[i].ID == id }); at >= 0 {
		p.list.Choose(at)
	}
}

func (p *projects) sift() {
	words := strings.Fields(strings.ToLower(p.input.Text()))
	p.shown = p.shown[:0]
	for i := range p.all {
		text := strings.ToLower(p.all[i].ID + " " + p.all[i].Path)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			p.shown = append(p.shown, i)
		}
	}
	p.list.Resize(len(p.shown))
}

func (p *projects) Do(a keys.Action) (tea.Cmd, bool) {
	if p.list.Do(a) {
		return nil, true
	}
	switch a {
	case keys.Open:
		return p.open(p.chosen()), true
	case keys.All:
		p.world.Scope.All = true
		return pages.Press(keys.Sessions), true
	case keys.Filter:
		p.editing = true
	case keys.Copy:
		if c := p.chosen(); c != nil {
			return pages.Copy(c.ID), true
		}
	case keys.Back:
		if p.input.Text() == "" {
			return nil, false
		}
		p.input.Set("")
		p.sift()
	default:
		return nil, false
	}
	return nil, true
}

// open shows the sessions of a project.
func (p *projects) open(c *ask.Project) tea.Cmd {
	if c == nil {
		return nil
	}
	of := *c
	p.world.Scope.Choose, p.world.Scope.Project, p.world.Scope.All = nil, &of, false
	return pages.Press(keys.Sessions)
}

func (p *projects) typed(msg tea.Msg) tea.Cmd {
	key, _ := msg.(tea.KeyPressMsg)
	switch key.String() {
	case "esc":
		p.editing = false
		p.input.Set("")
	case "enter":
		p.editing = false
		return p.open(p.chosen())
	case "up":
		p.list.Do(keys.Up)
		return nil
	case "down":
		p.list.Do(keys.Down)
		return nil
	default:
		p.input.Update(msg)
	}
	p.sift()
	return nil
}

func (p *projects) View(width, height int) []string {
	lines := []string{p.heading(width)}
	if len(p.shown) == 0 {
		return append(lines, "", "  "+pages.Cut(p.world.Screen, p.emptiness(), width-2))
	}
	cols := projectColumns.Fit(width)
	lines = append(lines, cols.Header(p.world.Screen))
	return append(lines, p.list.View(height-listHead, func(i int, chosen bool) string {
		one := &p.all[p.shown[i]]
		return cols.Row(p.world.Screen, chosen, func(title string) term.Cell { return p.cell(one, title) })
	})...)
}

func (p *projects) heading(width int) string {
	name := " " + p.world.Screen.Paint(term.Bold, "1 Projects")
	switch {
	case p.editing:
		name += "  /" + p.input.View(p.world.Screen, width-30)
	case p.input.Text() != "":
		name += "  " + p.world.Screen.Paint(term.Yellow, "/"+p.input.Text())
	}
	position := fmt.Sprintf("%s/%s ", term.Count(min(p.list.At+1, len(p.shown))), term.Count(len(p.shown)))
	return pages.Spread(p.world.Screen, name, p.world.Screen.Paint(term.Dim, position), width)
}

var projectColumns = pages.Columns{
	{Title: "project", Width: 20, Style: term.Cyan},
	{Title: "path", Stretch: true, Width: 1, Style: term.Dim},
	{Title: "sessions", Width: 8, Right: true, From: 50},
	{Title: "agents", Width: 6, Right: true, From: 76},
	{Title: "size", Width: 8, Right: true, From: 90},
	{Title: "active", Width: 6, Right: true, Style: term.Dim},
}

func (p *projects) cell(c *ask.Project, title string) term.Cell {
	switch title {
	case "project":
		return term.Cell{Text: p.world.ProjectName(c.ID)}
	case "path":
		if c.Path == "" {
			return term.Cell{Text: "unknown path (" + c.DirName + ")"}
		}
		return term.Cell{Text: c.Path}
	case "sessions":
		return term.Cell{Text: term.Count(c.Counts.User)}
	case "agents":
		n := c.Counts.Agent + c.InlineAgents
		if n == 0 {
			return term.Cell{}
		}
		return term.Cell{Text: term.Count(n)}
	case "size":
		return term.Cell{Text: term.Bytes(c.Size)}
	}
	return term.Cell{Text: term.Ago(c.LastActivity.Time, p.world.Now())}
}

func (p *projects) emptiness() string {
	switch {
	case p.err != nil:
		return "Cannot list projects: " + term.Line(p.err.Error())
	case !p.loaded:
		return "Reading transcripts" + pages.GlyphsOf(p.world.Screen).Ellipsis
	case p.input.Text() != "":
		return "No projects match. " + pages.KeyName(p.world.Screen, "esc") + " clears the filter."
	}
	return p.world.SoFar("No projects here yet.")
}
