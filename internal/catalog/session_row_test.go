package catalog

import (
	"reflect"
	"testing"
	"time"

	"sesskeep/internal/ask"
)

// Everything that the index keeps of a transcript is in the outward Session, under
// the same name. They are two types so that what is stored can change, and what is
// told cannot.
func TestSessionHasWhatARowHas(t *testing.T) {
	var row ask.Row
	in := reflect.ValueOf(&row).Elem()
	for i := range in.NumField() {
		fill(in.Field(i))
	}
	out := reflect.ValueOf(newSession(&row))
	for i := range in.NumField() {
		name := in.Type().Field(i).Name
		f := out.FieldByName(name)
		if !f.IsValid() {
			t.Errorf("a Session has no %s", name)
			continue
		}
		if !reflect.DeepEqual(f.Interface(), in.Field(i).Interface()) {
			t.Errorf("%s is %v in a Session, want %v", name, f, in.Field(i))
		}
	}
}

// fill gives a value that is not zero.
func fill(v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(7, 0)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(f)
			}
		}
	}
}
