package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/check"
	"sesskeep/internal/launch"
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
		"Block.kind": "boundary", "BlockTurn.role": "notes", "TreeTurn.role": "answer", "OutlineItem.kind": "compaction", "PairingRow.status": "confirmed", "Decision.scope": "run", "Decision.behavior": "deny", "BlockCall.state": "no result", "IndexState.word": "needs you", "Session.source": "twin", "Session.started": "program", "ActRow.state": "noted", "PriceLine.kind": "cache write 5m", "Session.origin": "copy",
	} {
		schema, field, _ := strings.Cut(name, ".")
		if s := schemas[schema]; s == nil || s.Properties[field] == nil {
			t.Errorf("the document has no %s", name)
		} else if !slices.Contains(s.Properties[field].Enum, any(want)) {
			t.Errorf("%s: %v lacks %q", name, s.Properties[field].Enum, want)
		}
	}
}

// Where a tag names some values of a type whose constants are listed, they are among them.
func TestEnumTagsAreConstants(t *testing.T) {
	found := 0
	all := documentServer().doc.Components.Schemas
	for name := range all.Map() {
		of := all.TypeFromRef("#/components/schemas/" + name)
		if of == nil || of.Kind() != reflect.Struct {
			continue
		}
		for f := range of.Fields() {
			if listed := enums[f.Type]; listed != nil && f.Tag.Get("enum") != "" {
				found++
				for word := range strings.SplitSeq(f.Tag.Get("enum"), ",") {
					if !slices.Contains(listed, any(word)) {
						t.Errorf("%s.%s: %q is none of %v", name, f.Name, word, listed)
					}
				}
			}
		}
	}
	if found == 0 {
		t.Error("no field has such a tag: the test looks at nothing")
	}
}

// constants are the values of a type's string constants, sorted.
func constants(t *testing.T, of reflect.Type) (list []any) {
	t.Helper()
	files, err := filepath.Glob("../../" + strings.TrimPrefix(of.PkgPath(), "sesskeep/") + "/*.go")
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

// open are the types with constants that may have other values too: a later client may report
// another permission mode, and every version can find more kinds of damage. The kinds of events
// have a table of their own: see addEventKinds.
var open = map[reflect.Type]bool{
	reflect.TypeFor[launch.Mode](): true, reflect.TypeFor[check.Code](): true, reflect.TypeFor[live.Kind](): true,
}

// Every type of a field that has several constants has its values in the document: from the
// table, or where the table cannot name it, in a tag that has all of them. Others are open.
func TestTypesWithConstantsAreEnums(t *testing.T) {
	all := documentServer().doc.Components.Schemas
	known := map[reflect.Type][]any{}
	var walk func(name string, of reflect.Type)
	walk = func(name string, of reflect.Type) {
		for f := range of.Fields() {
			kind := f.Type
			for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
				kind = kind.Elem()
			}
			switch {
			case f.Anonymous && kind.Kind() == reflect.Struct:
				walk(name, kind)
			case kind.Kind() != reflect.String || !strings.HasPrefix(kind.PkgPath(), "sesskeep") || enums[kind] != nil || open[kind]:
			default:
				if _, counted := known[kind]; !counted {
					known[kind] = constants(t, kind)
				}
				var tagged []any
				for _, word := range slices.Sorted(strings.SplitSeq(f.Tag.Get("enum"), ",")) {
					tagged = append(tagged, word)
				}
				if len(known[kind]) > 1 && !slices.Equal(tagged, known[kind]) {
					t.Errorf("%s.%s: %v has the constants %v; they are not in the table of enums, the tag has %v", name, f.Name, kind, known[kind], tagged)
				}
			}
		}
	}
	for name := range all.Map() {
		of := all.TypeFromRef("#/components/schemas/" + name)
		for of != nil && (of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice) {
			of = of.Elem()
		}
		if of != nil && of.Kind() == reflect.Struct {
			walk(name, of)
		}
	}
}
