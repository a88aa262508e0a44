package talk

import (
	"context"
	"slices"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// BlockOptions choose a range of turns of a conversation. A turn is a prompt, or an
// answer with the results of its calls.
type BlockOptions struct {
	Leaf string // last line of the conversation; empty: the active one
	// Around is a message: its turn, Before turns before it and After turns after it.
	// The word start is the first turn and end the last; empty is the end.
	Around        string
	Above         string // instead: Before turns right before the one of this message
	Below         string // instead: After turns right after the one of this message
	From          int    // instead: the turn with this number, counting from 1, and After turns after it
	Before, After int
	NoThinking    bool
	NoCalls       bool
	NoMeta        bool
	Count         bool // also count the blocks of the conversation
}

// The names of the ends of a conversation.
const (
	AtStart = "start"
	AtEnd   = "end"
)

// BlockPage is a range of turns of a conversation.
type BlockPage struct {
	SessionID string      `json:"sessionId"`         // id of the session
	AgentID   string      `json:"agentId,omitempty"` // id of the agent, if it is one
	Root      string      `json:"root" doc:"Directory of the home"`
	Leaf      string      `json:"leaf,omitempty" doc:"Conversation, by the uuid of its last line"`
	Title     string      `json:"title,omitempty"` // title of the session
	Blocks    []Block     `json:"blocks" doc:"All blocks of these turns, in the order of the conversation"`
	Turns     []BlockTurn `json:"turns" doc:"Turns that the blocks belong to"`

	TurnCount int    `json:"turnCount" doc:"Number of turns in the conversation"`
	Before    int    `json:"turnsBefore" doc:"Number of turns before the first of these"`
	After     int    `json:"turnsAfter" doc:"Number of turns after the last of these"`
	Prev      string `json:"prev,omitempty" doc:"above=PREV returns the turns before these"`
	Next      string `json:"next,omitempty" doc:"below=NEXT returns the turns after these"`
	Total     *int   `json:"total,omitempty" doc:"Number of blocks in the conversation; with count=true"`
}

// BlockTurn is a turn of a conversation.
type BlockTurn struct {
	ID        string     `json:"id" doc:"uuid of its first line"`
	Index     int        `json:"index" doc:"Number of the turn in the conversation, from 0"`
	Role      TurnRole   `json:"role" doc:"Prompt, answer or notes"`
	Time      stamp.Time `json:"timestamp,omitzero"` // time of its first line
	Compacted bool       `json:"compacted,omitempty" doc:"True if the conversation was compacted just before this turn"`
	Context   int64      `json:"contextTokens,omitempty" doc:"Input tokens of the model"`
	Output    int64      `json:"outputTokens,omitempty" doc:"Output tokens of the model"`
	Model     string     `json:"model,omitempty"` // model that answered
	Siblings  *Siblings  `json:"siblings,omitempty" doc:"At a fork: the other turns that follow the same turn"`
}

// Siblings are the turns that follow one turn.
type Siblings struct {
	Step  int       `json:"step" doc:"Number of the one in this conversation, from 1"`
	Total int       `json:"total"` // number of siblings
	Turns []Sibling `json:"turns" doc:"The nearest siblings, at most 50"`
}

// Sibling is one of several turns that follow another.
type Sibling struct {
	ID        string     `json:"id" doc:"uuid of its first line"`
	Leaf      string     `json:"leaf" doc:"Conversation that shows the turn"`
	Role      TurnRole   `json:"role" doc:"Prompt, answer or notes"`
	Time      stamp.Time `json:"timestamp,omitzero"` // time of its first line
	Text      string     `json:"text,omitempty" doc:"Start of its text"`
	TurnCount int        `json:"turnCount" doc:"Number of turns from this one to the end of that conversation"`
}

// Blocks reads a range of turns of a conversation. If the message or the leaf does not
// exist, the error is [errcode.NotFound].
func (tk *Talk) Blocks(ctx context.Context, t catalog.Target, o BlockOptions) (page BlockPage, err error) {
	if o.Around != AtStart && o.Around != AtEnd {
		t.Message = o.Around
	}
	s, err := tk.catalog.Read(ctx, t)
	if err != nil {
		return page, err
	}
	defer s.Close()
	span, err := stretch(s, &o)
	if err != nil {
		return page, err
	}
	title, err := s.Title(ctx)
	if err != nil {
		return page, err
	}
	page = BlockPage{
		SessionID: string(t.Store.Parent(s.Ref)), AgentID: string(s.Agent()), Root: t.Store.Root(), Leaf: span.Conversation.Leaf, Title: title,
		Blocks: []Block{}, Turns: []BlockTurn{}, TurnCount: len(span.Path()), Before: span.Before(), After: span.After(),
	}
	return page, page.read(ctx, s, span, &o)
}

// stretch returns the requested span.
func stretch(s *reading.Session, o *BlockOptions) (reading.Span, error) {
	message := o.Around
	switch {
	case o.From > 0:
		span, err := s.Span(reading.Window{Leaf: o.Leaf})
		return span.Stretch(o.From-1, o.After+1), err
	case o.Above != "":
		message = o.Above
	case o.Below != "":
		message = o.Below
	case message == "" || message == AtEnd:
		return s.Span(reading.Window{Leaf: o.Leaf, Turns: max(1, o.Before)})
	case message == AtStart:
		span, err := s.Span(reading.Window{Leaf: o.Leaf})
		return span.Earlier(0).Later(max(1, o.After)), err
	}
	span, err := s.Span(reading.Window{Leaf: o.Leaf, Message: message})
	if err != nil {
		return span, err
	}
	turn, err := s.Find(message)
	if err != nil {
		return span, err
	}
	span = span.At(turn)
	switch {
	case o.Above != "":
		return span.Earlier(o.Before), nil
	case o.Below != "":
		return span.Later(o.After), nil
	}
	return span.Grow(o.Before, o.After), nil
}

func (p *BlockPage) read(ctx context.Context, s *reading.Session, span reading.Span, o *BlockOptions) error {
	index := 0
	if o.Count {
		tallies, err := s.Tally(ctx, span.Path())
		if err != nil {
			return err
		}
		p.Total = new(int)
		for i := range tallies {
			if i == span.Before() {
				index = *p.Total
			}
			*p.Total += tallies[i].Parts()
		}
	}
	m := newTurnFacts(s)
	for i, turn := range span.Turns() {
		p.Turns = append(p.Turns, m.turn(turn, span.Before()+i))
		parts, err := s.Parts(ctx, turn)
		if err != nil {
			return err
		}
		for j := range parts {
			at := index + j
			if !o.wants(&parts[j]) {
				continue
			}
			b := newBlock(&parts[j], span.Before()+i)
			if o.Count {
				b.Index = &at
			}
			p.Blocks = append(p.Blocks, b)
		}
		index += len(parts)
	}
	if n := len(p.Turns); n > 0 && p.Before > 0 {
		p.Prev = p.Turns[0].ID
	}
	if n := len(p.Turns); n > 0 && p.After > 0 {
		p.Next = p.Turns[n-1].ID
	}
	return nil
}

func (o *BlockOptions) wants(p *view.Part) bool {
	switch p.Kind {
	case view.ThinkingPart:
		return !o.NoThinking
	case view.CallPart:
		return !o.NoCalls
	case view.MetaPart:
		return !o.NoMeta
	}
	return true
}

// turnFacts has facts about the turns of a transcript.
type turnFacts struct {
	session *reading.Session
	usage   map[string]*sesskeep.UsageRow // by message
	roots   []int                         // turns without a parent
}

func newTurnFacts(s *reading.Session) *turnFacts {
	m := &turnFacts{session: s, usage: map[string]*sesskeep.UsageRow{}}
	for i := range s.Transcript.Digest.Usage {
		m.usage[s.Transcript.Digest.Usage[i].Message] = &s.Transcript.Digest.Usage[i]
	}
	for t := range s.Transcript.Tree.Turns {
		if s.Transcript.Tree.Turns[t].Parent < 0 {
			m.roots = append(m.roots, t)
		}
	}
	return m
}

func (m *turnFacts) turn(turn, index int) BlockTurn {
	tr := m.session.Transcript
	t := &tr.Tree.Turns[turn]
	out := BlockTurn{
		ID: turnID(&tr.Digest, t), Index: index, Role: roleOf(t), Time: stamp.Time{Time: turnTime(&tr.Digest, t)}, Compacted: t.Compacted, Siblings: m.siblings(turn),
	}
	for _, i := range t.Lines {
		if l := &tr.Digest.Chain[i]; l.Role == sesskeep.RoleAnswer {
			if row := m.usage[l.Message]; row != nil {
				out.Context, out.Output, out.Model = row.Usage.Context(), row.Usage.Output, row.Model
			}
		}
	}
	return out
}

// mostSiblings bounds how many siblings are listed.
const mostSiblings = 50

// siblings returns the turns that follow the same turn; nil if there are no others.
func (m *turnFacts) siblings(turn int) *Siblings {
	tr := m.session.Transcript
	list := m.roots
	if parent := tr.Tree.Turns[turn].Parent; parent >= 0 {
		list = tr.Tree.Turns[parent].Children
	}
	if len(list) < 2 {
		return nil
	}
	out := &Siblings{Step: slices.Index(list, turn) + 1, Total: len(list)}
	from := max(0, min(out.Step-mostSiblings/2, len(list)-mostSiblings))
	for _, other := range list[from:min(len(list), from+mostSiblings)] {
		t := &tr.Tree.Turns[other]
		leaf := m.session.LeafBelow(other)
		one := Sibling{ID: turnID(&tr.Digest, t), Role: roleOf(t), Time: stamp.Time{Time: turnTime(&tr.Digest, t)}, TurnCount: 1}
		if n := m.session.Number(leaf); n > 0 {
			one.Leaf = tr.Tree.Conversations[len(tr.Tree.Conversations)-n].Leaf
		}
		for at := leaf; at >= 0 && at != other; at = tr.Tree.Turns[at].Parent {
			one.TurnCount++
		}
		if t.Head >= 0 {
			one.Text = clip(tr.Digest.Chain[t.Head].Text, 200)
		}
		out.Turns = append(out.Turns, one)
	}
	return out
}
