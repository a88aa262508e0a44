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

// Question is what a client asks that we did not start.
type Question struct {
	Session string
	Dir     string
	Root    string // the home
	Tool    string
	Input   json.RawMessage
	Wait    time.Duration // for an answer
}

// errForeign says that something is asked of a client that is not ours.
var errForeign = errors.New("this client was not started by sesskeep: it can only be answered")

// Attend lets a question be answered by whoever looks into the inbox, and gives
// the answer. There is none (nil) if nobody answers in time, if an answer does not
// fit, or if ctx ends: then nothing is decided. The question is gone afterwards.
func Attend(ctx context.Context, s Store, q Question) (*launch.Answer, error) {
	line, err := json.Marshal(map[string]any{"type": "control_request", "request_id": launch.NewID(), "request": map[string]any{
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
	defer func() { _ = errors.Join(h.close(), os.RemoveAll(s.path(h.run.ID))) }() // what is left is swept
	server, err := h.listen()
	if err != nil {
		return nil, err
	}
	_ = h.act(func(m *launch.Machine, now time.Time) error {
		m.Launched(now)
		m.Heard(now, launch.Decode(line))
		return nil
	})
	answer := h.await(ctx)
	close(h.ended)
	h.tell()
	server.end()
	return answer, nil
}

// await waits until the question is answered, or not any more.
func (h *holder) await(ctx context.Context) *launch.Answer {
	ctx, stop := context.WithCancel(ctx)
	var clock sync.WaitGroup
	clock.Go(func() { h.keepTime(ctx) })
	defer func() {
		h.exited(launch.Exit{}) // there is no client whose end could be waited for
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

// decide takes an answer to a question, if it counts.
func (h *holder) decide(m *launch.Machine, now time.Time, a launch.Answer) error {
	if err := m.Answer(now, a); err != nil {
		return err
	}
	h.decided <- a // the first that counts is the only one
	return nil
}

// sweep removes questions whose asker was killed.
func (s Store) sweep() {
	ids, err := s.ids()
	if err != nil {
		return
	}
	for _, id := range ids {
		if strings.HasPrefix(id, questionPrefix) && !s.held(id) && s.now().Sub(s.made(id)) > startTime {
			_ = os.RemoveAll(s.path(id)) // the next one tries again
		}
	}
}

// made is when a directory was made or changed last.
func (s Store) made(id string) time.Time {
	info, err := os.Stat(s.path(id))
	if err != nil {
		return s.now()
	}
	return info.ModTime()
}
