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

// owner keeps the index up to date while the process stays, so that questions
// only read it. An Index has at most one.
//
//	Hub ── ranges ──▶ due ── gathered a while ──▶ Absorb ──▶ index ─▶ generation
//	                  questions ─ not for them ─▲
//	start, now and then, ranges lost ─▶ Walk ──────────────▲
//	                                    ╰─ young sessions left in the middle ─▶ Hub
//
// The Hub starts from what the index knows of each file, and the index learns
// from the Hub which files changed: neither reads a known file whole.
type owner struct {
	index  *Index
	cancel context.CancelFunc
	done   chan struct{}
	hub    atomic.Pointer[live.Hub] // that knows all states; nil: none does yet

	due   map[live.File]bool // changed, and not absorbed
	timer *time.Timer        // until what is due is absorbed
	armed bool               // it runs
	took  time.Duration      // to absorb, the last time
	files int                // that were absorbed then
	ended time.Time          // when that was
	dense time.Time          // when the index was packed

	// asked takes questions that will not wait until what is due is absorbed; each
	// is closed when it is. From overdue on, in nanoseconds of Unix time, there are
	// such; 0: nothing is due.
	asked   chan chan struct{}
	overdue atomic.Int64
}

const (
	// gatherTime is how long changes are gathered before they are absorbed. Where
	// they come all the time it is longer: absorbShare times what absorbing took, up
	// to shareGather, or fileGather for each file, up to mostGather, because most of
	// what a file costs is the same for a line and for many. A question does not wait:
	// it has what was written mostStale before it.
	gatherTime  = 20 * time.Millisecond
	absorbShare = 40
	shareGather = time.Second
	fileGather  = 150 * time.Millisecond
	mostGather  = 3 * time.Second
	mostStale   = 150 * time.Millisecond
	// sweepTime is the time between two walks. While the system tells of all
	// changes and walks find nothing it doubles, up to idleSweep: a walk looks at
	// every file there is.
	sweepTime = time.Minute
	idleSweep = 4 * time.Minute
	// packTime is the time between two times that what was absorbed is packed: for
	// one more line all messages of a transcript are.
	packTime = 10 * time.Second
	// retryTime is how long the owner rests after something went wrong, and twice
	// as long each time it does again.
	retryTime = time.Second
)

// Stay keeps the index up to date from now on, until Close: for
// fronts that stay open. Questions then never walk. It does not wait, and may be
// called any number of times.
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

// run owns the index until ctx ends. The first list is waited for by people, so
// the Hub does not begin beside the first walk unless that takes long.
func (o *owner) run(ctx context.Context) {
	defer close(o.done)
	if r, err := o.index.walk(); err == nil {
		_ = r.wait(ctx, firstWalk)
	}
	for ctx.Err() == nil {
		_ = o.index.UseHub(ctx, o.follow)
		o.hub.Store(nil)
		// The Hub had a fault of ours. What happened since is found by looking.
		select {
		case <-time.After(retryTime):
			_, _ = o.index.walk()
		case <-ctx.Done():
		}
	}
}

// firstWalk is how long the Hub waits for the first walk.
const firstWalk = time.Second

// follow absorbs what the Hub tells. Of what happens before a subscription
// begins nobody tells, so a walk follows it.
func (o *owner) follow(ctx context.Context, hub *live.Hub) error {
	for ctx.Err() == nil {
		o.consider(ctx, hub)
		sub := hub.Subscribe(live.Interest{Ranges: true})
		select {
		case <-sub.Began(): // and so the sessions above are considered
			o.hub.Store(hub)
			o.handleEvents(ctx, hub, sub)
		case <-ctx.Done():
		}
		sub.Close()
	}
	return ctx.Err()
}

// hear takes what a subscription tells until it ends.
func (o *owner) handleEvents(ctx context.Context, hub *live.Hub, sub *live.Subscription) {
	began := time.Now()
	sweep := time.NewTimer(0)
	defer sweep.Stop()
	walk := &reading{} // none
	rest, retry := sweepTime, retryTime
	for {
		select {
		case ev, ok := <-sub.Events():
			if !ok {
				return
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
		case <-sweep.C:
			sweep.Reset(rest)
			if r, err := o.index.walk(); err == nil {
				walk = r
			}
		case <-walk.done:
			switch {
			case walk.began.Before(began): // so it may not have seen what nobody told
				sweep.Reset(0)
			case o.index.status.has(false, false):
				rest, retry = nextSweep(rest, walk.changed || hub.Limited() != nil), retryTime
			default: // it did not come to its end
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

// nextSweep is the time between two walks from now on, if the last one was of use
// or not.
func nextSweep(rest time.Duration, useful bool) time.Duration {
	if useful {
		return sweepTime
	}
	return min(2*rest, idleSweep)
}

// note makes a file due that changed.
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

// gather is how long to gather changes, if absorbing so many files took so long the
// last time and ended so long ago.
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

// absorb brings what is due into the index. What another process is in the way
// of stays due. While the first walk goes on everything does: it reads it anyway.
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
	r, err := f.opened().Absorb(ctx, changes, index.Options{Workers: f.opts.Workers, Patience: index.OwnerPatience})
	f.status.absorbed(&r, err)
	o.ended = time.Now()
	o.took, o.files = o.ended.Sub(began), len(changes)
	if err != nil || r.Behind {
		o.postpone(retryTime)
		return
	}
	clear(o.due)
	o.overdue.Store(0)
	if o.ended.Sub(o.dense) > packTime {
		_ = f.opened().Pack(ctx) // what is not packed is only slower to add up
		o.dense = time.Now()
	}
}

// postpone leaves what is due for later, for questions too.
func (o *owner) postpone(by time.Duration) {
	o.overdue.Store(time.Now().Add(by).UnixNano())
	o.arm(by)
}

// catchUp has what is due absorbed before a question is answered, unless that was
// done a moment ago. It does not wait long: whatever keeps the owner, the answer is
// the one that the index has.
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

// consider gives the Hub the sessions to judge that were left in the middle of
// something a short while ago, though nobody registered for them.
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

// Hub is the one that knows what all sessions do, or nil.
func (f *Index) Hub() *live.Hub {
	f.mu.Lock()
	o := f.owner
	f.mu.Unlock()
	if o == nil {
		return nil
	}
	return o.hub.Load()
}

// UseHub lets run subscribe to what happens in the homes. All who do share one Hub.
func (f *Index) UseHub(ctx context.Context, run func(context.Context, *live.Hub) error) error {
	return f.hub.Use(ctx, f.HubOptions(), run)
}

// SharedHub is what UseHub uses, with HubOptions.
func (f *Index) SharedHub() *live.Shared { return &f.hub }

// HubOptions say how the Hub runs.
func (f *Index) HubOptions() live.Options {
	o := f.opts.Live
	for _, h := range f.opts.Homes.List {
		o.Stores = append(o.Stores, h.Store.Disk()) // nothing happens to a copy
	}
	o.Known = f.known
	return o
}

// known is how far the index has read a transcript.
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
