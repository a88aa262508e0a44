package keeping

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/internal/errcode"
	"sesskeep/internal/homes"
	"sesskeep/internal/live"
	"sesskeep/internal/vault"
)

// Keeper copies what is written while the process runs, once the user has agreed. A
// process has at most one.
//
//	Hub ── ranges ──▶ due ─┐
//	sessions at work ──────┼─ every 2 s ─▶ KeepFiles
//	history, pastes, plans ┘
//	start, now and then ─▶ KeepNow, in a goroutine of its own
type Keeper struct {
	copies *Copies
	cancel context.CancelFunc
	done   chan struct{}

	due    map[live.File]bool      // changed, and not copied
	active map[live.File]time.Time // transcripts that were written recently
	rest   map[*homes.Home]string  // state of the files that belong to no session
	swept  time.Time

	mirrored  time.Time   // when copying to second places last started
	mirroring atomic.Bool // it is not finished
}

const (
	// keepPace is how long a line waits to be copied. Copies are synced, so it must
	// not be too short either.
	keepPace = 2 * time.Second
	// activeTime is how long the files around a session are checked after its
	// transcript was last written.
	activeTime = 10 * time.Minute
	// keepSweep is the time between two full sweeps: for changes that were not
	// reported, and for the ends of files that stopped growing.
	keepSweep = 10 * time.Minute
	// keepMirrors is the time between two comparisons with second places.
	keepMirrors = time.Minute
	// keepRetry is how long the keeper waits after an error.
	keepRetry = time.Second
)

// Start copies in the background until Stop: for fronts that stay open.
func (k *Copies) Start() *Keeper {
	one := k.newKeeper()
	ctx, cancel := context.WithCancel(context.Background())
	one.cancel = cancel
	go one.run(ctx)
	return one
}

func (k *Copies) newKeeper() *Keeper {
	return &Keeper{
		copies: k, done: make(chan struct{}),
		due: map[live.File]bool{}, active: map[live.File]time.Time{}, rest: map[*homes.Home]string{},
	}
}

func (k *Keeper) Stop() {
	k.cancel()
	<-k.done
}

func (k *Keeper) run(ctx context.Context) {
	defer close(k.done)
	var sweeps sync.WaitGroup
	defer sweeps.Wait()
	for ctx.Err() == nil {
		_ = k.copies.index.UseHub(ctx, func(ctx context.Context, hub *live.Hub) error {
			return k.follow(ctx, hub, &sweeps)
		})
		select {
		case <-time.After(keepRetry): // the Hub failed because of an error of ours
		case <-ctx.Done():
		}
	}
}

// follow copies what the Hub reports until ctx ends.
func (k *Keeper) follow(ctx context.Context, hub *live.Hub, sweeps *sync.WaitGroup) error {
	for ctx.Err() == nil {
		sub := hub.Subscribe(live.Interest{Ranges: true})
		k.swept = time.Time{} // the Hub does not report what happened before
		k.handleEvents(ctx, sub, sweeps)
		sub.Close()
	}
	return ctx.Err()
}

func (k *Keeper) handleEvents(ctx context.Context, sub *live.Subscription, sweeps *sync.WaitGroup) {
	tick := time.NewTicker(keepPace)
	defer tick.Stop()
	for {
		select {
		case ev, ok := <-sub.Events():
			if !ok {
				return
			}
			k.note(&ev)
		case <-tick.C:
			k.keep(ctx, sweeps)
		case <-ctx.Done():
			return
		}
	}
}

// note marks a changed file as due.
func (k *Keeper) note(ev *live.Event) {
	if ev.File == "" {
		return
	}
	file := live.File{Root: ev.Root, Name: ev.File}
	switch ev.Kind {
	case live.Lines, live.Replaced, live.Appeared:
		k.active[file] = k.copies.opts.Now()
	}
	k.due[file] = true
}

// keep copies what is due. What cannot be copied stays due.
func (k *Keeper) keep(ctx context.Context, sweeps *sync.WaitGroup) {
	p, err := k.copies.Policy()
	if err != nil || !p.On {
		clear(k.due)
		k.swept = time.Time{}
		return
	}
	if time.Since(k.swept) > keepSweep {
		k.swept = time.Now()
		sweeps.Go(func() { // Status reports errors
			_, _ = k.copies.Now(ctx, nil)
			k.copies.scrub(ctx)
		})
	}
	k.mirror(ctx, sweeps)
	now := k.copies.opts.Now()
	names := map[string][]string{}
	for file, at := range k.active {
		if now.Sub(at) > activeTime {
			delete(k.active, file)
		} else {
			k.due[file] = true // for the files around it
		}
	}
	for file := range k.due {
		if dir, ok := folderOf(file.Name); ok && !p.Skips(dir) {
			names[file.Root] = append(names[file.Root], file.Name)
		}
	}
	for _, h := range k.copies.homes.List {
		store := h.Disk()
		if store == nil {
			continue
		}
		if looks := homeFilesState(store); looks != k.rest[h] {
			k.rest[h] = looks
			names[h.Store.Root()] = append(names[h.Store.Root()], "history.jsonl")
		}
		if _, err = h.Copies.Keeper.KeepFiles(ctx, store, names[h.Store.Root()]); err != nil {
			delete(k.rest, h)
			break
		}
	}
	k.finishRound(ctx, err)
}

// mirror copies to the second places, if that is due.
func (k *Keeper) mirror(ctx context.Context, sweeps *sync.WaitGroup) {
	if time.Since(k.mirrored) < keepMirrors || !k.mirroring.CompareAndSwap(false, true) {
		return
	}
	k.mirrored = time.Now()
	sweeps.Go(func() { // Status reports those that are behind
		defer k.mirroring.Store(false)
		_, _ = k.copies.SyncMirrors(ctx, vault.SyncOptions{})
	})
}

// finishRound forgets what was copied, or records why it was not.
func (k *Keeper) finishRound(ctx context.Context, err error) {
	switch {
	case err == nil:
		clear(k.due)
	case ctx.Err() == nil && errcode.Of(err) != errcode.Held:
		_ = k.copies.homes.Vault.Stop(err.Error())
	}
}

// folderOf returns the project directory of a file, or the directory itself.
func folderOf(name string) (sesskeep.ProjectKey, bool) {
	rest, ok := strings.CutPrefix(name, "projects/")
	dir, _, _ := strings.Cut(rest, "/")
	return sesskeep.ProjectKey(dir), ok
}

// homeFilesState describes the files that belong to no session. Pastes are never
// rewritten, so it only checks their directory.
func homeFilesState(store *sesskeep.Store) string {
	var looks strings.Builder
	add := func(name string) {
		mark, _ := store.Files().Stamp(name)
		fmt.Fprintln(&looks, name, mark)
	}
	add("history.jsonl")
	add("paste-cache")
	entries, _ := store.Files().ReadDir("plans")
	for _, e := range entries {
		add(path.Join("plans", e.Name()))
	}
	return looks.String()
}
