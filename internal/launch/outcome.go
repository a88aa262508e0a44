package launch

import "slices"

// Outcome says how a message or a run ended.
type Outcome string

// The outcomes.
const (
	Answered    Outcome = "answered"
	Failed      Outcome = "failed"      // the API or the client refused
	Limited     Outcome = "limit"       // a time limit was reached
	Spent       Outcome = "budget"      // a budget was spent
	Interrupted Outcome = "interrupted" // somebody interrupted the turn
	Stopped     Outcome = "stopped"     // somebody stopped the run
	ClientDied  Outcome = "client died"
	HolderDied  Outcome = "holder died"
	NoSpace     Outcome = "no space" // the log could not be written
)

// Outcomes lists all outcomes.
var Outcomes = []Outcome{Answered, Failed, Limited, Spent, Interrupted, Stopped, ClientDied, HolderDied, NoSpace}

// reason is an outcome with its text for users.
type reason struct {
	outcome Outcome
	words   string
}

// Response is the outcome of one message. Text is the answer, even if something
// failed after it: the turn that answers can also spend the budget.
type Response struct {
	Message string  `json:"messageId"`
	Text    string  `json:"text,omitempty"`
	Outcome Outcome `json:"outcome"`
	Error   string  `json:"error,omitempty"`
}

// keptResponses bounds how many responses are kept: callers ask for theirs at once.
const keptResponses = 64

// Response returns the outcome of a message, once it is known.
func (m *Machine) Response(message string) (Response, bool) {
	if i := slices.IndexFunc(m.responses, func(r Response) bool { return r.Message == message }); i >= 0 {
		return m.responses[i], true
	}
	if m.awaitsResponse(message) {
		return Response{}, false
	}
	return Response{Message: message, Outcome: Failed, Error: "what came of the message is not known any more"}, true
}

// Responses returns the responses that are kept, latest last.
func (m *Machine) Responses() []Response { return slices.Clone(m.responses) }

// awaitsResponse reports whether a message has no response yet.
func (m *Machine) awaitsResponse(message string) bool {
	_, sent := m.sent[message]
	return sent || slices.Contains(m.over, message) || slices.ContainsFunc(m.backlog, func(b Message) bool { return b.ID == message }) || slices.Contains(m.Waiting(), message)
}

// unanswered reports whether any message is unanswered.
func (m *Machine) unanswered() bool {
	return m.inTurn || len(m.sent) > 0 || len(m.backlog) > 0 || len(m.waiting) > 0
}

// respond records the responses to the messages whose turn is over.
func (m *Machine) respond(text string) {
	for _, id := range m.over {
		m.responses = append(m.responses, Response{Message: id, Text: text, Outcome: m.facts.Outcome, Error: m.facts.Error})
	}
	m.latest, m.over = len(m.over), nil
	if drop := len(m.responses) - keptResponses; drop > 0 {
		m.responses = slices.Delete(m.responses, 0, drop)
	}
}

// overrideOutcome replaces the outcome of the run, and of the answers of the last
// turn.
func (m *Machine) overrideOutcome(r reason) {
	m.facts.Outcome, m.facts.Error = r.outcome, r.words
	for i := max(0, len(m.responses)-m.latest); i < len(m.responses); i++ {
		if last := &m.responses[i]; last.Outcome == Answered {
			last.Outcome, last.Error = r.outcome, r.words
		}
	}
}

// resolve sets the outcome of a turn.
func (m *Machine) resolve(t *Turn) {
	switch {
	case m.stopping.outcome == NoSpace, t.Failed && m.stopping.words != "":
		m.facts.Outcome, m.facts.Error = m.stopping.outcome, m.stopping.words
	case !t.Failed:
		m.facts.Outcome = Answered
	case t.aborted() && m.aborting.words != "":
		m.facts.Outcome, m.facts.Error = m.aborting.outcome, m.aborting.words
	case t.aborted():
		m.facts.Outcome = Interrupted
	case t.Subtype == "error_max_budget_usd":
		m.facts.Outcome, m.facts.Error = Spent, spentWords
	default:
		m.facts.Outcome = Failed
	}
	m.aborting = reason{}
}

const spentWords = "the budget is spent"
