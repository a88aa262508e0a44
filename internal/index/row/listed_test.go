package row

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// occupy puts something into every field, at any depth.
func occupy(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString("é\"\n" + time.Unix(int64(*n), 0).String())
	case reflect.Int, reflect.Int64:
		v.SetInt(math.MaxInt64 - int64(*n))
	case reflect.Uint64, reflect.Uint32, reflect.Uint16:
		v.SetUint(math.MaxUint64 >> (64 - v.Type().Bits()))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		occupy(v.Index(0), n)
		occupy(v.Index(1), n)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.UnixMilli(1_700_000_000_000 + int64(*n)).UTC()))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() { // else it is never written down
				occupy(v.Field(i), n)
			}
		}
	}
}

// empty takes away what some set.
func empty(r *ask.Row, by ...ask.Setter) {
	for _, f := range ask.Fields {
		if at, ok := f.InRow(); ok && slices.Contains(by, f.SetBy) {
			reflect.ValueOf(r).Elem().FieldByIndex(at.Index).SetZero()
		}
	}
}

// Facts are read as they were written, whether they repeat themselves or not, and
// lists read the same. A field that is new fails here until FactsReader knows it.
func TestFactsAreKept(t *testing.T) {
	var full Facts
	n := 0
	for _, v := range []any{&full.Row, &full.Standing, &full.Ref.Stat, &full.Ref.Meta} {
		occupy(reflect.ValueOf(v).Elem(), &n)
	}
	full.Row.Ref, full.Row.Standing = sesskeep.Ref{}, sesskeep.Standing{}
	empty(&full.Row, ask.SetByUser, ask.SetByHome) // no file has them
	full.Conversation = &KeptConversation{Leaf: "l", Name: "n", LastActivity: full.Row.CreatedAt}
	alike := full
	alike.Row.ID, alike.Row.Title, alike.Row.Model, alike.Standing.Prompts = "agent-a", alike.Row.LastUserMessage, alike.Row.Models[len(alike.Row.Models)-1], alike.Row.PromptCount
	alike.Standing.Time, alike.Standing.Version = alike.Row.LastActivityAt.Time, alike.Row.ClientVersion
	alike.Conversation = &KeptConversation{SessionID: "agent-a", Name: alike.Row.Title, Kind: "main", Active: true, LastActivity: alike.Row.LastActivityAt}
	for _, f := range []Facts{{}, full, alike} {
		for _, name := range []string{"projects/d/agent-a.jsonl", "projects/d/3fef5d4f-5b00-451b-9aff-cdd7d3d1d485.jsonl"} {
			ref, _ := sesskeep.ParseRef(name)
			ref.Stat, ref.Meta = f.Ref.Stat.Status(), f.Ref.Meta.Status()
			ref.Size, ref.Modtime, ref.Session = ref.Stat.Size, time.Unix(0, ref.Stat.Modtime).UTC(), cmp.Or(ref.Session, "s")
			f.Ref = ref
			body := []byte(f.Text())
			got, err := ReadFacts(name, body)
			if err != nil {
				t.Fatal(err)
			}
			row := got.Row
			got.Row.Ref, got.Row.Standing, got.RefParts, got.Same = sesskeep.Ref{}, sesskeep.Standing{}, "", 0
			if !reflect.DeepEqual(got.Ref, f.Ref) || db.JSON(got) != db.JSON(f) {
				t.Errorf("%s, got\n%s %+v, want\n%s %+v", body, db.JSON(got), got.Ref, db.JSON(f), f.Ref)
			}
			empty(&row, ask.SetByFiles) // columns have them
			listed, err := new(FactsReader).Read(name, body)
			listed.Title = ""
			if err != nil || !reflect.DeepEqual(listed, row) {
				t.Errorf("%v, got\n%+v, want\n%+v", err, listed, row)
			}
			if _, err := new(FactsReader).Read(name, body[:len(body)-1]); err == nil {
				t.Error("half of it is no error")
			}
		}
	}
}
