package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"sesskeep/internal/access"
	"sesskeep/internal/storetest"
)

// webDocument is what the types of the dashboard are made from.
const webDocument = "../../web/openapi.json"

// TestWebDocument holds the document that the dashboard is typed by to the one
// that is served.
func TestWebDocument(t *testing.T) {
	w := sharedWorld(t)
	want := indented(t, w.ask(access.Read, http.MethodGet, "/api/v1/openapi.json", "").body)
	storetest.Generated(t, webDocument, want, "run make web-types")
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
