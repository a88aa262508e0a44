package cli

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/api"
	"sesskeep/internal/ask"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/live"
	"sesskeep/internal/shelf"
	"sesskeep/internal/stamp"
	"sesskeep/internal/storetest"
	"sesskeep/internal/view"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaFile is the JSON Schema of what commands write.
const schemaFile = "../../docs/json.schema.json"

// node is a part of a schema.
type node map[string]any

// addedFields are the fields that types add to their own when they are marshalled.
var addedFields = map[reflect.Type]node{
	reflect.TypeFor[view.Part](): {"durationMs": node{"type": "integer", "description": "Milliseconds spent thinking."}},
	reflect.TypeFor[view.Call](): {"durationMs": node{"type": "integer", "description": "Milliseconds until the result."}},
	reflect.TypeFor[ask.Hit](): {
		"matchStart":  node{"type": "integer", "description": "Where the first match begins in the snippet."},
		"matchLength": node{"type": "integer", "description": "How long the first match is."},
	},
}

// stepNames are the fields of which a step has one: its kind.
var stepNames = []string{"replace", "move", "append", "place", "label", "purge", "erase", "forget"}

// schemas makes the schemas of Go types as they are marshalled.
type schemas struct {
	comments *storetest.Comments
	made     map[string]node // by name
}

