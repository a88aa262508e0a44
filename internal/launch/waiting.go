package launch

import "time"

// maxWaiting bounds how many messages can wait for the end of a turn.
const maxWaiting = 16

// Waiting returns the ids of the messages that wait for the end of the turn, next first.
func (m *Machine) Waiting() (ids []string) {
	for _, w := range m.waiting {
		ids = append(ids, w.ID)
	}
	return ids
}

// pictures returns how many bytes the pictures of a message have.
func (m *Message) pictures() (size int) {
	for _, i := range m.Images {
		size += len(i.Data)
	}
	return size
}

// deliverNext sends the next message that waits, unless another one is unanswered.
func (m *Machine) deliverNext(now time.Time) {
	if len(m.waiting) == 0 || !m.launched || m.done() || m.inTurn || len(m.sent) > 0 || !m.retry.IsZero() {
		return
	}
	next := m.waiting[0]
	m.waiting = m.waiting[1:]
	m.deliver(next)
	m.quietSince = now
}

// Withdraw drops the messages that wait for the end of the turn: the client never gets
// them.
func (m *Machine) Withdraw(now time.Time, by string) error {
	if m.done() {
		return ErrOver
	}
	for _, w := range m.waiting {
		m.responses = append(m.responses, Response{Message: w.ID, Outcome: Interrupted, Error: "it was withdrawn while it waited"})
		m.note(now, Event{Event: EventWithdrawn, Message: w.ID, By: by})
	}
	m.latest, m.waiting = 0, nil
	m.updateState(now)
	return nil
}
