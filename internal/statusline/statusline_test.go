package statusline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/statusline"
)

// input is what a client of 2.1 writes, without what we do not use.
const input = `{"session_id":"%s","transcript_path":"/home/ada/.claude/projects/-w/%[1]s.jsonl","cwd":"/w",
"model":{"id":"claude-sonnet-4-5-20250929[1m]","display_name":"Sonnet 4.5"},"version":"2.1.325","exceeds_200k_tokens":false,
"cost":{"total_cost_usd":0.25,"total_duration_ms":45000},
"context_window":{"total_input_tokens":85000,"context_window_size":1000000,"used_percentage":8},
"rate_limits":{"five_hour":{"used_percentage":%v,"resets_at":1794760000},"seven_day":{"used_percentage":41.5,"resets_at":1795000000}}}`

func report(session string, percent float64) statusline.Report {
	return statusline.Parse(fmt.Appendf(nil, input, session, percent))
}

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func TestParse(t *testing.T) {
	r := report("s1", 23.5)
	if r.Session != "s1" || r.USD != 0.25 || r.Window != 1_000_000 || r.Model != "claude-sonnet-4-5-20250929[1m]" {
		t.Errorf("%+v", r)
	}
	want := []statusline.Limit{
		{Name: "five_hour", Percent: 23.5, Resets: time.Unix(1794760000, 0).UTC()},
		{Name: "seven_day", Percent: 41.5, Resets: time.Unix(1795000000, 0).UTC()},
	}
	if !slices.Equal(r.Limits, want) {
		t.Errorf("%+v", r.Limits)
	}
	for _, text := range []string{
		``, `nothing`, `[]`, `{"session_id":7,"rate_limits":[1]}`, `{"rate_limits":{"five_hour":null,"x":{"used_percentage":-1}}}`,
		`{"context_window":{"context_window_size":-5},"cost":"much","model":"opus"}`,
	} {
		if r := statusline.Parse([]byte(text)); r.Session != "" || r.Window != 0 || len(r.Limits) > 0 || r.USD != 0 {
			t.Errorf("%s: %+v", text, r)
		}
	}
	r = statusline.Parse([]byte(`{"model":"opus","session_id":"s1","context_window":{"context_window_size":200000}}`))
	if r.Session != "s1" || r.Window != 200_000 {
		t.Errorf("behind a field of another shape: %+v", r)
	}
}

// What one process keeps another finds.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	const root = "/home/ada/.claude"
	if err := statusline.Open(dir).Keep(report("s1", 20), noon); err != nil {
		t.Fatal(err)
	}
	b := statusline.Open(dir)
	if got := b.Window(root, "s1", "claude-sonnet-4-5-20250929"); got != 1_000_000 {
		t.Errorf("window %d", got)
	}
	for _, other := range [][3]string{
		{"/elsewhere", "s1", "claude-sonnet-4-5-20250929"}, {root, "s2", "claude-sonnet-4-5-20250929"}, {root, "s1", "claude-haiku-4-5"},
	} {
		if got := b.Window(other[0], other[1], other[2]); got != 0 {
			t.Errorf("%v has the window %d", other, got)
		}
	}
	check := func(percent float64, at time.Time) {
		t.Helper()
		seen, err := b.Limits([]string{"/elsewhere", root})
		if err != nil || len(seen) != 2 || seen[0].Root != root || seen[0].Percent != percent || !seen[0].Seen.Equal(at) {
			t.Errorf("%+v, %v; want %v %% at %v", seen, err, percent, at)
		}
	}
	check(20, noon)
	keep := func(session string, percent float64, after time.Duration) {
		t.Helper()
		if err := statusline.Open(dir).Keep(report(session, percent), noon.Add(after)); err != nil {
			t.Fatal(err)
		}
	}
	keep("s2", 30, time.Minute)
	check(30, noon.Add(time.Minute))
	keep("s1", 20, 5*time.Minute) // it rests, and says again what it said
	check(30, noon.Add(time.Minute))
	keep("s2", 30, 6*time.Minute)
	check(30, noon.Add(6*time.Minute))
	keep("s1", 2, 10*time.Minute) // a new window began
	check(2, noon.Add(10*time.Minute))
}

// Clients that draw at the same moment leave one whole file, and damage is
// replaced by the next report.
func TestKeepTogether(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			for i := range 20 {
				if err := statusline.Open(dir).Keep(report(fmt.Sprint("s", n), float64(i)), noon.Add(time.Duration(i)*time.Second)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen, err := statusline.Open(dir).Limits([]string{"/home/ada/.claude"})
	if err != nil || len(seen) != 2 {
		t.Errorf("%+v, %v", seen, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "statusline.json"), []byte(`[{"root":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := statusline.Open(dir).Keep(report("s1", 50), noon); err != nil {
		t.Fatal(err)
	}
	seen, err = statusline.Open(dir).Limits([]string{"/home/ada/.claude"})
	if err != nil || len(seen) != 2 || seen[0].Percent != 50 {
		t.Errorf("after damage: %+v, %v", seen, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The same report is not written again and again.
func TestKeepSeldom(t *testing.T) {
	dir := t.TempDir()
	keep := func(after time.Duration) time.Time {
		t.Helper()
		if err := statusline.Open(dir).Keep(report("s1", 20), noon.Add(after)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, "statusline.json"))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	first := keep(0)
	past := first.Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "statusline.json"), past, past); err != nil {
		t.Fatal(err)
	}
	if got := keep(time.Second); !got.Equal(past) {
		t.Error("written again a second later")
	}
	if got := keep(2 * time.Minute); got.Equal(past) {
		t.Error("not written again two minutes later")
	}
}
