package api_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sesskeep/internal/api"
	"sesskeep/internal/storetest"
)

// The comments that the document is described with are those in the source.
// "make comments" writes them again.
func TestWebComments(t *testing.T) {
	const file = "comments.json"
	found := map[string]string{}
	packages := map[string]map[string]*ast.TypeSpec{}
	for _, typ := range api.Types() {
		addComments(t, typ, packages, found, map[reflect.Type]bool{})
	}
	want, err := json.MarshalIndent(found, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	storetest.Generated(t, file, want, "run make comments, then make web-types and make client-go")
}

// addComments adds what the source says of a type and of its fields.
func addComments(t *testing.T, typ reflect.Type, packages map[string]map[string]*ast.TypeSpec, found map[string]string, seen map[reflect.Type]bool) {
	for typ != nil && (typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice) {
		typ = typ.Elem()
	}
	if typ == nil || seen[typ] || typ.Name() == "" || !strings.HasPrefix(typ.PkgPath(), "sesskeep") || strings.Contains(typ.Name(), "[") {
		return
	}
	seen[typ] = true
	if packages[typ.PkgPath()] == nil {
		packages[typ.PkgPath()] = typesOf(t, typ.PkgPath())
	}
	spec := packages[typ.PkgPath()][typ.Name()]
	if spec == nil {
		return
	}
	if text := sentence(spec.Doc.Text()); text != "" {
		found[api.CommentKey(typ, "")] = text
	}
	fields, ok := spec.Type.(*ast.StructType)
	if !ok || typ.Kind() != reflect.Struct {
		return
	}
	for _, f := range fields.Fields.List {
		text := f.Doc.Text()
		if text == "" {
			text = f.Comment.Text()
		}
		for _, name := range f.Names {
			if text := sentence(strings.TrimPrefix(strings.TrimPrefix(text, name.Name+" is "), name.Name+" are ")); text != "" && name.IsExported() {
				found[api.CommentKey(typ, name.Name)] = text
			}
		}
	}
	for i := range typ.NumField() {
		if f := typ.Field(i); f.Anonymous {
			addComments(t, f.Type, packages, found, seen)
		}
	}
}

// typesOf are the types of a package, with the comments on them.
func typesOf(t *testing.T, path string) map[string]*ast.TypeSpec {
	t.Helper()
	all := map[string]*ast.TypeSpec{}
	dir := filepath.Join("..", "..", filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(path, "sesskeep"), "/")))
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range gen.Specs {
				if spec, ok := s.(*ast.TypeSpec); ok {
					if spec.Doc == nil {
						spec.Doc = gen.Doc
					}
					all[spec.Name.Name] = spec
				}
			}
		}
	}
	return all
}

// sentence is a comment as a document has it: on one line, with a capital letter.
func sentence(text string) string {
	text = strings.Join(strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(text)), " ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
