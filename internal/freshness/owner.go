package freshness

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
)

// owner keeps the index up to date while the process runs, so that queries only read
// it. An Index has at most one.
//
//	Hub ── ranges ──▶ due ── gathered a while ──▶ Absorb ──▶ index ─▶ generation
//	                  queries ─ do not wait ──▲
//	start, now and then, ranges lost ─▶ Walk ──────────────▲
//	                                    ╰─ young sessions left in the middle ─▶ Hub
//
// The Hub starts from what the index knows of each file, and the index learns
// from the Hub which files changed: neither rereads a known file.
type owner struct {
	index  *Index
	cancel context.CancelFunc
	done   chan struct{}
	hub    atomic.Pointer[live.Hub] // knows all states; nil: not yet

	due   map[live.File]bool // changed, and not absorbed
	timer *time.Timer        // until the due files are absorbed
	armed bool               // the timer runs
	took  time.Duration      // duration of the last Absorb
	files int                // files in the last Absorb
	ended time.Time          // end of the last Absorb
	dense time.Time          // when the index was last packed

	// asked receives queries that do not wait for the timer; each channel is closed when
	// the due files are absorbed. Queries use it from overdue on, in nanoseconds of Unix
	// time; 0: nothing is due.
	asked   chan chan struct{}
	overdue atomic.Int64
}

const (
	// gatherTime is how long changes are gathered before they are absorbed. If they
	// come all the time it is longer: absorbShare times the duration of the last
	// Absorb, up to shareGather, or fileGather for each file, up to mostGather, because
	// most of the cost of a file does not depend on the number of new lines. A query
	// does not wait: it sees everything older than mostStale.
	gatherTime  = 20 * time.Millisecond
	absorbShare = 40
	shareGather = time.Second
	fileGather  = 150 * time.Millisecond
	mostGather  = 3 * time.Second
	mostStale   = 150 * time.Millisecond
	// sweepTime is the time between two walks. While the system reports all changes
	// and walks find nothing it doubles, up to idleSweep: a walk checks every file.
	sweepTime = time.Minute
	idleSweep = 4 * time.Minute
	// packTime is the time between two packings of what was absorbed: one more line
	// repacks all messages of a transcript.
	packTime = 10 * time.Second
	// againTime is the time after which what could not be read is asked again.
	againTime = 2 * time.Second
	// retryTime is how long the owner waits after an error; it doubles with each
	// further error.
	retryTime = time.Second
)

// Stay keeps the index up to date from now on, until Close: for fronts that stay open.
// Queries then never walk. It returns at once, and may be called any number of times.
func (f *Index) Stay() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.owner != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &owner{index: f, cancel: cancel, done: make(chan struct{}), due: map[live.File]bool{}, timer: time.NewTimer(time.Hour), asked: make(chan chan struct{})}
	o.timer.Stop()
	f.owner = o
	f.status.startOwning()
	go o.run(ctx)
}

// run owns the index until ctx ends. People wait for the first list, so the Hub does
// not start beside the first walk unless that takes long.
func (o *owner) run(ctx context.Context) {
	defer close(o.done)
	if r, err := o.index.walk(); err == nil {
		_ = r.wait(ctx, firstWalk)
	}
	for ctx.Err() == nil {
		_ = o.index.UseHub(ctx, o.follow)
		o.hub.Store(nil)
		// The Hub failed because of an error of ours. A walk finds what happened since.
		select {
		case <-time.After(retryTime):
			_, _ = o.index.walk()
		case <-ctx.Done():
		}
	}
}

// firstWalk is how long the Hub waits for the first walk.
const firstWalk = time.Second

// follow absorbs what the Hub reports. The Hub does not report what happened before
// the subscription, so a walk follows its start.
func (o *owner) follow(ctx context.Context, hub *live.Hub) error {
	for ctx.Err() == nil {
		o.consider(ctx, hub)
		sub := hub.Subscribe(live.Interest{Ranges: true})
		select {
		case <-sub.Began(): // so the sessions above are considered too
			o.hub.Store(hub)
			o.handleEvents(ctx, hub, sub)
		case <-ctx.Done():
		}
		sub.Close()
	}
	return ctx.Err()
}

// handleEvents handles the events of a subscription until it ends.
func (o *owner) handleEvents(ctx context.Context, hub *live.Hub, sub *live.Subscription) {
	began := time.Now()
	sweep := time.NewTimer(0)
	defer sweep.Stop()
	again := time.NewTicker(againTime)
	defer again.Stop()
	walk := &reading{} // none yet
	rest, retry := sweepTime, retryTime
	for {
		select {
		case ev, ok := <-sub.Events():
			if !ok {
				return
			}
			if ev.Kind == live.Touched && ev.File == "." { // another directory is at the path of a home, or none
				began = time.Now()
				sweep.Reset(0)
				continue
			}
			o.note(&ev)
		case <-o.timer.C:
			o.armed = false
			o.absorb(ctx)
		case answer := <-o.asked:
			if len(o.due) > 0 {
				o.absorb(ctx)
			}
			close(answer)
		case <-again.C:
			if o.index.opts.Homes.RetryUnread() {
				hub.Sweep()
				began = time.Now()
				sweep.Reset(0)
			}
		case <-sweep.C:
			sweep.Reset(rest)
			if r, err := o.index.walk(); err == nil {
				walk = r
			}
		case <-walk.done:
			switch {
			case walk.began.Before(began): // it may have missed changes from before the subscription
				sweep.Reset(0)
			case o.index.status.has(false, false):
				rest, retry = nextSweep(rest, walk.changed || hub.Limited() != nil), retryTime
			default: // it did not finish
				sweep.Reset(retry)
				retry = min(2*retry, sweepTime)
			}
			walk = &reading{}
			o.consider(ctx, hub)
		case <-ctx.Done():
			return
		}
	}
}

