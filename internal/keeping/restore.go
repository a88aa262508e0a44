package keeping

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
	"sesskeep/internal/homes"
	"sesskeep/internal/regular"
	"sesskeep/internal/shelf"
	"sesskeep/internal/stamp"
	"sesskeep/internal/vault"
)

// Restore is a plan to restore a session.
type Restore struct {
	Session string         `json:"sessionId,omitempty"` // id of the session
	Root    string         `json:"root"`                // directory of the home
	Files   []RestoredFile `json:"files"`               // files to restore
	Plan    shelf.Plan     `json:"-"`

	key     string // of the session, as text
	damaged bool   // there may have been more files
}

// RestoredFile is a file of a session that is to be restored.
type RestoredFile struct {
	File   string       `json:"file"`               // path inside the home
	Size   int64        `json:"fileSize"`           // size in bytes
	State  RestoreState `json:"state"`              // what the restore does with the file
	Lost   int64        `json:"lostSize,omitempty"` // bytes that are damaged in the copy
	KeptAt stamp.Time   `json:"keptAt"`             // when the copy was made
}

// RestoreState is the state of a file before it is restored.
type RestoreState string

// The states of files.
const (
	RestoreGone     RestoreState = "gone"     // it will be restored
	RestoreThere    RestoreState = "there"    // it exists, with everything that the copy has
	RestoreConflict RestoreState = "conflict" // another file is in its place
	RestorePart     RestoreState = "part"     // its intact part will be restored
	RestoreLost     RestoreState = "lost"     // no part of it is intact
)

// RestoreStates are all of them.
var RestoreStates = []RestoreState{RestoreGone, RestoreThere, RestoreConflict, RestorePart, RestoreLost}

// Count returns how many files are in a state.
func (r *Restore) Count(s RestoreState) (n int) {
	for _, f := range r.Files {
		if f.State == s {
			n++
		}
	}
	return n
}

// PlanRestore plans to restore what is missing of a session, or a file of the home
// that belongs to none, such as history.jsonl. It overwrites nothing: if another file
// is in the way, the error is [errcode.Conflict], with the plan. If there is no copy,
// the error is [errcode.NotFound], and [errcode.Damaged] if the copy is damaged.
func (k *Copies) PlanRestore(ctx context.Context, s *shelf.Shelf, by shelf.Actor, address string) (Restore, error) {
	return k.planRestore(ctx, s, by, address, false)
}

// PlanPartialRestore plans as PlanRestore does, and restores the intact parts of
// damaged copies.
func (k *Copies) PlanPartialRestore(ctx context.Context, s *shelf.Shelf, by shelf.Actor, address string) (Restore, error) {
	return k.planRestore(ctx, s, by, address, true)
}

func (k *Copies) planRestore(ctx context.Context, s *shelf.Shelf, by shelf.Actor, address string, partial bool) (Restore, error) {
	if k.homes.Vault == nil {
		return Restore{}, errcode.ErrNoCopies
	}
	h, members, r, err := k.membersOf(ctx, address)
	if err != nil {
		return r, err
	}
	r.Root, r.Files = h.Store.Root(), []RestoredFile{}
	if r.damaged && !partial {
		return r, errcode.New(errcode.Damaged, fmt.Errorf("restore %s: %w: its manifest has lost lines, and there may have been more files", address, vault.ErrDamaged))
	}
	r.Plan = shelf.Plan{Verb: "keep restore", Actor: by, Home: r.Root, Session: r.key}
	for _, m := range members {
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		f := RestoredFile{File: h.Store.Path(m.Name), Size: m.Size, KeptAt: stamp.Time{Time: m.Kept}}
		f.State, err = compareMember(h, m)
		if errors.Is(err, vault.ErrDamaged) && partial {
			f.State, err = RestoreThere, nil // it is not touched
		}
		if err == nil && f.State == RestoreGone {
			f.Lost, err = m.Lost()
		}
		if err != nil {
			return r, &sesskeep.Error{Op: "restore", Name: f.File, Err: err}
		}
		if f.Lost > 0 && !partial {
			return r, errcode.New(errcode.Damaged, &sesskeep.Error{Op: "restore", Name: f.File, Err: vault.ErrDamaged})
		}
		if step, ok := f.restoreStep(m); ok {
			r.Plan.Steps = append(r.Plan.Steps, step)
		}
		r.Files = append(r.Files, f)
	}
	if n := r.Count(RestoreConflict); n > 0 {
		i := slices.IndexFunc(r.Files, func(f RestoredFile) bool { return f.State == RestoreConflict })
		return r, errcode.New(errcode.Conflict, fmt.Errorf("restore %s: %s is there and differs from the copy; nothing was changed", address, r.Files[i].File))
	}
	if h.Disk() == nil {
		return r, nil // nothing can be in the way
	}
	return r, s.Check(r.Plan)
}

