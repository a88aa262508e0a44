package live

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// loop is the one goroutine that owns everything a Hub knows of the homes.
//
//	watcher ── changed name ──╮
//	sweep ──── every 2 s ─────┼─▶ due ─▶ check ── Tail ──▶ range ──▶ history
//	Subscribe ─ asked ────────╯    ▲        │      ╰─ entries ─▶ cache  │
//	                               │        ╰─▶ session ─ Judge ─▶ Event┤
//	                    rest 10 ms, breath 40 ms                        ▼
//	                             each Subscription: pump ─ next events ─ Events()
//	                                                 ╰─ cache, else the file
//
// What is due is read at once. A file that was just read rests a moment, so
// that a burst of writes costs a few reads and not one each. While changes come
// all the time the loop receives them in breaths: to wake everybody for a line costs
// more than the line.
type loop struct {
	hub     *Hub
	ctx     context.Context
	stop    context.CancelCauseFunc
	watcher *watcher
	homes   []*home
	started bool // all homes are open: what is new from now on is news

	reports    Reports
	lastReport *Latest
	log        *logbook

	rest       *time.Timer
	resting    map[*trackedFile]bool // read a moment ago; true: and due again
	breath     *time.Timer
	paused     bool      // no changes are received until breath has run out
	received   time.Time // when changes were last received
	freshTimer *time.Timer
	fresh      map[*session]bool // not reported yet: see delayReport
	looks      int               // sweeps so far
	pumps      sync.WaitGroup
}

func newLoop(ctx context.Context, h *Hub) *loop {
	ctx, stop := context.WithCancelCause(ctx)
	l := &loop{
		hub: h, ctx: ctx, stop: stop,
		watcher:    newWatcher(h),
		lastReport: newLatest(rootsOf(h.o.Stores)),
		rest:       time.NewTimer(time.Hour),
		resting:    map[*trackedFile]bool{},
		breath:     time.NewTimer(time.Hour),
		freshTimer: time.NewTimer(time.Hour),
		fresh:      map[*session]bool{},
	}
	l.rest.Stop()
	l.breath.Stop()
	l.freshTimer.Stop()
	if h.o.Log != "" {
		l.log = &logbook{path: h.o.Log}
		l.log.tryLock()
	}
	for _, s := range h.o.Stores {
		l.homes = append(l.homes, newHome(l, s))
	}
	return l
}

// guard does something that is a goroutine's whole work. A fault in it ends the
// loop, and with it everything else.
func (l *loop) guard(do func()) {
	defer func() {
		if r := recover(); r != nil {
			l.stop(Fault(r))
		}
	}()
	do()
}

// start opens the homes.
func (l *loop) start() {
	if l.hub.o.Reports != "" {
		l.watcher.add(filepath.Dir(l.hub.o.Reports), 1)
		l.readReports()
	}
	for _, h := range l.homes {
		if l.ctx.Err() != nil {
			return
		}
		h.open()
	}
	if runs := l.hub.o.Runs; runs != nil {
		l.setRuns(runs.Held(l.ctx))
		l.work()
		l.pumps.Go(func() {
			runs.Follow(l.ctx, func(list []Run) { l.hub.ask(func(l *loop) { l.setRuns(list) }) })
		})
	}
	l.started = true
}

func (l *loop) run() {
	sweep := time.NewTicker(l.hub.pace.live)
	defer sweep.Stop()
	for {
		l.work()
		select {
		case <-l.ctx.Done():
			return
		case <-l.watcher.ready():
			l.receive()
		case <-l.breath.C:
			l.wakeRested()
			l.receive()
		case <-l.hub.wake:
			l.answer()
		case <-l.rest.C:
			l.wakeRested()
		case <-l.freshTimer.C:
			l.announceFresh()
		case <-sweep.C:
			l.sweep()
		}
	}
}

// receive notices everything that has happened, so that a file is read once for all
// of it. If it came soon after what was received before, the loop receives more only
// after a breath.
func (l *loop) receive() {
	changes, lost := l.watcher.changes()
	for _, c := range changes {
		l.notice(c)
	}
	if lost { // the queue of the system was too short
		l.sweepAll()
	}
	now := time.Now()
	if l.paused = l.busy() && now.Sub(l.received) < l.hub.pace.soon; l.paused {
		l.breath.Reset(l.hub.pace.breath)
	} else {
		l.watcher.listen()
	}
	if l.busy() { // else our own log was written
		l.received = now
	}
}

func (l *loop) busy() bool {
	return slices.ContainsFunc(l.homes, func(h *home) bool { return h.due.some() })
}

// notice makes due what a change is about.
func (l *loop) notice(c change) {
	if l.hub.o.Reports != "" && c.path == l.hub.o.Reports {
		l.readReports()
		return
	}
	for _, h := range l.homes {
		if name, ok := h.inside(c.path); ok {
			h.notice(name)
		}
	}
}

// answer does what other goroutines asked for.
func (l *loop) answer() {
	l.hub.mu.Lock()
	asked := l.hub.asked
	l.hub.asked = nil
	l.hub.mu.Unlock()
	for _, do := range asked {
		do(l)
	}
}

// work does all that is due. Doing it can make more due.
func (l *loop) work() {
	for _, h := range l.homes {
		for h.due.some() && l.ctx.Err() == nil {
			h.work()
		}
	}
	if l.log != nil {
		l.log.flush()
	}
}

// throttle postpones the next check of a file that was just read, until the next breath.
func (l *loop) throttle(f *trackedFile) {
	if len(l.resting) == 0 && !l.paused {
		l.rest.Reset(l.hub.pace.rest)
	}
	l.resting[f] = false
}

func (l *loop) wakeRested() {
	for f, due := range l.resting {
		if due {
			f.home.due.files[f.name] = true
		}
	}
	clear(l.resting)
}

// close waits for the pumps and lets go of everything.
func (l *loop) close() {
	l.rest.Stop()
	l.breath.Stop()
	l.freshTimer.Stop()
	l.watcher.close()
	for _, h := range l.homes {
		h.clients.exits.end()
	}
	l.hub.mu.Lock()
	l.hub.over = true
	waiting := l.hub.subs
	l.hub.subs, l.hub.asked = nil, nil
	for _, s := range waiting {
		if !s.served {
			close(s.out)
		}
	}
	l.hub.mu.Unlock()
	l.pumps.Wait()
	if l.log != nil {
		l.log.close()
	}
}
