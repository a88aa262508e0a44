package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/disk"
)

// Remover removes copies from the boxes of a home, and the room that they leave.
type Remover struct {
	boxes  *boxes
	reader *reader
	forks  *forks
	sys    disk.System
	vault  *Vault // whose mirrors lose the copies too
	home   sesskeep.HomeID
}

// Drop removes everything that is kept of a session, with the plans of the slugs
// that are given, from the vault and its mirrors. It is no error if there is nothing. A mirror
// that is away is caught up by its next Sync.
func (r *Remover) Drop(ctx context.Context, id sesskeep.SessionID, slugs ...string) error {
	if err := r.noteDropped(ctx, id); err != nil {
		return err
	}
	if err := r.drop(ctx, id, slugs); err != nil {
		return err
	}
	return r.dropInMirrors(ctx)
}

func (r *Remover) drop(ctx context.Context, id sesskeep.SessionID, slugs []string) error {
	keys, err := r.boxes.layout.keysOf(id)
	if err != nil {
		return err
	}
	for _, key := range keys { // first, as it can be refused
		if err := r.freeForks(ctx, key); err != nil {
			return err
		}
	}
	if err := r.boxes.catalog.forget(ctx, keys, func(name string) bool { return planOf(name, slugs) }); err != nil {
		return err
	}
	all := func(*box, *version) bool { return true }
	for _, key := range keys {
		if err := r.rewrite(ctx, key, always, all); err != nil {
			return err
		}
		if err := r.dropFlawed(ctx, key); err != nil {
			return err
		}
	}
	if len(slugs) == 0 {
		return nil
	}
	plans := func(_ *box, v *version) bool { return planOf(v.name, slugs) }
	b, err := r.boxes.load(boxKey{})
	if err != nil || !slices.ContainsFunc(b.versions, func(v *version) bool { return plans(b, v) }) {
		return err
	}
	return r.rewrite(ctx, boxKey{}, always, plans)
}

// dropFlawed removes a box whose manifest is damaged, which rewrite leaves alone.
func (r *Remover) dropFlawed(ctx context.Context, key boxKey) error {
	b, l, err := r.boxes.lockFlawed(ctx, key)
	if b == nil {
		return err
	}
	defer l.Release()
	bases, err := r.forks.basesOf(b)
	if err != nil {
		return err
	}
	if len(bases) > 0 {
		return &sesskeep.Error{Op: "drop copies", Name: b.dir, Err: fmt.Errorf("%w: %s, and copies of forks need it", ErrDamaged, b.flaws[0])}
	}
	return r.removeBox(ctx, key, b)
}

// Prune drops the versions that are not the newest of their files. It drops nothing of
// files and sessions that are gone, nor of sessions that spare names.
func (r *Remover) Prune(ctx context.Context, spare func(sesskeep.SessionID) bool) error {
	keys, err := r.boxes.layout.keys()
	if err != nil {
		return err
	}
	old := func(b *box, v *version) bool { return v != b.newest(v.name) && b.gone[v.name].IsZero() }
	for _, key := range append(keys, boxKey{}) {
		b, err := r.boxes.load(key)
		if err != nil {
			return err
		}
		if _, gone := b.gone[mainName(key)]; gone || spare != nil && spare(key.session) {
			continue
		}
		if !slices.ContainsFunc(b.versions, func(v *version) bool { return old(b, v) }) {
			continue
		}
		if err := r.rewrite(ctx, key, always, old); err != nil {
			return err
		}
	}
	return nil
}

// freeForks writes the forks of a session again so that they do not need it.
func (r *Remover) freeForks(ctx context.Context, key boxKey) error {
	bases, err := r.forks.bases(key.dir)
	if err != nil {
		return err
	}
	for of, forks := range bases {
		if of.Session != key.session {
			continue
		}
		for _, fork := range forks {
			if err := r.freeFork(ctx, fork, key.session); err != nil {
				return err
			}
		}
	}
	return nil
}

