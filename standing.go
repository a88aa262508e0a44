package sesskeep

import (
	"slices"
	"strings"
	"time"

	"sesskeep/internal/jsonl"
)

// Standing says where the conversation of a transcript stands after its last
// line, in the order of the file. No line says whether a client still
// works on it.
type Standing struct {
	Turn Move `json:"turn,omitempty"`
	// Calls are those of the running turn that have no result. The list is
	// replaced and never changed, so a copy of a Standing stays as it was.
	Calls []OpenCall `json:"calls,omitempty"`
	// Early are the calls of the running turn whose results were written before
	// them. Like Calls, the list is replaced and never changed.
	Early []string `json:"early,omitempty"`
	// Time is that of the latest line of the main conversation.
	Time    time.Time `json:"time,omitzero"`
	Prompts int       `json:"prompts,omitempty"`
	// Closed is set if the client recorded its total cost after the last spoken line.
	// It does that when it ends normally, and when it is stopped in the middle of a
	// turn.
	Closed bool `json:"closed,omitempty"`
	// Unsure is set if the turn counts as over although the last answer does not say
	// so: the line of a call may still follow, seconds later.
	Unsure bool `json:"unsure,omitempty"`
	// Version is that of the client that wrote last.
	Version string `json:"version,omitempty"`
}

// Move says who acts next in a conversation.
type Move string

// The moves. A conversation in which nothing was said has none.
const (
	MoveModel  Move = "model"  // a prompt or a result was last
	MoveCall   Move = "call"   // a call has no result: it runs, or waits to be allowed
	MovePerson Move = "person" // the turn is over
)

// OpenCall is a tool call that has no result yet.
type OpenCall struct {
	ID    string    `json:"id"`
	Tool  string    `json:"tool"`
	Input string    `json:"input,omitempty"` // how its arguments begin, as JSON
	Time  time.Time `json:"time,omitzero"`
}

// What a hostile file can make grow is bounded.
const (
	maxOpenCalls = 64
	inputHead    = 512 // bytes of OpenCall.Input
)

// Open reports whether an answer or a result is still missing.
func (s *Standing) Open() bool { return s.Turn == MoveModel || s.Turn == MoveCall }

// Add folds the next entry in.
func (s *Standing) Add(e *Entry) {
	switch {
	case e.Kind == kindCostState:
		s.Closed = true
	case e.Chain() || e.Spoken():
		o := e.outline()
		s.add(e, o, e.role(o))
	}
}

// add folds in an entry whose outline and role are known.
func (s *Standing) add(e *Entry, o outline, role Role) {
	// A client of 1.0 wrote its agents into the main file.
	if e.Sidechain && e.Agent == "" {
		return
	}
	if e.Time.After(s.Time) {
		s.Time = e.Time
	}
	setIf(&s.Version, e.Version)
	if e.Spoken() {
		s.Closed = false
	}
	switch role {
	case RolePrompt:
		s.prompt(e)
	case RoleAnswer:
		s.answer(e, o)
	case RoleResult:
		s.result(o)
		if e.prompt(o) {
			s.Prompts++
		}
	case RoleInjected:
		s.injected(e, o)
	case RoleNote:
		s.note(e)
	}
}

// prompt starts a turn. One that was typed while the model worked joins the running
// turn, whose calls continue.
func (s *Standing) prompt(e *Entry) {
	s.Prompts++
	if e.Kind == KindAttachment && s.Turn == MoveCall {
		return
	}
	s.Turn, s.Calls, s.Early, s.Unsure = MoveModel, nil, nil, false
}

func (s *Standing) answer(e *Entry, o outline) {
	s.call(o.calls, e.Time)
	s.Unsure = false
	switch {
	case len(o.calls) == 0 && e.over(o):
		s.over()
		s.Unsure = !e.APIError && e.Message != nil && e.Message.StopReason == ""
	case len(s.Calls) > 0:
		s.Turn = MoveCall
	default:
		s.Turn = MoveModel
	}
}

