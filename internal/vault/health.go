package vault

import (
	"context"
	"encoding/json"
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

// maxHealth bounds what is read of it, and maxFlaws what is written.
const (
	maxHealth = 16 << 20
	maxFlaws  = 1000
)

// Health returns what is known. One that cannot be read says nothing.
func (h *Home) Health() (r Health) {
	data, err := regular.ReadFile(h.layout.health(), maxHealth)
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
	l, err := h.locks.wait(ctx, h.layout.health()+".lock")
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
	return disk.WriteFile(h.vault.o.Disk, h.layout.health(), withSum(data), 0o600)
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
