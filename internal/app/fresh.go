package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep/internal/index"
	"sesskeep/internal/live"
)

// freshness is the index, and how far it is up to date.
type freshness struct {
	mu     sync.Mutex
	index  *index.Index // that questions are put to
	kept   *index.Index // the one on disk
	memory *index.Index // for as long as that one lacks a home
	homes  []string     // that are not there, or were opened again
	unkept error        // why the index could not be written
	closed bool
	owner  *owner // keeps the index up to date; nil: questions do
	keeper *keeper

	running atomic.Pointer[reading] // is set under the lock, and read by whoever must not wait for it
	retired []*index.Index          // given up, but perhaps still asked
	status  status
}

// reading is a walk, which may outlast the question it was begun for. It belongs
// to the App: whoever waits for it can go away.
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
func (a *App) Ready(ctx context.Context) error {
	_, err := a.refreshed(ctx, false)
	return err
}

// Refresh looks at all homes once more, though nothing told of a change, and
// waits until what it found is read.
func (a *App) Refresh(ctx context.Context) error {
	if err := a.Finish(ctx); err != nil {
		return err
	}
	r, err := a.walk()
	if err != nil {
		return err
	}
	return r.wait(ctx, 0)
}

// Finish waits until everything is read that is being read.
func (a *App) Finish(ctx context.Context) error {
	r := a.fresh.running.Load()
	if r == nil {
		return nil
	}
	return r.wait(ctx, 0)
}

// refreshed gives the index up to date. Where an owner keeps it so, that takes
// no time; else it is walked once a run: for lists its rows, for searches and
// sums everything.
func (a *App) refreshed(ctx context.Context, rowsOnly bool) (*index.Index, error) {
	for {
		x, r, err := a.current(rowsOnly)
		if err == nil && r == nil {
			a.catchUp(ctx)
		}
		if err != nil || r == nil {
			return x, err
		}
		err = r.wait(ctx, a.opts.Patience)
		switch {
		case errors.Is(err, errEarly):
			return x, nil
		case err != nil:
			return nil, err
		case rowsOnly || !r.rowsOnly:
			return a.opened(), nil
		}
	}
}

// catchUp has the owner bring in what it knows of, if there is one.
func (a *App) catchUp(ctx context.Context) {
	a.fresh.mu.Lock()
	o := a.fresh.owner
	a.fresh.mu.Unlock()
	if o != nil {
		o.catchUp(ctx)
	}
}

// current is the index, and the reading that brings it up to date if it is not.
func (a *App) current(rowsOnly bool) (*index.Index, *reading, error) {
	f := &a.fresh
	f.mu.Lock()
	defer f.mu.Unlock()
	x, err := f.open(a.opts.Cache)
	if err != nil || f.status.has(rowsOnly, f.owner != nil) {
		return x, nil, err
	}
	return x, a.begun(rowsOnly && f.owner == nil), nil
}

// walk begins to look at all homes, unless somebody does so.
func (a *App) walk() (*reading, error) {
	f := &a.fresh
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.open(a.opts.Cache); err != nil {
		return nil, err
	}
	return a.begun(f.owner == nil && !f.status.has(false, false)), nil
}

// begun is the reading under way, or a new one. The caller has the lock.
func (a *App) begun(rowsOnly bool) *reading {
	f := &a.fresh
	if f.running.Load() == nil {
		f.running.Store(a.begin(rowsOnly))
	}
	return f.running.Load()
}

// errClosed answers questions that come after the end.
var errClosed = errors.New("ask the index: it is closed")

// open gives the index as it is. The caller has the lock.
func (f *freshness) open(cache string) (*index.Index, error) {
	if f.closed {
		return nil, errClosed
	}
	if f.index == nil {
		x, err := index.Open(cache)
		if err != nil {
			return nil, err
		}
		f.index, f.kept = x, x
	}
	return f.index, nil
}

func (a *App) opened() *index.Index {
	a.fresh.mu.Lock()
	defer a.fresh.mu.Unlock()
	return a.fresh.index
}

// Rest gives back memory that the index took and that nobody uses, after a long
// reading.
func (a *App) Rest() {
	if x := a.opened(); x != nil {
		x.Rest()
	}
}

