// Package app joins the rooms: it opens the homes, the index and what is kept, and gives
// each room what it needs. Fronts decode, call a room and encode; they decide nothing.
package app

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/acts"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/health"
	"sesskeep/internal/history"
	"sesskeep/internal/homes"
	"sesskeep/internal/insight"
	"sesskeep/internal/jobs"
	"sesskeep/internal/keeping"
	"sesskeep/internal/label"
	"sesskeep/internal/live"
	"sesskeep/internal/liveness"
	"sesskeep/internal/manage"
	"sesskeep/internal/mask"
	"sesskeep/internal/purge"
	"sesskeep/internal/recall"
	"sesskeep/internal/redact"
	"sesskeep/internal/relocate"
	"sesskeep/internal/resume"
	"sesskeep/internal/runs"
	"sesskeep/internal/secrets"
	"sesskeep/internal/setup"
	"sesskeep/internal/shelf"
	"sesskeep/internal/statusline"
	"sesskeep/internal/talk"
	"sesskeep/internal/todos"
	"sesskeep/internal/transfer"
	"sesskeep/internal/trash"
	"sesskeep/internal/travel"
	"sesskeep/internal/undo"
	"sesskeep/internal/versions"
	"sesskeep/internal/views"
)

// Options say which homes to read and how.
type Options struct {
	Roots []string
	// Names are what the user calls homes, HOME[.MACHINE], by their roots. The
	// others keep the names they have.
	Names map[string]string
	// Data is the directory in which the ids of homes are kept, and what clients
	// reported to their status line; Host is what this machine calls itself. Empty: ids
	// follow the paths, and nothing is kept.
	Data, Host string
	Config     string // config.toml of the user, which backups take along; may be empty
	Cache      string // directory of the index; empty: in memory
	Workers    int    // files read at the same time; 0: one a processor
	// Alive reports whether a registered process runs; nil: none does.
	Alive claudehome.Alive
	// OnExit waits for the end of a client, where that can be done: see
	// [live.Options]. nil: its end is looked for.
	OnExit func(pid int, gone func()) (stop func(), ok bool)
	// Processes lists the clients that run, and reports false where that is not
	// known; so does nil.
	Processes func() ([]live.Process, bool)
	// Progress is called while a long reading lasts, from several goroutines, one at a
	// time. It may be nil.
	Progress func(done, total int, bytes int64)
	// Waiting is called likewise while another process reads the homes for the same
	// index, with how far that one is. It may be nil.
	Waiting func(process, done, total int, bytes int64)
	// Patience is how long a question waits for a long reading. After that it
	// is answered from what has been read, the newest first: see Reading.
	// 0: until all is read.
	Patience time.Duration
	// FirstPatience is Patience for homes that the index has never had all of.
	FirstPatience time.Duration
	Now           func() time.Time // nil: time.Now
	// Shelf makes changes and has what users added to sessions; nil: nothing can be
	// changed, and nothing was added.
	Shelf *shelf.Shelf
	// KeepExclude are directories of projects that are not kept, and KeepQuota is how many
	// bytes copies may take up, besides what the user's policy says; 0: no limit.
	KeepExclude []string
	KeepQuota   int64
	// Redact says what is hidden in documents besides what looks like a secret.
	Redact redact.Options
	// Others are homes that are not read, such as the usual one where another is
	// named. What is secret in them stays so under whatever name.
	Others []string
	// Reports is the file hooks report to and Lifecycle the log of what happens
	// to sessions, for those who watch; empty: none.
	Reports, Lifecycle string
	// State is the directory of what describes the running system, from which a purge removes
	// what it says of sessions; empty: there is none.
	State string
}

// App is the rooms of one program, over the homes it was opened on.
type App struct {
	Homes    *homes.Set
	Index    *freshness.Index
	Catalog  *catalog.Catalog
	Talk     *talk.Talk
	History  *history.History
	Acts     *acts.Journal
	Keep     *keeping.Copies
	Trash    *trash.Trash
	Manage   *manage.Manager
	Relocate *relocate.Mover
	Purge    *purge.Purger
	Mask     *mask.Masker
	Undo     *undo.Undoer
	Transfer *transfer.Transfer
	Travel   *travel.Travel
	Live     *board.Live
	Recall   *recall.Recall
	Versions *versions.Versions
	Resume   *resume.Planner
	Setup    *setup.Setup
	Todos    *todos.Todos
	Health   *health.Checker
	Views    *views.Views
	Insight  *insight.Counter
	Jobs     *jobs.List

	opts Options
	bin  *trash.Bin

	mu     sync.Mutex
	closed bool
	keeper *keeping.Keeper // nil: nothing is copied in the background
}

