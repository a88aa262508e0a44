package vault

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep"
)

// Kept is what was copied.
type Kept struct {
	Families int   // that were compared with their copies
	Files    int   // of these families
	Copied   int   // files that differed
	Bytes    int64 // copied
	Gone     int   // files that are not there any more, noticed now
	Healed   int   // boxes that were damaged, and are whole again
	Problems []Problem
}

// Problem is a file that could not be copied.
type Problem struct {
	Name string
	Err  error
}

func (k *Kept) add(other Kept) {
	k.Families += other.Families
	k.Healed += other.Healed
	k.Files += other.Files
	k.Copied += other.Copied
	k.Bytes += other.Bytes
	k.Gone += other.Gone
	k.Problems = append(k.Problems, other.Problems...)
}

// Keeper copies what a home has.
type Keeper struct {
	boxes   *boxes
	reader  *reader
	forks   *forks
	healer  *healer
	remover *Remover
	checker *Checker
	o       Options
	marks   marks

	mu      sync.Mutex
	damaged map[boxKey]bool // boxes whose damage was known when the last sweep started
}

// tries is how often a family that changes while it is copied is copied again.
const tries = 5

// atOnce is no rest: everything is compressed.
const atOnce = -100 * 365 * 24 * time.Hour

// KeepFamily copies everything of a session. It fails unless all of it is kept,
// as it was at one moment.
func (k *Keeper) KeepFamily(ctx context.Context, store *sesskeep.Store, id sesskeep.SessionID) (Kept, error) {
	var all Kept
	for range tries {
		c, err := familyCensus(store, id)
		if err != nil {
			return all, err
		}
		c.home()
		all.Problems = c.unread
		before := all.Copied
		for _, key := range sortedKeys(c.boxes) {
			kept, err := k.keepBox(ctx, store, key, c.boxes[key], atOnce)
			all.add(kept)
			if err != nil {
				return all, &sesskeep.Error{Op: "keep", Name: string(id), Err: err}
			}
		}
		if len(all.Problems) == 0 && all.Copied == before {
			return all, nil // and so nothing changed since the last try
		}
	}
	if len(all.Problems) > 0 {
		p := all.Problems[0]
		return all, &sesskeep.Error{Op: "keep", Name: store.Path(p.Name), Err: p.Err}
	}
	return all, nil // it is being written all the time
}

// KeepFiles copies the families of some files that changed, and what belongs to
// no session.
func (k *Keeper) KeepFiles(ctx context.Context, store *sesskeep.Store, names []string) (all Kept, err error) {
	c := newCensus(store)
	for _, name := range names {
		key, ok := keyOf(store, name)
		if !ok {
			continue
		}
		if err := k.list(c, key); err != nil {
			return all, err
		}
		// Only the lines of a flat agent say where it belongs.
		if _, isFile := store.Ref(name); isFile && !slices.Contains(c.boxes[key], name) {
			c.add(key, name)
		}
	}
	all.Problems = c.unread
	for _, key := range sortedKeys(c.boxes) {
		kept, err := k.keepBox(ctx, store, key, c.boxes[key], k.o.Rest)
		all.add(kept)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// keyOf is the box of a file.
func keyOf(store *sesskeep.Store, name string) (boxKey, bool) {
	dir, ok := projectOf(name)
	if !ok {
		return boxKey{}, name == "history.jsonl" || strings.HasPrefix(name, "paste-cache/") || strings.HasPrefix(name, "plans/")
	}
	parts := strings.Split(name, "/")
	id := strings.TrimSuffix(parts[2], ".jsonl")
	if sesskeep.IsUUID(id) {
		return boxKey{dir, sesskeep.SessionID(id)}, true
	}
	ref, ok := store.Ref(name)
	parent := store.Parent(ref)
	return boxKey{dir, parent}, ok && parent != ""
}

// list adds the files of a box to a census, once.
func (k *Keeper) list(c *census, key boxKey) error {
	if _, have := c.boxes[key]; have {
		return nil
	}
	if key == (boxKey{}) {
		c.home()
		return nil
	}
	b, err := k.boxes.load(key)
	if err != nil {
		return err
	}
	c.box(key, b.names())
	return nil
}

func sortedKeys(boxes map[boxKey][]string) []boxKey {
	return slices.SortedFunc(maps.Keys(boxes), func(a, b boxKey) int {
		return strings.Compare(string(a.dir)+"/"+string(a.session), string(b.dir)+"/"+string(b.session))
	})
}

// keepBox brings a box up to date. The box is locked only if something differs.
// One that is damaged is healed first.
func (k *Keeper) keepBox(ctx context.Context, store *sesskeep.Store, key boxKey, names []string, rest time.Duration) (Kept, error) {
	kept := Kept{Files: len(names)}
	if key != (boxKey{}) && len(names) > 0 {
		kept.Families = 1
	}
	b, err := k.boxes.load(key)
	if err != nil {
		return kept, err
	}
	var force map[string]bool
	flawed, incomplete := len(b.flaws) > 0, b.incomplete()
	if len(names) > 0 && (incomplete || k.knownDamaged(key)) {
		if force, err = k.healer.heal(ctx, store, key); err != nil {
			return kept, err
		}
	}
	for {
		s := &step{keeper: k, store: store, rest: rest, force: force}
		err := s.keep(ctx, key, names)
		kept.add(s.kept)
		if err == nil && !s.long && flawed {
			err = k.healer.amend(ctx, store, key)
		}
		if err != nil {
			return kept, err
		}
		if !s.long {
			kept.Healed = k.healed(key, incomplete)
			return kept, nil
		}
		force = nil
	}
}

// healed is 1 for a box that was incomplete and is not any more. Damage that was known
// before this sweep does not count: its end shows in the Health.
func (k *Keeper) healed(key boxKey, incomplete bool) int {
	if !incomplete || k.knownDamaged(key) {
		return 0
	}
	if b, err := k.boxes.load(key); err != nil || b.incomplete() {
		return 0
	}
	return 1
}

// knownDamaged reports whether damage in a box was noted before this sweep.
func (k *Keeper) knownDamaged(key boxKey) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.damaged[key]
}

// String says what was done.
func (k Kept) String() string {
	return fmt.Sprintf("%d of %d files copied, %d bytes", k.Copied, k.Files, k.Bytes)
}
