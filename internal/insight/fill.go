package insight

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/money"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
)

// filling goes through a conversation and keeps what is in its context. What came since the
// last answer shares what the context grew by; where it shrank, all shares shrink.
type filling struct {
	use    *ContextUse
	read   *reading.Session
	query  ContextQuery
	prices *money.Pricer
	suffix string

	items    []*contextItem // in the context of the last answer
	byKind   map[string]float64
	byTool   map[string]*share // results
	rest     *contextItem      // what is unknown; nil: nothing
	fresh    []*contextItem    // since the last answer
	snapshot lengths           // of the first snapshot of the system prompt
	started  bool              // there was an answer: what comes before all messages is known
	answer   string            // message id of the last answer
	output   int64             // tokens of the last answer
	last     *ask.Message      // the same, for what the cache missed
	messages int
	wanted   int // number of the answer that At is about; 0: the last one
	calls    map[string]madeFor
	since    int // compactions that have no answer after them yet
}

// madeFor is what a call is for.
type madeFor struct{ tool, file, text string }

// contextItem is a ContextItem whose tokens are still shared.
type contextItem struct {
	ContextItem
	uuid   string
	fixed  bool // comes before all messages: a compaction leaves it
	spoken bool // a part of the model's answer
	length float64
	tokens float64
}

// walk reads the lines of the turns.
func (f *filling) walk(ctx context.Context, path []int) error {
	f.calls = map[string]madeFor{}
	f.recount()
	tree := f.read.Transcript.Tree
	var lines []int
	for _, turn := range path {
		lines = append(lines, tree.Turns[turn].Lines...)
	}
	slices.Sort(lines) // a turn has its lead-in; what is written later comes later
	if err := f.findSnapshot(ctx, lines); err != nil {
		return err
	}
	for _, i := range lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := f.read.Transcript.Entry(i)
		if err != nil {
			f.use.Unread++
			continue
		}
		f.line(i, &e)
	}
	return nil
}

// findSnapshot finds what the client wrote of the system prompt and the tools. It does so behind
// the first answer.
func (f *filling) findSnapshot(ctx context.Context, lines []int) error {
	for _, i := range lines {
		l := &f.read.Transcript.Digest.Chain[i]
		if l.Role != sesskeep.RoleNote || ctx.Err() != nil {
			continue
		}
		e, err := f.read.Transcript.Entry(i)
		if err != nil || e.Subtype != "prompt_snapshot" {
			continue
		}
		if found := snapshotOf(e.Raw); found.tools+found.mcp > 0 {
			f.snapshot = found
			break
		}
		f.snapshot = cmp.Or(f.snapshot, snapshotOf(e.Raw))
	}
	return ctx.Err()
}

func (f *filling) line(i int, e *sesskeep.Entry) {
	link := &f.read.Transcript.Digest.Chain[i]
	if m := f.query.Target.Message; m != "" && strings.HasPrefix(e.UUID, m) && f.wanted == 0 {
		f.wanted = len(f.use.Points) + 1
		if e.Message != nil && e.Message.ID != "" && e.Message.ID == f.answer {
			f.wanted--
			f.state(&f.use.Points[f.wanted-1])
		}
	}
	if link.Role == sesskeep.RoleBoundary {
		f.compact(e)
	}
	if m := e.Message; m != nil && e.Kind == sesskeep.KindAssistant {
		f.asked(e, m)
	}
	if link.Role == sesskeep.RolePrompt {
		f.messages++
	}
	f.fresh = append(f.fresh, f.itemsOf(link, e)...)
	if r := reported(e.Raw); r != nil {
		r.Time = stamp.Time{Time: e.Time}
		f.use.Reported = r
	}
}

// asked makes a point of the first line of an answer.
func (f *filling) asked(e *sesskeep.Entry, m *sesskeep.Message) {
	tokens := m.Usage.Context()
	if tokens > mostTokens || m.ID == "" || m.ID == f.answer || m.Model == sesskeep.SyntheticModel || tokens <= 0 {
		if m.ID == f.answer {
			f.output = max(f.output, m.Usage.Output)
		}
		return
	}
	f.close()
	f.answer, f.output = m.ID, m.Usage.Output
	f.messages++
	f.measure(float64(tokens))
	p := ContextPoint{
		Number: len(f.use.Points) + 1, Message: f.messages, Address: f.address(e.UUID), Time: stamp.Time{Time: e.Time}, Model: m.Model,
		Tokens: tokens, Kinds: f.kinds(tokens), Tools: largest(f.byTool, len(f.byTool)),
	}
	now := &ask.Message{At: e.Time.UnixMilli(), Model: m.Model, Usage: m.Usage}
	if usd, ok := f.prices.Price(now); ok {
		p.USD = usd.USD()
	}
	p.Missed, p.Cause = missedBy(f.last, now)
	f.last = now
	for n := len(f.use.Compactions); f.since > 0; f.since-- {
		f.use.Compactions[n-f.since].After = tokens
	}
	f.use.Points = append(f.use.Points, p)
	if at := &f.use.At; p.Number == f.wanted {
		f.state(&p)
	} else if at.Number != f.wanted {
		at.Number = 0 // what stood before a compaction is not the end
	}
}

