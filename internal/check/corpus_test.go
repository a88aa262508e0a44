package check_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/check"
)

// realClient is the corpus of homes that real clients wrote, or skips.
func realClient(t *testing.T) string {
	t.Helper()
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: the corpus of real homes is not there")
	}
	return filepath.Join(shared, "corpus", "real-client")
}

// checkAll checks every session of a home.
func checkAll(t *testing.T, home string) map[string]check.Report {
	t.Helper()
	s, err := sesskeep.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]check.Report{}
	refs, err := s.Find("")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		family, err := s.Family(ref.Session)
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.Session(context.Background(), s, family, check.Options{Siblings: check.SiblingsOf(s.Folder(ref.Dir))})
		if err != nil {
			t.Fatal(err)
		}
		reports[string(ref.Session)] = r
	}
	return reports
}

var noteLine = regexp.MustCompile(`(?m)^- (.*): session (\S+); --resume exit (\d+).*; messages sent to the model (\d*);`)

// The verdict about every damaged file equals what the client did with it.
func TestVerdictsOfTheClient(t *testing.T) {
	dir := filepath.Join(realClient(t), "p23-damaged")
	notes, err := os.ReadFile(filepath.Join(dir, "NOTES.md"))
	if err != nil {
		t.Fatal(err)
	}
	reports := checkAll(t, damagedHome(t))
	cases := noteLine.FindAllStringSubmatch(string(notes), -1)
	if len(cases) < 10 {
		t.Fatalf("%d cases in the notes", len(cases))
	}
	control := ""
	for _, c := range cases {
		what, id, exit, messages := c[1], c[2], c[3], c[4]
		if strings.HasPrefix(what, "control") {
			control = messages
		}
		want := check.Yes
		switch {
		case exit != "0":
			want = check.No
		case messages != control:
			want = check.Partly
		}
		r, ok := reports[id]
		if !ok {
			t.Errorf("%s: session %s was not checked", what, id)
			continue
		}
		if r.Verdict.Resumes != want {
			t.Errorf("%s: verdict %s (%s), the client: %s", what, r.Verdict.Resumes, r.Verdict.Why, want)
		}
		fine := strings.HasPrefix(what, "control") || strings.HasPrefix(what, "unknown") || strings.HasPrefix(what, "file replaced by a symlink")
		if named := r.Damaged() || r.Repairable(); named == fine {
			t.Errorf("%s: findings %v, notes %v", what, r.Findings, r.Notes)
		}
	}
}

// damagedHome is a copy of the damaged home. Its link is a file there.
func damagedHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join(realClient(t), "p23-damaged", ".claude"))); err != nil {
		t.Fatal(err)
	}
	link, err := filepath.Glob(filepath.Join(home, "projects", "*", "00000000-0000-4000-8000-000000002309.jsonl"))
	if err != nil || len(link) != 1 {
		t.Fatal(link, err)
	}
	if err := os.Remove(link[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(link[0])+".real", link[0]); err != nil {
		t.Fatal(err)
	}
	return home
}

// Nothing is wrong with what clients wrote, except where somebody damaged it.
func TestNothingWrongWithTheClient(t *testing.T) {
	homes, err := filepath.Glob(filepath.Join(realClient(t), "*", ".claude"))
	if err != nil || len(homes) == 0 {
		t.Fatal(homes, err)
	}
	sort.Strings(homes)
	for _, home := range homes {
		if strings.Contains(home, "p23-damaged") {
			continue
		}
		for id, r := range checkAll(t, home) {
			for _, f := range r.Findings {
				if f.Code == check.Empty && strings.Contains(home, "v2.0.") {
					continue // what those clients leave of a start with --resume
				}
				t.Errorf("%s %s: %+v", filepath.Base(filepath.Dir(home)), id, f)
			}
		}
	}
}
