package query_test

import (
	"strings"
	"testing"

	"sesskeep/internal/query"
)

func TestFTS(t *testing.T) {
	for _, c := range []struct{ query, want string }{ // want "": not to be had
		{"half line", `"half" AND "line"`},
		{`"half line" parser.go`, `"half line" AND "parser.go"`},
		{`say"x`, `"say""x"`},
		{`"\"NEAR(a b)\" * ^ OR"`, `"""NEAR(a b)"" * ^ OR"`},
		{"a OR b c", `("a" OR "b") AND "c"`},
		{"a b -c -d", `("a" AND "b") NOT ("c" OR "d")`},
		{"a tag:x", `"a"`},
		{"héllo 10", `"héllo" AND "10"`},
		{"", ""},
		{"tag:x", ""},
		{"-a", ""},
		{"/a/", ""},
		{"a -/b/", ""},
		{"a =>", ""},
		{"日本", ""},
		{"a\x00b", ""},
	} {
		got, ok := mustParse(t, c.query).FTS()
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q: got %s, %v, want %s", c.query, got, ok, c.want)
		}
	}
}

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		text   string // | is the cursor
		kind   query.CompletionKind
		key    query.Key
		what   string // what is replaced
		prefix string
		first  string // choice
	}{
		{"|", query.KeyCompletion, "", "", "", "project:"},
		{"half |", query.KeyCompletion, "", "", "", "project:"},
		{"ha|", query.KeyCompletion, "", "ha", "ha", "has:"},
		{"-Pa|x", query.KeyCompletion, "", "Pax", "Pa", "parent:"},
		{"x st|ate:idle", query.KeyCompletion, "", "state:", "st", "started:"},
		{"state:|", query.ValueCompletion, query.State, "", "", "working"},
		{"a -state:id| b", query.ValueCompletion, query.State, "id", "id", "idle"},
		{"role:user,as|s", query.ValueCompletion, query.Role, "ass", "as", "assistant"},
		{"role:us|,as", query.ValueCompletion, query.Role, "us", "us", "user"},
		{`project:"my a|`, query.ValueCompletion, query.Project, `"my a`, "my a", ""},
		{`project:"my| app"`, query.ValueCompletion, query.Project, `"my app"`, "my", ""},
		{`project:|"my app"`, query.ValueCompletion, query.Project, `"my app"`, "", ""},
		{`"in qu|otes"`, query.NoCompletion, "", "", "", ""},
		{`"open qu|`, query.NoCompletion, "", "", "", ""},
		{`"done"|`, query.KeyCompletion, "", "", "", "project:"},
		{"/re|g/", query.NoCompletion, "", "", "", ""},
		{"foo.b|", query.NoCompletion, "", "", "", ""},
		{"zz|", query.KeyCompletion, "", "zz", "zz", ""},
	} {
		cursor := strings.Index(c.text, "|")
		text := strings.Replace(c.text, "|", "", 1)
		got := query.Complete(text, cursor)
		first := ""
		if len(got.Choices) > 0 {
			first = got.Choices[0]
		}
		if got.Kind != c.kind || got.Key != c.key || text[got.From:got.To] != c.what || got.Prefix != c.prefix || first != c.first {
			t.Errorf("%s: got %+v", c.text, got)
		}
	}
}
