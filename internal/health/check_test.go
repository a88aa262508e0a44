package health

import (
	"testing"

	"sesskeep"
)

// What the index has and the disk does not, and the other way round, is found.
func TestIndexDiffers(t *testing.T) {
	folders := []sesskeep.Folder{{Refs: []sesskeep.Ref{{File: "same", Size: 1}, {File: "grown", Size: 2}, {File: "new", Size: 3}}}}
	var got []string
	for _, f := range differences(map[string]int64{"same": 1, "grown": 1, "gone": 1}, folders) {
		got = append(got, f.File)
	}
	if want := []string{"grown", "new", "gone"}; len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("%v differ, want %v", got, want)
	}
}
