package health

import (
	"context"
	"errors"
	"slices"
	"sync"

	"sesskeep"
	"sesskeep/internal/homes"
	"sesskeep/internal/secrets"
)

// Written is a secret that was written while a [SecretWatch] ran. It never has the secret.
type Written struct {
	Root    string             `json:"root"`      // directory of the session's home
	Session sesskeep.SessionID `json:"sessionId"` // id of the session
	secrets.Found
}

// SecretWatch finds secrets while sessions write them.
type SecretWatch struct {
	homes     *homes.Set
	followers map[string]*secrets.Follower // by the root of the home

	mu      sync.Mutex
	changed []changedSession
	more    chan struct{}
}

type changedSession struct {
	root string
	key  sesskeep.Key
}

// WatchSecrets starts a watch for secrets that are written from now on. Changed reports a change
// to it, and Run finds the secrets.
func (ck *Checker) WatchSecrets(ctx context.Context) (*SecretWatch, error) {
	finder, err := secrets.New(ck.opts.Secrets)
	if err != nil {
		return nil, err
	}
	w := &SecretWatch{homes: ck.homes, followers: map[string]*secrets.Follower{}, more: make(chan struct{}, 1)}
	for _, h := range ck.homes.List {
		w.followers[h.Store.Root()] = finder.Follow(h.Store.Files().Disk())
	}
	list, err := ck.checkList(ctx, CheckOptions{})
	if err != nil {
		return nil, err
	}
	for i := range list {
		if err := w.followers[list[i].home.Store.Root()].Skip(&list[i].family); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Changed says that a session was written to. It does not wait.
func (w *SecretWatch) Changed(root string, key sesskeep.Key) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one := (changedSession{root, key}); !slices.Contains(w.changed, one) {
		w.changed = append(w.changed, one)
	}
	select {
	case w.more <- struct{}{}:
	default: // Run knows already
	}
}

// Run gives the secrets that were written to changed sessions, until the context ends or
// give returns an error, which is then its own.
func (w *SecretWatch) Run(ctx context.Context, give func(Written) error) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.more:
		}
		w.mu.Lock()
		changed := w.changed
		w.changed = nil
		w.mu.Unlock()
		for _, one := range changed {
			if err := w.give(ctx, one, give); err != nil {
				return err
			}
		}
	}
}

// give gives what was written to one session.
func (w *SecretWatch) give(ctx context.Context, one changedSession, give func(Written) error) error {
	h := w.homes.At(one.root)
	if h == nil {
		return nil // it was removed from the list
	}
	family, err := h.Store.With(h.Store.Files().Disk()).Family(one.key.Session)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return nil // it is gone
	}
	if err != nil && !errors.Is(err, sesskeep.ErrIncomplete) {
		return err
	}
	found, err := w.followers[one.root].Written(ctx, &family)
	for _, f := range found {
		if err := give(Written{one.root, one.key.Session, f}); err != nil {
			return err
		}
	}
	return err
}
