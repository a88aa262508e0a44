// Package keeping keeps copies of what the client writes, before the client deletes
// it: on request, while a front stays open, and when a session ends. It reports what
// is kept, what is not and what will be deleted when, and restores copies.
package keeping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/vault"
)

// Options are the dependencies of Copies.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Catalog *catalog.Catalog
	Journal *acts.Journal // restores copies
	Now     func() time.Time
	// Exclude are directories of projects that are not kept besides those of the policy,
	// and Quota counts where the policy has none.
	Exclude []string
	Quota   int64
	// CaughtUp is called after a mirror of the copies has everything, and nothing that was removed;
	// nil: nothing is.
	CaughtUp func(ctx context.Context, dir string)
}

// Copies are the copies of what the client writes.
type Copies struct {
	opts    Options
	homes   *homes.Set
	index   *freshness.Index
	catalog *catalog.Catalog
}

// New returns Copies. It copies nothing until it is used.
func New(o Options) *Copies {
	return &Copies{opts: o, homes: o.Homes, index: o.Index, catalog: o.Catalog}
}

// Policy returns the user's decision about copies, with what is configured besides.
// Without a data directory, this and every other method about copies fails with
// [errcode.Conflict].
func (k *Copies) Policy() (vault.Policy, error) {
	p, err := k.decided()
	if err != nil {
		return p, err
	}
	p.Exclude = append(p.Exclude, k.opts.Exclude...)
	slices.Sort(p.Exclude)
	p.Exclude = slices.Compact(p.Exclude)
	p.Quota = cmp.Or(p.Quota, k.opts.Quota)
	return p, nil
}

// decided reads the user's decision alone, which is all that is written again.
func (k *Copies) decided() (vault.Policy, error) {
	if k.homes.Vault == nil {
		return vault.Policy{}, errcode.ErrNoCopies
	}
	return k.homes.Vault.Policy()
}

// SetPolicy changes the user's decision about copies. Errors are those of Policy.
func (k *Copies) SetPolicy(change func(p *vault.Policy)) (vault.Policy, error) {
	p, err := k.decided()
	if err != nil {
		return p, err
	}
	change(&p)
	return p, k.homes.Vault.SetPolicy(p)
}

// seal gives the file of the decision its checksum and its copy, if it lacks one.
func (k *Copies) seal() error {
	p, err := k.decided()
	if err != nil {
		return err
	}
	return k.homes.Vault.SealPolicy(p)
}

// Notes returns what a user should know about the copies.
func (k *Copies) Notes() []string {
	p, err := k.Policy()
	var notes []string
	switch {
	case errors.Is(err, errcode.ErrNoCopies):
		return nil
	case err != nil:
		notes = append(notes, "nothing is copied: "+err.Error())
	case p.Problem != "":
		notes = append(notes, p.Problem)
	}
	for _, h := range k.homes.List {
		if lacking := h.Copies.Incomplete(); len(lacking) > 0 {
			notes = append(notes, fmt.Sprintf("damaged copies: parts of %s are missing (%d in all); \"sesskeep keep verify\" lists them", lacking[0], len(lacking)))
		}
		if err := h.Copies.Uncatalogued(); err != nil {
			notes = append(notes, "the catalogue of copies cannot be read, so losses are not noticed: "+err.Error())
		}
	}
	return notes
}

// KeepReport is the result of copying.
type KeepReport struct {
	Sessions int           `json:"sessionCount"`            // sessions that were checked
	Files    int           `json:"fileCount"`               // files that were checked
	Copied   int           `json:"copiedCount"`             // files that were copied, whole or in part
	Bytes    int64         `json:"copiedSize"`              // bytes copied
	Gone     int           `json:"goneCount"`               // files whose deletion was noticed now
	Repaired int           `json:"repairedCount,omitempty"` // damaged copies that were made again from their sources
	Problems []KeepProblem `json:"problems"`                // files that could not be copied
	Stopped  string        `json:"stopped,omitempty"`       // why copying stopped early
	// Mirrors are the second places, and what was copied there.
	Mirrors []MirrorReport `json:"places"`
}

