package live

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"sesskeep"
	"sesskeep/claudehome"
)

// Options say what a Hub watches.
type Options struct {
	Stores  []*sesskeep.Store
	Alive   claudehome.Alive
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
	rest time.Duration // how long a file that was just read is left alone
	live time.Duration // between looks at live families, and at what has no watch
	near int           // in how many of these looks all of the project directories get one
	far  int           // and in how many everything below them does
	hot  time.Duration // how long a family counts as live after its last change
}

var usual = pace{rest: 10 * time.Millisecond, live: 2 * time.Second, near: 30, far: 150, hot: 10 * time.Minute}

// Hub watches homes and tells what happens in them. See the package's words.
type Hub struct {
	o     Options
	pace  pace
	watch func(w *fsnotify.Watcher, path string) error

	ready chan struct{}
	wake  chan struct{}
	// lines counts the subscriptions that want entries. While there is none,
	// none is copied.
	lines atomic.Int32

	// mu guards what follows, and Position at of every feed.
	mu      sync.Mutex
	asked   []func(*loop)
	subs    []*Subscription
	shown   map[sessionKey]Session
	running bool
	over    bool // Run has ended
}

// sessionKey tells sessions of several homes apart.
type sessionKey struct {
	root string
	id   sesskeep.SessionID
}

// Session is what a Hub knows of a session.
type Session struct {
	Root     string
	ID       sesskeep.SessionID
	File     string   // inside the home; empty while there is no transcript
	From     Position // of the file: what lies before was there when the Hub first looked
	State    State
	Client   *claudehome.Live // the one that is alive, else the last that was; nil if none is registered
	Job      *claudehome.Job
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
		shown: map[sessionKey]Session{},
	}
}

// Ready is closed when the first look is over: Sessions are complete, and what
// is written from now on is told. Where Run returns before that, it never is.
func (h *Hub) Ready() <-chan struct{} { return h.ready }

// Sessions are those that have a client or have changed since the start, the
// latest written first.
func (h *Hub) Sessions() []Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]Session, 0, len(h.shown))
	for _, s := range h.shown {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Session) int {
		if c := b.Written.Compare(a.Written); c != 0 {
			return c
		}
		return strings.Compare(a.Root+string(a.ID), b.Root+string(b.ID))
	})
	return list
}

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

// tell hands an event to whoever wants it.
func (h *Hub) tell(ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.offer(&ev)
}

// tellLines hands on what was read of a file, and notes how far that is in the
// same step: a subscriber that catches up must not see one without the other.
func (h *Hub) tellLines(f *feed, ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.at = ev.To
	if ev.From != ev.To {
		h.offer(&ev)
	}
}

// tellOver says that a file is replaced or gone. Nothing of it counts any more.
func (h *Hub) tellOver(f *feed, ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.at = Position{}
	for _, s := range h.subs {
		s.abandon(f)
	}
	h.offer(&ev)
}

func (h *Hub) offer(ev *Event) {
	for _, s := range h.subs {
		s.offer(ev)
	}
}
