package bridge

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"sesskeep/internal/access"
	"sesskeep/internal/holder"
	"sesskeep/internal/runs"
)

// Host is the server that has the sockets.
type Host interface {
	// Start starts a run in a directory where the caller may, or resumes a session.
	Start(ctx context.Context, o Order) (holder.Record, error)
	// History returns the latest messages of a session, at most so many.
	History(ctx context.Context, session string, most int) (History, error)
	// Sessions calls give with the changes of sessions, of one project or of all, until ctx
	// ends or give fails.
	Sessions(ctx context.Context, project string, give func(SessionEvent) error) error
	// MayBypass returns why the caller may not bypass permissions; nil: they may.
	MayBypass(ctx context.Context) error
	// Valid reports whether a token was not revoked.
	Valid(token string) bool
}

// Order says what to start.
type Order struct {
	Project string // directory to work in
	Session string // to resume; empty: a new one
	Model   string
	Helper  bool
}

// HelperRole is the role of the runs that are helpers.
const HelperRole = "helper"

// Options configure a Bridge.
type Options struct {
	Runs    *runs.Runs
	Host    Host
	Version string
	Log     *slog.Logger
	Now     func() time.Time
}

// How many sockets can be open: of one caller, and of all together. They have no part in
// the limit of connections.
const (
	maxOfCaller = 128
	maxSockets  = 512
)

// maxAgents is how many runs can live before sockets start no more. Those beyond the
// slots wait for one.
const maxAgents = 64

// ErrTooManyAgents means that no agent is started while so many live.
var ErrTooManyAgents = fmt.Errorf("%d agents run already", maxAgents)

// Bridge has the open sockets.
type Bridge struct {
	runs    *runs.Runs
	host    Host
	version string
	log     *slog.Logger
	now     func() time.Time

	starting sync.Mutex // one start at a time, so that a session is not resumed twice

	mu      sync.Mutex
	sockets map[*socket]bool
	callers map[string]int
	agents  map[string]*socket // who steers a run
	watch   chan struct{}      // ends the goroutine that checks tokens; nil: there is none
	closing bool
	open    sync.WaitGroup
}

// New returns a Bridge.
func New(o Options) *Bridge {
	return &Bridge{
		runs: o.Runs, host: o.Host, version: o.Version, log: o.Log, now: o.Now,
		sockets: map[*socket]bool{}, callers: map[string]int{}, agents: map[string]*socket{},
	}
}

// ServeHTTP makes a socket of a request and serves it until it ends. The caller has
// checked the host, the origin and the token. If there are too many sockets it does
// nothing and returns false.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request, who Caller) bool {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	s := &socket{bridge: b, who: who, ctx: ctx, stop: stop, out: make(chan []byte, queueSize), dropped: make(chan struct{})}
	if !b.enter(s) {
		return false
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // the caller checked the origin
	if err != nil {
		b.leave(s)
		return true // it has answered
	}
	conn.SetReadLimit(maxText)
	if who.Role.Allows(access.Operate) {
		conn.SetReadLimit(maxFrame)
	}
	s.conn = conn
	s.serve()
	return true
}

// enter counts a socket, and reports whether there is room for it.
func (b *Bridge) enter(s *socket) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing || len(b.sockets) >= maxSockets || b.callers[s.caller()] >= maxOfCaller {
		return false
	}
	b.sockets[s] = true
	b.callers[s.caller()]++
	b.open.Add(1)
	if b.watch == nil {
		b.watch = make(chan struct{})
		go b.watchTokens(b.watch)
	}
	return true
}

// caller names who opened a socket.
func (s *socket) caller() string { return s.who.Token + " " + s.who.From }

func (b *Bridge) leave(s *socket) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.sockets, s)
	if b.callers[s.caller()]--; b.callers[s.caller()] == 0 {
		delete(b.callers, s.caller())
	}
	for run, one := range b.agents {
		if one == s {
			delete(b.agents, run)
		}
	}
	if len(b.sockets) == 0 && b.watch != nil {
		close(b.watch)
		b.watch = nil
	}
	b.open.Done()
}

// recheck is the time between checks whether the tokens of sockets are still valid.
const recheck = 500 * time.Millisecond

// watchTokens closes the sockets whose token was revoked, until done is closed.
func (b *Bridge) watchTokens(done <-chan struct{}) {
	tick := time.NewTicker(recheck)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		byToken := map[string][]*socket{}
		b.mu.Lock()
		for s := range b.sockets {
			if s.who.Token != "" {
				byToken[s.who.Token] = append(byToken[s.who.Token], s)
			}
		}
		b.mu.Unlock()
		for token, list := range byToken {
			if b.host.Valid(token) {
				continue
			}
			for _, s := range list {
				s.drop(revoked())
			}
		}
	}
}

func revoked() *Fault { return &Fault{Code: codeAuthentication, Message: "the token was revoked"} }

// claim makes a socket the one that steers a run, and closes the one before.
func (b *Bridge) claim(run string, s *socket) {
	b.mu.Lock()
	before := b.agents[run]
	b.agents[run] = s
	b.mu.Unlock()
	if before != nil && before != s {
		before.drop(&Fault{Code: codeReplaced, Message: "another client connected to the agent"})
	}
}

// giveUp records that a socket does not steer a run any more.
func (b *Bridge) giveUp(run string, s *socket) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.agents[run] == s {
		delete(b.agents, run)
	}
}

// Connected reports whether a socket steers a run.
func (b *Bridge) Connected(run string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.agents[run] != nil
}

// Close closes all sockets, and waits for them until ctx ends.
func (b *Bridge) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closing = true
	for s := range b.sockets {
		s.stop()
	}
	b.mu.Unlock()
	done := make(chan struct{})
	go func() {
		b.open.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