// freeFork writes a fork of a session again so that it does not need it. It refuses a box
// whose manifest is damaged: what the damaged lines named would be lost for good.
func (r *Remover) freeFork(ctx context.Context, key boxKey, of sesskeep.SessionID) error {
	b, release, err := r.lockBox(ctx, key)
	if err != nil {
		return err
	}
	defer release()
	if len(b.flaws) > 0 {
		return &sesskeep.Error{Op: "drop copies", Name: b.dir, Err: fmt.Errorf("%w: %s, and it needs the copies of %s", ErrDamaged, b.flaws[0], of)}
	}
	return (&rewriter{reader: r.reader, box: b, sys: r.sys, left: b.versions, free: of}).run()
}

func always(*box) bool { return true }

// droppedSuffix is that of a box that is being removed.
const droppedSuffix = ".dropped"

// removeBox removes a box with its markers. It is gone in one step; what a crash
// leaves of it is removed by the next sweep.
func (r *Remover) removeBox(ctx context.Context, key boxKey, b *box) error {
	if key == (boxKey{}) {
		if err := r.noteDropped(ctx, ""); err != nil {
			return err
		}
	}
	sys, folder := r.sys, r.boxes.layout.folder(key)
	aside := strings.TrimSuffix(b.dir, boxSuffix) + droppedSuffix
	if err := r.removeDropped(aside); err != nil {
		return err
	}
	if err := sys.Rename(b.dir, aside); err != nil {
		return err
	}
	if err := sys.SyncDir(folder); err != nil {
		return err
	}
	var tops []string
	if key != (boxKey{}) { // also where the manifest has lost them
		tops = append(tops, string(key.session), string(key.session)+".jsonl")
	}
	for _, name := range b.names() {
		if top, ok := topName(key, name); ok {
			tops = append(tops, top)
		}
	}
	slices.Sort(tops)
	for _, top := range slices.Compact(tops) {
		if err := disk.Remove(sys, filepath.Join(folder, top)); err != nil {
			return err
		}
	}
	return r.removeDropped(aside)
}

// removeDropped removes what is left of a box.
func (r *Remover) removeDropped(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		err = errors.Join(err, disk.Remove(r.sys, filepath.Join(dir, e.Name())))
	}
	return errors.Join(err, disk.Remove(r.sys, dir), r.sys.SyncDir(filepath.Dir(dir)))
}

// clean removes what crashes left of boxes in a folder.
func (r *Remover) clean(ctx context.Context, dir sesskeep.ProjectKey) error {
	folder := filepath.Join(r.boxes.layout.projects(), string(dir))
	entries, err := os.ReadDir(folder)
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return !strings.HasSuffix(e.Name(), droppedSuffix) && !(strings.HasSuffix(e.Name(), partSuffix) && e.IsDir())
	})
	if err != nil || len(entries) == 0 {
		return missing(err)
	}
	l, err := r.boxes.lock(ctx, boxKey{dir: dir, session: "any"})
	if err != nil {
		return err
	}
	defer l.Release()
	for _, e := range entries {
		if err := r.removeDropped(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// cleanAll removes what crashes left of some boxes, and of others in their folders.
func (r *Remover) cleanAll(ctx context.Context, keys []boxKey) error {
	done := map[sesskeep.ProjectKey]bool{}
	for _, key := range keys {
		if key == (boxKey{}) {
			if err := r.cleanHome(); err != nil {
				return err
			}
		} else if !done[key.dir] {
			if err := r.clean(ctx, key.dir); err != nil {
				return err
			}
		}
		done[key.dir] = true
	}
	return nil
}

// cleanHome removes what crashes left of the box of what belongs to no session. Only one
// process does that.
func (r *Remover) cleanHome() error {
	dir := strings.TrimSuffix(r.boxes.layout.boxDir(boxKey{}), boxSuffix)
	return errors.Join(r.removeDropped(dir+droppedSuffix), r.removeDropped(dir+partSuffix))
}
