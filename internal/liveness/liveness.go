// Package liveness says which sessions may be in use: those that a client or a run of ours
// has open, and those that were written a moment ago. Acts refuse to change them.
package liveness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/errcode"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/runs"
)

// Checker checks whether sessions and homes are in use.
type Checker struct {
	Index  *freshness.Index
	Living runs.Living // the sessions that we run
	Alive  claudehome.Alive
	Now    func() time.Time
}

// Sessions checks sessions for one act. It finds out once for all of them what runs, when
// the first is checked.
func (c *Checker) Sessions() *Sessions { return &Sessions{checker: c} }

// Sessions checks whether sessions are in use.
type Sessions struct {
	checker *Checker
	known   map[sesskeep.Key]freshness.SessionState // nil: not read yet
	held    runs.Held
	failed  error // why it could not be read
}

// Check refuses a session that may be in use, with [errcode.ErrLive].
func (s *Sessions) Check(ctx context.Context, h *homes.Home, id sesskeep.SessionID) error {
	if s.known == nil && s.failed == nil {
		s.failed = s.read(ctx)
	}
	if s.failed != nil {
		return s.failed
	}
	if r, ok := s.held.In(h.Store.Root(), id); ok {
		return fmt.Errorf("%w: run %s has it", errcode.ErrLive, r.ID)
	}
	if now, ok := s.known[h.Key(id)]; ok && (now.Client != nil || now.State.Runs()) {
		return fmt.Errorf("%w: %s", errcode.ErrLive, now.State.Word)
	}
	return justWritten(h, id, s.checker.Now())
}

func (s *Sessions) read(ctx context.Context) error {
	states, err := s.checker.Index.States(ctx, s.checker.Now())
	if err != nil {
		return err
	}
	s.known = map[sesskeep.Key]freshness.SessionState{}
	for _, now := range states {
		s.known[now.Key] = now
	}
	s.held, err = s.checker.Living.Sessions(ctx)
	return err
}

// quiet is how long ago a session must have been written to be taken for one that
// is not being written.
const quiet = time.Minute

// justWritten refuses a session with a transcript that was written a moment ago.
func justWritten(h *homes.Home, id sesskeep.SessionID, now time.Time) error {
	store := h.Disk()
	if store == nil {
		return nil
	}
	f, err := store.Family(id)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return nil
	}
	if err != nil && !errors.Is(err, sesskeep.ErrIncomplete) { // acts that need all of it say so
		return err
	}
	refs := append(append([]sesskeep.Ref{}, f.Agents...), f.Twins...)
	if f.Main != nil {
		refs = append(refs, *f.Main)
	}
	for _, ref := range refs {
		info := store.Files().Stat(ref.File)
		if info == nil {
			continue
		}
		if age := now.Sub(info.ModTime()); age.Abs() < quiet {
			who := "it"
			if ref.Agent != "" {
				who = "an agent of it"
			}
			return fmt.Errorf("%w: %s was written %d seconds ago", errcode.ErrLive, who, int(age.Abs().Seconds()))
		}
	}
	return nil
}

// Home refuses a home in which a client or a run of ours runs, with [errcode.ErrRunning].
func (c *Checker) Home(ctx context.Context, h *homes.Home) error {
	lives, _, err := claudehome.Registry(h.Store.Files(), c.Alive)
	if err != nil {
		return err
	}
	for _, live := range lives {
		if live.Alive {
			return fmt.Errorf("%w: pid %d", errcode.ErrRunning, live.PID)
		}
	}
	states, err := c.Index.States(ctx, c.Now())
	for _, s := range states {
		if s.Root == h.Store.Root() && s.Client != nil {
			return fmt.Errorf("%w: pid %d", errcode.ErrRunning, s.Client.PID)
		}
	}
	if err != nil {
		return err
	}
	held, err := c.Living.Sessions(ctx)
	for _, r := range held {
		if runs.InHome(&r, h.Store.Root()) {
			return fmt.Errorf("%w: run %s", errcode.ErrRunning, r.ID)
		}
	}
	return err
}
