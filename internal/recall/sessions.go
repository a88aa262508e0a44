package recall

import (
	"context"
	"fmt"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
)

// SessionsQuestion asks for a list of sessions.
type SessionsQuestion struct {
	Query string `json:"query,omitempty" jsonschema:"Which sessions, by keys of the search language: after:7d branch:main tag:later state:your-turn model:opus size:>1M; default: all"`
	Sort  string `json:"sort,omitempty" jsonschema:"activity (default: newest first), created, messages, prompts or size"`
	Paging
}

// Sessions lists sessions, most recently active first.
func (r *Recall) Sessions(ctx context.Context, who Caller, q SessionsQuestion) (Answer, error) {
	at, err := q.position("sessions", q.Query, q.Sort)
	if err != nil {
		return Answer{}, err
	}
	a, s, err := r.prepare(ctx, who, "list_sessions", &q.Paging)
	if err != nil || s.empty() {
		return r.nothing(a), err
	}
	f := ask.Filter{Projects: s.ids(), Now: r.Now(), Sort: q.Sort, Limit: 40, Cursor: at.Text}
	if q.Query != "" {
		parsed, err := r.parse(q.Query)
		if err != nil {
			return Answer{}, err
		}
		if !catalog.Listable(parsed) {
			return Answer{}, invalid("query: here it chooses sessions by keys such as after: and branch:; search_history finds words")
		}
		catalog.Demand(&f, parsed)
	}
	page, err := r.Catalog.List(ctx, f)
	if err != nil {
		return Answer{}, err
	}
	a.say("%s %s", plural(page.Total, "session"), s.words())
	a.cover(page.Coverage)
	a.hint = "Ask on: session_facts or read_session with an address."
	next := a.list(at, len(page.Sessions), page.Next, func(i int) []string { return a.session(&page.Sessions[i]) })
	return a.finish(next), nil
}

// session is a session of a list.
func (a *answer) session(s *catalog.Session) []string {
	lines := []string{a.headline(s, a.date(s.LastActivityAt))}
	facts := fmt.Sprintf("  %s, %s", plural(s.PromptCount, "prompt"), plural(s.MessageCount, "message"))
	if s.GitBranch != "" {
		facts += ", git branch " + cut(a.line(s.GitBranch), 60)
	}
	if s.State != nil && s.State.Word != ask.Ended {
		facts += ", " + s.State.Word
	}
	if n := catalog.AgentCount(s); n > 0 {
		facts += ", " + plural(n, "agent")
	}
	if s.Unreadable != "" {
		facts += ", cannot be read"
	}
	lines = append(lines, facts)
	if s.LastUserMessage != "" && s.LastUserMessage != s.Title {
		lines = append(lines, "  last asked: "+cut(a.label(s.LastUserMessage), 160))
	}
	return lines
}
