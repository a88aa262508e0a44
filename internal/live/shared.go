package live

import (
	"context"
	"errors"
	"sync"
)

// Shared is the one Hub of a process. It runs while somebody uses it. The zero
// value is ready to use.
type Shared struct {
	mu  sync.Mutex
	run *sharedRun // nil: not in use
}

// sharedRun is one life of a Shared Hub.
type sharedRun struct {
	hub   *Hub
	users int             // guarded by Shared.mu
	ctx   context.Context // ends with the Hub
	stop  context.CancelCauseFunc
	ended chan struct{} // closed when nothing of the Hub runs any more
}

// Use calls do with the Hub when that is Ready. The first who comes starts it
// with its Options; the last who leaves ends it and waits for that. A Hub that
// fails ends the context of do, and its error is returned.
func (s *Shared) Use(ctx context.Context, o Options, do func(context.Context, *Hub) error) error {
	r := s.enter(o)
	defer s.leave(r)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(r.ctx, stop)()
	var err error
	select {
	case <-r.hub.Ready():
		err = do(ctx, r.hub)
	case <-ctx.Done():
		err = ctx.Err()
	}
	if fault := context.Cause(r.ctx); fault != nil && !errors.Is(fault, context.Canceled) {
		return fault
	}
	return err
}

// Current returns the Hub if it runs and is Ready, else nil.
func (s *Shared) Current() *Hub {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil || s.run.ctx.Err() != nil {
		return nil
	}
	select {
	case <-s.run.hub.Ready():
		return s.run.hub
	default:
		return nil
	}
}

func (s *Shared) enter(o Options) *sharedRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil || s.run.ctx.Err() != nil {
		r := &sharedRun{hub: New(o), ended: make(chan struct{})}
		r.ctx, r.stop = context.WithCancelCause(context.Background())
		go func() {
			defer close(r.ended)
			r.stop(r.hub.Run(r.ctx))
		}()
		s.run = r
	}
	s.run.users++
	return s.run
}

// leave ends the Hub with its last user. Who comes meanwhile waits, so that
// there are never two.
func (s *Shared) leave(r *sharedRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.users--; r.users > 0 {
		return
	}
	r.stop(nil)
	<-r.ended
	if s.run == r {
		s.run = nil
	}
}
