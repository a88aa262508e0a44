package reading

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/view"
)

// Fate says how a stretch of a file appears when the file is shown.
type Fate string

// The fates.
const (
	Shown   Fate = "shown"   // it is read in a conversation
	Folded  Fate = "folded"  // it is part of what another record shows
	Hidden  Fate = "hidden"  // it is left out
	Damaged Fate = "damaged" // it is not a record
	Between Fate = "between" // line ends, and whatever else is between records
)

var fates = []Fate{Shown, Folded, Hidden, Damaged, Between}

// Stretch is a record of a file, or bytes that are not a record.
type Stretch struct {
	Line   int    `json:"line"` // counting from 1
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Kind   string `json:"kind,omitempty"` // of a record, with its subtype
	UUID   string `json:"messageId,omitempty"`
	Fate   Fate   `json:"fate"`
	Why    string `json:"why,omitempty"`
	// Where is the suffix that makes the session's address show this record, or the one
	// it is folded under.
	Where string `json:"where,omitempty"`
}

// FateCount counts the stretches with one fate and one reason.
type FateCount struct {
	Fate    Fate   `json:"fate"`
	Why     string `json:"why,omitempty"`
	Records int    `json:"recordCount"`
	Size    int64  `json:"size"`
}

// Audit accounts for every byte of a file. The sizes of its Fates add up to that of
// the file.
type Audit struct {
	SessionID string      `json:"sessionId"`
	AgentID   string      `json:"agentId,omitempty"`
	Root      string      `json:"root"`
	File      string      `json:"file"`
	Size      int64       `json:"fileSize"`
	Records   int         `json:"recordCount"`
	Fates     []FateCount `json:"fates"`
	Stretches []Stretch   `json:"records"` // records and damage, in file order
}

// The reasons for fates.
const (
	whyConversation = "in the conversation"
	whyBranch       = "in another conversation"
	whyInline       = "in an agent inside of the file"
	whyResult       = "the result of a call"
	whySaid         = "the same words again"
	whyAgain        = "the same record again"
	whyContext      = "context for the model (--everything)"
	whySession      = "about the session, not of the talk (--raw)"
	whyNameless     = "it has no uuid (--raw)"
	whyConflict     = "another record has its uuid (--raw)"
	whySilent       = "nothing was said (--raw)"
	whyUnclaimed    = "no part stands for it (--raw)"
	whyNew          = "written meanwhile"
	whyLineEnds     = "line ends and filler"
)

// Audit reports, for every record of the session's file, how it appears when the
// conversation with the given leaf is shown; "" is the one that a resume would
// continue. It asks the parts that are shown, and decides nothing itself.
func (s *Session) Audit(ctx context.Context, leaf string) (Audit, error) {
	a := Audit{SessionID: string(s.store.Parent(s.Ref)), AgentID: string(s.Ref.Agent), Root: s.store.Root(), File: s.Ref.File}
	j := judge{session: s, by: map[int64]Stretch{}}
	at, err := s.Locate(leaf, "")
	if err != nil {
		return a, err
	}
	if err := j.turns(ctx, at.Leaf); err != nil {
		return a, err
	}
	for _, lines := range s.Transcript.Tree.Inline {
		agent, err := s.InlineAgent(s.Transcript.Digest.Chain[lines[0]].UUID)
		if err != nil {
			return a, err
		}
		inside := judge{session: agent, by: j.by}
		err = inside.turns(ctx, agent.ActiveLeaf())
		agent.Close()
		if err != nil {
			return a, err
		}
	}
	if err := j.outside(ctx); err != nil {
		return a, err
	}
	return a, j.account(ctx, &a)
}

// judge determines the fates of the lines of a session, or of an agent inside it.
type judge struct {
	session *Session
	by      map[int64]Stretch // fates by offset
}

