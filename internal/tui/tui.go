// Package tui is the terminal interface: a stack of pages whose top one is shown.
//
// A page is a pages.Page. The frame around it knows nothing of what it shows: it
// turns keys into actions by the table in internal/keys, hands them to the page
// on top, and draws a head line, the page, and the keys that work there.
//
//	key ─ table ─▶ action ─▶ page on top ─ Cmd ─▶ work beside ─ message ─▶ that page
//
// The loop never waits for a disk: work is a Cmd. Whatever ends the program, a
// key, a signal or a fault of ours, the terminal is left as it was found.
package tui

import (
	"cmp"
	"context"
	"io"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/money"
	"sesskeep/internal/runs"
	"sesskeep/internal/shelf"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	runpages "sesskeep/internal/tui/runs"
	"sesskeep/internal/tui/search"
	"sesskeep/internal/tui/wall"
	"sesskeep/internal/tui/wire"

	tea "charm.land/bubbletea/v2"
)

// Options say what to show, and where.
type Options struct {
	App    *app.App
	Stdin  io.Reader
	Stdout io.Writer
	Env    []string // what the terminal is known by: TERM=…, COLORTERM=…
	Screen term.Screen
	Now    func() time.Time
	Mouse  bool // takes wheel and clicks, and with them the selecting of text
	// Scope chooses the project that is shown first, or none for all.
	Scope func(*catalog.Snapshot) (*ask.Project, error)
	// Prefs are the preferences that were stored last time, and Keep stores them for the
	// next; if Keep is nil they are forgotten.
	Prefs pages.Prefs
	Keep  func(pages.Prefs) error
	// Thrift makes the program careful with memory. It is called when a long
	// reading is over, and may be nil.
	Thrift func()
	// Resume runs a client with the session on the interface's own terminal, and
	// returns when the client ends. It is required.
	Resume func(Next) error
	// Prices are what usage is priced with; nil: those built in.
	Prices *money.Prices
	// Actor is who changes something here, and Managed the directory of the
	// system's managed settings, which may be missing.
	Actor   shelf.Actor
	Managed string
	// Runs starts sessions; nil: none can be started here. Dir is where, unless
	// somebody says otherwise.
	Runs *runs.Runs
	Dir  string
	// ShareLink makes a link to a page; nil: none can be made here.
	ShareLink func(context.Context, pages.LinkRequest) (pages.Link, error)
}

// Next is a session to resume.
type Next struct {
	Session *catalog.Session
	Fork    bool // in a copy of it
	Agreed  bool // to what speaks against it
}

// newsRest is the time between two times that news is taken while it comes all the
// time: the whole screen is drawn each time. Lists show less of what happens than
// those pages do that one reads or watches. What comes alone is taken at once.
const (
	newsRest = 100 * time.Millisecond
	listRest = 400 * time.Millisecond
)

// Run shows the interface until it is left. It returns ctx.Err() if ctx ended it.
func Run(ctx context.Context, o Options) error {
	return run(ctx, o, func(*model) {})
}

func run(ctx context.Context, o Options, furnish func(*model)) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(inner, o)
	furnish(m)
	p := tea.NewProgram(m, tea.WithContext(inner), tea.WithoutSignalHandler(), tea.WithFPS(maxFrames),
		tea.WithInput(o.Stdin), tea.WithOutput(o.Stdout), tea.WithEnvironment(o.Env))
	m.program = p
	defer m.frames.end()
	o.App.Stay()
	ended, runsEnded := m.wire.Start(inner), m.runs.Start(inner)
	_, err := p.Run()
	cancel()
	<-ended
	<-runsEnded
	m.acts.work.Wait()
	switch {
	case m.fault != nil:
		return m.fault
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}

// model is the frame and the pages in it.
type model struct {
	world  *pages.World
	mouse  bool
	resume func(Next) error
	thrift func()

	roots map[keys.Action]pages.Page // pages at the bottom, kept with what is chosen in them
	stack []pages.Page
	width int
	high  int

	pending string // the first of two keys
	note    string
	quiet   int // ticks until the note goes
	pulse   pulse
	acts    actLog
	kept    kept
	wire    *wire.Wire
	runs    *wire.Runs

	program *tea.Program // nil in tests
	frames  frames
	picture string  // what is on the screen
	resizes int     // of the window
	unwiped bool    // the screen is wiped once more, at the next tick
	picked  *Picked // what was picked, where that was asked for
	next    Next    // the session that the terminal was given to last
	fault   error
}

func newModel(ctx context.Context, o Options) *model {
	w := &pages.World{Ctx: ctx, App: o.App, Screen: o.Screen, Now: o.Now, Prices: o.Prices, Prefs: o.Prefs, KeepPrefs: o.Keep, Actor: o.Actor, Managed: o.Managed, Runs: o.Runs, Dir: o.Dir, ShareLink: o.ShareLink}
	w.Scope.Choose = o.Scope
	m := &model{world: w, mouse: o.Mouse, resume: o.Resume, thrift: o.Thrift, roots: map[keys.Action]pages.Page{}, wire: wire.New(o.App, o.Now), runs: wire.NewRuns(o.Runs)}
	m.stack = []pages.Page{m.root(keys.Sessions)}
	return m
}