// begin starts a reading. Close waits for it.
func (a *App) begin(rowsOnly bool) *reading {
	ctx, cancel := context.WithCancel(context.Background())
	r := &reading{rowsOnly: rowsOnly, began: time.Now(), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		defer cancel()
		report, err := a.refresh(ctx, r)
		f := &a.fresh
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
func (a *App) refresh(ctx context.Context, r *reading) (report index.Report, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = live.Fault(fault)
		}
	}()
	o := index.Options{Workers: a.opts.Workers, RowsOnly: r.rowsOnly, Early: a.opts.Patience > 0}
	o.Progress = func(files, total int, bytes int64) {
		r.mu.Lock()
		r.files, r.total = files, total
		r.mu.Unlock()
		if a.opts.Progress != nil {
			a.opts.Progress(files, total, bytes)
		}
	}
	if a.owned() {
		o.Patience = index.OwnerPatience
	}
	if a.fresh.status.looked() { // what Open read is old
		for _, h := range a.Homes.List {
			a.Homes.ReadHints(h)
		}
	}
	kept := a.kept()
	report, err = kept.Walk(ctx, a.Homes.ForIndex(), o)
	switch {
	case ctx.Err() != nil:
		return report, ctx.Err()
	case err != nil && a.opts.Cache != "" && a.fresh.unkept == nil:
		if err := a.doWithout(err); err != nil {
			return report, err
		}
	case err == nil && report.Lacking:
		if err := a.inMemory(); err != nil {
			return report, err
		}
	default:
		a.use(kept)
		return report, err
	}
	return a.opened().Walk(ctx, a.Homes.ForIndex(), o)
}

// owned reports whether an owner runs.
func (a *App) owned() bool {
	a.fresh.mu.Lock()
	defer a.fresh.mu.Unlock()
	return a.fresh.owner != nil
}

// kept is the index on disk, or the one in its place.
func (a *App) kept() *index.Index {
	a.fresh.mu.Lock()
	defer a.fresh.mu.Unlock()
	return a.fresh.kept
}

// use puts questions to an index from now on.
func (a *App) use(x *index.Index) {
	a.fresh.mu.Lock()
	defer a.fresh.mu.Unlock()
	a.fresh.index = x
}

// inMemory puts questions to an index in memory, until the one on disk has all
// homes.
func (a *App) inMemory() error {
	f := &a.fresh
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
func (a *App) doWithout(why error) error {
	x, err := index.Open("")
	if err != nil {
		return err
	}
	f := &a.fresh
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unkept = why
	f.retired = append(f.retired, f.kept)
	f.index, f.kept = x, x
	return nil
}

// rebuild throws away what is in a damaged index.
func (a *App) rebuild(ctx context.Context, x *index.Index) error {
	f := &a.fresh
	if r := f.running.Load(); r != nil {
		<-r.done // it may have met the damage too, and mended it
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return errClosed
	}
	f.status.lose()
	return x.Rebuild(ctx)
}

// Notes say what a user should know about the answers of this run.
func (a *App) Notes() []string {
	f := &a.fresh
	f.mu.Lock()
	defer f.mu.Unlock()
	notes := slices.Clone(a.Homes.Notes)
	if a.Fresh().Behind {
		notes = append(notes, "another sesskeep is writing the index: what was added last may be missing here")
	}
	notes = append(notes, f.homes...)
	notes = append(notes, a.policyNotes()...)
	for _, h := range a.Homes.List {
		if h.Copies == nil {
			continue
		}
		if hurt := h.Copies.Hurt(); len(hurt) > 0 {
			notes = append(notes, fmt.Sprintf("damaged copies: parts of %s are missing (%d in all); \"sesskeep keep verify\" lists them", hurt[0], len(hurt)))
		}
		if err := h.Copies.Uncatalogued(); err != nil {
			notes = append(notes, "the catalogue of copies cannot be read, so losses are not noticed: "+err.Error())
		}
	}
	if a.opts.Shelf != nil {
		if left := Unfinished(a.opts.Shelf); left != "" {
			notes = append(notes, left)
		}
	}
	if err := a.unlabelled.Load(); err != nil && *err != nil {
		notes = append(notes, "what you added to sessions may be missing here: "+(*err).Error())
	}
	if f.unkept != nil {
		notes = append(notes, "no index is kept: "+f.unkept.Error())
	} else if f.index != nil && f.index.Degraded() != nil {
		notes = append(notes, "no index is kept: "+f.index.Degraded().Error())
	}
	return notes
}

// Unread lists what is in the homes, their copies, in directories of projects, in the
// trash or among runs and could not be read: answers lack what it says.
func (a *App) Unread() []error {
	var list []error
	for _, h := range a.Homes.List {
		for _, err := range h.Store.Unread() {
			list = append(list, err)
		}
		if h.Copies != nil {
			list = append(list, h.Copies.Unread()...)
		}
	}
	if err := a.unreadRuns.Load(); err != nil && *err != nil && !errors.Is(*err, context.Canceled) {
		list = append(list, *err)
	}
	return slices.Concat(list, a.Homes.Outside.Unread(), a.trash.unread())
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

// Close ends the owner and what is being read, and lets go of the index. What has
// been read is kept. Nothing can be asked any more.
func (a *App) Close() error {
	f := &a.fresh
	f.mu.Lock()
	over := f.closed
	f.closed = true
	r, o, k := f.running.Load(), f.owner, f.keeper
	f.mu.Unlock()
	if over {
		return nil
	}
	a.Jobs.Stop()
	if k != nil {
		k.stop()
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

// asIs opens the index without bringing it up to date.
func (a *App) asIs() (*index.Index, error) {
	f := &a.fresh
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open(a.opts.Cache)
}
