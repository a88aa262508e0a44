package storetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Comments are what the source says of types and of their fields, by PACKAGE.TYPE and
// PACKAGE.TYPE.FIELD.
type Comments struct {
	tb       testing.TB
	root     string // of the module
	texts    map[string]string
	packages map[string]map[string]*ast.TypeSpec
	seen     map[reflect.Type]bool
}

// NewComments returns an empty collection. The module lies at root.
func NewComments(tb testing.TB, root string) *Comments {
	return &Comments{tb, root, map[string]string{}, map[string]map[string]*ast.TypeSpec{}, map[reflect.Type]bool{}}
}

// Texts returns all comments that were added.
func (c *Comments) Texts() map[string]string { return c.texts }

// CommentKey is the key of a type, or of a field of it.
func CommentKey(t reflect.Type, field string) string {
	return strings.TrimSuffix(path.Base(t.PkgPath())+"."+t.Name()+"."+field, ".")
}

// Add adds the comments on a type, on its fields and on the types that it embeds.
func (c *Comments) Add(typ reflect.Type) {
	for typ != nil && (typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice) {
		typ = typ.Elem()
	}
	if typ == nil || c.seen[typ] || typ.Name() == "" || !strings.HasPrefix(typ.PkgPath(), "sesskeep") || strings.Contains(typ.Name(), "[") {
		return
	}
	c.seen[typ] = true
	spec := c.typesOf(typ.PkgPath())[typ.Name()]
	if spec == nil {
		return
	}
	if text := sentence(spec.Doc.Text()); text != "" {
		c.texts[CommentKey(typ, "")] = text
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
				c.texts[CommentKey(typ, name.Name)] = text
			}
		}
	}
	for f := range typ.Fields() {
		if f.Anonymous {
			c.Add(f.Type)
		}
	}
}

// typesOf are the types of a package, with the comments on them.
func (c *Comments) typesOf(pkgPath string) map[string]*ast.TypeSpec {
	c.tb.Helper()
	if c.packages[pkgPath] != nil {
		return c.packages[pkgPath]
	}
	all := map[string]*ast.TypeSpec{}
	c.packages[pkgPath] = all
	dir := filepath.Join(c.root, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(pkgPath, "sesskeep"), "/")))
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		c.tb.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			c.tb.Fatal(err)
		}
		addTypes(f, all)
	}
	return all
}

// addTypes adds the types that a file declares.
func addTypes(f *ast.File, all map[string]*ast.TypeSpec) {
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

// sentence is a comment as a document has it: on one line, with a capital letter.
func sentence(text string) string {
	text = strings.Join(strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(text)), " ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
