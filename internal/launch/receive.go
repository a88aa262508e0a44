package launch

import (
	"slices"
	"time"
)

// Receive handles a line that the client wrote.
func (m *Machine) Receive(now time.Time, l Line) {
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
		m.handleInit(now, l)
	case Assistant, Partial:
		m.inTurn = true
	case User:
		if _, waits := m.sent[l.UUID]; waits && l.Replay {
			m.sent[l.UUID] = CommandStarted
		}
	case Other:
		m.applyMode(now, l.Mode)
		if l.Limit != nil {
			m.setReset(l.Limit.until())
		}
	case Result:
		m.finishTurn(now, l.Turn)
	case Asks:
		m.handleRequest(now, l)
	case Withdraws:
		m.withdraw(now, l.Request)
	case Replies:
		m.handleReply(l)
	case Lifecycle:
		m.updateMessage(l)
		m.deliverNext(now)
	}
	m.updateState(now)
}

func (m *Machine) handleInit(now time.Time, l Line) {
	if m.facts.Version == "" {
		m.facts.Model, m.facts.Version = l.Model, l.Version
		m.note(now, Event{Event: EventReady, Session: l.Session, Model: l.Model})
	}
	m.ready, m.inTurn, m.facts.Model = true, true, l.Model
	m.applyMode(now, l.Mode)
}

// applyMode records the mode that the client reports. A mode that the user did not
// allow stops the run: no setting, rule or bug of the client may enable it.
func (m *Machine) applyMode(now time.Time, mode Mode) {
	if mode == "" {
		return
	}
	m.facts.Mode = mode
	if mode == Bypass && !m.bypass {
		m.Stop(now, Stopped, "the client asks for no permission, which was not allowed")
	}
}

// finishTurn handles the end of a turn. It answers the messages that the client
// started, or all messages if the client does not report which ones it started.
func (m *Machine) finishTurn(now time.Time, t *Turn) {
	m.inTurn, m.latest = false, 0
	m.finishMessages(t)
	for _, p := range m.Prompts() {
		if p.AgentID == "" { // an agent may continue in the background
			m.withdraw(now, p.ID)
		}
	}
	m.facts.turn(t)
	m.resolve(t)
	m.note(now, Event{Event: EventTurn, Cost: m.facts.Cost, Millis: t.Millis, Error: m.facts.Error, Reason: t.Reason})
	text := t.Text
	if t.Failed {
		text = ""
	}
	m.checkBudget(now)
	if m.planRetry(now, t) {
		return
	}
	m.respond(text)
	m.deliverNext(now)
	if m.limits.Once && len(m.sent) == 0 && len(m.waiting) == 0 {
		m.closeInput()
		if m.term.IsZero() {
			m.term = now.Add(onceTime)
		}
	}
}

// finishMessages finishes the messages that a turn was about.
func (m *Machine) finishMessages(t *Turn) {
	reported := false
	for id, state := range m.sent {
		if state == CommandStarted {
			reported = true
			m.finish(id)
		}
	}
	if reported || t.Queued > 0 {
		return
	}
	for id, state := range m.sent {
		if state == "" {
			m.finish(id)
		}
	}
}

// finish records that the turn of a message is over.
func (m *Machine) finish(id string) {
	delete(m.sent, id)
	m.over = append(m.over, id)
}

// onceTime is how long a client that has answered may continue with what it left
// running in the background.
const onceTime = 10 * time.Minute

// checkBudget stops the run when its budget is spent, and warns at 80 %.
func (m *Machine) checkBudget(now time.Time) {
	switch budget := m.limits.Budget; {
	case budget <= 0:
	case m.facts.Cost.USD >= budget:
		m.Stop(now, Spent, spentWords)
	case m.facts.Cost.USD >= budget*8/10 && !m.warned:
		m.warned = true
		m.note(now, Event{Event: EventBudget, Cost: m.facts.Cost})
	}
}

// CheckDayBudget does the same for what all runs of the day have spent together.
func (m *Machine) CheckDayBudget(now time.Time, spent, budget Dollar) {
	switch {
	case spent >= budget:
		m.Stop(now, Spent, "the budget of the day is spent")
	case spent >= budget*8/10 && !m.dayWarned:
		m.dayWarned = true
		m.note(now, Event{Event: EventBudget, Why: "of the day", Cost: Cost{spent}})
	}
}

// handleRequest handles a request of the client. A valid one becomes a prompt; any
// other is refused at once.
func (m *Machine) handleRequest(now time.Time, l Line) {
	id, a := l.Request, l.Ask
	if id == "" {
		m.facts.Malformed++
		return // an answer could not name the request
	}
	if m.handleRepeatedRequest(now, id, a) {
		return
	}
	switch {
	case a == nil:
		m.facts.Malformed++
		m.refuse(now, id, "", "The request could not be read.")
	case a.Subtype != "can_use_tool":
		m.write(encodeRefusal(id, "unsupported: "+a.Subtype))
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

// handleRepeatedRequest handles a request whose id was used before, and reports
// whether it was. Unless it repeats an open prompt exactly, it is denied: an answer
// could mean either of the two.
func (m *Machine) handleRepeatedRequest(now time.Time, id string, a *Ask) bool {
	p := m.prompt(id)
	if p == nil && m.answered[id] == nil {
		return false
	}
	if p != nil && a != nil && a.Tool == p.Tool && HashInput(a.Input) == p.Hash {
		return true // an exact repetition
	}
	if p != nil {
		m.deny(now, p, "The request changed while it was open.", "a changed request")
		return true
	}
	m.write(encodeDenial(id, "The request has been answered before."))
	return true
}

// refuse denies a request that never became a prompt.
func (m *Machine) refuse(now time.Time, id, tool, message string) {
	m.answered[id] = &AnsweredError{Deny, "sesskeep", now}
	m.write(encodeDenial(id, message))
	m.note(now, Event{Event: EventAnswered, Prompt: id, Tool: tool, Behavior: Deny, By: "sesskeep", Why: message})
}

// withdraw closes a prompt whose answer the client no longer wants. It still sends a
// denial, in case the client is wrong about that.
func (m *Machine) withdraw(now time.Time, id string) {
	if p := m.prompt(id); p != nil {
		m.write(encodeDenial(id, "The request was withdrawn."))
		m.close(p, &AnsweredError{Deny, "the client, which does not wait any more,", now})
		m.note(now, Event{Event: EventWithdrawn, Prompt: id, Tool: p.Tool})
	}
}

func (m *Machine) handleReply(l Line) {
	done, ok := m.asked[l.Request]
	delete(m.asked, l.Request)
	if ok && done != nil {
		done(l)
	}
}

// updateMessage records the new state of a message. Any state but queued and
// started means that it is over.
func (m *Machine) updateMessage(l Line) {
	if _, waits := m.sent[l.Command]; !waits {
		return
	}
	switch l.State {
	case CommandQueued, CommandStarted:
		m.sent[l.Command] = l.State
	default:
		m.finish(l.Command)
		if !m.inTurn { // no turn will report its outcome
			m.failMessage(l.Command, string(l.State))
		}
	}
}

// failMessage responds to a message that the client finished without an answer.
func (m *Machine) failMessage(id, state string) {
	m.over = slices.DeleteFunc(m.over, func(o string) bool { return o == id })
	m.latest = 0
	m.responses = append(m.responses, Response{Message: id, Outcome: Failed, Error: "the client did not answer the message: " + state})
}
