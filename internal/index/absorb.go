package index

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/output"
	"sesskeep/internal/index/row"
)

// Change is something of a home that changed: a transcript, the meta file of an
// agent, or a directory below projects/, which stands for what is in it.
type Change struct {
	Home ask.Home
	Name string // slash path inside the home
}

// Absorb brings the index up to date with some files. It looks at nothing else, and
// costs what was appended: a process that stays calls it with what it sees change, and
// leaves the rest to a Walk now and then. Calls may overlap: a file that two
// of them read is written once.
func (x *Index) Absorb(ctx context.Context, changes []Change, o Options) (r Report, err error) {
	o.keepFolds = true
	err = x.db.WithRepair(ctx, func() error {
		r = Report{}
		born, err := db.Birth(ctx, x.db)
		if err != nil {
			return err
		}
		all, err := x.collect(ctx, changes, o, &r)
		if err != nil {
			return err
		}
		return x.apply(ctx, born, all, o, &r)
	})
	if db.IsBusy(err) {
		r.Behind, err = true, nil
	}
	return r, err
}

// collect finds what the changes mean for each home.
func (x *Index) collect(ctx context.Context, changes []Change, o Options, r *Report) ([]*homeDiff, error) {
	byHome := map[string]*homeDiff{}
	names := map[string][]string{}
	var order []string
	for _, c := range changes {
		root := c.Home.Store.Root()
		if byHome[root] == nil {
			byHome[root] = newHomeDiff(c.Home)
			order = append(order, root)
		}
		names[root] = append(names[root], c.Name)
	}
	var all []*homeDiff
	for _, root := range order {
		n := byHome[root]
		if there, err := x.present(ctx, n.home, r); err != nil {
			return nil, err
		} else if !there {
			continue
		}
		whole, err := x.examine(ctx, n, names[root], o)
		if err != nil {
			return nil, err
		}
		if whole { // there is more to it than these files
			if n, err = x.compareHome(ctx, n.home, o.RowsOnly); err != nil {
				return nil, err
			}
		}
		all = append(all, n)
	}
	return all, nil
}

// examine looks at some names of a home. It reports whether the whole home has to
// be looked at: it is not known, or what changed is the list of its folders.
func (x *Index) examine(ctx context.Context, n *homeDiff, names []string, o Options) (whole bool, err error) {
	n.partial, n.rows = true, o.RowsOnly
	slices.Sort(names)
	var files []string
	dirs := map[sesskeep.ProjectKey]bool{}
	for _, name := range slices.Compact(names) {
		key := row.FolderOf(name)
		switch name = transcriptName(name); {
		case name == "projects":
			return true, nil
		case key == "" || !strings.HasPrefix(name, "projects/"):
		case strings.HasSuffix(name, ".jsonl") && !output.Is(name):
			files = append(files, name)
			if !dirs[key] {
				dirs[key] = false // a file in it changed, but the directory need not be listed
			}
		default:
			dirs[key] = true
		}
	}
	if err := x.known.someFolders(ctx, n, dirs); err != nil || n.known.id == 0 {
		return true, err
	}
	for key, listed := range dirs {
		f := n.known.folders[key]
		switch {
		case f == nil || listed:
			if !n.home.Store.Files().Missing("projects/" + string(key)) {
				files = append(files, n.list(key, f)...)
			} else if f != nil {
				n.goneDirs = append(n.goneDirs, key)
			}
		}
	}
	return false, x.resolve(ctx, n, files, o.RowsOnly)
}

// job is a file to read.
type job struct {
	store *sesskeep.Store
	hints []string
	ref   sesskeep.Ref
	was   knownFile

	output bool // an output of a tool changed, not the transcript that names it
}

// apply reads what is new, writes it and drops what is gone.
//
//	jobs ─▶ readers ─ deltas ─▶ writer, a batch a transaction
func (x *Index) apply(ctx context.Context, born int64, all []*homeDiff, o Options, r *Report) error {
	w := &writer{index: x, born: born, options: o, report: r, trivial: true, failed: map[string]bool{}}
	for _, n := range all {
		if err := n.confirm(); err != nil {
			return err
		}
		if !n.isEmpty(o.level()) {
			w.diffs = append(w.diffs, n)
			w.trivial = w.trivial && n.isTrivial(o.level())
			w.jobs, n.jobs = append(w.jobs, n.jobs...), nil
		}
	}
	if len(w.diffs) == 0 {
		return nil
	}
	// The newest first: they are what people look for.
	slices.SortStableFunc(w.jobs, func(a, b job) int { return b.ref.Modtime.Compare(a.ref.Modtime) })
	r.Read = len(w.jobs)
	for _, j := range w.jobs {
		r.Bytes += j.ref.Size
	}
	if err := w.run(ctx); !db.IsBusy(err) || !w.trivial {
		return err
	}
	return nil
}

// writer takes deltas and commits them in batches.
type writer struct {
	index   *Index
	born    int64 // which index was looked at
	options Options
	report  *Report
	diffs   []*homeDiff
	jobs    []job
	trivial bool // nothing but what makes the next comparison quick

	started    bool
	done       int
	bytes      int64
	failed     map[string]bool // files that could not be read whole
	again      []job           // what somebody else was quicker with, in part
	derivedAt  time.Time       // when rows were last derived
	deriveTook time.Duration   // and how long that was
}

