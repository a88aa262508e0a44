package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// nameLike is a word that no sentence begins with: it is written as a name of the code is.
var nameLike = regexp.MustCompile(`^([a-z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*)$`)

// A doc comment that begins with a name begins with the name of what it documents, also after
// that was renamed.
func TestDocNames(t *testing.T) {
	seen := 0
	for name, text := range texts(t).code {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			id, doc := documented(d)
			if doc == nil {
				continue
			}
			seen++
			if word := firstWord(doc); nameLike.MatchString(word) && word != id.Name {
				t.Errorf("%s: the comment of %s begins with %s", name, id.Name, word)
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d comments were read", seen)
	}
}

// documented is the only name of a declaration, and its comment.
func documented(d ast.Decl) (*ast.Ident, *ast.CommentGroup) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name, d.Doc
	case *ast.GenDecl:
		if len(d.Specs) != 1 {
			return nil, nil
		}
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return s.Name, d.Doc
		case *ast.ValueSpec:
			return s.Names[0], d.Doc
		}
	}
	return nil, nil
}

// firstWord is the first word of a comment, without what follows it.
func firstWord(doc *ast.CommentGroup) string {
	word, _, _ := strings.Cut(strings.TrimSpace(doc.Text()), " ")
	return strings.TrimSuffix(strings.TrimRight(word, ".,:"), "'s")
}
