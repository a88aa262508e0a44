package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
)

// changing is a home whose sessions change while it is read page by page.
type changing struct {
	t    *testing.T
	home string
	rng  *rand.Rand
	ids  []string
	line int
}

func (c *changing) name(id string) string {
	return filepath.Join(c.home, "projects", "-w", id+".jsonl")
}

// add writes a line, to a session or to a new one.
func (c *changing) add(id, flags string) {
	c.line++
	text := fmt.Sprintf(`{"type":"user","uuid":"u%d","parentUuid":null,"cwd":"/w","sessionId":%q,"timestamp":"2026-11-%02dT10:%02d:00.000Z","message":{"role":"user","content":"Prompt %d"}}`+"\n",
		c.line, id, 1+c.rng.IntN(28), c.rng.IntN(60), c.rng.IntN(1000))
	if flags == "title" {
		text = fmt.Sprintf(`{"type":"custom-title","customTitle":"Title %d","sessionId":%q}`+"\n", c.rng.IntN(1000), id)
	}
	f, err := os.OpenFile(c.name(id), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		c.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		c.t.Fatal(err)
	}
}

func (c *changing) create() {
	id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", c.rng.Uint32())
	c.ids = append(c.ids, id)
	for range 1 + c.rng.IntN(4) {
		c.add(id, "")
	}
}

// change does something to some sessions: they grow, shrink, get titles, come
// and go.
func (c *changing) change() {
	for range c.rng.IntN(4) {
		id := c.ids[c.rng.IntN(len(c.ids))]
		switch c.rng.IntN(6) {
		case 0:
			c.create()
		case 1:
			_ = os.Remove(c.name(id)) // it may be gone already
		case 2: // it is rewritten, and may be shorter
			_ = os.Remove(c.name(id))
			c.add(id, "")
		case 3:
			c.add(id, "title")
		default:
			c.add(id, "")
		}
	}
}

// sortValue is what a list is sorted by.
func (c *changing) sortValue(r *ask.Row, sort string) string {
	switch strings.TrimPrefix(sort, "-") {
	case "activity":
		return r.LastActivityAt.String()
	case "created":
		return r.CreatedAt.String()
	case "messages":
		return fmt.Sprint(r.MessageCount)
	case "prompts":
		return fmt.Sprint(r.PromptCount)
	case "size":
		return fmt.Sprint(r.FileSize)
	case "title":
		return strings.ToLower(r.Title)
	case "branches":
		return fmt.Sprint(r.ConversationCount)
	}
	c.t.Fatalf("this test does not know the sort %q", sort)
	return ""
}

// Whatever happens between two pages, no row comes twice, and every row whose
// sort value stayed comes once.
func TestPages(t *testing.T) {
	seed := number(t, "SESSKEEP_SEED", 1)
	moved := 0
	for round := range 36 {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		c := &changing{t: t, home: t.TempDir(), rng: rng}
		if err := os.MkdirAll(filepath.Join(c.home, "projects", "-w"), 0o755); err != nil {
			t.Fatal(err)
		}
		for range 14 {
			c.create()
		}
		x := openAt(t, "")
		sort := ask.Sorts[round%len(ask.Sorts)]
		if round/len(ask.Sorts)%2 == 1 {
			sort = "-" + sort
		}
		moved += c.walk(x, ask.Filter{Source: "all", Sort: sort, Limit: 1 + rng.IntN(4)})
		x.Close()
	}
	if moved == 0 {
		t.Error("no row ever moved")
	}
}

// walk reads a list page by page while things change, and gives the number of
// rows that moved.
func (c *changing) walk(x *Index, f ask.Filter) (moved int) {
	c.t.Helper()
	ctx := context.Background()
	values := map[string]map[string]bool{} // of a row, all there ever were
	there := map[string]int{}              // on how many looks it was
	given := map[string]int{}
	looks := 0
	for {
		refreshAll(c.t, x, c.home)
		whole, err := x.List(ctx, ask.Filter{Source: "all"})
		if err != nil {
			c.t.Fatal(err)
		}
		looks++
		for i := range whole.Sessions {
			r := &whole.Sessions[i]
			if values[r.ID] == nil {
				values[r.ID] = map[string]bool{}
			}
			values[r.ID][c.sortValue(r, f.Sort)] = true
			there[r.ID]++
		}
		page, err := x.List(ctx, f)
		if err != nil {
			c.t.Fatal(err)
		}
		if page.Total != whole.Total {
			c.t.Errorf("%s: a total of %d on a page, %d in all", f.Sort, page.Total, whole.Total)
		}
		for i := range page.Sessions {
			given[page.Sessions[i].ID]++
		}
		if !page.HasMore {
			break
		}
		f.Cursor = page.Next
		c.change()
	}
	for id, n := range there {
		switch stayed := n == looks && len(values[id]) == 1; {
		case given[id] > 1:
			c.t.Errorf("%s: %s came %d times", f.Sort, id, given[id])
		case stayed && given[id] != 1:
			c.t.Errorf("%s: %s stayed where it was, and did not come", f.Sort, id)
		case !stayed:
			moved++
		}
	}
	return moved
}

// A cursor continues the list it comes from, and digits skip rows.
func TestCursorOfAnotherList(t *testing.T) {
	c := &changing{t: t, home: t.TempDir(), rng: rand.New(rand.NewPCG(1, 1))}
	if err := os.MkdirAll(filepath.Join(c.home, "projects", "-w"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		c.create()
	}
	x := openAt(t, "")
	defer x.Close()
	refreshAll(t, x, c.home)
	ctx := context.Background()
	all, err := x.List(ctx, ask.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := x.List(ctx, ask.Filter{Limit: 2})
	if err != nil || first.Next == "" {
		t.Fatal(first.Next, err)
	}
	for _, next := range []string{first.Next, "2"} {
		page, err := x.List(ctx, ask.Filter{Limit: 2, Cursor: next})
		if err != nil || len(page.Sessions) != 2 || page.Sessions[0].ID != all.Sessions[2].ID {
			t.Errorf("behind %s: %d rows, %v", next, len(page.Sessions), err)
		}
	}
	for _, f := range []ask.Filter{{Cursor: first.Next, Sort: "size"}, {Cursor: first.Next, Branch: "b"}, {Cursor: "x"}, {Cursor: "-1"}} {
		if _, err := x.List(ctx, f); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("%+v: got %v", f, err)
		}
	}
}
