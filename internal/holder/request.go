package holder

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"syscall"
	"time"
)

// dial connects to the holder of a run.
func (s Store) dial(ctx context.Context, id string) (net.Conn, error) {
	if runNumber(id) == 0 {
		return nil, fmt.Errorf("run %q: %w", id, ErrNoRun)
	}
	var c net.Conn
	err := withShortPath(s.path(id, "socket"), func(short string) (err error) {
		c, err = new(net.Dialer).DialContext(ctx, "unix", short)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		if _, e := s.run(id); e != nil {
			return nil, e
		}
		return nil, fmt.Errorf("run %s: %w", id, ErrNotHeld)
	}
	return c, err
}

// askLimit is how long a holder may take to reply.
const askLimit = 10 * time.Second

// Ask sends a request to the holder of a run. The error is the one the holder
// returned, as an error of package launch where it has one.
func (s Store) Ask(ctx context.Context, id string, r Request) (Reply, error) {
	ctx, stop := context.WithTimeout(ctx, askLimit)
	defer stop()
	c, err := s.dial(ctx, id)
	if err != nil {
		return Reply{}, err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	var reply Reply
	err = send(c, r)
	if err == nil {
		err = json.NewDecoder(bufio.NewReader(c)).Decode(&reply)
	}
	switch {
	case err != nil && ctx.Err() == nil && hungUp(err):
		return Reply{}, fmt.Errorf("run %s: %w", id, ErrNotHeld)
	case err != nil:
		return Reply{}, errors.Join(fmt.Errorf("ask run %s: %w", id, err), ctx.Err())
	}
	return reply, reply.err()
}

// hungUp reports whether err means that the holder ended before it replied.
func hungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// FollowOptions choose what Follow delivers.
type FollowOptions struct {
	From   int64 // byte offset in the log where a line starts; negative: no lines
	Pieces bool  // also deliver parts of messages while they are being written
	// WaitFor is the id of a message whose response the caller wants. No response
	// is delivered if the holder ended before it knew one.
	WaitFor string
}

// Follow calls give with the output of a run and with every change of its state
// until the run is over. The last frame has a Record with the final status.
func (s Store) Follow(ctx context.Context, id string, o FollowOptions, give func(Frame) error) error {
	if _, err := s.run(id); err != nil {
		return err
	}
	at, responded := o.From, o.WaitFor == ""
	deliver := func(f Frame) error {
		responded = responded || f.Response != nil
		return give(f)
	}
	c, err := s.dial(ctx, id)
	if err == nil {
		at, err = s.stream(ctx, c, o, deliver)
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	} else if !errors.Is(err, ErrNotHeld) {
		return err
	}
	if o.From < 0 {
		at = pastEnd
	}
	err = s.lines(id, at, func(next int64, line []byte) error {
		at = next
		return give(lineFrame(next, line))
	})
	if err != nil {
		return err
	}
	if !responded {
		if r := s.response(id, o.WaitFor); r != nil {
			if err := give(Frame{Next: at, Response: r}); err != nil {
				return err
			}
		}
	}
	rec, err := s.readEnded(ctx, id)
	if err != nil {
		return err
	}
	return give(Frame{Next: at, Record: &rec})
}

// dying is how long a holder may be seen as running after it hung up.
const dying = 5 * time.Second

// readEnded reads a run whose holder hung up. A holder that was killed holds its lock until
// the system has closed its files, and until then the run looks as if it were starting.
func (s Store) readEnded(ctx context.Context, id string) (Record, error) {
	for end := time.Now().Add(dying); ; {
		rec, err := s.Read(ctx, id)
		if err != nil || !rec.Living() || time.Now().After(end) {
			return rec, err
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return rec, ctx.Err()
		}
	}
}

// stream delivers what a holder sends until the holder ends. It returns the log
// offset at which to continue.
func (s Store) stream(ctx context.Context, c net.Conn, o FollowOptions, give func(Frame) error) (int64, error) {
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if err := send(c, Request{Do: DoFollow, From: o.From, Pieces: o.Pieces, WaitFor: o.WaitFor}); err != nil {
		return o.From, nil // the holder has just ended
	}
	at := o.From
	for in := json.NewDecoder(bufio.NewReaderSize(c, 1<<16)); ; {
		var f Frame
		if err := in.Decode(&f); err != nil {
			return at, nil // the rest is in the files
		}
		at = f.Next
		if err := give(f); err != nil {
			return at, err
		}
	}
}
