package vault

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Checker compares the copies of a home with the checksums that were written, and keeps
// what it finds as the Health of the home.
type Checker struct {
	boxes  *boxes
	reader *reader
	health *healthFile
	now    func() time.Time
}

func (c *Checker) check() *check { return &check{boxes: c.boxes, reader: c.reader} }

// Health returns what is known of the copies.
func (c *Checker) Health() Health { return c.health.read() }

// ForgetLost removes the copies from the catalogue that are lost, once nothing can be
// done about them.
func (c *Checker) ForgetLost(ctx context.Context) error { return c.boxes.catalog.forgetLost(ctx) }

// scrubShare is how much of the copies is checked in a day, and scrubPause how long
// nothing is.
const (
	scrubShare = 0.01
	scrubPause = time.Hour
)

// Scrub checks as much of the copies as is due since the last time: a hundredth a
// day, at least one box. It continues where the last one ended, and notes what it finds.
func (c *Checker) Scrub(ctx context.Context) error {
	known, now := c.health.read(), c.now()
	pause := now.Sub(known.Checked)
	if pause >= 0 && pause < scrubPause {
		return nil
	}
	keys, err := c.boxes.layout.keys()
	if err != nil || len(keys) == 0 {
		return err
	}
	size, err := treeSize(c.boxes.layout.dir)
	if err != nil {
		return err
	}
	budget := int64(float64(size) * scrubShare * min(1, max(pause, scrubPause).Hours()/24))
	keys = append([]boxKey{{}}, keys...)
	at := max(0, slices.IndexFunc(keys, func(key boxKey) bool { return key.text() == known.Next }))
	check := c.check()
	seen := map[boxKey]bool{}
	for ; at < len(keys) && (len(seen) == 0 || check.found.Bytes < budget) && ctx.Err() == nil; at++ {
		if err := check.run(keys[at]); err != nil {
			return err
		}
		seen[keys[at]] = true
	}
	return c.health.change(ctx, func(known *Health) {
		known.replace(seen, check.found.Flaws)
		known.Checked, known.Next = now, ""
		if at < len(keys) {
			known.Next = keys[at].text()
		} else {
			known.Whole = now
		}
	})
}

// recheck checks boxes again in which there was damage.
func (c *Checker) recheck(ctx context.Context, keys map[boxKey]bool) error {
	check := c.check()
	for key := range keys {
		if err := check.run(key); err != nil {
			return err
		}
	}
	return c.health.change(ctx, func(known *Health) { known.replace(keys, check.found.Flaws) })
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
// checksums that were written. It calls progress after every box; progress may be nil.
func (c *Checker) Verify(ctx context.Context, progress func(done, total int, bytes int64)) (Verified, error) {
	keys, err := c.keys()
	if err != nil {
		return Verified{}, err
	}
	check := c.check()
	for i, key := range keys {
		if ctx.Err() != nil {
			return check.found, ctx.Err()
		}
		if err := check.run(key); err != nil {
			return check.found, err
		}
		if progress != nil {
			progress(i+1, len(keys), check.found.Bytes)
		}
	}
	now := c.now()
	if c.boxes.layout.any() { // what cannot be noted is in the answer
		_ = c.health.change(ctx, func(known *Health) {
			known.Checked, known.Whole, known.Next, known.Flaws = now, now, "", check.found.Flaws
		})
	}
	return check.found, nil
}

// keys lists all boxes, with those that only the catalogue knows any more.
func (c *Checker) keys() ([]boxKey, error) {
	keys, err := c.boxes.layout.keys()
	if err != nil {
		return nil, err
	}
	keys = append(keys, boxKey{})
	there := map[boxKey]bool{}
	for _, key := range keys {
		there[key] = true
	}
	entries, err := decodeCatalog(c.boxes.catalog.path)
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