// KeepProblem is a file that could not be copied.
type KeepProblem struct {
	File   string `json:"file"`   // file that could not be copied
	Reason string `json:"reason"` // why it could not be copied
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

// Now copies everything in all homes that is not kept yet. It calls progress, which
// may be nil. If the disk fills up, the report says why it stopped. If another process
// is copying, the error is [errcode.Held].
func (k *Copies) Now(ctx context.Context, progress func(done, total int, bytes int64)) (KeepReport, error) {
	r := KeepReport{Problems: []KeepProblem{}, Mirrors: []MirrorReport{}}
	p, err := k.Policy()
	if err != nil {
		return r, err
	}
	if err := k.seal(); err != nil {
		return r, err
	}
	room, damaged := k.newSpaceCheck(ctx, p), len(k.Health().Flaws)
	for _, h := range k.homes.List {
		store := h.Disk()
		if store == nil {
			continue
		}
		before := r.Bytes
		kept, err := h.Copies.Keeper.Sweep(ctx, store, vault.SweepOptions{
			Workers: runtime.GOMAXPROCS(0), Skip: p.Skips, Room: room.check,
			Progress: func(done, total int, kept vault.Kept) {
				room.used(kept.Bytes)
				if progress != nil {
					progress(done, total, before+kept.Bytes)
				}
			},
		})
		r.add(h, kept)
		if errors.Is(err, vault.ErrQuota) || errors.Is(err, vault.ErrFull) {
			r.Stopped = err.Error()
			return r, k.homes.Vault.Stop(r.Stopped)
		}
		if err != nil {
			return r, err
		}
	}
	r.Repaired += max(0, damaged-len(k.Health().Flaws))
	if r.Mirrors, err = k.SyncMirrors(ctx, vault.SyncOptions{}); err != nil {
		return r, err
	}
	return r, k.homes.Vault.Stop("")
}

// spaceCheck checks now and then whether there is space for more copies, for all
// goroutines that copy.
type spaceCheck struct {
	ask  func() error
	tidy func() error // frees space

	mu     sync.Mutex
	next   int64 // check again when so many bytes were copied
	copied int64
	calls  int
}

// How many bytes, or families, are copied between checks of the space.
const (
	roomStep     = 64 << 20
	roomFamilies = 256
)

func (k *Copies) newSpaceCheck(ctx context.Context, p vault.Policy) *spaceCheck {
	return &spaceCheck{
		ask:  func() error { return k.homes.Vault.Room(p) },
		tidy: func() error { return k.Prune(ctx) },
	}
}

// Prune drops versions of existing sessions that are not the newest, but none of
// archived sessions.
func (k *Copies) Prune(ctx context.Context) error {
	archived := map[sesskeep.Key]bool{}
	if store := k.index.Labels(); store != nil {
		all, err := store.All(ctx)
		if err != nil {
			return err
		}
		for key, l := range all {
			archived[key] = !l.Archived.IsZero()
		}
	}
	for _, h := range k.homes.List {
		if h.Copies == nil {
			continue
		}
		if err := h.Copies.Remover.Prune(ctx, func(id sesskeep.SessionID) bool { return archived[h.Key(id)] }); err != nil {
			return err
		}
	}
	return nil
}

func (r *spaceCheck) used(bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.copied = max(r.copied, bytes)
}

// check returns why there is no space. Before that it drops old versions of what still
// exists.
func (r *spaceCheck) check() error {
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

// Session copies everything of one session. It fails unless all of it is kept. If
// another process is copying, the error is [errcode.Held].
func (k *Copies) Session(ctx context.Context, t catalog.Target) error {
	h := k.homes.At(t.Store.Root())
	if h == nil || h.Copies == nil {
		return errcode.ErrNoCopies
	}
	store := h.Disk()
	if store == nil || store.Files().Missing(t.Ref.File) {
		return nil // our copy is all there is
	}
	_, err := h.Copies.Keeper.KeepFamily(ctx, store, t.Ref.Session)
	return err
}

// Hooked copies a session that a hook names, if keeping is on.
func (k *Copies) Hooked(ctx context.Context, id sesskeep.SessionID) error {
	p, err := k.Policy()
	if err != nil || !p.On {
		return err
	}
	if err := k.homes.Vault.Room(p); err != nil {
		return errors.Join(err, k.homes.Vault.Stop(err.Error()))
	}
	for _, h := range k.homes.List {
		store := h.Disk()
		if store == nil {
			continue
		}
		refs, err := store.Find(string(id))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(refs, func(r sesskeep.Ref) bool { return p.Skips(r.Dir) }) {
			continue
		}
		if len(refs) > 0 {
			if _, err := h.Copies.Keeper.KeepFamily(ctx, store, id); err != nil {
				return err
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, hookedMirrors) // the client waits for a hook
	defer cancel()
	_, err = k.SyncMirrors(ctx, vault.SyncOptions{})
	if errors.Is(err, context.DeadlineExceeded) {
		return nil // the next one continues
	}
	return err
}

// hookedMirrors is how long a hook copies to second places.
const hookedMirrors = 20 * time.Second

// Drop removes all copies of one session. If another process is copying, the error is
// [errcode.Held].
func (k *Copies) Drop(ctx context.Context, t catalog.Target) error {
	h := k.homes.At(t.Store.Root())
	if h == nil || h.Copies == nil {
		return nil
	}
	return h.Copies.Remover.Drop(ctx, t.Ref.Session, slugs(t)...)
}

// slugs returns the names of the plans of a session.
func slugs(t catalog.Target) []string {
	if d, err := t.Store.Digest(t.Ref.File); err == nil && d.Slug != "" {
		return []string{d.Slug}
	}
	return nil
}
