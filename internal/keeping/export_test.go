package keeping

import (
	"context"
	"sync"

	"sesskeep/internal/live"
)

// What the tests look at.

// NewKeeper makes a keeper that does not run.
func (k *Copies) NewKeeper() *Keeper { return k.newKeeper() }

// Note makes a file due.
func (k *Keeper) Note(ev *live.Event) { k.note(ev) }

// Keep copies what is due.
func (k *Keeper) Keep(ctx context.Context, sweeps *sync.WaitGroup) { k.keep(ctx, sweeps) }

// Prune makes room.
func (k *Copies) Prune(ctx context.Context) error { return k.prune(ctx) }
