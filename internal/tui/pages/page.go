// Package pages is what the pages of the interface are made of: what a page is,
// what all of them have at hand, and the lists, input lines and words they share.
//
// A page is a Page: the frame of internal/tui hands it keys and messages and
// draws what it shows. Each kind of page is a package, or a few files of
// internal/tui, that imports this one and never another page's package, except
// for opening it:
//
//	tui ─▶ search, wall ─▶ conversation ─▶ feed ─▶ pages
//
// The World is shared by all pages. Only the loop of the interface touches what
// changes in it; a Cmd, which runs beside the loop, uses its Ctx, App, Now and
// Catalog.
package pages

import (
	"cmp"
	"context"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/holder"
	"sesskeep/internal/keys"
	"sesskeep/internal/money"
	"sesskeep/internal/runs"
	"sesskeep/internal/shelf"
	"sesskeep/internal/term"

	tea "charm.land/bubbletea/v2"
)

// Page is one page. The interface routes what happens to the page on top.
//
// Pages never touch the disk in Update, Do or View: what takes time is a
// tea.Cmd, and its answer comes back to Update of the page that gave it, and
// only there, whatever page is on top by then.
type Page interface {
	// Start gives the first Cmd of the page.
	Start() tea.Cmd
	// Update takes every message that is no key, and all keys while typing.
	Update(msg tea.Msg) tea.Cmd
	// Do takes a key of the table. It reports whether the page has a use for it.
	Do(a keys.Action) (tea.Cmd, bool)
	// View draws the page: at most height lines, none wider than width.
	View(width, height int) []string
	// Title is what the head line says about the page.
	Title() string
	// Actions are the keys that work here, the most useful first.
	Actions() []keys.Action
	// Typing reports whether letters are text now and not keys.
	Typing() bool
}

// Powers that only some pages have.
type (
	// Closer is closed when its page leaves the stack.
	Closer interface{ Close() }
	// Watcher checks at every tick whether its file has changed, until a hub
	// reports changes.
	Watcher interface{ Poll() tea.Cmd }
	// Typist says what the keys do while it takes text.
	Typist interface{ Hints() []Hint }
	// RowTyper shows a line that is typed in the row of a session, if that is on
	// the screen.
	RowTyper interface{ TypesIn(sesskeep.Key) bool }
	// Mover moves in its own way; all others as lists do.
	Mover interface{ Moves() []keys.Action }
	// Gatherer lists, counts or adds up what is in the homes. While that is known in part, the
	// head line says so behind the title.
	Gatherer interface{ Gathers() }
	// Namer has words of its own for some actions; empty: the action's name.
	Namer interface{ Word(a keys.Action) string }
)

// Hint is a key in the foot, with a word for what it does.
type Hint struct{ Key, Word string }

// World is what every page has at hand.
type World struct {
	Ctx    context.Context // ends with the interface
	App    *app.App
	Screen term.Screen // colours and glyphs; its Width is not the window's
	Now    func() time.Time
	Prices *money.Prices // nil: those built in

	Actor   shelf.Actor // who changes something here
	Managed string      // directory of the system's managed settings; may be missing
	Prompt  *Prompt     // the line that is being typed; nil: none

	Prefs     Prefs             // what is remembered
	KeepPrefs func(Prefs) error // keeps it for the next time; nil: they are not kept

	Roomy bool        // the window has room for a list and a preview
	Scope Scope       // of lists, kept while pages come and go
	Board board.Board // what is live
	Runs  *runs.Runs  // starts sessions; nil: none can be started here
	Dir   string      // the directory one is in
	// ShareLink makes a link to a page; nil: none can be made here.
	ShareLink func(context.Context, LinkRequest) (Link, error)
	// Running is what sesskeep runs, as last reported.
	Running Running
	Early   atomic.Bool // an answer was given from a part that grows by itself

	part  atomic.Pointer[ask.Coverage]      // what the last answer was made from
	names atomic.Pointer[map[string]string] // what projects are called, by their ids
}

// LinkRequest says which page a link leads to, and for how long.
type LinkRequest struct {
	Target   catalog.Target
	Thinking bool // what the page has of it
	Tools    bool
	Agents   bool
	Life     time.Duration
}

// Link leads to a page, without a token.
type Link struct {
	URL   string
	Until time.Time
}

// Running is what sesskeep runs.
type Running struct {
	Known  bool             // it was looked at
	Runs   []holder.Record  // the newest first
	Inbox  []runs.InboxItem // what they ask, the oldest first
	Err    error            // why there is no more
	Unread []string         // runs that cannot be read, and why
}

// Prefs are what the interface remembers, also for the next time.
type Prefs struct {
	Thinking string `json:"thinking,omitempty"` // how it is shown; empty: as built in
	Tools    string `json:"tools,omitempty"`
	Bell     bool   `json:"bell,omitempty"` // rings when a session needs somebody
}

// Keep keeps what is remembered as it is now.
func (w *World) Keep() tea.Cmd {
	if w.KeepPrefs == nil {
		return nil
	}
	keep, prefs := w.KeepPrefs, w.Prefs
	return func() tea.Msg {
		if err := keep(prefs); err != nil {
			return NoteMsg{err.Error()}
		}
		return nil
	}
}

