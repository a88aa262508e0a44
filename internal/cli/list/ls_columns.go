package list

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"
)

// lsColumns are the columns that are shown only when they are asked for: those of the
// table of fields that a list does not have anyway.
var lsColumns = ask.MoreTitles()

// addColumns puts the columns that were asked for behind the title, where a narrow
// screen has them too; on a pipe they come last.
func addColumns(t *term.Table, list []catalog.Session, o Options, now time.Time) *term.Table {
	names := o.columns
	if o.byCost() && !slices.Contains(names, "cost") {
		names = append([]string{"cost"}, names...)
	}
	for n, name := range names {
		cells := make([]term.Cell, len(list))
		for i := range list {
			cells[i].Text = moreColumn(&list[i], name, t.Screen.TTY, now)
		}
		at := len(t.Columns)
		if t.Screen.TTY {
			at = slices.IndexFunc(t.Columns, func(c term.Column) bool { return c.Title == "title" }) + 1 + n
		}
		t.Insert(at, term.Column{Title: name, Right: numeric(name)}, cells)
	}
	return t
}

// numeric reports whether a column is one of numbers.
func numeric(title string) bool {
	return slices.Contains(pricedColumns, title) || ask.Titled(title).Kind() == ask.Number
}

func moreColumn(s *catalog.Session, title string, tty bool, now time.Time) string {
	switch title {
	case "origin":
		return originColumn(s, tty)
	case "expires":
		return expiresColumn(s, tty, now)
	case "cost", "context":
		return costColumn(s, title, tty)
	}
	return fieldText(s, ask.Titled(title))
}

// fieldText is the value of a field as a list shows it; empty for what is not there.
func fieldText(s *catalog.Session, f *ask.Field) string {
	v := reflect.ValueOf(s).Elem().FieldByIndex(sessionFields()[f.Name])
	if v.IsZero() {
		return ""
	}
	switch value := v.Interface().(type) {
	case bool:
		return "*"
	case []string:
		return strings.Join(value, ",")
	case stamp.Time:
		return value.UTC().Format(time.RFC3339)
	}
	if v.CanInt() {
		return strconv.FormatInt(v.Int(), 10)
	}
	return v.String()
}

// sessionFields says where in a Session a field is, by its name in JSON.
var sessionFields = sync.OnceValue(func() map[string][]int {
	all := map[string][]int{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[catalog.Session]()) {
		all[output.JSONName(f)] = f.Index
	}
	return all
})

func originColumn(s *catalog.Session, tty bool) string {
	switch {
	case !tty:
		return string(s.Origin)
	case s.Origin == ask.OriginCopy:
		return "copy only"
	}
	return ""
}

func expiresColumn(s *catalog.Session, tty bool, now time.Time) string {
	switch {
	case s.ExpiresAt.IsZero():
		return ""
	case tty && s.ExpiresAt.Before(now):
		return "any time"
	case tty:
		return output.Plural(int(s.ExpiresAt.Sub(now)/(24*time.Hour)), "day")
	}
	return s.ExpiresAt.UTC().Format(time.RFC3339)
}

func costColumn(s *catalog.Session, name string, tty bool) string {
	cost, known := s.Spent()
	switch {
	case name == "cost" && (!known || cost.USD == nil && len(cost.UnpricedModels) == 0), name == "context" && s.Context == 0:
		return ""
	case name == "cost" && tty:
		return cost.String()
	case name == "cost":
		return usage.Dollars(cost)
	case tty:
		return term.Tokens(s.Context)
	}
	return strconv.FormatInt(s.Context, 10)
}