// Open opens the homes. One that does not exist is left out as long as another
// exists; if none does it is [errcode.NoHome]. A name that another home has is
// [errcode.Conflict].
func Open(o Options) (*App, error) {
	if o.Alive == nil {
		o.Alive = func(int, string, string) bool { return false }
	}
	a := &App{opts: o, bin: trash.NewBin(nil)}
	if o.Data != "" {
		a.bin = trash.NewBin(o.Shelf)
	}
	set, err := homes.Open(homes.Options{
		Roots: o.Roots, Names: o.Names, Others: o.Others, Data: o.Data, Host: o.Host, Cache: o.Cache, Now: o.Now,
		Labelled: o.Shelf.Labelled, Trashed: a.bin.Has,
	})
	if set == nil {
		return nil, err
	}
	a.Homes = set
	a.furnish()
	return a, err
}

// furnish gives each room what it needs.
func (a *App) furnish() {
	o, set, now := &a.opts, a.Homes, a.now
	var labels *label.Store
	if o.Shelf != nil {
		labels = o.Shelf.Labels()
	}
	book := statusline.Open(o.Data)
	living := runs.Living{Data: o.Data, Now: o.Now}
	clients := live.Options{Runs: living, Alive: o.Alive, OnExit: o.OnExit, Processes: o.Processes, Now: o.Now, Reports: o.Reports, Log: o.Lifecycle}
	a.Jobs = jobs.New(now)
	binned := trash.NewHomes(a.bin, set)
	a.Index = freshness.New(freshness.Options{
		Homes: set, Trash: binned, Cache: o.Cache, Workers: o.Workers, Patience: o.Patience, FirstPatience: o.FirstPatience, Progress: o.Progress, Waiting: o.Waiting,
		Now: now, Labels: labels, Unread: a.Unread, Live: clients,
	})
	a.Catalog = catalog.New(catalog.Options{Homes: set, Index: a.Index, Trash: binned, Alive: o.Alive, Book: book, Workers: o.Workers})
	a.Talk = talk.New(talk.Options{Homes: set, Index: a.Index, Catalog: a.Catalog, Redact: o.Redact})
	a.History = history.New(set, a.Catalog)
	a.Acts = &acts.Journal{Shelf: o.Shelf, Homes: set.Roots(), Touch: a.Index.Touch}
	a.Keep = keeping.New(keeping.Options{Homes: set, Index: a.Index, Catalog: a.Catalog, Journal: a.Acts, Now: now, Exclude: o.KeepExclude, Quota: o.KeepQuota, CaughtUp: a.caughtUp})
	inUse := &liveness.Checker{Index: a.Index, Living: living, Alive: o.Alive, Now: now}
	a.Trash = trash.New(a.Acts, set, now)
	a.Manage = manage.New(manage.Options{
		Homes: set, Catalog: a.Catalog, Keep: a.Keep, Journal: a.Acts, Labels: labels, Trash: a.Trash, Alive: o.Alive, Now: now,
		Live: inUse,
	})
	a.Relocate = relocate.New(a.Acts, set, a.Catalog, inUse)
	a.Purge = purge.New(purge.Options{
		Homes: set, Catalog: a.Catalog, Journal: a.Acts, Trash: a.Trash, Live: inUse, Alive: o.Alive, Stores: a.purgedStores(living, book),
		Fresh: func(ctx context.Context) error { return freshness.Whole(ctx, a.Index) }, Data: o.Data, Now: now,
	})
	a.Mask = mask.New(mask.Options{
		Homes: set, Catalog: a.Catalog, Journal: a.Acts, Live: inUse, Redact: o.Redact,
		Fresh:   func(ctx context.Context) error { return freshness.Whole(ctx, a.Index) },
		Compact: func(ctx context.Context) error { return freshness.Compact(ctx, a.Index) },
		Runs: func(ctx context.Context, id sesskeep.SessionID) (int, error) {
			found, err := living.Matching(ctx, func(session, _ string) bool { return session == string(id) })
			return len(found), err
		},
	})
	a.Undo = &undo.Undoer{Journal: a.Acts}
	a.Transfer = transfer.New(transfer.Options{Homes: set, Catalog: a.Catalog, Journal: a.Acts, Now: now})
	a.Travel = travel.New(travel.Options{
		Homes: set, Catalog: a.Catalog, Journal: a.Acts, Trash: a.Trash, Data: o.Data, Config: o.Config, Host: o.Host, Now: now, Workers: o.Workers,
	})
	a.Live = board.New(board.Options{Homes: set, Index: a.Index, Catalog: a.Catalog, Jobs: a.Jobs, Living: living, Book: book, Now: now})
	a.Recall = recall.New(recall.Options{Catalog: a.Catalog, Talk: a.Talk, Live: a.Live, Now: now})
	a.Versions = versions.New(versions.Options{Homes: set, Index: a.Index, Catalog: a.Catalog, Journal: a.Acts, Now: now})
	a.Resume = resume.New(resume.Sources{Homes: set, Catalog: a.Catalog, Living: living, Alive: o.Alive, Now: now})
	a.Setup = setup.New(set, a.History)
	a.Todos = todos.New(set, a.Catalog)
	a.Insight = insight.New(insight.Options{Homes: set, Index: a.Index, Catalog: a.Catalog, Log: o.Lifecycle})
	a.Views = views.New(views.Options{Homes: set, Index: a.Index, Catalog: a.Catalog, Living: living})
	a.Health = health.New(health.Options{
		Roots: o.Roots, Homes: set, Catalog: a.Catalog, Keep: a.Keep, Journal: a.Acts, Living: living, Live: clients, Now: now,
		Secrets: secrets.Options{Redact: o.Redact},
	})
}

