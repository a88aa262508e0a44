package index

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"sesskeep"
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
			occupy(v.Field(i), n)
		}
	}
}

// Every field of the facts that lists show is read as encoding/json reads it. A
// field that is new fails here until rowReader knows it.
func TestRowReader(t *testing.T) {
	var f facts
	n := 0
	for _, v := range []any{&f.Ref, &f.Row, &f.Standing} {
		occupy(reflect.ValueOf(v).Elem(), &n)
	}
	for _, f := range []facts{{}, f, {Ref: sesskeep.Ref{Modtime: time.Unix(1, 5).UTC()}}} {
		body, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var want facts
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatal(err)
		}
		row := want.Row
		row.Ref, row.Standing = want.Ref, want.Standing
		row.Title, row.ForkedFrom, row.AgentSessions = "", "", nil // of columns
		got, err := new(rowReader).read(body)
		if err != nil || !reflect.DeepEqual(got, row) {
			t.Errorf("%v, got\n%+v, want\n%+v", err, got, row)
		}
		if _, err := new(rowReader).read(body[:len(body)-1]); err == nil {
			t.Error("half of it is no error")
		}
	}
}
