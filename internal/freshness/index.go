// Package freshness keeps the index of the homes up to date, and says how far an answer
// goes. A command walks the homes before its first question; a front that stays open has
// an owner, which follows what is written, so that questions only read. What sessions do
// at this moment is known here too: the owner's Hub judges it, or one look finds it.
package freshness

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/label"
	"sesskeep/internal/live"
)

// Options say what to read and how.
type Options struct {
	Homes   *homes.Set
	Cache   string // directory of the index; empty: in memory
	Workers int    // files read at the same time; 0: one a processor
	// Patience is how long a question waits for a long reading. After that it
	// is answered from what has been read, the newest first. 0: until all is read.
	Patience time.Duration
	// Progress is called while files are read, from several goroutines, one at a time.
	// It may be nil.
	Progress func(done, total int, bytes int64)
	Now      func() time.Time
	Labels   *label.Store // what users added to sessions; nil: nothing
	// Live says how running clients are found. The homes and what the index knows of
	// files are added to it.
	Live live.Options
	// Unread lists what could not be read and is missing in answers.
	Unread func() []error
}

// Index is an index of homes that is brought up to date before it answers.
type Index struct {
	opts Options
	hub  live.Shared

	mu     sync.Mutex
	index  *index.Index // that questions are put to
	kept   *index.Index // the one on disk
	memory *index.Index // for as long as that one lacks a home
	homes  []string     // that are not there, or were opened again
	unkept error        // why the index could not be written
	closed bool
	owner  *owner // keeps the index up to date; nil: questions do

	running    atomic.Pointer[reading] // is set under the lock, and read without it
	retired    []*index.Index          // given up, but perhaps still asked
	unlabelled atomic.Pointer[error]   // why lists lack what users added
	status     status
}

// New makes an Index. Nothing is opened before the first question.
func New(o Options) *Index { return &Index{opts: o} }

// reading is a walk, which may outlast the question it was begun for. It belongs
// to the Index: whoever waits for it can go away.
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

// Refresh looks at all homes once more, though nothing told of a change, and
// waits until what it found is read.
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

// Finish waits until everything is read that is being read.
func (f *Index) Finish(ctx context.Context) error {
	r := f.running.Load()
	if r == nil {
		return nil
	}
	return r.wait(ctx, 0)
}

// refreshed gives the index up to date. Where an owner keeps it so, that takes
// no time; else it is walked once a run: for lists its rows, for searches and
// sums everything.
func (f *Index) refreshed(ctx context.Context, rowsOnly bool) (*index.Index, error) {
	for {
		x, r, err := f.current(rowsOnly)
		if err == nil && r == nil {
			f.catchUp(ctx)
		}
		if err != nil || r == nil {
			return x, err
		}
		err = r.wait(ctx, f.opts.Patience)
		switch {
		case errors.Is(err, errEarly):
			return x, nil
		case err != nil:
			return nil, err
		case rowsOnly || !r.rowsOnly:
			return f.opened(), nil
		}
	}
}

// catchUp has the owner bring in what it knows of, if there is one.
func (f *Index) catchUp(ctx context.Context) {
	f.mu.Lock()
	o := f.owner
	f.mu.Unlock()
	if o != nil {
		o.catchUp(ctx)
	}
}

// current is the index, and the reading that brings it up to date if it is not.
func (f *Index) current(rowsOnly bool) (*index.Index, *reading, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x, err := f.open()
	if err != nil || f.status.has(rowsOnly, f.owner != nil) {
		return x, nil, err
	}
	return x, f.ensureReading(rowsOnly && f.owner == nil), nil
}

// walk begins to look at all homes, unless somebody does so.
func (f *Index) walk() (*reading, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.open(); err != nil {
		return nil, err
	}
	return f.ensureReading(f.owner == nil && !f.status.has(false, false)), nil
}

// begun is the reading under way, or a new one. The caller has the lock.
func (f *Index) ensureReading(rowsOnly bool) *reading {
	if f.running.Load() == nil {
		f.running.Store(f.startReading(rowsOnly))
	}
	return f.running.Load()
}

// ErrClosed answers questions that come after Close.
var ErrClosed = errors.New("ask the index: it is closed")

// open gives the index as it is. The caller has the lock.
func (f *Index) open() (*index.Index, error) {
	if f.closed {
		return nil, ErrClosed
	}
	if f.index == nil {
		x, err := index.Open(f.opts.Cache)
		if err != nil {
			return nil, err
		}
		f.index, f.kept = x, x
	}
	return f.index, nil
}

