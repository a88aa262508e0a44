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
	"runtime"
	"sync/atomic"
	"time"

	"sesskeep/claudehome"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/jobs"
	"sesskeep/internal/live"
	"sesskeep/internal/statusline"
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
	Homes *homes.Set
	Jobs  *jobs.List
	trash trash // what lies there

	unlabelled atomic.Pointer[error] // why lists lack what users added
	unreadRuns atomic.Pointer[error] // why processes may lack that we run them

	fresh       freshness
	transcripts pool
	hub         live.Shared
	told        *statusline.Book // what clients tell their status line
	slots       chan struct{}    // one a processor, for searches
}

// Open opens the homes. One that does not exist is left out as long as another
// exists; if none does it is [errcode.NoHome]. A name that another home has is
// [errcode.Conflict].
func Open(o Options) (*App, error) {
	a := &App{opts: o, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), told: statusline.Open(o.Data)}
	a.Jobs = jobs.New(a.now)
	if o.Data != "" {
		a.trash.shelf = o.Shelf
	}
	set, err := homes.Open(homes.Options{
		Roots: o.Roots, Names: o.Names, Others: o.Others, Data: o.Data, Host: o.Host, Cache: o.Cache, Now: o.Now,
		Labelled: o.Shelf.Labelled, Trashed: a.trash.has,
	})
	if set == nil {
		return nil, err
	}
	a.Homes = set
	return a, err
}

func (a *App) now() time.Time {
	if a.opts.Now == nil {
		return time.Now()
	}
	return a.opts.Now()
}

// ask puts a question to the index. One that stumbles over damage is put again
// to a new one: nothing in it is lost.
func (a *App) ask(ctx context.Context, rowsOnly bool, question func(x *index.Index) error) error {
	_, err := a.askFresh(ctx, rowsOnly, question)
	return err
}

// askFresh is ask, and says how fresh the answer is.
func (a *App) askFresh(ctx context.Context, rowsOnly bool, question func(x *index.Index) error) (Freshness, error) {
	fresh, x, err := a.askOnce(ctx, rowsOnly, question)
	if err != nil && ctx.Err() != nil {
		return fresh, ctx.Err() // whatever its end looked like from below
	}
	if x == nil || !index.Damaged(err) {
		return fresh, err
	}
	if err := a.rebuild(ctx, x); err != nil {
		return fresh, err
	}
	fresh, _, err = a.askOnce(ctx, rowsOnly, question)
	return fresh, err
}

// askOnce puts a question to the index. An answer is whole only if all of it comes from
// an index that a walk has filled: one that was deleted meanwhile begins empty.
func (a *App) askOnce(ctx context.Context, rowsOnly bool, question func(x *index.Index) error) (Freshness, *index.Index, error) {
	x, err := a.refreshed(ctx, rowsOnly)
	if err != nil {
		return Freshness{}, nil, err
	}
	edition := x.Edition()
	fresh := a.freshFor(rowsOnly)
	fresh.Complete = fresh.Complete && a.fresh.status.filled(edition)
	a.mirror(ctx, x)
	err = question(x)
	fresh.Complete = fresh.Complete && x.Edition() == edition
	return fresh, x, err
}

// answer is ask for a question with one answer, to the whole index.
func answer[T any](ctx context.Context, a *App, question func(x *index.Index) (T, error)) (out T, err error) {
	err = a.ask(ctx, false, func(x *index.Index) (err error) {
		out, err = question(x)
		return err
	})
	return out, err
}
