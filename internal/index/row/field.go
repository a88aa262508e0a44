package row

import (
	"strconv"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/query"
)

// What the table of fields says of a field is enough to sort by it and to choose by it,
// unless the engine has a rule of its own.

// fieldSQL is the value of a field of a row r: that of its column, or the one in facts,
// which leave out what is empty.
func fieldSQL(f *ask.Field) string {
	if f.Column != "" {
		return "r." + f.Column
	}
	empty := "''"
	switch f.Kind() {
	case ask.Number, ask.YesNo:
		empty = "0"
	case ask.Texts:
		empty = "'[]'"
	}
	return "coalesce((SELECT json_extract(e.facts, '$.row." + f.Name + "') FROM file e WHERE e.id = r.file), " + empty + ")"
}

// sortSQL is what a list is sorted by, and whether that is a text.
func sortSQL(f *ask.Field) (value string, text bool) {
	switch {
	case f.Name == "title":
		return "lower(" + TitleSQL + ")", true // the one that users gave
	case f.Kind() == ask.Text:
		return "lower(" + fieldSQL(f) + ")", true
	}
	return fieldSQL(f), f.Kind() == ask.Timestamp && f.Column == "" // facts have times as text
}

// chosenBy is the condition that a field of a row r matches one of several values with
// commas between, letter by letter.
func chosenBy(f *ask.Field, values string) (string, []any) {
	several := strings.Split(values, ",")
	value := fieldSQL(f)
	switch {
	case f.Choice.Match == ask.MatchRange:
		return inRanges(value, several)
	case f.Choice.Match == ask.MatchPart:
		return each(several, "instr("+value+", ?1) > 0")
	case f.Choice.Match == ask.MatchName:
		return each(several, named(value, "?1"))
	case f.Choice.Match == ask.MatchHash, f.Choice.Match == ask.MatchLink:
		return linkedWith(f, several)
	case f.Kind() == ask.Texts:
		return each(several, "EXISTS (SELECT 1 FROM json_each("+value+") WHERE value = ?1)")
	case f.Kind() == ask.YesNo:
		return each(several, value+" = (?1 = 'yes')")
	}
	return value + " IN (" + db.Params(len(several)) + ")", db.Args(several)
}

// namedBy is the condition that a field of a row r matches a filter of a query, in any
// case.
func namedBy(f *ask.Field, q query.Filter) (string, []any) {
	value := fieldSQL(f)
	switch {
	case f.Choice.Match == ask.MatchRange:
		return value + " >= ? AND " + value + " <= ?", []any{q.Min, q.Max}
	case f.Choice.Match == ask.MatchPart:
		return each(q.Values, "instr(lower("+value+"), lower(?1)) > 0")
	case f.Choice.Match == ask.MatchName:
		return each(q.Values, named("lower("+value+")", "lower(?1)"))
	case f.Choice.Match == ask.MatchHash, f.Choice.Match == ask.MatchLink:
		return linkedWith(f, q.Values)
	case f.Kind() == ask.Texts:
		return each(q.Values, "EXISTS (SELECT 1 FROM json_each("+value+") WHERE lower(value) = lower(?1))")
	case f.Kind() == ask.YesNo:
		return each(q.Values, value+" = (?1 = 'yes')")
	}
	return each(q.Values, "lower("+value+") = lower(?1)")
}

// linkedWith is the condition that a field of a row r, or of one of its agents, has a link that
// matches one of some values. What is too short for a hash is none.
func linkedWith(f *ask.Field, values []string) (string, []any) {
	some := func(one string) string {
		return withAgents("EXISTS (SELECT 1 FROM json_each(" + fieldSQL(f) + ") WHERE " + one + ")")
	}
	if f.Choice.Match == ask.MatchHash {
		return each(values, some("length(?1) >= 4 AND (instr(value, lower(?1)) = 1 OR instr(lower(?1), value) = 1)"))
	}
	var parts []string
	var args []any
	for _, v := range values {
		number := strings.TrimPrefix(v, "#")
		condition := some("instr(lower(value), lower(?1)) > 0")
		if _, err := strconv.Atoi(number); err == nil {
			v, condition = number, some("value LIKE '%/' || ?1 OR value LIKE '%#' || ?1")
		}
		part, arg := each([]string{v}, condition)
		parts, args = append(parts, part), append(args, arg...)
	}
	return "(" + strings.Join(parts, " OR ") + ")", args
}

// withAgents is the condition that a row r, or one of the agents that it started, meets another one.
func withAgents(condition string) string {
	ofAgent := strings.ReplaceAll(condition, "r.", "a.")
	return "(" + condition + " OR (r.root, r.id) IN (SELECT a.root, a.parent FROM row a WHERE a.parent <> '' AND " + ofAgent + "))"
}

// named is the condition that a value has a name: that of its own, or of its family. The
// client calls what is its own claude-NAME.
func named(value, name string) string {
	return value + " IN (" + name + ", 'claude-' || " + name + ") OR substr(" + value + ", 1, length(" + name + ") + 1) = " + name + " || '-'"
}

// inRanges is the condition that a number is in one of some ranges. One that cannot be
// read has no numbers.
func inRanges(value string, ranges []string) (string, []any) {
	condition, args := "0", []any{}
	for _, text := range ranges {
		if least, most, ok := query.ParseRange(text); ok {
			condition += " OR " + value + " BETWEEN ? AND ?"
			args = append(args, least, most)
		}
	}
	return "(" + condition + ")", args
}
