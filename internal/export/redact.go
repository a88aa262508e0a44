package export

import (
	"strings"

	"sesskeep/internal/redact"
	"sesskeep/internal/view"
)

// redactHead replaces secrets in the head of a document.
func redactHead(r *redact.Document, h *head) {
	h.Title, h.Project, h.Branch = r.Text(h.Title), r.Text(h.Project), r.Text(h.Branch)
}

// redactPart replaces secrets in every text of a part, so that no style can show one. The
// part must not be shared: it is changed.
func redactPart(r *redact.Document, p *view.Part) {
	if r == nil {
		return
	}
	p.Text, p.Label = r.Text(p.Text), r.Text(p.Label)
	if p.Media != nil {
		p.Media = redactMedia(r, *p.Media)
	}
	if p.Call != nil {
		p.Call = redactCall(r, *p.Call)
	}
}

func redactMedia(r *redact.Document, m view.Media) *view.Media {
	m.URL = r.Text(m.URL)
	return &m
}

func redactCall(r *redact.Document, c view.Call) *view.Call {
	c.Input = r.JSON(c.Input)
	for _, text := range []*string{&c.Summary, &c.Outcome, &c.Reason, &c.Output, &c.File, &c.Command, &c.Prompt, &c.Plan, &c.Persisted} {
		*text = r.Text(*text)
	}
	c.Media = each(c.Media, func(m view.Media) view.Media { return *redactMedia(r, m) })
	c.Diff = each(c.Diff, func(h view.Hunk) view.Hunk {
		h.Lines = strings.Split(r.Text(strings.Join(h.Lines, "\n")), "\n")
		return h
	})
	c.Todos = each(c.Todos, func(t view.Todo) view.Todo {
		t.Text = r.Text(t.Text)
		return t
	})
	c.Questions = each(c.Questions, func(q view.Question) view.Question {
		q.Text, q.Answer = r.Text(q.Text), r.Text(q.Answer)
		q.Options = each(q.Options, r.Text)
		return q
	})
	return &c
}

// each returns a list with every element changed.
func each[T any](list []T, change func(T) T) []T {
	if list == nil {
		return nil
	}
	changed := make([]T, len(list))
	for i, v := range list {
		changed[i] = change(v)
	}
	return changed
}
