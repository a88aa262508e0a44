package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/homefs"
)

// Options say what a Hub watches.
type Options struct {
	Stores []*sesskeep.Store
	Alive  claudehome.Alive // reports whether a process runs; nil: none does
	// OnExit calls gone once, when a process has ended, until stop is called. It
	// reports false if it cannot; nil: it never can. Then the next look finds out.
	OnExit func(pid int, gone func()) (stop func(), ok bool)
	// Processes lists the clients that run on this machine. It reports false if
	// that is not known, as does nil.
	Processes func() ([]Process, bool)
	Now       func() time.Time // nil: time.Now
	Reports   string           // file of hook reports; empty: none
	Log       string           // life-cycle log; empty: none
	// Known returns what the caller knows of a transcript. It is asked when a file
	// that was there at the start changes for the first time, which is then read
	// from the known Mark on and not as a whole. It may be nil.
	Known func(File) (Known, bool)
	// Runs are the sessions that we run; nil: none.
	Runs Runs
	// Poll disables notifications. A session without a registered client can
	// then be written for a minute before the Hub notices; after that, and for
	// all other sessions, it takes 2 seconds.
	Poll bool
}

// Known is how far a transcript was read before, and its Standing there.
type Known struct {
	Mark     homefs.Mark
	Standing sesskeep.Standing
}

// pace is how often a Hub looks.
type pace struct {
	rest   time.Duration // how long a file that was just read is left alone
	soon   time.Duration // changes that come so soon after others are taken in breaths
	breath time.Duration // how long one is
	fresh  time.Duration // before a client that has just started is reported
	live   time.Duration // between checks of live families, and of what has no watch
	near   int           // in how many of these looks all of the project directories get one
	far    int           // and in how many everything below them does
	active time.Duration // how long a family counts as live after its last change
}

var usual = pace{rest: 10 * time.Millisecond, soon: 100 * time.Millisecond, breath: 40 * time.Millisecond, fresh: 500 * time.Millisecond, live: 2 * time.Second, near: 30, far: 150, active: 10 * time.Minute}

// Hub watches homes. All its methods may be called from any goroutine.
type Hub struct {
	o     Options
	pace  pace
	watch func(n notifier, dir string) error
	// newNotifier makes the source of changes; watch adds a directory to it.
	newNotifier func() (notifier, error)

	ready chan struct{}
	wake  chan struct{}
	cache cache

	// mu guards what follows, every edition, and the position at of every
	// trackedFile. It is never held while a file is read.
	mu      sync.Mutex
	asked   []func(*loop)
	subs    []*Subscription
	history history
	shown   map[sesskeep.Key]Session
	states  States // a copy of shown, made when it is asked for
	limited error  // why some directories cannot be watched
	running bool
	over    bool // Run has ended
}

// Session is what is known of a session.
type Session struct {
	Key      sesskeep.Key
	Root     string   // of its home
	File     string   // path inside the home; empty while there is no transcript
	From     Position // where the file ended when the Hub first read it
	At       Position // how far the Hub has read it
	State    State
	Client   *claudehome.Live // the one that is alive, else the last one; nil: none is registered
	Job      *claudehome.Job
	Run      string // name of the run, if we run it
	Standing sesskeep.Standing
	Written  time.Time // when the transcript was last changed
	Agents   []Agent   // those that worked since shortly before the Hub started
}

// Agent is what is known of an agent.
type Agent struct {
	ID   sesskeep.AgentID
	File string
	From Position // as in Session
	At   Position // as in Session
	Helper
}

// New returns a Hub. It does nothing until Run is called.
func New(o Options) *Hub {
	return &Hub{
		o: o.complete(), pace: usual, watch: notifier.Add, newNotifier: newNotifier,
		ready: make(chan struct{}), wake: make(chan struct{}, 1),
		history: newHistory(), shown: map[sesskeep.Key]Session{},
	}
}

// complete fills in what the zero values stand for.
func (o Options) complete() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Alive == nil {
		o.Alive = func(int, string, string) bool { return false }
	}
	return o
}

// Ready returns a channel that is closed after the first look: States is then
// complete, and everything written later is reported. If Run returns before
// that, it is never closed.
func (h *Hub) Ready() <-chan struct{} { return h.ready }

// Run watches until ctx ends and then returns nil, after all goroutines it
// started have ended. A panic in one of them ends it too and becomes its error.
// A Hub runs only once.
func (h *Hub) Run(ctx context.Context) error {
	h.mu.Lock()
	ran := h.running
	h.running = true
	h.mu.Unlock()
	if ran {
		return errors.New("run hub: it ran already")
	}
	l := newLoop(ctx, h)
	l.guard(func() {
		l.start()
		close(h.ready)
		l.run()
	})
	l.close()
	l.stop(nil)
	if err := context.Cause(l.ctx); err != context.Cause(ctx) {
		return err
	}
	return nil
}

// Limited returns why the system does not report all changes, or nil if it
// does. The Hub then checks live sessions every 2 seconds.
func (h *Hub) Limited() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.limited
}

// limit keeps the first reason.
func (h *Hub) limit(why error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.limited == nil {
		h.limited = why
	}
}

// ask makes the loop do something in its next round.
func (h *Hub) ask(what func(*loop)) {
	h.mu.Lock()
	h.asked = append(h.asked, what)
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// publish adds an event.
func (h *Hub) publish(ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.add(note{event: &ev})
}

// publishLines adds the range that was read of a file, and notes in the same step
// how far that is: a subscriber that catches up must not see one without the other.
// The entries may be nil; see wantsEntries.
func (h *Hub) publishLines(f *trackedFile, from, to Position, entries []sesskeep.Entry) {
	now, e := h.o.Now(), f.current()
	h.mu.Lock()
	defer h.mu.Unlock()
	f.at, e.key = to, f.key()
	if from == to {
		return
	}
	if entries != nil {
		h.cache.put(h.history.last+1, entries)
	}
	h.add(note{edition: e, from: from, to: to, time: now})
}

// endEdition publishes that a file was replaced or deleted. What was published of
// it before is void, so its ranges are dropped.
func (h *Hub) endEdition(f *trackedFile, ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.at = Position{}
	if f.edition != nil {
		f.edition.over, f.edition = true, nil
	}
	h.add(note{event: &ev})
}

// add numbers an event and wakes those who want it.
func (h *Hub) add(what note) {
	n := h.history.add(what)
	for _, s := range h.subs {
		if s.wants(n, &what) {
			s.signal()
		}
	}
}

// wantsEntries reports whether a subscriber wants the entries of a file.
func (h *Hub) wantsEntries(f *trackedFile) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.subs, func(s *Subscription) bool {
		return s.want.Lines && s.concerns(f.key(), File{f.home.store.Root(), f.name})
	})
}

func (h *Hub) event(k Kind) Event { return Event{Kind: k, Time: h.o.Now()} }
