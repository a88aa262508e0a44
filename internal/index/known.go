package index

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"path"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/output"
	"sesskeep/internal/index/row"
)

// records reads what the index knows of homes.
type records struct{ db *db.DB }

// known is what the index has of a home.
type known struct {
	id       int64 // 0: nothing
	whole    int
	modtime  int64
	location homefs.Location
	hints    string
	folders  map[sesskeep.ProjectKey]*knownFolder
}

type knownFolder struct {
	id    int64
	dir   sesskeep.ProjectKey
	state folderState
	raw   []byte // listing as it is kept; nil also where all looks as it says

	same   bool     // nothing was added or taken away since: see compare
	files  int      // transcripts, if it is the same
	differ []string // those that look otherwise, or what belongs to them does
}

// listing is what the folder looked like; empty if it was never listed.
func (f *knownFolder) listing() listing {
	l, _ := decodeListing(f.raw)
	return l
}

// folderState is what is kept of a folder itself.
type folderState struct {
	memory          bool
	problems, hints string
}

// changedFolder is a folder whose state differs from what the index has of it.
type changedFolder struct {
	dir   sesskeep.ProjectKey
	state folderState
}

// loadKnown reads what the index has of the home, and looks at the folders meanwhile if
// what is listed of them can be trusted.
func (n *homeDiff) loadKnown(ctx context.Context, r records) error {
	k := &n.known
	k.folders = map[sesskeep.ProjectKey]*knownFolder{}
	var location string
	err := r.db.QueryRowContext(ctx, "SELECT id, whole, modtime, place, hints FROM root WHERE path = ?", n.home.Store.Root()).
		Scan(&k.id, &k.whole, &k.modtime, &location, &k.hints)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	k.location = homefs.ParseLocation(location)
	read := make(chan *knownFolder, 16)
	go func() {
		defer close(read)
		err = r.folders(ctx, k, read)
	}()
	trust := n.trusts()
	onAllProcessors(func() {
		for f := range read {
			if trust {
				f.compare(n.home.Store, n.rows)
			}
		}
	})
	return err
}

// location returns where a home was last, and whether anything is known of what was in it.
func (r records) location(ctx context.Context, h ask.Home) (was homefs.Location, known bool, err error) {
	var text string
	err = r.db.QueryRowContext(ctx, "SELECT place, EXISTS (SELECT 1 FROM folder WHERE root = root.id) FROM root WHERE path = ?", h.Store.Root()).
		Scan(&text, &known)
	if errors.Is(err, sql.ErrNoRows) {
		return was, false, nil
	}
	return homefs.ParseLocation(text), known, err
}

// trusts reports whether the home is the one that was listed, and what is known
// from elsewhere the same.
func (n *homeDiff) trusts() bool { return n.known.location == n.location && n.known.hints == n.hints }

// folders reads what is known of the folders of a home, and gives them on.
func (r records) folders(ctx context.Context, k *known, read chan<- *knownFolder) error {
	rows, err := r.db.QueryContext(ctx, `SELECT d.id, d.dir, d.memory, d.problems, d.hints, coalesce(l.body, x'') FROM folder d
		LEFT JOIN listing l ON l.folder = d.id WHERE d.root = ?`, k.id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		f := &knownFolder{}
		if err := rows.Scan(&f.id, &f.dir, &f.state.memory, &f.state.problems, &f.state.hints, &f.raw); err != nil {
			return err
		}
		k.folders[f.dir] = f
		read <- f
	}
	return rows.Err()
}

// someFolders reads what is known of some folders, with their listings where
// those are wanted.
func (r records) someFolders(ctx context.Context, n *homeDiff, dirs map[sesskeep.ProjectKey]bool) error {
	n.known.folders = map[sesskeep.ProjectKey]*knownFolder{}
	err := r.db.QueryRowContext(ctx, "SELECT id FROM root WHERE path = ?", n.home.Store.Root()).Scan(&n.known.id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	for dir, listed := range dirs {
		if err != nil {
			return err
		}
		f := &knownFolder{dir: dir}
		err = r.db.QueryRowContext(ctx, `SELECT d.id, d.memory, d.problems, d.hints, iif(?, coalesce(l.body, x''), x'')
			FROM folder d LEFT JOIN listing l ON l.folder = d.id WHERE d.root = ? AND d.dir = ?`, listed, n.known.id, string(dir)).
			Scan(&f.id, &f.state.memory, &f.state.problems, &f.state.hints, &f.raw)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
			continue
		}
		n.known.folders[dir] = f
	}
	return err
}