// close notes how long the last answer was: the API counted that.
func (f *filling) close() {
	n := len(f.use.Points)
	if n == 0 {
		return
	}
	f.use.Points[n-1].Output = f.output
	var sum float64
	for _, item := range f.fresh {
		if item.spoken {
			sum += item.length
		}
	}
	for _, item := range f.fresh {
		if item.spoken && sum > 0 && f.output > 0 {
			item.length *= float64(f.output) / sum
		}
	}
}

// finish makes what is known at the end.
func (f *filling) finish() {
	f.close()
	f.use.Answers = len(f.use.Points)
	if n := f.use.Answers; n > 0 && f.use.At.Number == 0 {
		f.state(&f.use.Points[n-1])
	}
}

func (f *filling) address(uuid string) string {
	address := strings.TrimSuffix(f.use.Address, f.suffix)
	return address + "#" + uuid + f.suffix
}

// mostGrowth bounds what new items can take: so many times their estimated length, and
// some more. What is beyond it is not in the transcript.
const (
	mostGrowth  = 4
	freeGrowth  = 500
	mostTokens  = 1 << 40 // what is more is damaged
	notInThere  = "not in the transcript"
	systemFixed = "system prompt"
	allFixed    = "system prompt, tools, and what else comes before the messages"
	toolsFixed  = "descriptions of tools"
	mcpFixed    = "descriptions of tools of MCP servers"
)

// measure shares what the API counted among what is in the context.
func (f *filling) measure(tokens float64) {
	var before, grown float64
	for _, n := range f.byKind {
		before += n
	}
	for _, item := range f.fresh {
		item.Since, item.tokens = len(f.use.Points)+1, item.length
		grown += item.length
	}
	fresh, free := f.fresh, tokens-before
	f.fresh = nil
	switch {
	case !f.started && grown <= tokens:
		f.include(fresh)
		f.fixed(tokens - grown)
	case free < grown && free > 0 && f.started && free*mostGrowth >= grown:
		f.include(scaled(fresh, free/grown))
	case free < grown:
		f.items = scaled(append(f.items, fresh...), tokens/(before+grown))
		f.recount()
	case grown == 0:
		f.include(fresh)
		f.unknown(free)
	default:
		share := min(free, mostGrowth*grown+freeGrowth)
		f.include(scaled(fresh, share/grown))
		f.unknown(free - share)
	}
	f.started = true
}

// include adds items to the context.
func (f *filling) include(items []*contextItem) {
	f.items = append(f.items, items...)
	for _, item := range items {
		f.count(item)
	}
}

// recount adds up all items again.
func (f *filling) recount() {
	f.byKind, f.byTool, f.rest = map[string]float64{}, map[string]*share{}, nil
	for _, item := range f.items {
		f.count(item)
	}
}

func (f *filling) count(item *contextItem) {
	f.byKind[item.Kind] += item.tokens
	switch item.Kind {
	case "results":
		add(f.byTool, item.Tool, item.tokens)
	case "unknown":
		f.rest = item
	}
}

func scaled(items []*contextItem, by float64) []*contextItem {
	for _, item := range items {
		item.tokens *= by
	}
	return items
}

// fixed adds what stands before all messages: by the lengths that the client noted, else as a
// whole.
func (f *filling) fixed(tokens float64) {
	s := f.snapshot
	if s.system+s.tools+s.mcp == 0 {
		s.system = 1
	}
	all, text := s.system+s.tools+s.mcp, systemFixed
	if s.tools == 0 {
		text = allFixed
	}
	for _, part := range []struct {
		kind, text string
		length     float64
	}{{"system", text, s.system}, {"tools", toolsFixed, s.tools}, {"mcp", mcpFixed, s.mcp}} {
		if part.length > 0 && tokens > 0 {
			item := &contextItem{ContextItem: ContextItem{Kind: part.kind, Text: part.text, Since: 1}, fixed: true, tokens: tokens * part.length / all}
			f.include([]*contextItem{item})
		}
	}
}

