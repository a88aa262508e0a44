package follow

import (
	"bytes"
	"slices"

	"sesskeep"
	"sesskeep/internal/view"
)

// thread turns the lines of one file into parts while they come. A result can
// come long after its call, so the calls that have none are kept.
type thread struct {
	open []openCall // the oldest first
}

// openCall is a call as a line of its own.
type openCall struct {
	id    string
	entry sesskeep.Entry
}

// maxOpen bounds the calls that are kept. A client makes a few at a time; more
// are those of killed turns, which no result will come for.
const maxOpen = 64

// said is a part and whether it is the result of a call told before.
type said struct {
	part   view.Part
	result bool
}

// add gives the parts of the next line: its own, and the calls it has the
// results of.
func (t *thread) add(e *sesskeep.Entry) []said {
	if e.Kind == sesskeep.KindAssistant {
		t.call(e)
	}
	lines := append(t.answered(e), *e)
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

// call keeps the calls of an answer.
func (t *thread) call(e *sesskeep.Entry) {
	for _, b := range e.Blocks() {
		if b.Kind != sesskeep.BlockToolUse || b.ID == "" {
			continue
		}
		alone, message := *e, *e.Message
		message.Content = slices.Concat([]byte("["), bytes.Clone(b.Raw), []byte("]"))
		alone.Message, alone.Raw = &message, nil
		t.open = append(t.open, openCall{b.ID, alone})
	}
	if extra := len(t.open) - maxOpen; extra > 0 {
		t.open = slices.Delete(t.open, 0, extra)
	}
}

// answered takes out the calls that a line has the results of.
func (t *thread) answered(e *sesskeep.Entry) []sesskeep.Entry {
	if e.Kind != sesskeep.KindUser || len(t.open) == 0 {
		return nil
	}
	var calls []sesskeep.Entry
	for _, b := range e.Blocks() {
		if b.Kind != sesskeep.BlockToolResult {
			continue
		}
		i := slices.IndexFunc(t.open, func(c openCall) bool { return c.id == b.ID })
		if i >= 0 {
			calls = append(calls, t.open[i].entry)
			t.open = slices.Delete(t.open, i, i+1)
		}
	}
	return calls
}
