package reading_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/reading"
	"sesskeep/internal/storetest"
)

// Windows of any size make up the whole output, with lines and characters whole
// where they fit.
func TestSavedInWindows(t *testing.T) {
	const id = "11111111-1111-4111-8111-111111111111"
	dir := storetest.Home(t, "-- projects/-w/"+id+".jsonl --\n{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"x\"},\"sessionId\":\""+id+"\"}\n")
	want := strings.Repeat("größer 你好\n", 200) + strings.Repeat("你", 300) + "\nend without newline"
	results := filepath.Join(dir, "projects", "-w", id, "tool-results")
	if err := os.MkdirAll(results, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(results, "b.txt"), []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := sesskeep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ref, _ := store.Ref("projects/-w/" + id + ".jsonl")
	for _, size := range []int{7, 64, 1000, 1 << 20} {
		o, err := reading.OpenSaved(store, ref, "b.txt")
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for at := int64(0); ; {
			text, next, err := o.Window(at, size)
			if err != nil || len(text) > size || text != strings.ToValidUTF8(text, "?") {
				t.Fatalf("window of %d at %d: %d bytes, %q, %v", size, at, len(text), text, err)
			}
			if text == "" {
				break
			}
			got.WriteString(text)
			at = next
		}
		if got.String() != want {
			t.Errorf("windows of %d: %d bytes, want %d", size, got.Len(), len(want))
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"gone.txt", "..", "", "../../" + id + ".jsonl"} {
		if _, err := reading.OpenSaved(store, ref, name); err == nil {
			t.Errorf("%q is opened", name)
		}
	}
}
