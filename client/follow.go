package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"
)

// Follow gives what happens from now on, or after the event with the ID after, until
// the context ends or the server refuses. When the connection breaks it goes on
// where it was: every event comes once, or, where the server cannot say what was
// missed, one of the kind reset, after which the caller reads its lists anew.
func (c *Client) Follow(ctx context.Context, after string, o EventsOptions) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for pause := firstPause; ; pause = min(2*pause, lastPause) {
			got, err := c.followOnce(ctx, &after, o, yield)
			var refused *Problem
			switch {
			case errors.Is(err, errEnough):
				return
			case ctx.Err() != nil:
				return
			case errors.As(err, &refused) && refused.Status != http.StatusTooManyRequests && refused.Status < 500:
				yield(nil, err)
				return
			case got:
				pause = firstPause
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		}
	}
}

// The pauses between two attempts.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// errEnough says that the caller wants no more.
var errEnough = errors.New("enough")

// maxEvent bounds one event.
const maxEvent = 16 << 20

// followOnce gives events until the connection ends, and reports whether there
// was one.
func (c *Client) followOnce(ctx context.Context, after *string, o EventsOptions, yield func(*Event, error) bool) (got bool, err error) {
	header := http.Header{}
	if *after != "" {
		header.Set("Last-Event-ID", *after)
	}
	answer, err := c.send(ctx, http.MethodGet, "/events", o.values(), nil, header)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(make([]byte, 64<<10), maxEvent)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue // the id and the kind are in the data too; the rest are signs of life
		}
		e := new(Event)
		if err := json.Unmarshal(data, e); err != nil {
			return got, fmt.Errorf("read an event: %w", err)
		}
		if e.ID != "" {
			*after = e.ID
		}
		got = true
		if !yield(e, nil) {
			return got, errEnough
		}
	}
	if err := lines.Err(); err != nil {
		return got, err
	}
	return got, io.ErrUnexpectedEOF
}
