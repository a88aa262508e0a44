package index

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"sesskeep"
	"sesskeep/internal/gram"
)

// An output that is too large for its line lies in a file of its own, and the line
// names it. It is searched as a part of that line: one record, whatever its size,
// in one block. A line can name a file that is not there, and a file can lie
// there that no line names, so the two are kept apart and joined by those who
// search.

// naming is a line that names an output.
type naming struct {
	name   string
	start  int64
	length int
}

// outputName takes apart projects/<dir>/<session>/tool-results/<name>.
func outputName(file string) (dir sesskeep.ProjectKey, session, name string, ok bool) {
	if !strings.Contains(file, "/tool-results/") { // which is quickly seen, of every file there is
		return "", "", "", false
	}
	parts := strings.Split(file, "/")
	if len(parts) != 5 || parts[0] != "projects" || parts[3] != "tool-results" || !sesskeep.IsUUID(parts[2]) {
		return "", "", "", false
	}
	return sesskeep.ProjectKey(parts[1]), parts[2], parts[4], true
}

func isOutput(file string) bool {
	_, _, _, ok := outputName(file)
	return ok
}

func outputFile(dir sesskeep.ProjectKey, session, name string) string {
	return path.Join("projects", string(dir), session, "tool-results", name)
}

// outputNames are the outputs of a folder, in order.
func outputNames(f *sesskeep.Folder) []string {
	var names []string
	for session, list := range f.Results {
		for _, name := range list {
			names = append(names, outputFile(f.Dir, string(session), name))
		}
	}
	slices.Sort(names)
	return names
}

func withoutOutputs(names []string) (rest, outputs []string) {
	for _, name := range names {
		if isOutput(name) {
			outputs = append(outputs, name)
		} else {
			rest = append(rest, name)
		}
	}
	return rest, outputs
}

// resolveOutputs compares outputs by name with what is known of each. Those that a
// listed folder lacks are gone.
func (x *Index) resolveOutputs(ctx context.Context, n *news, names []string, rowsOnly bool) error {
	byDir := map[sesskeep.ProjectKey][]string{}
	for _, name := range names {
		byDir[folderOf(name)] = append(byDir[folderOf(name)], name)
	}
	for _, folder := range n.listed {
		known, err := x.knownOutputs(ctx, n.known.folders[folder.Dir], folder.Dir)
		if err != nil {
			return err
		}
		n.compareOutputs(byDir[folder.Dir], known, rowsOnly)
		delete(byDir, folder.Dir)
		there := outputNames(folder)
		for name := range known {
			if _, ok := slices.BinarySearch(there, name); !ok {
				n.gone[goneFile{folder.Dir, name}] = true
			}
		}
	}
	for dir, names := range byDir {
		known, err := x.knownOutputs(ctx, n.known.folders[dir], dir)
		if err != nil {
			return err
		}
		n.compareOutputs(names, known, rowsOnly)
	}
	return nil
}

// knownOutputs reads how the outputs of a folder looked when they were read.
func (x *Index) knownOutputs(ctx context.Context, f *knownFolder, dir sesskeep.ProjectKey) (map[string]string, error) {
	known := map[string]string{}
	if f == nil {
		return known, nil
	}
	rows, err := x.db.QueryContext(ctx, "SELECT session, name, stat FROM output WHERE folder = ?", f.id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var session, name, stat string
		if err := rows.Scan(&session, &name, &stat); err != nil {
			return nil, err
		}
		known[outputFile(dir, session, name)] = stat
	}
	return known, rows.Err()
}

// compareOutputs adds a job for every output that was not read as it is now.
func (n *news) compareOutputs(names []string, known map[string]string, rowsOnly bool) {
	for _, name := range names {
		ref, ok := outputRef(n.home.Store, name)
		was, had := known[name]
		switch {
		case !ok && there(n.home.Store, name):
			n.unseen[name] = true
		case !ok && had:
			n.gone[goneFile{ref.Dir, name}] = true
		case ok && !rowsOnly && was != statText(ref):
			n.jobs = append(n.jobs, job{store: n.home.Store, hints: n.home.Hints, ref: ref, output: true})
		}
	}
}

