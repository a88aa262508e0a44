package reading_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/reading"
)

// inside are lines of an agent that stands in its session's own file.
func inside(lines string) string {
	return strings.ReplaceAll(talk(lines), `{"type"`, `{"isSidechain":true,"type"`)
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func agentOf(t *testing.T, s *reading.Session, message string) *reading.Session {
	t.Helper()
	agent, err := s.InlineAgent(s.InlineOf(message))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.Close)
	return agent
}

// An agent inside of a file is read like one that has its own, also when the
// session it was opened from is closed.
func TestInlineAgent(t *testing.T) {
	store, ref := home(t, "p100< a200<p100")
	appendTo(t, store.Path(file), inside("p900< a910<p900 p800< a810<p800")+talk("p300<a200"))
	pool := &reading.Pool{}
	s := open(t, pool, store, ref)
	agent := agentOf(t, s, "a910")
	s.Close()
	span, err := agent.Span(reading.Window{})
	if err != nil {
		t.Fatal(err)
	}
	page, err := agent.Page(t.Context(), span)
	if err != nil {
		t.Fatal(err)
	}
	if got := heads(agent, span.Turns()); got != "p900 a910" || page.AgentID != "inline-1" || len(page.Blocks) != 2 {
		t.Errorf("the agent has %q, its page is %+v", got, page)
	}

	appendTo(t, store.Path(file), inside("p920<a910"))
	now, change, err := agent.More(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer now.Close()
	if got := heads(now, now.PathTo(now.ActiveLeaf())); change != homefs.Grown || got != "p900 a910 p920" {
		t.Errorf("%s: the agent has %q", change, got)
	}
	agent.Close()
	if _, err := agent.Parts(t.Context(), 0); !errors.Is(err, reading.ErrClosed) {
		t.Errorf("a closed agent is read: %v", err)
	}
}

func TestInlineOf(t *testing.T) {
	store, ref := home(t, "p100< a200<p100")
	appendTo(t, store.Path(file), inside("p900< a910<p900 p901< a110<p901"))
	s := open(t, &reading.Pool{}, store, ref)
	for message, want := range map[string]string{
		"": "", "a200": "", "a910": "p900", "a110": "p901", "a9": "", "nowhere": "",
	} {
		if got := s.InlineOf(message); got != want {
			t.Errorf("%q is in %q, want %q", message, got, want)
		}
	}
	if got := s.InlineRoots("p90"); len(got) > 0 {
		t.Errorf("too short a start names %q", got)
	}
	if got := s.InlineRoots("p900"); len(got) != 1 {
		t.Errorf("p900 names %q", got)
	}
	if _, err := s.InlineAgent("a910"); !errors.Is(err, sesskeep.ErrNotFound) {
		t.Errorf("an agent that is not there: %v", err)
	}
}
