package bridge

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/coder/websocket"

	"sesskeep/internal/access"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/shelf"
)

// Caller is who opened a socket.
type Caller struct {
	Token string // id of the token; empty for a trusted peer
	Role  access.Role
	From  string // address of the peer
	Actor shelf.Actor
}

// The times of a socket.
const (
	pingTime  = 30 * time.Second // between pings
	deadTime  = 95 * time.Second // without a frame of the client: it is gone
	writeTime = 30 * time.Second // for a client to read a frame
	slowTime  = 5 * time.Second  // for a client to make room for the next frame
	closeTime = 2 * time.Second  // for a client to read why it is closed
)

// The limits of a socket.
const (
	maxText   = launch.MaxMessage + 64<<10     // of a frame
	maxFrame  = launch.MaxImages/3*4 + maxText // of a frame of a caller who may send pictures
	queueSize = 8                              // frames that wait for the client
	burst     = 100                            // messages at once
	perSecond = 20                             // messages per second
)

// Words of the transport.
const (
	goodbye   = websocket.StatusGoingAway       // the server stops
	broken    = websocket.StatusPolicyViolation // an error that is not recoverable
	textFrame = websocket.MessageText
)

// socket is one connection. One goroutine reads it, one writes it, and while it is
// attached one follows the run.
type socket struct {
	bridge *Bridge
	conn   *websocket.Conn
	who    Caller
	ctx    context.Context
	stop   context.CancelFunc
	out    chan []byte
	rate   bucket

	dropped chan struct{} // closed by drop
	once    sync.Once
	last    []byte // the error to send before the end

	mu       sync.Mutex
	runID    string             // the agent it is attached to; empty: none
	detach   context.CancelFunc // ends its follower
	inputs   []launch.Message   // latest last, for retry
	sessions context.CancelFunc // ends the subscription; nil: there is none
	done     sync.WaitGroup     // goroutines besides the reader
}

// serve handles a socket until it ends.
func (s *socket) serve() {
	s.done.Go(s.write)
	s.read()
	s.stop()
	s.done.Wait()
	s.bridge.leave(s)
	_ = s.conn.CloseNow() // it may be closed already
}

// read handles the messages of the client, one after the other.
func (s *socket) read() {
	for {
		ctx, cancel := context.WithTimeout(s.ctx, deadTime)
		kind, data, err := s.conn.Read(ctx)
		cancel()
		if err != nil {
			return
		}
		if kind != textFrame {
			s.drop(&Fault{Code: codeInvalid, Message: "a message is a text frame"})
			return
		}
		if wait := s.rate.spend(s.bridge.now()); wait > 0 {
			err = s.send(&Fault{Code: codeRate, Message: "too many messages", Recoverable: true, Retryable: true, RetryAfter: 1})
		} else {
			err = s.handle(data)
		}
		if err != nil {
			return
		}
	}
}

// errDropped means that the socket is being closed.
var errDropped = errors.New("the socket is being closed")

// send queues a message for the client. A client that makes no room for it is dropped.
func (s *socket) send(e event) error {
	data, err := encode(e)
	if err != nil {
		return err
	}
	select {
	case s.out <- data:
		return nil
	default:
	}
	late := time.NewTimer(slowTime)
	defer late.Stop()
	select {
	case s.out <- data:
		return nil
	case <-s.dropped:
		return errDropped
	case <-s.ctx.Done():
		return s.ctx.Err()
	case <-late.C:
		s.drop(&Fault{Code: codeSlow, Message: "this client reads too slowly; reconnect with lastMessageId to get the rest", Retryable: true})
		return errDropped
	}
}

// drop closes the socket with an error.
func (s *socket) drop(f *Fault) {
	s.once.Do(func() {
		s.last, _ = encode(f) // a fault is always JSON
		s.bridge.log.Info("socket dropped", "from", s.who.From, "code", f.Code)
		close(s.dropped)
	})
}

// write sends what is queued, and a ping now and then, until the socket ends.
func (s *socket) write() {
	ping := time.NewTicker(pingTime)
	defer ping.Stop()
	defer s.stop()
	for {
		var err error
		select {
		case data := <-s.out:
			err = s.frame(data, writeTime)
		case <-ping.C:
			var data []byte
			if data, err = encode(pingEvent{s.bridge.now().UnixMilli()}); err == nil {
				err = s.frame(data, writeTime)
			}
		case <-s.dropped:
			s.close()
			return
		case <-s.ctx.Done():
			s.close()
			return
		}
		if err != nil {
			return
		}
	}
}

// close says why the socket ends.
func (s *socket) close() {
	select {
	case <-s.dropped:
		_ = s.frame(s.last, closeTime) // the client may not read this either
		_ = s.conn.Close(broken, "see the error before")
	default:
		_ = s.conn.Close(goodbye, "")
	}
}

func (s *socket) frame(data []byte, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), limit)
	defer cancel()
	return s.conn.Write(ctx, textFrame, data)
}

// attach makes a run the agent of the socket, and follows it from a cursor.
func (s *socket) attach(run *holder.Record, c *cursor, asked string, first event) error {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.runID, s.detach = run.ID, cancel
	s.mu.Unlock()
	if s.who.Role.Allows(access.Approve) { // others only watch, and replace nobody
		s.bridge.claim(run.ID, s)
	}
	if err := s.send(first); err != nil {
		return err
	}
	a := newAgent(run, c, s.send, s.bridge.now)
	a.asked = asked
	s.done.Go(func() {
		ended, err := a.follow(ctx, s.bridge.runs.Lines)
		cancel()
		s.left(run.ID, ended, err)
	})
	return nil
}

// left handles the end of a follower.
func (s *socket) left(run string, ended bool, err error) {
	s.mu.Lock()
	if s.runID == run {
		s.runID, s.detach = "", nil
	}
	s.mu.Unlock()
	s.bridge.giveUp(run, s)
	switch {
	case ended:
		record, err := s.bridge.runs.Read(s.ctx, run)
		reason := "error"
		if err == nil {
			reason = stopReason(&record)
		}
		_ = s.send(stoppedEvent{Reason: reason}) // nobody is left to read it
	case err != nil && s.ctx.Err() == nil && !errors.Is(err, errDropped):
		_ = s.send(faultOf(err, codeNoAgent))
	}
}

// agentID returns the run that the socket is attached to; empty: none.
func (s *socket) agentID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runID
}

// bucket limits how many messages a client sends.
type bucket struct {
	left float64
	at   time.Time
}

// spend takes one message from the budget, or returns how long to wait.
func (b *bucket) spend(now time.Time) time.Duration {
	if b.at.IsZero() {
		b.left = burst
	} else {
		b.left = min(burst, b.left+perSecond*max(0, now.Sub(b.at)).Seconds())
	}
	b.at = now
	if b.left < 1 {
		return time.Duration((1 - b.left) / perSecond * float64(time.Second))
	}
	b.left--
	return 0
}
