package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/board"
	"sesskeep/internal/runs"
)

// stream is a route that huma does not serve.
type stream struct {
	method, path string
	role         access.Role
	handle       func(http.ResponseWriter, *http.Request) error
}

// streamRoutes are the operations whose answer does not end or is not JSON.
type streamRoutes struct{ *Server }

// list returns all streams.
func (s streamRoutes) list() []stream {
	return []stream{
		{http.MethodGet, "/events", access.Read, s.events},
		{http.MethodGet, "/metrics", access.Read, s.metrics},
		{http.MethodGet, "/projects/{project}/sessions/{id}/export", access.Read, s.export},
		{http.MethodGet, "/projects/{project}/sessions/{id}/blobs/{ref}", access.Read, s.blob},
		{http.MethodGet, "/runs/{run}/output", access.Read, s.runOutput},
		{http.MethodPost, "/agents/{agent}/upload", access.Operate, s.uploadImage},
	}
}

// register adds the streams to the router, each with the role that it needs.
func (s streamRoutes) register() {
	for _, one := range s.list() {
		s.routes.HandleFunc(one.method+" "+prefix+one.path, func(w http.ResponseWriter, r *http.Request) {
			err := checkAllowed(callerOf(r.Context()), one.role)
			if err == nil {
				err = knownCheck(s).checkQuery(r, document(s).streamOperation(one))
			}
			if err == nil {
				err = one.handle(w, r)
			}
			if err != nil {
				writeProblem(w, r, err)
			}
		})
	}
}

// The intervals of a stream.
const (
	heartbeat = 15 * time.Second       // between comments that keep the connection alive
	recheck   = 500 * time.Millisecond // between checks whether the token is still valid
)

// events streams what happens as server-sent events. Last-Event-ID resumes after an event;
// if that is not exactly possible, the stream starts with one event "reset". Events "run"
// and "inbox" have no id: they carry the state of every run and the open questions, at the
// start and after every change.
func (s streamRoutes) events(w http.ResponseWriter, r *http.Request) error {
	o, err := s.eventOptions(r)
	if err != nil {
		return err
	}
	who := callerOf(r.Context())
	if !s.streams.acquire(who.Token + " " + who.From) {
		return tooManyRequests(w, heartbeat)
	}
	defer s.streams.release(who.Token + " " + who.From)
	ctx, stop := context.WithCancelCause(r.Context())
	defer stop(nil)
	out := &sse{w: w, control: http.NewResponseController(w)}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // keep proxies from buffering the stream
	if r.Method == http.MethodHead {
		return nil
	}
	begun := make(chan struct{})
	o.Begun = func() { close(begun) }
	events := make(chan *board.Event)
	go func() {
		defer close(events)
		stop(s.opts.App.Live.Events(ctx, o, func(e *board.Event) error {
			select {
			case events <- e:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}))
	}()
	news := s.watchRuns(ctx)
	err = s.writeEvents(ctx, out, who, begun, events, news)
	stop(err)
	for range events { // until the sender has stopped
	}
	for range news {
	}
	return nil // the status was sent with the first event
}

// eventOptions reads from a request which events it wants.
func (s streamRoutes) eventOptions(r *http.Request) (o board.EventOptions, err error) {
	q := r.URL.Query()
	o = board.EventOptions{After: r.Header.Get("Last-Event-ID"), Lines: true}
	if q.Get("lines") != "" {
		if o.Lines, err = boolParam(q, "lines"); err != nil {
			return o, err
		}
	}
	for _, several := range q["session"] {
		for address := range strings.SplitSeq(strings.ToLower(several), ",") {
			keys, err := s.opts.App.Catalog.Keys(address)
			if err != nil {
				return o, err
			}
			o.Sessions = append(o.Sessions, keys...)
		}
	}
	return o, nil
}

// writeEvents writes events, with a comment now and then to keep the connection alive,
// until the token is revoked.
func (s streamRoutes) writeEvents(ctx context.Context, out *sse, who caller, begun <-chan struct{}, events <-chan *board.Event, news <-chan runs.News) error {
	select {
	case <-begun:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := out.writeComment("begun"); err != nil {
		return err
	}
	heartbeats, recheckToken := time.NewTicker(heartbeat), time.NewTicker(recheck)
	defer heartbeats.Stop()
	defer recheckToken.Stop()
	for {
		var err error
		select {
		case e, ok := <-events:
			if !ok {
				return nil
			}
			err = out.writeEvent(e)
		case n, ok := <-news:
			if !ok {
				news = nil
				continue
			}
			err = out.writeRunNews(&n)
		case <-heartbeats.C:
			err = out.writeComment("alive")
		case <-recheckToken.C:
			if who.Token != "" && !s.opts.Tokens.Valid(who.Token) {
				err = errRevoked
			}
		}
		if err != nil {
			return err
		}
	}
}

var errRevoked = errors.New("the token was revoked")

// sse writes server-sent events.
type sse struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (s *sse) writeEvent(e *board.Event) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	text := ""
	if e.ID != "" {
		text = "id: " + e.ID + "\n"
	}
	return s.write(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", text, e.Kind, data))
}

func (s *sse) writeComment(text string) error { return s.write(": " + text + "\n\n") }

func (s *sse) write(text string) error {
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}
