package list

import (
	"context"
	"encoding/json"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
	"sesskeep/internal/stamp"
)

// Projects lists projects, most recently used first. Their counts are those of
// the rows themselves.
func (l *Lister) Projects(ctx context.Context, roots []string) ([]ask.Project, error) {
	rows, err := l.db.QueryContext(ctx, `SELECT p.body, count(iif(r.kind NOT IN ('twin', 'archived'), 1, NULL)), coalesce(sum(r.kind = 'user'), 0),
			coalesce(sum(r.kind = 'agent'), 0), coalesce(sum(r.kind = 'helper'), 0), coalesce(max(r.active), 0),
			coalesce(max(iif(r.source = 'user', r.active, 0)), 0), coalesce(sum(r.size), 0), coalesce(sum(r.kind = 'archived'), 0),
			coalesce(sum(iif(r.kind = 'user', r.inline, 0)), 0)
		FROM project p LEFT JOIN (SELECT r.project, r.source, r.active, r.size,
				(length(r.agents) - length(replace(r.agents, 'inline-', ''))) / 7 AS inline, iif(r.source <> 'twin' AND `+row.IsArchived+`, 'archived', r.source) AS kind FROM row r) r
			ON r.project = p.id
		WHERE p.root IN (SELECT id FROM root WHERE path IN (`+db.Params(len(roots))+`))
		GROUP BY p.id ORDER BY 6 DESC, p.short`, db.Args(roots)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []ask.Project{}
	for rows.Next() {
		var p ask.Project
		var body []byte
		var active, used int64
		if err := rows.Scan(&body, &p.SessionCount, &p.Counts.User, &p.Counts.Agent, &p.Counts.Helper, &active, &used, &p.Size, &p.Counts.Archived, &p.InlineAgents); err != nil {
			return nil, err
		}
		counted := p
		if err := json.Unmarshal(body, &p); err != nil {
			return nil, err
		}
		p.SessionCount, p.Counts, p.InlineAgents, p.Size = counted.SessionCount, counted.Counts, counted.InlineAgents, counted.Size
		p.LastActivity, p.LastUsed = stamp.Milli(active), stamp.Milli(used)
		list = append(list, p)
	}
	return list, rows.Err()
}

// ProjectNames lists projects as Projects does, but without their counts.
func (l *Lister) ProjectNames(ctx context.Context, roots []string) ([]ask.Project, error) {
	rows, err := l.db.QueryContext(ctx, `SELECT p.body, coalesce((SELECT max(active) FROM row r WHERE r.project = p.id), 0) AS active
		FROM project p WHERE p.root IN (SELECT id FROM root WHERE path IN (`+db.Params(len(roots))+`)) ORDER BY active DESC, p.short`, db.Args(roots)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []ask.Project{}
	for rows.Next() {
		var p ask.Project
		var body []byte
		var active int64
		if err := rows.Scan(&body, &active); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &p); err != nil {
			return nil, err
		}
		p.LastActivity = stamp.Milli(active)
		list = append(list, p)
	}
	return list, rows.Err()
}

// Size counts the transcripts of the homes and their bytes.
func (l *Lister) Size(ctx context.Context, roots []string) (files int, bytes int64, err error) {
	err = l.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(size), 0) FROM row
		WHERE root IN (SELECT id FROM root WHERE path IN (`+db.Params(len(roots))+`))`, db.Args(roots)...).Scan(&files, &bytes)
	return files, bytes, err
}
