package talk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/reading"
)

// MessageOptions choose messages of a conversation. The zero value chooses the newest
// ones, newest first.
type MessageOptions struct {
	Leaf   string // last line of the conversation; empty: the active one
	Limit  int
	Offset int
	Before string   // only the nearest messages before this one
	After  string   // only the nearest messages after this one
	Types  []string // none: all of them
	Oldest bool     // oldest first
	Blocks bool     // with the blocks of each
}

// MessagePage is a page of messages as clients of cli-bridge read it.
type MessagePage struct {
	APIVersion string             `json:"apiVersion" enum:"2.0" doc:"Version of this format"`
	Messages   []HistoryMessage   `json:"messages"`        // messages in the requested order
	Pagination MessagePagination  `json:"pagination"`      // which messages this page has
	Filters    MessageFilters     `json:"filters"`         // filters of the request
	Integrity  MessageIntegrity   `json:"integrity"`       // how much of the file could be read
	Error      *MessageCursorGone `json:"error,omitempty"` // set if the cursor names no message
}

// MessagePagination describes the page. Total is the number of messages on all pages.
type MessagePagination struct {
	Total      int    `json:"total"`   // number of messages on all pages
	Limit      int    `json:"limit"`   // maximum number of messages on a page
	Offset     int    `json:"offset"`  // number of messages before this page
	HasMore    bool   `json:"hasMore"` // true if there are more pages
	NextCursor string `json:"nextCursor,omitempty" doc:"Pass as before to read older messages"`
	PrevCursor string `json:"prevCursor,omitempty" doc:"Pass as after to read newer messages"`
}

// MessageFilters repeats the request. A result is always part of its call.
type MessageFilters struct {
	Types       []string `json:"types"` // requested types of messages
	Order       string   `json:"order" enum:"asc,desc" doc:"Order of the messages"`
	Denormalize bool     `json:"denormalize"` // always true: a result is part of its call
}

// MessageIntegrity reports how much of the file could be read.
type MessageIntegrity struct {
	Total   int      `json:"totalLines"`     // lines of the file
	Valid   int      `json:"validLines"`     // lines that could be read
	Damaged int      `json:"corruptedLines"` // lines that could not be read
	Samples []string `json:"corruptedSamples" doc:"What is wrong, and where; never the contents of the line"`
}

// MessageCursorGone reports a cursor that names no message of the conversation.
type MessageCursorGone struct {
	Code     string `json:"code" enum:"CURSOR_NOT_FOUND,CURSOR_EXPIRED,INVALID_PARAMS" doc:"What went wrong, for programs"`
	CursorID string `json:"cursorId,omitempty"` // message that the cursor names
	Message  string `json:"message,omitempty"`  // explanation for people
}

// The lengths of a page of messages.
const (
	usualMessages = 25
	maxMessages   = 100
)

// messageKinds are the types of messages that a transcript can have.
var messageKinds = map[string]reading.MessageKind{
	"user": reading.UserMessage, "assistant": reading.AssistantMessage, "thinking": reading.ThinkingMessage,
	"tool_use": reading.CallMessage, "tool_result": reading.ResultMessage, "system": reading.SystemMessage,
}

// liveTypes are the types that only a running session sends.
var liveTypes = []string{"progress", "subagent_start", "subagent_complete", "usage", "state", "permission", "question"}

// Messages reads a page of a conversation. It reads only the turns of the page, and
// counts the messages of the others once. If a type does not exist, the error is
// [errcode.Invalid].
func (tk *Talk) Messages(ctx context.Context, t catalog.Target, o MessageOptions) (page MessagePage, err error) {
	if o.Limit = cmp.Or(o.Limit, usualMessages); o.Limit > maxMessages {
		o.Limit = maxMessages
	}
	if (o.Before != "" || o.After != "") && o.Offset > 0 {
		return page, errcode.New(errcode.Invalid, errors.New("offset does not go with before or after"))
	}
	list, err := newChronicle(o.Types)
	if err != nil {
		return page, err
	}
	s, err := tk.catalog.Read(ctx, t)
	if err != nil {
		return page, err
	}
	defer s.Close()
	if err := list.count(ctx, s, o.Leaf); err != nil {
		return page, err
	}
	return list.page(ctx, o)
}

// chronicle is the messages of some kinds in one conversation, oldest first.
type chronicle struct {
	session *reading.Session
	kinds   []reading.MessageKind // none: all
	never   bool                  // no transcript has messages of the wanted types
	turns   []int
	starts  []int // by turn, the number of its first message; then the total
}

func newChronicle(types []string) (*chronicle, error) {
	c := new(chronicle)
	for _, word := range types {
		kind, ok := messageKinds[word]
		switch {
		case ok:
			c.kinds = append(c.kinds, kind)
		case !slices.Contains(liveTypes, word):
			return nil, &ask.WordError{What: "types", Word: word, Words: slices.Sorted(maps.Keys(messageKinds))}
		}
	}
	slices.Sort(c.kinds)
	c.kinds = slices.Compact(c.kinds)
	c.never = len(types) > 0 && len(c.kinds) == 0
	return c, nil
}

func (c *chronicle) count(ctx context.Context, s *reading.Session, leaf string) error {
	span, err := s.Span(reading.Window{Leaf: leaf})
	if err != nil {
		return err
	}
	c.session, c.starts = s, []int{0}
	if c.never {
		return nil
	}
	c.turns = span.Turns()
	tallies, err := s.Tally(ctx, c.turns)
	for i := range tallies {
		c.starts = append(c.starts, c.starts[i]+tallies[i].Of(c.kinds))
	}
	return err
}

