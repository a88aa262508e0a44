package live

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// Every kind of event is in the table.
func TestKindTable(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			if id, ok := v.Type.(*ast.Ident); ok && id.Name == "Kind" {
				named += len(v.Names)
			}
		}
		return true
	})
	seen := map[Kind]bool{}
	for _, k := range KindTable {
		seen[k.Kind] = true
	}
	if named == 0 || len(seen) != named || len(KindTable) != named {
		t.Errorf("%d kinds are named, the table has %d", named, len(KindTable))
	}
}
