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

// The kinds of events about runs. They have no id: they carry the current state, at the start
// of a stream and after every change.
const (
	EventKindRun   EventKind = "run"   // Event.Run changed
	EventKindInbox EventKind = "inbox" // Event.Inbox has all open questions
)

// Follow iterates over events as they happen, starting now or after the event with the id
// after, until ctx ends or the server rejects the request. It reconnects when the connection
// breaks. No event of a session is lost or repeated; if the server cannot resume exactly, it
// sends an event of kind EventKindReset, and the caller has to read its lists again.
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

// The pauses between two attempts to connect.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// errEnough means that the caller ended the iteration.
var errEnough = errors.New("enough")

// maxEvent limits the size of one event.
const maxEvent = 16 << 20

// followOnce yields events until the connection ends, and reports whether there was one.
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
	kind := EventKind("")
	for lines.Scan() {
		if name, ok := bytes.CutPrefix(lines.Bytes(), []byte("event: ")); ok {
			kind = EventKind(name)
		}
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue // ids are in the data too; comments keep the connection alive
		}
		e, err := decodeEvent(kind, data)
		if err != nil {
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

// decodeEvent decodes the data of an event. That of a run or an inbox is not in an Event.
func decodeEvent(kind EventKind, data []byte) (*Event, error) {
	e := &Event{Kind: kind}
	switch kind {
	case EventKindRun:
		e.Run = new(Run)
		return e, json.Unmarshal(data, e.Run)
	case EventKindInbox:
		e.Inbox = new(InboxPage)
		return e, json.Unmarshal(data, e.Inbox)
	}
	return e, json.Unmarshal(data, e)
}
