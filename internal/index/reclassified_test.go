package index

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/storetest"
)

// A search finds among the prompts what a conversation calls prompts, also where only
// other lines decide: what stands in the queue alone is one, if the model got it, and what
// a command stands for is none.
func TestPromptsThatOthersTell(t *testing.T) {
	const name = "projects/-w/11111111-0000-4000-8000-000000000000.jsonl"
	said := func(uuid, parent, content string) string {
		return fmt.Sprintf(`{"type":"user","version":"2.0.76","uuid":%q,"parentUuid":%q,"message":{"role":"user","content":%s}}`, uuid, parent, content)
	}
	answer := func(uuid, parent string) string {
		return fmt.Sprintf(`{"type":"assistant","version":"2.0.76","uuid":%q,"parentUuid":%q,"message":{"id":"m%s","role":"assistant","content":[{"type":"text","text":"yes"}]}}`, uuid, parent, uuid)
	}
	lines := []string{
		said("a", "", `"needle first"`),
		answer("b", "a"),
		`{"type":"queue-operation","operation":"enqueue","content":"needle queued"}`,
		`{"type":"queue-operation","operation":"remove"}`,
		answer("c", "b"),
		said("d", "c", `"<command-message>review</command-message>\n<command-name>/review</command-name>"`),
		said("e", "d", `[{"type":"text","text":"needle of the command"}]`),
		answer("f", "e"),
		`{"type":"queue-operation","operation":"enqueue","content":"needle taken back"}`,
	}
	home := storetest.Home(t, "-- "+name+" --\n"+strings.Join(lines[:4], "\n")+"\n")
	x := openAt(t, t.TempDir())
	defer x.Close()
	check := func(what string, in ask.TextKind, want string) {
		t.Helper()
		s := searchFor("needle", 0)
		s.In, s.Hits = []ask.TextKind{in}, 10
		page, err := x.Search(t.Context(), []ask.Home{homeAt(t, home)}, s)
		must(t, err)
		got := map[string]bool{}
		for _, r := range page.Results {
			for _, h := range r.Hits {
				got[h.Text] = true
				if h.Kind != in || len(h.Marks) != 1 {
					t.Errorf("%s: %q is of kind %s, with marks %v", what, h.Text, h.Kind, h.Marks)
				}
			}
		}
		for _, text := range strings.Split(want, ",") {
			if text != "" && !got[text] {
				t.Errorf("%s: %q is not among the hits of kind %s", what, text, in)
			}
			delete(got, text)
		}
		if len(got) > 0 {
			t.Errorf("%s: hits of kind %s: %v", what, in, got)
		}
	}
	refreshAll(t, x, home)
	check("before the answer", ask.TextPrompt, "needle first")
	check("before the answer", ask.TextOther, "needle queued")
	for _, line := range lines[4:] {
		storetest.Append(t, filepath.Join(home, filepath.FromSlash(name)), line)
	}
	refreshAll(t, x, home)
	check("at the end", ask.TextPrompt, "needle first,needle queued")
	check("at the end", ask.TextNote, "needle of the command")
	check("at the end", ask.TextOther, "needle taken back")
}
