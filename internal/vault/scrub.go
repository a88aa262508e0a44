package vault

import (
	"context"
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
