package index

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/output"
)

// Options say how a Walk or an Absorb goes. The zero value reads everything,
// and suits a command that asks once.
type Options struct {
	Workers  int  // files read at the same time; 0: one a processor
	RowsOnly bool // lists and counts, but no search and no usage
	Early    bool // rows are wanted while it runs
	// Patience is how long to wait for another process that writes; 0: what a
	// command waits. Those who stay have more.
	Patience time.Duration
	// MaxAge leaves out homes that this process has walked no longer ago and that
	// were not doubted since: for those who absorb what they see change.
	// 0: none.
	MaxAge time.Duration
	// Progress is called with how far it is. It may be nil; calls do not overlap.
	Progress func(done, total int, bytes int64)
	// Waiting is called with how far another process is that reads the same, while this
	// one waits for it. It may be nil.
	Waiting func(other Reader)

	keepFolds bool // keep folds: these files will grow again
	waitedFor bool // other processes wait for this one
}

// OwnerPatience is how long a process that stays waits for another one that writes:
// nothing waits for it meanwhile.
const OwnerPatience = time.Second

func (o Options) patience() time.Duration {
	if o.Patience > 0 {
		return o.Patience
	}
	return db.CommandPatience
}

// level is what a home that was walked this way has in the index.
func (o Options) level() int {
	if o.RowsOnly {
		return 1
	}
	return 2
}

// Report is what a Walk or an Absorb did.
type Report struct {
	Files   int // in the homes that were walked
	Read    int // because they are new or changed
	Removed int
	Bytes   int64 // of the files read

	// Behind says that another process wrote all the time: what the index says
	// is what was last committed. Lacking says that then a home is not in it yet.
	Behind, Lacking bool
	// Waited says that another process read much meanwhile.
	Waited bool
	// Reopened are homes whose directory is another one than before.
	Reopened []string
	// Absent are homes that are not there; what is known of them stays.
	Absent []*homefs.AbsentError
	// Unlisted are why projects of some homes could not be listed; what is known of these
	// homes stays.
	Unlisted []error
}

// Changed reports whether answers may be others than before.
func (r *Report) Changed() bool { return r.Read+r.Removed > 0 || r.Waited }

// Walk compares every directory and file of the homes with what the index knows,
// and absorbs what differs. The write lock is held only while it writes. If there is much to
// read, one process does it and the others wait: see [db.Turn].
func (x *Index) Walk(ctx context.Context, homes []ask.Home, o Options) (r Report, err error) {
	err = x.db.WithRepair(ctx, func() error {
		r, err = x.walk(ctx, homes, o)
		return err
	})
	if db.IsBusy(err) {
		r.Behind, err = true, nil
		r.Lacking = !x.known.whole(ctx, homes, o.level())
	}
	return r, err
}

func (x *Index) walk(ctx context.Context, homes []ask.Home, o Options) (r Report, err error) {
	born, err := db.Birth(ctx, x.db)
	if err != nil {
		return r, err
	}
	turn, err := x.firstTurn(ctx, homes, &o, &r)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, turn.Release()) }()
	start := time.Now()
	all, err := x.compareAll(ctx, born, homes, o, &r)
	if err != nil {
		return r, err
	}
	if turn == nil && !r.Waited && isLong(all) {
		if turn, err = x.waitForTurn(ctx, &o, &r); err != nil {
			return r, err
		}
		if r.Waited { // most of it is done
			if all, err = x.compareAll(ctx, born, homes, o, &r); err != nil {
				return r, err
			}
		}
	}
	if err := x.apply(ctx, born, all, o, &r); err != nil {
		return r, err
	}
	for _, n := range all {
		x.walked.note(n.home.Store.Root(), o, start)
	}
	return r, x.Pack(ctx)
}

// compareAll finds how each home differs from what the index knows.
func (x *Index) compareAll(ctx context.Context, born int64, homes []ask.Home, o Options, r *Report) (all []*homeDiff, err error) {
	r.Files, r.Absent, r.Unlisted = 0, nil, nil
	for _, h := range homes {
		if x.walked.within(h.Store.Root(), o) {
			continue
		}
		if err := x.walkInParts(ctx, born, h, o, r); err != nil {
			return nil, err
		}
		n, err := x.compareStable(ctx, h, o, r)
		if unlisted := (*unlistedError)(nil); errors.As(err, &unlisted) {
			r.Unlisted = append(r.Unlisted, unlisted.error)
			continue
		}
		if err != nil {
			return nil, err
		}
		if n != nil {
			r.Files += n.files
			all = append(all, n)
		}
	}
	if len(r.Unlisted) > 0 && len(r.Unlisted)+len(r.Absent) == len(homes) {
		return nil, r.Unlisted[0] // nothing can be answered
	}
	return all, nil
}

// Doubt says that something of a home may have changed unseen: the next Walk
// looks at it, however young the last one is.
func (x *Index) Doubt(h ask.Home) { x.walked.forget(h.Store.Root()) }