func (s *Standing) call(calls []blockCall, at time.Time) {
	if len(calls) == 0 {
		return
	}
	all := slices.Clip(s.Calls)
	for _, c := range calls {
		if len(all) == maxOpenCalls || slices.Contains(s.Early, c.id) {
			continue
		}
		all = append(all, OpenCall{ID: c.id, Tool: c.tool, Input: cut(string(c.input[:min(len(c.input), inputHead)]), inputHead), Time: at})
	}
	s.Calls = all
}

// over reports whether an answer without calls is the last of its turn. Many
// clients before 2.1.98 gave no stop reason to any line; their texts are taken
// for last words: where they are not, the line of a call follows soon.
func (e *Entry) over(o outline) bool {
	if e.APIError || e.Message == nil {
		return true
	}
	switch e.Message.StopReason {
	case "":
		return o.said && !e.Aborted
	case "tool_use", "pause_turn":
		return false
	}
	return true
}

func (s *Standing) over() { s.Turn, s.Calls, s.Early, s.Unsure = MovePerson, nil, nil, false }

// result takes the calls it answers off the list, and keeps those that are not
// on it: clients 2.1.105 to 2.1.131 can write a result before its call. A line
// about a call of an earlier turn changes nothing else.
func (s *Standing) result(o outline) {
	if len(o.results) == 0 || !s.Open() {
		return
	}
	var left []OpenCall
	for _, c := range s.Calls {
		if !slices.Contains(o.results, c.ID) {
			left = append(left, c)
		}
	}
	for _, id := range o.results {
		called := slices.ContainsFunc(s.Calls, func(c OpenCall) bool { return c.ID == id })
		if !called && len(s.Early) < maxOpenCalls && len(id) <= labelSize {
			s.Early = append(slices.Clone(s.Early), id)
		}
	}
	if s.Calls = left; len(left) == 0 {
		s.Turn = MoveModel
	}
}

// injected takes what the client put in: a notice that ends a turn, or one that
// wakes the model.
func (s *Standing) injected(e *Entry, o outline) {
	switch {
	case endsTurn(o.head):
		s.over()
	case e.PromptSource == "system" && s.Turn != MoveCall:
		s.Turn = MoveModel
	}
}

// note takes the lines beside the talk. A command of the client's own can be
// given in the middle of a turn and ends none.
func (s *Standing) note(e *Entry) {
	switch e.Subtype {
	case "turn_duration", "stop_hook_summary", "max_turns_reached", "hook_stopped_continuation":
		s.over()
	case "local_command":
		if s.Turn == "" {
			s.over()
		}
	}
}

// endsTurn reports whether a text the client put in is the last of a turn: an
// interrupt, or the output of something the model is not asked about.
func endsTurn(head []byte) bool {
	for _, start := range [...]string{"[Request interrupted by user", "Operation stopped by hook", "<local-command-std", "<bash-stdout>"} {
		if len(head) >= len(start) && string(head[:len(start)]) == start {
			return true
		}
	}
	return false
}

// subjects are the fields of a tool's input that say what a call is about.
var subjects = [...]string{
	"command", "file_path", "pattern", "description", "url", "query", "path",
	"notebook_path", "skill", "plan", "question", "subject",
}

// Text describes the call in one line. It is computed on demand, because
// nearly every call gets its result before its text is needed.
func (c OpenCall) Text() string {
	var p jsonl.Parser
	p.Reset([]byte(c.Input))
	text := subject(&p)
	// A string that was cut off in the middle is closed where it ends, or before
	// the escape that was cut.
	for cut := 0; text == "" && p.Err() != nil && cut < 6 && cut < len(c.Input); cut++ {
		p.Reset([]byte(c.Input[:len(c.Input)-cut] + `"}`))
		text = subject(&p)
	}
	return oneLine(strings.ToValidUTF8(text, ""), labelSize)
}

// subject is the first string of an input that says what a call is about.
func subject(p *jsonl.Parser) string {
	for key := range p.Object() {
		if string(key) == "questions" {
			for range p.Array() {
				return subject(p)
			}
		}
		if slices.Contains(subjects[:], string(key)) {
			if text := p.Text(); text != "" {
				return text
			}
		}
	}
	return ""
}
