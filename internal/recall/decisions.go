package recall

import (
	"context"
	"fmt"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// DecisionsQuestion asks what was asked and answered about something.
type DecisionsQuestion struct {
	About string `json:"about" jsonschema:"What it is about: a few words that were used for it"`
	Paging
}

// How many sessions a page of decisions has, and how much of a text is quoted.
const (
	decisionsPage = 5
	mostAsked     = 400
	mostAnswered  = 700
)

// Decisions finds prompts and answers about something, newest first, each with the other.
func (r *Recall) Decisions(ctx context.Context, who Caller, q DecisionsQuestion) (Answer, error) {
	at, err := q.position("decisions", q.About)
	if err != nil {
		return Answer{}, err
	}
	a, s, err := r.prepare(ctx, who, "recall_decisions", &q.Paging)
	if err != nil || s.empty() {
		return r.nothing(a), err
	}
	in := []ask.TextKind{ask.TextPrompt, ask.TextAnswer}
	found, err := r.searchIn(ctx, a, &s, q.About, at, ask.Search{In: in, Recent: true, Limit: decisionsPage, Hits: 2})
	if err != nil {
		return Answer{}, err
	}
	a.say("newest first")
	a.hint = "Ask on: read_session with an address shows the whole exchange; later answers may have changed what earlier ones decided."
	next := a.list(found.at, len(found.page.Results), found.page.Next, func(i int) []string {
		return r.decision(ctx, a, &found.page.Results[i])
	})
	return a.finish(next), nil
}

// decision quotes the exchanges of a session that match.
func (r *Recall) decision(ctx context.Context, a *answer, f *catalog.SearchResult) []string {
	lines := []string{a.headline(&f.Session, a.date(f.Timestamp))}
	seen := map[string]bool{}
	for i := range f.Hits {
		h := &f.Hits[i]
		e, err := r.exchange(ctx, f, h)
		if err != nil { // the hit itself is known
			lines = append(lines, fmt.Sprintf("  %s %s: %s", h.Kind, address(f.SessionID, h.AgentID, h.UUID, f.Session.Suffix()), a.line(h.Text)))
			continue
		}
		if seen[e.prompt.UUID+e.answer.UUID] {
			continue
		}
		seen[e.prompt.UUID+e.answer.UUID] = true
		word := matched(h)
		if e.prompt.Text != "" {
			lines = append(lines, fmt.Sprintf("  asked %s: %s", address(f.SessionID, h.AgentID, e.prompt.UUID, f.Session.Suffix()), around(a.line(e.prompt.Text), word, mostAsked)))
		}
		if e.answer.Text != "" {
			lines = append(lines, fmt.Sprintf("  answered %s: %s", address(f.SessionID, h.AgentID, e.answer.UUID, f.Session.Suffix()), around(a.line(e.answer.Text), word, mostAnswered)))
		}
	}
	return lines
}

// matched returns the word that a hit matched.
func matched(h *ask.Hit) string {
	text := []rune(h.Text)
	if len(h.Marks) == 0 || h.Marks[0][0]+h.Marks[0][1] > len(text) {
		return ""
	}
	return string(text[h.Marks[0][0] : h.Marks[0][0]+h.Marks[0][1]])
}

// exchange is a prompt with what answers it.
type exchange struct{ prompt, answer view.Part }

// exchange reads the prompt and the answer that a hit is part of. The answer is the text with
// the hit, or else the last text.
func (r *Recall) exchange(ctx context.Context, f *catalog.SearchResult, h *ask.Hit) (e exchange, err error) {
	t, err := r.targetOf(ctx, f, h)
	if err != nil {
		return e, err
	}
	s, err := r.Catalog.Read(ctx, t)
	if err != nil {
		return e, err
	}
	defer s.Close()
	span, err := s.Span(reading.Window{Message: t.Message})
	if err != nil {
		return e, err
	}
	path, at := span.Path(), span.Before()
	for ; at > 0 && !s.Transcript.Tree.Turns[path[at]].Prompt; at-- {
	}
	for i := at; i < len(path); i++ {
		if i > at && s.Transcript.Tree.Turns[path[i]].Prompt {
			break
		}
		parts, err := s.Parts(ctx, path[i])
		if err != nil {
			return e, err
		}
		for j := range parts {
			if e.add(&parts[j], h.UUID) {
				return e, nil
			}
		}
	}
	return e, nil
}

// targetOf returns the message of a hit. If the hit is in an agent, it finds the agent first.
func (r *Recall) targetOf(ctx context.Context, f *catalog.SearchResult, h *ask.Hit) (catalog.Target, error) {
	if h.AgentID != "" {
		return r.Catalog.Find(ctx, f.SessionID+"/"+h.AgentID+"#"+h.UUID+f.Session.Suffix())
	}
	t, err := r.Catalog.TargetOf(&f.Session)
	t.Message = h.UUID
	return t, err
}

// add records a prompt or an answer, and reports whether it is the answer with the hit.
func (e *exchange) add(p *view.Part, hit string) bool {
	switch p.Kind {
	case view.PromptPart:
		if e.prompt.Text == "" {
			e.prompt = *p
		}
	case view.TextPart:
		e.answer = *p
		return p.UUID == hit
	}
	return false
}