// Catalog opens what is known for lists. While transcripts are being read it is
// a part, and the pages get a message when there is more.
func (w *World) Catalog() (*catalog.Snapshot, error) {
	c, err := w.App.Catalog.Snapshot(w.Ctx)
	w.Half(c.Coverage)
	if err == nil {
		names := catalog.ProjectNames(c.Projects)
		w.names.Store(&names)
	}
	return c, err
}

// ProjectName is the name to show for a project, with what distinguishes it from others
// of the same name.
func (w *World) ProjectName(id string) string {
	if names := w.names.Load(); names != nil {
		return cmp.Or((*names)[id], id)
	}
	return id
}

// Half reports whether an answer was given while transcripts were read, and
// remembers what it was made from: the frame says so.
func (w *World) Half(c ask.Coverage) bool {
	if c.Reading != nil {
		w.Early.Store(true)
	}
	if !c.Complete {
		w.SetPart(c)
	}
	return c.Reading != nil
}

// SetPart records what answers are made from now. What was answered from a part is asked
// for again once there is more.
func (w *World) SetPart(c ask.Coverage) {
	if c.SearchStopped = false; c.Reading == nil && c.Behind == nil && c.UnreadableCount == 0 {
		c = ask.Coverage{Complete: true} // what else there is, a search or rows, its page says
	}
	was := w.Part()
	if c.String() == "" && was.String() != "" {
		w.Early.Store(true)
	}
	if r, old := c.Reading, was.Reading; r != nil && old != nil && r.Total == old.Total && r.Files < old.Files {
		c.Reading = old // an answer that took long: progress only grows
	}
	w.part.Store(&c)
}

// Part is what the last answers were made from. Where its words are empty, nothing is missing.
func (w *World) Part() ask.Coverage {
	if c := w.part.Load(); c != nil {
		return *c
	}
	return ask.Coverage{Complete: true}
}

// SoFar is a sentence that says that there is nothing, as it holds for what is known now.
func (w *World) SoFar(sentence string) string {
	if w.Part().String() == "" {
		return sentence
	}
	return strings.TrimSuffix(strings.TrimSuffix(sentence, "."), " yet") + " so far."
}

// Row is a session as lists have it, or nil if none has it yet.
func (w *World) Row(key sesskeep.Key) *catalog.Session {
	catalog, err := w.Catalog()
	if err != nil {
		return nil
	}
	page, err := catalog.List(w.Ctx, ask.Filter{Among: []sesskeep.Key{key}, Sessions: []string{sesskeep.Ref{Session: key.Session, Agent: key.Agent}.ID()}, Source: "all"})
	if err != nil || len(page.Sessions) == 0 {
		return nil
	}
	return &page.Sessions[0]
}

// Store is the home that a session lies in, or nil if it was not opened.
func (w *World) Store(r *catalog.Session) *sesskeep.Store {
	for _, s := range w.App.Homes.Stores() {
		if s.Root() == r.Root {
			return s
		}
	}
	return nil
}

// Messages by which a page asks the interface for something: a Cmd returns one,
// or one of the functions below does.
type (
	OpenMsg   struct{ Page Page }           // put a page on top
	BackMsg   struct{}                      // take the page away
	NoteMsg   struct{ Text string }         // say something in the foot line
	ResumeMsg struct{ Row catalog.Session } // leave, and resume the session
	CopyMsg   struct{ Text, Said string }   // to the clipboard, by OSC 52; Said is what the note calls it
	ActionMsg struct{ Action keys.Action }  // as if its key had been pressed
)

// Messages of the interface to all pages.
type (
	SizedMsg   struct{}           // the window is another one
	RunningMsg struct{}           // World.Running is another
	ChangedMsg struct{}           // transcripts came, grew or went: what is shown may be old
	ClickMsg   struct{ X, Y int } // on the page on top, in cells of its view
)

// Cmds that only ask for something.
func Open(p Page) tea.Cmd                { return Send(OpenMsg{p}) }
func Back() tea.Cmd                      { return Send(BackMsg{}) }
func Note(text string) tea.Cmd           { return Send(NoteMsg{text}) }
func Resume(row catalog.Session) tea.Cmd { return Send(ResumeMsg{row}) }
func Copy(text string) tea.Cmd           { return Send(CopyMsg{Text: text}) }
func Press(a keys.Action) tea.Cmd        { return Send(ActionMsg{a}) }

// Send is a Cmd that only says something. The interface does not run it beside
// the loop but listens at once: keys that were typed after it must meet the page
// it opens.
func Send(msg tea.Msg) tea.Cmd { return letter{msg}.open }

type letter struct{ msg tea.Msg }

func (l letter) open() tea.Msg { return l.msg }

// Sent reports whether a Cmd was made by send. All of its kind share one code.
func Sent(cmd tea.Cmd) bool {
	return reflect.ValueOf(cmd).Pointer() == reflect.ValueOf(letter{}.open).Pointer()
}
