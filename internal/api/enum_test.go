package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/live"
)

// Every enum of the document that a type gives has all constants of the type, and no other
// value.
func TestEnumsAreConstants(t *testing.T) {
	for of, listed := range enums {
		got, want := slices.Clone(listed), constants(t, of)
		slices.SortFunc(got, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		if len(want) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: the document has %v, the constants are %v", of, got, want)
		}
	}
	if got, want := values(ask.States), values(live.Words); !reflect.DeepEqual(got, want) {
		t.Errorf("states %v, words of states %v", got, want)
	}
}

// Enums of the tables reach the document, where a field has the type or has it in a struct
// that it embeds.
func TestEnumsInDocument(t *testing.T) {
	schemas := documentServer().doc.Components.Schemas.Map()
	for name, want := range map[string]string{
		"TokenRow.role": "operate", "Job.state": "cancelled", "HolderRecord.state": "unclean", "RunShown.outcome": "no space",
		"Block.kind": "boundary", "BlockCall.state": "no result", "IndexState.word": "needs you", "Session.source": "twin", "Session.origin": "copy",
	} {
		schema, field, _ := strings.Cut(name, ".")
		if s := schemas[schema]; s == nil || s.Properties[field] == nil {
			t.Errorf("the document has no %s", name)
		} else if !slices.Contains(s.Properties[field].Enum, any(want)) {
			t.Errorf("%s: %v lacks %q", name, s.Properties[field].Enum, want)
		}
	}
}

// constants are the values of a type's string constants, sorted.
func constants(t *testing.T, of reflect.Type) (list []any) {
	t.Helper()
	files, err := filepath.Glob("../" + path.Base(of.PkgPath()) + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			named, ok := spec.Type.(*ast.Ident)
			value, literal := spec.Values[0].(*ast.BasicLit)
			if ok && literal && named.Name == of.Name() {
				text, _ := strconv.Unquote(value.Value)
				list = append(list, text)
			}
			return true
		})
	}
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	return list
}
