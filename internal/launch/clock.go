package launch

import "time"

// Tick does what is due.
func (m *Machine) Tick(now time.Time) {
	if m.ended {
		return
	}
	for len(m.open) > 0 && !now.Before(m.open[0].Deadline.Time) { // the oldest ends first
		m.deny(now, m.open[0], "Nobody answered in time.", timeLimit)
	}
	m.settle(now)
	switch total, idle := m.limits.Total, m.limits.Idle; {
	case total > 0 && m.launched && !now.Before(m.began.Add(total)):
		m.Stop(now, Limited, "the time limit of the run is reached")
	case idle > 0 && m.word == YourTurn && !now.Before(m.since.Add(idle)):
		m.Stop(now, Stopped, "no message came")
	}
	m.retried(now)
	m.hung(now)
	m.insist(now)
	m.settle(now)
}

// hung notes a client that says nothing while it should, then interrupts it, and
// at last stops it.
func (m *Machine) hung(now time.Time) {
	if due := m.nextQuiet(); due.IsZero() || now.Before(due) {
		return
	}
	m.silence++
	m.quietSince = now // a machine that slept gives the client another chance
	silent := "no output for " + (time.Duration(m.silence) * m.limits.Quiet).String()
	switch m.silence {
	case 1:
		m.note(now, Event{Event: EventQuiet, Why: silent})
	case 2:
		_ = m.interrupt(now, "sesskeep: "+silent, reason{Limited, "interrupted: " + silent}) // it can be: it works
	default:
		m.Stop(now, Limited, silent)
	}
}

// nextQuiet is when a client that says nothing is looked at next; zero: never.
func (m *Machine) nextQuiet() time.Time {
	if m.limits.Quiet <= 0 || !m.atWork() || m.done() || !m.retry.IsZero() {
		return time.Time{}
	}
	return m.quietSince.Add(m.limits.Quiet)
}

func (m *Machine) atWork() bool { return m.word == Working || m.word == Starting }

// insist ends a client that was asked to end and does not.
func (m *Machine) insist(now time.Time) {
	if !m.kill.IsZero() && !now.Before(m.kill) {
		m.kill, m.term = time.Time{}, time.Time{}
		m.do(Kill)
	}
	if !m.term.IsZero() && !now.Before(m.term) {
		m.term, m.kill = time.Time{}, now.Add(termTime)
		m.do(Terminate)
	}
}

// Next is when Tick has something to do; the zero time: never, as it is now.
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
	if m.limits.Idle > 0 && m.word == YourTurn {
		at(m.since.Add(m.limits.Idle))
	}
	at(m.nextQuiet())
	at(m.retry)
	at(m.term)
	at(m.kill)
	return next
}

// settle finds the state anew.
func (m *Machine) settle(now time.Time) {
	word, why := m.judge()
	if word != m.word {
		m.word, m.since = word, now
	}
	m.why = why
}

func (m *Machine) judge() (State, string) {
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
