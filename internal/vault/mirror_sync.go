package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"sesskeep"
	"sesskeep/internal/regular"
)

// SyncOptions say how a mirror is caught up.
type SyncOptions struct {
	// Check reads all copies on both sides, and mends damaged ones from the other side.
	Check bool
	// Progress is called after every box.
	Progress func(done, total int, bytes int64)
}

// Synced is what a Sync did.
type Synced struct {
	Boxes    int   // that were compared
	Copied   int   // sessions that the mirror lacked, wholly or in part
	Restored int   // sessions that the vault had lost, wholly or in part
	Mended   int   // sessions that were damaged on one side, and were mended from the other
	Bytes    int64 // that were written, also of what belongs to no session
	Problems []Problem
	Stopped  string // why it ended early; empty: it did not
}

// ErrMirrorDiffers says that the vault and a mirror have copies of the same session that do not come
// from each other.
var ErrMirrorDiffers = errors.New("the two places have different copies of it, and neither is changed")

// Sync gives a mirror every copy that it lacks, removes from it what was removed from the vault, and
// gives the vault back what it has lost. It reads the vault without locks.
func (m *Mirror) Sync(ctx context.Context, o SyncOptions) (Synced, error) {
	return m.sync(ctx, o, nil)
}

// Forget removes from a mirror what was removed from the vault, and does not wait for the rest: see
// [Remover.Drop], [Remover.DropLines] and [Remover.DropFiles].
func (m *Mirror) Forget(ctx context.Context) error {
	s, err := m.sync(ctx, SyncOptions{}, func(key boxKey) bool { return key == boxKey{} })
	if err == nil && len(s.Problems) > 0 {
		err = &sesskeep.Error{Op: "drop copies", Name: m.Dir, Err: s.Problems[0].Err}
	}
	return err
}

// sync syncs the boxes that choose names; nil: all.
func (m *Mirror) sync(ctx context.Context, o SyncOptions, choose func(boxKey) bool) (Synced, error) {
	if err := m.Reach(); err != nil {
		return Synced{}, &sesskeep.Error{Op: "reach", Name: m.Dir, Err: err}
	}
	l, err := m.lock(ctx)
	if err != nil {
		return Synced{}, err
	}
	defer l.Release()
	began, newest := m.vault.o.Now(), int64(0)
	if err := m.vault.eachManifest(func(modtime int64) { newest = max(newest, modtime) }); err != nil {
		return Synced{}, err
	}
	if err := m.catchUpDrops(ctx); err != nil {
		return Synced{}, err
	}
	lineage, err := m.vault.lineage(true)
	if err != nil {
		return Synced{}, err
	}
	mark, err := m.mark()
	if err != nil {
		return Synced{}, err
	}
	s := &mirrorSync{mirror: m, o: o, choose: choose, foreign: mark.Lineage != lineage}
	err = s.run(ctx)
	if full := errors.Is(err, syscall.ENOSPC); full || errors.Is(err, ErrFull) {
		s.out.Stopped, err = "its disk is full", nil
	}
	if err != nil || choose != nil || s.out.Stopped != "" || len(s.out.Problems) > 0 {
		return s.out, err
	}
	if s.foreign {
		mark.Lineage = lineage
		if err := m.markFile().Save(mark); err != nil {
			return s.out, err
		}
	}
	m.Synced, m.newest = began, newest
	return s.out, m.vault.changeMirrors(ctx, func(list []mirrorRecord) []mirrorRecord {
		for i := range list {
			if list[i].ID == m.id {
				list[i].Synced, list[i].Newest = began.UTC(), newest
			}
		}
		return list
	})
}

// mirrorSync is a Sync under way.
type mirrorSync struct {
	mirror  *Mirror
	o       SyncOptions
	choose  func(boxKey) bool
	foreign bool // the boxes do not come from each other

	here, there *Home // of the home whose boxes are compared
	home        sesskeep.HomeID
	out         Synced
}

// homeIDs lists the homes that a vault has copies of.
func (v *Vault) homeIDs() (ids []sesskeep.HomeID, err error) {
	entries, err := os.ReadDir(v.dir)
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			ids = append(ids, sesskeep.HomeID(e.Name()))
		}
	}
	return ids, missing(err)
}

