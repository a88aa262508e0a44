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

// comments are what the source says of the types and fields that are answered, by
// PACKAGE.TYPE and PACKAGE.TYPE.FIELD; a test keeps them current.
//
//go:embed comments.json
var comments []byte

// describe tells what every field means: what its tag says, else the comment on it,
// else what its name means wherever it stands.
func (s document) describe() {
	said := map[string]string{}
	if err := json.Unmarshal(comments, &said); err != nil {
		panic(err) // it is part of the program
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
			schema.Description = cmp.Or(said[commentKey(t, "")], "What a request takes")
		}
		if t.Kind() == reflect.Struct {
			describeFields(schema, t, said)
		}
		for field, p := range schema.Properties {
			if p.Description == "" {
				p.Description = glossary[field]
			}
		}
	}
}

func describeFields(schema *huma.Schema, t reflect.Type, said map[string]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if inner := f.Type; f.Anonymous && name == "" {
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				describeFields(schema, inner, said)
			}
			continue
		}
		if p := schema.Properties[name]; p != nil && p.Description == "" {
			p.Description = said[commentKey(t, f.Name)]
			if strings.Count(p.Description, " ") < 3 { // good beside the name in the source
				p.Description = cmp.Or(glossary[name], p.Description)
			}
		}
	}
}

// commentKey names a type, or a field of it.
func commentKey(t reflect.Type, field string) string {
	return strings.TrimSuffix(path.Base(t.PkgPath())+"."+t.Name()+"."+field, ".")
}
