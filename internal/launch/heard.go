package launch

import (
	"slices"
	"time"
)

// Heard takes a line that the client wrote.
func (m *Machine) Heard(now time.Time, l Line) {
	m.quietSince, m.silence = now, 0
	m.facts.Lines++
	if m.ended {
		return
	}
	if l.Session != "" && l.Kind != Malformed {
		m.facts.Session = l.Session
	}
	switch l.Kind {
	case Malformed:
		m.facts.Malformed++
	case Unknown:
		m.facts.Unknown++
	case Init:
		m.initialised(now, l)
	case Assistant, Partial:
		m.inTurn = true
	case User:
		if _, waits := m.sent[l.UUID]; waits && l.Replay {
			m.sent[l.UUID] = CommandStarted
		}
	case Other:
		m.moded(now, l.Mode)
		if l.Limit != nil {
			m.limited(l.Limit.until())
		}
	case Result:
		m.turned(now, l.Turn)
	case Asks:
		m.asks(now, l)
	case Withdraws:
		m.withdrawn(now, l.Request)
	case Replies:
		m.replied(l)
	case Lifecycle:
		m.command(l)
	}
	m.settle(now)
}

func (m *Machine) initialised(now time.Time, l Line) {
	if m.facts.Version == "" {
		m.facts.Model, m.facts.Version = l.Model, l.Version
		m.note(now, Event{Event: EventReady, Session: l.Session, Model: l.Model})
	}
	m.ready, m.inTurn, m.facts.Model = true, true, l.Model
	m.moded(now, l.Mode)
}

// moded takes the mode the client says it is in. One that nobody allowed ends the
// run: settings, a rule or a bug of the client must not be a way to it.
func (m *Machine) moded(now time.Time, mode Mode) {
	if mode == "" {
		return
	}
	m.facts.Mode = mode
	if mode == Bypass && !m.bypass {
		m.Stop(now, Stopped, "the client asks for no permission, and nobody allowed that")
	}
}

// turned takes the end of a turn. Messages that were begun are answered; of a
// client that does not tell, all are.
func (m *Machine) turned(now time.Time, t *Turn) {
	m.inTurn, m.latest = false, 0
	m.taken(t)
	for _, p := range m.Prompts() {
		if p.AgentID == "" { // an agent may go on in the background
			m.withdrawn(now, p.ID)
		}
	}
	m.facts.turn(t)
	m.resolve(t)
	m.note(now, Event{Event: EventTurn, Cost: m.facts.Cost, Millis: t.Millis, Error: m.facts.Error, Reason: t.Reason})
	text := t.Text
	if t.Failed {
		text = ""
	}
	m.spent(now)
	if m.again(now, t) {
		return
	}
	m.respond(text)
	if m.limits.Once && len(m.sent) == 0 {
		m.closeInput()
		if m.term.IsZero() {
			m.term = now.Add(onceTime)
		}
	}
}

// taken finds the messages that a turn was about.
func (m *Machine) taken(t *Turn) {
	tells := false
	for id, state := range m.sent {
		if state == CommandStarted {
			tells = true
			m.finish(id)
		}
	}
	if tells || t.Queued > 0 {
		return
	}
	for id, state := range m.sent {
		if state == "" {
			m.finish(id)
		}
	}
}

// finish notes that the turn of a message is over.
func (m *Machine) finish(id string) {
	delete(m.sent, id)
	m.over = append(m.over, id)
}

// onceTime is how long a client that has answered may go on with what it left
// running in the background.
const onceTime = 10 * time.Minute

// spent looks at the budget.
func (m *Machine) spent(now time.Time) {
	switch budget := m.limits.Budget; {
	case budget <= 0:
	case m.facts.Cost.USD >= budget:
		m.Stop(now, Spent, spentWords)
	case m.facts.Cost.USD >= budget*8/10 && !m.warned:
		m.warned = true
		m.note(now, Event{Event: EventBudget, Cost: m.facts.Cost})
	}
}

