// Package conversation has the pages that read one session: the conversation
// itself (New, NewAt), the tree of its branches (NewTree), and the lines of its
// file as they are.
//
// The conversation page shows one branch in a feed, and follows its file:
//
//	file ─ openSource ─▶ source ─▶ path of turns ─▶ feed ─ Want ─▶ load ─▶ Take
//	hub ─ appended lines ─▶ source.append ─▶ the next source, with blocks ─▶ Take
//
// A source never changes: a file that grew makes another one, and the feed continues
// with it. Where a hub runs it hands the page the lines that are appended, decoded;
// else the page compares the file now and then. The finder and the survey read all of a branch, bit by bit.
package conversation

import (
	"cmp"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/feed"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// Page is the page that reads one branch of a session: the feed, the
// rail at its left, and the outline at its right.
type Page struct {
	world *pages.World
	row   catalog.Session
	aim   Target

	src     *source // nil until the transcript is read
	err     error   // why it cannot be read
	feed    *feed.Feed
	leaf    int    // the last turn of the branch that is shown
	name    string // of the session
	outline outline
	finder  finder
	survey  survey
	tail    tail
	loading bool         // turns are being read
	next    sesskeep.Key // where its client went on; zero: nowhere else

	lastWidth int  // as last drawn
	wide      bool // there is room for the outline at any time
}

// Target says where to open a conversation. The zero target is the end of
// the conversation that a client would resume.
type Target struct {
	Leaf    string      // of the branch: its last uuid, or how that starts
	Message string      // uuid of the message, or how it starts
	Sought  feed.Needle // what is marked in it, as after a search
	Jump    bool        // to the first block that has it
}

// New opens a session at its end.
func New(w *pages.World, row catalog.Session) *Page {
	return NewAt(w, row, Target{})
}

// NewAt opens a session at a branch or a message of it.
func NewAt(w *pages.World, row catalog.Session, at Target) *Page {
	p := &Page{world: w, row: row, aim: at, leaf: -1, feed: feed.New(w.Screen, w.Now().Location()),
		outline: outline{old: true}, survey: survey{tallies: map[string]tally{}}}
	p.feed.SetModes(p.feed.Modes.With(w.Prefs.Thinking, w.Prefs.Tools))
	if !at.Sought.None() {
		p.finder = finder{needle: at.Sought, jump: at.Jump, hits: map[feed.Spot]bool{}}
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
	slots map[int]feed.Read
}

func (p *Page) Start() tea.Cmd {
	p.updateFromBoard()
	return p.read()
}

// read reads the transcript, or what has been added to it.
func (p *Page) read() tea.Cmd {
	if ok, later := p.tail.pace.Start(p.world.Now(), restedMsg{}); !ok {
		return later
	}
	row, message := p.row, p.aim.Message
	return func() tea.Msg {
		start := p.world.Now()
		src, err := openSource(p.world, &row, message)
		return readMsg{src, err, p.world.Now().Sub(start)}
	}
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case readMsg:
		due := p.tail.pace.End(p.world.Now(), msg.took)
		cmd := tea.Batch(p.opened(msg), p.work())
		if due {
			return tea.Batch(cmd, p.compare())
		}
		return cmd
	case appendedMsg:
		return tea.Batch(p.appended(msg), p.work())
	case followMsg:
		return p.follow()
	case loadedMsg:
		p.loading = false
		if msg.src == p.src {
			p.feed.Fill(msg.slots)
		}
	case surveyMsg:
		p.survey.apply(p, msg)
	case foundMsg:
		p.found(msg)
	case pollMsg:
		return p.polled(msg)
	case pages.DoneMsg:
		return p.reloadRow(msg)
	case rowMsg:
		p.setRow(msg.row)
		return tea.Batch(p.follow(), p.work())
	case pages.ChangedMsg, grewMsg:
		p.updateFromBoard()
		return p.Poll()
	case restedMsg:
		p.tail.pace.Rested()
		return p.compare()
	case *board.News:
		return p.receive(msg)
	case pages.ClickMsg:
		p.click(msg)
	case tea.KeyPressMsg, tea.PasteMsg:
		return tea.Batch(p.typed(msg), p.work())
	}
	return p.work()
}

// opened takes a transcript: the first one, or one that has changed since.
func (p *Page) opened(msg readMsg) tea.Cmd {
	if msg.err != nil {
		if p.src != nil {
			return pages.Note(msg.err.Error())
		}
		p.err = msg.err
		return nil
	}
	if agent := msg.src.session.Inline; agent != "" && !p.row.IsAgent { // the message is one of its
		p.row.IsAgent, p.row.AgentID, p.row.ParentSessionID = true, agent, p.row.ID
	}
	old := p.src
	if old != nil && msg.src.session.Before(old.session) {
		msg.src.Close() // a later reading came first
		return nil
	}
	p.src, p.err = msg.src, nil
	p.name = sessionName(&p.row, p.src)
	if old == nil {
		return tea.Batch(p.open(), p.follow())
	}
	defer old.Close()
	return p.grew(old)
}

// appended shows what was appended to the file, and waits for more.
func (p *Page) appended(msg appendedMsg) tea.Cmd {
	var cmds []tea.Cmd
	if msg.src != nil || msg.err != nil {
		cmds = append(cmds, p.opened(readMsg{src: msg.src, err: msg.err}))
	}
	if msg.src == p.src {
		p.feed.Fill(p.slotsOf(msg.parts))
	}
	if msg.from != p.tail.file { // the page follows another one by now
		return tea.Batch(cmds...)
	}
	if p.tail.took = msg.took; msg.over {
		p.unfollow()
		again := tea.Tick(followAgain, func(time.Time) tea.Msg { return followMsg{} })
		return tea.Batch(append(cmds, p.compare(), again)...)
	}
	if msg.changed {
		cmds = append(cmds, p.compare())
	}
	return tea.Batch(append(cmds, p.await())...)
}

// slotsOf are the slots of some turns, with their blocks.
func (p *Page) slotsOf(parts map[int][]view.Part) map[int]feed.Read {
	slots := map[int]feed.Read{}
	for i := range p.feed.Slots {
		if s := &p.feed.Slots[i]; parts[s.Turn] != nil {
			slots[i] = feed.Read{Key: s.Key, Parts: parts[s.Turn]}
		}
	}
	return slots
}

func sessionName(r *catalog.Session, src *source) string {
	if r.Title != "" {
		return r.Title
	}
	if title := src.Title(); title != "" {
		return title
	}
	return catalog.NameOf(r)
}

// open shows the branch and the message that were asked for.
func (p *Page) open() tea.Cmd {
	at, err := p.src.session.Locate(p.aim.Leaf, p.aim.Message)
	p.show(at.Leaf)
	p.feed.ToEnd()
	if at.Turn >= 0 {
		p.feed.SeekMessage(p.slotOf(at.Turn), p.aim.Message)
	}
	var missing *sesskeep.Error
	switch {
	case errors.As(err, &missing):
		return pages.Note(missing.Name + " is not in this session")
	case err != nil:
		return pages.Note(err.Error())
	}
	return nil
}

// show takes the branch that ends with a turn.
func (p *Page) show(leaf int) {
	p.leaf = leaf
	var path []int
	if leaf >= 0 {
		path = p.src.session.PathTo(leaf)
	}
	before := p.feed.Slots
	p.feed.SetSlots(feed.Slots(p.src.Transcript, path, p.day))
	p.outline.old = true
	same := 0
	for same < min(len(before), len(path)) && before[same].Key == p.feed.Slots[same].Key &&
		before[same].Entries == p.feed.Slots[same].Entries {
		same++
	}
	p.survey.from(p, same)
	p.finder.from(same)
}

// day is the day of a line, as the feed shows it.
func (p *Page) day(l *sesskeep.Link) string {
	if l.Time == 0 {
		return ""
	}
	return l.When().In(p.world.Now().Location()).Format("2006-01-02 Monday")
}

// slotOf is where a turn is on the path, or 0.
func (p *Page) slotOf(turn int) int {
	for i := range p.feed.Slots {
		if p.feed.Slots[i].Turn == turn {
			return i
		}
	}
	return 0
}

// work gives the Cmds that are due: turns to read for the window, and after
// them what reads all of the transcript bit by bit.
func (p *Page) work() tea.Cmd {
	if p.src == nil {
		return nil
	}
	return tea.Batch(p.load(), p.find(), p.survey.next(p))
}

// load reads the turns that the feed wants.
func (p *Page) load() tea.Cmd {
	if p.loading {
		return nil
	}
	want := p.feed.Want()
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
		turns[i] = turn{p.feed.Slots[i].Turn, p.feed.Slots[i].Key}
	}
	return func() tea.Msg {
		slots := make(map[int]feed.Read, len(turns))
		for i, t := range turns {
			slots[i] = feed.Read{Key: t.key, Parts: src.parts(t.turn)}
		}
		return loadedMsg{src, slots}
	}
}

