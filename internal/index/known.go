package index

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"sesskeep"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// known is what the index has of a home.
type known struct {
	id      int64 // 0: nothing
	whole   int
	modtime int64
	place   string
	hints   string
	folders map[sesskeep.ProjectKey]*knownFolder
}

type knownFolder struct {
	id    int64
	dir   sesskeep.ProjectKey
	state folderState
	raw   []byte // listing as it is kept; nil also where all looks as it says

	same   bool     // nothing was added or taken away since: see glance
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

// folderNews is a folder to be noted.
type folderNews struct {
	dir   sesskeep.ProjectKey
	state folderState
}

// know reads what the index has of the home, and looks at the folders meanwhile if
// what is listed of them can be trusted.
func (n *news) know(ctx context.Context, x *Index) error {
	k := &n.known
	k.folders = map[sesskeep.ProjectKey]*knownFolder{}
	err := x.db.QueryRowContext(ctx, "SELECT id, whole, modtime, place, hints FROM root WHERE path = ?", n.home.Store.Root()).
		Scan(&k.id, &k.whole, &k.modtime, &k.place, &k.hints)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	read := make(chan *knownFolder, 16)
	go func() {
		defer close(read)
		err = x.folders(ctx, k, read)
	}()
	trust := n.trusts()
	onAll(func() {
		for f := range read {
			if trust {
				f.glance(n.home.Store, n.rows)
			}
		}
	})
	return err
}

// trusts reports whether the home is the one that was listed, and what is known
// from elsewhere the same.
func (n *news) trusts() bool { return n.known.place == n.place && n.known.hints == n.hints }

// folders reads what is known of the folders of a home, and gives them on.
func (x *Index) folders(ctx context.Context, k *known, read chan<- *knownFolder) error {
	rows, err := x.db.QueryContext(ctx, `SELECT d.id, d.dir, d.memory, d.problems, d.hints, coalesce(l.body, x'') FROM folder d
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

// knownFolders reads what is known of some folders, with their listings where
// those are wanted.
func (x *Index) knownFolders(ctx context.Context, n *news, dirs map[sesskeep.ProjectKey]bool) error {
	n.known.folders = map[sesskeep.ProjectKey]*knownFolder{}
	err := x.db.QueryRowContext(ctx, "SELECT id FROM root WHERE path = ?", n.home.Store.Root()).Scan(&n.known.id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	for dir, listed := range dirs {
		if err != nil {
			return err
		}
		f := &knownFolder{dir: dir}
		err = x.db.QueryRowContext(ctx, `SELECT d.id, d.memory, d.problems, d.hints, iif(?, coalesce(l.body, x''), x'')
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

// filesOf reads what is known of some files: folder by folder, or all if they
// are many.
func filesOf(tx *sql.Tx, k *known, names []string) (map[string]knownFile, error) {
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

// withTextless adds the files of which only the facts were read.
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

// preparedColumn is column for what is asked for every file of a batch.
func preparedColumn[T any](b *batch, query string, args ...any) ([]T, error) {
	stmt, err := b.stmt(query)
	if err != nil {
		return nil, err
	}
	rows, err := stmt.Query(args...)
	return db.ScanColumn[T](rows, err)
}

// Knows reports whether the text and the usage of all of these homes were in the
// index once, so that what is new is all there is to read.
func (x *Index) Knows(ctx context.Context, roots []string) (bool, error) {
	roots = slices.Compact(slices.Sorted(slices.Values(roots)))
	var n int
	err := x.db.QueryRowContext(ctx, "SELECT count(*) FROM root WHERE whole >= 2 AND path IN ("+db.Params(len(roots))+")", db.Args(roots)...).Scan(&n)
	return n == len(roots), err
}
