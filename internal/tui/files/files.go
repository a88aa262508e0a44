// Package files has the pages about one file: the changes that sessions made to it and who wrote each of its
// lines ([New]), what one change changed, and an earlier content that is put back.
//
// The page of a change and that of a restore are opened from the first one. All of them read beside the loop.
package files

import (
	"path"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/talk"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/versions"
)

// At is a change of a file, by the line that made it.
type At struct{ Root, Session, Agent, Message string }

// version names the file after the change.
func (a At) version() string { return a.Session + "#" + a.Message }

// Opener opens the conversation at a change.
type Opener func(At) tea.Cmd

// Page lists the changes of a file, or its lines with who wrote them.
type Page struct {
	world *pages.World
	path  string
	open  Opener

	log     talk.FileLog
	logErr  error
	logged  bool
	changes pages.List

	lines    bool // the lines are shown, not the changes
	blame    versions.BlamePage
	blameErr error
	blamed   bool
	asked    bool // for the lines
	rows     pages.List
}

// New returns the page of a file by its absolute path.
func New(w *pages.World, file string, open Opener) *Page {
	return &Page{world: w, path: file, open: open}
}

// logMsg are the changes; blameMsg are the lines.
type (
	logMsg struct {
		log talk.FileLog
		err error
	}
	blameMsg struct {
		page versions.BlamePage
		err  error
	}
)

// mostChanges is how many changes are listed.
const mostChanges = 500

// Start reads the changes.
func (p *Page) Start() tea.Cmd {
	w, file := p.world, p.path
	return func() tea.Msg {
		log, err := w.App.Talk.FileLog(w.Ctx, talk.FileLogOptions{Path: file, Limit: mostChanges})
		return logMsg{log, err}
	}
}

// readLines reads who wrote the lines.
func (p *Page) readLines() tea.Cmd {
	p.asked = true
	w, file := p.world, p.path
	return func() tea.Msg {
		page, err := w.App.Versions.Blame(w.Ctx, versions.BlameRequest{Path: file})
		return blameMsg{page, err}
	}
}

// Update takes what was read. After something was changed here, it is read again.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case logMsg:
		p.log, p.logErr, p.logged = msg.log, msg.err, true
		p.changes.Resize(len(p.log.Changes))
	case blameMsg:
		p.blame, p.blameErr, p.blamed = msg.page, msg.err, true
		p.rows.Resize(len(p.blame.Lines))
	case pages.DoneMsg:
		if p.asked {
			return tea.Batch(p.Start(), p.readLines())
		}
		return p.Start()
	}
	return nil
}

// Do takes the keys.
func (p *Page) Do(a keys.Action) (tea.Cmd, bool) {
	list := &p.changes
	if p.lines {
		list = &p.rows
	}
	if list.Do(a) {
		return nil, true
	}
	switch a {
	case keys.Report, keys.PrevReport:
		p.lines = !p.lines
		if p.lines && !p.asked {
			return p.readLines(), true
		}
		return nil, true
	case keys.Open, keys.Restore, keys.Conversation, keys.Copy:
		at, ok := p.chosen()
		if !ok {
			return pages.Note("no session wrote this line"), true
		}
		return p.act(a, at), true
	}
	return nil, false
}

// act does something with the chosen change.
func (p *Page) act(a keys.Action, c change) tea.Cmd {
	switch a {
	case keys.Conversation:
		return p.open(c.at)
	case keys.Copy:
		return pages.Copy(c.address)
	case keys.Restore:
		return pages.Open(newRestore(p.world, c))
	}
	return pages.Open(newChange(p.world, c, p.open))
}

// chosen is the change of the chosen row.
func (p *Page) chosen() (change, bool) {
	if !p.lines {
		if p.changes.At >= len(p.log.Changes) {
			return change{}, false
		}
		return changeOf(&p.log.Changes[p.changes.At]), true
	}
	if p.rows.At >= len(p.blame.Lines) {
		return change{}, false
	}
	w := p.writer(p.rows.At)
	if w == nil {
		return change{}, false
	}
	return change{At{w.Root, w.SessionID, w.AgentID, w.UUID}, w.Path, w.Time.Time, w.Prompt, w.Address}, true
}

// writer is who wrote a line; nil: no session.
func (p *Page) writer(line int) *versions.Writer {
	at := p.blame.Lines[line].Change
	if at < 0 {
		return nil
	}
	return &p.blame.Changes[at]
}

// Typing reports that letters are keys.
func (p *Page) Typing() bool { return false }

// Title names the file.
func (p *Page) Title() string { return "file: " + path.Base(p.path) }

// Gathers says that the page lists what is in the homes.
func (p *Page) Gathers() {}

// Actions are the keys that work here.
func (p *Page) Actions() []keys.Action {
	return []keys.Action{keys.Open, keys.Report, keys.Conversation, keys.Restore, keys.Copy, keys.Down, keys.Up}
}

// Word names actions by what they do here.
func (p *Page) Word(a keys.Action) string {
	switch {
	case a == keys.Open:
		return "diff"
	case a == keys.Report && p.lines:
		return "history"
	case a == keys.Report:
		return "blame"
	}
	return ""
}
