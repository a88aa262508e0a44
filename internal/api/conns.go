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

// maxConns is the number of connections that can be open at once, over all addresses.
const maxConns = 768

// sayTime is how long a connection may wait without sending a request before a new one can
// replace it: long enough for a client that wants something, and so short that many idle
// connections are replaced soon.
const sayTime = 100 * time.Millisecond

// conns are the connections of a server. When there are too many, a new one replaces the
// connection that has been idle longest. A client that opens many and sends nothing loses
// them and blocks no other client.
type conns struct {
	mu   sync.Mutex
	open *list.List    // elements are *conn, longest idle first
	room chan struct{} // receives a value when a connection or its request has ended
	done chan struct{}
	end  func()
}

func newConns() *conns {
	c := &conns{open: list.New(), room: make(chan struct{}, 1), done: make(chan struct{})}
	c.end = sync.OnceFunc(func() { close(c.done) })
	return c
}

// conn is a connection of a server.
type conn struct {
	net.Conn
	all   *conns
	at    *list.Element
	busy  bool         // a request is running
	since atomic.Int64 // when the server started to wait for a request; 0: not yet, or a request is running
}

// Read records that the server now waits for a request. On a busy machine that can be long
// after the connection was opened, which is not the client's fault.
func (c *conn) Read(p []byte) (int, error) {
	if c.since.Load() == 0 {
		c.since.Store(time.Now().UnixNano())
	}
	return c.Conn.Read(p)
}

// admit makes room for a connection, and waits while all others are busy. It returns nil
// when the server is closing.
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

// tryAdmit admits a connection if there is room or an idle one can be closed. Otherwise it
// returns how long to wait.
func (c *conns) tryAdmit(one *conn) (wait time.Duration, admitted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open.Len() >= maxConns {
		idle, wait := c.idle()
		if wait > 0 {
			return wait, false
		}
		c.remove(idle)
		_ = idle.Conn.Close() // its reader gets the error
	}
	one.at = c.open.PushBack(one)
	return 0, true
}

// idle returns the first connection that had time to send a request and did not, or how
// long until there can be one.
func (c *conns) idle() (_ *conn, wait time.Duration) {
	now := time.Now()
	wait = sayTime / 10 // by then the server may wait on one that it does not read yet
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

// signalFree wakes one waiting admit.
func (c *conns) signalFree() {
	select {
	case c.room <- struct{}{}:
	default:
	}
}

// stateChanged receives the state of connections from net/http.
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
	if state == http.StateHijacked { // a socket, which has a limit of its own
		c.remove(one)
		c.signalFree()
		return
	}
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

// bounded is a listener whose connections count towards the limit of a server.
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
