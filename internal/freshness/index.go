// Package freshness keeps the index of the homes up to date, and says how much an
// answer was made from. A command walks the homes before its first query; a front that stays open
// has an owner, which follows what is written, so that queries only read. It also knows
// what sessions do now: the owner's Hub judges that, or a single check does.
package freshness

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/label"
	"sesskeep/internal/live"
)

// Options say what to read and how.
type Options struct {
	Homes   *homes.Set
	Cache   string // directory of the index; empty: in memory
	Workers int    // files read at the same time; 0: one per processor
	// Patience is how long a query waits for a long reading. After that it is
	// answered from what has been read, newest first. 0: until all is read.
	Patience time.Duration
	// FirstPatience is Patience where the index has never had all of the homes: who asks then
	// would get an empty answer. Less than Patience: Patience.
	FirstPatience time.Duration
	// Progress is called while files are read, from several goroutines, one at a time.
	// It may be nil.
	Progress func(done, total int, bytes int64)
	// Waiting is called likewise while another process reads the files, with how far that
	// one is. It may be nil.
	Waiting func(process, done, total int, bytes int64)
	Now     func() time.Time
	Labels  *label.Store // what users added to sessions; nil: nothing
	Trash   Trash        // what was spent in sessions that lie there; nil: there is none
	// Live says how running clients are found. The homes and what the index knows of
	// files are added to it.
	Live live.Options
	// Unread lists what could not be read and is missing in answers.
	Unread func() []error
}

// Index is an index of homes that is brought up to date before it answers.
type Index struct {
	opts  Options
	hub   live.Shared
	files files
	trash trashed

	mu     sync.Mutex
	homes  []string // notes on those that were replaced
	closed bool
	owner  *owner // keeps the index up to date; nil: queries do

	running    atomic.Pointer[reading] // set under the lock, read without it
	unlabelled atomic.Pointer[error]   // why lists lack labels
	status     status
}

// New returns an Index. Nothing is opened before the first query.
func New(o Options) *Index {
	return &Index{opts: o, files: files{dir: o.Cache}, trash: trashed{trash: o.Trash}}
}

// reading is a walk, which may outlast the query that started it. It belongs to the
// Index: callers that wait for it can give up.
type reading struct {
	rowsOnly bool
	began    time.Time
	cancel   context.CancelFunc
	done     chan struct{}
	err      error // once it is done
	changed  bool  // it found something

	mu           sync.Mutex
	files, total int
}

// Ready brings the whole index up to date, text and usage too.
func (f *Index) Ready(ctx context.Context) error {
	_, err := f.refreshed(ctx, false)
	return err
}

// Refresh walks all homes again, even if no change was reported, and waits until
// everything it found is read.
func (f *Index) Refresh(ctx context.Context) error {
	if err := f.Finish(ctx); err != nil {
		return err
	}
	r, err := f.walk()
	if err != nil {
		return err
	}
	return r.wait(ctx, 0)
}

// Finish waits for the reading under way.
func (f *Index) Finish(ctx context.Context) error {
	r := f.running.Load()
	if r == nil {
		return nil
	}
	return r.wait(ctx, 0)
}

// refreshed returns the index, up to date. With an owner that takes no time; otherwise
// each process walks the homes once: for lists only rows, for searches and sums
// everything.
func (f *Index) refreshed(ctx context.Context, rowsOnly bool) (*index.Index, error) {
	for {
		x, r, err := f.current(rowsOnly)
		if err == nil && r == nil {
			f.catchUp(ctx)
		}
		if err != nil || r == nil {
			return x, err
		}
		err = r.wait(ctx, f.patience(ctx, x, r))
		switch {
		case errors.Is(err, errEarly):
			return x, nil
		case err != nil:
			return nil, err
		case rowsOnly || !r.rowsOnly:
			return f.files.queried(), nil
		}
	}
}

// patience is how long a query that comes now waits for a reading, since that began. Where
// there is nothing to answer with yet it waits as long whenever it comes, and all queries of one
// request as one.
func (f *Index) patience(ctx context.Context, x *index.Index, r *reading) time.Duration {
	if f.opts.FirstPatience <= f.opts.Patience {
		return f.opts.Patience
	}
	some, all := x.HasRows(ctx, f.opts.Homes.Roots())
	switch {
	case all:
		return f.opts.Patience
	case some:
		return f.opts.FirstPatience
	}
	return max(1, ask.RequestTime(ctx).Sub(r.began)+f.opts.FirstPatience) // 0 would be endless
}

// catchUp makes the owner, if there is one, absorb what it knows of.
func (f *Index) catchUp(ctx context.Context) {
	f.mu.Lock()
	o := f.owner
	f.mu.Unlock()
	if o != nil {
		o.catchUp(ctx)
	}
}

// current returns the index, and the reading that brings it up to date if it is not.
func (f *Index) current(rowsOnly bool) (*index.Index, *reading, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x, err := f.open()
	if err != nil || f.status.has(rowsOnly, f.owner != nil) && (rowsOnly || !f.trash.changed()) {
		return x, nil, err
	}
	return x, f.ensureReading(rowsOnly && f.owner == nil), nil
}

// walk starts a walk of all homes, unless one is under way.
func (f *Index) walk() (*reading, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.open(); err != nil {
		return nil, err
	}
	return f.ensureReading(f.owner == nil && !f.status.has(false, false)), nil
}