// nextSweep returns the time until the next walk, depending on whether the last one
// was useful.
func nextSweep(rest time.Duration, useful bool) time.Duration {
	if useful {
		return sweepTime
	}
	return min(2*rest, idleSweep)
}

// note marks a changed file as due.
func (o *owner) note(ev *live.Event) {
	switch ev.Kind {
	case live.Lines, live.Replaced, live.Gone, live.Appeared, live.Touched:
		if ev.File != "" {
			if len(o.due) == 0 {
				o.overdue.Store(o.ended.Add(mostStale).UnixNano())
			}
			o.due[live.File{Root: ev.Root, Name: ev.File}] = true
			o.arm(gather(o.files, o.took, time.Since(o.ended)))
		}
	}
}

// gather returns how long to gather changes, given how many files the last Absorb had,
// how long it took and how long ago it ended.
func gather(files int, took, ago time.Duration) time.Duration {
	while := max(min(absorbShare*took, shareGather), min(time.Duration(files)*fileGather, mostGather))
	return max(gatherTime, while-ago)
}

func (o *owner) arm(after time.Duration) {
	if !o.armed {
		o.armed = true
		o.timer.Reset(after)
	}
}

// absorb brings the due files into the index. Files that another process blocks stay
// due. During the first walk all files do: the walk reads them anyway.
func (o *owner) absorb(ctx context.Context) {
	f := o.index
	if !f.status.has(false, true) {
		o.postpone(retryTime / 10)
		return
	}
	homes := map[string]ask.Home{}
	for _, h := range f.opts.Homes.ForIndex() {
		homes[h.Store.Root()] = h
	}
	var changes []index.Change
	for file := range o.due {
		changes = append(changes, index.Change{Home: homes[file.Root], Name: file.Name})
	}
	began := time.Now()
	r, err := f.files.queried().Absorb(ctx, changes, index.Options{Workers: f.opts.Workers, Patience: index.OwnerPatience})
	f.status.absorbed(&r, f.running.Load() != nil, err)
	o.ended = time.Now()
	o.took, o.files = o.ended.Sub(began), len(changes)
	if err != nil || r.Behind {
		o.postpone(retryTime)
		return
	}
	clear(o.due)
	o.overdue.Store(0)
	if o.ended.Sub(o.dense) > packTime {
		_ = f.files.queried().Pack(ctx) // unpacked messages are only slower to add up
		o.dense = time.Now()
	}
}

// postpone delays what is due, for queries too.
func (o *owner) postpone(by time.Duration) {
	o.overdue.Store(time.Now().Add(by).UnixNano())
	o.arm(by)
}

// catchUp has the due files absorbed before a query is answered, unless that was just
// done. It does not wait long: if the owner is busy, the answer is what the index has.
func (o *owner) catchUp(ctx context.Context) {
	if from := o.overdue.Load(); from == 0 || time.Now().UnixNano() < from {
		return
	}
	patience := time.NewTimer(mostStale)
	defer patience.Stop()
	answer := make(chan struct{})
	select {
	case o.asked <- answer:
	case <-patience.C:
		return
	case <-ctx.Done():
		return
	case <-o.done:
		return
	}
	select {
	case <-answer:
	case <-patience.C:
	case <-ctx.Done():
	case <-o.done:
	}
}

// consider makes the Hub judge the sessions that recently stopped in the middle of a
// turn, though no client is registered for them.
func (o *owner) consider(ctx context.Context, hub *live.Hub) {
	x, err := o.index.AsIs()
	if err != nil {
		return
	}
	now := o.index.opts.Now()
	for _, h := range o.index.opts.Homes.List {
		rows, err := candidates(ctx, x, h, nil, now)
		if err != nil {
			return
		}
		var keys []sesskeep.Key
		for _, id := range slices.Sorted(maps.Keys(rows)) {
			keys = append(keys, h.Key(id))
		}
		hub.Consider(keys...)
	}
}

// Hub returns the Hub that knows the states of all sessions, or nil.
func (f *Index) Hub() *live.Hub {
	f.mu.Lock()
	o := f.owner
	f.mu.Unlock()
	if o == nil {
		return nil
	}
	return o.hub.Load()
}

// UseHub calls run with the Hub of the homes. All callers share one Hub.
func (f *Index) UseHub(ctx context.Context, run func(context.Context, *live.Hub) error) error {
	return f.hub.Use(ctx, f.HubOptions(), run)
}

// SharedHub returns what UseHub uses, with HubOptions.
func (f *Index) SharedHub() *live.Shared { return &f.hub }

// HubOptions returns the options of the Hub.
func (f *Index) HubOptions() live.Options {
	o := f.opts.Live
	for _, h := range f.opts.Homes.List {
		o.Stores = append(o.Stores, h.Store.With(h.Store.Files().Disk())) // nothing happens to a copy
	}
	o.Known = f.known
	return o
}

// known returns how far the index has read a transcript.
func (f *Index) known(file live.File) (live.Known, bool) {
	x, err := f.AsIs()
	if err != nil {
		return live.Known{}, false
	}
	k, ok, err := x.Known(context.Background(), file.Root, file.Name)
	if err != nil {
		return live.Known{}, false // the Hub then reads all of it
	}
	return live.Known(k), ok
}
