package holder

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"sesskeep/internal/launch"
)

// Question is what a client that we did not start asks.
type Question struct {
	Session string
	Dir     string
	Root    string // the home
	Tool    string
	Input   json.RawMessage
	Wait    time.Duration // how long to wait for an answer
}

// errForeign rejects requests that a client of somebody else cannot fulfil.
var errForeign = errors.New("this client was not started by sesskeep: it can only be answered")

// AwaitAnswer puts a question into the inbox and returns its answer. It returns nil,
// which decides nothing, if no valid answer comes in time or ctx ends. It removes
// the question afterwards.
func AwaitAnswer(ctx context.Context, s Store, q Question) (*launch.Answer, error) {
	line, err := encode(map[string]any{"type": "control_request", "request_id": launch.NewID(), "request": map[string]any{
		"subtype": "can_use_tool", "tool_name": q.Tool, "input": q.Input,
	}})
	if err != nil {
		return nil, err
	}
	s.sweep()
	h := &holder{store: s, changed: make(chan struct{}), ended: make(chan struct{}), decided: make(chan launch.Answer, 1)}
	h.order = Order{Spec: launch.Spec{Dir: q.Dir, Session: q.Session, Mode: launch.AskFirst}, Limits: launch.Limits{Answer: q.Wait}, Root: q.Root}
	if err := h.open(questionPrefix, []string{}); err != nil {
		return nil, err
	}
	defer func() { _ = errors.Join(h.close(), os.RemoveAll(s.path(h.run.ID))) }() // sweep removes what is left
	server, err := h.listen()
	if err != nil {
		return nil, err
	}
	_ = h.act(func(m *launch.Machine, now time.Time) error {
		m.Launched(now)
		m.Receive(now, launch.Decode(line))
		return nil
	})
	answer := h.await(ctx)
	close(h.ended)
	h.publish()
	server.end()
	return answer, nil
}

// await waits until the question is answered or expires.
func (h *holder) await(ctx context.Context) *launch.Answer {
	ctx, stop := context.WithCancel(ctx)
	var clock sync.WaitGroup
	clock.Go(func() { h.keepTime(ctx) })
	defer func() {
		h.exited(launch.Exit{}) // there is no client to wait for
		stop()
		clock.Wait()
	}()
	for {
		h.mu.Lock()
		open, changed := len(h.machine.Prompts()) > 0, h.changed
		h.mu.Unlock()
		select {
		case a := <-h.decided:
			return &a
		default:
		}
		if !open {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// decide accepts an answer to the question if the machine does. Answers to the model's
// questions reach the client in the input of the tool.
func (h *holder) decide(m *launch.Machine, now time.Time, a launch.Answer) error {
	open := m.Prompts()
	if err := m.Answer(now, a); err != nil {
		return err
	}
	if len(a.Answers) > 0 {
		a.Input, _ = a.ToolInput(&open[0]) // the machine has accepted it
	}
	h.decided <- a // only the first valid answer gets here
	return nil
}

// sweep removes questions whose process was killed.
func (s Store) sweep() {
	ids, err := s.ids()
	if err != nil {
		return
	}
	for _, id := range ids {
		if strings.HasPrefix(id, questionPrefix) && !s.held(id) && s.now().Sub(s.modified(id)) > startTime {
			_ = os.RemoveAll(s.path(id)) // the next sweep tries again
		}
	}
}

// modified returns when a run's directory was last changed.
func (s Store) modified(id string) time.Time {
	info, err := os.Stat(s.path(id))
	if err != nil {
		return s.now()
	}
	return info.ModTime()
}
