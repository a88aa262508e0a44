package index_test

import (
	"os"
	"path/filepath"
	"testing"

	"sesskeep"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// The index has the summaries of the files that are as it read them, and says nothing of
// those that changed since.
func TestSummaries(t *testing.T) {
	const named, plain, grows = "projects/-w/11111111-0000-4000-8000-000000000000.jsonl", "projects/-w/22222222-0000-4000-8000-000000000000.jsonl", "projects/-w/33333333-0000-4000-8000-000000000000.jsonl"
	line := `{"type":"user","uuid":"u1","version":"2.0.1","message":{"role":"user","content":"hello"}}` + "\n"
	dir := storetest.Home(t, "-- "+named+" --\n"+line+`{"type":"summary","summary":"The half line","leafUuid":"u9"}`+"\n-- "+plain+" --\n"+line+"-- "+grows+" --\n"+line)
	x, h := open(t, t.TempDir(), dir, index.Options{})
	f, err := os.OpenFile(filepath.Join(dir, grows), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(`{"type":"summary","summary":"Later","leafUuid":"u1"}` + "\n")
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	var refs []sesskeep.Ref
	for ref, err := range h.Store.Sessions("-w") {
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	found, err := x.Summaries(t.Context(), h.Store.Root(), "-w", refs)
	if err != nil {
		t.Fatal(err)
	}
	if list := found[named]; len(list) != 1 || list[0] != (sesskeep.LeafTitle{Leaf: "u9", Text: "The half line"}) {
		t.Errorf("its summary is %v", list)
	}
	if list, ok := found[plain]; !ok || len(list) != 0 {
		t.Errorf("a file without one: %v, %v", list, ok)
	}
	if list, ok := found[grows]; ok {
		t.Errorf("a file that grew has %v as if it were the same", list)
	}
}
