package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answering is a transport that reports the end of its input only once every question is answered, so
// that a client that writes its questions and closes its end still gets the answers.
type answering struct{ mcp.Transport }

func (t answering) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &answeringConn{Connection: c}, err
}

type answeringConn struct {
	mcp.Connection
	mu   sync.Mutex
	open int           // questions without an answer
	idle chan struct{} // closed when there are none; nil: wait was not called
}

func (c *answeringConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.add(1)
	}
	if err != nil {
		c.wait(ctx)
	}
	return m, err
}

func (c *answeringConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		c.add(-1)
	}
	return err
}

func (c *answeringConn) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	if c.open <= 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// longest is the longest wait for answers after the end of the input: a cancelled question gets none.
const longest = time.Minute

// wait waits for the open answers, or until ctx ends.
func (c *answeringConn) wait(ctx context.Context) {
	c.mu.Lock()
	if c.open <= 0 {
		c.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	c.idle = idle
	c.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	case <-time.After(longest):
	}
}
