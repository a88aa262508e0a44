package row

import (
	"database/sql"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// A table shows fewer facts of a session than there are, and the table row has all of
// those: a query that needs no more skips the facts, which are ten times as much.

// briefRow is what a brief list reads of a row in the place of facts.
type briefRow struct {
	id, root, branch, parent, rest string
	active, size                   int64
	messages, branches, damage     int
	facts                          sql.RawBytes // where it has no title, or one that its user gave it
}

// columns adds that to a reader, of a row r with a label l.
func (b *briefRow) columns(l *Reader, f *Filter) {
	l.add("r.id", &b.id)
	if len(f.Homes) == 1 {
		b.root = f.Homes[0].Store.Root()
	} else {
		l.add("(SELECT path FROM root WHERE id = r.root)", &b.root)
	}
	l.add("r.branch", &b.branch)
	l.add("r.parent", &b.parent)
	l.add("r.rest", &b.rest)
	l.add("r.active", &b.active)
	l.add("r.size", &b.size)
	l.add("r.messages", &b.messages)
	l.add("r.branches", &b.branches)
	l.add("r.damage", &b.damage)
	named := ""
	if l.labelled() {
		named = " OR l.title <> ''"
	}
	l.add("iif(r.title = ''"+named+", (SELECT f.facts FROM file f WHERE f.id = r.file), '')", &b.facts)
}

// fill sets the fields of the row that were read. Of the file it knows only whose it
// is, and of the standing only whether the session was left in the middle.
func (b *briefRow) fill(r *ask.Row, l *Reader) (err error) {
	*r = ask.Row{
		ID: b.id, Root: b.root, GitBranch: b.branch, ParentSessionID: b.parent, LastActivityAt: stamp.Milli(b.active),
		FileSize: b.size, MessageCount: b.messages, ConversationCount: b.branches, Problems: b.damage,
		IsAgent: b.rest == "",
	}
	r.Ref.Session = sesskeep.SessionID(r.ID)
	if r.IsAgent {
		r.Ref.Session, r.Ref.Agent = sesskeep.SessionID(r.ParentSessionID), sesskeep.AgentID(strings.TrimPrefix(r.ID, "agent-"))
		r.AgentID = string(r.Ref.Agent)
	}
	if b.rest == restUnclean {
		r.Standing.Turn = sesskeep.MoveModel
	}
	if len(b.facts) == 0 {
		return nil
	}
	custom, asked, err := l.facts.called(b.facts)
	if l.title == "" {
		r.LastUserMessage = asked
	}
	if len(l.label) > 0 {
		r.CustomTitle = custom
	}
	return err
}
