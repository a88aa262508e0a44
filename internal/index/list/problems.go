package list

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// folderProblems adds what looks like a transcript and cannot be one.
func (l *Lister) folderProblems(ctx context.Context, roots []string, list []ask.Problem) ([]ask.Problem, error) {
	rows, err := l.db.QueryContext(ctx, `SELECT o.path, d.problems FROM folder d JOIN root o ON o.id = d.root
		WHERE d.problems NOT IN ('[]', 'null') AND o.path IN (`+db.Params(len(roots))+`)`, db.Args(roots)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var root string
		var body []byte
		var found []sesskeep.Problem
		if err := rows.Scan(&root, &body); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &found); err != nil {
			return nil, err
		}
		for _, p := range found {
			list = append(list, ask.Problem{Root: root, Problem: p})
		}
	}
	return list, rows.Err()
}

// Unknown counts what the transcripts hold that this version does not know.
func (l *Lister) Unknown(ctx context.Context, roots []string) ([]sesskeep.Unfamiliar, error) {
	list := []sesskeep.Unfamiliar{}
	rows, err := l.db.QueryContext(ctx, `SELECT u.version, u.what, u.name, sum(u.count) FROM unknown u
		JOIN file f ON f.id = u.file JOIN folder d ON d.id = f.folder JOIN root o ON o.id = d.root
		WHERE o.path IN (`+db.Params(len(roots))+`) GROUP BY u.what, u.name, u.version ORDER BY u.what, u.name, u.version`, db.Args(roots)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var u sesskeep.Unfamiliar
		if err := rows.Scan(&u.Version, &u.What, &u.Name, &u.Count); err != nil {
			return nil, err
		}
		list = append(list, u)
	}
	return list, rows.Err()
}

// Problems lists the damage in the homes, by file.
func (l *Lister) Problems(ctx context.Context, roots []string) ([]ask.Problem, error) {
	list := []ask.Problem{}
	rows, err := l.db.QueryContext(ctx, `SELECT o.path, p.body FROM problem p JOIN file f ON f.id = p.file
		JOIN folder d ON d.id = f.folder JOIN root o ON o.id = d.root WHERE o.path IN (`+db.Params(len(roots))+`)`, db.Args(roots)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p ask.Problem
		var body []byte
		if err := rows.Scan(&p.Root, &body); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &p.Problem); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	list, err = l.folderProblems(ctx, roots, list)
	slices.SortFunc(list, func(a, b ask.Problem) int {
		return cmp.Or(strings.Compare(a.Root, b.Root), strings.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
	})
	return list, err
}
