package index

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/gram"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/output"
	"sesskeep/internal/index/row"
)

// An output that is too large for its line lies in a file of its own, and the line
// names it. It is searched as a part of that line: one record, whatever its size.
// A line can name a file that is not there, and a file can lie
// there that no line names, so the two are kept apart and joined by those who
// search.

// naming is a line that names an output.
type naming struct {
	name   string
	start  int64
	length int
}

func withoutOutputs(names []string) (rest, outputs []string) {
	for _, name := range names {
		if output.Is(name) {
			outputs = append(outputs, name)
		} else {
			rest = append(rest, name)
		}
	}
	return rest, outputs
}

// resolveOutputs compares outputs by name with what is known of each. Those that a
// listed folder lacks are gone.
func (x *Index) resolveOutputs(ctx context.Context, n *homeDiff, names []string, rowsOnly bool) error {
	byDir := map[sesskeep.ProjectKey][]string{}
	for _, name := range names {
		byDir[row.FolderOf(name)] = append(byDir[row.FolderOf(name)], name)
	}
	for _, folder := range n.listed {
		known, err := x.known.outputs(ctx, n.known.folders[folder.Dir], folder.Dir)
		if err != nil {
			return err
		}
		n.compareOutputs(byDir[folder.Dir], known, rowsOnly)
		delete(byDir, folder.Dir)
		there := output.Names(folder)
		for name := range known {
			if _, ok := slices.BinarySearch(there, name); !ok {
				n.gone[goneFile{folder.Dir, name}] = true
			}
		}
	}
	for dir, names := range byDir {
		known, err := x.known.outputs(ctx, n.known.folders[dir], dir)
		if err != nil {
			return err
		}
		n.compareOutputs(names, known, rowsOnly)
	}
	return nil
}

// compareOutputs adds a job for every output that was not read as it is now.
func (n *homeDiff) compareOutputs(names []string, known map[string]string, rowsOnly bool) {
	for _, name := range names {
		ref, ok := outputRef(n.home.Store, name)
		was, had := known[name]
		switch {
		case !ok && exists(n.home.Store.Files(), name):
			n.unreadable[name] = true
		case !ok && had:
			n.gone[goneFile{ref.Dir, name}] = true
		case ok && !rowsOnly && was != statText(ref):
			n.jobs = append(n.jobs, job{store: n.home.Store, hints: n.home.Hints, ref: ref, output: true})
		}
	}
}

// outputRef looks at the file of an output.
func outputRef(store *sesskeep.Store, name string) (sesskeep.Ref, bool) {
	dir, session, _, _ := output.Split(name)
	ref := sesskeep.Ref{File: name, Dir: dir, Session: sesskeep.SessionID(session)}
	info := store.Files().Stat(name)
	if info == nil || !info.Mode().IsRegular() {
		return ref, false
	}
	ref.Size, ref.Modtime = info.Size(), info.ModTime()
	ref.Stat, _ = store.Files().Stamp(name)
	return ref, true
}

// namedOutputs are the outputs that the new lines of a file name, where only that file
// is known to have changed.
func (r *reader) namedOutputs(ctx context.Context, d *delta) (jobs []job) {
	if !r.keepFolds || d.facts.Ref.Session == "" {
		return nil
	}
	for _, named := range d.namings {
		name, err := output.Find(d.store.Files(), d.ref.Dir, d.facts.Ref.Session, named.name)
		if err != nil {
			continue
		}
		if ref, ok := outputRef(d.store, name); ok && !r.index.known.hasOutput(ctx, d.store.Root(), ref) {
			jobs = append(jobs, job{store: d.store, hints: d.hints, ref: ref, output: true})
		}
	}
	return jobs
}

// readOutput makes the filters of an output.
func (r *reader) readOutput(j job) *delta {
	d := &delta{job: j}
	f, err := j.store.Files().Open(j.ref.File)
	if err != nil {
		reopened, lost := j.store.Files().Reopen()
		d.gone = errors.Is(err, fs.ErrNotExist) && lost == nil && reopened.Missing(j.ref.File)
		d.failed = !d.gone
		return d
	}
	defer f.Close()
	c := chunk{line: 1}
	c.length, c.filters, err = textFilters(&r.grams, f)
	if err != nil {
		d.failed = true // without a stat: it looks otherwise the next time, and is tried again
		return d
	}
	d.stat = statText(j.ref) // if it grew meanwhile, it looks otherwise
	if c.length > 0 {
		d.chunks = []chunk{c}
	}
	return d
}

func textFilters(grams *gram.Builder, f homefs.File) (size int64, list []gram.Filter, err error) {
	for w := range output.Windows(f, &err) {
		list = append(list, grams.TextPieces(w.Text, block.Size)...)
		size = w.Offset + int64(len(w.Text))
	}
	return size, list, err
}

// writeOutput takes over what reading an output gave.
func (b *batch) writeOutput(d *delta) error {
	root, err := b.root(d.store.Root())
	if err != nil {
		return err
	}
	if d.gone {
		return b.forgetOutput(root, goneFile{d.ref.Dir, d.ref.File})
	}
	folder, err := b.folder(root, d.ref.Dir, nil)
	if err != nil {
		return err
	}
	var id int64
	var was string
	key := []any{folder, string(d.ref.Session), path.Base(d.ref.File)}
	known, err := b.one("SELECT id, stat FROM output WHERE folder = ? AND session = ? AND name = ?", key, &id, &was)
	switch {
	case err != nil:
		return err
	case known && was == d.stat && !d.failed:
		return nil // somebody was quicker
	case known:
		if err := forgetText(b.tx, -id); err != nil {
			return err
		}
		_, err = b.exec("UPDATE output SET stat = ? WHERE id = ?", d.stat, id)
	default:
		id, err = b.insert("INSERT INTO output (folder, session, name, stat) VALUES (?, ?, ?, ?)", append(key, d.stat)...)
	}
	if err != nil {
		return err
	}
	return b.text(d, -id)
}

// namings adds the lines that name outputs.
func (b *batch) namings(d *delta, file int64) error {
	for _, n := range d.namings {
		if _, err := b.exec("INSERT OR REPLACE INTO naming (name, file, start, length) VALUES (?, ?, ?, ?)", n.name, file, n.start, n.length); err != nil {
			return err
		}
	}
	return nil
}

// forgetOutput drops an output that is gone.
func (b *batch) forgetOutput(root int64, g goneFile) error {
	_, session, name, _ := output.Split(g.name)
	return b.forgetOutputs("folder = (SELECT id FROM folder WHERE root = ? AND dir = ?) AND session = ? AND name = ?",
		root, string(g.dir), session, name)
}

func (b *batch) forgetOutputs(where string, args ...any) error {
	if _, err := b.exec("DELETE FROM extent WHERE file IN (SELECT -id FROM output WHERE "+where+")", args...); err != nil {
		return err
	}
	_, err := b.exec("DELETE FROM output WHERE "+where, args...)
	return err
}
