package index

import (
	"os"
	"slices"
	"testing"
	"time"

	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/storetest"
)

// A session is listed for a span of time exactly if a line of it was written
// then, as the files themselves say, and no prompt and no message is counted
// on two days or on none.
func TestActiveWithin(t *testing.T) {
	home := t.TempDir()
	_, err := storetest.Make(home, storetest.S.Scale(0.2), 3)
	must(t, err)
	// One that rests in between.
	must(t, os.MkdirAll(home+"/projects/-w", 0o755))
	storetest.Append(t, home+"/projects/-w/11111111-0000-4000-8000-000000000000.jsonl",
		`{"type":"user","uuid":"a","cwd":"/w","timestamp":"2026-10-01T10:00:00.000Z","message":{"role":"user","content":"begin"}}`,
		`{"type":"user","uuid":"b","parentUuid":"a","cwd":"/w","message":{"role":"user","content":"when?"}}`,
		`{"type":"user","uuid":"c","parentUuid":"b","cwd":"/w","timestamp":"2026-10-03T10:00:00.000Z","message":{"role":"user","content":"end"}}`)
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, home)
	times := lineTimes(t, home)

	var all []int64
	for _, list := range times {
		all = append(all, list...)
	}
	first, last := time.UnixMilli(slices.Min(all)).UTC().Truncate(24*time.Hour), time.UnixMilli(slices.Max(all))
	days, partial, prompts, messages := 0, 0, 0, 0
	for day := first; day.Before(last) && days < 400; day, days = day.AddDate(0, 0, 1), days+1 {
		f := ask.Filter{Homes: []ask.Home{homeAt(t, home)}, Source: "all", Since: day, Until: day.AddDate(0, 0, 1)}
		partial += checkDay(t, x, f, times)
		p, m := figuresOf(t, x, f)
		prompts, messages = prompts+p, messages+m
	}
	if partial == 0 {
		t.Error("no day lay between the first and the last line of a session: nothing was proved")
	}
	p, m := figuresOf(t, x, ask.Filter{Homes: []ask.Home{homeAt(t, home)}, Since: first})
	if prompts != p || messages != m || p == 0 {
		t.Errorf("%d days have %d prompts and %d messages, all of them %d and %d", days, prompts, messages, p, m)
	}
}

// checkDay compares the list of a day with the lines of that day. It counts the
// sessions that last over the day without a line on it.
func checkDay(t *testing.T, x *Index, f ask.Filter, times map[string][]int64) (rested int) {
	t.Helper()
	page, err := x.List(t.Context(), f)
	must(t, err)
	var got, want []string
	for _, r := range page.Sessions {
		got = append(got, r.Ref.File)
	}
	that := func(ms int64) bool { return ms >= f.Since.UnixMilli() && ms < f.Until.UnixMilli() }
	for file, list := range times {
		if slices.ContainsFunc(list, that) {
			want = append(want, file)
		} else if len(list) > 0 && slices.Min(list) < f.Since.UnixMilli() && slices.Max(list) >= f.Until.UnixMilli() {
			rested++
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || page.Total != len(want) {
		t.Errorf("%s: listed %d %q, want %q", f.Since.Format(time.DateOnly), page.Total, got, want)
	}
	return rested
}

// lineTimes are the times of the lines of every file's chain.
func lineTimes(t *testing.T, home string) map[string][]int64 {
	t.Helper()
	times := map[string][]int64{}
	store := homeAt(t, home).Store
	for _, r := range listedFiles(t, home) {
		tail, err := store.Tail(r, homefs.Mark{})
		must(t, err)
		times[r] = nil
		for e, ok := tail.Next(); ok; e, ok = tail.Next() {
			if (e.Chain() || e.Spoken()) && !e.Time.IsZero() {
				times[r] = append(times[r], e.Time.UnixMilli())
			}
		}
		must(t, tail.Close())
	}
	return times
}

// listedFiles names every file that a list of all sessions has.
func listedFiles(t *testing.T, home string) (files []string) {
	t.Helper()
	x := openAt(t, "")
	defer x.Close()
	refreshAll(t, x, home)
	for _, r := range rowsIn(t, x, homeAt(t, home)) {
		files = append(files, r.Ref.File)
	}
	return files
}

func figuresOf(t *testing.T, x *Index, f ask.Filter) (prompts, messages int) {
	t.Helper()
	list, err := x.Figures(t.Context(), f)
	must(t, err)
	for _, g := range list {
		prompts, messages = prompts+g.Prompts, messages+g.Messages
	}
	return prompts, messages
}
