package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/runs"
)

// runOutput streams the output of a run as server-sent events: "line" is a line of the
// client's output, "piece" a part of a message that is being written, "run" the state of
// the run. The id of an event is a byte offset in the log, and Last-Event-ID resumes
// there.
func (s streamRoutes) runOutput(w http.ResponseWriter, r *http.Request) error {
	if s.opts.Runs == nil {
		return newProblem(http.StatusNotFound, string(errcode.NotFound), "this server does not start sessions")
	}
	id, from := r.PathValue("run"), r.Header.Get("Last-Event-ID")
	if _, err := s.opts.Runs.Read(r.Context(), id); err != nil {
		return err
	}
	at := int64(0)
	if from != "" {
		var err error
		if at, err = strconv.ParseInt(from, 10, 64); err != nil || at < 0 {
			return invalid("Last-Event-ID", "not a byte of the log: %s", clip(from, 40))
		}
	}
	who := callerOf(r.Context())
	if !s.streams.acquire(who.Token + " " + who.From) {
		return tooManyRequests(w, heartbeat)
	}
	defer s.streams.release(who.Token + " " + who.From)
	out := &sse{w: w, control: http.NewResponseController(w)}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return nil
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	frames := make(chan holder.Frame)
	go func() {
		defer close(frames)
		_ = s.opts.Runs.Follow(ctx, id, at, func(f holder.Frame) error { // the stream just ends
			select {
			case frames <- f:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	err := s.writeRunOutput(ctx, out, who, frames)
	stop()
	for range frames { // until the sender has stopped
	}
	_ = err // the status was sent with the first event
	return nil
}

func (s streamRoutes) writeRunOutput(ctx context.Context, out *sse, who caller, frames <-chan holder.Frame) error {
	heartbeats, recheckToken := time.NewTicker(heartbeat), time.NewTicker(recheck)
	defer heartbeats.Stop()
	defer recheckToken.Stop()
	for {
		var err error
		select {
		case f, ok := <-frames:
			if !ok {
				return out.writeNamed("end", "", struct{}{})
			}
			err = out.writeFrame(&f)
		case <-heartbeats.C:
			err = out.writeComment("alive")
		case <-recheckToken.C:
			if who.Token != "" && !s.opts.Tokens.Valid(who.Token) {
				err = errRevoked
			}
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// writeFrame writes a frame of a run's output.
func (s *sse) writeFrame(f *holder.Frame) error {
	id := strconv.FormatInt(f.Next, 10)
	switch {
	case f.Record != nil:
		return s.writeNamed("run", id, f.Record)
	case f.Piece != nil:
		return s.writeNamed("piece", id, f.Piece)
	case f.Line != nil:
		return s.writeNamed("line", id, f.Line)
	}
	return s.writeNamed("line", id, map[string]string{"text": f.Text})
}

// writeNamed writes an event with a JSON value.
func (s *sse) writeNamed(name, id string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	return s.write(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", id, name, data))
}

// watchRuns sends changes of runs to the returned channel until ctx ends.
func (s streamRoutes) watchRuns(ctx context.Context) <-chan runs.News {
	news := make(chan runs.News)
	if s.opts.Runs == nil {
		close(news)
		return news
	}
	go func() {
		defer close(news)
		_ = s.opts.Runs.Watch(ctx, func(n runs.News) error { // the stream continues without runs
			select {
			case news <- n:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	return news
}

// writeRunNews writes changes of runs.
func (s *sse) writeRunNews(n *runs.News) error {
	for i := range n.Runs {
		if err := s.writeNamed("run", "", &n.Runs[i]); err != nil {
			return err
		}
	}
	if n.Unread != nil {
		if err := s.writeNamed("unread", "", map[string][]string{"runs": n.Unread}); err != nil {
			return err
		}
	}
	if n.Inbox != nil {
		return s.writeNamed("inbox", "", n.Inbox)
	}
	return nil
}
