package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"sesskeep"
)

// Home is a home to index, with the project paths that are known from
// elsewhere.
type Home struct {
	Store *sesskeep.Store
	Hints []string
}

// RefreshOptions say how a refresh goes.
type RefreshOptions struct {
	Workers  int  // files read at the same time; 0: one a processor
	RowsOnly bool // lists and counts, but no search and no usage
	NoText   bool // lists, counts and usage; what is read this way is never searched
	Early    bool // rows are wanted while it goes on, if only rows are read
	// Progress is told how far it is. It may be nil; calls do not overlap.
	Progress func(done, total int, bytes int64)
}

// Report is what a refresh did.
type Report struct {
	Busy    bool // another process is at it: what is there may be behind
	Files   int  // in the homes
	Read    int  // because they are new or changed
	Removed int
	Bytes   int64 // of the files read
}

// job is a file to read.
type job struct {
	store  *sesskeep.Store
	ref    sesskeep.Ref
	root   int64
	folder int64
	file   int64 // 0: new
	known  bool
	mark   sesskeep.Mark
	stat   string // as listed
}

// Refresh brings the index up to date with the homes. One process does it at a
// time, and nobody waits: to the others it says Busy, and they have what that
// one has committed.
func (x *Index) Refresh(ctx context.Context, homes []Home, o RefreshOptions) (Report, error) {
	if files, ok := x.unchanged(ctx, homes, o.RowsOnly); ok {
		return Report{Files: files}, nil
	}
	if !x.busy.TryLock() {
		return Report{Busy: true}, nil
	}
	defer x.busy.Unlock()
	if x.path == "" {
		return x.refresh(ctx, homes, o)
	}
	return x.refreshInTurn(func() (Report, error) { return x.refresh(ctx, homes, o) })
}

func (x *Index) refresh(ctx context.Context, homes []Home, o RefreshOptions) (Report, error) {
	var r Report
	var jobs []job
	listings := map[string]listing{}
	for _, h := range homes {
		at := time.Now()
		projects, _ := h.Store.Stamp("projects")
		folders, err := h.Store.Folders()
		if err != nil {
			return r, err
		}
		found, gone, files, err := x.compare(ctx, h, folders, o.RowsOnly)
		if err != nil {
			return r, err
		}
		listings[h.Store.Root()] = listingOf(h, projects.Modtime, folders, !o.RowsOnly && !o.NoText, at)
		jobs, r.Removed, r.Files = append(jobs, found...), r.Removed+gone, r.Files+files
	}
	// The newest first: they are what people look for.
	slices.SortStableFunc(jobs, func(a, b job) int { return b.ref.Modtime.Compare(a.ref.Modtime) })
	r.Read = len(jobs)
	for _, j := range jobs {
		r.Bytes += j.ref.Size
	}
	if err := x.turn.soil(len(jobs)); err != nil {
		return r, err
	}
	if whole, err := x.absorb(ctx, jobs, o); err != nil || !whole {
		return r, err
	}
	return r, x.saveListings(ctx, listings)
}

