package talk

import (
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// TreePage is a transcript's tree for other programs.
type TreePage struct {
	SessionID     string             `json:"sessionId"`        // id of the session
	Root          string             `json:"root,omitempty"`   // directory of the home
	Turns         []TreeTurn         `json:"turns"`            // all turns
	Conversations []ask.Conversation `json:"conversations"`    // all conversations
	InlineAgents  int                `json:"inlineAgentCount"` // number of inline agents
	Detached      []string           `json:"detached"`         // positions of lines without a uuid
	Duplicates    int                `json:"duplicateCount"`   // number of lines that repeat another one
	Repaired      []string           `json:"repaired"`         // uuids of lines whose parent was guessed
}

// TreeTurn is a prompt or an answer and its parent.
type TreeTurn struct {
	ID        string     `json:"id"`                  // uuid of its first line
	Parent    string     `json:"parentId,omitempty"`  // id of the turn that it follows
	Role      TurnRole   `json:"role"`                // whose turn it is
	Time      stamp.Time `json:"timestamp,omitzero"`  // time of its first line
	Text      string     `json:"text,omitempty"`      // start of its text
	Lines     []string   `json:"messageIds"`          // uuids of all its lines
	Compacted bool       `json:"compacted,omitempty"` // true if the conversation was compacted just before it
	Active    bool       `json:"active,omitempty"`    // true if the active conversation has it
}

// TreeOf converts a tree, naming everything by its uuid.
func TreeOf(id string, d *sesskeep.Digest, tree *sesskeep.Tree) TreePage {
	found := map[string]string{}
	for _, s := range d.Summaries {
		found[s.Leaf] = s.Text
	}
	page := TreePage{
		SessionID: id, Turns: []TreeTurn{}, Conversations: Conversations(id, d, tree, found),
		InlineAgents: len(tree.Inline), Detached: []string{}, Duplicates: len(tree.Duplicates), Repaired: []string{},
	}
	for t := range tree.Turns {
		page.Turns = append(page.Turns, treeTurn(d, tree, t))
	}
	if tree.Active >= 0 {
		for _, t := range tree.Path(tree.Conversations[tree.Active]) {
			page.Turns[t].Active = true
		}
	}
	for _, i := range tree.Detached {
		page.Detached = append(page.Detached, d.Chain[i].Position())
	}
	for _, i := range tree.Repaired {
		page.Repaired = append(page.Repaired, d.Chain[i].UUID)
	}
	return page
}

func treeTurn(d *sesskeep.Digest, tree *sesskeep.Tree, t int) TreeTurn {
	turn := &tree.Turns[t]
	out := TreeTurn{ID: turnID(d, turn), Role: roleOf(turn), Compacted: turn.Compacted, Lines: []string{}}
	if turn.Head >= 0 {
		l := &d.Chain[turn.Head]
		out.Time, out.Text = stamp.Time{Time: l.When()}, l.Text
	}
	if turn.Parent >= 0 {
		out.Parent = turnID(d, &tree.Turns[turn.Parent])
	}
	for _, i := range turn.Lines {
		if uuid := d.Chain[i].UUID; uuid != "" { // a queued prompt has none
			out.Lines = append(out.Lines, uuid)
		}
	}
	return out
}

func turnID(d *sesskeep.Digest, turn *sesskeep.Turn) string {
	if turn.Head >= 0 {
		return d.Chain[turn.Head].UUID
	}
	return d.Chain[turn.Lines[0]].UUID
}

// TurnRole says whose turn it is.
type TurnRole string

// The roles of turns.
const (
	PromptTurn TurnRole = "prompt"
	AnswerTurn TurnRole = "answer"
	NotesTurn  TurnRole = "notes" // lines that are neither
)

// TurnRoles lists all roles of turns.
var TurnRoles = []TurnRole{PromptTurn, AnswerTurn, NotesTurn}

// roleOf returns whose turn it is.
func roleOf(turn *sesskeep.Turn) TurnRole {
	switch {
	case turn.Head < 0:
		return NotesTurn
	case turn.Prompt:
		return PromptTurn
	}
	return AnswerTurn
}

// turnTime returns when a turn started.
func turnTime(d *sesskeep.Digest, turn *sesskeep.Turn) time.Time {
	if turn.Head >= 0 {
		return d.Chain[turn.Head].When()
	}
	return d.Chain[turn.Lines[0]].When()
}
