package vault

import (
	"context"
	"errors"
	"slices"
	"time"
)

// scrubShare is how much of the copies is checked in a day, and scrubPause how long
// nothing is.
const (
	scrubShare = 0.01
	scrubPause = time.Hour
)

// Scrub checks as much of the copies as is due since the last time: a hundredth a
// day, at least one box. It goes on where it ended, and notes what it finds.
func (h *Home) Scrub(ctx context.Context) error {
	known, now := h.health.read(), h.vault.o.Now()
	pause := now.Sub(known.Checked)
	if pause >= 0 && pause < scrubPause {
		return nil
	}
	keys, err := h.layout.keys()
	if err != nil || len(keys) == 0 {
		return err
	}
	size, err := h.Size()
	if err != nil {
		return err
	}
	budget := int64(float64(size) * scrubShare * min(1, max(pause, scrubPause).Hours()/24))
	keys = append([]boxKey{{}}, keys...)
	at := max(0, slices.IndexFunc(keys, func(key boxKey) bool { return key.text() == known.Next }))
	var r Verified
	seen := map[boxKey]bool{}
	for ; at < len(keys) && (len(seen) == 0 || r.Bytes < budget) && ctx.Err() == nil; at++ {
		if err := h.check(keys[at], &r); err != nil {
			return err
		}
		seen[keys[at]] = true
	}
	return h.health.change(ctx, func(known *Health) {
		known.replace(seen, r.Flaws)
		known.Checked, known.Next = now, ""
		if at < len(keys) {
			known.Next = keys[at].text()
		} else {
			known.Whole = now
		}
	})
}

// recheck looks again at boxes in which there was damage.
func (h *Home) recheck(ctx context.Context, keys map[boxKey]bool) error {
	var r Verified
	for key := range keys {
		if err := h.check(key, &r); err != nil {
			return err
		}
	}
	return h.health.change(ctx, func(known *Health) { known.replace(keys, r.Flaws) })
}

// replace puts what was found in some boxes in the place of what was known of them.
func (r *Health) replace(keys map[boxKey]bool, flaws []Flaw) {
	r.Flaws = slices.DeleteFunc(r.Flaws, func(f Flaw) bool { return keys[f.key()] })
	r.Flaws = append(r.Flaws, flaws...)
}

// damaged are the boxes in which damage is known.
func (r *Health) damaged() map[boxKey]bool {
	keys := map[boxKey]bool{}
	for _, f := range r.Flaws {
		keys[f.key()] = true
	}
	return keys
}

// key is the box that a flaw is in.
func (f *Flaw) key() boxKey { return boxKey{f.Dir, f.Session} }

// Verify reads everything that is kept of the home, and compares it with the
// checksums that were written. Progress is told how far it is; it may be nil.
func (h *Home) Verify(ctx context.Context, progress func(done, total int, bytes int64)) (Verified, error) {
	keys, err := h.layout.keys()
	if err != nil {
		return Verified{}, err
	}
	keys = append(keys, boxKey{})
	var r Verified
	keys, err = h.allKeys(keys)
	if err != nil {
		return r, err
	}
	for i, key := range keys {
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err := h.check(key, &r); err != nil {
			return r, err
		}
		if progress != nil {
			progress(i+1, len(keys), r.Bytes)
		}
	}
	now := h.vault.o.Now()
	if h.Any() { // what cannot be noted is in the answer
		_ = h.health.change(ctx, func(known *Health) {
			known.Checked, known.Whole, known.Next, known.Flaws = now, now, "", r.Flaws
		})
	}
	return r, nil
}

// allKeys adds the boxes that are not there any more.
func (h *Home) allKeys(keys []boxKey) ([]boxKey, error) {
	there := map[boxKey]bool{}
	for _, key := range keys {
		there[key] = true
	}
	entries, err := decodeCatalog(h.layout.catalog())
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewer) { // which is found with the home
		err = nil
	}
	for i := range entries {
		if !there[entries[i].key()] {
			keys = append(keys, entries[i].key())
		}
	}
	return keys, missing(err)
}
