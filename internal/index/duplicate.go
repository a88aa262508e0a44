package index

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// Several files of a home can have one key: copies, and moves that were cut
// short. The one with the latest line is the session, and of those with the same one a file on
// disk before a copy of ours; the others are its duplicates, which JSON calls twins.
// Lists leave them out and count them as hidden, so they have a source of their
// own in the table row; what they say is searched and what they cost is counted
// as that of any file.

// rankDuplicates gives the rows of one key their sources. Which of them is the session
// does not depend on when they were read or copied: the rule is that of
// sesskeep.Store.Family.
const rankDuplicates = `UPDATE row SET source = n.source FROM (
		SELECT r.file, iif(row_number() OVER (ORDER BY iif(r.created > ?4, r.active, ?4) DESC, f.id IN (SELECT value FROM json_each(?5)), r.size DESC, f.name) = 1,
			json_extract(f.facts, '$.row.source'), 'twin') AS source
		FROM row r JOIN file f ON f.id = r.file WHERE r.id = ?1 AND r.root = ?2 AND r.parent = ?3) n
	WHERE row.file = n.file AND row.source <> n.source`

// keyed is the condition that a row r has a key: an agent that names no session
// has none.
const keyed = "(r.parent <> '' OR substr(r.id, 1, 6) <> 'agent-')"

// resolveDuplicates ranks the rows of a key, if there are several or one was a duplicate.
func resolveDuplicates(tx *sql.Tx, k row.Key) error {
	var due bool
	err := tx.QueryRow("SELECT count(*) > 1 OR coalesce(max(r.source = 'twin'), 0) FROM row r WHERE r.id = ? AND r.root = ? AND r.parent = ? AND "+keyed,
		k.ID, k.Root, k.Parent).Scan(&due)
	if err != nil || !due {
		return err
	}
	return rank(tx, k)
}

// rank gives the rows of a key their sources.
func rank(tx *sql.Tx, k row.Key) error {
	copies, err := copyOnly(tx, k)
	if err != nil {
		return err
	}
	_, err = tx.Exec(rankDuplicates, k.ID, k.Root, k.Parent, ask.NoTime, db.JSON(copies))
	return err
}

// copyOnly lists the files of a key that are not on disk any more.
func copyOnly(tx *sql.Tx, k row.Key) ([]int64, error) {
	rows, err := tx.Query(`SELECT f.id, o.path, f.name FROM row r JOIN file f ON f.id = r.file JOIN root o ON o.id = r.root
		WHERE r.id = ? AND r.root = ? AND r.parent = ?`, k.ID, k.Root, k.Parent)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	gone := []int64{}
	for rows.Next() {
		var id int64
		var root, name string
		if err := rows.Scan(&id, &root, &name); err != nil {
			return nil, err
		}
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, id)
		}
	}
	return gone, rows.Err()
}

// resolveFolderDuplicates does so for all rows of a folder.
func resolveFolderDuplicates(tx *sql.Tx, folder int64) error {
	rows, err := tx.Query(`SELECT DISTINCT r.id, r.root, r.parent FROM file f JOIN row r ON r.file = f.id WHERE f.folder = ? AND `+keyed+`
		AND (r.source = 'twin' OR EXISTS (SELECT 1 FROM row o WHERE o.id = r.id AND o.root = r.root AND o.parent = r.parent AND o.file <> r.file))`, folder)
	if err != nil {
		return err
	}
	defer rows.Close()
	var due []row.Key
	for rows.Next() {
		var k row.Key
		if err := rows.Scan(&k.ID, &k.Root, &k.Parent); err != nil {
			return err
		}
		due = append(due, k)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, k := range due {
		if err := rank(tx, k); err != nil {
			return err
		}
	}
	return nil
}
