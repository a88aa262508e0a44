package search

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/internal/query"
)

// lineHolds applies the filters that are about a line, about its calls, or about a line
// and its session.
func (q *question) lineHolds(e *sesskeep.Entry, t *target) bool {
	for i := range q.Query.Filters {
		f, test := &q.Query.Filters[i], q.testOf[i]
		if test == 0 {
			continue // with the others, below
		}
		yes, about := lineCondition(e, t, f)
		if test > 0 && q.callHolds(e, t, test) {
			yes = true
		}
		if about && yes == f.Not {
			return false
		}
	}
	return len(q.tests) == 0 || q.callHolds(e, t, 0)
}

// callHolds reports whether a test holds for a call of the line.
func (q *question) callHolds(e *sesskeep.Entry, t *target, test int) bool {
	var lines *callLines
	if t.calls != nil {
		lines = t.calls[test]
	}
	return lines.matches(e.Offset, q.tests[test].none)
}

// aboutLines reports whether a filter of the query is about lines.
func aboutLines(q query.Q) bool {
	tests, _ := callTests(q)
	return len(tests) > 0 || slices.ContainsFunc(q.Filters, func(f query.Filter) bool {
		_, about := lineCondition(&sesskeep.Entry{}, &target{}, &f)
		return about
	})
}

// lineCondition reports whether a filter holds for a line by itself, and whether it is
// about lines at all.
func lineCondition(e *sesskeep.Entry, t *target, f *query.Filter) (yes, about bool) {
	anyOf := func(holds func(value string) bool) (bool, bool) { return slices.ContainsFunc(f.Values, holds), true }
	switch f.Key {
	case query.After, query.Before:
		return (f.From.IsZero() || !e.Time.Before(f.From)) && (f.To.IsZero() || e.Time.Before(f.To)), true
	case query.Role:
		return anyOf(func(v string) bool { return hasRole(e, v) })
	case query.PR:
		return anyOf(func(v string) bool { return linksPR(e, v) })
	case query.Is:
		return anyOf(func(v string) bool { return isFact(e, t, v) })
	case query.Has:
		return anyOf(func(v string) bool { return hasFact(e, t, v) })
	}
	return true, false
}

func hasRole(e *sesskeep.Entry, role string) bool {
	switch role {
	case "user":
		return e.IsPrompt()
	case "assistant":
		return e.Kind == sesskeep.KindAssistant
	case "thinking":
		return hasBlock(e, func(b sesskeep.Block) bool { return b.Kind == sesskeep.BlockThinking })
	case "tool":
		return hasBlock(e, func(b sesskeep.Block) bool {
			return b.Kind == sesskeep.BlockToolUse || b.Kind == sesskeep.BlockToolResult
		})
	case "system":
		return e.Kind == sesskeep.KindSystem
	case "title":
		return e.Kind == sesskeep.KindCustomTitle || e.Kind == sesskeep.KindAITitle || e.Kind == sesskeep.KindSummary
	}
	return false
}

func hasBlock(e *sesskeep.Entry, holds func(sesskeep.Block) bool) bool {
	return e.Message != nil && slices.ContainsFunc(e.Blocks(), holds)
}

// linksPR reports whether the client noted that the session belongs to a pull
// request: one of this number, or with this in its address; empty is any.
func linksPR(e *sesskeep.Entry, which string) bool {
	if e.Kind != "pr-link" {
		return false
	}
	var pr struct {
		Number json.Number `json:"prNumber"`
		URL    string      `json:"prUrl"`
	}
	_ = json.Unmarshal(e.Raw, &pr) // what is no number is none
	number := strings.TrimPrefix(which, "#")
	if _, err := strconv.Atoi(number); err == nil {
		return pr.Number.String() == number
	}
	return strings.Contains(strings.ToLower(pr.URL), strings.ToLower(which))
}

func isFact(e *sesskeep.Entry, t *target, what string) bool {
	switch what {
	case "compacted":
		return e.CompactSummary || e.Subtype == sesskeep.SubtypeCompactBoundary
	case "agent", "helper":
		return t.source == what
	case "forked":
		return t.fork
	case "starred":
		return t.starred
	}
	return false
}

func hasFact(e *sesskeep.Entry, t *target, what string) bool {
	switch what {
	case "agents":
		return t.agents
	case "branches":
		return t.branches
	case "note":
		return t.note
	case "thinking":
		return hasBlock(e, func(b sesskeep.Block) bool { return b.Kind == sesskeep.BlockThinking })
	case "image":
		return hasBlock(e, func(b sesskeep.Block) bool {
			return b.Kind == sesskeep.BlockImage || slices.ContainsFunc(b.Content, func(c sesskeep.Block) bool { return c.Kind == sesskeep.BlockImage })
		})
	case "pr":
		return linksPR(e, "")
	}
	return false
}
