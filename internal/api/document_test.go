package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"sesskeep/internal/access"
)

// webDocument is what the types of the dashboard are made from.
const webDocument = "../../web/openapi.json"

// TestWebDocument holds the document that the dashboard is typed by to the one
// that is served. Run it with SESSKEEP_UPDATE=1 and then "make web-types".
func TestWebDocument(t *testing.T) {
	w := sharedWorld(t)
	want := indented(t, w.ask(access.Read, http.MethodGet, "/api/v1/openapi.json", "").body)
	if os.Getenv("SESSKEEP_UPDATE") != "" {
		if err := os.WriteFile(webDocument, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(webDocument)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is served: run this test with SESSKEEP_UPDATE=1, then make web-types", webDocument)
	}
}

func indented(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", " "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}
