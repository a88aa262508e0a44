package vault

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"sesskeep"
)

// SweepOptions say how a sweep goes.
type SweepOptions struct {
	Workers int // folders that are copied at the same time; 0: one
	// Skip reports the folders that must not be kept.
	Skip func(sesskeep.ProjectKey) bool
	// Progress is called after every family. Calls do not overlap.
	Progress func(done, total int, k Kept)
	// Room is called before every family; an error says that there is no room, and ends
	// the sweep.
	Room func() error
}

// Sweep copies everything of a home that is not kept yet, and notes what is gone.
// A file that cannot be copied is a Problem; an error ends the sweep.
func (k *Keeper) Sweep(ctx context.Context, store *sesskeep.Store, o SweepOptions) (Kept, error) {
	c, err := homeCensus(store, o.Skip)
	if err != nil {
		return Kept{}, err
	}
	before, err := k.boxes.layout.keys()
	if err != nil {
		return Kept{}, err
	}
	for _, key := range before { // their files may all be gone
		if _, ok := c.boxes[key]; !ok && (o.Skip == nil || !o.Skip(key.dir)) {
			c.boxes[key] = nil
		}
	}
	known := k.checker.Health()
	damaged := known.damaged()
	k.mu.Lock()
	k.damaged = damaged
	k.mu.Unlock()
	s := &sweep{keeper: k, store: store, o: o, boxes: c.boxes, total: len(c.boxes)}
	kept, err := s.run(ctx)
	kept.Problems = slices.Concat(absence(store, before), c.unread, kept.Problems)
	if err == nil && (kept.Copied+kept.Gone > 0 || k.boxes.catalog.summaries() == nil) {
		err = k.boxes.writeCatalog(ctx, sortedKeys(c.boxes))
	}
	if err == nil && len(damaged) > 0 {
		err = k.checker.recheck(ctx, damaged)
	}
	return kept, err
}

// sweep is a Sweep under way.
type sweep struct {
	keeper *Keeper
	store  *sesskeep.Store
	o      SweepOptions
	boxes  map[boxKey][]string
	total  int

	mu   sync.Mutex
	done int
	kept Kept
	err  error
}

// run gives each worker one folder after the other: only one
// process or worker at a time can change a folder.
func (s *sweep) run(ctx context.Context) (Kept, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	folders := map[sesskeep.ProjectKey][]boxKey{}
	for _, key := range sortedKeys(s.boxes) {
		folders[key.dir] = append(folders[key.dir], key)
	}
	for _, keys := range folders { // a fork is smaller if what it is of is kept before
		s.byAge(keys)
	}
	work := make(chan []boxKey)
	var wg sync.WaitGroup
	for range max(1, s.o.Workers) {
		wg.Go(func() {
			for keys := range work {
				if err := s.folder(ctx, keys); err != nil {
					s.fail(err)
					cancel()
				}
			}
		})
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		select {
		case work <- folders[dir]:
		case <-ctx.Done():
		}
	}
	close(work)
	wg.Wait()
	if s.err == nil {
		s.err = ctx.Err()
	}
	return s.kept, s.err
}

// byAge puts the sessions first that were written first.
func (s *sweep) byAge(keys []boxKey) {
	at := map[boxKey]int64{}
	for _, key := range keys {
		mark, _ := s.store.Files().Stamp(mainName(key))
		at[key] = mark.Modtime
	}
	slices.SortStableFunc(keys, func(a, b boxKey) int { return cmp.Compare(at[a], at[b]) })
}

func (s *sweep) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

func (s *sweep) folder(ctx context.Context, keys []boxKey) error {
	if err := s.keeper.remover.clean(ctx, keys[0].dir); err != nil {
		return err
	}
	for _, key := range keys {
		if ctx.Err() != nil {
			return nil
		}
		if s.o.Room != nil {
			if err := s.o.Room(); err != nil {
				return err
			}
		}
		k, err := s.keeper.keepBox(ctx, s.store, key, s.boxes[key], s.keeper.o.Rest)
		if errors.Is(err, ErrNewer) { // it is left alone, and the others are copied
			k.Problems = append(k.Problems, Problem{mainName(key), cause(err)})
		} else if err != nil {
			return err
		}
		s.mu.Lock()
		s.done++
		s.kept.add(k)
		if s.o.Progress != nil {
			s.o.Progress(s.done, s.total, s.kept)
		}
		s.mu.Unlock()
	}
	return nil
}
