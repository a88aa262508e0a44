package index_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// spent is what counts, by transcript and model.
type spent map[string]sesskeep.Usage

func (s spent) add(file, model string, u sesskeep.Usage) {
	key := file + " " + model
	s[key] = s[key].Add(u)
}

// slowly counts a home without an index; only what is a fork of what is taken
// from there.
func slowly(tb testing.TB, x *index.Index, home string) (spent, int) {
	tb.Helper()
	forks := map[string]string{}
	page, err := x.List(context.Background(), ask.Filter{Source: "all"})
	if err != nil {
		tb.Fatal(err)
	}
	for _, r := range page.Sessions {
		if r.ForkedFrom != "" {
			forks[r.ID] = r.ForkedFrom
		}
	}
	list, err := storetest.Answers(home, forks)
	if err != nil {
		tb.Fatal(err)
	}
	sum := spent{}
	for _, a := range list {
		sum.add(stem(a.File), a.Model, sesskeep.Usage{
			Input: a.Usage.Input, Output: a.Usage.Output, CacheRead: a.Usage.CacheRead,
			CacheWrite5m: a.Usage.Cache5m, CacheWrite1h: a.Usage.Cache1h,
		})
	}
	return sum, len(list)
}

func indexed(tb testing.TB, x *index.Index, f ask.Filter) (spent, int) {
	tb.Helper()
	sum, n := spent{}, 0
	err := x.Messages(context.Background(), f, func(m *ask.Message) {
		sum.add(m.Location.ID, m.Model, m.Usage)
		n++
	})
	if err != nil {
		tb.Fatal(err)
	}
	return sum, n
}

func checkSpent(t *testing.T, what string, x *index.Index, home string) {
	t.Helper()
	want, all := slowly(t, x, home)
	got, n := indexed(t, x, ask.Filter{})
	if n != all || len(got) != len(want) {
		t.Errorf("%s: %d messages in %d groups, want %d in %d", what, n, len(got), all, len(want))
	}
	for key, w := range want {
		if got[key] != w {
			t.Errorf("%s: %s = %+v, want %+v", what, key, got[key], w)
			return
		}
	}
}

// However files repeat each other's messages, come, go and come back, the index
// counts what a slow reading of all of them counts.
func TestUsageIsCountedOnce(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			c, err := storetest.Make(home, storetest.S.Scale(0.3), seed+1)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(seed, 1))
			x, h := open(t, filepath.Join(t.TempDir(), "cache"), home, index.Options{Workers: 2})
			checkSpent(t, "as made", x, home)
			checkTruth(t, x, c)
			repeatSome(t, rng, home, c)
			refresh(t, x, h, index.Options{})
			checkSpent(t, "with copies", x, home)
			for round := range 3 {
				gone := map[string][]byte{}
				for _, f := range c.Files {
					if rng.IntN(3) == 0 {
						gone[f.Name] = take(t, filepath.Join(home, filepath.FromSlash(f.Name)))
					}
				}
				refresh(t, x, h, index.Options{})
				checkSpent(t, fmt.Sprintf("round %d, %d files gone", round, len(gone)), x, home)
				for name, data := range gone {
					if err := os.WriteFile(filepath.Join(home, filepath.FromSlash(name)), data, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				refresh(t, x, h, index.Options{})
				checkSpent(t, fmt.Sprintf("round %d, files back", round), x, home)
			}
			y, _ := open(t, "", home, index.Options{})
			checkSpent(t, "in memory", y, home)
		})
	}
}

// checkTruth compares with what the maker of the corpus counted.
func checkTruth(t *testing.T, x *index.Index, c *storetest.Corpus) {
	t.Helper()
	got := map[string]storetest.Usage{}
	err := x.Messages(context.Background(), ask.Filter{}, func(m *ask.Message) {
		u := got[m.Model]
		u.Input += m.Usage.Input
		u.Output += m.Usage.Output
		u.CacheRead += m.Usage.CacheRead
		u.CacheCreation += m.Usage.CacheWrite5m + m.Usage.CacheWrite1h
		got[m.Model] = u
	})
	if err != nil {
		t.Fatal(err)
	}
	for model, want := range c.Models {
		want.Cache5m, want.Cache1h = 0, 0
		if got[model] != want {
			t.Errorf("%s = %+v, want %+v", model, got[model], want)
		}
	}
}

