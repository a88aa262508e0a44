package index

import (
	"context"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/storetest"
)

// A home that is read in portions has the same answers as one that is read at
// once, rows alone and all of it, also where the reading was broken off.
func TestPortions(t *testing.T) {
	c, err := storetest.Make(t.TempDir(), storetest.S, 3)
	if err != nil {
		t.Fatal(err)
	}
	writeKin(t, c.Dir)
	want := freshAnswers(t, c.Dir)
	folders, first, later := manyFolders, firstPart, laterParts
	manyFolders, firstPart, laterParts = 2, 1, 7
	defer func() { manyFolders, firstPart, laterParts = folders, first, later }()

	x := openAt(t, t.TempDir())
	defer x.Close()
	var done, most []int
	r := refreshWith(t, x, c.Dir, Options{Progress: func(d, total int, _ int64) { done, most = append(done, d), append(most, total) }})
	compareAnswers(t, "in portions", mustAnswer(t, x, c.Dir), want)
	for i := range done {
		if i > 0 && done[i] < done[i-1] || done[i] > most[i] {
			t.Fatalf("progress goes back at %d: %v of %v", i, done, most)
		}
	}
	if len(done) == 0 || r.Files == 0 {
		t.Errorf("nothing was read: %+v", r)
	}

	y := openAt(t, t.TempDir())
	defer y.Close()
	ctx, cancel := context.WithCancel(context.Background())
	_, err = y.Walk(ctx, []ask.Home{homeAt(t, c.Dir)}, Options{Progress: func(d, _ int, _ int64) {
		if d > 12 {
			cancel()
		}
	}})
	if err == nil {
		t.Fatal("the reading was not broken off")
	}
	refreshWith(t, y, c.Dir, Options{RowsOnly: true})
	refreshAll(t, y, c.Dir)
	compareAnswers(t, "after a break", mustAnswer(t, y, c.Dir), want)
}
