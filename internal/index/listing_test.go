package index

import (
	"reflect"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
)

// A listing says what was written, and none is made of one that was cut off.
func TestListing(t *testing.T) {
	want := listing{
		dirs: []sesskeep.Dir{{Name: "projects/-w", Modtime: 7}, {Name: "projects/-w/a", Modtime: -1}},
		files: []listedFile{
			{"projects/-w/a.jsonl", homefs.Mark{Device: 1, Inode: 1 << 63, Size: 3, Modtime: -4, Changed: 5}},
			{"projects/-w/b.jsonl", homefs.Mark{}}, {"", homefs.Mark{Size: 1}},
		},
	}
	raw := want.encode()
	if got, ok := decodeListing(raw); !ok || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v", got, ok)
	}
	for n := range raw {
		if got, ok := decodeListing(raw[:n]); ok || len(got.dirs)+len(got.files) > 0 {
			t.Errorf("cut at %d it says %+v", n, got)
		}
	}
	if _, ok := decodeListing(append(raw, 0)); ok {
		t.Error("something behind it is not noticed")
	}
}
