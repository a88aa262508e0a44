package index

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// MirrorLabels brings the copy of a home's labels up to date. Load reads them,
// and is called only if the copy is of another generation. It reports whether
// the copy is new.
func (x *Index) MirrorLabels(ctx context.Context, root, generation string, load func() ([]ask.Label, error)) (bool, error) {
	if have, ok, err := x.labelGeneration(ctx, root); err != nil || !ok || have == generation {
		return false, err
	}
	list, err := load()
	if err != nil {
		return false, err
	}
	err = x.db.Write(ctx, labelPatience, func(tx *sql.Tx) error { return writeLabels(tx, root, generation, list) })
	if db.IsBusy(err) {
		return false, nil // the next question finds it as old as it is
	}
	return err == nil, err
}

// labelPatience is how long a question waits for the write lock to copy labels. They
// are few, and who has just changed one wants to see it.
const labelPatience = 2 * time.Second

// labelGeneration is that of the copy, and false where the home is not in the
// index.
func (x *Index) labelGeneration(ctx context.Context, root string) (generation string, ok bool, err error) {
	err = x.db.QueryRowContext(ctx, "SELECT labels FROM root WHERE path = ?", root).Scan(&generation)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return generation, err == nil, err
}

func writeLabels(tx *sql.Tx, root, generation string, list []ask.Label) error {
	given, err := db.Column[string](tx, "SELECT id FROM label WHERE source <> '' AND root = (SELECT id FROM root WHERE path = ?)", root)
	if err != nil {
		return err
	}
	if _, err := tx.Exec("DELETE FROM label WHERE root = (SELECT id FROM root WHERE path = ?)", root); err != nil {
		return err
	}
	if _, err := tx.Exec(ownSources, root, db.JSON(append([]string{}, given...))); err != nil {
		return err
	}
	insert, err := tx.Prepare(`INSERT INTO label (root, id, title, over, tags, note, starred, archived, source)
		SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM root WHERE path = ?`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, l := range list {
		archived := int64(0)
		if !l.Archived.IsZero() {
			archived = max(1, l.Archived.UnixMilli())
		}
		if _, err := insert.Exec(l.ID, l.Title, l.Over, db.JSON(append([]string{}, l.Tags...)), l.Note, l.Starred, archived, string(l.Source), root); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(givenSources, root); err != nil {
		return err
	}
	_, err = tx.Exec("UPDATE root SET labels = ? WHERE path = ?", generation, root)
	return err
}

// ownSources gives sessions of a home back the sources that their files say, and
// givenSources then those that users gave them. Rows that are
// written later get theirs by the triggers of the table.
const (
	ownSources = `UPDATE row SET source = json_extract(n.facts, '$.row.source') FROM file n
		WHERE n.id = row.file AND row.root = (SELECT id FROM root WHERE path = ?) AND row.parent = '' AND row.source <> 'twin'
		AND row.id IN (SELECT value FROM json_each(?)) AND row.source <> json_extract(n.facts, '$.row.source')`
	givenSources = `UPDATE row SET source = l.source FROM label l WHERE l.root = row.root AND l.id = row.id AND l.source <> ''
		AND row.root = (SELECT id FROM root WHERE path = ?) AND row.parent = '' AND row.source <> 'twin' AND row.source <> l.source`
)
