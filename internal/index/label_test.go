package index_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// labelled is an index of a corpus in which some sessions have labels.
func labelled(t *testing.T, dir string) (*index.Index, ask.Home, ask.Page) {
	t.Helper()
	c, err := storetest.Make(t.TempDir(), storetest.S, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, h := open(t, dir, c.Dir, index.Options{})
	return x, h, list(t, x, ask.Filter{Source: "all"})
}

func mirror(t *testing.T, x *index.Index, h ask.Home, generation string, labels ...ask.Label) bool {
	t.Helper()
	loaded, err := x.MirrorLabels(context.Background(), h.Store.Root(), generation, func() ([]ask.Label, error) { return labels, nil })
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func parse(t *testing.T, text string) query.Q {
	t.Helper()
	q, err := query.Parse(text, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// Whatever is archived, what a list shows and what it hides add up to what there
// is, and no row is in two of them.
func TestArchivedAddsUp(t *testing.T) {
	x, h, all := labelled(t, t.TempDir())
	everything := all.Total
	var ids []string
	families := map[string]int{}
	for _, r := range all.Sessions {
		families[orID(r.ParentSessionID, r.ID)]++
		if r.Source == ask.FromUser {
			ids = append(ids, r.ID)
		}
	}
	var labels []ask.Label
	archived := 0
	for n, id := range ids {
		if n%3 == 0 {
			labels = append(labels, ask.Label{ID: id, Archived: time.Now()})
			archived += families[id]
		}
	}
	if !mirror(t, x, h, "1", labels...) || mirror(t, x, h, "1") {
		t.Fatal("labels are mirrored once a generation")
	}
	for _, source := range []string{"", "user", "agent", "helper", "all"} {
		page := list(t, x, ask.Filter{Source: source})
		sum := page.Total
		for _, n := range page.Hidden {
			sum += n
		}
		if twins := page.Hidden["twin"]; sum-twins != everything || page.Hidden["archived"] != archived || len(page.Sessions) != page.Total {
			t.Errorf("source %q: %d shown, hidden %v, want %d in all and %d archived", source, page.Total, page.Hidden, everything, archived)
		}
		only := list(t, x, ask.Filter{Source: source, Archived: ask.ArchivedOnly})
		too := list(t, x, ask.Filter{Source: source, Archived: ask.ArchivedToo})
		if only.Total+page.Total != too.Total {
			t.Errorf("source %q: %d archived and %d not are %d together", source, only.Total, page.Total, too.Total)
		}
		for _, r := range only.Sessions {
			if r.ArchivedAt.IsZero() {
				t.Errorf("%s does not say when it was archived", r.ID)
			}
		}
	}
	counts := ask.Counts{}
	sessions := 0
	projects, err := x.Projects(context.Background(), []string{h.Store.Root()})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range projects {
		counts.User, counts.Agent, counts.Helper = counts.User+p.Counts.User, counts.Agent+p.Counts.Agent, counts.Helper+p.Counts.Helper
		counts.Archived, sessions = counts.Archived+p.Counts.Archived, sessions+p.SessionCount
	}
	if counts.Archived != archived || sessions != everything-archived || counts.User+counts.Agent+counts.Helper != sessions {
		t.Errorf("projects count %+v and %d, want %d archived of %d", counts, sessions, archived, everything)
	}
}

func orID(parent, id string) string {
	if parent != "" {
		return parent
	}
	return id
}

// A list and a search understand the same of labels.
func TestLabelsInQueries(t *testing.T) {
	x, h, _ := labelled(t, t.TempDir())
	users := list(t, x, ask.Filter{}).Sessions
	mirror(t, x, h, "1",
		ask.Label{ID: users[0].ID, Tags: []string{"Later"}, Starred: true},
		ask.Label{ID: users[1].ID, Tags: []string{"done"}, Note: "n"},
		ask.Label{ID: users[2].ID, Archived: time.Now(), Starred: true})
	for text, want := range map[string][]int{
		"tag:later": {0}, "tag:later,done": {0, 1}, "is:starred": {0}, "has:note": {1},
		"is:starred archived:yes": {2}, "archived:yes": {2}, "is:starred -tag:later": {},
	} {
		q := parse(t, text)
		if !index.Listable(q) {
			t.Fatalf("%s cannot be listed", text)
		}
		archived := ask.ArchivedHidden
		if _, asked := q.Filter(query.Archived); asked {
			archived = ask.ArchivedToo
		}
		ids := map[string]bool{}
		for _, n := range want {
			ids[users[n].ID] = true
		}
		listed := map[string]bool{}
		for _, r := range list(t, x, ask.Filter{Query: q, Archived: archived}).Sessions {
			listed[r.ID] = true
		}
		found := map[string]bool{}
		page, err := x.Search(context.Background(), []ask.Home{h}, ask.Search{Query: q, Filter: ask.Filter{Source: "user"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Results {
			found[r.SessionID()] = true
		}
		if !maps.Equal(listed, ids) || !maps.Equal(found, ids) {
			t.Errorf("%s: listed %v, found %v, want %v", text, slices.Collect(maps.Keys(listed)), slices.Collect(maps.Keys(found)), slices.Collect(maps.Keys(ids)))
		}
	}
	if index.Listable(parse(t, "is:error")) || index.Listable(parse(t, "word")) {
		t.Error("that needs the lines")
	}
}

// A title of the user's counts until the client gives the session a new name.
func TestTitles(t *testing.T) {
	x, h, _ := labelled(t, t.TempDir())
	users := list(t, x, ask.Filter{}).Sessions
	for n, r := range users {
		name := fmt.Sprintf("zz %03d", n)
		mirror(t, x, h, name, ask.Label{ID: r.ID, Title: name, Over: r.CustomTitle})
		if got := list(t, x, ask.Filter{Title: name}).Sessions; len(got) != 1 || got[0].Title != name || got[0].CustomTitle != name {
			t.Fatalf("%s is not found by its title: %+v", r.ID, got)
		}
		if got := list(t, x, ask.Filter{Sort: "-title", Limit: 1, Brief: true}).Sessions[0]; got.ID != r.ID || got.Title != name {
			t.Fatalf("%s is not last by its title: %s is", r.ID, got.Title)
		}
		mirror(t, x, h, name+" over", ask.Label{ID: r.ID, Title: name, Over: "another name"})
		for _, brief := range []bool{false, true} {
			if got := list(t, x, ask.Filter{ID: r.ID, Source: "all", Brief: brief}).Sessions[0]; got.Title != r.Title {
				t.Fatalf("%s: the client's newer name %q is %q", r.ID, r.Title, got.Title)
			}
		}
	}
}

// A session is in the lists of the source that its user gave it, also after its file
// was written, and of its own again when that is taken away.
func TestGivenSource(t *testing.T) {
	x, h, all := labelled(t, t.TempDir())
	r := list(t, x, ask.Filter{}).Sessions[0]
	in := func(source string) bool {
		return slices.ContainsFunc(list(t, x, ask.Filter{Source: source}).Sessions, func(s ask.Row) bool { return s.ID == r.ID })
	}
	mirror(t, x, h, "1", ask.Label{ID: r.ID, Source: ask.FromHelper})
	if in("user") || !in("helper") {
		t.Error("it is not where its user put it")
	}
	file := filepath.Join(h.Store.Root(), filepath.FromSlash(r.Ref.File))
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(`{"type":"custom-title","customTitle":"new"}` + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	refresh(t, x, h, index.Options{})
	if got := list(t, x, ask.Filter{Source: "helper"}).Sessions; in("user") || !slices.ContainsFunc(got, func(s ask.Row) bool { return s.CustomTitle == "new" }) {
		t.Error("written again, it is somewhere else")
	}
	mirror(t, x, h, "2")
	if !in("user") || in("helper") || list(t, x, ask.Filter{Source: "all"}).Total != all.Total {
		t.Error("it did not come back")
	}
}