// restoreStep returns the step that restores a file, or the intact part of it.
func (f *RestoredFile) restoreStep(m vault.Member) (step shelf.Create, ok bool) {
	step = shelf.Create{File: f.File, Mode: m.Mode, From: contentOf(m)}
	switch {
	case f.State != RestoreGone:
		return step, false
	case f.Lost == 0:
		return step, true
	case f.Lost == m.Size:
		f.State = RestoreLost
		return step, false
	}
	f.State, step.From = RestorePart, intactOf(m)
	return step, true
}

// Make restores what was planned. It creates the home first if that is gone.
func (r *Restore) Make(ctx context.Context, s *shelf.Shelf) (shelf.Act, error) {
	if r.Plan.Empty() {
		return shelf.Act{}, nil
	}
	if err := regular.MkdirAll(r.Root, 0o700); err != nil {
		return shelf.Act{}, err
	}
	return s.Do(ctx, r.Plan)
}

// Restore plans to restore what is missing, and does so unless it is a dry run. Errors
// are those of PlanRestore.
func (k *Copies) Restore(ctx context.Context, d acts.Doing, address string) (r Restore, act int, err error) {
	if k.opts.Journal.Shelf == nil {
		return r, 0, acts.ErrNoShelf
	}
	if r, err = k.PlanRestore(ctx, k.opts.Journal.Shelf, d.Actor, address); err != nil || d.DryRun {
		return r, 0, err
	}
	made, err := r.Make(ctx, k.opts.Journal.Shelf)
	return r, made.ID, err
}

// membersOf finds the copies that an address names.
func (k *Copies) membersOf(ctx context.Context, address string) (*homes.Home, []vault.Member, Restore, error) {
	for _, h := range k.homes.List {
		rest, err := h.Copies.Rest()
		if err != nil {
			return nil, nil, Restore{}, err
		}
		if i := slices.IndexFunc(rest, func(m vault.Member) bool { return m.Name == filepath.ToSlash(address) }); i >= 0 {
			return h, rest[i : i+1], Restore{}, nil
		}
	}
	t, err := k.catalog.Find(ctx, address)
	if err != nil {
		return nil, nil, Restore{}, err
	}
	if t.Ref.Agent != "" {
		return nil, nil, Restore{}, &sesskeep.Error{Op: "restore", Name: address, Err: errcode.ErrAgent}
	}
	h := k.homes.At(t.Store.Root())
	key, _ := h.Store.Key(t.Ref)
	f, err := h.Copies.Family(t.Ref.Session, slugs(t)...)
	return h, f.Members, Restore{Session: string(t.Ref.Session), key: key.String(), damaged: f.Damaged}, err
}