// outputRef looks at the file of an output.
func outputRef(store *sesskeep.Store, name string) (sesskeep.Ref, bool) {
	dir, session, _, _ := outputName(name)
	ref := sesskeep.Ref{File: name, Dir: dir, Session: sesskeep.SessionID(session)}
	info := store.Stat(name)
	if info == nil || !info.Mode().IsRegular() {
		return ref, false
	}
	ref.Size, ref.Modtime = info.Size(), info.ModTime()
	ref.Stat, _ = store.Stamp(name)
	return ref, true
}

// namedOutputs are the outputs that the new lines of a file name, for those who
// are told only of that file.
func (r *reader) namedOutputs(ctx context.Context, d *delta) (jobs []job) {
	if !r.hold || d.facts.Ref.Session == "" {
		return nil
	}
	for _, named := range d.namings {
		name, err := d.store.ResultFile(d.ref.Dir, d.facts.Ref.Session, named.name)
		if err != nil {
			continue
		}
		if ref, ok := outputRef(d.store, name); ok && !r.index.hasOutput(ctx, d.store.Root(), ref) {
			jobs = append(jobs, job{store: d.store, hints: d.hints, ref: ref, output: true})
		}
	}
	return jobs
}

// hasOutput reports whether an output was read as it is.
func (x *Index) hasOutput(ctx context.Context, root string, ref sesskeep.Ref) bool {
	var stat string
	err := x.db.QueryRowContext(ctx, `SELECT p.stat FROM output p JOIN folder d ON d.id = p.folder JOIN root o ON o.id = d.root
		WHERE o.path = ? AND d.dir = ? AND p.session = ? AND p.name = ?`, root, string(ref.Dir), string(ref.Session), path.Base(ref.File)).Scan(&stat)
	return err == nil && stat == statText(ref)
}

// readOutput makes the filter of an output.
func (r *reader) readOutput(j job) *delta {
	d := &delta{job: j}
	f, err := j.store.Open(j.ref.File)
	if err != nil {
		anew, lost := j.store.Anew()
		d.gone = errors.Is(err, fs.ErrNotExist) && lost == nil && anew.Missing(j.ref.File)
		d.failed = !d.gone
		return d
	}
	defer f.Close()
	c := chunk{line: 1}
	c.length, err = addText(&r.grams, f)
	c.filter = r.grams.Filter()
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

// windowSize is how much of an output is in memory, and overlap how much of a
// window is in the next one too: longer needles are found within lines only.
const (
	windowSize = 1 << 20
	overlap    = 4 << 10
)

func addText(grams *gram.Builder, f sesskeep.File) (size int64, err error) {
	for w := range windows(f, &err) {
		grams.AddText(w.text)
		size = w.offset + int64(len(w.text))
	}
	return size, err
}

// window is a part of an output.
type window struct {
	offset int64
	text   []byte // valid until the next one
}

// windows gives a text in parts that overlap and, where it has lines, begin and
// end with them.
func windows(f sesskeep.File, failed *error) iter.Seq[window] {
	return func(yield func(window) bool) {
		r := io.NewSectionReader(f, 0, math.MaxInt64)
		var buf []byte
		var offset int64
		for {
			var err error
			if buf, err = fillWindow(r, buf); err != nil && err != io.EOF {
				*failed = err
				return
			}
			end := len(buf)
			if err == nil {
				end = cut(buf, len(buf))
			}
			if end > 0 && !yield(window{offset, buf[:end]}) || err == io.EOF {
				return
			}
			keep := cut(buf, end-overlap)
			offset += int64(keep)
			buf = append(buf[:0], buf[keep:]...)
		}
	}
}

// fillWindow reads until a window is full or the text ends.
func fillWindow(r io.Reader, buf []byte) ([]byte, error) {
	const first = 64 << 10
	for len(buf) < windowSize {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, max(first, cap(buf)))
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), windowSize)])
		buf = buf[:len(buf)+n]
		if err != nil {
			return buf, err
		}
	}
	return buf, nil
}

// cut finds a good place to cut a text at, at most half of it before the place
// that is wanted: behind a line, or else between two characters.
func cut(text []byte, at int) int {
	if i := bytes.LastIndexByte(text[at/2:at], '\n'); i >= 0 {
		return at/2 + i + 1
	}
	for least := at - utf8.UTFMax; at > least && at < len(text) && !utf8.RuneStart(text[at]); {
		at--
	}
	return at
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
	_, session, name, _ := outputName(g.name)
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
