package tui

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
)

// conversation is the page that reads one branch of a session: the feed, the
// rail at its left, and the outline at its right.
type conversation struct {
	world *world
	row   app.Session
	aim   target

	src     *source // nil until the transcript is read
	err     error   // why it cannot be read
	feed    *feed
	leaf    int    // the last turn of the branch that is shown
	name    string // of the session
	outline outline
	finder  finder
	survey  survey
	tail    tail
	loading bool // turns are being read

	lastWidth int  // as last drawn
	wide      bool // there is room for the outline at any time
}

// target says where to open a conversation. The zero target is the end of what
// a resume would go on with.
type target struct {
	leaf    string // of the branch: its last uuid, or how that starts
	message string // uuid of the message, or how it starts
	sought  needle // what is marked in it, as after a search
	jump    bool   // to the first block that has it
}

// newConversation opens a session at its end.
func newConversation(w *world, row app.Session) *conversation {
	return newConversationAt(w, row, target{})
}

// newConversationAt opens a session at a branch or a message of it.
func newConversationAt(w *world, row app.Session, at target) *conversation {
	p := &conversation{world: w, row: row, aim: at, leaf: -1, feed: newFeed(w.screen, w.now().Location()),
		outline: outline{old: true}, survey: survey{tallies: map[string]tally{}}}
	if !at.sought.none() {
		p.finder = finder{needle: at.sought, jump: at.jump, hits: map[spot]bool{}}
	}
	return p
}

// readMsg is a transcript that was read, or why not.
type readMsg struct {
	src  *source
	err  error
	took time.Duration
}

// loadedMsg has turns that were read.
type loadedMsg struct {
	src   *source
	slots map[int]read
}

func (p *conversation) start() tea.Cmd { return p.read() }

// read reads the transcript, or what has been added to it.
func (p *conversation) read() tea.Cmd {
	if ok, later := p.tail.pace.begin(p.world.now(), restedMsg{}); !ok {
		return later
	}
	row, message := p.row, p.aim.message
	return func() tea.Msg {
		start := p.world.now()
		src, err := openSource(p.world, &row, message)
		return readMsg{src, err, p.world.now().Sub(start)}
	}
}

func (p *conversation) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg:
		due := p.tail.pace.end(p.world.now(), msg.took)
		cmd := tea.Batch(p.opened(msg), p.work())
		if due {
			return tea.Batch(cmd, p.look())
		}
		return cmd
	case loadedMsg:
		p.loading = false
		if msg.src == p.src {
			p.feed.take(msg.slots)
		}
	case surveyMsg:
		p.survey.take(p, msg)
	case foundMsg:
		p.found(msg)
	case lookMsg:
		return p.looked(msg)
	case changedMsg, grewMsg:
		p.world.board.Fill(&p.row)
		return p.look()
	case restedMsg:
		p.tail.pace.rested()
		return p.look()
	case *app.News:
		return p.heard(msg)
	case clickMsg:
		p.click(msg)
	case tea.KeyPressMsg, tea.PasteMsg:
		return tea.Batch(p.typed(msg), p.work())
	}
	return p.work()
}

// opened takes a transcript: the first one, or one that has changed since.
func (p *conversation) opened(msg readMsg) tea.Cmd {
	if msg.err != nil {
		if p.src != nil {
			return send(noteMsg{msg.err.Error()})
		}
		p.err = msg.err
		return nil
	}
	if agent := msg.src.session.Inline; agent != "" && !p.row.IsAgent { // the message is one of its
		p.row.IsAgent, p.row.AgentID, p.row.ParentSessionID = true, agent, p.row.ID
	}
	old := p.src
	p.src, p.err = msg.src, nil
	p.name = sessionName(&p.row, p.src)
	if old == nil {
		return p.open()
	}
	defer old.close()
	return p.grew(old)
}

func sessionName(r *app.Session, src *source) string {
	if r.Title != "" {
		return r.Title
	}
	if title := src.Title(src.Tree, nil); title != "" {
		return title
	}
	return app.NameOf(r)
}

