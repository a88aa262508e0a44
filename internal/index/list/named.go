package list

import (
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// Named finds the transcripts of sessions by the beginnings of their ids, in lower case: for
// each beginning all that match, duplicates too.
func (l *Lister) Named(ctx context.Context, roots, prefixes []string) (map[string][]ask.Named, error) {
	query, args := namedStatement(roots, prefixes)
	rows, err := l.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string][]ask.Named{}
	for rows.Next() {
		var prefix string
		var n ask.Named
		if err := rows.Scan(&prefix, &n.Root, &n.File, &n.ID); err != nil {
			return nil, err
		}
		found[prefix] = append(found[prefix], n)
	}
	return found, rows.Err()
}

// namedStatement looks each prefix up in the index of ids. An id that starts with the prefix
// sorts before the prefix with a "g", because it continues with a hexadecimal digit or a hyphen.
func namedStatement(roots, prefixes []string) (string, []any) {
	return `SELECT p.value, h.path, f.name, r.id FROM json_each(?) p CROSS JOIN row r ON r.id >= p.value AND r.id < p.value || 'g' AND r.parent = ''
		CROSS JOIN root h ON h.id = r.root JOIN file f ON f.id = r.file WHERE h.path IN (` + db.Params(len(roots)) + `)`,
		append([]any{db.JSON(prefixes)}, db.Args(roots)...)
}
