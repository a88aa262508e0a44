package tui

import (
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/resume"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// resumePage asks how to resume a session where there is a choice: a client has it
// open already, or its directory is gone.
type resumePage struct {
	world     *pages.World
	row       catalog.Session
	conflicts []string
}

// resumePlanMsg is what has to be known before a session is gone on with.
type resumePlanMsg struct {
	row  catalog.Session
	plan resume.Plan
	err  error
}

// leaveMsg leaves the interface for a session, as was agreed to, and returnedMsg
// comes back.
type (
	leaveMsg    struct{ next Next }
	returnedMsg struct{ err error }
)

// leave gives the terminal to the client until that ends. Everything stands still
// here meanwhile.
func (m *model) leave(next Next) tea.Cmd {
	m.next = next
	if asked, ok := m.top().(*resumePage); ok {
		m.remove(asked)
	}
	return tea.Exec(errand(func() error { return m.resume(next) }), func(err error) tea.Msg { return returnedMsg{err} })
}

// returned shows what the client left.
func (m *model) returned(msg returnedMsg) tea.Cmd {
	if msg.err != nil {
		m.say(msg.err.Error())
	}
	return tea.Batch(tea.ClearScreen, m.broadcast(pages.ChangedMsg{}))
}

// errand is a function that has the terminal while it runs.
type errand func() error

func (e errand) Run() error          { return e() }
func (e errand) SetStdin(io.Reader)  {}
func (e errand) SetStdout(io.Writer) {}
func (e errand) SetStderr(io.Writer) {}

// planResume looks whether there is something to ask first.
func planResume(w *pages.World, row catalog.Session) tea.Cmd {
	return func() tea.Msg {
		plan, err := w.App.Resume.PlanSession(w.Ctx, &row, resume.Options{})
		return resumePlanMsg{row, plan, err}
	}
}

// planned leaves, or asks.
func (m *model) planned(msg resumePlanMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.say(msg.err.Error())
		return nil
	case len(msg.plan.Conflicts) == 0:
		return m.asked(leaveMsg{Next{Session: &msg.row}})
	}
	return m.asked(pages.OpenMsg{Page: &resumePage{m.world, msg.row, msg.plan.Conflicts}})
}

func (p *resumePage) Start() tea.Cmd                 { return nil }
func (p *resumePage) Title() string                  { return "resume " + catalog.NameOf(&p.row) }
func (p *resumePage) Typing() bool                   { return true }
func (p *resumePage) Actions() []keys.Action         { return nil }
func (p *resumePage) Do(keys.Action) (tea.Cmd, bool) { return nil, false }
func (p *resumePage) Hints() []pages.Hint {
	return []pages.Hint{{Key: "f", Word: "resume a copy"}, {Key: "y", Word: "resume anyway"}, {Key: "esc", Word: "cancel"}}
}

func (p *resumePage) Update(msg tea.Msg) tea.Cmd {
	key, _ := msg.(tea.KeyPressMsg)
	switch key.String() {
	case "f":
		return pages.Send(leaveMsg{Next{Session: &p.row, Fork: true, Agreed: true}})
	case "y":
		return pages.Send(leaveMsg{Next{Session: &p.row, Agreed: true}})
	case "esc", "q", "n", "backspace":
		return pages.Back()
	}
	return nil
}

func (p *resumePage) View(width, height int) []string {
	sc := p.world.Screen
	text := "\n" + term.Line(catalog.NameOf(&p.row)) + "\n"
	for _, c := range p.conflicts {
		text += "\n" + term.Line(c) + "."
	}
	lines := strings.Split(term.Wrap(text, max(1, width-4), "  "), "\n")
	lines = append(lines, "")
	for _, h := range p.Hints() {
		lines = append(lines, "  "+sc.Paint(term.Bold|term.Cyan, pages.Fill(sc, pages.KeyName(sc, h.Key), 5))+resumeChoices[h.Key])
	}
	for i, line := range lines {
		lines[i] = pages.Cut(sc, line, width)
	}
	return lines[:min(len(lines), height)]
}

// resumeChoices say what the keys do.
var resumeChoices = map[string]string{
	"f":   "resume a copy: a new session that begins like this one",
	"y":   "resume it all the same",
	"esc": "cancel",
}