func (s *mirrorSync) run(ctx context.Context) error {
	copies := s.mirror.copies()
	ids, err := s.mirror.vault.homeIDs()
	if err != nil {
		return err
	}
	there, err := copies.homeIDs()
	if err != nil {
		return err
	}
	ids = append(ids, there...)
	slices.Sort(ids)
	type one struct {
		home sesskeep.HomeID
		keys []boxKey
	}
	var all []one
	total := 0
	for _, id := range slices.Compact(ids) {
		keys, err := keysOfBoth(s.mirror.vault.Home(id), copies.Home(id))
		if err != nil {
			return err
		}
		if s.choose != nil {
			keys = slices.DeleteFunc(keys, func(key boxKey) bool { return !s.choose(key) })
		}
		all, total = append(all, one{id, keys}), total+len(keys)
	}
	for _, h := range all {
		s.home, s.here, s.there = h.home, s.mirror.vault.Home(h.home), copies.Home(h.home)
		if err := s.there.Remover.cleanAll(ctx, h.keys); err != nil {
			return err
		}
		for _, key := range h.keys {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.box(ctx, key); err != nil {
				return err
			}
			s.out.Boxes++
			if s.o.Progress != nil {
				s.o.Progress(s.out.Boxes, total, s.out.Bytes)
			}
		}
	}
	return nil
}

// keysOfBoth lists the boxes that one of two homes has, and that of the home itself.
func keysOfBoth(a, b *Home) ([]boxKey, error) {
	keys, err := a.layout.keys()
	if err != nil {
		return nil, err
	}
	more, err := b.layout.keys()
	keys = append(append(keys, more...), boxKey{})
	compare := func(x, y boxKey) int { return strings.Compare(x.text(), y.text()) }
	slices.SortFunc(keys, compare)
	return slices.Compact(keys), err
}

// box makes a box equal on both sides.
func (s *mirrorSync) box(ctx context.Context, key boxKey) error {
	var err error
	for range tries {
		if err = s.tryBox(ctx, key); !errors.Is(err, errStale) {
			break
		}
	}
	switch {
	case err == nil && s.o.Check:
		err = s.check(ctx, key)
	case errors.Is(err, errStale):
		err = errors.New("it is being written all the time")
	}
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrHeld) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrFull) {
		return err
	}
	if away := s.mirror.Reach(); away != nil { // it was unplugged meanwhile
		return &sesskeep.Error{Op: "reach", Name: s.mirror.Dir, Err: away}
	}
	s.problem(key, err)
	return nil
}

func (s *mirrorSync) problem(key boxKey, err error) {
	name := "what belongs to no session"
	if key != (boxKey{}) {
		name = mainName(key)
	}
	s.out.Problems = append(s.out.Problems, Problem{name, cause(err)})
}

// side is a box in one of the two places.
type side struct {
	home  *Home
	box   *box
	text  []byte // its manifest, without what a crash left at its end
	stamp fileStamp
}

func (s side) empty() bool { return s.box.lines == 0 }

// intact reports whether all lines of the manifest, and the files that they name, are there.
func (s side) intact() bool { return !s.box.incomplete() }

func readSide(h *Home, key boxKey) (s side, err error) {
	s.home = h
	manifest := filepath.Join(h.layout.boxDir(key), manifestName)
	s.stamp = stampOf(manifest)
	if s.box, err = h.layout.read(key); err != nil || s.empty() {
		return s, err
	}
	s.text, err = regular.ReadFile(manifest, maxManifest)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (int64(len(s.text)) < s.box.size || s.stamp != stampOf(manifest)) {
		return s, errStale
	}
	s.text = s.text[:min(int64(len(s.text)), s.box.size)]
	return s, err
}

// errStale says that a box was changed while it was read.
var errStale = errors.New("it was changed meanwhile")

// unchanged reports whether a box is on both sides as it was after the last Sync.
func (s *mirrorSync) unchanged(key boxKey) bool {
	here := stampOf(filepath.Join(s.here.layout.boxDir(key), manifestName))
	there := stampOf(filepath.Join(s.there.layout.boxDir(key), manifestName))
	return here != fileStamp{} && here.size == there.size && here.modtime == there.modtime
}

func (s *mirrorSync) tryBox(ctx context.Context, key boxKey) error {
	if !s.o.Check && s.unchanged(key) {
		return nil
	}
	a, err := readSide(s.here, key)
	if err != nil {
		return err
	}
	b, err := readSide(s.there, key)
	if err != nil {
		return err
	}
	toMirror := func(how copyKind) error { return s.copy(ctx, key, a, b, how, &s.out.Copied) }
	toVault := func(how copyKind) error { return s.copy(ctx, key, b, a, how, &s.out.Restored) }
	switch {
	case a.empty() && b.empty():
		return nil
	case a.empty():
		return toVault(copyFirst)
	case b.empty():
		return toMirror(copyFirst)
	case bytes.Equal(a.text, b.text) && a.intact() == b.intact():
		return s.stampAs(a, b)
	case bytes.Equal(a.text, b.text) && a.intact():
		return toMirror(copyInstead)
	case bytes.Equal(a.text, b.text):
		return toVault(copyInstead)
	case bytes.HasPrefix(a.text, b.text) && a.box.frames == b.box.frames && b.intact():
		return toMirror(copyRest)
	case bytes.HasPrefix(b.text, a.text) && a.box.frames == b.box.frames && a.intact():
		return toVault(copyRest)
	case s.foreign:
		return ErrMirrorDiffers
	case a.intact() && (!b.intact() || a.box.seq >= b.box.seq || a.box.covers(b.box)):
		return toMirror(copyInstead)
	case !a.intact() && b.intact() && b.box.seq >= a.box.seq:
		return toVault(copyInstead)
	}
	return ErrMirrorDiffers
}

