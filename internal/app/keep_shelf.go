package app

import (
	"context"
	"errors"
	"os"
	"path"
	"regexp"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/vault"
)

// trashed reports whether a session lies in the trash: then it was not deleted
// behind our back, and lists do not show its copy.
func (a *App) trashed(id sesskeep.SessionID) bool {
	s := NewShelf(a.opts.Data, a.now)
	info, err := os.Stat(s.TrashDir())
	if err != nil {
		return false
	}
	t := &a.trash
	t.mu.Lock()
	defer t.mu.Unlock()
	if !info.ModTime().Equal(t.at) {
		t.at, t.ids = info.ModTime(), map[sesskeep.SessionID]bool{}
		entries, _ := os.ReadDir(s.TrashDir())
		for _, e := range entries {
			if m, err := readManifest(s, e.Name()); err == nil {
				t.ids[m.Key.Session] = true
			}
		}
	}
	return t.ids[id]
}

// trashIDs are the sessions in the trash, as they were when it was last changed.
type trashIDs struct {
	mu  sync.Mutex
	at  time.Time
	ids map[sesskeep.SessionID]bool
}

// copyKeeper keeps families for ever, as archiving wants it.
type copyKeeper struct{ app *App }

// Keep makes sure that the copy of a session's family is complete.
func (k copyKeeper) Keep(ctx context.Context, store *sesskeep.Store, id sesskeep.SessionID) error {
	h := k.app.homeAt(store.Root())
	if disk := h.disk(); disk != nil {
		_, err := h.copies.KeepFamily(ctx, disk, id)
		if !errors.Is(err, sesskeep.ErrNotFound) {
			return err
		}
	}
	_, err := h.copies.Family(id) // our copy is all there is
	return err
}

// Forget removes the copies, and reports whether there were any.
func (k copyKeeper) Forget(ctx context.Context, store *sesskeep.Store, id sesskeep.SessionID) (bool, error) {
	h := k.app.homeAt(store.Root())
	f, err := h.copies.Family(id)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, h.copies.Drop(ctx, id, slugsOf(f)...)
}

// slugsOf are what the plans of a kept session are named by.
func slugsOf(f vault.Family) (slugs []string) {
	for _, m := range f.Members {
		r, err := m.Open()
		if err != nil || path.Base(m.Name) != string(f.Session)+".jsonl" {
			continue
		}
		head := make([]byte, min(m.Size, 1<<20))
		n, _ := r.ReadAt(head, 0) // what cannot be read names no plan
		for _, found := range slugPattern.FindAllSubmatch(head[:n], -1) {
			slugs = append(slugs, string(found[1]))
		}
		_ = r.Close()
	}
	slices.Sort(slugs)
	return slices.Compact(slugs)
}

var slugPattern = regexp.MustCompile(`"slug":"([a-z0-9-]{1,100})"`)
