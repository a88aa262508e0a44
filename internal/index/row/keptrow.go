package row

import (
	"reflect"
	"strings"

	"sesskeep/internal/ask"
)

// keptRow is a row as facts keep it: with the names that its fields have in JSON, and
// without those that are empty, which are half of them.
func keptRow(r *ask.Row) any { return reflect.ValueOf(*r).Convert(keptRowType).Interface() }

// keptRowType is [ask.Row] with tags that leave out every empty field.
var keptRowType = omitEmpty(reflect.TypeFor[ask.Row]())

// omitEmpty is a struct type whose fields are left out of JSON where they are empty.
func omitEmpty(t reflect.Type) reflect.Type {
	fields := make([]reflect.StructField, t.NumField())
	for i := range fields {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			f.Tag = reflect.StructTag(`json:"` + name + `,omitempty,omitzero"`)
		}
		fields[i] = f
	}
	return reflect.StructOf(fields)
}
