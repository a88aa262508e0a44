package index

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/query"
)

// Listable reports whether a query is about sessions alone, so that a list can
// answer it: it has no text, and no filter that only a line can tell.
func Listable(q query.Q) bool {
	return len(q.Text) == 0 && !slices.ContainsFunc(q.Filters, func(f query.Filter) bool {
		condition, _ := listCondition(f, nil)
		return condition == ""
	})
}

// OfLines is the part of a query that is not about sessions alone.
func OfLines(q query.Q) query.Q {
	q.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(f query.Filter) bool {
		condition, _ := sessionCondition(f, nil)
		return condition != ""
	})
	return q
}

// listConditions turns the filters of a query into SQL over a row r. A list takes
// times as those in which something happened.
func listConditions(q query.Q, live map[string]string) (string, []any) {
	return allOf(q, func(f query.Filter) (string, []any) { return listCondition(f, live) })
}

func listCondition(f query.Filter, live map[string]string) (string, []any) {
	if f.Key == query.After || f.Key == query.Before {
		within := filter{ask.Filter{Since: f.From, Until: f.To}}
		since, until, _ := within.spans()
		return activeWithin(since, until)
	}
	return sessionCondition(f, live)
}

// sessionConditions turns the filters of a query that are about sessions into
// SQL over a row r.
func sessionConditions(q query.Q, live map[string]string) (string, []any) {
	return allOf(q, func(f query.Filter) (string, []any) { return sessionCondition(f, live) })
}

// allOf demands all the filters of a query that one turns into a condition.
func allOf(q query.Q, one func(query.Filter) (string, []any)) (string, []any) {
	var sql strings.Builder
	var args []any
	for _, f := range q.Filters {
		condition, values := one(f)
		if condition == "" {
			continue
		}
		not := ""
		if f.Not {
			not = "NOT "
		}
		sql.WriteString(" AND " + not + "(" + condition + ")")
		args = append(args, values...)
	}
	return sql.String(), args
}

func sessionCondition(f query.Filter, live map[string]string) (string, []any) {
	switch f.Key {
	case query.Project:
		return each(f.Values, "r.project IN (SELECT id FROM project WHERE short = ?1 OR path = ?1 OR instr(lower(path), lower(?1)) > 0)")
	case query.Session:
		return eachIn(f.Values, "instr(r.id, lower(?1)) = 1 OR instr(r.parent, lower(?1)) = 1")
	case query.Parent:
		return eachIn(f.Values, "instr(r.parent, lower(?1)) = 1 OR instr(r.fork, lower(?1)) = 1")
	case query.Branch:
		return each(f.Values, "lower(r.branch) = lower(?1)")
	case query.Model:
		return each(f.Values, "instr(lower(r.models), lower(?1)) > 0")
	case query.Source:
		return each(f.Values, "?1 = 'all' OR r.source = ?1")
	case query.Started:
		return each(f.Values, "r.started = ?1")
	case query.Tag:
		return each(f.Values, tagged)
	case query.Archived:
		return each(f.Values, "("+isArchived+") = (?1 = 'yes')")
	case query.State:
		return inState(f.Values, live)
	case query.Size:
		return "r.size >= ? AND r.size <= ?", []any{f.Min, f.Max}
	case query.Is, query.Has:
		return anyFact(f), nil
	}
	return "", nil
}

// factConditions are what is:, has: and their words say of sessions. Other words
// are about lines.
var factConditions = map[string]string{
	"is:agent": "r.source = 'agent'", "is:helper": "r.source = 'helper'", "is:forked": "r.fork <> ''",
	"is:starred": labelled("l.starred = 1"), "has:note": labelled("l.note <> ''"), "has:agents": "r.agents <> ''",
	"has:branches": "r.branches > 1",
}

// anyFact is the condition that one of the words of a filter holds; empty if only
// a line can tell.
func anyFact(f query.Filter) string {
	var parts []string
	for _, v := range f.Values {
		condition := factConditions[string(f.Key)+":"+v]
		if condition == "" {
			return ""
		}
		parts = append(parts, condition)
	}
	return strings.Join(parts, " OR ")
}

// each is a condition that holds for one of the values.
func each(values []string, condition string) (string, []any) {
	var parts []string
	var args []any
	for _, v := range values {
		parts = append(parts, strings.ReplaceAll(condition, "?1", "?"))
		for range strings.Count(condition, "?1") {
			args = append(args, v)
		}
	}
	return "(" + strings.Join(parts, ") OR (") + ")", args
}

