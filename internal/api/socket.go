package api

import (
	"context"
	"errors"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/access"
	"sesskeep/internal/board"
	"sesskeep/internal/bridge"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/talk"
)

// socketRoute is the live protocol of CodingBridge. Its messages are not in the OpenAPI
// document, whose operations have one request and one answer.
type socketRoute struct{ *Server }

func (s socketRoute) register() {
	if s.sockets == nil {
		return
	}
	s.routes.HandleFunc("GET "+prefix+"/ws", func(w http.ResponseWriter, r *http.Request) {
		who := callerOf(r.Context())
		err := checkAllowed(who, access.Read)
		if err == nil && !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			w.Header().Set("Upgrade", "websocket")
			err = newProblem(http.StatusUpgradeRequired, string(errcode.Invalid), "this address is for web sockets only")
		}
		if err == nil && !s.sockets.ServeHTTP(w, r, bridge.Caller{Token: who.Token, Role: who.Role, From: who.From, Actor: actor(who)}) {
			err = tooManyRequests(w, heartbeat)
		}
		if err != nil {
			writeProblem(w, r, err)
		}
	})
}

// closeSockets closes all sockets.
func (s *Server) closeSockets(ctx context.Context) error {
	if s.sockets == nil {
		return nil
	}
	return s.sockets.Close(ctx)
}

// socketHost is the server as sockets see it.
type socketHost struct{ *Server }

func (s socketHost) Valid(token string) bool { return s.opts.Tokens.Valid(token) }

func (s socketHost) MayBypass(ctx context.Context) error {
	if !runRoutes(s).fromThisMachine(ctx) {
		return bypassRefused()
	}
	return nil
}

// Start starts a run. A session is resumed in its own directory.
func (s socketHost) Start(ctx context.Context, o bridge.Order) (holder.Record, error) {
	n := NewRun{Cwd: o.Project, Model: o.Model, Resume: o.Session}
	if o.Session != "" {
		n.Cwd = ""
	}
	if o.Helper {
		n.Role = bridge.HelperRole
	}
	run, err := runRoutes(s).start(ctx, &n)
	return run, withoutProblem(err)
}

// withoutProblem returns a problem as an error with a code, for those who do not speak HTTP.
func withoutProblem(err error) error {
	var p *Problem
	switch {
	case !errors.As(err, &p):
		return err
	case p.Code == codeNoClient:
		return errcode.ErrNoClient
	}
	return errcode.New(errcode.Code(p.Code), errors.New(p.Detail))
}

// History returns the latest messages of a session, oldest first. A session whose client
// has said nothing yet has none.
func (s socketHost) History(ctx context.Context, session string, most int) (bridge.History, error) {
	h := bridge.History{Messages: []talk.StreamMessage{}}
	_, t, err := s.target(ctx, &OneSession{InProject: InProject{everyProject}, ID: session})
	if errcode.Of(withoutProblem(err)) == errcode.NotFound {
		return h, nil
	}
	if err != nil {
		return h, withoutProblem(err)
	}
	page, err := s.opts.App.Talk.Messages(ctx, t, talk.MessageOptions{Limit: most})
	if err != nil {
		return h, err
	}
	for _, m := range slices.Backward(page.Messages) {
		h.Messages = append(h.Messages, m.Message)
	}
	h.HasMore, h.Cursor = page.Pagination.HasMore, page.Pagination.NextCursor
	return h, nil
}

// sessionPause is how long changes of sessions are collected: a session that works changes
// many times a second.
const sessionPause = 500 * time.Millisecond

// Sessions gives the changes of sessions.
func (s socketHost) Sessions(ctx context.Context, project string, give func(bridge.SessionEvent) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	events := make(chan *board.Event)
	go func() {
		defer close(events)
		for ctx.Err() == nil {
			err := s.opts.App.Live.Events(ctx, board.EventOptions{}, func(e *board.Event) error {
				select {
				case events <- e:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			if err != nil { // else events are missing, and it starts again
				stop(err)
			}
		}
	}()
	c := sessionChanges{Server: s.Server, project: project, give: give, dirty: map[string]string{}}
	tick := time.NewTicker(sessionPause)
	defer tick.Stop()
	for {
		var err error
		select {
		case e, ok := <-events:
			if !ok {
				return context.Cause(ctx)
			}
			err = c.note(ctx, e)
		case <-tick.C:
			err = c.flush(ctx)
		}
		if err != nil {
			stop(err)
			for range events { // until the sender has stopped
			}
			return err
		}
	}
}

// The actions of a session event.
const (
	sessionCreated = "created"
	sessionUpdated = "updated"
	sessionDeleted = "deleted"
)

// The kinds of events that are more than an update.
const (
	kindReset    = "reset"
	kindGone     = "gone"
	kindAppeared = "appeared"
)

// sessionChanges collects changes of sessions.
type sessionChanges struct {
	*Server
	project string // only this one; empty: all
	give    func(bridge.SessionEvent) error
	dirty   map[string]string // action by session
	last    string            // the latest session that changed
}

// note records an event. Those of agents are no changes of a session.
func (c *sessionChanges) note(ctx context.Context, e *board.Event) error {
	id := e.SessionID
	switch {
	case e.Kind == kindReset && c.last != "":
		c.dirty[c.last] = sessionUpdated // events are missing, and the client lists the sessions again
	case e.AgentID != "" || !sesskeep.IsUUID(id):
	case e.Kind == kindGone:
		delete(c.dirty, id)
		return c.deleted(e)
	case e.Kind == kindAppeared:
		c.dirty[id] = sessionCreated
	case c.dirty[id] == "":
		c.dirty[id] = sessionUpdated
	}
	return nil
}

// deleted gives the end of a session. Only the name of its directory says of which project.
func (c *sessionChanges) deleted(e *board.Event) error {
	if c.project != "" && path.Base(path.Dir(filepath.ToSlash(e.File))) != string(sesskeep.DirName(c.project)) {
		return nil
	}
	return c.give(bridge.SessionEvent{Action: sessionDeleted, ProjectPath: c.project, SessionID: e.SessionID})
}

// flush gives what changed.
func (c *sessionChanges) flush(ctx context.Context) error {
	for id, action := range c.dirty {
		one, err := c.session(ctx, &OneSession{InProject: InProject{everyProject}, ID: id})
		if err != nil {
			if action == sessionCreated && errcode.Of(withoutProblem(err)) == errcode.NotFound {
				continue // a client without a transcript: it says nothing yet
			}
			delete(c.dirty, id)
			continue
		}
		delete(c.dirty, id)
		if c.project != "" && filepath.Clean(c.project) != filepath.Clean(one.ProjectPath) {
			continue
		}
		c.last = id
		if err := c.give(bridge.SessionEvent{Action: action, ProjectPath: one.ProjectPath, SessionID: id, Metadata: metadataOf(&one.Row)}); err != nil {
			return err
		}
	}
	return nil
}
