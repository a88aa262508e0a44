package app

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/homes"
	"sesskeep/internal/vault"
)

// KeepPolicy is what the user has said about copies.
type KeepPolicy = vault.Policy

// Why keeping stops.
var (
	ErrQuota = vault.ErrQuota
	ErrFull  = vault.ErrFull
)

// KeepPolicy reads what the user has said about copies. Without a data directory
// this and whatever else is about copies is [errcode.Conflict].
func (a *App) KeepPolicy() (KeepPolicy, error) {
	if a.Homes.Vault == nil {
		return KeepPolicy{}, errcode.ErrNoCopies
	}
	return a.Homes.Vault.Policy()
}

// SetKeepPolicy changes what the user has said about copies. Errors are those of
// KeepPolicy.
func (a *App) SetKeepPolicy(change func(p *KeepPolicy)) (KeepPolicy, error) {
	p, err := a.KeepPolicy()
	if err != nil {
		return p, err
	}
	change(&p)
	return p, a.Homes.Vault.SetPolicy(p)
}

// policyNotes say what is wrong with what the user has said about copies.
func (a *App) policyNotes() []string {
	p, err := a.KeepPolicy()
	switch {
	case errors.Is(err, errcode.ErrNoCopies):
		return nil
	case err != nil:
		return []string{"nothing is copied: " + err.Error()}
	case p.Problem != "":
		return []string{p.Problem}
	}
	return nil
}

// KeepReport is what a copying did.
type KeepReport struct {
	Sessions int   `json:"sessionCount"` // that were looked at
	Files    int   `json:"fileCount"`
	Copied   int   `json:"copiedCount"` // files of which something was copied
	Bytes    int64 `json:"copiedSize"`
	Gone     int   `json:"goneCount"` // files that were deleted, noticed now
	// Repaired is how many damaged places were made again from their sources.
	Repaired int           `json:"repairedCount,omitempty"`
	Problems []KeepProblem `json:"problems"`
	Stopped  string        `json:"stopped,omitempty"` // why not all was copied
}

// KeepProblem is a file that could not be copied.
type KeepProblem struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

func (r *KeepReport) add(h *homes.Home, k vault.Kept) {
	r.Sessions += k.Families
	r.Files += k.Files
	r.Copied += k.Copied
	r.Bytes += k.Bytes
	r.Gone += k.Gone
	r.Repaired += k.Healed
	for _, p := range k.Problems {
		r.Problems = append(r.Problems, KeepProblem{h.Store.Path(p.Name), errcode.PlainReason(p.Err)})
	}
}

// KeepNow copies everything that is not kept yet, of all homes. Progress is told
// how far it is; it may be nil. At the end of the room the report says why it
// stopped. [errcode.Held] is that another process copies.
func (a *App) KeepNow(ctx context.Context, progress func(done, total int, bytes int64)) (KeepReport, error) {
	r := KeepReport{Problems: []KeepProblem{}}
	p, err := a.KeepPolicy()
	if err != nil {
		return r, err
	}
	if err := a.Homes.Vault.SealPolicy(p); err != nil {
		return r, err
	}
	room, damaged := a.room(ctx, p), len(a.copyHealth().Flaws)
	for _, h := range a.Homes.List {
		store := h.Disk()
		if store == nil {
			continue
		}
		before := r.Bytes
		k, err := h.Copies.Sweep(ctx, store, vault.SweepOptions{
			Workers: runtime.GOMAXPROCS(0), Skip: p.Skips, Room: room.check,
			Progress: func(done, total int, k vault.Kept) {
				room.used(k.Bytes)
				if progress != nil {
					progress(done, total, before+k.Bytes)
				}
			},
		})
		r.add(h, k)
		if errors.Is(err, ErrQuota) || errors.Is(err, ErrFull) {
			r.Stopped = err.Error()
			return r, a.Homes.Vault.Stop(r.Stopped)
		}
		if err != nil {
			return r, err
		}
	}
	r.Repaired += max(0, damaged-len(a.copyHealth().Flaws))
	return r, a.Homes.Vault.Stop("")
}

