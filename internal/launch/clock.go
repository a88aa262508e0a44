package launch

import "time"

// Tick does everything that is due.
func (m *Machine) Tick(now time.Time) {
	if m.ended {
		return
	}
	for len(m.open) > 0 && !now.Before(m.open[0].Deadline.Time) { // the oldest expires first
		m.deny(now, m.open[0], "There was no answer in time.", timeLimit)
	}
	m.updateState(now)
	switch total, idle := m.limits.Total, m.limits.Idle; {
	case total > 0 && m.launched && !now.Before(m.began.Add(total)):
		m.Stop(now, Limited, "the time limit of the run is reached")
	case idle > 0 && m.state == YourTurn && !now.Before(m.since.Add(idle)):
		m.Stop(now, Stopped, "no message came")
	}
	m.sendRetry(now)
	m.checkQuiet(now)
	m.enforceStop(now)
	m.updateState(now)
}

// checkQuiet handles a client that writes nothing while it works: it notes that,
// then interrupts the turn, and finally stops the run.
func (m *Machine) checkQuiet(now time.Time) {
	if due := m.nextQuiet(); due.IsZero() || now.Before(due) {
		return
	}
	m.silence++
	m.quietSince = now // give the client another chance after the machine was suspended
	silent := "no output for " + (time.Duration(m.silence) * m.limits.Quiet).String()
	switch m.silence {
	case 1:
		m.note(now, Event{Event: EventQuiet, Why: silent})
	case 2:
		_ = m.interrupt(now, "sesskeep: "+silent, reason{Limited, "interrupted: " + silent}) // it cannot fail: the client works
	default:
		m.Stop(now, Limited, silent)
	}
}

// nextQuiet returns when checkQuiet is due; zero: never.
func (m *Machine) nextQuiet() time.Time {
	if m.limits.Quiet <= 0 || !m.atWork() || m.done() || !m.retry.IsZero() {
		return time.Time{}
	}
	return m.quietSince.Add(m.limits.Quiet)
}

func (m *Machine) atWork() bool { return m.state == Working || m.state == Starting }

// enforceStop terminates, then kills, a client that did not end when asked.
func (m *Machine) enforceStop(now time.Time) {
	if !m.kill.IsZero() && !now.Before(m.kill) {
		m.kill, m.term = time.Time{}, time.Time{}
		m.do(Kill)
	}
	if !m.term.IsZero() && !now.Before(m.term) {
		m.term, m.kill = time.Time{}, now.Add(termTime)
		m.do(Terminate)
	}
}

// Next returns when Tick has something to do; zero: never, as things are.
func (m *Machine) Next() time.Time {
	var next time.Time
	at := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if m.ended {
		return next
	}
	if len(m.open) > 0 {
		at(m.open[0].Deadline.Time)
	}
	if m.limits.Total > 0 && m.launched && m.stopping.words == "" {
		at(m.began.Add(m.limits.Total))
	}
	if m.limits.Idle > 0 && m.state == YourTurn {
		at(m.since.Add(m.limits.Idle))
	}
	at(m.nextQuiet())
	at(m.retry)
	at(m.term)
	at(m.kill)
	return next
}

// updateState determines the state again.
func (m *Machine) updateState(now time.Time) {
	word, why := m.currentState()
	if word != m.state {
		m.state, m.since = word, now
	}
	m.why = why
}

func (m *Machine) currentState() (State, string) {
	switch {
	case m.ended:
		return Ended, m.stopping.words
	case !m.launched:
		return Queued, "other runs come first"
	case len(m.open) > 0 && m.open[0].Kind == Question:
		return NeedsYou, "a question"
	case len(m.open) > 0:
		return NeedsYou, "permission to use " + m.open[0].Tool
	case !m.ready:
		return Starting, ""
	case m.stopping.words != "":
		return Working, "stopping: " + m.stopping.words
	case m.inTurn || len(m.sent) > 0:
		return Working, ""
	case !m.retry.IsZero():
		return Working, m.retryWhy + ": tries again at " + m.retry.Local().Format("15:04")
	}
	return YourTurn, ""
}
