package reading_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/reading"
	"sesskeep/internal/storetest"
	"sesskeep/internal/view"
)

const file = "projects/-w/11111111-0000-4000-8000-000000000000.jsonl"

// line is a line of a session: a prompt if uuid starts with p, else an answer.
func line(uuid, parent string) string {
	if uuid[0] == 'p' {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"message":{"role":"user","content":"prompt %s"}}`, uuid, parent, uuid)
	}
	return fmt.Sprintf(`{"type":"assistant","uuid":%q,"parentUuid":%q,"message":{"id":"m%s","model":"x","content":[{"type":"text","text":"answer %s"}]}}`,
		uuid, parent, uuid, uuid)
}

// talk are lines, each written as uuid<parent.
func talk(lines string) string {
	var b strings.Builder
	for _, word := range strings.Fields(lines) {
		uuid, parent, _ := strings.Cut(word, "<")
		b.WriteString(line(uuid, parent) + "\n")
	}
	return b.String()
}

func home(tb testing.TB, lines string) (*sesskeep.Store, sesskeep.Ref) {
	tb.Helper()
	store, err := sesskeep.Open(storetest.Home(tb, "-- "+file+" --\n"+talk(lines)))
	if err != nil {
		tb.Fatal(err)
	}
	return store, refOf(tb, store, file)
}

func refOf(tb testing.TB, store *sesskeep.Store, name string) sesskeep.Ref {
	tb.Helper()
	folders, err := store.Folders()
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range folders {
		for _, ref := range f.Refs {
			if ref.File == name {
				return ref
			}
		}
	}
	tb.Fatal("no such transcript: ", name)
	return sesskeep.Ref{}
}

func open(tb testing.TB, p *reading.Pool, store *sesskeep.Store, ref sesskeep.Ref) *reading.Session {
	tb.Helper()
	s, err := p.Open(tb.Context(), store, ref)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

// branched has a branch of two turns, and one that was written after it.
const branched = "p100< a200<p100 p300<a200 a400<p300 p500<a200 a600<p500 p701<a600 a801<p701 p702<a600"

func heads(s *reading.Session, turns []int) string {
	var list []string
	for _, turn := range turns {
		list = append(list, s.Transcript.Digest.Chain[s.Transcript.Tree.Turns[turn].Head].UUID)
	}
	return strings.Join(list, " ")
}

func TestSpan(t *testing.T) {
	store, ref := home(t, branched)
	s := open(t, &reading.Pool{}, store, ref)
	for _, tt := range []struct {
		name          string
		window        reading.Window
		want          string
		before, after int
	}{
		{"all", reading.Window{}, "p100 a200 p500 a600 p702", 0, 0},
		{"the last prompt", reading.Window{Prompts: 1}, "p702", 4, 0},
		{"the last two", reading.Window{Prompts: 2}, "p500 a600 p702", 2, 0},
		{"more than there are", reading.Window{Prompts: 9}, "p100 a200 p500 a600 p702", 0, 0},
		{"at most two turns", reading.Window{Turns: 2}, "a600 p702", 3, 0},
		{"another conversation", reading.Window{Leaf: "a400"}, "p100 a200 p300 a400", 0, 0},
		{"one by the start of its leaf", reading.Window{Leaf: "a8"}, "p100 a200 p500 a600 p701 a801", 0, 0},
		{"one by a message", reading.Window{Leaf: "p300"}, "p100 a200 p300 a400", 0, 0},
		{"around a message", reading.Window{Message: "p100"}, "p100 a200 p500 a600", 0, 1},
		{"around one of another branch", reading.Window{Message: "a400"}, "p100 a200 p300 a400", 0, 0},
		{"around one of two branches", reading.Window{Leaf: "a801", Message: "a600"}, "p100 a200 p500 a600 p701 a801", 0, 0},
		{"a message outside of the conversation", reading.Window{Leaf: "a400", Message: "p702"}, "a200 p500 a600 p702", 1, 0},
	} {
		span, err := s.Span(tt.window)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := heads(s, span.Turns()); got != tt.want || span.Before() != tt.before || span.After() != tt.after {
			t.Errorf("%s: %d before, %s, %d after; want %d, %s, %d", tt.name, span.Before(), got, span.After(), tt.before, tt.want, tt.after)
		}
	}
}

// There is one rule for addresses: a whole uuid, or at least four characters
// that only one starts with.
func TestFind(t *testing.T) {
	store, ref := home(t, "p1< a1234567<p1 p12345<a1234567 a1234999<p12345")
	s := open(t, &reading.Pool{}, store, ref)
	for _, tt := range []struct {
		message, want string
		err           error
	}{
		{"p1", "p1", nil}, {"p12345", "p12345", nil}, {"p123", "p12345", nil}, {"a12345", "a1234567", nil},
		{"p12", "", sesskeep.ErrNotFound}, {"", "", sesskeep.ErrNotFound}, {"gone", "", sesskeep.ErrNotFound},
		{"a123", "", sesskeep.ErrAmbiguous},
	} {
		turn, err := s.Find(tt.message)
		if !errors.Is(err, tt.err) || err == nil && heads(s, []int{turn}) != tt.want {
			t.Errorf("%q: turn %d, %v; want %s, %v", tt.message, turn, err, tt.want, tt.err)
		}
		if at, err := s.Locate("", tt.message); tt.message != "" && err != nil && (at.Leaf != s.ActiveLeaf() || at.Turn >= 0) {
			t.Errorf("%q: a place that is not known is %+v", tt.message, at)
		}
	}
	if _, err := s.FindLeaf("gone"); !errors.Is(err, sesskeep.ErrNotFound) {
		t.Error(err)
	}
}

// From any message all of the conversation can be reached, once and in order.
func TestBothDirections(t *testing.T) {
	store, ref := home(t, branched)
	s := open(t, &reading.Pool{}, store, ref)
	for turn := range s.Transcript.Tree.Turns {
		span, err := s.Span(reading.Window{Message: heads(s, []int{turn})})
		if err != nil {
			t.Fatal(err)
		}
		var all []int
		for part := span; part.Before() > 0; {
			part = part.Earlier(2)
			all = append(append([]int{}, part.Turns()...), all...)
		}
		all = append(all, span.Turns()...)
		for part := span; part.After() > 0; {
			part = part.Later(2)
			all = append(all, part.Turns()...)
		}
		if got, want := heads(s, all), heads(s, s.PathTo(span.Conversation.Turn)); got != want {
			t.Errorf("from %s: %s, want %s", heads(s, []int{turn}), got, want)
		}
	}
}

func TestNothingSaid(t *testing.T) {
	store, ref := home(t, "")
	s := open(t, &reading.Pool{}, store, ref)
	span, err := s.Span(reading.Window{})
	if err != nil || len(span.Turns()) != 0 || s.ActiveLeaf() != -1 {
		t.Errorf("%v %v", span, err)
	}
	page, err := s.Page(t.Context(), span)
	if err != nil || page.Blocks == nil {
		t.Errorf("%+v %v", page, err)
	}
}

func TestPage(t *testing.T) {
	store, ref := home(t, branched)
	s := open(t, &reading.Pool{}, store, ref)
	span, err := s.Span(reading.Window{Prompts: 1})
	if err != nil {
		t.Fatal(err)
	}
	page, err := s.Page(t.Context(), span)
	if err != nil {
		t.Fatal(err)
	}
	if page.SessionID != string(ref.Session) || page.Leaf != "p702" || page.Title != "prompt p100" || page.Skipped != 4 ||
		len(page.Blocks) != 1 || page.Blocks[0].Kind != view.PromptPart {
		t.Errorf("%+v", page)
	}
}

func TestMore(t *testing.T) {
	store, ref := home(t, "p100< a200<p100")
	s := open(t, &reading.Pool{}, store, ref)
	more := func() homefs.Change {
		t.Helper()
		now, change, err := s.More(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(now.Close)
		s = now
		return change
	}
	if c := more(); c != homefs.Same {
		t.Error(c)
	}
	storetest.Append(t, store.Path(file), line("p300", "a200"))
	if c := more(); c != homefs.Grown || heads(s, s.PathTo(s.ActiveLeaf())) != "p100 a200 p300" {
		t.Error(c)
	}
	if err := os.WriteFile(store.Path(file), []byte(talk("p900<")), 0o600); err != nil {
		t.Fatal(err)
	}
	if c := more(); c != homefs.Replaced || heads(s, s.PathTo(s.ActiveLeaf())) != "p900" {
		t.Error(c)
	}
}

// What was followed is read by Append as More reads it, and not decoded again.
func TestAppend(t *testing.T) {
	store, ref := home(t, "p100< a200<p100")
	s := open(t, &reading.Pool{}, store, ref)
	old, err := os.Stat(store.Path(file))
	if err != nil {
		t.Fatal(err)
	}
	storetest.Append(t, store.Path(file), line("p300", "a200"))
	tail, err := store.Tail(file, homefs.Mark{Offset: old.Size(), Lines: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer tail.Close()
	e, _ := tail.Next()
	entries := []sesskeep.Entry{e.Clone()}
	to, _ := tail.Position()
	for _, want := range []homefs.Change{homefs.Grown, homefs.Same} {
		now, change, err := s.Append(t.Context(), entries, to)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(now.Close)
		if got := heads(now, now.PathTo(now.ActiveLeaf())); change != want || got != "p100 a200 p300" {
			t.Errorf("%s, want %s: %q", change, want, got)
		}
		if s.Before(now) != (want == homefs.Grown) || now.Before(s) {
			t.Errorf("%s: before %v, after %v", want, s.Before(now), now.Before(s))
		}
		if got, err := now.Entry(t.Context(), 2); err != nil || got.Message != entries[0].Message {
			t.Errorf("the line was decoded again, %v", err)
		}
		s = now
	}
}