func (c *chronicle) total() int { return c.starts[len(c.starts)-1] }

// turn reads the wanted messages of a turn of the conversation.
func (c *chronicle) turn(ctx context.Context, i int) ([]reading.Message, error) {
	list, err := c.session.Messages(ctx, c.turns[i])
	if len(c.kinds) == 0 {
		return list, err
	}
	return slices.DeleteFunc(list, func(m reading.Message) bool { return !slices.Contains(c.kinds, m.Kind) }), err
}

// slice reads the messages from one up to, but not including, another.
func (c *chronicle) slice(ctx context.Context, from, to int) ([]reading.Message, error) {
	var list []reading.Message
	for i := range c.turns {
		start, end := max(from, c.starts[i]), min(to, c.starts[i+1])
		if start >= end {
			continue
		}
		all, err := c.turn(ctx, i)
		if err != nil {
			return nil, err
		}
		list = append(list, all[start-c.starts[i]:end-c.starts[i]]...)
	}
	return list, nil
}

// find returns the position of a message among the wanted ones: how many come before
// it, and how many up to it.
func (c *chronicle) find(ctx context.Context, id string) (before, upTo int, err error) {
	id = strings.ToLower(id)
	missing := &sesskeep.Error{Op: "find message", Name: id, Err: sesskeep.ErrNotFound}
	turn, err := c.session.TurnOf(id)
	if err != nil {
		return 0, 0, err
	}
	i := slices.Index(c.turns, turn)
	if i < 0 {
		return 0, 0, missing
	}
	all, err := c.session.Messages(ctx, turn)
	if err != nil {
		return 0, 0, err
	}
	before = c.starts[i]
	for _, m := range all {
		wanted := len(c.kinds) == 0 || slices.Contains(c.kinds, m.Kind)
		switch {
		case m.ID == id && wanted:
			return before, before + 1, nil
		case m.ID == id:
			return before, before, nil
		case wanted:
			before++
		}
	}
	return 0, 0, missing
}

// bounds returns the first and the last message that the cursors allow.
func (c *chronicle) bounds(ctx context.Context, o *MessageOptions) (low, high int, gone *MessageCursorGone, err error) {
	high = c.total()
	at := ""
	if at = o.Before; at != "" {
		high, _, err = c.find(ctx, at)
	}
	if err == nil && o.After != "" {
		at = o.After
		_, low, err = c.find(ctx, at)
	}
	if errors.Is(err, sesskeep.ErrNotFound) {
		return 0, 0, &MessageCursorGone{"CURSOR_NOT_FOUND", at, "no message of this conversation has that id"}, nil
	}
	return low, max(low, high), nil, err
}

func (c *chronicle) page(ctx context.Context, o MessageOptions) (MessagePage, error) {
	page := MessagePage{
		APIVersion: "2.0", Messages: []HistoryMessage{}, Integrity: integrityOf(&c.session.Transcript.Digest),
		Filters:    MessageFilters{Types: append([]string{}, o.Types...), Order: "desc", Denormalize: true},
		Pagination: MessagePagination{Total: c.total(), Limit: o.Limit, Offset: o.Offset},
	}
	if o.Oldest {
		page.Filters.Order = "asc"
	}
	low, high, gone, err := c.bounds(ctx, &o)
	if page.Error = gone; gone != nil || err != nil {
		return page, err
	}
	forward := o.Before == "" && (o.After != "" || o.Oldest) || o.After != "" && o.Oldest
	from, to := low+min(o.Offset, high-low), high
	if forward {
		to = min(from+o.Limit, high)
		page.Pagination.HasMore = to < high
	} else {
		to = high - min(o.Offset, high-low)
		from = max(low, to-o.Limit)
		page.Pagination.HasMore = from > low
	}
	list, err := c.slice(ctx, from, to)
	if err != nil {
		return page, err
	}
	page.fill(list, from, to, &o)
	for i := range list {
		page.Messages = append(page.Messages, historyMessage(&list[i], &c.session.Transcript.Digest, o.Blocks))
	}
	if !o.Oldest {
		slices.Reverse(page.Messages)
	}
	return page, nil
}

// fill sets the cursors of the neighbouring pages.
func (p *MessagePage) fill(list []reading.Message, from, to int, o *MessageOptions) {
	at := &p.Pagination
	if o.Before != "" || o.After != "" {
		if at.Offset = at.Total - to; o.Oldest {
			at.Offset = from
		}
	}
	if len(list) == 0 {
		return
	}
	if from > 0 {
		at.NextCursor = list[0].ID
	}
	if to < at.Total {
		at.PrevCursor = list[len(list)-1].ID
	}
}

// maxSamples bounds how many damaged lines are listed.
const maxSamples = 5

func integrityOf(d *sesskeep.Digest) MessageIntegrity {
	out := MessageIntegrity{Total: d.Entries + d.Lost, Valid: d.Entries, Damaged: d.Lost, Samples: []string{}}
	for _, p := range d.Problems {
		if p.Lost && len(out.Samples) < maxSamples {
			out.Samples = append(out.Samples, fmt.Sprintf("line %d: %s", p.Line, p.Reason))
		}
	}
	return out
}
