package keeping

import (
	"context"
	"errors"

	"sesskeep/internal/errcode"
	"sesskeep/internal/stamp"
	"sesskeep/internal/vault"
)

// MirrorStatus describes a second place with all copies.
type MirrorStatus struct {
	Dir    string     `json:"dir"`               // directory that the user chose
	Away   string     `json:"away,omitempty"`    // why it cannot be reached now
	Synced stamp.Time `json:"syncedAt,omitzero"` // when it last had every copy
	// Behind is how many sessions have changed copies since then.
	Behind int `json:"behindCount"`
	// Waiting is how many removals of copies it has not caught up.
	Waiting int `json:"waitingCount"`
}

// Mirrors lists the second places.
func (k *Copies) Mirrors() ([]MirrorStatus, error) {
	list := []MirrorStatus{}
	if k.homes.Vault == nil {
		return list, errcode.ErrNoCopies
	}
	all, err := k.homes.Vault.Mirrors()
	for _, m := range all {
		s, err := mirrorStatus(m)
		if err != nil {
			return list, err
		}
		list = append(list, s)
	}
	return list, err
}

func mirrorStatus(m *vault.Mirror) (s MirrorStatus, err error) {
	s = MirrorStatus{Dir: m.Dir, Synced: stamp.Time{Time: m.Synced}, Waiting: m.Waiting}
	if err := m.Reach(); err != nil {
		s.Away = err.Error()
	}
	s.Behind, err = m.Behind()
	return s, err
}

// Damage lists what the manifests of the copies show to be damaged: a second place cannot have it
// from here. It reads all manifests.
func (k *Copies) Damage() (list []KeepProblem) {
	for _, h := range k.homes.List {
		if h.Copies == nil {
			continue
		}
		for _, p := range h.Copies.Damage() {
			list = append(list, KeepProblem{p.Name, errcode.PlainReason(p.Err)})
		}
	}
	return list
}

// AddMirror makes a directory a second place. If it is one of another vault, that is
// [errcode.Conflict] unless adopt is true. SyncMirrors fills it.
func (k *Copies) AddMirror(ctx context.Context, dir string, adopt bool) (MirrorStatus, error) {
	if k.homes.Vault == nil {
		return MirrorStatus{}, errcode.ErrNoCopies
	}
	m, err := k.homes.Vault.AddMirror(ctx, dir, adopt)
	if errors.Is(err, vault.ErrMirrorTaken) {
		return MirrorStatus{}, errcode.New(errcode.Conflict, err)
	}
	if err != nil {
		return MirrorStatus{}, err
	}
	return mirrorStatus(m)
}

// ErrMirrorWaits says that a second place still has copies that were removed for good.
var ErrMirrorWaits = errors.New("it still has copies that were removed for good, and they would stay there")

// RemoveMirror forgets a second place and returns what it was; its copies stay. One that has not
// caught up with removals is ErrMirrorWaits, which is [errcode.Conflict], unless force is true.
func (k *Copies) RemoveMirror(ctx context.Context, dir string, force bool) (MirrorStatus, error) {
	list, err := k.Mirrors()
	if err != nil {
		return MirrorStatus{}, err
	}
	for _, m := range list {
		if m.Dir != dir {
			continue
		}
		if m.Waiting > 0 && !force {
			return m, errcode.New(errcode.Conflict, ErrMirrorWaits)
		}
		_, err := k.homes.Vault.RemoveMirror(ctx, dir)
		return m, err
	}
	return MirrorStatus{}, errcode.New(errcode.NotFound, errors.New(dir+" is no second place of the copies"))
}

// MirrorReport is what was done with a second place.
type MirrorReport struct {
	MirrorStatus
	Boxes    int           `json:"comparedCount"`     // sessions that were compared
	Copied   int           `json:"copiedCount"`       // of them, those that it lacked, wholly or in part
	Restored int           `json:"restoredCount"`     // of them, those that the first place had lost
	Mended   int           `json:"mendedCount"`       // of them, those that were damaged in one place
	Bytes    int64         `json:"copiedSize"`        // bytes copied
	Problems []KeepProblem `json:"problems"`          // what could not be copied
	Stopped  string        `json:"stopped,omitempty"` // why copying stopped early
}

// SyncMirrors gives all second places that can be reached what they lack, and gives the first one
// back what it has lost. Those that are away are reported, with Away.
func (k *Copies) SyncMirrors(ctx context.Context, o vault.SyncOptions) ([]MirrorReport, error) {
	list := []MirrorReport{}
	if k.homes.Vault == nil {
		return list, errcode.ErrNoCopies
	}
	all, err := k.homes.Vault.Mirrors()
	if err != nil {
		return list, err
	}
	for _, m := range all {
		r, err := k.syncMirror(ctx, m, o)
		list = append(list, r)
		if err != nil {
			return list, err
		}
	}
	return list, nil
}

func (k *Copies) syncMirror(ctx context.Context, m *vault.Mirror, o vault.SyncOptions) (r MirrorReport, err error) {
	s, err := m.Sync(ctx, o)
	r = MirrorReport{
		Boxes: s.Boxes, Copied: s.Copied, Restored: s.Restored, Mended: s.Mended, Bytes: s.Bytes,
		Problems: []KeepProblem{}, Stopped: s.Stopped,
	}
	for _, p := range s.Problems {
		r.Problems = append(r.Problems, KeepProblem{p.Name, errcode.PlainReason(p.Err)})
	}
	switch {
	case errors.Is(err, vault.ErrHeld):
		r.Stopped = "another sesskeep is copying there now"
	case err != nil && !errors.Is(err, vault.ErrMirrorAway):
		return r, err
	case err == nil && r.Stopped == "" && len(r.Problems) == 0 && k.opts.CaughtUp != nil:
		k.opts.CaughtUp(ctx, m.Dir)
	}
	all, err := k.Mirrors() // as it is now
	for _, now := range all {
		if now.Dir == m.Dir {
			r.MirrorStatus = now
		}
	}
	return r, err
}

// checkMirrors adds what is damaged in the second places that can be reached.
func (k *Copies) checkMirrors(ctx context.Context, r *KeepVerified, progress func(done, total int, bytes int64)) error {
	all, err := k.homes.Vault.Mirrors()
	if err != nil {
		return err
	}
	for _, m := range all {
		v, err := m.Verify(ctx, func(done, total int, bytes int64) {
			if progress != nil {
				progress(done, total, r.Bytes+bytes)
			}
		})
		if errors.Is(err, vault.ErrMirrorAway) {
			r.Away = append(r.Away, m.Dir)
			continue
		}
		if err != nil {
			return err
		}
		r.Versions, r.Bytes, r.Flaws = r.Versions+v.Versions, r.Bytes+v.Bytes, append(r.Flaws, keepFlaws(v.Flaws)...)
	}
	return nil
}
