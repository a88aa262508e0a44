package launch

import (
	"fmt"
	"time"
)

// What a run sends to the client when it retries a failed turn. The conversation
// already contains the prompt.
const (
	afterOverload = "The API was overloaded. Continue where you stopped."
	afterLimit    = "The usage limit is reset. Continue where you stopped."
)

// The pauses between retries after an overloaded API; each is twice the previous one.
const (
	firstTry = 30 * time.Second
	lastTry  = 10 * time.Minute
)

// resetSlack is how long a run waits after a limit was reset, because clocks differ.
const resetSlack = time.Minute

// overloaded reports whether a status of the API means that a retry may succeed.
func overloaded(status int) bool {
	return status == 429 || status == 408 || status >= 500 && status < 600
}

// setReset records when the limit of the plan is reset; zero: it is not reached.
func (m *Machine) setReset(until time.Time) { m.reset = until }

// planRetry schedules a retry of a failed turn, and reports whether it did. It does
// not retry turns that somebody interrupted.
func (m *Machine) planRetry(now time.Time, t *Turn) bool {
	if !t.Failed || m.done() || len(m.sent) > 0 {
		m.tries = 0
		return false
	}
	switch {
	case m.limits.AfterReset && m.reset.After(now):
		m.retry, m.retryText = m.reset.Add(resetSlack), afterLimit
		m.retryWhy = "the usage limit is reached"
	case overloaded(t.Status) && m.tries < m.limits.Retries && !m.reset.After(now):
		m.retry, m.retryText = now.Add(min(firstTry<<m.tries, lastTry)), afterOverload
		m.tries++
		m.retryWhy = fmt.Sprintf("the API refused (status %d), try %d of %d", t.Status, m.tries, m.limits.Retries)
	default:
		return false
	}
	m.note(now, Event{Event: EventLater, Why: m.retryWhy, Next: stampAt(m.retry)})
	return true
}

// sendRetry sends the message that starts a retry, when it is due.
func (m *Machine) sendRetry(now time.Time) {
	if m.retry.IsZero() || now.Before(m.retry) {
		return
	}
	text := m.retryText
	m.clearRetry()
	_ = m.send(now, Message{ID: NewID(), Text: text}) // cancelRetry would have cleared a retry that cannot be sent
}

// cancelRetry drops a planned retry when somebody else decides what comes next.
func (m *Machine) cancelRetry() {
	if !m.retry.IsZero() {
		m.respond("") // the outcome of the last try is final
	}
	m.clearRetry()
}

func (m *Machine) clearRetry() { m.retry, m.retryText, m.retryWhy = time.Time{}, "", "" }
