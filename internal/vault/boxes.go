package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sesskeep"
	"sesskeep/internal/lock"
)

// boxes reads the boxes of a home, and remembers each until its manifest changes.
type boxes struct {
	layout  layout
	locks   locks
	catalog *catalog
	damage  *damage

	mu     sync.Mutex
	loaded map[string]*box // as they were last read, by directory
}

func newBoxes(at layout, locks locks, catalog *catalog) *boxes {
	return &boxes{layout: at, locks: locks, catalog: catalog, damage: &damage{}, loaded: map[string]*box{}}
}

// load returns a box, which may be empty. The box is shared: it must not be changed.
func (s *boxes) load(key boxKey) (*box, error) {
	dir := s.layout.boxDir(key)
	stamp := stampOf(filepath.Join(dir, manifestName))
	s.mu.Lock()
	b := s.loaded[dir]
	s.mu.Unlock()
	if b != nil && b.stamp == stamp && stamp != (fileStamp{}) {
		return b, nil
	}
	manifest := filepath.Join(dir, manifestName)
	b, err := s.layout.read(key)
	if err != nil {
		s.damage.report(manifest, err)
		return nil, &sesskeep.Error{Op: "read copies", Name: dir, Err: err}
	}
	b.stamp = stamp
	s.damage.report(manifest, s.flaw(b))
	s.mu.Lock()
	s.loaded[dir] = b
	s.mu.Unlock()
	return b, nil
}

// forChange returns a box to change, which is not shared: the one of the last change,
// unless another process has changed it since.
func (s *boxes) forChange(key boxKey, was *box) (*box, error) {
	dir := s.layout.boxDir(key)
	if was != nil && was.stamp != (fileStamp{}) && was.stamp == stampOf(filepath.Join(dir, manifestName)) {
		return was, nil
	}
	b, err := s.layout.read(key)
	if err != nil {
		return nil, &sesskeep.Error{Op: "read copies", Name: dir, Err: err}
	}
	return b, nil
}

// share caches a box after its last change, so that load need not read it again.
func (s *boxes) share(b *box) {
	if b.stamp == (fileStamp{}) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded[b.dir] = b
}

// incomplete lists the directories of the boxes that were loaded and lack something that
// their manifests name, sorted.
func (s *boxes) incomplete() (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for dir, b := range s.loaded {
		if b.incomplete() && b.stamp == stampOf(filepath.Join(dir, manifestName)) { // not written again meanwhile
			list = append(list, dir)
		}
	}
	slices.Sort(list)
	return list
}

// summary returns the summary of a box: that of the catalogue, if the manifest is
// still the same file.
func (s *boxes) summary(key boxKey) (*summary, error) {
	if is, ok := s.catalog.summaries()[key]; ok && is.stamp == stampOf(filepath.Join(s.layout.boxDir(key), manifestName)) {
		return is, nil
	}
	b, err := s.load(key)
	if err != nil {
		return nil, err
	}
	return b.summary(), nil
}

// flaw returns the damage that the manifest of a box shows: a line that is damaged, or
// lines that the catalogue knows of and that are not there any more.
func (s *boxes) flaw(b *box) error {
	if len(b.flaws) > 0 {
		return fmt.Errorf("%w: %s", ErrDamaged, b.flaws[0])
	}
	was := s.catalog.summaries()[b.key]
	if was == nil || b.seq >= was.seq || s.catalog.rewritten.Load() {
		return nil
	}
	if _, err := os.Lstat(b.dir); errors.Is(err, fs.ErrNotExist) {
		return nil // removed since, on purpose
	}
	return fmt.Errorf("%w: its last changes are not there: %d of %d", ErrDamaged, was.seq-b.seq, was.seq)
}

// lost returns the damage if boxes have nothing of a name, or below it, although the
// catalogue knows that they had; nil: there was nothing. A damaged copy is not a missing
// one, as it may be healed.
func (s *boxes) lost(keys []boxKey, name string) error {
	for _, key := range keys {
		b, err := s.load(key)
		if err != nil {
			return err
		}
		flaw, was := s.flaw(b), s.catalog.summaries()[key]
		if flaw == nil || was == nil {
			continue
		}
		if slices.ContainsFunc(was.files, func(l listed) bool { return l.Name == name || strings.HasPrefix(l.Name, name+"/") }) {
			return &sesskeep.Error{Op: "read copies", Name: b.dir, Err: flaw}
		}
	}
	return nil
}

// lockFlawed locks a box and reads it if its manifest is damaged. The box is nil, and not
// locked, if the manifest is whole.
func (s *boxes) lockFlawed(ctx context.Context, key boxKey) (*box, *lock.Lock, error) {
	l, err := s.lock(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	b, err := s.layout.read(key)
	if err != nil || len(b.flaws) == 0 {
		return nil, nil, errors.Join(err, l.Release())
	}
	return b, l, nil
}

// lock waits until this process may change the boxes in the folder of a box.
func (s *boxes) lock(ctx context.Context, key boxKey) (*lock.Lock, error) {
	return s.locks.wait(ctx, filepath.Join(s.layout.folder(key), lockName))
}

// fileStamp differs after a file of ours was written.
type fileStamp struct {
	size    int64
	modtime int64
	file    uint64
}

func stampOf(name string) fileStamp {
	info, err := os.Lstat(name)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.Size(), info.ModTime().UnixNano(), inode(info)}
}

// writeCatalog writes the summaries of all boxes. What the catalogue had and is not
// there any more stays in it as lost.
func (s *boxes) writeCatalog(ctx context.Context, keys []boxKey) error {
	return s.catalog.change(ctx, func(known map[boxKey]entry) ([]entry, error) {
		var entries []entry
		for _, key := range keys {
			was := known[key]
			delete(known, key)
			e, err := s.entry(key, was)
			if err != nil {
				return nil, err
			}
			if e.Seq > 0 || len(e.Lost) > 0 {
				entries = append(entries, e)
			}
		}
		for key, was := range known {
			e, err := s.entry(key, was)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		return entries, nil
	})
}

// entry returns the current catalogue entry of a box; was is the one that the catalogue has.
func (s *boxes) entry(key boxKey, was entry) (entry, error) {
	b, err := s.load(key)
	if errors.Is(err, ErrNewer) {
		return was, nil
	}
	if err != nil {
		return entry{}, err
	}
	is := b.summary()
	return entry{key.dir, key.session, is.stamp.size, is.stamp.modtime, is.stamp.file, is.seq, is.files, b.lost(was)}, nil
}
