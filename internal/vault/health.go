package vault

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// Health is what is known of the copies of a home: what was found the last time they
// were read.
type Health struct {
	Checked time.Time `json:"checked,omitzero"` // when some of them were last compared with their checksums
	Whole   time.Time `json:"whole,omitzero"`   // when all of them had been
	Next    string    `json:"next,omitempty"`   // the box that is checked next
	Flaws   []Flaw    `json:"flaws,omitempty"`  // that were found, and are not mended
}

// healthName is a file with the Health of a home, behind its checksum. It can be
// made again.
const healthName = "health"

// maxHealth bounds what is read of it, and maxFlaws what is written.
const (
	maxHealth = 16 << 20
	maxFlaws  = 1000
)

func (h *Home) healthPath() string { return filepath.Join(h.dir, healthName) }

// Health returns what is known. One that cannot be read says nothing.
func (h *Home) Health() (r Health) {
	data, err := regular.ReadFile(h.healthPath(), maxHealth)
	if err != nil {
		return r
	}
	text, err := checked(data)
	if err != nil || json.Unmarshal(text, &r) != nil {
		return Health{}
	}
	return r
}

// changeHealth changes what is known, while no other process can.
func (h *Home) changeHealth(ctx context.Context, change func(r *Health)) error {
	l, err := h.wait(ctx, h.healthPath()+".lock")
	if err != nil {
		return err
	}
	defer l.Release()
	r := h.Health()
	change(&r)
	r.Flaws = r.Flaws[:min(len(r.Flaws), maxFlaws)]
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return disk.WriteFile(h.vault.o.Disk, h.healthPath(), withSum(data), 0o600)
}

// note remembers damage that somebody met who only wanted to read, so that the next
// sweep mends it.
func (h *Home) note(key boxKey, path, name string) {
	f := Flaw{Path: path, Name: name, Reason: "is damaged", Dir: key.dir, Session: key.session}
	h.mu.Lock()
	seen := slices.Contains(h.noted, f)
	h.noted = append(h.noted, f)
	h.mu.Unlock()
	if seen {
		return
	}
	_ = h.changeHealth(context.Background(), func(r *Health) { // the reader has the error anyway
		if !slices.Contains(r.Flaws, f) {
			r.Flaws = append(r.Flaws, f)
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
	return h.changeHealth(ctx, func(known *Health) { known.replace(keys, r.Flaws) })
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

// scrubShare is how much of the copies is checked in a day, and scrubPause how long
// nothing is.
const (
	scrubShare = 0.01
	scrubPause = time.Hour
)

// Scrub checks as much of the copies as is due since the last time: a hundredth a
// day, at least one box. It goes on where it ended, and notes what it finds.
func (h *Home) Scrub(ctx context.Context) error {
	known, now := h.Health(), h.vault.o.Now()
	pause := now.Sub(known.Checked)
	if pause >= 0 && pause < scrubPause {
		return nil
	}
	keys, err := h.keys()
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
	return h.changeHealth(ctx, func(known *Health) {
		known.replace(seen, r.Flaws)
		known.Checked, known.Next = now, ""
		if at < len(keys) {
			known.Next = keys[at].text()
		} else {
			known.Whole = now
		}
	})
}

func (key boxKey) text() string { return string(key.dir) + "/" + string(key.session) }

// key is the box that a flaw is in.
func (f *Flaw) key() boxKey { return boxKey{f.Dir, f.Session} }

// Forgive takes out of the catalogue what is lost: nothing can be done about it.
func (h *Home) Forgive(ctx context.Context) error {
	lost := false
	entries, err := decodeCatalog(h.catalogPath())
	if err != nil {
		return missing(err)
	}
	for i := range entries {
		lost = lost || len(entries[i].Lost) > 0
	}
	if !lost {
		return nil
	}
	return h.changeCatalog(ctx, func(known map[boxKey]entry) (left []entry, _ error) {
		for _, e := range known {
			if e.Lost = nil; e.Seq > 0 {
				left = append(left, e)
			}
		}
		return left, nil
	})
}