func (p *Page) Typing() bool { return p.finder.typing }

func (p *Page) Hints() []pages.Hint {
	return []pages.Hint{{Key: "enter", Word: "search"}, {Key: "esc", Word: "cancel"}}
}

// Close lets go of the file. What still reads it ends first.
func (p *Page) Close() {
	p.unfollow()
	if p.src != nil {
		p.src.Close()
	}
}

func (p *Page) Title() string {
	text := pages.Signs(p.world.Screen, &p.row) + cmp.Or(p.name, catalog.NameOf(&p.row))
	for _, tag := range p.row.Tags {
		text += " #" + tag
	}
	return text
}

func (p *Page) Actions() []keys.Action {
	if p.outline.focused {
		return []keys.Action{keys.Open, keys.Down, keys.Up, keys.Outline}
	}
	var list []keys.Action
	if p.src == nil || len(p.feed.Slots) == 0 {
		return list // nothing can be done with nothing
	}
	if !p.finder.needle.None() {
		list = append(list, keys.NextHit, keys.PrevHit)
	}
	if p.next.Session != "" {
		list = append(list, keys.Follow)
	}
	list = append(list, keys.Thinking, keys.Tools, keys.Fold, keys.Open, keys.NextPrompt, keys.PrevPrompt)
	if len(p.src.Tree.Conversations) > 1 {
		list = append(list, keys.NextBranch, keys.PrevBranch, keys.NextFork, keys.PrevFork)
	}
	return append(list, keys.End, keys.Filter, keys.Outline, keys.Tree, keys.Focused, keys.Meta,
		keys.File, keys.Copy, keys.CopyText, keys.Raw, keys.Resume, keys.Export, keys.Share, keys.FoldAll, keys.Rename, keys.Tags, keys.Star, keys.Archive, keys.Trash)
}

// address names the chosen block for other commands.
func (p *Page) address() string {
	message := ""
	if part := p.feed.Part(p.feed.At); part != nil && part.UUID != "" {
		message = "#" + part.UUID
	}
	return term.Line(strings.TrimSpace(pages.Address(&p.row, message)))
}
