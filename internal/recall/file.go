package recall

import (
	"context"
	"fmt"
	"strings"

	"sesskeep/internal/talk"
)

// FileQuestion asks what happened to a file.
type FileQuestion struct {
	Path  string `json:"path" jsonschema:"The file; what does not begin with / is the end of a path"`
	Since string `json:"since,omitempty" jsonschema:"Only from then on: a date or how long ago, such as 7d"`
	Paging
}

// File lists the changes that sessions made to a file, newest first.
func (r *Recall) File(ctx context.Context, who Caller, q FileQuestion) (Answer, error) {
	if q.Path == "" {
		return Answer{}, invalid("path: which file?")
	}
	since, err := r.since(q.Since)
	if err != nil {
		return Answer{}, err
	}
	at, err := q.position("file", q.Path, q.Since)
	if err != nil {
		return Answer{}, err
	}
	a, s, err := r.prepare(ctx, who, "what_happened_to_file", &q.Paging)
	if err != nil || s.empty() {
		return r.nothing(a), err
	}
	log, err := r.Talk.FileLog(ctx, talk.FileLogOptions{Path: strings.TrimPrefix(q.Path, "./"), Projects: s.ids(), Since: since})
	if err != nil {
		return Answer{}, err
	}
	a.say("%s %s, newest first, by the tools of sessions; what shell commands or people changed is not known", plural(log.Total, "change"), s.words())
	a.cover(log.Coverage)
	a.hint = "Ask on: read_session with an address and outputs shows what stands around a change."
	next := a.list(at, len(log.Changes), "", func(i int) []string { return a.change(&log.Changes[i]) })
	return a.finish(next), nil
}

// change is a change of a file.
func (a *answer) change(c *talk.FileChange) []string {
	state := ""
	if c.State != "ok" {
		state = " (" + a.line(c.State) + ")"
	}
	lines := []string{fmt.Sprintf("%s %s %s +%d -%d%s %s", a.date(c.Time), address(c.SessionID, c.AgentID, c.UUID, c.Suffix),
		a.line(c.Tool), c.Added, c.Removed, state, cut(a.line(c.Path), 200))}
	if c.Prompt != "" {
		lines = append(lines, "  asked for: "+cut(a.label(c.Prompt), 240))
	}
	return lines
}
