package api

import (
	"container/list"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// maxConns is how many connections are open at once, over all addresses.
const maxConns = 256

// sayTime is how long a connection that is listened to may have nothing to say
// before another can take its place: longer than a client that wants something
// needs, and so short that many who want nothing are soon through.
const sayTime = 100 * time.Millisecond

// conns are the connections of a server. One that comes when there are too many
// takes the place of the oldest that has no request running: whoever opens many
// and says nothing loses them, and is in nobody's way.
type conns struct {
	mu   sync.Mutex
	open *list.List    // of *conn, the one that rests longest first
	room chan struct{} // has something when a connection ended, or its request did
	done chan struct{}
	end  func()
}

func newConns() *conns {
	c := &conns{open: list.New(), room: make(chan struct{}, 1), done: make(chan struct{})}
	c.end = sync.OnceFunc(func() { close(c.done) })
	return c
}

// conn is one of them.
type conn struct {
	net.Conn
	all   *conns
	at    *list.Element
	busy  bool         // a request runs
	since atomic.Int64 // when it was listened to for a request; 0: not yet, or there is one
}

// Read notes that the connection is listened to: on a busy machine that may be long
// after it was opened, which is not its fault.
func (c *conn) Read(p []byte) (int, error) {
	if c.since.Load() == 0 {
		c.since.Store(time.Now().UnixNano())
	}
	return c.Conn.Read(p)
}

// admit makes room for a connection, and waits where everybody is busy. It is nil
// when there will be no more.
func (c *conns) admit(raw net.Conn) net.Conn {
	one := &conn{Conn: raw, all: c}
	for {
		wait, admitted := c.tryAdmit(one)
		if admitted {
			return one
		}
		select {
		case <-c.done:
			return nil
		case <-c.room:
		case <-time.After(wait):
		}
	}
}

// tryAdmit admits a connection where there is room, or where one can go that rests.
// Else it tells how long to wait.
func (c *conns) tryAdmit(one *conn) (wait time.Duration, admitted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open.Len() >= maxConns {
		idle, wait := c.idle()
		if wait > 0 {
			return wait, false
		}
		c.remove(idle)
		_ = idle.Conn.Close() // whoever reads it learns so
	}
	one.at = c.open.PushBack(one)
	return 0, true
}

// idle is the first connection that has had time to say something and did not, or
// how long it takes until there can be one.
func (c *conns) idle() (_ *conn, wait time.Duration) {
	now := time.Now()
	wait = sayTime / 10 // then one may be listened to that is not yet
	for e := c.open.Front(); e != nil; e = e.Next() {
		one := e.Value.(*conn)
		since := one.since.Load()
		if one.busy || since == 0 {
			continue
		}
		left := sayTime - now.Sub(time.Unix(0, since))
		if left <= 0 {
			return one, 0
		}
		wait = min(wait, left)
	}
	return nil, wait
}

func (c *conns) remove(one *conn) {
	if one.at != nil {
		c.open.Remove(one.at)
		one.at = nil
	}
}

// signalFree lets one that waits try again.
func (c *conns) signalFree() {
	select {
	case c.room <- struct{}{}:
	default:
	}
}

// note is told by net/http what a connection does.
func (c *conns) stateChanged(raw net.Conn, state http.ConnState) {
	if t, ok := raw.(*tls.Conn); ok {
		raw = t.NetConn()
	}
	one, ok := raw.(*conn)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	one.busy = state == http.StateActive
	one.since.Store(0)
	if state == http.StateIdle && one.at != nil {
		c.open.MoveToBack(one.at)
		c.signalFree()
	}
}

func (c *conn) Close() error {
	c.all.mu.Lock()
	c.all.remove(c)
	c.all.mu.Unlock()
	c.all.signalFree()
	return c.Conn.Close()
}

// bounded is a listener whose connections are among those of a server.
type bounded struct {
	net.Listener
	conns *conns
}

func (b *bounded) Accept() (net.Conn, error) {
	raw, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if one := b.conns.admit(raw); one != nil {
		return one, nil
	}
	return nil, errors.Join(net.ErrClosed, raw.Close())
}

func (b *bounded) Close() error {
	b.conns.end()
	return b.Listener.Close()
}