// A batch ends with its text or its files, whichever is enough first. Every one
// writes the pages of the indexes again, so few are better than many, unless
// somebody waits for the first rows.
const (
	batchText  = 64 << 20
	batchFiles = 1024
	earlyFiles = 256
	batchWait  = 20 * time.Millisecond
	firstWait  = 500 * time.Millisecond // until the first rows are written, if somebody waits for them
)

// rounds is how often files are read again because somebody else wrote them.
const rounds = 4

func (w *writer) run(ctx context.Context) error {
	w.derivedAt = time.Now()
	for round := 1; ; round++ {
		if err := w.round(ctx, round == rounds); err != nil {
			return err
		}
		if len(w.again) == 0 || round == rounds {
			return nil
		}
		jobs, err := w.index.known.current(ctx, w.again)
		if err != nil {
			return err
		}
		w.jobs, w.again = jobs, nil
	}
}

// round reads the jobs and writes what they give.
func (w *writer) round(ctx context.Context, last bool) error {
	ctx, cancel := context.WithCancel(ctx)
	deltas := make(chan *delta, 8)
	go w.index.readAll(ctx, w.jobs, w.options, deltas)
	defer func() {
		cancel()
		for range deltas { // let the readers go home
		}
	}()
	for open := true; open; {
		var list []*delta
		if list, open = w.gather(ctx, deltas); ctx.Err() != nil {
			return ctx.Err()
		}
		end := !open && (last || len(w.again) == 0)
		if err := w.commit(ctx, list, end); err != nil {
			return err
		}
	}
	return nil
}

// gather takes what comes until it is enough for a batch, and reports whether
// more may come. Nothing is locked meanwhile. What was just appended does not wait
// for a long file that is read from its start.
func (w *writer) gather(ctx context.Context, deltas <-chan *delta) (list []*delta, open bool) {
	text, files := int64(0), batchFiles
	if w.options.Early {
		files = earlyFiles
	}
	var enough <-chan time.Time
	for len(list) < files && text < batchText {
		switch {
		case len(list) != 1:
		case w.options.keepFolds:
			enough = time.After(batchWait)
		case w.options.Early && !w.started:
			enough = time.After(firstWait)
		}
		select {
		case <-enough:
			return list, true
		case d, ok := <-deltas:
			if !ok {
				return list, false
			}
			list = append(list, d)
			w.reportProgress(d)
			for i := range d.chunks {
				text += d.chunks[i].length
			}
		case <-ctx.Done():
			return nil, false
		}
	}
	return list, true
}

// commit writes a batch in a transaction of its own. The first also drops what is gone;
// the last derives what is left, and notes how the homes looked.
func (w *writer) commit(ctx context.Context, list []*delta, end bool) error {
	patience := w.options.patience()
	if w.started {
		patience = max(patience, midPatience)
	}
	again := len(w.again)
	err := w.index.db.Write(ctx, patience, func(tx *sql.Tx) (err error) {
		if now, err := db.Birth(ctx, tx); err != nil || now != w.born {
			return cmp.Or(err, db.ErrReplaced)
		}
		w.again = w.again[:again]
		b := newBatch(tx, w.options.RowsOnly)
		defer func() { err = b.close(err) }()
		return w.write(b, list, end)
	})
	w.started = w.started || err == nil
	return err
}

// midPatience is how long a batch in the middle of many waits for the write lock:
// giving up would throw away what was read.
const midPatience = 10 * time.Second

func (w *writer) write(b *batch, list []*delta, end bool) error {
	if !w.started {
		w.report.Removed = 0
		for _, n := range w.diffs {
			removed, err := n.removeGone(b)
			if err != nil {
				return err
			}
			w.report.Removed += removed
		}
	}
	for _, d := range list {
		again, err := b.write(d)
		if err != nil {
			return err
		}
		if again {
			w.again = append(w.again, d.job)
		}
	}
	end = end && len(w.again) == 0
	if err := w.derive(b, end); err != nil || !end {
		return err
	}
	for _, n := range w.diffs {
		if err := n.save(b, w.options.level(), w.failed); err != nil {
			return err
		}
	}
	return nil
}

// reportProgress reports how far it is.
func (w *writer) reportProgress(d *delta) {
	w.done++
	w.bytes += d.ref.Size
	if d.failed || d.holed {
		w.failed[d.ref.File] = true
	}
	if d.metaUnread {
		w.failed[metaName(d.ref.File)] = true
	}
	if w.options.Progress != nil && w.done <= w.report.Read {
		w.options.Progress(w.done, w.report.Read, w.bytes)
	}
}

// derive makes rows of what was read: at the end and, if somebody wants to see lists
// fill up, in between as often as it costs little.
func (w *writer) derive(b *batch, last bool) error {
	since := time.Since(w.derivedAt)
	w.options.Early = w.options.Early || w.options.waitedFor && w.index.db.RowsWanted()
	if !last && (!w.options.Early || since < 300*time.Millisecond || since < 20*w.deriveTook) {
		return nil
	}
	start := time.Now()
	err := deriveStale(b.tx, last)
	w.derivedAt, w.deriveTook = time.Now(), time.Since(start)
	return err
}
