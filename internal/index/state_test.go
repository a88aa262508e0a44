package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// A list by state takes the state that is live, and where there is none the one
// the transcript was left in, also after it has grown.
func TestListByState(t *testing.T) {
	const prompt = `{"type":"user","uuid":"%s","timestamp":"2026-11-0%dT00:00:00.000Z","message":{"content":"hi"}}` + "\n"
	const answer = `{"type":"assistant","uuid":"z","timestamp":"2026-11-01T00:00:01.000Z","message":{"stop_reason":"end_turn","content":"yes"}}` + "\n"
	text := ""
	for i, name := range []string{"1111", "2222", "3333", "3333/subagents/agent-a4"} {
		name = strings.Replace(name, name[:4], name[:4]+"1111-0000-4000-8000-000000000000", 1)
		text += "-- projects/-w/" + name + ".jsonl --\n" + fmt.Sprintf(prompt, fmt.Sprint(i), i+1)
	}
	home := storetest.Home(t, text)
	x, h := open(t, t.TempDir(), home, index.Options{})
	live := map[sesskeep.Key]string{{Session: "22221111-0000-4000-8000-000000000000"}: "needs you", {Session: "33331111-0000-4000-8000-000000000000", Home: "elsewhere"}: "working"}
	ids := func(states ...string) string {
		var found []string
		page := list(t, x, ask.Filter{Homes: []ask.Home{h}, Source: "all", Sort: "-activity", States: states, Live: live})
		for _, r := range page.Sessions {
			found = append(found, r.ID[:4])
		}
		if page.Total != len(found) {
			t.Errorf("%v: %d listed, total %d", states, len(found), page.Total)
		}
		return strings.Join(found, " ")
	}
	check := func(want string, states ...string) {
		t.Helper()
		if got := ids(states...); got != want {
			t.Errorf("%v: got %q, want %q", states, got, want)
		}
	}
	check("1111 3333", "unclean")
	check("2222", "needs-you")
	check("1111 2222 3333", "unclean", "needs you")
	check("", "working")
	check("", "ended")
	f, err := os.OpenFile(filepath.Join(home, "projects", "-w", "11111111-0000-4000-8000-000000000000.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(answer); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	refresh(t, x, h, index.Options{})
	check("3333", "unclean")
	check("1111", "ended")
}