// DaySpent takes what all runs of the day have cost, of what they may.
func (m *Machine) DaySpent(now time.Time, spent, budget Dollar) {
	switch {
	case spent >= budget:
		m.Stop(now, Spent, "the budget of the day is spent")
	case spent >= budget*8/10 && !m.dayWarned:
		m.dayWarned = true
		m.note(now, Event{Event: EventBudget, Why: "of the day", Cost: Cost{spent}})
	}
}

// asks takes a question. One that is understood becomes a prompt; anything else
// is refused at once.
func (m *Machine) asks(now time.Time, l Line) {
	id, a := l.Request, l.Ask
	if id == "" {
		m.facts.Malformed++
		return // there is nothing an answer could name
	}
	if m.asksAgain(now, id, a) {
		return
	}
	switch {
	case a == nil:
		m.facts.Malformed++
		m.refuse(now, id, "", "The request could not be read.")
	case a.Subtype != "can_use_tool":
		m.write(sayRefusal(id, "unsupported: "+a.Subtype))
	case a.Tool == "" || !object(a.Input):
		m.facts.Malformed++
		m.refuse(now, id, a.Tool, "The request could not be read.")
	case m.done():
		m.refuse(now, id, a.Tool, "The run is being stopped.")
	default:
		p := newPrompt(id, a, now, now.Add(m.limits.Answer))
		m.open = append(m.open, p)
		m.note(now, Event{Event: EventWaiting, Prompt: id, Tool: p.Tool, Hash: p.Hash})
	}
}

// asksAgain denies what is asked under an id that was used: nobody could tell
// which of the two an answer is about.
func (m *Machine) asksAgain(now time.Time, id string, a *Ask) bool {
	p := m.prompt(id)
	if p == nil && m.answered[id] == nil {
		return false
	}
	if p != nil && a != nil && a.Tool == p.Tool && HashInput(a.Input) == p.Hash {
		return true // the same once more
	}
	if p != nil {
		m.deny(now, p, "The request changed while it was open.", "a changed request")
		return true
	}
	m.write(sayDeny(id, "The request has been answered before."))
	return true
}

// refuse denies what never became a prompt.
func (m *Machine) refuse(now time.Time, id, tool, message string) {
	m.answered[id] = &AnsweredError{Deny, "sesskeep", now}
	m.write(sayDeny(id, message))
	m.note(now, Event{Event: EventAnswered, Prompt: id, Tool: tool, Behavior: Deny, By: "sesskeep", Why: message})
}

// withdrawn closes a prompt whose answer nobody waits for. The client is told no
// all the same, should it be wrong about that.
func (m *Machine) withdrawn(now time.Time, id string) {
	if p := m.prompt(id); p != nil {
		m.write(sayDeny(id, "The request was withdrawn."))
		m.close(p, &AnsweredError{Deny, "the client, which does not wait any more,", now})
		m.note(now, Event{Event: EventWithdrawn, Prompt: id, Tool: p.Tool})
	}
}

func (m *Machine) replied(l Line) {
	done, ok := m.asked[l.Request]
	delete(m.asked, l.Request)
	if ok && done != nil {
		done(l)
	}
}

// command takes what became of a message. Whatever is neither queued nor started
// is over.
func (m *Machine) command(l Line) {
	if _, waits := m.sent[l.Command]; !waits {
		return
	}
	switch l.State {
	case CommandQueued, CommandStarted:
		m.sent[l.Command] = l.State
	default:
		m.finish(l.Command)
		if !m.inTurn { // no turn will tell what came of it
			m.dropped(l.Command, string(l.State))
		}
	}
}

// dropped responds to a message that the client is done with and did not answer.
func (m *Machine) dropped(id, state string) {
	m.over = slices.DeleteFunc(m.over, func(o string) bool { return o == id })
	m.latest = 0
	m.responses = append(m.responses, Response{Message: id, Outcome: Failed, Error: "the client did not answer the message: " + state})
}