// compareMember compares a copy with the file in its place. A file that grew since it
// was copied has everything that the copy has.
func compareMember(h *homes.Home, m vault.Member) (RestoreState, error) {
	if homefs.Denied(m.Name) || !filepath.IsLocal(filepath.FromSlash(m.Name)) {
		return "", homefs.ErrDenied
	}
	there, err := regular.Open(h.Store.Path(m.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return RestoreGone, nil
	}
	if err != nil {
		return "", err
	}
	defer there.Close()
	copied, err := m.Open()
	if err != nil {
		return "", err
	}
	defer copied.Close()
	same, err := hasPrefix(there, copied, m.Size)
	if err != nil || !same {
		return RestoreConflict, err
	}
	return RestoreThere, nil
}

// hasPrefix reports whether a starts with the first size bytes of b.
func hasPrefix(a, b io.ReaderAt, size int64) (bool, error) {
	const step = 256 << 10
	x, y := make([]byte, step), make([]byte, step)
	for at := int64(0); at < size; at += step {
		n := min(step, size-at)
		if _, err := io.ReadFull(io.NewSectionReader(b, at, n), y[:n]); err != nil {
			return false, err
		}
		if read, err := io.ReadFull(io.NewSectionReader(a, at, n), x[:n]); int64(read) < n {
			return false, ignoreEOF(err)
		}
		if !bytes.Equal(x[:n], y[:n]) {
			return false, nil
		}
	}
	return true, nil
}

// ignoreEOF drops the error of a file that is too short.
func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// contentOf returns the content of a copy.
func contentOf(m vault.Member) shelf.Source {
	return func() (io.ReadCloser, error) {
		f, err := m.Open()
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{io.NewSectionReader(f, 0, m.Size), f}, nil
	}
}

// intactOf returns the intact part of a copy.
func intactOf(m vault.Member) shelf.Source {
	return func() (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() { w.CloseWithError(m.CopyIntact(w)) }() // it ends when the reader closes
		return r, nil
	}
}

// GoneSession is a deleted session that has a copy.
type GoneSession struct {
	ID       string     `json:"id"`                      // id of the session
	Root     string     `json:"root"`                    // directory of the home
	Title    string     `json:"title,omitempty"`         // title of the session
	Project  string     `json:"project,omitempty"`       // short name of the project
	Size     int64      `json:"fileSize"`                // bytes of the kept files
	LastAt   stamp.Time `json:"lastActivityAt,omitzero"` // time of the last line
	Modified stamp.Time `json:"modifiedAt"`              // modification time of the transcript
	Noticed  stamp.Time `json:"noticedAt"`               // when sesskeep noticed the deletion
}

// Gone lists the sessions that were deleted without us, the most recently noticed
// first, and returns how much the list was made from.
func (k *Copies) Gone(ctx context.Context) ([]GoneSession, ask.Coverage, error) {
	if k.homes.Vault == nil {
		return nil, ask.Coverage{}, errcode.ErrNoCopies
	}
	rows, covered, err := k.catalog.RowsCovered(ctx, ask.Filter{Source: "all", Archived: ask.ArchivedToo})
	if err != nil {
		return nil, covered, err
	}
	known := map[sesskeep.Key]*ask.Row{}
	for i := range rows {
		if !rows[i].IsAgent {
			known[k.homes.SessionKey(rows[i].Root, rows[i].ID)] = &rows[i]
		}
	}
	list := []GoneSession{}
	for _, h := range k.homes.List {
		gone, err := h.Copies.Gone(h.Disk()) // without those in the trash
		if err != nil {
			return nil, covered, err
		}
		for _, g := range gone {
			s := GoneSession{
				ID: string(g.Session), Root: h.Store.Root(), Size: g.Size,
				Modified: stamp.Time{Time: g.Modified}, Noticed: stamp.Time{Time: g.Noticed},
			}
			if g.Noticed.IsZero() {
				s.Noticed = stamp.Time{Time: k.opts.Now().Truncate(time.Millisecond)}
			}
			if r := known[h.Key(g.Session)]; r != nil {
				s.Title, s.Project, s.LastAt = r.Title, r.Project, r.LastActivityAt
			}
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(x, y GoneSession) int { return y.Noticed.Compare(x.Noticed.Time) })
	return list, covered, nil
}
