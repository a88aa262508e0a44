package keeping

import (
	"context"

	"sesskeep/internal/errcode"
	"sesskeep/internal/stamp"
	"sesskeep/internal/vault"
)

// KeepStatus describes what is kept.
type KeepStatus struct {
	On      bool       `json:"on"`                 // true if keeping is on
	Asked   stamp.Time `json:"askedAt,omitzero"`   // when the user last turned keeping on or off
	Dir     string     `json:"dir"`                // directory of the copies
	Exclude []string   `json:"exclude"`            // projects that are not kept
	Quota   int64      `json:"quota,omitempty"`    // limit for the size of the copies in bytes
	Free    int64      `json:"freeSize,omitempty"` // free bytes on the disk of the copies
	Stopped string     `json:"stopped,omitempty"`  // why keeping stopped
	Problem string     `json:"problem,omitempty"`  // what is wrong with the configuration

	Sessions int   `json:"sessionCount"`    // sessions in the homes
	Covered  int   `json:"coveredCount"`    // sessions that are kept completely
	Behind   int   `json:"behindCount"`     // sessions that changed since they were copied
	Bytes    int64 `json:"sourceSize"`      // bytes of all files to keep
	Missing  int64 `json:"missingSize"`     // bytes of these that are not kept
	Lag      int64 `json:"lagSeconds"`      // seconds since the oldest change that is not copied
	Kept     int   `json:"keptCount"`       // sessions with a copy
	CopyOnly int   `json:"copyOnlyCount"`   // sessions with a copy whose transcript is gone
	Versions int   `json:"oldVersionCount"` // older versions of files
	Size     int64 `json:"fileSize"`        // bytes of the copies
	// Unread are the directories and files of the homes that could not be read. Their contents
	// are not counted.
	Unread []KeepProblem `json:"unread"`
	// Mirrors are the second places of the copies.
	Mirrors []MirrorStatus `json:"places"`
	KeepHealth
	// Ratio is the number of source bytes that one byte of the copies represents.
	Ratio float64 `json:"ratio"`
}

// Status compares the homes with their copies. It reads no transcript.
func (k *Copies) Status(ctx context.Context) (KeepStatus, error) {
	p, err := k.Policy()
	if err != nil {
		return KeepStatus{}, err
	}
	st := KeepStatus{
		On: p.On, Asked: stamp.Time{Time: p.Asked}, Dir: k.homes.Vault.Dir(), Exclude: append([]string{}, p.Exclude...),
		Quota: p.Quota, Free: k.homes.Vault.Free(), Stopped: k.homes.Vault.Stopped(), Problem: p.Problem, Unread: []KeepProblem{}, KeepHealth: k.Health(),
	}
	if st.Mirrors, err = k.Mirrors(); err != nil {
		return st, err
	}
	var source int64
	for _, h := range k.homes.List {
		if ctx.Err() != nil {
			return st, ctx.Err()
		}
		s, err := h.Copies.Survey(h.Disk(), p.Skips)
		if err != nil {
			return st, err
		}
		st.Sessions += s.Sessions
		st.Covered += s.Covered
		st.Behind += s.Behind
		st.Bytes += s.Bytes
		st.Missing += s.Missing
		st.Lag = max(st.Lag, int64(s.Lag.Seconds()))
		st.Kept += s.Kept
		st.CopyOnly += s.CopyOnly
		st.Versions += s.Versions
		source += s.Source
		for _, p := range s.Unread {
			st.Unread = append(st.Unread, KeepProblem{h.Store.Path(p.Name), errcode.PlainReason(p.Err)})
		}
	}
	if st.Size, err = k.homes.Vault.Size(); err == nil && st.Size > 0 {
		st.Ratio = float64(source*100/st.Size) / 100
	}
	return st, err
}

// KeepHealth is the result of the last checks of the copies.
type KeepHealth struct {
	Flaws []KeepFlaw `json:"flaws"` // known damage that is not repaired
	// CheckedAt is when some of the copies were last checked; zero if never.
	CheckedAt stamp.Time `json:"checkedAt,omitzero"`
	// WholeAt is the time since which every copy has been checked; zero if some never were.
	WholeAt stamp.Time `json:"allCheckedAt,omitzero"`
}

