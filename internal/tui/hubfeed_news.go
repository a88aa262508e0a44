package tui

import (
	"cmp"
	"time"

	"sesskeep"
	"sesskeep/internal/follow"
	"sesskeep/internal/term"
)

// news is what happened in the homes for a while.
type news struct {
	ready    bool  // from now on everything is told
	over     bool  // and no more from now on
	err      error // why it is over
	missed   bool  // anything can have happened besides
	lists    bool  // can be others than before
	sessions map[liveKey]*sessionNews
}

// liveKey names a session of one of several homes.
type liveKey struct{ root, id string }

// sessionNews is what happened to one session.
type sessionNews struct {
	state          *follow.LiveState // nil: as it was
	title, project string
	file           string          // of its transcript; empty: not heard of
	files          map[string]bool // that changed: its own, and those of its agents
	gone           bool            // its transcript is
	agent          agentNews
}

// agentNews is what an agent did last.
type agentNews struct {
	id   sesskeep.AgentID
	text string
	time time.Time
}

// add takes one moment in.
func (n *news) add(m *follow.Moment) {
	if m.Kind == follow.ResetMoment {
		n.missed = true
		return
	}
	s := n.of(liveKey{m.Root, string(m.Session)})
	if m.Agent == "" {
		s.gone = m.Kind == follow.GoneMoment
	}
	s.title, s.project = m.Title, m.Project
	switch {
	case m.Agent == "":
		s.file = cmp.Or(m.File, s.file)
	case m.Part != nil && m.Shown():
		s.agent = agentNews{m.Agent, agentText(m), m.Time}
	}
	switch {
	case m.State != nil:
		s.state = m.State
	case m.File != "":
		s.files[m.File] = true
	}
}

func (n *news) of(key liveKey) *sessionNews {
	if n.sessions == nil {
		n.sessions = map[liveKey]*sessionNews{}
	}
	s := n.sessions[key]
	if s == nil {
		s = &sessionNews{files: map[string]bool{}}
		n.sessions[key] = s
	}
	return s
}

// agentBytes is how much is kept of what an agent said: a line.
const agentBytes = 400

// agentText is what an agent did, in one line.
func agentText(m *follow.Moment) string {
	text := m.Text[:min(len(m.Text), agentBytes)]
	if m.Call != nil {
		text = m.Call.Short + " " + text
	}
	return term.Line(text)
}

// changed reports whether a transcript may be another than before.
func (n *news) changed(root, file string) bool {
	if n.missed {
		return true
	}
	for key, s := range n.sessions {
		if key.root == root && s.files[file] {
			return true
		}
	}
	return false
}
