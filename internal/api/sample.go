package api

import (
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// Every operation has an example of its body and of its answer. It is generated from the
// schema, so that it is always valid.

// samples are the values of fields, by name.
var samples = map[string]any{
	"id": "39877941-aab8-4b02-abd4-e7471d0664fc", "sessionId": "39877941-aab8-4b02-abd4-e7471d0664fc", "parentSessionId": "39877941-aab8-4b02-abd4-e7471d0664fc",
	"leaf": "1f6b482c-8501-44eb-a4fd-7a068247495f", "messageId": "1f6b482c-8501-44eb-a4fd-7a068247495f", "forkPoint": "f633015a-ddc1-49b4-8792-8a97b4b0eed3",
	"key": "39877941-aab8-4b02-abd4-e7471d0664fc@sk3m5x.t6typn3b", "agentId": "a4369462bf3fc46e4", "root": "/home/ada/.claude", "path": "/home/ada/src/parser",
	"projectPath": "/home/ada/src/parser", "project": "parser-ixt7", "dirName": "-home-ada-src-parser", "name": "parser", "machine": "vm", "home": "main",
	"title": "Fix the flaky parser test on CI", "customTitle": "Fix the flaky parser test on CI", "model": "claude-opus-5-5", "gitBranch": "main", "clientVersion": "2.1.325",
	"file": "projects/-home-ada-src-parser/39877941-aab8-4b02-abd4-e7471d0664fc.jsonl", "source": "user", "started": "person", "tz": "Europe/Berlin", "tool": "Bash",
	"word": "working", "next": "eyJsIjoiMmZnbTE1NXBsbmx2MSJ9", "query": "half line", "q": "half line", "code": "not_found", "role": "read", "verb": "archive", "kind": "prompt",
	"url": "/sessions/39877941/export?ticket=dRmYPfe8lsZMnJSfsHUToDWv", "day": "2026-11-15", "date": "2026-11-15", "apiVersion": "2.0", "version": "1.0.0", "order": "desc",
	"usd": 0.66, "usedPercent": 42.0, "total": 145, "hasMore": true, "line": 1, "timestamp": sampleTime,
	"prompt": "Run the tests again", "tags": []any{"later"}, "sessionIds": []any{"39877941-aab8-4b02-abd4-e7471d0664fc"}, "unneeded": []any{"all"},
}

const sampleTime = "2026-11-15T12:00:00.000Z"

// sampleDepth is how deep examples go into nested objects.
const sampleDepth = 6

// addSamples adds an example to every operation of the document.
func (s document) addSamples() {
	for _, item := range s.doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			if op.RequestBody != nil {
				s.addSample(op.RequestBody.Content)
			}
			for _, r := range op.Responses {
				s.addSample(r.Content)
			}
			for _, p := range op.Parameters {
				if p.Example == nil && p.In == "path" {
					p.Example, _ = s.sample(p.Schema, p.Name, 0)
				}
			}
		}
	}
}

func (s document) addSample(content map[string]*huma.MediaType) {
	for kind, m := range content {
		if m.Example == nil && kind == "application/json" { // all problems look the same
			m.Example, _ = s.sample(m.Schema, "", 0)
		}
	}
}

// sample returns an example of a schema; false if there is no small one.
func (s document) sample(schema *huma.Schema, name string, depth int) (any, bool) {
	if schema.Ref != "" {
		schema = s.doc.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	if named, ok := samples[name]; ok && fits(schema, named) {
		return named, true
	}
	switch {
	case len(schema.Examples) > 0:
		return schema.Examples[0], true
	case len(schema.Enum) > 0:
		return schema.Enum[0], true
	case schema.Type == huma.TypeObject && depth > sampleDepth:
		return nil, false
	}
	switch schema.Type {
	case huma.TypeObject:
		return s.sampleObject(schema, depth), true
	case huma.TypeArray:
		one, ok := s.sample(schema.Items, name, depth+1)
		if !ok {
			return []any{}, true
		}
		least := 1
		if schema.MinItems != nil {
			least = *schema.MinItems
		}
		return slices.Repeat([]any{one}, least), true
	case huma.TypeInteger:
		return 1, true
	case huma.TypeNumber:
		return 0.5, true
	case huma.TypeBoolean:
		return false, true
	case huma.TypeString:
		if schema.Format == "date-time" {
			return sampleTime, true
		}
		return "text", true
	}
	return map[string]any{}, true
}

// sampleObject returns an object with the required properties and those that samples has
// values for.
func (s document) sampleObject(schema *huma.Schema, depth int) map[string]any {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		_, good := samples[name]
		if !slices.Contains(schema.Required, name) && !good && len(p.Examples) == 0 {
			continue
		}
		if value, ok := s.sample(p, name, depth+1); ok {
			object[name] = value
		}
	}
	return object
}

// fits reports whether a sample has the type of a schema.
func fits(schema *huma.Schema, value any) bool {
	switch value.(type) {
	case string:
		return schema.Type == huma.TypeString && len(schema.Enum) == 0 && (schema.Format == "" || value == sampleTime)
	case float64:
		return schema.Type == huma.TypeNumber
	case int:
		return schema.Type == huma.TypeInteger
	case bool:
		return schema.Type == huma.TypeBoolean
	case []any:
		return schema.Type == huma.TypeArray && schema.Items != nil && schema.Items.Type == huma.TypeString
	}
	return false
}
