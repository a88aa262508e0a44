package live

import (
	"strings"
	"time"

	"sesskeep"
)

// question is what is known of what an answer is needed for. Several sources report
// one question, in different words: a hook, the registry, the line of its call, and
// the hook that reminds of it.
type question struct {
	tool     string
	subject  string    // what the call is about
	episode  time.Time // since when the client says that it waits; zero: it does not
	reported time.Time // by a hook; zero: not
}

func askOf(c sesskeep.OpenCall) question { return question{tool: c.Tool, subject: c.Text()} }

// same reports whether both can be one question. A client that waits all the time
// asks one, unless hooks report two.
func (q question) same(was question) bool {
	waits := !q.episode.IsZero() && !was.episode.IsZero()
	if waits && !q.episode.Equal(was.episode) {
		return false
	}
	if waits && (q.reported.IsZero() || was.reported.IsZero()) {
		return true
	}
	return q.vague() || was.vague() || q.tool == was.tool && (q.tool == questionTool || alike(q.subject, was.subject))
}

// vague reports whether nothing but the question's existence is known.
func (q question) vague() bool { return q.tool == "" && q.subject == "" }

// alike reports whether two texts can be one that was cut off.
func alike(a, b string) bool {
	a, b = strings.TrimSuffix(a, "…"), strings.TrimSuffix(b, "…")
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// Repeats reports whether s is no news after was: the word is the same, and so is
// the question.
func (s State) Repeats(was State) bool {
	return s.Word == was.Word && (s.Word != NeedsYou || s.ask.same(was.ask))
}

// after returns s as it is reported after was: an open question keeps the time at
// which it was first asked, and its most detailed words.
func (s State) after(was State) State {
	if s.Word != NeedsYou || s.PID != was.PID || !s.Repeats(was) {
		return s
	}
	s.Since = was.Since
	if s.ask.tool == "" && was.ask.tool != "" || !was.ask.vague() && s.ask.vague() {
		s.Waiting = was.Waiting
		s.ask.tool, s.ask.subject, s.ask.reported = was.ask.tool, was.ask.subject, was.ask.reported
	}
	return s
}
