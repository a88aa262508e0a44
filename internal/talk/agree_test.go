package talk

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/statusline"
	"sesskeep/internal/storetest"
)

func open(t *testing.T, home string) *Talk {
	t.Helper()
	set, err := homes.Open(homes.Options{Roots: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	x := freshness.New(freshness.Options{Homes: set, Now: time.Now, Unread: func() []error { return nil }})
	t.Cleanup(func() { _ = x.Close() })
	return New(Options{Homes: set, Index: x, Catalog: catalog.New(catalog.Options{Homes: set, Index: x, Book: statusline.Open("")})})
}

// What the index answers of work and of changes of files is what all transcripts say: with
// forks, agents in files of their own and inside of sessions, clients of every era, and damage.
func TestIndexAgreesWithTranscripts(t *testing.T) {
	rng := rand.New(rand.NewPCG(storetest.Seed(t), 1))
	made, err := storetest.Make(t.TempDir(), storetest.S, rng.Uint64())
	if err != nil {
		t.Fatal(err)
	}
	t.Run("made", func(t *testing.T) { agrees(t, made.Dir, rng) })
	damage(t, made.Dir, rng)
	t.Run("damaged", func(t *testing.T) { agrees(t, made.Dir, rng) })
	hostile := t.TempDir()
	if _, err := storetest.Hostile(hostile); err != nil {
		t.Fatal(err)
	}
	t.Run("hostile", func(t *testing.T) { agrees(t, hostile, rng) })
	for _, home := range realHomes(t) {
		t.Run(filepath.Base(filepath.Dir(home)), func(t *testing.T) { agrees(t, home, rng) })
	}
}

// Work and changes of files are looked up in the index: they cost much less than what they are about.
func TestLookingUpIsCheaper(t *testing.T) {
	made, err := storetest.Make(t.TempDir(), storetest.S, 1)
	if err != nil {
		t.Fatal(err)
	}
	tk := open(t, made.Dir)
	o := WorkOptions{Until: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), Since: time.Unix(0, 0), Zone: time.UTC}
	cost := func(ask func() error) time.Duration {
		before := storetest.CPU(t)
		if err := ask(); err != nil {
			t.Fatal(err)
		}
		return storetest.CPU(t) - before
	}
	work := func() error { _, err := tk.Work(t.Context(), o); return err }
	log := func() error {
		for path := range changedPaths(t, tk, 10) {
			if _, err := tk.FileLog(t.Context(), FileLogOptions{Path: path}); err != nil {
				return err
			}
		}
		return nil
	}
	cost(work) // the index is made
	for what, ask := range map[string]func() error{"work": work, "log": log} {
		tk.distrusts = false
		looked := min(cost(ask), cost(ask), cost(ask))
		tk.distrusts, tk.catalog = true, open(t, made.Dir).catalog // that has read nothing
		if read := cost(ask); looked > read/2 {
			t.Errorf("%s: %v in the index and %v in the transcripts", what, looked, read)
		}
	}
}

// realHomes are those that the real client wrote.
func realHomes(t *testing.T) []string {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Log("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
		return nil
	}
	list, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no homes of the real client (%v)", err)
	}
	return list
}

func agrees(t *testing.T, home string, rng *rand.Rand) {
	tk := open(t, home)
	page, err := tk.catalog.List(t.Context(), ask.Filter{Source: "all"})
	if err != nil {
		t.Fatal(err)
	}
	moments := []time.Time{{}, time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)}
	for _, r := range page.Sessions {
		moments = append(moments, r.LastActivityAt.Time, r.CreatedAt.Time)
	}
	for range 6 {
		span := []time.Time{moments[rng.IntN(len(moments))], moments[rng.IntN(len(moments))].Add(time.Millisecond)}
		slices.SortFunc(span, time.Time.Compare)
		workAgrees(t, tk, WorkOptions{Since: span[0], Until: span[1], Zone: time.UTC})
	}
	workAgrees(t, tk, WorkOptions{Until: moments[1], Zone: time.UTC})
	for path := range changedPaths(t, tk, 12) {
		logAgrees(t, tk, FileLogOptions{Path: path})
		logAgrees(t, tk, FileLogOptions{Path: filepath.Base(path), Since: moments[rng.IntN(len(moments))]})
	}
	for i := range page.Sessions {
		agentsAgree(t, tk, &page.Sessions[i])
	}
}

