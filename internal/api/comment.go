package api

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"path"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// comments are the source's comments on the types and fields of requests and answers, by
// PACKAGE.TYPE and PACKAGE.TYPE.FIELD. A test keeps them current.
//
//go:embed comments.json
var comments []byte

// describe adds a description to every schema and property: the doc tag of the field,
// or else the comment on it.
func (s document) describe() {
	texts := map[string]string{}
	if err := json.Unmarshal(comments, &texts); err != nil {
		panic(err) // the file is embedded
	}
	all := s.doc.Components.Schemas
	for name, schema := range all.Map() {
		t := all.TypeFromRef("#/components/schemas/" + name)
		if t == nil {
			continue
		}
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if schema.Description == "" {
			schema.Description = cmp.Or(texts[commentKey(t, "")], "Body of a request")
		}
		if t.Kind() == reflect.Struct {
			describeFields(schema, t, texts)
		}
	}
}

func describeFields(schema *huma.Schema, t reflect.Type, texts map[string]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if inner := f.Type; f.Anonymous && name == "" {
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				describeFields(schema, inner, texts)
			}
			continue
		}
		if p := schema.Properties[name]; p != nil && p.Description == "" {
			p.Description = texts[commentKey(t, f.Name)]
		}
	}
}

// commentKey is the key of a type in comments, or of a field of it.
func commentKey(t reflect.Type, field string) string {
	return strings.TrimSuffix(path.Base(t.PkgPath())+"."+t.Name()+"."+field, ".")
}
