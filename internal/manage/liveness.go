package manage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sesskeep/internal/errcode"
	"sesskeep/internal/freshness"
	"sesskeep/internal/runs"

	"sesskeep"
)

// quiet is how long ago a session must have been written to be taken for one that
// nobody is writing.
const quiet = time.Minute

// liveness tells which sessions somebody may be writing: those that a client or a run
// of ours has open, and those that were written a moment ago. It looks once for all of
// them.
func (mg *Manager) liveness(ctx context.Context) func(i *item) error {
	var known map[sesskeep.Key]freshness.SessionState
	var held runs.Held
	var failed error
	return func(i *item) error {
		if known == nil && failed == nil {
			if known, failed = mg.running(ctx); failed == nil {
				held, failed = mg.opts.Living.Sessions(ctx)
			}
		}
		if failed != nil {
			return failed
		}
		if s, ok := known[i.key()]; ok && (s.Client != nil || s.State.Runs()) {
			return fmt.Errorf("%w: %s", errcode.ErrLive, s.State.Word)
		}
		if r, ok := held.In(i.home.Store.Root(), i.id); ok {
			return fmt.Errorf("%w: run %s has it", errcode.ErrLive, r.ID)
		}
		return i.justWritten(mg.opts.Now())
	}
}

func (mg *Manager) running(ctx context.Context) (map[sesskeep.Key]freshness.SessionState, error) {
	states, err := mg.index.States(ctx, mg.opts.Now())
	known := map[sesskeep.Key]freshness.SessionState{}
	for _, s := range states {
		known[s.Key] = s
	}
	return known, err
}

// justWritten refuses a session of which a transcript was written a moment ago.
func (i *item) justWritten(now time.Time) error {
	store := i.home.Disk()
	if store == nil {
		return nil
	}
	f, err := store.Family(i.id)
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
		info := store.Stat(ref.File)
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
