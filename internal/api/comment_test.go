package api_test

import (
	"encoding/json"
	"testing"

	"sesskeep/internal/api"
	"sesskeep/internal/storetest"
)

// The comments that the document is described with are those in the source.
// "make comments" writes them again.
func TestWebComments(t *testing.T) {
	const file = "comments.json"
	comments := storetest.NewComments(t, "../..")
	for _, typ := range api.Types() {
		comments.Add(typ)
	}
	want, err := json.MarshalIndent(comments.Texts(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	storetest.Generated(t, file, want, "run make comments, then make web-types and make client-go")
}
