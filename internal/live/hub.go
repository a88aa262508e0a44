package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"sesskeep"
)

// Options say what a Hub watches.
type Options struct {
	Stores  []*sesskeep.Store
	Alive   sesskeep.Alive
	Now     func() time.Time // nil: time.Now
	Reports string           // file of hook reports; empty: none
	Log     string           // life-cycle log; empty: none
	// Poll is to look instead of watching. Then a session that no client is
	// registered for can be written for a minute before that is seen; once it
	// is, and for all others, it takes 2 seconds.
	Poll bool
}

// pace is how often a Hub looks.
type pace struct {
	rest   time.Duration // how long a file that was just read is left alone
	live   time.Duration // between looks at live families, and at what has no watch
	near   int           // in how many of these looks all of the project directories get one
	far    int           // and in how many everything below them does
	active time.Duration // how long a family counts as live after its last change
}

var usual = pace{rest: 10 * time.Millisecond, live: 2 * time.Second, near: 30, far: 150, active: 10 * time.Minute}

// Hub watches homes and tells what happens in them. See the package's words.
type Hub struct {
	o     Options
	pace  pace
	watch func(w *fsnotify.Watcher, path string) error

	ready chan struct{}
	wake  chan struct{}
	cache cache

	// mu guards what follows, every edition, and the position at of every
	// trackedFile. It is never held while a file is read.
	mu      sync.Mutex
	asked   []func(*loop)
	subs    []*Subscription
	history history
	shown   map[Key]Session
	states  States // a copy of shown, made when it is asked for
	running bool
	over    bool // Run has ended
}

// Session is what a Hub knows of a session.
type Session struct {
	Root     string
	ID       sesskeep.SessionID
	File     string   // inside the home; empty while there is no transcript
	From     Position // of the file: what lies before was there when the Hub first looked
	State    State
	Client   *sesskeep.Live // the one that is alive, else the last that was; nil if none is registered
	Job      *sesskeep.Job
	Standing sesskeep.Standing
	Written  time.Time // when the transcript was changed
	Agents   []Agent   // those that were at work since shortly before the Hub began
}

// Agent is what a Hub knows of an agent.
type Agent struct {
	ID   sesskeep.AgentID
	File string
	From Position // as that of a Session
	Helper
}

// New makes a Hub. It does nothing before Run.
func New(o Options) *Hub {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Hub{
		o: o, pace: usual, watch: (*fsnotify.Watcher).Add,
		ready: make(chan struct{}), wake: make(chan struct{}, 1),
		history: newHistory(), shown: map[Key]Session{},
	}
}

// Ready is closed when the first look is over: Sessions are complete, and what
// is written from now on is told. Where Run returns before that, it never is.
func (h *Hub) Ready() <-chan struct{} { return h.ready }

// Run watches until ctx ends, and returns nil then, after every goroutine it
// started has. A fault in one of them ends it too, and is its error. A Hub runs
// once.
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

// ask has the loop do something in its next round.
func (h *Hub) ask(what func(*loop)) {
	h.mu.Lock()
	h.asked = append(h.asked, what)
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// tell reports an event.
func (h *Hub) tell(ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.add(note{event: &ev})
}

// tellLines reports the range that was read of a file, and notes in the same
// step how far that is: a subscriber that catches up must not see one without
// the other. The entries may be nil; see wantsEntries.
func (h *Hub) tellLines(f *trackedFile, from, to Position, entries []sesskeep.Entry) {
	now := h.o.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	f.at, f.edition.session = to, f.session
	if from == to {
		return
	}
	n := note{edition: f.edition, from: from, to: to, time: now}
	if entries != nil {
		h.cache.put(h.history.last+1, entries)
	}
	h.add(n)
}

// tellOver reports that a file was replaced or deleted. What was told of it
// before is void, so its ranges are dropped.
func (h *Hub) tellOver(f *trackedFile, ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.at = Position{}
	f.edition.over = true
	f.edition = f.newEdition()
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
		return s.want.Lines && s.concerns(f.home.store.Root(), f.session)
	})
}

func (h *Hub) event(k Kind) Event { return Event{Kind: k, Time: h.o.Now()} }
