package index_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// A line that is longer than a block lies in several. What is asked for together may lie
// in different ones, and any of it may lie where one ends; the line is found once.
func TestLongLine(t *testing.T) {
	const size = 300 << 10
	var text strings.Builder
	for n := 0; text.Len() < size; n++ {
		fmt.Fprintf(&text, "w%05dx ", n)
	}
	const id = "10000000-0000-4000-8000-000000000000"
	line := func(uuid, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":%q,"timestamp":"2026-11-01T00:00:00.000Z","message":{"role":"user","content":%q}}`, uuid, id, text)
	}
	name := "projects/-w/" + id + ".jsonl"
	home := storetest.Home(t, "-- "+name+" --\n"+line("a", "short w00001x")+"\n"+line("b", text.String())+"\n"+line("c", "short w00002x")+"\n")
	x, h := open(t, t.TempDir(), home, index.Options{})
	find := func(text string, want ...int) {
		t.Helper()
		q, err := query.Parse(text, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		page := search(t, x, h, ask.Search{Query: q, Hits: 10})
		for _, n := range want {
			if !has(page, name, n) {
				t.Errorf("%s: line %d is not found", text, n)
			}
		}
		count := search(t, x, h, ask.Search{Query: q, Count: true})
		if page.HitCount != len(want) || count.HitCount != len(want) || !page.Complete || !count.Complete {
			t.Errorf("%s: %d hits, %d counted, want %d", text, page.HitCount, count.HitCount, len(want))
		}
	}
	find("w00001x", 1, 2)
	find("w00001x w38000x", 2)
	find("w00003x w20000x w38000x", 2)
	find("w00001x -w38000x", 1)
	find("w00001x w00002x", 2)
	find("/w0000[12]x/", 1, 2, 3)
	find("w99999x w00001x")
	for n := 0; n < size/8-100; n += 997 {
		find(fmt.Sprintf("\"%05dx w%05d\"", n, n+1), 2)
	}
	from := strings.Index(text.String(), "w06000x")
	find("\""+text.String()[from:from+900]+"\"", 2)

	path := filepath.Join(home, filepath.FromSlash(name))
	storetest.Append(t, path, line("d", "short again"))
	refresh(t, x, h, index.Options{})
	find("again", 4)
	find("short", 1, 3, 4)
}