func (f *Index) opened() *index.Index {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.index
}

// Rest gives back memory that the index took and that nobody uses, after a long
// reading.
func (f *Index) FreeMemory() {
	if x := f.opened(); x != nil {
		x.Rest()
	}
}

// begin starts a reading. Close waits for it.
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
		f.status.walked(&report, f.index.Edition(), rowsOnly, err)
	}()
	return r
}

// errEarly says that a reading goes on.
var errEarly = errors.New("still reading")

// wait waits for the end of a reading, or until patience has run out since it
// began; 0 is endless. A caller who goes away leaves the reading to the others.
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

// refresh brings the index up to date. One that cannot be written, or that
// another process writes for too long before a home is in it, is replaced by one
// in memory: an answer may be behind, but never leaves out what was never read.
func (f *Index) refresh(ctx context.Context, r *reading) (report index.Report, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = live.Fault(fault)
		}
	}()
	o := index.Options{Workers: f.opts.Workers, RowsOnly: r.rowsOnly, Early: f.opts.Patience > 0}
	o.Progress = func(files, total int, bytes int64) {
		r.mu.Lock()
		r.files, r.total = files, total
		r.mu.Unlock()
		if f.opts.Progress != nil {
			f.opts.Progress(files, total, bytes)
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
	kept := f.onDisk()
	report, err = kept.Walk(ctx, f.opts.Homes.ForIndex(), o)
	switch {
	case ctx.Err() != nil:
		return report, ctx.Err()
	case err != nil && f.opts.Cache != "" && f.unkept == nil:
		if err := f.useMemory(err); err != nil {
			return report, err
		}
	case err == nil && report.Lacking:
		if err := f.inMemory(); err != nil {
			return report, err
		}
	default:
		f.mu.Lock()
		f.index = kept // questions are put to it from now on
		f.mu.Unlock()
		return report, err
	}
	return f.opened().Walk(ctx, f.opts.Homes.ForIndex(), o)
}

// Owned reports whether an owner runs.
func (f *Index) Owned() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owner != nil
}

// onDisk is the index on disk, or the one in its place.
func (f *Index) onDisk() *index.Index {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept
}

// inMemory puts questions to an index in memory, until the one on disk has all
// homes.
func (f *Index) inMemory() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.memory == nil {
		x, err := index.Open("")
		if err != nil {
			return err
		}
		f.memory = x
	}
	f.index = f.memory
	return nil
}

// doWithout goes on with an index in memory.
func (f *Index) useMemory(why error) error {
	x, err := index.Open("")
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unkept = why
	f.retired = append(f.retired, f.kept)
	f.index, f.kept = x, x
	return nil
}

// rebuild throws away what is in a damaged index.
func (f *Index) rebuild(ctx context.Context, x *index.Index) error {
	if r := f.running.Load(); r != nil {
		<-r.done // it may have met the damage too, and mended it
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return ErrClosed
	}
	f.status.reset()
	return x.Rebuild(ctx)
}

// Notes say what a user should know about the index.
func (f *Index) Notes() (notes []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Fresh().Behind {
		notes = append(notes, "another sesskeep is writing the index: what was added last may be missing here")
	}
	notes = append(notes, f.homes...)
	if err := f.unlabelled.Load(); err != nil && *err != nil {
		notes = append(notes, "what you added to sessions may be missing here: "+(*err).Error())
	}
	if f.unkept != nil {
		notes = append(notes, "no index is kept: "+f.unkept.Error())
	} else if f.index != nil && f.index.Degraded() != nil {
		notes = append(notes, "no index is kept: "+f.index.Degraded().Error())
	}
	return notes
}

// homeNotes say which homes are not the directories they were.
func homeNotes(r index.Report) (notes []string) {
	for _, root := range r.Missing {
		notes = append(notes, root+" is missing: this is what was last known of it")
	}
	for _, root := range r.Reopened {
		notes = append(notes, root+" was replaced: it was read again")
	}
	return notes
}

// Touch publishes that answers can be others, though no file of a home changed.
func (f *Index) Touch() { f.status.touch() }

// Close ends the owner and what is being read, and lets go of the index. What has
// been read is kept. Nothing can be asked any more.
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
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range append(f.retired, f.memory) {
		if x != nil {
			x.Close()
		}
	}
	if f.kept == nil {
		return nil
	}
	return f.kept.Close()
}

// AsIs opens the index without bringing it up to date.
func (f *Index) AsIs() (*index.Index, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open()
}
