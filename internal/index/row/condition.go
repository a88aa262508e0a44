package row

import (
	"slices"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/query"
)

// Listable reports whether a query is about sessions alone, so that a list can
// answer it: it has no text, and no filter that needs the lines.
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
		within := Filter{ask.Filter{Since: f.From, Until: f.To}}
		since, until, _ := within.Span()
		return activeWithin(since, until)
	}
	return sessionCondition(f, live)
}

// SessionConditions turns the filters of a query that are about sessions into
// SQL over a row r.
func SessionConditions(q query.Q, live map[string]string) (string, []any) {
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
	case query.Tag:
		return each(f.Values, tagged)
	case query.Archived:
		return each(f.Values, "("+IsArchived+") = (?1 = 'yes')")
	case query.State:
		return inState(f.Values, live)
	case query.Is, query.Has:
		return anyFact(f), nil
	}
	if field := ask.ByWord(f.Key); field != nil {
		return namedBy(field, f)
	}
	return "", nil
}

// FactConditions are what is:, has: and their words say of sessions. Other words
// are about lines.
var FactConditions = map[string]string{
	"is:agent": "r.source = 'agent'", "is:helper": "r.source = 'helper'", "is:forked": "r.fork <> ''",
	"is:starred": labelled("l.starred = 1"), "has:note": labelled("l.note <> ''"), "has:agents": "r.agents <> ''",
	"has:branches": "r.branches > 1", "has:commit": withAgents("r.commits <> '[]'"), "has:pr": withAgents("r.prs <> '[]'"),
}

// anyFact is the condition that one of the words of a filter holds; empty if that
// needs the lines.
func anyFact(f query.Filter) string {
	var parts []string
	for _, v := range f.Values {
		condition := FactConditions[string(f.Key)+":"+v]
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
	return "((" + strings.Join(parts, ") OR (") + "))", args
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
