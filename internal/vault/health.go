package vault

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
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
	Flaws   []Flaw    `json:"flaws,omitempty"`  // that were found, and are not healed
}

// maxHealth bounds what is read of it, and maxFlaws what is written.
const (
	maxHealth = 16 << 20
	maxFlaws  = 1000
)

// healthFile is the file with the Health of a home, behind its checksum.
type healthFile struct {
	path  string
	sys   disk.System
	locks locks

	mu    sync.Mutex
	noted []Flaw // by this process
}

// read returns what the file says. One that cannot be read says nothing.
func (f *healthFile) read() (r Health) {
	data, err := regular.ReadFile(f.path, maxHealth)
	if err != nil {
		return r
	}
	text, err := checked(data)
	if err != nil || json.Unmarshal(text, &r) != nil {
		return Health{}
	}
	return r
}

// change changes what the file says, while no other process can.
func (f *healthFile) change(ctx context.Context, change func(r *Health)) error {
	l, err := f.locks.wait(ctx, f.path+".lock")
	if err != nil {
		return err
	}
	defer l.Release()
	r := f.read()
	change(&r)
	r.Flaws = r.Flaws[:min(len(r.Flaws), maxFlaws)]
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return disk.WriteFile(f.sys, f.path, withSum(data), 0o600)
}

// note notes damage that a reader has met, so that the next sweep heals it.
func (f *healthFile) note(key boxKey, path, name string) {
	flaw := Flaw{Path: path, Name: name, Reason: "is damaged", Dir: key.dir, Session: key.session}
	f.mu.Lock()
	seen := slices.Contains(f.noted, flaw)
	f.noted = append(f.noted, flaw)
	f.mu.Unlock()
	if seen {
		return
	}
	_ = f.change(context.Background(), func(r *Health) { // the reader has the error anyway
		if !slices.Contains(r.Flaws, flaw) {
			r.Flaws = append(r.Flaws, flaw)
		}
	})
}