// eachIn is each for ids of sessions, behind which "@" and a root may say in which
// home.
func eachIn(values []string, condition string) (string, []any) {
	var parts []string
	var args []any
	for _, v := range values {
		id, root, placed := strings.Cut(v, "@")
		part, some := each([]string{id}, condition)
		if placed {
			part, some = "("+part+") AND r.root = (SELECT id FROM root WHERE path = ?)", append(some, root)
		}
		parts, args = append(parts, part), append(args, some...)
	}
	return "(" + strings.Join(parts, ") OR (") + ")", args
}

// lineHolds applies the filters that are about a line, or about a line and its
// session.
func (r *searchRun) lineHolds(e *sesskeep.Entry, t *target) bool {
	for i := range r.search.Query.Filters {
		f := &r.search.Query.Filters[i]
		if yes, about := lineCondition(e, t, f); about && yes == f.Not {
			return false
		}
	}
	return true
}

// aboutLines reports whether a filter of the query is about lines.
func aboutLines(q query.Q) bool {
	return slices.ContainsFunc(q.Filters, func(f query.Filter) bool {
		_, about := lineCondition(&sesskeep.Entry{}, &target{}, &f)
		return about
	})
}

// lineCondition reports whether a filter holds for a line, and whether it is
// about lines at all.
func lineCondition(e *sesskeep.Entry, t *target, f *query.Filter) (yes, about bool) {
	anyOf := func(holds func(value string) bool) (bool, bool) { return slices.ContainsFunc(f.Values, holds), true }
	switch f.Key {
	case query.After, query.Before:
		return (f.From.IsZero() || !e.Time.Before(f.From)) && (f.To.IsZero() || e.Time.Before(f.To)), true
	case query.Role:
		return anyOf(func(v string) bool { return hasRole(e, v) })
	case query.Tool:
		return anyOf(func(v string) bool {
			return hasBlock(e, func(b sesskeep.Block) bool { return b.Kind == sesskeep.BlockToolUse && strings.EqualFold(b.Name, v) })
		})
	case query.File:
		return anyOf(func(v string) bool { return namesFile(e, v) })
	case query.Did:
		return anyOf(func(v string) bool {
			return hasBlock(e, func(b sesskeep.Block) bool {
				return b.Kind == sesskeep.BlockToolUse && slices.Contains(deeds[v], b.Name)
			})
		})
	case query.PR:
		return anyOf(func(v string) bool { return linksPR(e, v) })
	case query.Is:
		return anyOf(func(v string) bool { return is(e, t, v) })
	case query.Has:
		return anyOf(func(v string) bool { return has(e, t, v) })
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

// pathKeys are the fields in which tools name files.
var pathKeys = []string{"file_path", "filePath", "notebook_path", "path", "filename"}

func namesFile(e *sesskeep.Entry, name string) bool {
	for v := range e.Values() {
		if slices.Contains(pathKeys, v.Key) && strings.Contains(strings.ToLower(v.Text), strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// deeds are the tools that do something to a file, by the word for it.
var deeds = map[string][]string{
	"edit":  {"Edit", "MultiEdit", "NotebookEdit"},
	"write": {"Write"},
	"read":  {"Read", "NotebookRead"},
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

func isError(e *sesskeep.Entry) bool {
	return e.APIError || e.Subtype == "api_error" || hasBlock(e, func(b sesskeep.Block) bool { return b.Error })
}

func is(e *sesskeep.Entry, t *target, what string) bool {
	switch what {
	case "error":
		return isError(e)
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

func has(e *sesskeep.Entry, t *target, what string) bool {
	switch what {
	case "agents":
		return t.agents
	case "branches":
		return t.branches
	case "note":
		return t.note
	case "error":
		return isError(e)
	case "thinking":
		return hasBlock(e, func(b sesskeep.Block) bool { return b.Kind == sesskeep.BlockThinking })
	case "image":
		return hasBlock(e, func(b sesskeep.Block) bool {
			return b.Kind == sesskeep.BlockImage || slices.ContainsFunc(b.Content, func(c sesskeep.Block) bool { return c.Kind == sesskeep.BlockImage })
		})
	case "diff":
		return hasBlock(e, func(b sesskeep.Block) bool {
			return slices.Contains([]string{"Edit", "MultiEdit", "Write", "NotebookEdit"}, b.Name)
		})
	case "pr":
		return linksPR(e, "")
	case "plan":
		return hasBlock(e, func(b sesskeep.Block) bool { return b.Name == "ExitPlanMode" })
	}
	return false
}
