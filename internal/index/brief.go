package index

import (
	"strings"

	"sesskeep"
)

// A table shows less of a session than its facts tell, and the table row has all
// of that: who wants no more does not read the facts, which are ten times as much.

// briefRow is what a brief list reads of a row in the place of facts.
type briefRow struct {
	Row
	created, active int64
	rest            string
	asked           string // its last prompt, where it has no title
}

// briefColumns are that in SQL, of a row r with a label l, and noBrief stands for
// them where there is no row.
const (
	briefColumns = `, r.id, (SELECT path FROM root WHERE id = r.root), r.started, r.branch, r.parent, r.slug, r.created, r.active,
		r.messages, r.prompts, r.size, r.rest, r.agent, r.branches, r.damage,
		iif(l.title <> '', (SELECT coalesce(json_extract(f.facts, '$.row.customTitle'), '') FROM file f WHERE f.id = r.file), ''),
		iif(r.title = '', (SELECT coalesce(json_extract(f.facts, '$.row.lastUserMessage'), '') FROM file f WHERE f.id = r.file), '')`
	noBrief = ", '', '', '', '', '', '', 0, 0, 0, 0, 0, '', '', 0, 0, '', ''"
)

func (b *briefRow) pointers() []any {
	return []any{
		&b.ID, &b.Root, &b.Started, &b.GitBranch, &b.ParentSessionID, &b.Slug, &b.created, &b.active,
		&b.MessageCount, &b.PromptCount, &b.FileSize, &b.rest, &b.AgentType, &b.ConversationCount, &b.Problems, &b.CustomTitle, &b.asked,
	}
}

// row is the row as far as it was read. Of its file it knows whose it is, and of
// where the talk stands whether it was left in the middle.
func (b *briefRow) row() Row {
	r := b.Row
	r.CreatedAt, r.LastActivityAt, r.LastUserMessage = stampOf(b.created), stampOf(b.active), b.asked
	r.IsAgent = b.rest == ""
	r.Ref.Session = sesskeep.SessionID(r.ID)
	if r.IsAgent {
		r.Ref.Session, r.Ref.Agent = sesskeep.SessionID(r.ParentSessionID), sesskeep.AgentID(strings.TrimPrefix(r.ID, "agent-"))
		r.AgentID = string(r.Ref.Agent)
	}
	if b.rest == restUnclean {
		r.Standing.Turn = sesskeep.MoveModel
	}
	return r
}
