// Package app joins what the engines know into what the fronts show: lists,
// counts, addresses. Fronts decode, call app and encode; they decide nothing.
//
// An App reads one or several homes through an index, which it brings up to date
// before it answers. Every list and every count is a Filter over the rows of its
// Catalog, so that two numbers shown to a user can never disagree. What a front
// shows of a transcript is a Session, and what an error means is its Code.
package app

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/identity"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
	"sesskeep/internal/statusline"
	"sesskeep/internal/vault"
)

// Options say which homes to read and how.
type Options struct {
	Roots []string
	// Names are what the user calls homes, HOME[.MACHINE], by their roots. The
	// others keep the names they have.
	Names map[string]string
	// Data is the directory in which the ids of homes are kept, and what clients
	// told their status line; Host is what this machine calls itself. Empty: ids
	// follow the paths, and nothing is kept.
	Data, Host string
	Cache      string // directory of the index; empty: in memory
	Workers    int    // files read at the same time; 0: one a processor
	// Alive tells whether a registered process runs; nil: none does.
	Alive claudehome.Alive
	// OnExit waits for the end of a client, where that can be done: see
	// [live.Options]. nil: its end is looked for.
	OnExit func(pid int, gone func()) (stop func(), ok bool)
	// Processes lists the clients that run, and reports false where that is not
	// known; so does nil.
	Processes func() ([]Process, bool)
	// Progress is told how far a long reading is. It may be nil, and is called
	// from several goroutines, one at a time.
	Progress func(done, total int, bytes int64)
	// Patience is how long a question waits for a long reading. After that it
	// is answered from what has been read, the newest first: see Reading.
	// 0: until all is read.
	Patience time.Duration
	Now      func() time.Time // nil: time.Now
	// Shelf makes changes and has what users added to sessions; nil: nothing can be
	// changed, and nothing was added.
	Shelf *Shelf
	// Others are homes that are not read, such as the usual one where another is
	// named. What is secret in them stays so under whatever name.
	Others []string
	// Reports is the file hooks report to and Lifecycle the log of what happens
	// to sessions, for those who watch; empty: none.
	Reports, Lifecycle string
}

// App answers questions about the homes it was opened on.
type App struct {
	opts  Options
	homes []*home
	notes []string     // about the ids of the homes
	vault *vault.Vault // nil: nothing is kept
	trash trash        // what lies there

	unlabelled atomic.Pointer[error] // why lists lack what users added
	unreadRuns atomic.Pointer[error] // why processes may lack that we run them

	fresh       freshness
	transcripts pool
	hub         live.Shared
	told        *statusline.Book // what clients tell their status line
	stateFiles  *stateBook
	slots       chan struct{} // one a processor, for searches
	jobs        jobs
	projects    outside
}

// home is one opened root.
type home struct {
	store  *sesskeep.Store          // backed by its copies, if there is a place for them
	copies *vault.Home              // nil: there is none
	hints  atomic.Pointer[[]string] // project paths known from .claude.json
	is     identity.Home

	projects *outside // of all homes
}

// readHints reads what is known of a home's projects, once more if need be.
func (a *App) readHints(h *home) {
	paths := a.stateFiles.paths(h.store.Root())
	h.hints.Store(&paths)
}

// Open opens the homes. One that does not exist is left out as long as another
// exists; if none does it is [CodeNoHome]. A name that another home has is
// [CodeConflict].
func Open(o Options) (*App, error) {
	a := &App{opts: o, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), told: statusline.Open(o.Data), stateFiles: newStateBook(o.Cache)}
	if o.Data != "" {
		a.vault = newVault(o.Data, a.now)
		a.trash.shelf = o.Shelf
	}
	var missing error
	for _, root := range o.Roots {
		store, err := a.open(root)
		if errors.Is(err, fs.ErrNotExist) {
			missing = err
			continue
		}
		if err != nil {
			return nil, err
		}
		h := &home{store: store, projects: &a.projects}
		a.readHints(h)
		a.homes = append(a.homes, h)
	}
	if len(a.homes) == 0 {
		return nil, missing
	}
	err := a.identify()
	a.projects.homes = a.allHomes()
	for _, h := range a.homes {
		h.store.Beside(a.projects.homes...)
	}
	return a, err
}

