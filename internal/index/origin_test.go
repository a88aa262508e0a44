package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// branched is a line as /branch copies it.
func branched(line, from string) string {
	return strings.Replace(line, `{"type"`, fmt.Sprintf(`{"forkedFrom":{"sessionId":%q,"messageUuid":"x"},"type"`, from), 1)
}

// What a fork copied counts in the session it was copied from, though the file of
// the fork comes first by name: with an index and without, in whichever order the
// files come and go.
func TestOriginCounts(t *testing.T) {
	const at, between = "2026-11-01T10:00:00.000Z", `{"type":"mode","mode":"normal"}`
	ask := `{"type":"user","uuid":"ask","parentUuid":null,"cwd":"/w","timestamp":"2026-11-01T09:00:00.000Z","message":{"role":"user","content":"hi"}}`
	said := func(id string) string { return answer(id, "claude-opus-5-5", at, false, 5) }
	for _, test := range []struct {
		name  string
		files map[string][]string
		want  map[string]string // which session each message counts in
	}{
		{"--fork-session", map[string][]string{
			one: {between, ask, said("a"), said("mine")},
			two: {ask, between, said("a"), said("theirs")},
		}, map[string]string{"a": two, "mine": one, "theirs": two}},
		{"forked at its end", map[string][]string{
			one: {ask, said("a"), said("mine")},
			two: {ask, said("a")},
		}, map[string]string{"a": two, "mine": one}},
		{"/branch", map[string][]string{
			one: {branched(ask, two), branched(said("a"), two), said("mine")},
			two: {ask, said("a")},
		}, map[string]string{"a": two, "mine": one}},
		{"with new uuids", map[string][]string{
			one: {branched(strings.Replace(ask, `"ask"`, `"new"`, 1), two), branched(strings.Replace(said("a"), `"u-`, `"n-`, 1), two)},
			two: {ask, said("a")},
		}, map[string]string{"a": two}},
		{"a fork of a fork", map[string][]string{
			one:   {branched(ask, two), branched(said("a"), two), branched(said("b"), two)},
			two:   {branched(ask, three), branched(said("a"), three), said("b")},
			three: {ask, said("a")},
		}, map[string]string{"a": three, "b": two}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, order := range [][]string{{one, two, three}, {three, two, one}, {two, one, three}} {
				countsAtOrigin(t, test.files, order, test.want)
			}
		})
	}
}

// countsAtOrigin writes files one after the other, has each of them go away and come
// back, and compares with what has to count where.
func countsAtOrigin(t *testing.T, files map[string][]string, order []string, want map[string]string) {
	t.Helper()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "projects"), 0o755); err != nil {
		t.Fatal(err)
	}
	x, h := open(t, "", home, index.Options{})
	f := ask.Filter{Homes: []ask.Home{h}}
	put := func(id string) {
		t.Helper()
		if len(files[id]) > 0 {
			writeSession(t, home, id, files[id]...)
			refresh(t, x, h, index.Options{})
		}
	}
	check := func(when string) {
		t.Helper()
		rows, _, _, err := x.Ledger(t.Context(), f, false)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, r := range rows {
			if r.Counted {
				got[r.Message] = r.Location.ID
			}
		}
		for message, id := range want {
			if got[message] != id {
				t.Errorf("%s after %v: %s counts in %.8s, want %.8s", when, order, message, got[message], id)
			}
		}
		read, err := index.ReadFiles(t.Context(), []ask.Home{h}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if of, by := messagesOf(t, read, f), messagesOf(t, x, f); !slices.Equal(of, by) {
			t.Errorf("%s after %v: the files say\n%s\nthe index\n%s", when, order, strings.Join(of, "\n"), strings.Join(by, "\n"))
		}
	}
	for _, id := range order {
		put(id)
	}
	check("all there")
	for _, id := range order {
		if len(files[id]) > 0 {
			take(t, filepath.Join(home, "projects", "-w", id+".jsonl"))
			refresh(t, x, h, index.Options{})
			put(id)
			check(fmt.Sprintf("%.8s back", id))
		}
	}
}

// A line without any usage can show which of two sessions is the fork.
func TestOriginTurnsOut(t *testing.T) {
	const prompt = `{"type":"user","uuid":"ask","parentUuid":null,"cwd":"/w","timestamp":"2026-11-01T09:00:00.000Z","message":{"role":"user","content":"hi"}}`
	home := t.TempDir()
	for _, id := range []string{one, two} {
		writeSession(t, home, id, prompt, answer("a", "claude-opus-5-5", "2026-11-01T10:00:00.000Z", false, 5))
	}
	x, h := open(t, "", home, index.Options{})
	checkSpent(t, "alike", x, home)
	storetest.Append(t, filepath.Join(home, "projects", "-w", one+".jsonl"), strings.Replace(prompt, `"uuid":"ask","parentUuid":null`, `"uuid":"more","parentUuid":"ask"`, 1))
	refresh(t, x, h, index.Options{})
	if sum, _ := indexed(t, x, ask.Filter{}); sum[two+" claude-opus-5-5"].Output != 5 {
		t.Errorf("after the fork went on: %+v", sum)
	}
	checkSpent(t, "after the fork went on", x, home)
}
