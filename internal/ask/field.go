package ask

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"sesskeep/internal/stamp"
)

// Field is how a field of a session is kept, listed, sorted and asked for. Its type and
// what it means are those of the struct field that has its name as a tag.
type Field struct {
	Name   string // in JSON
	SetBy  Setter
	Column string // in SQL, of the table that lists read; empty: it has none
	Title  string // of its column in lists; empty: no list shows it
	Sort   string // the word that sorts by it; empty: no list does
	Choice *Choice
}

// Setter says what gives a field its value.
type Setter int

const (
	SetByFile  Setter = iota // the transcript alone
	SetByFiles               // other transcripts too, so that what an engine keeps of one file is not the last word
	SetByUser                // the user, who added it
	SetByHome                // the home that the transcript is in
	SetByRoom                // a room that adds it where it is asked for: Row does not have it
)

// FieldNamed finds a field by its name in JSON; nil: there is none.
func FieldNamed(name string) *Field {
	for i := range Fields {
		if Fields[i].Name == name {
			return &Fields[i]
		}
	}
	return nil
}

// SortedBy finds the field that a word sorts by; nil: there is none.
func SortedBy(word string) *Field {
	for i := range Fields {
		if Fields[i].Sort == word && word != "" {
			return &Fields[i]
		}
	}
	return nil
}

// Titled finds the field whose column in lists has a title; nil: there is none.
func Titled(title string) *Field {
	for i := range Fields {
		if Fields[i].Title == title && title != "" {
			return &Fields[i]
		}
	}
	return nil
}

// Kind is what a field of Row holds.
type Kind int

const (
	Other     Kind = iota // what only rooms know, or no list sorts by
	Text                  // a string of any type
	Texts                 // several of them
	Number                // a whole number
	YesNo                 // a bool
	Timestamp             // a time
)

// Kind is what the field holds.
func (f *Field) Kind() Kind {
	s, ok := f.InRow()
	switch {
	case !ok:
		return Other
	case s.Type == reflect.TypeFor[stamp.Time]():
		return Timestamp
	case s.Type == reflect.TypeFor[[]string]():
		return Texts
	}
	switch s.Type.Kind() {
	case reflect.String:
		return Text
	case reflect.Int, reflect.Int64:
		return Number
	case reflect.Bool:
		return YesNo
	}
	return Other
}

// Of is the value of the field in a row that has it.
func (f *Field) Of(r *Row) any {
	s, _ := f.InRow()
	return reflect.ValueOf(r).Elem().FieldByIndex(s.Index).Interface()
}

// InRow is the field of Row that has the name; false: a room adds it.
func (f *Field) InRow() (reflect.StructField, bool) {
	s, ok := rowFields()[f.Name]
	return s, ok
}

// rowFields are the fields of Row by their names in JSON.
var rowFields = sync.OnceValue(func() map[string]reflect.StructField {
	all := map[string]reflect.StructField{}
	for s := range reflect.TypeFor[Row]().Fields() {
		if name, _, _ := strings.Cut(s.Tag.Get("json"), ","); name != "-" {
			all[name] = s
		}
	}
	return all
})

// Sorts are the words that Filter.Sort takes.
var Sorts = sorts(func(f *Field) bool { return f.SetBy != SetByRoom })

// SortsPriced are the words that sort a list whose rooms added what sessions cost.
var SortsPriced = sorts(func(*Field) bool { return true })

func sorts(which func(*Field) bool) (words []string) {
	for i := range Fields {
		if f := &Fields[i]; f.Sort != "" && which(f) {
			words = append(words, f.Sort)
		}
	}
	return words
}

// SortText lists the words that Filter.Sort takes, for people.
func SortText() string { return either(Sorts) + "; with - in front it is reversed" }

// Titles are those of the columns that lists can show.
func Titles() (titles []string) {
	for i := range Fields {
		if f := &Fields[i]; f.Title != "" {
			titles = append(titles, f.Title)
		}
	}
	return titles
}

// UsualTitles are those of the columns that a list of sessions has without being asked
// for more, in their order on a pipe.
var UsualTitles = []string{"id", "title", "active", "project", "branch", "msgs", "size", "agents", "convs", "state"}

// MoreTitles are those of the columns that a list shows only when it is asked for them.
func MoreTitles() []string {
	return slices.DeleteFunc(Titles(), func(title string) bool { return slices.Contains(UsualTitles, title) })
}