// agentsAgree compares the agents of a session that is open with those of its files.
func agentsAgree(t *testing.T, tk *Talk, r *catalog.Session) {
	t.Helper()
	target := catalog.Target{Store: tk.homes.At(r.Root).Store, Ref: r.Ref}
	s, err := tk.catalog.Read(t.Context(), target)
	if err != nil {
		return // it cannot be read
	}
	defer s.Close()
	want, wantErr := tk.catalog.Agents(t.Context(), target)
	got, err := catalog.AgentsOf(t.Context(), target, s)
	if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) {
		t.Errorf("agents of %s: %+v, %v, want %+v, %v", r.Ref.File, got, err, want, wantErr)
	}
}

func workAgrees(t *testing.T, tk *Talk, o WorkOptions) {
	t.Helper()
	compare(t, tk, "work since "+o.Since.String()+" until "+o.Until.String(), func() (any, error) { return tk.Work(t.Context(), o) })
}

func logAgrees(t *testing.T, tk *Talk, o FileLogOptions) {
	t.Helper()
	compare(t, tk, "log of "+o.Path+" since "+o.Since.String(), func() (any, error) { return tk.FileLog(t.Context(), o) })
}

// compare asks the index, and then the transcripts. Where one of them cannot be read, the
// index may still know the answer.
func compare(t *testing.T, tk *Talk, what string, ask func() (any, error)) {
	t.Helper()
	var answers [2]string
	var failed [2]error
	for i := range answers {
		tk.distrusts = i == 1
		var answer any
		answer, failed[i] = ask()
		text, err := json.MarshalIndent(answer, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		answers[i] = string(text)
	}
	tk.distrusts = false
	switch {
	case failed[0] != nil && failed[1] == nil:
		t.Errorf("%s: %v", what, failed[0])
	case failed[1] == nil && answers[0] != answers[1]:
		t.Errorf("%s: the index and the transcripts differ:\n%s", what, difference(answers[0], answers[1]))
	}
}

// difference is where two texts first differ.
func difference(a, b string) string {
	one, other := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			from, to := max(0, i-8), i+4
			return strings.Join(one[from:min(to, len(one))], "\n") + "\n--\n" + strings.Join(other[from:min(to, len(other))], "\n")
		}
	}
	return "one of them is longer"
}

// changedPaths are some files that calls changed.
func changedPaths(t *testing.T, tk *Talk, n int) map[string]bool {
	paths := map[string]bool{}
	err := tk.index.Ask(t.Context(), false, func(x *index.Index) error {
		found, err := x.Changes(t.Context(), time.Time{}, time.Time{}, nil)
		for _, f := range found {
			for i := range f.Calls {
				if path := f.Calls[i].File; path != "" && len(paths) < n {
					paths[path] = true
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// damage damages one transcript in two: lines are lost, doubled, torn, glued and overwritten.
func damage(t *testing.T, home string, rng *rand.Rand) {
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" || rng.IntN(2) == 0 {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(lines))
			switch line := lines[at]; rng.IntN(7) {
			case 0:
				lines = slices.Delete(lines, at, at+1)
			case 1:
				lines = slices.Insert(lines, at, line)
			case 2:
				lines[at] = append(bytes.Clone(line[:len(line)/2]), '\n')
			case 3:
				lines[at] = bytes.TrimSuffix(line, []byte("\n"))
			case 4:
				lines[at] = append(make([]byte, len(line)), '\n')
			case 5:
				lines = slices.Insert(lines, at, []byte("\n"))
			case 6:
				lines = append(lines, lines[:min(at, 20)]...)
			}
			if len(lines) == 0 {
				break
			}
		}
		return os.WriteFile(path, bytes.Join(lines, nil), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