// unknown adds what the transcript does not have.
func (f *filling) unknown(tokens float64) {
	if tokens < 1 {
		return
	}
	if f.rest == nil {
		f.include([]*contextItem{{ContextItem: ContextItem{Kind: "unknown", Text: notInThere, Since: len(f.use.Points) + 1}}})
	}
	f.rest.tokens += tokens
	f.byKind["unknown"] += tokens
}

// compact removes what a compaction removes.
func (f *filling) compact(e *sesskeep.Entry) {
	var line struct {
		Metadata struct {
			Trigger   string `json:"trigger"`
			Pre       int64  `json:"preTokens"`
			Post      int64  `json:"postTokens"`
			Preserved struct {
				UUIDs []string `json:"uuids"`
			} `json:"preservedMessages"`
		} `json:"compactMetadata"`
	}
	_ = json.Unmarshal(e.Raw, &line) // a field of another type is none
	c := ContextCompaction{Address: f.address(e.UUID), Time: stamp.Time{Time: e.Time}, Trigger: line.Metadata.Trigger, Pre: line.Metadata.Pre, Post: line.Metadata.Post}
	if c.Number = len(f.use.Points); c.Number > 0 {
		c.Before = f.use.Points[c.Number-1].Tokens + f.output
	}
	f.use.Compactions = append(f.use.Compactions, c)
	f.since++
	if f.use.At.Number == 0 && c.Number > 0 {
		f.state(&f.use.Points[c.Number-1])
	}
	kept := line.Metadata.Preserved.UUIDs
	gone := func(item *contextItem) bool {
		return !item.fixed && item.Kind != "memory" && (item.uuid == "" || !slices.Contains(kept, item.uuid))
	}
	f.items, f.fresh = slices.DeleteFunc(f.items, gone), slices.DeleteFunc(f.fresh, gone)
	f.recount()
}

// kinds are the tokens by kind. They are rounded so that they add up to all.
func (f *filling) kinds(all int64) (k ContextKinds) {
	var largest *int64
	var left = all
	for _, one := range []struct {
		name string
		to   *int64
	}{
		{"system", &k.System}, {"memory", &k.Memory}, {"tools", &k.Tools}, {"mcp", &k.MCP}, {"prompts", &k.Prompts}, {"summary", &k.Summary},
		{"answers", &k.Answers}, {"thinking", &k.Thinking}, {"results", &k.Results}, {"unknown", &k.Unknown},
	} {
		*one.to = int64(math.Round(f.byKind[one.name]))
		left -= *one.to
		if largest == nil || *one.to > *largest {
			largest = one.to
		}
	}
	*largest += left
	return k
}

// state describes the context of a point, which is the last one.
func (f *filling) state(p *ContextPoint) {
	most := cmp.Or(max(0, f.query.Limit), usualLimit)
	s := ContextState{Number: p.Number, Address: p.Address, Time: p.Time, Tokens: p.Tokens, Kinds: p.Kinds, Count: len(f.items), Items: []ContextItem{}}
	files := map[string]*share{}
	for _, item := range f.items {
		if item.Kind == "results" {
			add(files, item.File, item.tokens)
		}
	}
	s.Tools, s.Files = p.Tools[:min(len(p.Tools), most)], largest(files, most)
	list := slices.Clone(f.items)
	slices.SortStableFunc(list, func(a, b *contextItem) int { return cmp.Compare(b.tokens, a.tokens) })
	for _, item := range list[:min(len(list), most)] {
		one := item.ContextItem
		one.Tokens, one.Carried = int64(math.Round(item.tokens)), p.Number-item.Since+1
		s.Items = append(s.Items, one)
	}
	f.use.At = s
}

// share is a ContextShare that still grows.
type share struct {
	count  int
	tokens float64
}

func add(shares map[string]*share, name string, tokens float64) {
	if name == "" {
		return
	}
	if shares[name] == nil {
		shares[name] = &share{}
	}
	shares[name].count++
	shares[name].tokens += tokens
}

func largest(shares map[string]*share, most int) []ContextShare {
	list := []ContextShare{}
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		list = append(list, ContextShare{name, shares[name].count, int64(math.Round(shares[name].tokens))})
	}
	slices.SortStableFunc(list, func(a, b ContextShare) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return list[:min(len(list), most)]
}
