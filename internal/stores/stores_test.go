package stores

import (
	"path"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"labels.db":                            "titles, tags, notes, stars and what is archived",
		"labels.db-journal":                    "titles, tags, notes, stars and what is archived",
		"backup/labels-20261115T120000Z.db":    "titles, tags, notes, stars and what is archived",
		"backup/7-0":                           "what was changed on this machine, and what undoes it",
		"vault/abcdef/projects/-w/x.box/frame": "copies of what the client wrote",
		"vault/homes.json":                     "names and ids of homes and machines",
		"data.lock":                            "locks",
		"vault":                                "",
		"unheard-of":                           "",
		"trash":                                "",
	} {
		if got, ok := Find(Data, name); got.What != want || ok != (want != "") {
			t.Errorf("%s: %q, %v; want %q", name, got.What, ok, want)
		}
	}
}

// Every row says what happens to its files, and why nothing does.
func TestTable(t *testing.T) {
	for _, s := range Table {
		if s.What == "" || len(s.Files) == 0 || (s.Why == "") != (s.Backup != LeftOut && s.Purge != Unneeded) {
			t.Errorf("%+v: a reason belongs to what is left out or not purged, and only there", s)
		}
		for _, pattern := range s.Files {
			if _, err := path.Match(strings.TrimSuffix(pattern, "/"), "x"); err != nil {
				t.Errorf("%s: %v", pattern, err)
			}
		}
	}
}
