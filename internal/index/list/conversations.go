package list

import (
	"cmp"
	"context"
	"encoding/json"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// Conversations lists the branches of all sessions of a project that people or
// programs started, the newest first.
func (l *Lister) Conversations(ctx context.Context, project string) ([]ask.Conversation, error) {
	// A session with one conversation keeps it among its facts, and names it.
	rows, err := l.db.QueryContext(ctx, `WITH talk AS (
			SELECT c.body, '' AS file, c.summary AS name, c.active, r.id, c.n FROM project p JOIN row r ON r.project = p.id
			JOIN conversation c ON c.file = r.file WHERE p.short = ?1 AND r.source = 'user' AND `+row.NotArchived+` UNION ALL
			SELECT f.facts, f.name, `+row.TitleSQL+`, r.active, r.id, 0 FROM project p JOIN row r ON r.project = p.id
			JOIN file f ON f.id = r.file WHERE p.short = ?1 AND r.source = 'user' AND r.branches = 1 AND `+row.NotArchived+`)
		SELECT body, file, name FROM talk ORDER BY active DESC, id, n`, project)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []ask.Conversation{}
	for rows.Next() {
		var body []byte
		var file, name string
		if err := rows.Scan(&body, &file, &name); err != nil {
			return nil, err
		}
		c, err := readKept(file, body)
		if err != nil {
			return nil, err
		}
		c.Name = cmp.Or(name, c.Name)
		list = append(list, c)
	}
	return list, rows.Err()
}

// readKept reads a conversation that is kept by itself, or among the facts of a
// file.
func readKept(file string, body []byte) (c ask.Conversation, err error) {
	if file == "" {
		return c, json.Unmarshal(body, &c)
	}
	f, err := row.ReadFacts(file, body)
	if err == nil && f.Conversation == nil {
		err = db.ErrDamaged
	}
	if err != nil {
		return c, err
	}
	return ask.Conversation(*f.Conversation), nil
}
