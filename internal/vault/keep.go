package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"sesskeep"
)

// Kept is what a copying did.
type Kept struct {
	Families int   // that were looked at
	Files    int   // that were looked at
	Copied   int   // files of which something was copied
	Bytes    int64 // copied
	Gone     int   // files that are not there any more, noticed now
	Healed   int   // boxes that were seen to be damaged, and are whole again
	Problems []Problem
}

// Problem is a file that could not be copied.
type Problem struct {
	Name string
	Err  error
}

func (k *Kept) add(other Kept) {
	k.Families += other.Families
	k.Healed += other.Healed
	k.Files += other.Files
	k.Copied += other.Copied
	k.Bytes += other.Bytes
	k.Gone += other.Gone
	k.Problems = append(k.Problems, other.Problems...)
}

// tries is how often a family that changes while it is copied is copied again.
const tries = 5

// atOnce is no rest: everything is compressed.
const atOnce = -100 * 365 * 24 * time.Hour

// KeepFamily copies everything of a session. It fails unless all of it is kept,
// as it was at one moment.
func (h *Home) KeepFamily(ctx context.Context, store *sesskeep.Store, id sesskeep.SessionID) (Kept, error) {
	var all Kept
	for range tries {
		c, err := familyCensus(store, id)
		if err != nil {
			return all, err
		}
		c.home()
		all.Problems = c.unread
		before := all.Copied
		for _, key := range sortedKeys(c.boxes) {
			k, err := h.keepBox(ctx, store, key, c.boxes[key], atOnce)
			all.add(k)
			if err != nil {
				return all, &sesskeep.Error{Op: "keep", Name: string(id), Err: err}
			}
		}
		if len(all.Problems) == 0 && all.Copied == before {
			return all, nil // and so nothing changed since the last look
		}
	}
	if len(all.Problems) > 0 {
		p := all.Problems[0]
		return all, &sesskeep.Error{Op: "keep", Name: store.Path(p.Name), Err: p.Err}
	}
	return all, nil // it is being written all the time
}

// KeepFiles copies the families of some files that changed, and what belongs to
// no session.
func (h *Home) KeepFiles(ctx context.Context, store *sesskeep.Store, names []string) (all Kept, err error) {
	c := newCensus(store)
	for _, name := range names {
		key, ok := keyOf(store, name)
		if !ok {
			continue
		}
		if err := h.take(c, key); err != nil {
			return all, err
		}
		// Of a flat agent only its own lines tell where it belongs.
		if _, isFile := store.Ref(name); isFile && !slices.Contains(c.boxes[key], name) {
			c.add(key, name)
		}
	}
	all.Problems = c.unread
	for _, key := range sortedKeys(c.boxes) {
		k, err := h.keepBox(ctx, store, key, c.boxes[key], h.vault.o.Rest)
		all.add(k)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// keyOf is the box of a file.
func keyOf(store *sesskeep.Store, name string) (boxKey, bool) {
	dir, ok := projectOf(name)
	if !ok {
		return boxKey{}, name == "history.jsonl" || strings.HasPrefix(name, "paste-cache/") || strings.HasPrefix(name, "plans/")
	}
	parts := strings.Split(name, "/")
	id := strings.TrimSuffix(parts[2], ".jsonl")
	if sesskeep.IsUUID(id) {
		return boxKey{dir, sesskeep.SessionID(id)}, true
	}
	ref, ok := store.Ref(name)
	parent := store.Parent(ref)
	return boxKey{dir, parent}, ok && parent != ""
}

// take adds a box to a census, once.
func (h *Home) take(c *census, key boxKey) error {
	if _, have := c.boxes[key]; have {
		return nil
	}
	if key == (boxKey{}) {
		c.home()
		return nil
	}
	b, err := h.boxes.load(key)
	if err != nil {
		return err
	}
	c.box(key, b.names())
	return nil
}

func sortedKeys(boxes map[boxKey][]string) []boxKey {
	return slices.SortedFunc(maps.Keys(boxes), func(a, b boxKey) int {
		return strings.Compare(string(a.dir)+"/"+string(a.session), string(b.dir)+"/"+string(b.session))
	})
}

// keepBox brings a box up to date. The box is locked only if something differs.
// One that is damaged is mended first.
func (h *Home) keepBox(ctx context.Context, store *sesskeep.Store, key boxKey, names []string, rest time.Duration) (Kept, error) {
	k := Kept{Files: len(names)}
	if key != (boxKey{}) && len(names) > 0 {
		k.Families = 1
	}
	b, err := h.boxes.load(key)
	if err != nil {
		return k, err
	}
	var force map[string]bool
	flawed, hurt := len(b.flaws) > 0, b.incomplete()
	if len(names) > 0 && (hurt || h.knownDamaged(key)) {
		if force, err = h.healer.heal(ctx, store, key); err != nil {
			return k, err
		}
	}
	for {
		s := &step{home: h, store: store, rest: rest, force: force}
		err := s.keep(ctx, key, names)
		k.add(s.kept)
		if err == nil && !s.long && flawed {
			err = h.healer.amend(ctx, store, key)
		}
		if err != nil {
			return k, err
		}
		if !s.long {
			k.Healed = h.healed(key, hurt)
			return k, nil
		}
		force = nil
	}
}

// healed is 1 for a box that was seen to be damaged by this sweep and is not any more.
// What was known before is compared by whoever knew.
func (h *Home) healed(key boxKey, hurt bool) int {
	if !hurt || h.knownDamaged(key) {
		return 0
	}
	if b, err := h.boxes.load(key); err != nil || b.incomplete() {
		return 0
	}
	return 1
}

// knownDamaged reports whether damage in a box was noted before this sweep.
func (h *Home) knownDamaged(key boxKey) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.damaged[key]
}

// stepFiles is how many files one transaction copies. Each is open until its end.
const stepFiles = 256

// step brings a box up to date in transactions. Each of them stays whatever happens
// to the next one.
type step struct {
	home  *Home
	store *sesskeep.Store
	rest  time.Duration
	force map[string]bool // files that are copied as new versions

	due, gone []string // what is left to do
	kept      Kept
	long      bool // there is more of a long file
}

func (s *step) keep(ctx context.Context, key boxKey, names []string) error {
	h := s.home
	b, err := h.boxes.load(key)
	if err != nil {
		return err
	}
	s.due, s.gone, s.kept.Problems = h.differing(s.store, b, names, s.rest)
	for _, name := range names {
		if s.force[name] && !slices.Contains(s.due, name) {
			s.due = append(s.due, name)
		}
	}
	if len(s.due)+len(s.gone) == 0 && !b.torn {
		return nil
	}
	b = nil
	for first := true; first || len(s.due)+len(s.gone) > 0; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b, err = h.change(ctx, key, b, func(t *transaction) error { return s.fill(ctx, t) }); err != nil {
			return err
		}
	}
	h.boxes.share(b)
	return h.Remover.tidy(ctx, b.key)
}

