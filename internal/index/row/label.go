package row

import (
	"encoding/json"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// What users add to sessions lies in a store of its own. Lists and counts are one
// statement over one database, so the index has a copy of it, with the generation
// of what it was copied from.

// archivedFiles are the transcripts of archived sessions, and of their agents.
const archivedFiles = `(SELECT a.file FROM label l JOIN row a ON a.id = l.id AND a.root = l.root WHERE l.archived > 0 UNION ALL
	SELECT a.file FROM label l JOIN row a ON a.parent = l.id AND a.root = l.root WHERE l.archived > 0 AND a.parent <> '')`

const (
	IsArchived  = "r.file IN " + archivedFiles
	NotArchived = "r.file NOT IN " + archivedFiles

	// IfAnyArchived stands before a table that is looked at only if there are any.
	IfAnyArchived = "(SELECT 1 FROM label WHERE archived > 0 LIMIT 1) CROSS JOIN "
)

// HidesArchived reports whether archived sessions are left out. A filter that
// names a session shows it.
func (f *Filter) HidesArchived() bool {
	named := f.Sessions != nil || f.ID != "" || f.Parent != "" || f.Fork != "" || f.Title != "" || f.Slug != ""
	return f.Archived == ask.ArchivedHidden && !named && f.Source != string(ask.FromDuplicate)
}

// JoinLabel joins a row r with the label l of its session.
const JoinLabel = "LEFT JOIN label l ON l.root = r.root AND l.id = iif(r.parent <> '', r.parent, r.id)"

// labelColumn is what a list shows of it, as JSON; empty where there is none. Hardly
// any row has one, and each column of a list costs as much as all of its value.
const labelColumn = `iif(l.id IS NULL, '', json_object('title', l.title, 'over', l.over, 'tags', json(l.tags), 'note', l.note, 'starred', l.starred, 'archived', l.archived))`

// shownLabel is what labelColumn gives.
type shownLabel struct {
	Title, Over, Note string
	Tags              []string
	Starred           int
	Archived          int64
}

// addLabel puts a label on a row, as labelColumn gives it.
func addLabel(r *ask.Row, body []byte) error {
	r.ClientTitle = r.CustomTitle
	if len(body) == 0 {
		return nil
	}
	var l shownLabel
	err := json.Unmarshal(body, &l)
	if err == nil {
		l.add(r)
	}
	return err
}

// add puts a label on a row. An agent is archived with its session; the rest of
// the label is the session's own.
func (l *shownLabel) add(r *ask.Row) {
	r.ArchivedAt = stamp.Milli(l.Archived)
	if r.IsAgent {
		return
	}
	switch {
	case l.Title != "" && (r.CustomTitle == l.Over || r.CustomTitle == l.Title):
		r.Title, r.CustomTitle = l.Title, l.Title
	case l.Title == "" && r.CustomTitle == l.Over:
		r.CustomTitle = "" // the client only knows how to give a name, not how to take it away
	}
	r.Note, r.Starred, r.OwnTags = l.Note, l.Starred != 0, l.Tags
	for _, tag := range r.OwnTags {
		if !hasTag(r.Tags, tag) {
			r.Tags = append(r.Tags, tag)
		}
	}
}

func hasTag(tags []string, tag string) bool {
	for _, have := range tags {
		if strings.EqualFold(have, tag) {
			return true
		}
	}
	return false
}

// TitleSQL is the title of a row r as lists show it.
const TitleSQL = `coalesce((SELECT l.title FROM label l WHERE l.root = r.root AND l.id = r.id AND l.title <> ''
	AND coalesce((SELECT json_extract(n.facts, '$.row.customTitle') FROM file n WHERE n.id = r.file), '') IN (l.over, l.title)), r.title)`

// tagged is the condition that a row r or its session has a tag: one of the
// client's or of ours.
const tagged = `EXISTS (SELECT 1 FROM json_each(r.tags) WHERE lower(value) = lower(?1))
	OR EXISTS (SELECT 1 FROM label l JOIN json_each(l.tags) WHERE l.root = r.root AND l.id = iif(r.parent <> '', r.parent, r.id) AND lower(value) = lower(?1))`

// labelled is a condition on the label of a row r.
func labelled(condition string) string {
	return "EXISTS (SELECT 1 FROM label l WHERE l.root = r.root AND l.id = iif(r.parent <> '', r.parent, r.id) AND " + condition + ")"
}