var outputs = regexp.MustCompile(`"output_tokens":(\d+)`)

// repeatSome writes sessions that have answers of others, with more or less
// output than they have there.
func repeatSome(t *testing.T, rng *rand.Rand, home string, c *storetest.Corpus) {
	t.Helper()
	for i, f := range c.Files {
		if i%4 != 0 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(f.Name)))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		for line := range bytes.Lines(data) {
			if !bytes.Contains(line, []byte(`"type":"assistant"`)) || rng.IntN(2) == 0 {
				continue
			}
			b.Write(outputs.ReplaceAllFunc(line, func(m []byte) []byte {
				return fmt.Appendf(nil, `"output_tokens":%d`, rng.IntN(400))
			}))
		}
		name := fmt.Sprintf("%08d-0000-4000-8000-%012d.jsonl", i, i)
		dir := strings.Join(strings.Split(f.Name, "/")[:2], "/")
		if err := os.WriteFile(filepath.Join(home, filepath.FromSlash(dir), name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func take(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	return data
}

func answer(id, model, at string, sidechain bool, output int) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"u-%s-%d","parentUuid":null,"cwd":"/w","isSidechain":%v,"timestamp":%q,"message":{"id":%q,"role":"assistant","model":%q,"content":[{"type":"text","text":"x"}],"usage":{"input_tokens":1,"output_tokens":%d}}}`,
		id, output, sidechain, at, id, model, output)
}

const (
	one   = "11111111-0000-4000-8000-000000000000"
	two   = "22222222-0000-4000-8000-000000000000"
	three = "33333333-0000-4000-8000-000000000000"
)

func writeSession(t *testing.T, home, id string, lines ...string) {
	t.Helper()
	dir := filepath.Join(home, "projects", "-w")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Which file counts a message follows the rule, step by step, and the ledger
// names the step.
func TestElection(t *testing.T) {
	const early, late = "2026-11-01T10:00:00.000Z", "2026-11-01T11:00:00.000Z"
	for _, test := range []struct {
		name         string
		first, other string
		winner, why  string
	}{
		{"more output", answer("m", "claude-opus-5-5", early, false, 5), answer("m", "claude-opus-5-5", late, true, 9), two, "more output"},
		{"not a sidechain", answer("m", "claude-opus-5-5", early, true, 5), answer("m", "claude-opus-5-5", late, false, 5), two, "not an agent's copy"},
		{"earlier", answer("m", "claude-opus-5-5", late, false, 5), answer("m", "claude-opus-5-5", early, false, 5), two, "earlier"},
		{"not a fork", branched(answer("m", "claude-opus-5-5", early, false, 5), two), answer("m", "claude-opus-5-5", early, false, 5), two, "not a fork's copy"},
		{"by name", answer("m", "claude-opus-5-5", early, false, 5), strings.Replace(answer("m", "claude-opus-5-5", early, false, 5), `"u-m`, `"v-m`, 1), one, "first by name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			writeSession(t, home, one, test.first, test.first)
			writeSession(t, home, two, test.other)
			x, _ := open(t, "", home, index.Options{})
			rows, sums, _, err := x.Ledger(context.Background(), ask.Filter{}, false)
			if err != nil {
				t.Fatal(err)
			}
			if want := (ask.LedgerSums{Rows: 2, Counted: 1, Dropped: 1, Merged: 1}); sums != want {
				t.Errorf("sums = %+v, want %+v", sums, want)
			}
			for _, r := range rows {
				if r.Counted != (r.Location.ID == test.winner) {
					t.Errorf("%s counted: %v", r.Location.ID, r.Counted)
				}
				if !r.Counted && (r.Winner == nil || r.Winner.ID != test.winner || r.Winner.Why != test.why) {
					t.Errorf("winner = %+v, want %s: %s", r.Winner, test.winner, test.why)
				}
			}
		})
	}
}

// EachLedgerRow gives what the ledger lists, but for where a message counts instead.
func TestEachLedgerRow(t *testing.T) {
	made, err := storetest.Make(t.TempDir(), storetest.S, storetest.Seed(t))
	if err != nil {
		t.Fatal(err)
	}
	x, _ := open(t, "", made.Dir, index.Options{})
	want, _, _, err := x.Ledger(t.Context(), ask.Filter{}, false)
	if err != nil || len(want) == 0 {
		t.Fatalf("%d messages, %v", len(want), err)
	}
	for i := range want {
		l := &want[i]
		l.Location, l.Winner = ask.Location{ID: l.Location.ID, Root: l.Location.Root}, nil
	}
	var got []ask.LedgerRow
	if err := x.EachLedgerRow(t.Context(), ask.Filter{}, func(l *ask.LedgerRow) { got = append(got, *l) }); err != nil {
		t.Fatal(err)
	}
	byName := func(a, b ask.LedgerRow) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Message, b.Message))
	}
	slices.SortFunc(want, byName)
	slices.SortFunc(got, byName)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d messages, want %d, all equal", len(got), len(want))
	}
}

// A copy of a home costs what the home costs when only the copy is looked at,
// and both together cost it once.
func TestUsageOfSomeHomes(t *testing.T) {
	const at = "2026-11-01T10:00:00.000Z"
	homes := [2]string{t.TempDir(), t.TempDir()}
	for _, home := range homes {
		writeSession(t, home, one, answer("m1", "claude-opus-5-5", at, false, 5), answer("m2", "claude-opus-5-5", at, false, 7))
		writeSession(t, home, two, answer("m1", "claude-opus-5-5", at, false, 5))
	}
	writeSession(t, homes[1], three, answer("m3", "claude-haiku-5-5", at, false, 11))
	x, err := index.Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var all []ask.Home
	for _, home := range homes {
		store, err := sesskeep.Open(home)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ask.Home{Store: store})
	}
	if _, err := x.Walk(context.Background(), all, index.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		homes  []ask.Home
		output int64
	}{{all, 23}, {all[:1], 12}, {all[1:], 23}, {nil, 23}} {
		sum, _ := indexed(t, x, ask.Filter{Homes: test.homes})
		output := int64(0)
		for _, u := range sum {
			output += u.Output
		}
		if output != test.output {
			t.Errorf("output of %d homes = %d, want %d", len(test.homes), output, test.output)
		}
	}
}

func TestMessagesFilter(t *testing.T) {
	home := t.TempDir()
	writeSession(t, home, one,
		answer("m1", "claude-opus-5-5", "2026-11-01T10:00:00.000Z", false, 1),
		answer("m2", "claude-haiku-5-5", "2026-11-02T10:00:00.000Z", true, 2),
		answer("m3", "claude-opus-5-5", "", false, 4))
	x, _ := open(t, "", home, index.Options{})
	day := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name   string
		filter ask.Filter
		output int64
	}{
		{"all", ask.Filter{}, 7},
		{"since", ask.Filter{Since: day}, 2},
		{"until", ask.Filter{Until: day}, 1},
		{"model", ask.Filter{Model: "haiku"}, 2},
		{"no source", ask.Filter{Source: "helper"}, 0},
		{"every source", ask.Filter{Source: "all"}, 7},
		{"session", ask.Filter{ID: one}, 7},
		{"other session", ask.Filter{ID: two}, 0},
	} {
		sum, _ := indexed(t, x, test.filter)
		got := int64(0)
		for _, u := range sum {
			got += u.Output
		}
		if got != test.output {
			t.Errorf("%s: output %d, want %d", test.name, got, test.output)
		}
	}
}
