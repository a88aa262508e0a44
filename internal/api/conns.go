package api

import (
	"container/list"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
)

// maxConns is how many connections are open at once, over all addresses.
const maxConns = 256

// conns are the connections of a server. One that comes when there are too many
// takes the place of the oldest that has no request running: whoever opens many
// and says nothing loses them, and is in nobody's way.
type conns struct {
	mu    sync.Mutex
	room  sync.Cond  // signalled when a connection ends or its request does
	open  *list.List // of *conn, the oldest first
	ended bool
}

func newConns() *conns {
	c := &conns{open: list.New()}
	c.room.L = &c.mu
	return c
}

// conn is one of them.
type conn struct {
	net.Conn
	all  *conns
	at   *list.Element
	busy bool // a request runs
}

// admit makes room for a connection, and waits where everybody is busy. It is nil
// when there will be no more.
func (c *conns) admit(raw net.Conn) net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.open.Len() >= maxConns && !c.ended {
		if idle := c.idle(); idle != nil {
			c.remove(idle)
			_ = idle.Conn.Close() // whoever reads it learns so
			continue
		}
		c.room.Wait()
	}
	if c.ended {
		return nil
	}
	one := &conn{Conn: raw, all: c}
	one.at = c.open.PushBack(one)
	return one
}

// idle is the oldest connection without a request.
func (c *conns) idle() *conn {
	for e := c.open.Front(); e != nil; e = e.Next() {
		if one := e.Value.(*conn); !one.busy {
			return one
		}
	}
	return nil
}

func (c *conns) remove(one *conn) {
	if one.at != nil {
		c.open.Remove(one.at)
		one.at = nil
		c.room.Signal()
	}
}

// note is told by net/http what a connection does.
func (c *conns) note(raw net.Conn, state http.ConnState) {
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
	if state == http.StateIdle {
		c.room.Signal()
	}
}

// end lets nobody wait any longer.
func (c *conns) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	c.room.Broadcast()
}

func (c *conn) Close() error {
	c.all.mu.Lock()
	c.all.remove(c)
	c.all.mu.Unlock()
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
