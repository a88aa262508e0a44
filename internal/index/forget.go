package index

import (
	"database/sql"
	"errors"

	"sesskeep"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/output"
	"sesskeep/internal/index/row"
	"sesskeep/internal/index/usage"
)

// forgetFolder drops a folder that is gone with all its files, and counts them.
func (b *batch) forgetFolder(root int64, dir sesskeep.ProjectKey) (int, error) {
	var id int64
	if ok, err := b.one("SELECT id FROM folder WHERE root = ? AND dir = ?", []any{root, string(dir)}, &id); err != nil || !ok {
		return 0, err
	}
	files, err := db.Column[int64](b.tx, "SELECT id FROM file WHERE folder = ?", id)
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		if err := forget(b.tx, file); err != nil {
			return 0, err
		}
	}
	if err := b.forgetOutputs("folder = ?", id); err != nil {
		return 0, err
	}
	delete(b.folders, folderKey{root, dir})
	for _, query := range []string{"DELETE FROM project WHERE folder = ?", "DELETE FROM listing WHERE folder = ?", "DELETE FROM folder WHERE id = ?"} {
		if _, err := b.exec(query, id); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}

// forgetFile drops a file that is gone, and counts it.
func (b *batch) forgetFile(root int64, g goneFile) (int, error) {
	if output.Is(g.name) {
		return 1, b.forgetOutput(root, g)
	}
	var id int64
	ok, err := b.one("SELECT f.id FROM folder d JOIN file f ON f.folder = d.id WHERE d.root = ? AND d.dir = ? AND f.name = ?",
		[]any{root, string(g.dir), g.name}, &id)
	if err != nil || !ok {
		return 0, err
	}
	return 1, forget(b.tx, id)
}

// forget removes a file and everything that came from it.
func forget(tx *sql.Tx, file int64) error {
	if file == 0 {
		return nil
	}
	if _, err := tx.Exec("UPDATE folder SET stale = 1 WHERE id = (SELECT folder FROM file WHERE id = ?)", file); err != nil {
		return err
	}
	if err := forgetText(tx, file); err != nil {
		return err
	}
	if err := usage.Forget(tx, file); err != nil {
		return err
	}
	from, to := db.PieceRange(file)
	for _, table := range []string{"chain", "line_times"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE id >= ? AND id < ?", from, to); err != nil {
			return err
		}
	}
	var k row.Key
	err := tx.QueryRow("SELECT id, root, parent FROM row WHERE file = ?", file).Scan(&k.ID, &k.Root, &k.Parent)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	for _, table := range []string{"conversation", "problem", "unknown", "reclassified", "row"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE file = ?", file); err != nil {
			return err
		}
	}
	if _, err := tx.Exec("DELETE FROM file WHERE id = ?", file); err != nil {
		return err
	}
	return resolveDuplicates(tx, k) // its duplicate may be the session now
}

// forgetText removes the extents of a file, and which outputs it names. Its bits
// stay in the filters of its blocks, where they do no harm.
func forgetText(tx *sql.Tx, file int64) error {
	for _, table := range []string{"extent", "naming"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE file = ?", file); err != nil {
			return err
		}
	}
	return nil
}