// Health returns what is known about the copies of all homes. It reads none of them.
func (k *Copies) Health() KeepHealth {
	all, first := KeepHealth{Flaws: []KeepFlaw{}}, true
	for _, h := range k.homes.List {
		if h.Copies == nil {
			continue
		}
		known := h.Copies.Checker.Health()
		all.Flaws = append(all.Flaws, keepFlaws(known.Flaws)...)
		if known.Checked.After(all.CheckedAt.Time) {
			all.CheckedAt = stamp.Time{Time: known.Checked.UTC()}
		}
		// The home with the oldest check determines since when all homes are checked.
		if first || known.Whole.Before(all.WholeAt.Time) {
			all.WholeAt = stamp.Time{Time: known.Whole.UTC()}
		}
		first = false
	}
	return all
}

func keepFlaws(flaws []vault.Flaw) []KeepFlaw {
	list := []KeepFlaw{}
	for _, f := range flaws {
		list = append(list, KeepFlaw{f.Path, f.Name, f.Reason})
	}
	return list
}

// scrub checks some of the copies, if that is due. It records what it finds for
// Status.
func (k *Copies) scrub(ctx context.Context) {
	for _, h := range k.homes.List {
		if h.Copies != nil && ctx.Err() == nil {
			_ = h.Copies.Checker.Scrub(ctx) // the next one tries again
		}
	}
}

// KeepVerified is the result of a check of the copies.
type KeepVerified struct {
	Families int        `json:"sessionCount"`            // sessions checked
	Versions int        `json:"versionCount"`            // versions of files checked
	Bytes    int64      `json:"fileSize"`                // bytes checked
	Flaws    []KeepFlaw `json:"flaws"`                   // damage that remains
	Repaired int        `json:"repairedCount,omitempty"` // damaged copies that were repaired
	Away     []string   `json:"away"`                    // second places that could not be checked
}

// KeepFlaw is a part of the copies that differs from what was written.
type KeepFlaw struct {
	Path   string `json:"path"`           // path of the damaged copy
	File   string `json:"file,omitempty"` // file that the copy was made of, if known
	Reason string `json:"reason"`         // what is wrong
}

// Verify reads all copies and compares them with their checksums.
func (k *Copies) Verify(ctx context.Context, progress func(done, total int, bytes int64)) (KeepVerified, error) {
	r := KeepVerified{Flaws: []KeepFlaw{}, Away: []string{}}
	if k.homes.Vault == nil {
		return r, errcode.ErrNoCopies
	}
	for _, h := range k.homes.List {
		v, err := h.Copies.Checker.Verify(ctx, func(done, total int, bytes int64) {
			if progress != nil {
				progress(done, total, r.Bytes+bytes)
			}
		})
		r.Families += v.Boxes
		r.Versions += v.Versions
		r.Bytes += v.Bytes
		r.Flaws = append(r.Flaws, keepFlaws(v.Flaws)...)
		if err != nil {
			return r, err
		}
	}
	return r, k.checkMirrors(ctx, &r, progress)
}

// Repair checks all copies as Verify does, and rebuilds what is damaged and still has
// its source, or is intact in a second place. A permanent loss is reported once: the next check does not expect it any
// more.
func (k *Copies) Repair(ctx context.Context, progress func(done, total int, bytes int64)) (KeepVerified, error) {
	first, err := k.Verify(ctx, progress)
	if err != nil || len(first.Flaws) == 0 {
		return first, err
	}
	// First from the second places: they have old versions too, which the sources have not.
	if _, err := k.SyncMirrors(ctx, vault.SyncOptions{Check: true}); err != nil {
		return first, err
	}
	if _, err := k.Now(ctx, nil); err != nil {
		return first, err
	}
	left, err := k.Verify(ctx, progress)
	if err != nil {
		return left, err
	}
	left.Repaired = max(0, len(first.Flaws)-len(left.Flaws))
	for _, h := range k.homes.List {
		if err := h.Copies.Checker.ForgetLost(ctx); err != nil {
			return left, err
		}
	}
	return left, nil
}