func (a *App) now() time.Time {
	if a.opts.Now == nil {
		return time.Now()
	}
	return a.opts.Now()
}

// Stay keeps the index and the copies up to date from now on, until Close: for
// fronts that stay open. Questions then never walk. It does not wait, and may be
// called any number of times.
func (a *App) Stay() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return
	}
	a.Index.Stay()
	if a.Homes.Vault != nil && a.keeper == nil {
		a.keeper = a.Keep.Start()
	}
}

// Close ends what runs in the background, and lets go of the index. What has been read
// is kept. Nothing can be asked any more.
func (a *App) Close() error {
	a.mu.Lock()
	over, k := a.closed, a.keeper
	a.closed = true
	a.mu.Unlock()
	if over {
		return nil
	}
	a.Jobs.Stop()
	if k != nil {
		k.Stop()
	}
	return a.Index.Close()
}

// Notes say what a user should know about the answers of this run.
func (a *App) Notes() []string {
	notes := slices.Concat(a.Homes.Notes, a.Index.Notes(), a.Keep.Notes())
	if a.opts.Shelf == nil {
		return notes
	}
	if left := acts.Unfinished(a.opts.Shelf); left != "" {
		notes = append(notes, left)
	}
	if left := a.Purge.Unfinished(); left != "" {
		notes = append(notes, left)
	}
	return notes
}

// Unread lists what is in the homes, their copies, in directories of projects, in the
// trash or among runs and could not be read: answers lack what it says.
func (a *App) Unread() []error {
	list := slices.Clone(a.Homes.Unread)
	noted := map[string]bool{}
	for _, h := range a.Homes.List {
		for _, err := range h.Store.Files().Unread() {
			list = append(list, err)
			noted[err.Path] = true
		}
		if h.Copies != nil {
			list = append(list, h.Copies.Unread()...)
		}
	}
	if err := a.Live.Unread(); err != nil {
		list = append(list, err)
	}
	for _, err := range a.Index.Unlisted() {
		if at := (*fs.PathError)(nil); !errors.As(err, &at) || !noted[at.Path] {
			list = append(list, err)
		}
	}
	return slices.Concat(list, a.Homes.Outside.Unread(), a.bin.Unread())
}

// Nowhere returns what backs up and restores where there is no home yet: it can only work
// out what it would restore.
func Nowhere(s *shelf.Shelf, now func() time.Time) *travel.Travel {
	set := &homes.Set{}
	j := &acts.Journal{Shelf: s, Touch: func() {}}
	return travel.New(travel.Options{Homes: set, Journal: j, Trash: trash.New(j, set, now), Now: now})
}
