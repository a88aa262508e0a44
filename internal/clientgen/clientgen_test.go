package clientgen_test

import (
	"strings"
	"testing"

	"sesskeep/internal/api"
	"sesskeep/internal/clientgen"
	"sesskeep/internal/storetest"
)

// The client has exactly the operations and types of the document.
func TestClientIsCurrent(t *testing.T) {
	const file = "../../client/generated.go"
	doc, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	want, err := clientgen.Generate(doc)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Generated(t, file, want, "run make client-go")
}

// Each part of a document becomes the Go that a caller would write.
func TestGenerate(t *testing.T) {
	const doc = `{"paths":{"/api/v1/things/{id}":{"get":{"operationId":"getThing","summary":"Get a thing, or create it","parameters":[
		{"name":"id","in":"path","schema":{"type":"string"}},{"name":"limit","in":"query","schema":{"type":"integer"}},{"name":"from","in":"query","schema":{"type":"integer"}},{"name":"dryRun","in":"query","schema":{"type":"boolean"}}],
		"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing"}}}}}}}},
		"components":{"schemas":{"MoneyCost":{"description":"Cost is a sum.","type":"number"},"Thing":{"description":"Thing is a sample.","type":"object","required":["id","parts"],"properties":{"id":{"type":"string"},"usd":{"type":["number","null"]},
		"parts":{"type":["array","null"],"items":{"$ref":"#/components/schemas/Thing"}},"madeAt":{"type":"string","format":"date-time"},"cost":{"$ref":"#/components/schemas/MoneyCost"},"starred":{"type":["boolean","null"]},
		"state":{"type":"string","enum":["done","not yet"]},"raw":{},
		"inner":{"$ref":"#/components/schemas/Thing"},"byDay":{"type":"object","additionalProperties":{"type":"integer"}}}}}}}`
	out, err := clientgen.Generate([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(out)), " ")
	for _, want := range []string{
		"// GetThing gets a thing, or creates it.", "func (c *Client) GetThing(ctx context.Context, id string, o GetThingOptions) (*Thing, error) {",
		`return ask[Thing](ctx, c, http.MethodGet, "/things/"+url.PathEscape(id), o.values(), nil)`, "Limit int", "From *int", "DryRun bool",
		"ID string `json:\"id\"`", "// Thing is a sample.", "// Cost is a sum. type Cost float64", "Cost *Cost `json:\"cost,omitempty\"`",
		"State ThingState `json:\"state,omitempty\"`", `ThingStateNotYet ThingState = "not yet"`, "Starred *bool `json:\"starred,omitempty\"`", "USD *float64 `json:\"usd,omitempty\"`", "Parts []Thing `json:\"parts\"`", "MadeAt time.Time `json:\"madeAt,omitzero\"`",
		"Raw json.RawMessage `json:\"raw,omitempty\"`", "Inner *Thing `json:\"inner,omitempty\"`", "ByDay map[string]int64 `json:\"byDay,omitempty\"`",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in:\n%s", want, out)
		}
	}
	for _, bad := range []string{"{", `{"paths":{"/x":{"get":{"operationId":"x"}}}}`} {
		if _, err := clientgen.Generate([]byte(bad)); err == nil {
			t.Errorf("a client was made of %s", bad)
		}
	}
}