// turns determines the fates of the lines of all turns, when the conversation that ends
// with the turn leaf is shown.
func (j *judge) turns(ctx context.Context, leaf int) error {
	s, t := j.session, j.session.Transcript
	shown := slices.IndexFunc(t.Tree.Conversations, func(c sesskeep.Conversation) bool { return c.Turn == leaf })
	in := j.conversationOf(shown)
	for turn := range t.Tree.Turns {
		parts, err := s.Parts(ctx, turn)
		if err != nil {
			return err
		}
		base, claims := j.baseFate(in[turn], shown), claimsOf(parts)
		for _, i := range t.Tree.Turns[turn].Lines {
			l := &t.Digest.Chain[i]
			j.by[l.Offset] = claims.fate(l, base)
		}
	}
	return nil
}

// conversationOf returns, for every turn, the index of the conversation that it is
// shown in, or -1: the first one if that has it, else the one that a resume would
// continue, else the newest.
func (j *judge) conversationOf(first int) []int {
	t := j.session.Transcript
	in := make([]int, len(t.Tree.Turns))
	for i := range in {
		in[i] = -1
	}
	mark := func(at int) {
		if at < 0 {
			return
		}
		for turn := t.Tree.Conversations[at].Turn; turn >= 0 && in[turn] < 0; turn = t.Tree.Turns[turn].Parent {
			in[turn] = at
		}
	}
	mark(first)
	mark(t.Tree.Active)
	for at := range slices.Backward(t.Tree.Conversations) {
		mark(at)
	}
	return in
}

// baseFate returns the fate of the lines of a conversation that are neither folded
// nor hidden, given the conversation that is shown.
func (j *judge) baseFate(conversation, shown int) Stretch {
	s := j.session
	if conversation < 0 {
		return Stretch{Fate: Hidden, Why: whySilent}
	}
	base := Stretch{Fate: Shown, Why: whyConversation}
	if conversation != shown {
		base.Why, base.Where = whyBranch, ":"+s.Transcript.Tree.Conversations[conversation].Leaf
	}
	if s.Inline != "" {
		base.Why, base.Where = whyInline, "/"+string(s.Agent())+base.Where
	}
	return base
}

// claims maps lines to the parts of a turn that represent them.
type claims struct {
	own  map[string]*view.Part // the first that is shown, else the first
	also map[string]*view.Part
}

func claimsOf(parts []view.Part) claims {
	c := claims{own: map[string]*view.Part{}, also: map[string]*view.Part{}}
	put := func(m map[string]*view.Part, name string, p *view.Part) {
		if old := m[name]; old == nil || old.Hidden() && !p.Hidden() {
			m[name] = p
		}
	}
	for i := range parts {
		p := &parts[i]
		put(c.own, lineName(p.UUID, p.Line), p)
		for _, uuid := range p.Also {
			put(c.also, uuid, p)
		}
	}
	return c
}

// lineName returns the name of a line of a transcript, also of one without a uuid.
func lineName(uuid string, line int) string {
	if uuid != "" {
		return uuid
	}
	return fmt.Sprintf("line-%d", line)
}

// fate returns the fate of a line; base is the fate of one that is shown.
func (c claims) fate(l *sesskeep.Link, base Stretch) Stretch {
	own, also := c.own[lineName(l.UUID, l.Line)], c.also[l.UUID]
	if base.Fate == Hidden {
		return base
	}
	switch {
	case own != nil && !own.Hidden():
		if l.UUID != "" {
			base.Where += "#" + l.UUID
		}
	case also != nil && !also.Hidden():
		base.Fate, base.Why = Folded, whySaid
		if also.Call != nil {
			base.Why = whyResult
		}
		base.Where += "#" + also.UUID
	case own != nil || also != nil:
		base = Stretch{Fate: Hidden, Why: whyContext}
	default:
		base = Stretch{Fate: Hidden, Why: whyUnclaimed}
	}
	return base
}

