package row

import (
	"reflect"
	"strings"
	"sync"

	"sesskeep/internal/ask"
)

// keptField is a field of a row that facts keep.
type keptField struct {
	name string // in JSON
	at   int    // in Row
	kind ask.Kind
	own  bool // only the file determines it
	next int  // number of the field that is written behind it
}

// keptFields are all of them, in the order in which they are written.
var keptFields = func() (list []keptField) {
	for i := range reflect.TypeFor[ask.Row]().NumField() {
		f := ask.FieldNamed(jsonName(i))
		if f == nil || f.SetBy != ask.SetByFile && f.SetBy != ask.SetByFiles {
			continue
		}
		list = append(list, keptField{f.Name, i, f.Kind(), f.SetBy == ask.SetByFile, len(list) + 1})
	}
	return list
}()

// jsonName is the name of a field of Row in JSON.
func jsonName(field int) string {
	name, _, _ := strings.Cut(reflect.TypeFor[ask.Row]().Field(field).Tag.Get("json"), ",")
	return name
}

// findKept finds a field by its name. Names mostly come in order, so it looks from the
// next one on: that is quicker than a map. Nil: it is none that facts keep now.
func findKept(name []byte, next int) *keptField {
	for i := next; i < len(keptFields); i++ {
		if keptFields[i].name == string(name) {
			return &keptFields[i]
		}
	}
	for i := range min(next, len(keptFields)) {
		if keptFields[i].name == string(name) {
			return &keptFields[i]
		}
	}
	return nil
}

// keptRow is a row as facts keep it: with the names that its fields have in JSON, and
// without those that are empty, which are half of them.
func keptRow(r *ask.Row) any { return reflect.ValueOf(*r).Convert(keptRowType()).Interface() }

// keptRowType is [ask.Row] with other tags: what is empty is left out, and what facts do
// not keep.
var keptRowType = sync.OnceValue(func() reflect.Type {
	t := reflect.TypeFor[ask.Row]()
	fields := make([]reflect.StructField, t.NumField())
	for i := range fields {
		fields[i] = t.Field(i)
		fields[i].Tag = `json:"-"`
	}
	for _, f := range keptFields {
		fields[f.at].Tag = reflect.StructTag(`json:"` + f.name + `,omitempty,omitzero"`)
	}
	return reflect.StructOf(fields)
})
