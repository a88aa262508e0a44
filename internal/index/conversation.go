package index

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
	"sesskeep/internal/stamp"
)

// Conversations lists the branches of one transcript, the newest first. Found
// are summaries of other files, by leaf.
func Conversations(id string, d *sesskeep.Digest, tree *sesskeep.Tree, found map[string]string) []ask.Conversation {
	list := []ask.Conversation{}
	for i, c := range slices.Backward(tree.Conversations) {
		conv := ask.Conversation{
			SessionID: id, Leaf: c.Leaf, Name: d.Name(tree, c, found),
			PromptCount: c.Prompts, MessageCount: c.Spoken, Kind: c.Kind,
			Active: i == tree.Active,
		}
		if conv.Active && d.CustomTitle != "" {
			conv.Name = d.CustomTitle
		}
		if c.Fork >= 0 && tree.Turns[c.Fork].Head >= 0 {
			conv.ForkPoint = d.Chain[tree.Turns[c.Fork].Head].UUID
		}
		for _, line := range tree.Turns[c.Turn].Lines {
			if when := d.Chain[line].When(); when.After(conv.LastActivity.Time) {
				conv.LastActivity = stamp.Time{Time: when}
			}
		}
		list = append(list, conv)
	}
	return list
}

// Conversations lists the branches of all sessions of a project that people or
// programs started, the newest first.
func (x *Index) Conversations(ctx context.Context, project string) ([]ask.Conversation, error) {
	// A session with one conversation keeps it among its facts, and names it.
	rows, err := x.db.QueryContext(ctx, `WITH talk AS (
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
		c, err := readTalk(file, body)
		if err != nil {
			return nil, err
		}
		c.Name = cmp.Or(name, c.Name)
		list = append(list, c)
	}
	return list, rows.Err()
}

// readTalk reads a conversation that is kept by itself, or among the facts of a
// file.
func readTalk(file string, body []byte) (c ask.Conversation, err error) {
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
