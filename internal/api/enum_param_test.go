package api

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"sesskeep/claudehome"
	"sesskeep/internal/money"
)

// Enums of parameters stand in tags, which cannot name constants: they have all constants of
// what the parameter chooses, and nothing else but the words named here.
func TestEnumParametersAreConstants(t *testing.T) {
	all := documentServer().doc.Paths
	for name, want := range map[string][]any{
		"/api/v1/commands kind":  constants(t, reflect.TypeFor[claudehome.CommandKind]()),
		"/api/v1/commands scope": constants(t, reflect.TypeFor[claudehome.CommandScope]()),
		"/api/v1/usage by":       append(values(money.UsageKinds), "branch"), // its name before
	} {
		path, parameter, _ := strings.Cut(name, " ")
		if all[path] == nil {
			t.Errorf("the document has no %s", path)
			continue
		}
		var got []any
		for _, p := range all[path].Get.Parameters {
			if p.Name == parameter {
				got = slices.Clone(p.Schema.Enum)
			}
		}
		byText := func(a, b any) int { return strings.Compare(a.(string), b.(string)) }
		slices.SortFunc(got, byText)
		slices.SortFunc(want, byText)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the document has %v, the constants are %v", name, got, want)
		}
	}
}
