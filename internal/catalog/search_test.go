package catalog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/query"
	"sesskeep/internal/statusline"
	"sesskeep/internal/storetest"
)

// A search waits for those that run, leaves when its caller does, and gives back
// what it had.
func TestSearchesShare(t *testing.T) {
	c := open(t, storetest.Home(t, "-- projects/-w/"+storetest.PaidID+".jsonl --\n"+storetest.Paid(0, "begin")), "")
	q, err := query.Parse("begin", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for range cap(c.slots) {
		c.slots <- struct{}{} // others are at it
	}
	ctx, leave := context.WithCancel(t.Context())
	gone, got := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := c.Search(ctx, ask.Search{Query: q})
		gone <- err
	}()
	go func() {
		page, err := c.Search(t.Context(), ask.Search{Query: q})
		if err == nil && page.HitCount != 1 {
			err = fmt.Errorf("%d hits", page.HitCount)
		}
		got <- err
	}()
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who leaves gets %v", err)
	}
	select {
	case err := <-got:
		t.Errorf("it does not wait: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	for range cap(c.slots) {
		<-c.slots
	}
	if err := <-got; err != nil {
		t.Error(err)
	}
	if n := len(c.slots); n != 0 {
		t.Errorf("%d slots are not given back", n)
	}
}

// The index names the branch of a hit as whoever reads the transcript does, also
// after lines were added that make another branch the active one.
func TestBranchesOfHits(t *testing.T) {
	const sessions, steps = 12, 4
	chance := rand.New(rand.NewPCG(7, 7))
	home, cache := t.TempDir(), t.TempDir()
	dir := filepath.Join(home, "projects", "-w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var lines [sessions]int
	named := 0
	for range steps {
		for n := range sessions {
			id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)
			grow(t, chance, filepath.Join(dir, id+".jsonl"), id, &lines[n])
		}
		c := open(t, home, cache)
		named += compareBranches(t, c)
		if err := c.index.Close(); err != nil {
			t.Error(err)
		}
	}
	if named < 100 {
		t.Errorf("only %d hits were on another branch", named)
	}
}

// grow adds some turns to a transcript, each below one of the last few lines, or
// without a message.
func grow(t *testing.T, chance *rand.Rand, file, id string, lines *int) {
	t.Helper()
	var b strings.Builder
	for range 4 + chance.IntN(8) {
		n := *lines
		*lines++
		if n > 0 && chance.IntN(6) == 0 {
			fmt.Fprintf(&b, `{"type":"mode","mode":"needle","sessionId":%q}`+"\n", id)
			continue
		}
		parent := "null"
		if n > 0 {
			parent = fmt.Sprintf(`"%s-%d"`, id[:8], max(0, n-1-chance.IntN(4)))
		}
		role := []string{"user", "assistant"}[n%2]
		fmt.Fprintf(&b, `{"type":%q,"uuid":"%s-%d","parentUuid":%s,"sessionId":%q,"timestamp":"2026-11-15T12:%02d:%02dZ","message":{"id":"m%d","role":%q,"content":"needle %d"}}`+"\n",
			role, id[:8], n, parent, id, n/60, n%60, n, role, n)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.WriteString(b.String()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// compareBranches looks for everything, and counts the hits that are not on the
// active branch.
func compareBranches(t *testing.T, c *Catalog) (named int) {
	t.Helper()
	q, err := query.Parse("needle", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.Search(t.Context(), ask.Search{Query: q, Hits: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Results {
		s, err := c.Read(t.Context(), Target{Store: c.homes.List[0].Store, Ref: r.Session.Ref})
		if err != nil {
			t.Fatal(err)
		}
		active := s.PathTo(s.ActiveLeaf())
		for _, h := range r.Hits {
			want := ""
			turn, err := s.Find(h.UUID)
			if h.UUID != "" && err == nil && !slices.Contains(active, turn) {
				if n := s.Number(s.LeafBelow(turn)); n > 0 {
					want = s.Transcript.Tree.Conversations[len(s.Transcript.Tree.Conversations)-n].Leaf
				}
			}
			if h.Leaf != want {
				t.Errorf("%s line %d: branch %q, want %q", r.SessionID, h.Line, h.Leaf, want)
			}
			if want != "" {
				named++
			}
		}
		s.Close()
	}
	return named
}

// open makes a Catalog of one home.
func open(t *testing.T, home, cache string) *Catalog {
	t.Helper()
	set, err := homes.Open(homes.Options{Roots: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	x := freshness.New(freshness.Options{Homes: set, Cache: cache, Now: time.Now, Unread: func() []error { return nil }})
	t.Cleanup(func() { _ = x.Close() })
	return New(Options{Homes: set, Index: x, Book: statusline.Open("")})
}