// rootPages make the pages that stand at the bottom of the stack, each with a
// key of its own.
var rootPages = map[keys.Action]func(*pages.World) pages.Page{
	keys.Projects: func(w *pages.World) pages.Page { return newProjects(w) },
	keys.Sessions: func(w *pages.World) pages.Page { return newSessions(w) },
	keys.Live:     func(w *pages.World) pages.Page { return wall.New(w) },
	keys.Search:   func(w *pages.World) pages.Page { return search.New(w, "") },
	keys.Usage:    newUsage,

	keys.TrashPage:    func(w *pages.World) pages.Page { return newTrash(w) },
	keys.ArchivePage:  func(w *pages.World) pages.Page { return newArchive(w) },
	keys.KeptPage:     func(w *pages.World) pages.Page { return newCopies(w) },
	keys.ActivityPage: func(w *pages.World) pages.Page { return newActivity(w) },

	keys.Runs:  func(w *pages.World) pages.Page { return runpages.NewList(w) },
	keys.Inbox: func(w *pages.World) pages.Page { return runpages.NewInbox(w) },
}

// root is such a page, made when it is first asked for.
func (m *model) root(a keys.Action) pages.Page {
	if m.roots[a] == nil {
		m.roots[a] = rootPages[a](m.world)
	}
	return m.roots[a]
}

// everywhere are the keys that the frame itself takes.
func (m *model) everywhere() []keys.Action {
	if m.picks() {
		return []keys.Action{keys.Back, keys.Help, keys.Suspend, keys.Quit}
	}
	var list []keys.Action
	for _, b := range keys.Table {
		if rootPages[b.Action] != nil {
			list = append(list, b.Action)
		}
	}
	return append(list, keys.Back, keys.Undo, keys.Menu, keys.Palette, keys.Help, keys.Bell, keys.Refresh, keys.Suspend, keys.Quit)
}

func (m *model) top() pages.Page { return m.stack[len(m.stack)-1] }

// Init starts the first page, the first look at what is live, and the clock.
func (m *model) Init() tea.Cmd {
	m.frames.start(m.program)
	return tea.Batch(m.from(m.top(), m.top().Start()), m.checkLiveNow(), m.listen(), m.listenRuns(), m.tick(tickEvery))
}

// View shows what Update has drawn. Drawing there and not here lets one net
// catch every fault of a page.
func (m *model) View() tea.View {
	v := tea.NewView(m.picture)
	v.AltScreen = true
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// Update takes everything that happens.
func (m *model) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			m.fault = board.Fault(r)
			cmd = tea.Quit
		}
	}()
	was := m.picture
	cmd = m.handle(msg)
	m.picture = m.draw()
	return m, tea.Batch(cmd, m.clocks(msg, m.picture != was))
}

func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return m.resize(msg)
	case resizedMsg:
		return m.resized(msg)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if p := m.world.Prompt; p != nil {
			p.Input.Update(msg)
		} else if m.top().Typing() {
			return m.deliver(m.top(), msg)
		}
	case tea.MouseWheelMsg, tea.MouseClickMsg:
		return m.pointer(msg)
	case answer:
		return m.answered(msg)
	case tickMsg:
		return m.ticked(msg)
	case liveMsg:
		return m.applyLive(msg)
	case *board.News:
		return m.receive(msg)
	case runningMsg:
		return m.running(msg)
	case actMsg:
		return m.done(msg)
	case keptMsg:
		m.kept.apply(m.world.Now(), msg)
	case resumePlanMsg:
		return m.planned(msg)
	case returnedMsg:
		return m.returned(msg)
	case faultMsg:
		m.fault = msg.err
		return tea.Quit
	default:
		return m.asked(msg)
	}
	return nil
}

// asked does what a page asked for.
func (m *model) asked(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pages.OpenMsg:
		m.note = ""
		m.stack = append(m.stack, msg.Page)
		return m.follow(msg.Page, msg.Page.Start())
	case chosenMsg:
		m.remove(msg.palette)
		return m.asked(msg.wish)
	case pages.ActionMsg:
		return m.act(msg.Action)
	case onlyMsg:
		return m.deliver(m.top(), msg)
	case pages.NoteMsg:
		m.say(msg.Text)
	case pages.PromptMsg:
		m.world.Prompt = msg.Prompt
	case pages.ActMsg:
		return m.startAct(msg.Act)
	case pages.CopyMsg:
		m.say("copied: " + cmp.Or(msg.Said, msg.Text))
		return tea.SetClipboard(msg.Text)
	case pages.ResumeMsg:
		return planResume(m.world, msg.Row)
	case leaveMsg:
		return m.leave(msg.next)
	case pickedMsg:
		m.picked = &msg.picked
		return tea.Quit
	}
	return nil
}

// say writes a note into the foot, for a while.
func (m *model) say(text string) {
	m.note, m.quiet = term.Line(text), noteTicks
}

// remove takes a page off the stack, wherever it is. The last one stays.
func (m *model) remove(page pages.Page) {
	for i, p := range m.stack {
		if p == page && len(m.stack) > 1 {
			m.stack = append(m.stack[:i:i], m.stack[i+1:]...)
			if c, ok := page.(pages.Closer); ok {
				c.Close()
			}
			return
		}
	}
}
