package launch

import (
	"fmt"
	"time"
)

// What a run says to the client when a turn that failed is tried again. What was asked
// is in the conversation already.
const (
	afterOverload = "The API was overloaded. Go on where you stopped."
	afterLimit    = "The usage limit is reset. Go on where you stopped."
)

// The times between tries of a turn that met an overloaded API: each twice the last.
const (
	firstTry = 30 * time.Second
	lastTry  = 10 * time.Minute
)

// resetSlack is how long after the reset of a limit a run goes on: clocks differ.
const resetSlack = time.Minute

// overloaded reports whether a status of the API means that it may do later.
func overloaded(status int) bool {
	return status == 429 || status == 408 || status >= 500 && status < 600
}

// limited notes that the plan is used up until then; the zero time: it is not.
func (m *Machine) limited(until time.Time) { m.reset = until }

// again plans another try of a turn that failed, and reports whether there is one. It
// is not for a turn that somebody ended.
func (m *Machine) again(now time.Time, t *Turn) bool {
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

// retried sends what another try begins with, when it is due.
func (m *Machine) retried(now time.Time) {
	if m.retry.IsZero() || now.Before(m.retry) {
		return
	}
	text := m.retryText
	m.dropRetry()
	_ = m.send(now, Message{ID: NewID(), Text: text}) // whether it still can be is known
}

// forgetRetry is for when somebody else decides what is next.
func (m *Machine) forgetRetry() {
	if !m.retry.IsZero() {
		m.respond("") // it stays with how the last try ended
	}
	m.dropRetry()
}

func (m *Machine) dropRetry() { m.retry, m.retryText, m.retryWhy = time.Time{}, "", "" }