// allHomes are the directories of all homes that are known here, whether they are read
// or not: what is secret in one of them is so everywhere.
func (a *App) allHomes() []string {
	list := slices.Concat(a.opts.Roots, a.opts.Others, identity.Known(a.opts.Data))
	slices.Sort(list)
	return slices.Compact(list)
}

// identify gives every Store the ids of its home and its machine.
func (a *App) identify() error {
	roots := make([]identity.Root, len(a.homes))
	for i, h := range a.homes {
		roots[i], _ = identity.ParseName(a.opts.Names[h.store.Root()])
		roots[i].Dir = h.store.Root()
	}
	homes, notes, err := identity.Resolve(identity.Options{Dir: a.opts.Data, Host: a.opts.Host, Keys: labelled(a.opts.Shelf)}, roots)
	a.notes = append(a.notes, notes...)
	for i, is := range homes {
		if err := a.back(a.homes[i], is); err != nil {
			return err
		}
	}
	return err
}

func (a *App) now() time.Time {
	if a.opts.Now == nil {
		return time.Now()
	}
	return a.opts.Now()
}

// Stores are the opened homes, with the copies of what they lack.
func (a *App) Stores() []*sesskeep.Store {
	stores := make([]*sesskeep.Store, len(a.homes))
	for i, h := range a.homes {
		stores[i] = h.store
	}
	return stores
}

// roots are the paths of the opened homes.
func (a *App) roots() []string { return roots(a.homes) }

func roots(homes []*home) []string {
	list := make([]string, len(homes))
	for i, h := range homes {
		list[i] = h.store.Root()
	}
	return list
}

// Homes are the opened homes as the index takes them.
func (a *App) Homes() []index.Home { return forIndex(a.homes) }

func forIndex(homes []*home) []index.Home {
	list := make([]index.Home, len(homes))
	for i, h := range homes {
		list[i] = index.Home{Store: h.store, Hints: *h.hints.Load()}
	}
	return list
}

// alone is the home for a question about no other.
func (h *home) alone() []index.Home { return forIndex([]*home{h}) }

// ask puts a question to the index. One that stumbles over damage is put again
// to a new one: nothing in it is lost.
func (a *App) ask(ctx context.Context, rowsOnly bool, question func(x *index.Index) error) error {
	_, err := a.askFresh(ctx, rowsOnly, question)
	return err
}

// askFresh is ask, and tells how fresh the answer is.
func (a *App) askFresh(ctx context.Context, rowsOnly bool, question func(x *index.Index) error) (Freshness, error) {
	x, err := a.refreshed(ctx, rowsOnly)
	if err != nil {
		return Freshness{}, err
	}
	fresh := a.freshFor(rowsOnly)
	a.mirror(ctx, x)
	err = question(x)
	if err != nil && ctx.Err() != nil {
		return fresh, ctx.Err() // whatever its end looked like from below
	}
	if !index.Damaged(err) {
		return fresh, err
	}
	if err := a.rebuild(ctx, x); err != nil {
		return fresh, err
	}
	if x, err = a.refreshed(ctx, rowsOnly); err != nil {
		return fresh, err
	}
	fresh = a.freshFor(rowsOnly)
	a.mirror(ctx, x)
	return fresh, question(x)
}

// answer is ask for a question with one answer, to the whole index.
func answer[T any](ctx context.Context, a *App, question func(x *index.Index) (T, error)) (out T, err error) {
	err = a.ask(ctx, false, func(x *index.Index) (err error) {
		out, err = question(x)
		return err
	})
	return out, err
}