// of returns the schema of a type.
func (s *schemas) of(t reflect.Type) node {
	marshals := t.Kind() != reflect.Struct && t.Implements(reflect.TypeFor[json.Marshaler]())
	switch {
	case t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[stamp.Time]():
		return node{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[json.RawMessage]() || t.Kind() == reflect.Interface:
		return node{}
	case t == reflect.TypeFor[shelf.Steps]():
		return s.steps()
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return node{"type": "string"}
	case t.Kind() == reflect.Int64 && marshals: // an amount of money, or a rate
		return node{"type": "number"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return node{"type": "string"}
		}
		return node{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return node{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.ref(t)
	case reflect.String:
		return enumOf(t)
	case reflect.Bool:
		return node{"type": "boolean"}
	case reflect.Float64:
		return node{"type": "number"}
	default:
		return node{"type": "integer"}
	}
}

func enumOf(t reflect.Type) node {
	n := node{"type": "string"}
	values := api.Enum(t)
	if t == reflect.TypeFor[live.Word]() {
		for _, w := range live.Words {
			values = append(values, w)
		}
	}
	if values != nil {
		n["enum"] = values
	}
	return n
}

// steps are the steps of an act: each is an object with one field.
func (s *schemas) steps() node {
	kinds := node{}
	for _, name := range stepNames {
		kinds[name] = node{"type": "object"}
	}
	return node{"type": "array", "items": node{"type": "object", "properties": kinds, "maxProperties": 1}}
}

// ref makes the schema of a struct once, and returns a reference to it.
func (s *schemas) ref(t reflect.Type) node {
	if t.Name() == "" {
		return s.object(t)
	}
	name := path.Base(t.PkgPath()) + "." + t.Name()
	if s.made[name] == nil {
		s.made[name] = node{} // it may refer to itself
		s.comments.Add(t)
		maps.Copy(s.made[name], s.object(t))
	}
	return node{"$ref": "#/$defs/" + name}
}

func (s *schemas) object(t reflect.Type) node {
	properties, required := node{}, []string{}
	s.fields(t, properties, &required)
	slices.Sort(required)
	n := node{"type": "object", "properties": properties}
	if len(required) > 0 {
		n["required"] = required
	}
	if text := s.comments.Texts()[storetest.CommentKey(t, "")]; text != "" {
		n["description"] = text
	}
	return n
}

// fields adds the fields of a struct, and those of what it embeds.
func (s *schemas) fields(t reflect.Type, into node, required *[]string) {
	maps.Copy(into, addedFields[t])
	for f := range t.Fields() {
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		inner := f.Type
		for inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			s.comments.Add(inner)
			s.fields(inner, into, required)
			continue
		case !f.IsExported() || !tagged || name == "-" || name == "":
			continue
		}
		n := s.of(f.Type)
		optional := strings.Contains(options, "omit")
		if kind := f.Type.Kind(); !optional && (kind == reflect.Pointer || kind == reflect.Slice || kind == reflect.Map) {
			n = node{"anyOf": []any{n, node{"type": "null"}}}
		}
		text := f.Tag.Get("doc")
		if text == "" {
			text = s.comments.Texts()[storetest.CommentKey(t, f.Name)]
		}
		if text != "" {
			n["description"] = text
		}
		if into[name] = n; !optional {
			*required = append(*required, name)
		}
	}
}

// commandSchema is the schema of all commands, and of the types that they write. An answer
// of a command is its type with the version of the form.
func commandSchema(t *testing.T) node {
	t.Helper()
	s := schemas{storetest.NewComments(t, "../.."), map[string]node{}}
	defs := node{}
	for _, c := range jsonCommands {
		n := s.of(reflect.TypeOf(c.value))
		n["properties"] = node{"schemaVersion": node{"const": output.SchemaVersion}}
		n["required"] = []string{"schemaVersion"}
		if before, ok := defs[c.name].(node); ok && !reflect.DeepEqual(before, n) {
			n = node{"anyOf": []any{before, n}}
		}
		defs[c.name] = n
	}
	for name, n := range s.made {
		defs[name] = n
	}
	return node{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"title":       fmt.Sprintf("What the commands of sesskeep write with --json, schemaVersion %d", output.SchemaVersion),
		"description": "#/$defs/COMMAND is what a command writes, such as #/$defs/session%20ls. New versions add fields.",
		"$defs":       defs,
	}
}

// TestSchemaDocumented holds docs/json.schema.json to the types of all commands.
// TestJSONDocumented holds their answers to it.
func TestSchemaDocumented(t *testing.T) {
	text, err := json.MarshalIndent(commandSchema(t), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	storetest.Generated(t, schemaFile, append(text, '\n'), "run make docs")
}

// schema is docs/json.schema.json: an object with the answer of each command under its name.
type schema struct{ *jsonschema.Resolved }

// readSchema resolves the schema once for all commands, and allows no field that it does not have.
func readSchema(t *testing.T) schema {
	t.Helper()
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root jsonschema.Schema
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	never := func() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }
	root.Properties, root.AdditionalProperties = map[string]*jsonschema.Schema{}, never()
	for name, def := range root.Defs {
		if strings.Contains(name, ".") { // a type, not a command
			def.Properties["schemaVersion"] = &jsonschema.Schema{}
			def.AdditionalProperties = never()
			continue
		}
		root.Properties[name] = &jsonschema.Schema{Ref: "#/$defs/" + strings.ReplaceAll(name, " ", "%20")}
	}
	resolved, err := root.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return schema{resolved}
}

// check validates the answer of a command: it begins with its version, and the schema has
// every field.
func (s schema) check(t *testing.T, command, answer string) {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	if !strings.HasPrefix(answer, "{\n  \"schemaVersion\": 1") {
		t.Errorf("%s does not begin with its version: %.60s", command, answer)
	}
	if err := s.Validate(map[string]any{command: value}); err != nil {
		t.Errorf("%s: %v", command, err)
	}
	delete(value, "schemaVersion")
	if s.Validate(map[string]any{command: value}) == nil {
		t.Errorf("%s: an answer without a version is valid", command)
	}
}

// Answers carry the version of their form, whatever is chosen of them; the items of a list
// that are written on lines do not.
func TestSchemaVersion(t *testing.T) {
	home := demoHome(t)
	for line, want := range map[string]string{
		"ls --all --json=id -n 1 --jq .schemaVersion": "1\n",
		"ls --all -n 1 --jq .schemaVersion":           "1\n",
		"version --json=go --jq keys":                 `["go","schemaVersion"]` + "\n",
	} {
		if got := home.run(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := home.run("ls --all --jsonl"); strings.Contains(got, "schemaVersion") {
		t.Errorf("an item of a list has a version: %.100s", got)
	}
	if got := home.run("version --jsonl"); !strings.HasPrefix(got, `{"schemaVersion":1,"version":`) {
		t.Errorf("version --jsonl: %s", got)
	}
}
