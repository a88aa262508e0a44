package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// A search waits for those that run, leaves when its caller does, and gives back
// what it had.
func TestSearchesShare(t *testing.T) {
	a, _ := owned(t, Options{})
	q, err := query.Parse("begin", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for range cap(a.slots) {
		a.slots <- struct{}{} // others are at it
	}
	ctx, leave := context.WithCancel(t.Context())
	gone, got := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := a.Search(ctx, Search{Query: q})
		gone <- err
	}()
	go func() {
		page, err := a.Search(t.Context(), Search{Query: q})
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
	for range cap(a.slots) {
		<-a.slots
	}
	if err := <-got; err != nil {
		t.Error(err)
	}
	if n := len(a.slots); n != 0 {
		t.Errorf("%d slots are not given back", n)
	}
}

// The branches of what was found are named as far as the budget goes.
func TestNamingCosts(t *testing.T) {
	turn := func(uuid, parent, role, text string) string {
		return fmt.Sprintf(`{"type":%[3]q,"uuid":%[1]q,"parentUuid":%[2]s,"sessionId":"`+ownedID+`","timestamp":"2026-11-15T12:00:0%[5]sZ","message":{"role":%[3]q,"content":%[4]q}}`+"\n",
			uuid, parent, role, text, uuid)
	}
	text := turn("1", "null", "user", "start") + turn("2", `"1"`, "assistant", "yes") +
		turn("3", `"2"`, "user", "needle one") + turn("4", `"3"`, "assistant", "done") +
		turn("5", `"2"`, "user", "needle two") + turn("6", `"5"`, "assistant", "done")
	a, err := Open(Options{Roots: []string{storetest.Home(t, "-- projects/-w/"+ownedID+".jsonl --\n"+text)}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	q, err := query.Parse("needle", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		budget int64
		want   string
	}{{0, "4"}, {1 << 20, "4"}, {int64(len(text)), ""}} {
		page, err := a.Search(t.Context(), Search{Query: q, Budget: test.budget, Limit: 10})
		if err != nil || page.HitCount != 2 {
			t.Fatalf("%d hits, %v", page.HitCount, err)
		}
		var leaves strings.Builder
		for _, h := range page.Results[0].Hits {
			leaves.WriteString(h.Leaf)
		}
		if leaves.String() != test.want {
			t.Errorf("with a budget of %d the branches are %q, want %q", test.budget, leaves.String(), test.want)
		}
	}
}