// outside determines the fates of the lines that are in no turn.
func (j *judge) outside(ctx context.Context) error {
	t := j.session.Transcript
	for _, i := range t.Tree.Detached {
		j.by[t.Digest.Chain[i].Offset] = Stretch{Fate: Hidden, Why: whyNameless}
	}
	first := map[string]int{}
	for i := range t.Digest.Chain {
		if _, ok := first[t.Digest.Chain[i].UUID]; !ok {
			first[t.Digest.Chain[i].UUID] = i
		}
	}
	for _, i := range t.Tree.Duplicates {
		l := &t.Digest.Chain[i]
		same, err := j.sayTheSame(ctx, first[l.UUID], i)
		if err != nil {
			return err
		}
		again := j.by[t.Digest.Chain[first[l.UUID]].Offset]
		switch {
		case !same:
			again = Stretch{Fate: Hidden, Why: whyConflict}
		case again.Fate != Hidden:
			again.Fate, again.Why = Folded, whyAgain
		}
		j.by[l.Offset] = again
	}
	return nil
}

// sayTheSame reports whether two lines have the same text.
func (j *judge) sayTheSame(ctx context.Context, a, b int) (bool, error) {
	x, err := j.session.Entry(ctx, a)
	if err != nil {
		return false, err
	}
	y, err := j.session.Entry(ctx, b)
	if err != nil {
		return false, err
	}
	if x.Message != nil && y.Message != nil {
		return bytes.Equal(x.Message.Content, y.Message.Content), nil
	}
	return bytes.Equal(x.Raw, y.Raw), nil
}

// account assigns a fate to every stretch of the file.
func (j *judge) account(ctx context.Context, a *Audit) error {
	tail, err := j.session.store.Tail(j.session.Ref.File, homefs.Mark{})
	if err != nil {
		return err
	}
	defer tail.Close()
	for e, ok := tail.Next(); ok; e, ok = tail.Next() {
		if a.Records%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a.record(e, j.by)
	}
	if err := tail.Err(); err != nil {
		return err
	}
	if e, ok := tail.Rest(); ok {
		a.record(e, j.by)
	}
	for _, p := range tail.Problems() {
		if p.Lost {
			a.Stretches = append(a.Stretches, Stretch{Line: p.Line, Offset: p.Offset, Length: p.Length, Fate: Damaged, Why: p.Reason})
		}
	}
	a.Size = tail.Opened.Size
	a.add()
	return nil
}

func (a *Audit) record(e *sesskeep.Entry, by map[int64]Stretch) {
	a.Records++
	r, known := by[e.Offset]
	switch {
	case known:
	case e.Chain() || e.Spoken():
		r = Stretch{Fate: Hidden, Why: whyNew}
	default:
		r = Stretch{Fate: Hidden, Why: whySession}
	}
	r.Line, r.Offset, r.Length, r.UUID, r.Kind = e.Line, e.Offset, int64(len(e.Raw)), e.UUID, string(e.Kind)
	if e.Subtype != "" {
		r.Kind += " " + e.Subtype
	}
	a.Stretches = append(a.Stretches, r)
}

// add sorts the stretches, counts them by fate, and adds what lies between them.
func (a *Audit) add() {
	slices.SortStableFunc(a.Stretches, func(x, y Stretch) int { return cmp.Compare(x.Offset, y.Offset) })
	counts := map[FateCount]FateCount{}
	count := func(f Fate, why string, records int, size int64) {
		key := FateCount{Fate: f, Why: why}
		c := counts[key]
		counts[key] = FateCount{f, why, c.Records + records, c.Size + size}
	}
	if n := len(a.Stretches); n > 0 { // the file may have grown while it was read
		last := &a.Stretches[n-1]
		a.Size = max(a.Size, last.Offset+last.Length)
	}
	between := a.Size
	for i := range a.Stretches {
		r := &a.Stretches[i]
		between -= r.Length
		records := 1
		if r.Fate == Damaged {
			records = 0
		}
		count(r.Fate, r.Why, records, r.Length)
	}
	count(Between, whyLineEnds, 0, between)
	a.Fates = make([]FateCount, 0, len(counts))
	for _, c := range counts {
		a.Fates = append(a.Fates, c)
	}
	slices.SortFunc(a.Fates, func(x, y FateCount) int {
		return cmp.Or(slices.Index(fates, x.Fate)-slices.Index(fates, y.Fate), cmp.Compare(y.Records, x.Records), cmp.Compare(x.Why, y.Why))
	})
}
