package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

// mayAlias are the packages that give types of others under names of their own, and why.
var mayAlias = map[string]string{
	"internal/index": "its face gives the types of its own parts, which no other package imports",
}

// A type has one name: a package either gives its type to others or does not.
func TestNoAliases(t *testing.T) {
	used := map[string]bool{}
	for file, text := range texts(t).code {
		if strings.HasPrefix(file, "internal/storetest/") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Assign.IsValid() {
				return true
			}
			used[path.Dir(file)] = true
			if mayAlias[path.Dir(file)] == "" {
				t.Errorf("%s: %s is another name of a type: use the type itself", set.Position(spec.Pos()), spec.Name.Name)
			}
			return true
		})
	}
	for dir := range mayAlias {
		if !used[dir] {
			t.Errorf("%s has no alias any more: take it off the list", dir)
		}
	}
}