// covers reports whether a box has at least as much of every version as another one.
func (b *box) covers(other *box) bool {
	return !slices.ContainsFunc(other.versions, func(v *version) bool {
		own := b.numbered[v.number]
		return own == nil || own.name != v.name || own.size() < v.size()
	})
}

// copy copies a box from one side to the other, and counts it.
func (s *mirrorSync) copy(ctx context.Context, key boxKey, from, to side, how copyKind, count *int) error {
	c := &boxCopy{key: key, from: from, to: to, how: how, sys: s.mirror.vault.o.Disk}
	if to.home == s.here && how == copyFirst { // it may have been removed on purpose since this Sync began
		c.allowed = func() (bool, error) {
			drops, err := s.mirror.dropped()
			return !slices.Contains(drops, droppedCopies{s.home, key.session}), err
		}
	}
	err := c.run(ctx)
	s.out.Bytes += c.bytes
	if err == nil && !c.refused {
		if key != (boxKey{}) {
			*count++
		}
		if c.damaged > 0 {
			s.problem(key, fmt.Errorf("%w in %d places", ErrDamaged, c.damaged))
		}
	}
	return err
}

// stampAs gives equal manifests the same modification time, which the next Sync compares.
func (s *mirrorSync) stampAs(a, b side) error {
	if err := s.there.Remover.sweepHome(b.box); err != nil { // a crash left it
		return err
	}
	if err := s.mirror.vault.o.Disk.SyncDir(b.box.dir); err != nil {
		return err
	}
	at := time.Unix(0, a.stamp.modtime)
	return s.mirror.vault.o.Disk.Chtimes(filepath.Join(b.box.dir, manifestName), at, at)
}

// check reads a box on both sides. If it is damaged on one, it is copied from the other.
func (s *mirrorSync) check(ctx context.Context, key boxKey) error {
	a, err := readSide(s.here, key)
	if err != nil || a.empty() {
		return err
	}
	b, err := readSide(s.there, key)
	if err != nil || !bytes.Equal(a.text, b.text) {
		return err // it grows, or a problem is known
	}
	inA, err := flawsOf(s.here, key)
	if err != nil {
		return err
	}
	inB, err := flawsOf(s.there, key)
	switch {
	case err != nil:
		return err
	case len(inA) > 0 && len(inB) > 0:
		return fmt.Errorf("%w in both places: %s", ErrDamaged, inA[0].Reason)
	case len(inA) > 0:
		return s.copy(ctx, key, b, a, copyInstead, &s.out.Mended)
	case len(inB) > 0:
		return s.copy(ctx, key, a, b, copyInstead, &s.out.Mended)
	}
	return nil
}

func flawsOf(h *Home, key boxKey) ([]Flaw, error) {
	c := &check{boxes: h.boxes, reader: h.reader}
	err := c.box(key)
	return c.found.Flaws, err
}

// Behind counts the sessions whose copies changed since the mirror last had all of them, by the
// times of their manifests.
func (m *Mirror) Behind() (n int, err error) {
	err = m.vault.eachManifest(func(modtime int64) {
		if modtime > m.newest {
			n++
		}
	})
	return n, err
}

// eachManifest calls f with the modification time of every session's manifest.
func (v *Vault) eachManifest(f func(modtime int64)) error {
	ids, err := v.homeIDs()
	if err != nil {
		return err
	}
	for _, id := range ids {
		at := v.Home(id).layout
		keys, err := at.keys()
		if err != nil {
			return err
		}
		for _, key := range keys {
			if stamp := stampOf(filepath.Join(at.boxDir(key), manifestName)); stamp != (fileStamp{}) {
				f(stamp.modtime)
			}
		}
	}
	return nil
}

// Verify reads all copies in the mirror and compares them with their checksums. One that is away is
// [ErrMirrorAway].
func (m *Mirror) Verify(ctx context.Context, progress func(done, total int, bytes int64)) (all Verified, err error) {
	if err := m.Reach(); err != nil {
		return all, &sesskeep.Error{Op: "reach", Name: m.Dir, Err: err}
	}
	ids, err := m.copies().homeIDs()
	for _, id := range ids {
		v, err := m.copies().Home(id).Checker.Verify(ctx, progress)
		all.Boxes += v.Boxes
		all.Versions += v.Versions
		all.Bytes += v.Bytes
		all.Flaws = append(all.Flaws, v.Flaws...)
		if err != nil {
			return all, err
		}
	}
	return all, err
}

// Size is the size of the copies in the mirror.
func (m *Mirror) Size() (int64, error) { return m.copies().Size() }
