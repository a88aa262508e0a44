package cursor_test

import (
	"reflect"
	"testing"

	"sesskeep/internal/cursor"
)

// A cursor is read back as it was, by the list it is of and by no other.
func TestParse(t *testing.T) {
	list := cursor.Hash("sessions", []string{"/h"}, "size")
	for _, c := range []cursor.Cursor{
		{List: list},
		{List: list, Number: -5, Key: "id", Rest: []int64{1, 2}},
		{List: list, Text: "ß \" \x00", Offset: 3, Trail: "t"},
	} {
		got, err := cursor.Parse(c.String(), list)
		if err != nil || !reflect.DeepEqual(got, c) || !got.HasPosition() {
			t.Errorf("%+v became %+v, %v", c, got, err)
		}
		if _, err := cursor.Parse(c.String(), cursor.Hash("sessions", []string{"/h", "size"})); err == nil {
			t.Errorf("%+v is one of another list too", c)
		}
	}
	for text, offset := range map[string]int{"": 0, "0": 0, "20": 20} {
		if c, err := cursor.Parse(text, list); err != nil || c.Offset != offset || c.HasPosition() {
			t.Errorf("%q became %+v, %v", text, c, err)
		}
	}
	for _, text := range []string{"-1", "x", "1.5", "99999999999999999999", "e30", "bnVsbA"} {
		if c, err := cursor.Parse(text, list); err == nil {
			t.Errorf("%q became %+v", text, c)
		}
	}
}

func FuzzParse(f *testing.F) {
	list := cursor.Hash("x")
	f.Add(cursor.Cursor{List: list, Offset: 1}.String())
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := cursor.Parse(text, list); err == nil && c.Offset < 0 {
			t.Errorf("%q skips %d", text, c.Offset)
		}
	})
}
