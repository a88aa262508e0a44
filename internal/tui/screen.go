package tui

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/money"
	"sesskeep/internal/term"
)

// screen is one page. The interface routes what happens to the page on top.
//
// Pages never touch the disk in update, do or view: what takes time is a
// tea.Cmd, and its answer comes back to update of the page that gave it, and
// only there, whatever page is on top by then.
type screen interface {
	// start gives the first Cmd of the page.
	start() tea.Cmd
	// update takes every message that is no key, and all keys while typing.
	update(msg tea.Msg) tea.Cmd
	// do takes a key of the table. It reports whether the page has a use for it.
	do(a keys.Action) (tea.Cmd, bool)
	// view draws the page: at most height lines, none wider than width.
	view(width, height int) []string
	// title is what the head line says about the page.
	title() string
	// actions are the keys that work here, the most useful first.
	actions() []keys.Action
	// typing reports whether letters are text now and not keys.
	typing() bool
}

// Powers that only some pages have.
type (
	// closer is told when its page was taken away.
	closer interface{ close() }
	// watcher looks at every tick whether its file has changed, while no hub
	// tells of it.
	watcher interface{ look() tea.Cmd }
	// typist says what the keys do while it takes text.
	typist interface{ hints() []hint }
	// mover moves in its own way; all others as lists do.
	mover interface{ moves() []keys.Action }
	// namer has words of its own for some actions; empty: the action's name.
	namer interface{ word(a keys.Action) string }
)

// hint is a key in the foot, with a word for what it does.
type hint struct{ key, word string }

// world is what every page has at hand.
type world struct {
	ctx    context.Context // ends with the interface
	app    *app.App
	screen term.Screen // colours and glyphs; its Width is not the window's
	now    func() time.Time
	prices *money.Prices // nil: those built in

	roomy bool        // the window has room for a list and a preview
	scope scope       // of lists, kept while pages come and go
	board app.Board   // what is live
	early atomic.Bool // an answer was given before all transcripts were read
}

// catalog opens what is known for lists. While transcripts are read that is not
// all, and the pages are told when there is more.
func (w *world) catalog() (*app.Catalog, error) {
	c, err := w.app.Catalog(w.ctx)
	w.half(c.Fresh)
	return c, err
}

// half reports whether an answer was given while transcripts were read, and
// remembers that there will be more.
func (w *world) half(f app.Freshness) bool {
	if f.Reading {
		w.early.Store(true)
	}
	return f.Reading
}

// store is the home that a session lies in, or nil if it was not opened.
func (w *world) store(r *app.Session) *sesskeep.Store {
	for _, s := range w.app.Stores() {
		if s.Root() == r.Root {
			return s
		}
	}
	return nil
}

// Pages are made by a function each, such as newConversation(w, row) and
// newTree(w, row), and put on top by an openMsg.

// Messages by which a page asks the interface for something. Use a Cmd that
// returns one.
type (
	openMsg   struct{ page screen }        // put a page on top
	backMsg   struct{}                     // take the page away
	noteMsg   struct{ text string }        // say something in the foot line
	resumeMsg struct{ row app.Session }    // leave, and resume the session
	copyMsg   struct{ text string }        // to the clipboard, by OSC 52
	actionMsg struct{ action keys.Action } // as if its key had been pressed
)

// Messages by which the interface tells all pages something.
type (
	sizedMsg   struct{}           // the window is another one
	changedMsg struct{}           // transcripts came, grew or went: what is shown may be old
	clickMsg   struct{ x, y int } // on the page on top, in cells of its view
)

// send is a Cmd that only says something. The interface does not run it beside
// the loop but listens at once: keys that were typed after it must meet the page
// it opens.
func send(msg tea.Msg) tea.Cmd { return letter{msg}.open }

type letter struct{ msg tea.Msg }

func (l letter) open() tea.Msg { return l.msg }

// sent reports whether a Cmd was made by send. All of its kind share one code.
func sent(cmd tea.Cmd) bool {
	return reflect.ValueOf(cmd).Pointer() == reflect.ValueOf(letter{}.open).Pointer()
}
