package files

import (
	"path"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/acts"
	"sesskeep/internal/errcode"
	"sesskeep/internal/keys"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"
	"sesskeep/internal/timeline"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/versions"
	"sesskeep/internal/view"
)

// change is what is known of a change before its file is read.
type change struct {
	at      At
	path    string // that the file had
	time    time.Time
	prompt  string
	address string
}

func changeOf(c *talk.FileChange) change {
	at := At{c.Root, c.SessionID, c.AgentID, c.UUID}
	address := at.Session
	if at.Agent != "" {
		address += "/" + at.Agent
	}
	return change{at, c.Path, c.Time.Time, c.Prompt, address + "#" + at.Message + c.Suffix}
}

// changePage shows what one change changed.
type changePage struct {
	diff
	open Opener
}

func newChange(w *pages.World, c change, open Opener) *changePage {
	return &changePage{diff{world: w, change: c, heading: "Change of "}, open}
}

// diffMsg is what differs, and how sure that is.
type diffMsg struct {
	hunks []view.Hunk
	said  string
	err   error
}

// Start compares the file before and after the change.
func (p *changePage) Start() tea.Cmd {
	w, c := p.world, p.change
	return func() tea.Msg {
		after, err := w.App.Versions.Show(w.Ctx, c.path, c.at.version())
		if err != nil {
			return diffMsg{err: err}
		}
		before, err := w.App.Versions.Show(w.Ctx, c.path, c.time.Add(-time.Millisecond).UTC().Format(time.RFC3339Nano))
		if errcode.Of(err) == errcode.NotFound {
			before, err = versions.FileVersion{Absent: true, Sure: timeline.Exact}, nil
		}
		return diffMsg{view.Diff(before.Text, after.Text), sure(&before, &after), err}
	}
}

// sure says how the versions are known.
func sure(before, after *versions.FileVersion) string {
	switch {
	case before.Sure == timeline.Lost || after.Sure == timeline.Lost:
		return "a change that cannot be replayed is between them"
	case before.Outside != nil && before.Outside.From.IsZero():
		return string(after.Sure) + ", the first content that is known"
	case before.Outside != nil:
		return string(after.Sure) + ", with what others changed before"
	}
	return string(after.Sure)
}

func (p *changePage) Do(a keys.Action) (tea.Cmd, bool) {
	switch a {
	case keys.Open, keys.Conversation:
		return p.open(p.change.at), true
	case keys.Restore:
		return pages.Open(newRestore(p.world, p.change)), true
	case keys.Copy:
		return pages.Copy(p.change.address), true
	}
	return nil, p.scroll(a)
}

func (p *changePage) Title() string { return "change of " + path.Base(p.change.path) }

func (p *changePage) Actions() []keys.Action {
	return append([]keys.Action{keys.Open, keys.Restore, keys.Copy}, pages.Moves...)
}

// Word names actions by what they do here.
func (p *changePage) Word(a keys.Action) string {
	if a == keys.Open {
		return "conversation"
	}
	return ""
}

// restorePage shows what a file would become, and puts the content back.
type restorePage struct {
	diff
	file    string
	changes bool
}

func newRestore(w *pages.World, c change) *restorePage {
	return &restorePage{diff: diff{world: w, change: c, heading: "Restore "}}
}

// restoreMsg is what would change on the disk.
type restoreMsg struct {
	out versions.FileRestoration
	err error
}

func (p *restorePage) request() versions.RestoreRequest {
	return versions.RestoreRequest{Path: p.change.path, At: p.change.at.version()}
}

// Start plans the restore, and writes nothing.
func (p *restorePage) Start() tea.Cmd {
	w, r := p.world, p.request()
	return func() tea.Msg {
		out, err := w.App.Versions.Restore(w.Ctx, acts.Doing{Actor: w.Actor, DryRun: true}, r)
		return restoreMsg{out, err}
	}
}

