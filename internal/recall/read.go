package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"sesskeep/internal/catalog"
	"sesskeep/internal/cursor"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// ReadQuestion asks for a stretch of a session.
type ReadQuestion struct {
	Address  string `json:"address" jsonschema:"SESSION, SESSION/AGENT, SESSION:LEAF for a branch, or SESSION#MESSAGE for what stands around a message, as other answers have them"`
	FromTurn int    `json:"from_turn,omitempty" jsonschema:"Begin with this turn, counting from 1. Default: one turn before the message of the address, else the last turns"`
	Turns    int    `json:"turns,omitempty" jsonschema:"How many turns. Default: as many as there is room for; without from_turn and message the last 6"`
	Thinking bool   `json:"thinking,omitempty" jsonschema:"With what the model thought"`
	Outputs  bool   `json:"outputs,omitempty" jsonschema:"With what tools returned; without it a call is one line"`
	Paging
}

// lastTurns is how many turns at the end of a session are read by default.
const lastTurns = 6

// Read shows a stretch of a conversation.
func (r *Recall) Read(ctx context.Context, who Caller, q ReadQuestion) (Answer, error) {
	at, err := q.position("read", q.Address, q.FromTurn, q.Turns, q.Thinking, q.Outputs)
	if err != nil {
		return Answer{}, err
	}
	if q.FromTurn < 0 || q.Turns < 0 {
		return Answer{}, invalid("from_turn and turns must not be negative")
	}
	a, s, err := r.prepare(ctx, who, "read_session", &q.Paging)
	if err != nil {
		return Answer{}, err
	}
	t, row, err := r.find(ctx, &s, q.Address)
	if err != nil {
		return Answer{}, err
	}
	open, err := r.Catalog.Read(ctx, t)
	if err != nil {
		return Answer{}, stated(err)
	}
	defer open.Close()
	leaf := t.Leaf
	if at.HasPosition() && at.Key != "" {
		leaf = at.Key
	}
	span, err := open.Span(reading.Window{Leaf: leaf, Message: t.Message})
	if err != nil {
		return Answer{}, stated(err)
	}
	p := passage{answer: a, open: open, q: &q, path: span.Path()}
	from, to, err := p.bounds(open, t, span)
	if err != nil {
		return Answer{}, err
	}
	if len(at.Rest) == 3 {
		from = int(at.Rest[0])
	}
	a.say("turns %d to %d of %d", min(from+1, len(p.path)), to, len(p.path))
	if from > 0 {
		a.say("earlier: from_turn %d", max(1, from-lastTurns+1))
	}
	if n := len(open.Transcript.Tree.Conversations); n > 1 {
		a.say("one of %d branches: session_facts lists them", n)
	}
	a.cover(r.Catalog.CoverageOfFiles())
	a.put(a.headline(&row, a.date(row.LastActivityAt)))
	next, err := p.write(ctx, at, span.Conversation.Leaf, from, to)
	if err != nil {
		return Answer{}, err
	}
	return a.finish(next), nil
}

// passage writes turns of a conversation.
type passage struct {
	*answer
	open *reading.Session
	q    *ReadQuestion
	path []int // turns of the conversation
}

// bounds returns the first requested turn and the one after the last, counting from 0.
func (p *passage) bounds(open *reading.Session, t catalog.Target, span reading.Span) (from, to int, err error) {
	n := len(p.path)
	switch {
	case p.q.FromTurn > 0:
		from, to = min(p.q.FromTurn-1, n), n
	case t.Message != "":
		turn, err := open.Find(t.Message)
		if err != nil {
			return 0, 0, stated(err)
		}
		from, to = max(0, slices.Index(p.path, turn)-1), n
	default:
		from, to = max(0, n-cmp.Or(p.q.Turns, lastTurns)), n
	}
	if p.q.Turns > 0 {
		to = min(to, from+p.q.Turns)
	}
	return from, to, nil
}

// write quotes turns until the answer is full, and returns the cursor of what follows: the turn,
// the part of it and how much of that part was quoted.
func (p *passage) write(ctx context.Context, at cursor.Cursor, leaf string, from, to int) (next string, err error) {
	part, offset := 0, 0
	if len(at.Rest) == 3 {
		part, offset = int(at.Rest[1]), int(at.Rest[2])
	}
	for i := max(from, 0); i < min(to, len(p.path)); i++ {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		parts, err := p.open.Parts(ctx, p.path[i])
		if err != nil {
			return "", err
		}
		for ; part < len(parts); part++ {
			text := p.part(&parts[part], i)
			if n := p.flow(text, offset); n < len(text) {
				at.Key, at.Rest = leaf, []int64{int64(i), int64(part), int64(n)}
				return at.String(), nil
			}
			offset = 0
		}
		part = 0
	}
	return "", nil
}

// part formats a part of a turn; empty means that it is left out.
func (p *passage) part(part *view.Part, turn int) string {
	if part.Kind == view.MetaPart || part.Kind == view.ThinkingPart && (!p.q.Thinking || part.Text == "") {
		return ""
	}
	head := fmt.Sprintf("[turn %d %s %s", turn+1, part.Kind, p.date(stamp.Time{Time: part.Time}))
	if part.UUID != "" {
		head += " #" + short(p.line(part.UUID))
	}
	if part.Label != "" {
		head += " " + p.line(part.Label)
	}
	if part.Call != nil {
		return head + "] " + p.call(part.Call)
	}
	return head + "]\n" + p.text(part.Text)
}

// mostOutput is the most bytes of an output that a passage quotes.
const mostOutput = 4 << 10

// call formats a call on one line, with its output below if that was requested.
func (p *passage) call(c *view.Call) string {
	text := cut(p.line(c.Line()), 300)
	if c.State != view.OK {
		text += " (" + string(c.State) + ")"
	}
	if c.Agent != "" {
		text += " agent " + p.line(string(c.Agent))
	}
	if !p.q.Outputs || c.Output == "" {
		return text
	}
	output := p.text(c.Output)
	if len(output) > mostOutput {
		output = fmt.Sprintf("%s\n(%d more bytes)", whole(output, mostOutput), len(output)-mostOutput)
	}
	return text + "\n" + indent(output)
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
