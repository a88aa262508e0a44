package catalog_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
)

// The table of fields and the struct of a session have the same fields.
func TestFieldsAreThoseOfASession(t *testing.T) {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[catalog.Session]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" {
			continue
		}
		names = append(names, name)
		field := ask.FieldNamed(name)
		if field == nil {
			t.Errorf("the table has no %s", name)
			continue
		}
		if _, inRow := field.InRow(); inRow != (field.SetBy != ask.SetByRoom) {
			t.Errorf("%s is a field of the row: %v, and is set by %v", name, inRow, field.SetBy)
		}
	}
	for _, f := range ask.Fields {
		if !slices.Contains(names, f.Name) {
			t.Errorf("a session has no %s", f.Name)
		}
	}
}

// What the table says of a field can be done with it.
func TestFieldsCanBeAskedFor(t *testing.T) {
	used := map[string]string{}
	once := func(what, word, name string) {
		if other := used[what+" "+word]; word != "" && other != "" {
			t.Errorf("%s and %s both have the %s %q", other, name, what, word)
		}
		used[what+" "+word] = name
	}
	for i := range ask.Fields {
		f := &ask.Fields[i]
		once("name", f.Name, f.Name)
		once("column", f.Column, f.Name)
		once("title", f.Title, f.Name)
		once("sort", f.Sort, f.Name)
		kept := f.SetBy == ask.SetByFile || f.SetBy == ask.SetByFiles
		if f.Column != "" && (!kept || f.Kind() == ask.Other) {
			t.Errorf("%s has a column, and no value for it", f.Name)
		}
		if f.Sort != "" && f.Name != "cost" && (!kept || f.Kind() == ask.Texts || f.Kind() == ask.Other) {
			t.Errorf("%s cannot be sorted by", f.Name)
		}
		c := f.Choice
		if c == nil {
			continue
		}
		once("word", c.Word, f.Name)
		once("flag", c.Flag, f.Name)
		once("parameter", c.Param, f.Name)
		switch {
		case c.Word+c.Flag+c.Param == "", c.Help == "", strings.HasSuffix(c.Help, "."):
			t.Errorf("%s is chosen by nothing, or without a text: %+v", f.Name, c)
		case c.Word != "" && c.Example == "", c.Flag != "" && c.Value == "":
			t.Errorf("%s has no example, or nothing that stands for a value: %+v", f.Name, c)
		case c.Plain() && !kept, c.Match == ask.MatchRange && f.Kind() != ask.Number, c.Match == ask.MatchPart && f.Kind() != ask.Text,
			c.Match == ask.MatchSame && f.Kind() != ask.Text && f.Kind() != ask.Texts && f.Kind() != ask.YesNo:
			t.Errorf("%s cannot be chosen by without a rule of its own", f.Name)
		case c.Match == ask.MatchSame && f.Kind() == ask.YesNo && !slices.Equal(c.Words, []string{"yes", "no"}):
			t.Errorf("%s takes yes and no, not %q", f.Name, c.Words)
		}
	}
}