// room asks now and then whether there is room for more copies, for all who copy
// at the same time.
type room struct {
	ask  func() error
	tidy func() error // makes room

	mu     sync.Mutex
	next   int64 // ask when so many bytes were copied
	copied int64
	calls  int
}

// roomStep is after how many bytes, or families, the room is asked for again.
const (
	roomStep     = 64 << 20
	roomFamilies = 256
)

func (a *App) room(ctx context.Context, p KeepPolicy) *room {
	return &room{
		ask:  func() error { return a.Homes.Vault.Room(p) },
		tidy: func() error { return a.pruneCopies(ctx) },
	}
}

// pruneCopies drops versions of living sessions that are not the newest, but
// nothing of those that are archived.
func (a *App) pruneCopies(ctx context.Context) error {
	archived := map[sesskeep.Key]bool{}
	if store := a.labels(); store != nil {
		all, err := store.All(ctx)
		if err != nil {
			return err
		}
		for key, l := range all {
			archived[key] = !l.Archived.IsZero()
		}
	}
	for _, h := range a.Homes.List {
		if h.Copies == nil {
			continue
		}
		if err := h.Copies.Prune(ctx, func(id sesskeep.SessionID) bool { return archived[h.Key(id)] }); err != nil {
			return err
		}
	}
	return nil
}

func (r *room) used(bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.copied = max(r.copied, bytes)
}

// check returns why there is no room. Before that, old versions of what is still
// there are dropped.
func (r *room) check() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	if r.copied < r.next && r.calls%roomFamilies != 1 {
		return nil
	}
	r.next = r.copied + roomStep
	err := r.ask()
	if err == nil {
		return nil
	}
	if errTidy := r.tidy(); errTidy != nil {
		return errTidy
	}
	return r.ask()
}

// KeepSession copies everything of one session. It fails unless all of it is
// kept. [errcode.Held] is that another process copies.
func (a *App) KeepSession(ctx context.Context, t catalog.Target) error {
	h := a.Homes.At(t.Store.Root())
	if h == nil || h.Copies == nil {
		return errcode.ErrNoCopies
	}
	store := h.Disk()
	if store == nil || store.Missing(t.Ref.File) {
		return nil // our copy is all there is
	}
	_, err := h.Copies.KeepFamily(ctx, store, t.Ref.Session)
	return err
}

// KeepHooked copies a session that a hook names, if copies are kept at all.
func (a *App) KeepHooked(ctx context.Context, id sesskeep.SessionID) error {
	p, err := a.KeepPolicy()
	if err != nil || !p.On {
		return err
	}
	if err := a.Homes.Vault.Room(p); err != nil {
		return errors.Join(err, a.Homes.Vault.Stop(err.Error()))
	}
	for _, h := range a.Homes.List {
		store := h.Disk()
		if store == nil {
			continue
		}
		refs, err := store.Sessions(string(id))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(refs, func(r sesskeep.Ref) bool { return p.Skips(r.Dir) }) {
			continue
		}
		if len(refs) > 0 {
			if _, err := h.Copies.KeepFamily(ctx, store, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// DropCopies removes everything that is kept of one session. It is [errcode.Held]
// while another process copies.
func (a *App) DropCopies(ctx context.Context, t catalog.Target) error {
	h := a.Homes.At(t.Store.Root())
	if h == nil || h.Copies == nil {
		return nil
	}
	return h.Copies.Drop(ctx, t.Ref.Session, slugs(t)...)
}

// slugs are what the plans of a session are named by.
func slugs(t catalog.Target) []string {
	if d, err := t.Store.Digest(t.Ref.File); err == nil && d.Slug != "" {
		return []string{d.Slug}
	}
	return nil
}
