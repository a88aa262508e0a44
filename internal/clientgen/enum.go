package clientgen

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// enumNames are the types of enumerations that more than one schema has, and of those that
// are better known by another name than their schema and field together.
var enumNames = map[string]string{
	"BlockCall.state": "CallState", "BlockTurn.role": "TurnRole", "GrantRequest.role": "Role",
	"InboxItem.kind": "QuestionKind", "State.word": "SessionState", "PairingRow.status": "PairingStatus",
	"Operation.action": "BulkAction", "CleanSessions.source": "SourceFilter", "ActRow.state": "ActState", "LaunchEvent.event": "RunEventName",
	"Result.code": "ErrorCode", "Job.code": "ErrorCode", "PriceLine.kind": "PriceKind", "CheckVerdict.resumes": "Resumes",
}

// separator joins the values of an enumeration; no value has it.
const separator = "\n"

// enumOf returns the type of a field that has an enumeration. Fields with the same values
// share a type.
func (g *generator) enumOf(object, property string, s *schema) string {
	var values []string
	for _, v := range s.Enum {
		if text, ok := v.(string); ok {
			values = append(values, text)
		}
	}
	key := strings.Join(values, separator)
	if g.enums[key] == "" {
		g.enums[key] = cmp.Or(enumNames[object+"."+property], object+exported(property))
	}
	return g.enums[key]
}

// constants writes the types of all enumerations that were used.
func (g *generator) constants() {
	keys := map[string]string{}
	for key, name := range g.enums {
		keys[name] = key
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		g.line("\n// %s is one of the constants below. A newer server may send other values.", name)
		g.line("type %s string\n\n// The values of %s.\nconst (", name, name)
		for value := range strings.SplitSeq(keys[name], separator) {
			g.line("%s%s %s = %q", name, exported(value), name, value)
		}
		g.line(")")
	}
}