// fewNames is up to where files are asked for one by one.
const fewNames = 1000

// recordsOf reads what is known of some files: folder by folder, or all if they
// are many.
func recordsOf(tx *sql.Tx, k *known, names []string) (map[string]knownFile, error) {
	if len(names) > fewNames {
		return knownFiles(tx, "f.folder IN (SELECT id FROM folder WHERE root = ?)", []any{k.id})
	}
	byFolder := map[int64][]string{}
	for _, name := range names {
		if f := k.folders[row.FolderOf(name)]; f != nil {
			byFolder[f.id] = append(byFolder[f.id], name)
		}
	}
	files := map[string]knownFile{}
	for id, names := range byFolder {
		some, err := knownFiles(tx, "f.folder = ? AND f.name IN ("+db.Params(len(names))+")", append([]any{id}, db.Args(names)...))
		if err != nil {
			return nil, err
		}
		maps.Copy(files, some)
	}
	return files, nil
}

// knownFile is what the index has of a file; the zero value is nothing.
type knownFile struct {
	id               int64
	stat, text, mark string
	torn             bool
}

// fits reports whether the file was read as it is now.
func (f *knownFile) fits(stat string, rowsOnly bool) bool {
	return f.id != 0 && f.stat == stat && (rowsOnly || f.text == stat)
}

func knownFiles(tx *sql.Tx, where string, args []any) (map[string]knownFile, error) {
	return readFiles(tx, "file f WHERE "+where, args)
}

