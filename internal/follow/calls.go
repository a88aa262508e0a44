package follow

import (
	"bytes"
	"slices"

	"sesskeep"
	"sesskeep/internal/view"
)

// thread turns the lines of one file into parts while they come. A result can
// come long after its call, or a little before it, so what has no counterpart
// is kept.
type thread struct {
	open  []openCall // the oldest first
	early []openCall // results that came before their calls, as lines of their own
	queue queue
}

// over reports whether nothing is waited for.
func (t *thread) over() bool { return len(t.open) == 0 && t.queue.empty() }

// openCall is a call, or a result, as a line of its own.
type openCall struct {
	id    string
	entry sesskeep.Entry
}

// maxOpen bounds the calls that are kept. A client makes a few at a time; more
// are those of killed turns, which no result will come for.
const maxOpen = 64

// said is a part and whether it is the result of a call reported before.
type said struct {
	part   view.Part
	result bool
}

// add gives the parts of the next line: its own, and the calls it has the
// results of.
func (t *thread) add(e *sesskeep.Entry) []said {
	var lines []sesskeep.Entry
	if e.Spoken() {
		t.queue.said(e)
	}
	switch e.Kind {
	case sesskeep.KindQueueOp:
		t.queue.add(e)
		return nil // other lines say what becomes of it
	case sesskeep.KindAssistant:
		lines = t.call(e)
	case sesskeep.KindUser:
		lines = t.answered(e)
	}
	lines = append(lines, *e)
	var list []said
	for _, p := range view.Turn(lines, view.Options{}) {
		result := p.Kind == view.CallPart && p.UUID != e.UUID
		if result { // it happened now, in this line
			p.Line, p.UUID, p.Also = e.Line, e.UUID, []string{p.UUID}
			if !e.Time.IsZero() {
				p.Time = e.Time
			}
		}
		list = append(list, said{p, result})
	}
	return list
}

// call keeps the calls of an answer, and takes out the results that came before
// them.
func (t *thread) call(e *sesskeep.Entry) []sesskeep.Entry {
	var results []sesskeep.Entry
	for _, b := range e.Blocks() {
		if b.Kind != sesskeep.BlockToolUse || b.ID == "" {
			continue
		}
		if result, ok := removeCall(&t.early, b.ID); ok {
			results = append(results, result)
		} else {
			keep(&t.open, e, b)
		}
	}
	return results
}

// answered takes out the calls that a line has the results of. A result whose
// call is not there is kept: the call can come later.
func (t *thread) answered(e *sesskeep.Entry) []sesskeep.Entry {
	var calls []sesskeep.Entry
	for _, b := range e.Blocks() {
		if b.Kind != sesskeep.BlockToolResult || b.ID == "" {
			continue
		}
		if call, ok := removeCall(&t.open, b.ID); ok {
			calls = append(calls, call)
		} else {
			keep(&t.early, e, b)
		}
	}
	return calls
}

// keep adds a block of a line as a line of its own.
func keep(list *[]openCall, e *sesskeep.Entry, b sesskeep.Block) {
	copied, message := *e, *e.Message
	message.Content = slices.Concat([]byte("["), bytes.Clone(b.Raw), []byte("]"))
	copied.Message, copied.Raw, copied.Result = &message, nil, bytes.Clone(e.Result)
	*list = append(*list, openCall{b.ID, copied})
	if extra := len(*list) - maxOpen; extra > 0 {
		*list = slices.Delete(*list, 0, extra)
	}
}

// removeCall removes the line that has the call id, or its result.
func removeCall(list *[]openCall, id string) (sesskeep.Entry, bool) {
	i := slices.IndexFunc(*list, func(c openCall) bool { return c.id == id })
	if i < 0 {
		return sesskeep.Entry{}, false
	}
	e := (*list)[i].entry
	*list = slices.Delete(*list, i, i+1)
	return e, true
}
