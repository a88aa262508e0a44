package history

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/paging"
)

// A long history is read from its end, and says the same as if all of it were
// read: the first page, every page after it, and what was typed since a day.
func TestLongHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 7 MB")
	}
	root := t.TempDir()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var b strings.Builder
	const lines = 6000
	for i := range lines {
		at := start.Add(time.Duration(i-i%7*3) * time.Minute) // not quite in order
		fmt.Fprintf(&b, `{"display":"prompt %d %s","timestamp":%d,"project":"/w/%d"}`+"\n", i, strings.Repeat("x", 1100), at.UnixMilli(), i%3)
	}
	if err := os.WriteFile(filepath.Join(root, "history.jsonl"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := homes.Open(homes.Options{Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	x := freshness.New(freshness.Options{Homes: set, Now: time.Now, Unread: func() []error { return nil }})
	defer x.Close()
	hs := New(set, catalog.New(catalog.Options{Homes: set, Index: x}))
	prompts := func(limit int64, f PromptFilter) PromptPage {
		t.Helper()
		was := wholeHistory
		wholeHistory = limit
		defer func() { wholeHistory = was }()
		page, err := hs.Prompts(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	texts := func(page PromptPage) (list []string) {
		for _, p := range page.Prompts {
			list = append(list, p.Text[:20])
		}
		return list
	}
	everywhere := Where{All: true}
	for name, f := range map[string]PromptFilter{
		"first page":  {Where: everywhere, Slice: paging.Slice{Limit: 30}},
		"with a text": {Where: everywhere, Text: "prompt 599", Slice: paging.Slice{Limit: 5}},
		"rare":        {Where: everywhere, Text: "prompt 17 ", Slice: paging.Slice{Limit: 5}},
		"skipped":     {Where: everywhere, Slice: paging.Slice{Limit: 10, Offset: 2500}},
		"one project": {Where: Where{Project: "/w/1"}, Slice: paging.Slice{Limit: 30}},
		"since":       {Where: everywhere, Since: start.Add((lines - 300) * time.Minute)},
		"until":       {Where: everywhere, Until: start.Add(200 * time.Minute), Slice: paging.Slice{Limit: 500}},
	} {
		whole, end := prompts(1<<40, f), prompts(1<<20, f)
		if got, want := fmt.Sprint(texts(end)), fmt.Sprint(texts(whole)); got != want || end.HasMore != whole.HasMore || end.Next != whole.Next || len(whole.Prompts) == 0 {
			t.Errorf("%s: from the end %.300s, want %.300s", name, got, want)
		}
		if all := name == "rare" || name == "since" || name == "until"; !whole.Complete || all != end.Complete {
			t.Errorf("%s: complete is %v and %v", name, whole.Complete, end.Complete)
		}
	}
	seen, pages := map[string]bool{}, 0
	for f := (PromptFilter{Where: everywhere, Slice: paging.Slice{Limit: 1500}}); ; pages++ {
		page := prompts(1<<20, f)
		for _, p := range page.Prompts {
			seen[p.Text[:20]] = true
		}
		if f.Slice.Cursor = page.Next; page.Next == "" {
			break
		}
	}
	if len(seen) != lines || pages != lines/1500-1 {
		t.Errorf("%d prompts on %d pages, want %d", len(seen), pages+1, lines)
	}
}