func readFiles(tx *sql.Tx, from string, args []any) (map[string]knownFile, error) {
	rows, err := tx.Query("SELECT f.id, f.name, f.stat, f.text, f.mark, f.torn FROM "+from, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	files := map[string]knownFile{}
	for rows.Next() {
		var f knownFile
		var name string
		if err := rows.Scan(&f.id, &name, &f.stat, &f.text, &f.mark, &f.torn); err != nil {
			return nil, err
		}
		files[name] = f
	}
	return files, rows.Err()
}

// withTextless adds the files whose text was not read.
func withTextless(tx *sql.Tx, root int64, names []string, files map[string]knownFile) ([]string, error) {
	more, err := readFiles(tx, `file f INDEXED BY file_unblocked CROSS JOIN folder d ON d.id = f.folder
		WHERE `+block.Incomplete+` AND (f.text = '' OR f.text <> f.stat) AND d.root = ?`, []any{root})
	if err != nil {
		return nil, err
	}
	for name, f := range more {
		files[name] = f
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Knows reports whether the text and the usage of all of these homes were in the
// index once, so that what is new is all there is to read.
func (x *Index) Knows(ctx context.Context, roots []string) (bool, error) {
	roots = slices.Compact(slices.Sorted(slices.Values(roots)))
	var n int
	err := x.db.QueryRowContext(ctx, "SELECT count(*) FROM root WHERE whole >= 2 AND path IN ("+db.Params(len(roots))+")", db.Args(roots)...).Scan(&n)
	return n == len(roots), err
}

// HasRows reports whether there are rows of any of these homes, and whether those of all
// were in the index once, so that lists can be answered.
func (x *Index) HasRows(ctx context.Context, roots []string) (some, all bool) {
	all = true
	for _, root := range roots {
		var any bool
		err := x.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM row WHERE root = (SELECT id FROM root WHERE path = ?))", root).Scan(&any)
		some = some || err == nil && any
		all = all && x.known.wholeHome(ctx, root, 1)
	}
	return some, all
}

// files reads, as the index stands at one moment, what is known of some files
// and of those whose text is not read, and which rows the listed folders have.
func (r records) files(ctx context.Context, n *homeDiff, names []string, rowsOnly bool) (files map[string]knownFile, all []string, rows map[sesskeep.ProjectKey][]string, err error) {
	rows = map[sesskeep.ProjectKey][]string{}
	err = r.db.View(ctx, func(tx *sql.Tx) (err error) {
		if files, err = recordsOf(tx, &n.known, names); err != nil {
			return err
		}
		if !rowsOnly && (!n.partial || len(n.listed) > 0) {
			if names, err = withTextless(tx, n.known.id, names, files); err != nil {
				return err
			}
		}
		for _, folder := range n.listed {
			if f := n.known.folders[folder.Dir]; f != nil {
				if rows[folder.Dir], err = db.Column[string](tx, "SELECT name FROM file WHERE folder = ?", f.id); err != nil {
					return err
				}
			}
		}
		return tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM folder WHERE stale = 1) OR EXISTS (SELECT 1 FROM contested)
			OR EXISTS (SELECT 1 FROM spend WHERE fresh = 1)`).Scan(&n.underived)
	})
	return files, names, rows, err
}

// current gives jobs what is known of their files by now.
func (r records) current(ctx context.Context, jobs []job) ([]job, error) {
	for i := range jobs {
		j := &jobs[i]
		err := r.db.QueryRowContext(ctx, `SELECT f.id, f.stat, f.text, f.mark, f.torn FROM file f JOIN folder d ON d.id = f.folder
			JOIN root o ON o.id = d.root WHERE o.path = ? AND d.dir = ? AND f.name = ?`, j.store.Root(), string(j.ref.Dir), j.ref.File).
			Scan(&j.was.id, &j.was.stat, &j.was.text, &j.was.mark, &j.was.torn)
		if errors.Is(err, sql.ErrNoRows) {
			j.was, err = knownFile{}, nil
		}
		if err != nil {
			return nil, err
		}
		if ref, ok := j.store.Ref(j.ref.File); ok {
			j.ref = ref
		}
	}
	return jobs, nil
}

// whole reports whether all of the homes has been in the index at some time.
func (r records) whole(ctx context.Context, homes []ask.Home, level int) bool {
	return !slices.ContainsFunc(homes, func(h ask.Home) bool { return !r.wholeHome(ctx, h.Store.Root(), level) })
}

func (r records) wholeHome(ctx context.Context, root string, level int) bool {
	var has int
	err := r.db.QueryRowContext(ctx, "SELECT whole FROM root WHERE path = ?", root).Scan(&has)
	return err == nil && has >= level
}

// newFolders are those that the index has nothing of. What a reading that was
// broken off has left of others is for the comparison of all of it.
func (r records) newFolders(ctx context.Context, h ask.Home) ([]sesskeep.ProjectKey, error) {
	keys, err := h.Store.ProjectKeys()
	if err != nil || len(keys) < manyFolders {
		return nil, nil // the comparison that follows says what is wrong
	}
	rows, err := r.db.QueryContext(ctx, "SELECT dir FROM folder WHERE root = (SELECT id FROM root WHERE path = ?)", h.Store.Root())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := map[sesskeep.ProjectKey]bool{}
	for rows.Next() {
		var dir string
		if err := rows.Scan(&dir); err != nil {
			return nil, err
		}
		known[sesskeep.ProjectKey(dir)] = true
	}
	return slices.DeleteFunc(keys, func(key sesskeep.ProjectKey) bool { return known[key] }), rows.Err()
}

// outputs reads how the outputs of a folder looked when they were read.
func (r records) outputs(ctx context.Context, f *knownFolder, dir sesskeep.ProjectKey) (map[string]string, error) {
	known := map[string]string{}
	if f == nil {
		return known, nil
	}
	rows, err := r.db.QueryContext(ctx, "SELECT session, name, stat FROM output WHERE folder = ?", f.id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var session, name, stat string
		if err := rows.Scan(&session, &name, &stat); err != nil {
			return nil, err
		}
		known[output.File(dir, session, name)] = stat
	}
	return known, rows.Err()
}

// hasOutput reports whether an output was read as it is.
func (r records) hasOutput(ctx context.Context, root string, ref sesskeep.Ref) bool {
	var stat string
	err := r.db.QueryRowContext(ctx, `SELECT p.stat FROM output p JOIN folder d ON d.id = p.folder JOIN root o ON o.id = d.root
		WHERE o.path = ? AND d.dir = ? AND p.session = ? AND p.name = ?`, root, string(ref.Dir), string(ref.Session), path.Base(ref.File)).Scan(&stat)
	return err == nil && stat == statText(ref)
}