// open shows the branch and the message that were asked for.
func (p *conversation) open() tea.Cmd {
	at, err := p.src.session.Locate(p.aim.leaf, p.aim.message)
	p.show(at.Leaf)
	p.feed.toEnd()
	if at.Turn >= 0 {
		p.feed.seekMessage(p.slotOf(at.Turn), p.aim.message)
	}
	var missing *sesskeep.Error
	switch {
	case errors.As(err, &missing):
		return send(noteMsg{missing.Name + " is not in this session"})
	case err != nil:
		return send(noteMsg{err.Error()})
	}
	return nil
}

// show takes the branch that ends with a turn.
func (p *conversation) show(leaf int) {
	p.leaf = leaf
	var path []int
	if leaf >= 0 {
		path = p.src.session.PathTo(leaf)
	}
	before := p.feed.slots
	p.feed.setSlots(newSlots(p.src.Transcript, path, p.day))
	p.outline.old = true
	same := 0
	for same < min(len(before), len(path)) && before[same].key == p.feed.slots[same].key &&
		before[same].entries == p.feed.slots[same].entries {
		same++
	}
	p.survey.from(p, same)
	p.finder.from(same)
}

// day is the day of a line, as the feed tells it.
func (p *conversation) day(l *sesskeep.Link) string {
	if l.Time == 0 {
		return ""
	}
	return l.When().In(p.world.now().Location()).Format("2006-01-02 Monday")
}

// slotOf is where a turn is on the path, or 0.
func (p *conversation) slotOf(turn int) int {
	for i := range p.feed.slots {
		if p.feed.slots[i].turn == turn {
			return i
		}
	}
	return 0
}

// work gives the Cmds that are due: turns to read for the window, and after
// them what reads all of the transcript bit by bit.
func (p *conversation) work() tea.Cmd {
	if p.src == nil {
		return nil
	}
	return tea.Batch(p.load(), p.find(), p.survey.next(p))
}

// load reads the turns that the feed wants.
func (p *conversation) load() tea.Cmd {
	if p.loading {
		return nil
	}
	want := p.feed.want()
	if len(want) == 0 {
		return nil
	}
	p.loading = true
	src := p.src
	type turn struct {
		turn int
		key  string
	}
	turns := map[int]turn{}
	for _, i := range want {
		turns[i] = turn{p.feed.slots[i].turn, p.feed.slots[i].key}
	}
	return func() tea.Msg {
		slots := make(map[int]read, len(turns))
		for i, t := range turns {
			slots[i] = read{t.key, src.parts(t.turn)}
		}
		return loadedMsg{src, slots}
	}
}

func (p *conversation) typing() bool { return p.finder.typing }

func (p *conversation) hints() []hint { return []hint{{"enter", "search"}, {"esc", "cancel"}} }

// close lets go of the file. What still reads it ends first.
func (p *conversation) close() {
	if p.src != nil {
		p.src.close()
	}
}

func (p *conversation) title() string {
	if p.name == "" {
		return app.NameOf(&p.row)
	}
	return p.name
}

func (p *conversation) actions() []keys.Action {
	if p.outline.focused {
		return []keys.Action{keys.Open, keys.Down, keys.Up, keys.Outline}
	}
	var list []keys.Action
	if p.src == nil || len(p.feed.slots) == 0 {
		return list // nothing can be done with nothing
	}
	if !p.finder.needle.none() {
		list = append(list, keys.NextHit, keys.PrevHit)
	}
	list = append(list, keys.Thinking, keys.Tools, keys.Fold, keys.Open, keys.NextPrompt, keys.PrevPrompt)
	if len(p.src.Conversations) > 1 {
		list = append(list, keys.NextBranch, keys.PrevBranch, keys.NextFork, keys.PrevFork)
	}
	return append(list, keys.End, keys.Filter, keys.Outline, keys.Tree, keys.Focused, keys.Meta,
		keys.Copy, keys.Raw, keys.Resume, keys.FoldAll)
}

// address names the chosen block for other commands.
func (p *conversation) address() string {
	message := ""
	if part := p.feed.part(p.feed.at); part != nil && part.UUID != "" {
		message = "#" + part.UUID
	}
	return term.Line(strings.TrimSpace(address(&p.row, message)))
}
