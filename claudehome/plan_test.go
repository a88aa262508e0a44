package claudehome_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

func TestPlans(t *testing.T) {
	s := openHome(t, "-- plans/quiet-river.md --\n# One\n-- plans/loud-hill.md --\n# Another one\n-- plans/x.txt --\n-- plans/.hidden.md --\n")
	old := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(s.Path("plans/loud-hill.md"), old, old); err != nil {
		t.Fatal(err)
	}
	plans, err := claudehome.Plans(s)
	if err != nil || len(plans) != 2 || plans[0].Slug != "quiet-river" || plans[1].Slug != "loud-hill" {
		t.Fatalf("got %+v, %v", plans, err)
	}
	if p := plans[1]; p.Size != int64(len("# Another one\n")) || !p.Modified.Equal(old) {
		t.Errorf("got %+v", p)
	}
	if text, err := claudehome.ReadPlan(s, "quiet-river"); text != "# One\n" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestPlanNames(t *testing.T) {
	s := openHome(t, "-- plans/a.md --\n-- secret.md --\n-- plans/.hidden.md --\n")
	if err := os.Symlink("../secret.md", s.Path("plans/link.md")); err != nil {
		t.Log("no symbolic links here:", err)
	}
	for _, slug := range []string{"", "none", "link", "../secret", "/a", `..\secret`, ".hidden", "a.md", "a\x00", "C:a"} {
		if text, err := claudehome.ReadPlan(s, slug); text != "" || !errors.Is(err, sesskeep.ErrNotFound) {
			t.Errorf("%q: got %q, %v", slug, text, err)
		}
	}
}