// ensureReading returns the reading under way, or starts one. The caller has the lock.
func (f *Index) ensureReading(rowsOnly bool) *reading {
	if f.running.Load() == nil {
		f.running.Store(f.startReading(rowsOnly))
	}
	return f.running.Load()
}

// ErrClosed is the error of queries after Close.
var ErrClosed = errors.New("ask the index: it is closed")

// open returns the index as it is. The caller has the lock.
func (f *Index) open() (*index.Index, error) {
	if f.closed {
		return nil, ErrClosed
	}
	return f.files.open()
}

// FreeMemory frees memory of the index that is no longer used, after a long reading.
func (f *Index) FreeMemory() {
	if x := f.files.queried(); x != nil {
		x.ReleaseIdle()
	}
}

// startReading starts a reading. Close waits for it.
func (f *Index) startReading(rowsOnly bool) *reading {
	ctx, cancel := context.WithCancel(context.Background())
	r := &reading{rowsOnly: rowsOnly, began: time.Now(), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		defer cancel()
		report, err := f.refresh(ctx, r)
		f.mu.Lock()
		defer f.mu.Unlock()
		r.err, r.changed = err, report.Changed()
		f.homes = homeNotes(report)
		f.running.Store(nil)
		f.status.walked(&report, f.files.queried().Edition(), rowsOnly, err)
	}()
	return r
}

// errEarly means that a reading is still under way.
var errEarly = errors.New("still reading")

// wait waits for the end of a reading, at most for patience since its start; 0 is
// endless. If the caller gives up, the reading continues for the others.
func (r *reading) wait(ctx context.Context, patience time.Duration) error {
	var enough <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience - time.Since(r.began))
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-r.done:
		return r.err
	case <-enough:
		return errEarly
	case <-ctx.Done():
		return ctx.Err()
	}
}

// set records how far the reading is.
func (r *reading) set(files, total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files, r.total = files, total
}

// refresh brings the index up to date. If it cannot be written, or another process
// writes it for too long before it contains a home, an index in memory replaces it: an
// answer may be behind, but never omits what was never read.
func (f *Index) refresh(ctx context.Context, r *reading) (report index.Report, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = live.Fault(fault)
		}
	}()
	o := index.Options{Workers: f.opts.Workers, RowsOnly: r.rowsOnly, Early: f.opts.Patience > 0}
	o.Progress = func(files, total int, bytes int64) {
		r.set(files, total)
		if f.opts.Progress != nil {
			f.opts.Progress(files, total, bytes)
		}
	}
	o.Waiting = func(other index.Reader) {
		r.set(other.Done, other.Total)
		if f.opts.Waiting != nil {
			f.opts.Waiting(other.PID, other.Done, other.Total, other.Bytes)
		}
	}
	if f.Owned() {
		o.Patience = index.OwnerPatience
	}
	if f.status.hasWalked() { // what Open read is old
		for _, h := range f.opts.Homes.List {
			f.opts.Homes.ReadHints(h)
		}
	}
	homes := f.opts.Homes.ForIndex()
	if !r.rowsOnly {
		homes = append(homes, f.trash.homes()...)
	}
	kept := f.files.kept()
	report, err = kept.Walk(ctx, homes, o)
	switch {
	case ctx.Err() != nil:
		return report, ctx.Err()
	case err != nil && f.files.writable():
		if err := f.files.giveUp(err); err != nil {
			return report, err
		}
	case err == nil && report.Lacking:
		if err := f.files.queryMemory(); err != nil {
			return report, err
		}
	default:
		f.files.queryKept()
		return report, err
	}
	return f.files.queried().Walk(ctx, homes, o)
}

// Owned reports whether an owner runs.
func (f *Index) Owned() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owner != nil
}

// rebuild deletes the contents of a damaged index and reads everything again.
func (f *Index) rebuild(ctx context.Context, x *index.Index) error {
	if r := f.running.Load(); r != nil {
		<-r.done // it may have found the damage too, and repaired it
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return ErrClosed
	}
	f.status.reset()
	return x.Rebuild(ctx)
}

// Notes returns what a user should know about the index besides its Coverage.
func (f *Index) Notes() (notes []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	notes = append(notes, f.homes...)
	if err := f.unlabelled.Load(); err != nil && *err != nil {
		notes = append(notes, "what you added to sessions may be missing here: "+(*err).Error())
	}
	if err := f.files.unkept(); err != nil {
		notes = append(notes, "no index is kept: "+err.Error())
	}
	return notes
}

// homeNotes reports homes that were replaced.
func homeNotes(r index.Report) (notes []string) {
	for _, root := range r.Reopened {
		notes = append(notes, root+" was replaced: it was read again")
	}
	return notes
}

// Touch publishes that answers may have changed, though no file of a home did.
func (f *Index) Touch() { f.status.touch() }

// Close stops the owner and the reading under way, and closes the index. What has been
// read is kept. Later queries fail.
func (f *Index) Close() error {
	f.mu.Lock()
	over := f.closed
	f.closed = true
	r, o := f.running.Load(), f.owner
	f.mu.Unlock()
	if over {
		return nil
	}
	if r != nil {
		r.cancel()
		<-r.done
	}
	if o != nil {
		o.cancel()
		<-o.done
	}
	return f.files.close()
}

// AsIs opens the index without bringing it up to date.
func (f *Index) AsIs() (*index.Index, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open()
}