// fill copies as many files as one transaction may, and notes as many that are gone.
func (s *step) fill(ctx context.Context, t *transaction) error {
	before := s.kept.Bytes
	for n := 0; len(s.due) > 0 && n < stepFiles && s.kept.Bytes-before < t.most; n++ {
		if ctx.Err() != nil {
			return nil // what was copied is kept
		}
		name := s.due[0]
		s.due = s.due[1:]
		if err := s.file(t, name); err != nil {
			return err
		}
	}
	if len(s.due) > 0 {
		return nil
	}
	n := min(len(s.gone), 16*stepFiles)
	for _, name := range s.gone[:n] {
		if err := t.add(record{Gone: &goneRecord{name, s.home.vault.o.Now()}}); err != nil {
			return err
		}
		s.kept.Gone++
	}
	s.gone = s.gone[n:]
	return nil
}

// file copies one file. The error is one of our own files.
func (s *step) file(t *transaction, name string) error {
	before := len(t.records)
	c := &copier{
		tx: t, marks: &s.home.marks, bases: newBaseFinder(s.home.forks, s.home.reader, t.box.key),
		now: s.home.vault.o.Now(), rest: s.rest, again: s.force[name],
	}
	n, err := c.copyFile(s.store, name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone meanwhile
	case err == nil:
		s.kept.Bytes += n
		s.long = s.long || n >= t.most
		began := slices.ContainsFunc(t.records[before:], func(r record) bool { return r.Begin != nil })
		if (n > 0 || began) && n < t.most { // else it was only looked at again, or there is more
			s.kept.Copied++
		}
	case isWriteError(err):
		return err
	default:
		s.kept.Problems = append(s.kept.Problems, Problem{name, cause(err)})
	}
	return nil
}

// differing lists the files that are not as they are kept, and those that are
// kept and not there. What cannot be looked at is neither.
func (h *Home) differing(store *sesskeep.Store, b *box, names []string, rest time.Duration) (due, gone []string, unread []Problem) {
	listed := map[string]bool{}
	for _, name := range names {
		listed[name] = true
		v := b.newest(name)
		now, err := store.Status(name)
		_, wasGone := b.gone[name]
		switch {
		case errors.Is(err, fs.ErrNotExist):
			listed[name] = false
		case err != nil:
			unread = append(unread, Problem{name, cause(err)})
		case v == nil, wasGone, v.mark() != now, v.Young, v.torn():
			due = append(due, name)
		case v.End > 0 && (!growing(name) || h.vault.o.Now().Sub(v.modtime()) > rest):
			due = append(due, name)
		}
	}
	for _, name := range b.names() {
		if _, noted := b.gone[name]; !noted && !listed[name] && isGone(store, name) {
			gone = append(gone, name)
		}
	}
	return due, gone, unread
}

// isGone reports whether a file that was not listed is not there. It may be in a
// directory that could not be read.
func isGone(store *sesskeep.Store, name string) bool {
	info, err := store.Info(name)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular()
}

// String says what was done.
func (k Kept) String() string {
	return fmt.Sprintf("%d of %d files copied, %d bytes", k.Copied, k.Files, k.Bytes)
}
