package app_test

import (
	"os"
	"testing"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/storetest"
)

// A transcript that could not be read when the index was made is read once it can be, without a
// new line and without waiting for the next walk.
func TestReadableAgain(t *testing.T) {
	if !storetest.AsPlain(t) {
		return
	}
	home := storetest.Home(t, "-- projects/-w/"+storetest.PaidID+".jsonl --\n"+storetest.Paid(0, "begin"))
	file := home + "/projects/-w/" + storetest.PaidID + ".jsonl"
	chmod := func(mode os.FileMode) {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
	}
	chmod(0)
	a := opened(t, app.Options{Roots: []string{home}, Cache: t.TempDir()})
	a.Stay()
	storetest.Soon(t, func() string {
		if a.Index.Hub() == nil || a.Index.Walks() < 2 || a.Index.Coverage().UnreadableCount != 1 {
			return "the owner does not come to rest"
		}
		return ""
	})
	walks := a.Index.Walks()
	chmod(0o600)
	storetest.Soon(t, func() string {
		page := listed(t, a, ask.Filter{})
		if len(page.Sessions) != 1 || page.Sessions[0].MessageCount == 0 || !page.Coverage.Complete {
			return "the row of a transcript that can be read again stays empty"
		}
		return ""
	})
	if a.Index.Walks() > walks {
		t.Error("only a walk found it")
	}
}
