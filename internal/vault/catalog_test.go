package vault

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"sesskeep/homefs"
)

// A catalogue says what was written into it; one that is cut, or of another form
// with a right checksum, is damaged.
func TestCatalog(t *testing.T) {
	want := []entry{
		{Dir: "-w", Session: "a", Size: 1, Modtime: -1, File: 1 << 63, Seq: 7, Lost: []string{"plans/a.md"}, Files: []listed{
			{Name: "projects/-w/a.jsonl", Mode: 0o600, Mark: homefs.Mark{Device: 1, Inode: 2, Size: 3, Modtime: -4, Changed: 5, Offset: 6, Lines: 7, Head: 8, Tail: 9, All: 10, Reported: 11}},
			{Name: ""},
		}},
		{Dir: "", Session: "b"},
	}
	path := filepath.Join(t.TempDir(), "catalog")
	put := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data := encodeCatalog(want)
	put(data)
	if got, err := decodeCatalog(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v", got, err)
	}
	whole := len(encodeCatalog(want[:1]))
	for n := range len(data) {
		for _, right := range []bool{false, true} {
			cut := append([]byte{}, data[:n]...)
			if right && n >= 4 {
				binary.BigEndian.PutUint32(cut, homefs.Sum(0, cut[4:]))
			}
			put(cut)
			got, err := decodeCatalog(path)
			if right && (n == whole || n == len(encodeCatalog(nil))) {
				continue // it is another one, of fewer boxes
			}
			if !errors.Is(err, ErrDamaged) || got != nil {
				t.Fatalf("cut at %d: got %v, %v", n, got, err)
			}
		}
	}
}
