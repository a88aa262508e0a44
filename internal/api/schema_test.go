package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// contract is the document of another server, and what its answers look like.
type contract struct {
	Paths map[string]map[string]struct {
		Parameters []struct{ Name, In string } `json:"parameters"`
		Responses  map[string]struct {
			Content map[string]struct {
				Schema schema `json:"schema"`
			} `json:"content"`
		} `json:"responses"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
	agents bool // rows may be of agents, whose ids are no UUIDs
}

// schema is as much of JSON Schema as the document uses.
type schema map[string]any

// words are the keywords that check knows, and those that say nothing.
var words = strings.Fields("$ref allOf anyOf oneOf discriminator type nullable enum format properties required items additionalProperties minimum maximum minItems maxItems minLength description example default")

func readContract(t *testing.T) *contract {
	t.Helper()
	dir := os.Getenv("SESSKEEP_SHARED")
	if dir == "" {
		t.Skip("the document of cli-bridge is found through SESSKEEP_SHARED, which is not set")
	}
	data, err := os.ReadFile(filepath.Join(dir, "contract", "cli-bridge-openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	c := new(contract)
	if err := json.Unmarshal(data, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// answer is the schema of an answer; ok is false where the document has none.
func (c *contract) answer(method, path string, status int) (s schema, ok bool) {
	content := c.Paths[path][strings.ToLower(method)].Responses[itoa(status)].Content
	one, ok := content["application/json"]
	return one.Schema, ok
}

// check tells what is wrong with a value, or nothing.
func (c *contract) check(at string, s schema, v any) (wrong []string) {
	for word := range s {
		if !slices.Contains(words, word) {
			wrong = append(wrong, at+": the checker does not know "+word)
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/components/schemas/")
		return append(wrong, c.check(at, c.Components.Schemas[name], v)...)
	}
	if v == nil {
		if s["nullable"] != true && s["allOf"] == nil {
			wrong = append(wrong, at+": null")
		}
		return wrong
	}
	return slices.Concat(wrong, c.checkChoices(at, s, v), c.checkType(at, s, v), checkBounds(at, s, v))
}

func (c *contract) checkChoices(at string, s schema, v any) (wrong []string) {
	for _, one := range list(s["allOf"]) {
		wrong = append(wrong, c.check(at, one.(map[string]any), v)...)
	}
	fits := func(one any) bool { return len(c.check(at, one.(map[string]any), v)) == 0 }
	if choice := list(s["anyOf"]); len(choice) > 0 && !slices.ContainsFunc(choice, fits) {
		wrong = append(wrong, fmt.Sprintf("%s: %v is none of those allowed", at, v))
	}
	if s["oneOf"] == nil {
		return wrong
	}
	by := s["discriminator"].(map[string]any)
	object, _ := v.(map[string]any)
	word, _ := object[by["propertyName"].(string)].(string)
	ref, ok := by["mapping"].(map[string]any)[word].(string)
	if !ok {
		return append(wrong, fmt.Sprintf("%s: there is no type %q", at, word))
	}
	return append(wrong, c.check(at+"("+word+")", schema{"$ref": ref}, v)...)
}

func list(v any) []any { l, _ := v.([]any); return l }

func (c *contract) checkType(at string, s schema, v any) (wrong []string) {
	kind := ""
	switch x := v.(type) {
	case string:
		kind = "string"
		wrong = append(wrong, c.checkFormat(at, s["format"], x)...)
	case bool:
		kind = "boolean"
	case float64:
		if kind = "number"; x == float64(int64(x)) && s["type"] == "integer" {
			kind = "integer"
		}
	case []any:
		kind = "array"
		if items, ok := s["items"].(map[string]any); ok {
			for i := range x {
				wrong = append(wrong, c.check(fmt.Sprintf("%s[%d]", at, i), items, x[i])...)
			}
		}
	case map[string]any:
		kind = "object"
		wrong = append(wrong, c.checkObject(at, s, x)...)
	}
	if want, ok := s["type"].(string); ok && want != kind {
		wrong = append(wrong, fmt.Sprintf("%s: %s instead of %s", at, kind, want))
	}
	if enum := list(s["enum"]); len(enum) > 0 && !slices.Contains(enum, v) {
		wrong = append(wrong, fmt.Sprintf("%s: %v is not one of %v", at, v, enum))
	}
	return wrong
}

func (c *contract) checkObject(at string, s schema, x map[string]any) (wrong []string) {
	for _, name := range list(s["required"]) {
		if _, ok := x[name.(string)]; !ok {
			wrong = append(wrong, fmt.Sprintf("%s: no %s", at, name))
		}
	}
	properties, _ := s["properties"].(map[string]any)
	more, _ := s["additionalProperties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if p, ok := properties[name].(map[string]any); ok {
			wrong = append(wrong, c.check(at+"."+name, p, x[name])...)
		} else if more != nil {
			wrong = append(wrong, c.check(at+"."+name, more, x[name])...)
		}
	}
	return wrong
}

func (c *contract) checkFormat(at string, format any, text string) []string {
	switch format {
	case nil, "uri":
		return nil
	case "uuid":
		if isUUID(text) || c.agents && strings.HasPrefix(text, "agent-") {
			return nil
		}
	case "date-time":
		if _, err := time.Parse("2006-01-02T15:04:05.000Z", text); err == nil {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: %q is no %v", at, text, format)}
}

func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, r := range text {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (r == '-') || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return false
		}
	}
	return true
}

func checkBounds(at string, s schema, v any) (wrong []string) {
	size := func(word string, n int) {
		if bound, ok := s[word].(float64); ok && (strings.HasPrefix(word, "min") && float64(n) < bound || strings.HasPrefix(word, "max") && float64(n) > bound) {
			wrong = append(wrong, fmt.Sprintf("%s: %s is %v", at, word, bound))
		}
	}
	switch x := v.(type) {
	case float64:
		size("minimum", int(x))
		size("maximum", int(x))
	case []any:
		size("minItems", len(x))
		size("maxItems", len(x))
	case string:
		size("minLength", len(x))
	}
	return wrong
}

// The checker finds what is wrong: a checker that finds nothing would pass
// everything.
func TestContractChecker(t *testing.T) {
	c := new(contract)
	c.Components.Schemas = map[string]schema{"A": {"type": "object", "properties": map[string]any{"type": map[string]any{"type": "string", "enum": []any{"a"}}}, "required": []any{"type", "x"}}}
	for _, test := range []struct {
		schema, value string
		wrong         int
	}{
		{`{"type":"integer"}`, `1`, 0}, {`{"type":"integer"}`, `1.5`, 1}, {`{"type":"number"}`, `1`, 0}, {`{"type":"string"}`, `null`, 1},
		{`{"type":"string","nullable":true}`, `null`, 0}, {`{"type":"string","enum":["a"]}`, `"b"`, 1}, {`{"format":"uuid"}`, `"agent-1"`, 1},
		{`{"format":"uuid"}`, `"550E8400-e29b-41d4-a716-446655440000"`, 0}, {`{"format":"date-time"}`, `"2026-01-01T00:00:00Z"`, 1},
		{`{"type":"array","items":{"type":"boolean"}}`, `[true,1,"x"]`, 2}, {`{"anyOf":[{"type":"boolean"},{"type":"integer"}]}`, `"x"`, 1},
		{`{"allOf":[{"$ref":"#/components/schemas/A"}]}`, `{"type":"b"}`, 2}, {`{"const":1}`, `1`, 1}, {`{"maximum":3}`, `4`, 1},
		{`{"oneOf":[],"discriminator":{"propertyName":"type","mapping":{"a":"#/components/schemas/A"}}}`, `{"type":"a","x":1}`, 0},
		{`{"oneOf":[],"discriminator":{"propertyName":"type","mapping":{"a":"#/components/schemas/A"}}}`, `{"type":"z"}`, 1},
	} {
		var s schema
		var v any
		if err := json.Unmarshal([]byte(test.schema), &s); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(test.value), &v); err != nil {
			t.Fatal(err)
		}
		if got := c.check("it", s, v); len(got) != test.wrong {
			t.Errorf("%s of %s: %q", test.value, test.schema, got)
		}
	}
}