// walks remembers when homes were last walked.
type walks struct {
	mu sync.Mutex
	at map[walkKey]time.Time
}

type walkKey struct {
	root  string
	level int
}

func (w *walks) within(root string, o Options) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok := w.at[walkKey{root, o.level()}]
	return ok && o.MaxAge > 0 && time.Since(at) < o.MaxAge
}

func (w *walks) note(root string, o Options, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.at == nil {
		w.at = map[walkKey]time.Time{}
	}
	for level := range o.level() { // text and usage have the rows, too
		w.at[walkKey{root, level + 1}] = at
	}
}

func (w *walks) forget(root string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for level := range 2 {
		delete(w.at, walkKey{root, level + 1})
	}
}

func (w *walks) clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = nil
}

// compareStable is compareHome for a home that may be another directory by now, or gone.
// It believes a listing only if the home was the same one all the time.
func (x *Index) compareStable(ctx context.Context, h ask.Home, o Options, r *Report) (*homeDiff, error) {
	for {
		if there, err := x.present(ctx, h, r); err != nil || !there {
			return nil, err
		}
		n, err := x.compareHome(ctx, h, o.RowsOnly)
		if err != nil {
			return nil, err
		}
		if again, err := h.Store.Files().Renew(); err != nil || !again {
			return n, err
		}
	}
}

// present makes sure that the home which is at its path now is the one that is
// read, and reports whether there is one. Of a home that the index does not know the copies
// are enough.
func (x *Index) present(ctx context.Context, h ask.Home, r *Report) (bool, error) {
	was, known, err := x.known.location(ctx, h)
	if err != nil {
		return false, err
	}
	again, errRenew := h.Store.Files().Renew()
	_, errLocate := h.Store.Files().Locate(was)
	var absent *homefs.AbsentError
	switch {
	case errors.As(errRenew, &absent), known && was != homefs.Location{} && errors.As(errLocate, &absent):
		r.Absent = append(r.Absent, absent)
		return false, nil
	case again:
		r.Reopened = append(r.Reopened, h.Store.Root())
	}
	return true, nil
}

// confirm keeps of what seems to be gone what is, in a home that is opened for
// nothing else: an old handle on a directory that was replaced shows none of
// what is there.
func (n *homeDiff) confirm() error {
	if len(n.gone)+len(n.goneDirs) == 0 {
		return nil
	}
	reopened, err := n.home.Store.Files().Reopen()
	if err != nil {
		return err
	}
	for g := range n.gone {
		if exists(reopened, g.name) {
			delete(n.gone, g)
			if l, ok := n.listings[g.dir]; ok {
				n.listings[g.dir] = l.untrusted(g.dir)
			}
		}
	}
	before := len(n.goneDirs)
	n.goneDirs = slices.DeleteFunc(n.goneDirs, func(dir sesskeep.ProjectKey) bool {
		info, err := reopened.Info("projects/" + string(dir))
		return err == nil && info.IsDir() || err != nil && !errors.Is(err, fs.ErrNotExist)
	})
	if len(n.goneDirs) < before {
		n.projects = 0 // list them again
	}
	return nil
}

// exists reports whether a home has a transcript, or a file with an output. What cannot
// be looked at is not gone.
func exists(files *homefs.Home, name string) bool {
	info, err := files.Info(name)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return info.Mode().IsRegular()
}

// save saves how the home looked, once all that differed is in the index.
func (n *homeDiff) save(b *batch, level int, failed map[string]bool) error {
	root, err := b.root(n.home.Store.Root())
	if err != nil {
		return err
	}
	for dir, l := range n.listings {
		folder, err := b.folder(root, dir, nil)
		if err != nil {
			return err
		}
		for i := range l.files {
			if name := l.files[i].name; failed[name] || n.unreadable[name] || level < 2 && output.Is(name) { // who wants rows reads no outputs
				l.files[i].stat = homefs.Mark{} // as nothing looks: it is tried again
			}
		}
		if _, err := b.exec("INSERT OR REPLACE INTO listing (folder, body) VALUES (?, ?)", folder, l.encode()); err != nil {
			return err
		}
	}
	if n.partial {
		return nil
	}
	_, err = b.exec("UPDATE root SET whole = max(whole, ?), modtime = ?, place = ?, hints = ? WHERE id = ?",
		level, n.projects, n.location.String(), n.hints, root)
	return err
}

// removeGone drops what is gone, and notes what is new of folders.
func (n *homeDiff) removeGone(b *batch) (removed int, err error) {
	root, err := b.root(n.home.Store.Root())
	if err != nil {
		return 0, err
	}
	for _, f := range n.folders {
		if _, err := b.folder(root, f.dir, &f.state); err != nil {
			return 0, err
		}
	}
	for _, dir := range n.goneDirs {
		count, err := b.forgetFolder(root, dir)
		if err != nil {
			return removed, err
		}
		removed += count
	}
	for g := range n.gone {
		gone, err := b.forgetFile(root, g)
		if err != nil {
			return removed, err
		}
		removed += gone
	}
	return removed, nil
}
