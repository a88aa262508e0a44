package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
)

// resumePage asks how to go on with a session where going on is not plain: a
// client runs it already, or its directory is gone.
type resumePage struct {
	world     *world
	row       app.Session
	conflicts []string
}

// resumePlanMsg is what has to be known before a session is gone on with.
type resumePlanMsg struct {
	row  app.Session
	plan app.ResumePlan
	err  error
}

// leaveMsg leaves the interface for a session, as was agreed to.
type leaveMsg struct{ next Next }

// planResume looks whether there is something to ask first.
func planResume(w *world, row app.Session) tea.Cmd {
	return func() tea.Msg {
		plan, err := w.app.ResumeSession(w.ctx, &row, app.ResumeOptions{})
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
		return m.asked(leaveMsg{Next{Resume: &msg.row}})
	}
	return m.asked(openMsg{&resumePage{m.world, msg.row, msg.plan.Conflicts}})
}

func (p *resumePage) start() tea.Cmd                 { return nil }
func (p *resumePage) title() string                  { return "resume " + app.NameOf(&p.row) }
func (p *resumePage) typing() bool                   { return true }
func (p *resumePage) actions() []keys.Action         { return nil }
func (p *resumePage) do(keys.Action) (tea.Cmd, bool) { return nil, false }
func (p *resumePage) hints() []hint {
	return []hint{{"f", "resume a copy"}, {"y", "resume anyway"}, {"esc", "cancel"}}
}

func (p *resumePage) update(msg tea.Msg) tea.Cmd {
	key, _ := msg.(tea.KeyPressMsg)
	switch key.String() {
	case "f":
		return send(leaveMsg{Next{Resume: &p.row, Fork: true, Agreed: true}})
	case "y":
		return send(leaveMsg{Next{Resume: &p.row, Agreed: true}})
	case "esc", "q", "n", "backspace":
		return send(backMsg{})
	}
	return nil
}

func (p *resumePage) view(width, height int) []string {
	sc := p.world.screen
	text := "\n" + term.Line(app.NameOf(&p.row)) + "\n"
	for _, c := range p.conflicts {
		text += "\n" + term.Line(c) + "."
	}
	lines := strings.Split(term.Wrap(text, max(1, width-4), "  "), "\n")
	lines = append(lines, "")
	for _, h := range p.hints() {
		lines = append(lines, "  "+sc.Paint(term.Bold|term.Cyan, fill(sc, keyName(sc, h.key), 5))+resumeWays[h.key])
	}
	for i, line := range lines {
		lines[i] = cut(sc, line, width)
	}
	return lines[:min(len(lines), height)]
}

// resumeWays say what the keys do.
var resumeWays = map[string]string{
	"f":   "resume a copy: a new session that begins like this one",
	"y":   "resume it all the same",
	"esc": "cancel",
}
