package board

import (
	"cmp"
	"time"

	"sesskeep"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
)

// News is what happened in the homes for a while, gathered by session: it grows
// with the sessions that something happened to, and not with what is written.
type News struct {
	Ready    bool  // from now on everything is reported
	Over     bool  // and no more from now on
	Err      error // why it is over
	Missed   bool  // anything can have happened besides
	Lists    bool  // can be others than before
	Sessions map[sesskeep.Key]*SessionNews
}

// SessionNews is what happened to one session.
type SessionNews struct {
	Files map[string]bool // that changed: its own, and those of its agents

	root           string      // of its home
	state          *live.State // nil: as it was
	title, project string
	file           string             // of its transcript; empty: unknown
	gone           bool               // its transcript is
	next           sesskeep.SessionID // where its client continued
	agent          AgentNews
}

// AgentNews is what an agent did last.
type AgentNews struct {
	ID   sesskeep.AgentID
	Text string // in a line or so, as it was written
	Time time.Time

	over bool // it has done its work
}

// Add applies one event.
func (n *News) Add(m *follow.Event) {
	if m.Kind == follow.ResetEvent {
		n.Missed = true
		return
	}
	s := n.of(m.Key)
	s.root = m.Root
	if m.Agent == "" {
		s.gone = m.Kind == follow.GoneEvent
	}
	s.title, s.project = m.Title, m.Project
	switch {
	case m.Agent == "":
		s.file = cmp.Or(m.File, s.file)
	case m.Kind == follow.FinishedEvent:
		s.addAgent(AgentNews{ID: m.Agent, over: true})
	case m.Part != nil && m.Shown():
		s.addAgent(AgentNews{ID: m.Agent, Text: agentText(m), Time: m.Time})
	}
	if m.Kind == follow.MovedEvent {
		s.next = m.Next
	}
	switch {
	case m.State != nil:
		s.state = m.State
	case m.File != "":
		s.Files[m.File] = true
	}
}

// addAgent applies what an agent did. One that is at work still counts for more than one
// that has just ended.
func (s *SessionNews) addAgent(a AgentNews) {
	if a.over && s.agent.ID != "" && s.agent.ID != a.ID && !s.agent.over {
		return
	}
	s.agent = a
}

func (n *News) of(key sesskeep.Key) *SessionNews {
	if n.Sessions == nil {
		n.Sessions = map[sesskeep.Key]*SessionNews{}
	}
	s := n.Sessions[key]
	if s == nil {
		s = &SessionNews{Files: map[string]bool{}}
		n.Sessions[key] = s
	}
	return s
}

// agentBytes is how much is kept of what an agent said: a line.
const agentBytes = 400

// agentText is what an agent did, in one line.
func agentText(m *follow.Event) string {
	text := m.Text[:min(len(m.Text), agentBytes)]
	if m.Call != nil {
		text = m.Call.Short + " " + text
	}
	return text
}

// Changed reports whether a transcript may be another than before.
func (n *News) Changed(root, file string) bool {
	if n.Missed {
		return true
	}
	for _, s := range n.Sessions {
		if s.root == root && s.Files[file] {
			return true
		}
	}
	return false
}
