package search

import (
	"slices"

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
	case "commit":
		return t.commits
	case "pr":
		return t.prs
	case "thinking":
		return hasBlock(e, func(b sesskeep.Block) bool { return b.Kind == sesskeep.BlockThinking })
	case "image":
		return hasBlock(e, func(b sesskeep.Block) bool {
			return b.Kind == sesskeep.BlockImage || slices.ContainsFunc(b.Content, func(c sesskeep.Block) bool { return c.Kind == sesskeep.BlockImage })
		})
	}
	return false
}