// absorb reads files on all processors and writes what they give. It reports
// whether all of them could be read.
//
//	jobs ─▶ readers ─ deltas ─▶ writer, a batch a transaction
func (x *Index) absorb(ctx context.Context, jobs []job, o RefreshOptions) (bool, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	queue, deltas := make(chan job), make(chan *delta, 4)
	var readers sync.WaitGroup
	for range min(workers, len(jobs)) {
		readers.Go(func() {
			r := &reader{usage: !o.RowsOnly, text: !o.RowsOnly && !o.NoText}
			for j := range queue {
				select {
				case deltas <- r.read(j):
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		defer close(deltas)
		defer readers.Wait()
		defer close(queue)
		for _, j := range jobs {
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	w := &writer{index: x, options: o, total: len(jobs)}
	err := w.run(ctx, deltas)
	cancel()
	for range deltas { // let the readers go home
	}
	return !w.failed, err
}

// compare finds the files of a home that are new or changed, and forgets those
// that are gone. They go together with their folders: files without a folder
// would not be found again.
func (x *Index) compare(ctx context.Context, h Home, folders []sesskeep.Folder, rowsOnly bool) (jobs []job, gone, files int, err error) {
	err = x.inTx(ctx, func(tx *sql.Tx) error {
		root, err := rootID(tx, h.Store.Root())
		if err != nil {
			return err
		}
		known, err := knownFiles(tx, root)
		if err != nil {
			return err
		}
		ids, err := saveFolders(tx, root, folders, h)
		if err != nil {
			return err
		}
		for i, f := range folders {
			for _, ref := range f.Refs {
				files++
				key := fileKey{ids[i], ref.File}
				old, ok := known[key]
				delete(known, key)
				stat := statText(ref)
				if ok && old.stat == stat && (rowsOnly || old.text == stat) {
					continue
				}
				j := job{store: h.Store, ref: ref, root: root, folder: ids[i], file: old.id, known: ok, stat: stat}
				if !rowsOnly {
					_ = json.Unmarshal([]byte(old.mark), &j.mark) // without one it starts over
				}
				jobs = append(jobs, j)
			}
		}
		gone = len(known)
		return x.remove(tx, known)
	})
	return jobs, gone, files, err
}

func rootID(tx *sql.Tx, path string) (id int64, err error) {
	if _, err := tx.Exec("INSERT INTO root (path) VALUES (?) ON CONFLICT DO NOTHING", path); err != nil {
		return 0, err
	}
	err = tx.QueryRow("SELECT id FROM root WHERE path = ?", path).Scan(&id)
	return id, err
}

type fileKey struct {
	folder int64
	name   string
}

type knownFile struct {
	id               int64
	stat, text, mark string
}

func knownFiles(tx *sql.Tx, root int64) (map[fileKey]knownFile, error) {
	rows, err := tx.Query(`SELECT f.id, f.folder, f.name, f.stat, f.text, f.mark FROM file f
		JOIN folder d ON d.id = f.folder WHERE d.root = ?`, root)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := map[fileKey]knownFile{}
	for rows.Next() {
		var f knownFile
		var k fileKey
		if err := rows.Scan(&f.id, &k.folder, &k.name, &f.stat, &f.text, &f.mark); err != nil {
			return nil, err
		}
		known[k] = f
	}
	return known, rows.Err()
}

// saveFolders notes the folders of a home and gives their ids.
func saveFolders(tx *sql.Tx, root int64, folders []sesskeep.Folder, h Home) ([]int64, error) {
	old := map[string]folderRow{}
	rows, err := tx.Query("SELECT id, dir, memory, problems, hints FROM folder WHERE root = ?", root)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var dir string
		var f folderRow
		if err := rows.Scan(&f.id, &dir, &f.memory, &f.problems, &f.hints); err != nil {
			return nil, err
		}
		old[dir] = f
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	ids := make([]int64, len(folders))
	for i, f := range folders {
		was, ok := old[string(f.Dir)]
		delete(old, string(f.Dir))
		if ids[i], err = saveFolder(tx, root, f, h, was, ok); err != nil {
			return nil, err
		}
	}
	for _, f := range old {
		if _, err := tx.Exec("DELETE FROM folder WHERE id = ?", f.id); err != nil {
			return nil, err
		}
		if _, err := tx.Exec("DELETE FROM project WHERE folder = ?", f.id); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

type folderRow struct {
	id              int64
	memory          bool
	problems, hints string
}

func saveFolder(tx *sql.Tx, root int64, f sesskeep.Folder, h Home, was folderRow, known bool) (int64, error) {
	now := folderRow{memory: f.Memory, problems: jsonText(f.Problems), hints: jsonText(hintsFor(h, f.Dir))}
	if !known {
		res, err := tx.Exec("INSERT INTO folder (root, dir, memory, problems, hints, stale) VALUES (?, ?, ?, ?, ?, 1)",
			root, string(f.Dir), now.memory, now.problems, now.hints)
		if err != nil {
			return 0, err
		}
		return res.LastInsertId()
	}
	now.id = was.id
	if now != was {
		_, err := tx.Exec("UPDATE folder SET memory = ?, problems = ?, hints = ?, stale = 1 WHERE id = ?",
			now.memory, now.problems, now.hints, was.id)
		return was.id, err
	}
	return was.id, nil
}

// hintsFor are the known paths that can belong to a directory.
func hintsFor(h Home, dir sesskeep.ProjectKey) []string {
	var hints []string
	if path := h.Store.IndexedPath(dir); path != "" {
		hints = append(hints, path)
	}
	for _, path := range h.Hints {
		if dir.Holds(path) {
			hints = append(hints, path)
		}
	}
	return hints
}

func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(data)
}

// statText is how a transcript looks from outside, its meta file included: what
// that says is among its facts.
func statText(ref sesskeep.Ref) string {
	b := make([]byte, 0, 160)
	for _, m := range []sesskeep.Mark{ref.Stat, ref.Meta} {
		if m == (sesskeep.Mark{}) {
			continue
		}
		b = strconv.AppendUint(append(b, ' '), m.Device, 36)
		b = strconv.AppendUint(append(b, ' '), m.Inode, 36)
		for _, n := range []int64{m.Size, m.Modtime, m.Changed} {
			b = strconv.AppendInt(append(b, ' '), n, 36)
		}
	}
	return string(b)
}

// writer takes deltas and commits them in batches.
type writer struct {
	index   *Index
	options RefreshOptions
	total   int

	done   int
	bytes  int64
	failed bool          // a file could not be read
	joined time.Time     // when rows were last derived
	took   time.Duration // and how long that was
}

// A batch ends with its text or its files, whichever is enough first.
const (
	batchText  = 64 << 20
	batchFiles = 256
)

func (w *writer) run(ctx context.Context, deltas <-chan *delta) error {
	w.joined = time.Now()
	for open := true; open; {
		err := w.index.inTx(ctx, func(tx *sql.Tx) error {
			s, err := prepareStatements(tx)
			if err != nil {
				return err
			}
			open, err = w.batch(ctx, s, deltas)
			if err != nil {
				return err
			}
			return w.derive(tx, !open)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// batch writes what comes until it is enough, and reports whether more may.
func (w *writer) batch(ctx context.Context, s *statements, deltas <-chan *delta) (bool, error) {
	text := int64(0)
	for files := 0; files < batchFiles && text < batchText; files++ {
		var d *delta
		var ok bool
		select {
		case d, ok = <-deltas:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		if !ok {
			return false, s.close()
		}
		if err := s.write(d, w.options); err != nil {
			return false, err
		}
		for i := range d.chunks {
			text += d.chunks[i].length
		}
		w.done++
		w.failed = w.failed || d.failed
		w.bytes += d.ref.Size
		if w.options.Progress != nil {
			w.options.Progress(w.done, w.total, w.bytes)
		}
	}
	return true, s.close()
}

// derive makes rows of what was read: at the end, and in between as often as it
// costs little, so that lists fill up while the rest is read.
func (w *writer) derive(tx *sql.Tx, last bool) error {
	since := time.Since(w.joined)
	if !last && (w.options.RowsOnly && !w.options.Early || since < 300*time.Millisecond || since < 20*w.took) {
		return nil
	}
	start := time.Now()
	err := deriveStale(tx)
	w.joined, w.took = time.Now(), time.Since(start)
	return err
}