func (p *restorePage) Update(msg tea.Msg) tea.Cmd {
	m, ok := msg.(restoreMsg)
	if !ok {
		return nil
	}
	p.file, p.changes = m.out.File, m.out.Changed
	said := "the file has that content already"
	if p.changes {
		said = "to what it was after this change; " + pages.KeyName(p.world.Screen, "enter") + " writes it"
	}
	return p.diff.Update(diffMsg{m.out.Hunks, said, m.err})
}

func (p *restorePage) Do(a keys.Action) (tea.Cmd, bool) {
	if a != keys.Open {
		return nil, p.scroll(a)
	}
	if !p.changes {
		return pages.Note("nothing would change"), true
	}
	return pages.StartAct(p.act()), true
}

func (p *restorePage) Title() string { return "restore " + path.Base(p.change.path) }

func (p *restorePage) Actions() []keys.Action {
	if !p.changes {
		return pages.Moves
	}
	return append([]keys.Action{keys.Open}, pages.Moves...)
}

// Word names actions by what they do here.
func (p *restorePage) Word(a keys.Action) string {
	if a == keys.Open {
		return "restore"
	}
	return ""
}

// diff is the part of a page that shows what differs.
type diff struct {
	world   *pages.World
	change  change
	heading string

	read  bool
	err   error
	said  string
	count string
	lines []string
	list  pages.List
}

// Update takes what differs.
func (p *diff) Update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(diffMsg); ok {
		p.read, p.err, p.said = true, m.err, m.said
		p.lines, p.count = drawHunks(p.world.Screen, m.hunks), counted(m.hunks)
	}
	return nil
}

// scroll takes the keys that move. The list's chosen row is the first line on the screen.
func (p *diff) scroll(a keys.Action) bool {
	ok := p.list.Do(a)
	p.list.At = min(p.list.At, max(0, p.list.Len-p.list.Height))
	return ok
}

// Typing reports that letters are keys.
func (p *diff) Typing() bool { return false }

// headRows are the rows above the lines.
const headRows = 4

// View draws the heading, how sure the answer is, and the lines.
func (p *diff) View(width, height int) []string {
	sc := p.world.Screen
	top := []string{
		pages.Spread(sc, " "+sc.Paint(term.Bold, p.heading+pathEnd(sc, term.Line(p.change.path), width-term.Width(p.heading+p.count)-4)), sc.Paint(term.Dim, p.count+" "), width),
		pages.Cut(sc, " "+sc.Paint(term.Dim, p.change.time.In(p.world.Now().Location()).Format("2006-01-02 15:04")+pages.GlyphsOf(sc).Gap)+term.Line(p.change.prompt), width),
	}
	switch {
	case !p.read:
		return append(top, sc.Paint(term.Dim, " reading"+pages.GlyphsOf(sc).Ellipsis))[:min(3, height)]
	case p.err != nil:
		return append(top, pages.Cut(sc, " "+sc.Paint(term.Red, "Not known: ")+term.Line(p.err.Error()), width))[:min(3, height)]
	}
	top = append(top, pages.Cut(sc, " "+sc.Paint(term.Dim, p.said), width), "")
	p.list.Resize(len(p.lines))
	p.list.Height = max(0, height-headRows)
	from := min(p.list.At, max(0, len(p.lines)-p.list.Height))
	for _, line := range p.lines[from:min(len(p.lines), from+p.list.Height)] {
		top = append(top, pages.Cut(sc, " "+line, width))
	}
	return top[:min(len(top), height)]
}

// pathEnd is a path without as many of its first directories as are too wide: its end tells files apart.
func pathEnd(sc term.Screen, path string, width int) string {
	short := path
	for term.Width(short) > width {
		_, below, ok := strings.Cut(path, "/")
		if !ok {
			break
		}
		path, short = below, pages.GlyphsOf(sc).Ellipsis+"/"+below
	}
	return short
}
