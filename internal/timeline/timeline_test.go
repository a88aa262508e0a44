package timeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func at(n int) time.Time { return time.Date(2026, 11, 14, 9, 0, n, 0, time.UTC) }

func text(s string) *string { return &s }

// drawn shows the last state: each line with its origin.
func drawn(events []Event) string {
	var last State
	Follow(events, func(s State) bool { last = s; return true })
	return last.draw()
}

func (s *State) draw() string {
	var b strings.Builder
	fmt.Fprint(&b, s.Sure)
	if s.Absent {
		b.WriteString(" absent")
	}
	for _, l := range s.Lines {
		by := fmt.Sprint(l.By)
		switch l.By {
		case Outside:
			by = "out"
		case Unknown:
			by = "?"
		}
		fmt.Fprintf(&b, " %s:%s", by, strings.TrimSuffix(l.Text, "\n"))
	}
	return b.String()
}

func TestFollow(t *testing.T) {
	wrote := Event{At: at(1), Kind: Wrote, Created: true, Text: text("a\nb\nc\n")}
	edit := func(n int, old, new string) Event {
		return Event{At: at(n), Kind: Edited, Swaps: []Swap{{Old: old, New: new}}}
	}
	with := func(e Event, before string) Event { e.Before = &before; return e }
	for name, c := range map[string]struct {
		events []Event
		want   string
	}{
		"an edit keeps what it does not change":     {[]Event{wrote, edit(2, "a\nb\n", "a\nB\nnew\n")}, "replayed 0:a 1:B 1:new 0:c"},
		"what was there before is from outside":     {[]Event{with(edit(1, "b", "B"), "a\nb\n")}, "replayed out:a 0:B"},
		"a change between is from outside":          {[]Event{wrote, with(edit(2, "b", "B"), "a\nb\nc\nd\n")}, "replayed 0:a 1:B 0:c out:d"},
		"an edit that does not fit is unknown":      {[]Event{wrote, edit(2, "z", "B")}, "unknown 0:a 0:b 0:c"},
		"after it only what is the same is known":   {[]Event{wrote, edit(2, "z", "B"), {At: at(3), Kind: Saw, Text: text("a\nB\nc\n")}}, "exact 0:a ?:B 0:c"},
		"a removed line takes its end along":        {[]Event{wrote, edit(2, "b", "")}, "replayed 0:a 0:c"},
		"twice the same text":                       {[]Event{{At: at(1), Kind: Wrote, Created: true, Text: text("x\n}\n")}, edit(2, "x\n", "x\n}\ny\n")}, "replayed 0:x 1:} 1:y 0:}"},
		"everywhere":                                {[]Event{wrote, {At: at(2), Kind: Edited, Swaps: []Swap{{Old: "\n", New: "!\n", All: true}}}}, "replayed 1:a! 1:b! 1:c!"},
		"several at once":                           {[]Event{wrote, {At: at(2), Kind: Edited, Swaps: []Swap{{Old: "a", New: "A"}, {Old: "A\nb", New: "A\nb2"}}}}, "replayed 1:A 1:b2 0:c"},
		"removed":                                   {[]Event{wrote, {At: at(2), Kind: Removed}}, "replayed absent"},
		"removed by others, and made again":         {[]Event{wrote, {At: at(2), Kind: Wrote, Created: true, Text: text("a\n")}}, "exact 1:a"},
		"back to what it was":                       {[]Event{wrote, edit(2, "b\n", ""), {At: at(3), Kind: Saw, Text: text("a\nb\nc\n")}}, "exact 0:a 0:b 0:c"},
		"part of it is other than it was":           {[]Event{wrote, {At: at(2), Kind: SawPart, Start: 2, Total: 4, Text: text("x\n")}}, "unknown 0:a 0:b 0:c"},
		"part of it is as it was":                   {[]Event{wrote, {At: at(2), Kind: SawPart, Start: 2, Total: 4, Text: text("b")}}, "exact 0:a 0:b 0:c"},
		"overwritten without a word of what it was": {[]Event{{At: at(2), Kind: Wrote, Text: text("a\n")}}, "exact ?:a"},
		"overwritten, with the patch": {[]Event{{At: at(2), Kind: Wrote, Text: text("a\nB\n"),
			Patch: []Region{{OldStart: 1, NewStart: 1, Lines: []string{" a", "-b", "+B"}}}}}, "exact out:a 0:B"},
		"the patch shows that others changed it": {[]Event{wrote, {At: at(2), Kind: Edited, Swaps: []Swap{{Old: "b", New: "B"}},
			Patch: []Region{{OldStart: 2, NewStart: 2, Lines: []string{" z", "-b", "+B"}}}}}, "unknown 0:a 0:b 0:c"},
		"the user changed what was proposed": {[]Event{wrote, {At: at(2), Kind: Edited, Swaps: []Swap{{Old: "b", New: "B"}},
			Patch: []Region{{OldStart: 1, NewStart: 1, Lines: []string{" a", "-b", "+mine", " c"}}}}}, "replayed 0:a 1:mine 0:c"},
		"tabs are spaces in a patch": {[]Event{{At: at(1), Kind: Wrote, Created: true, Text: text("f {\n\tx\n}\n")}, {At: at(2), Kind: Edited, Swaps: []Swap{{Old: "\tx", New: "\ty"}},
			Patch: []Region{{OldStart: 1, NewStart: 1, Lines: []string{" f {", "-  x", "+  y", " }"}}}}}, "replayed 0:f { 1:\ty 0:}"},
		"in whichever order they come": {[]Event{edit(2, "b", "B"), wrote}, "replayed 1:a 0:B 1:c"},
	} {
		if got := drawn(c.events); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, c.want)
		}
	}
}

func TestAt(t *testing.T) {
	events := []Event{
		{At: at(2), Kind: Edited, Before: text("old\n"), Swaps: []Swap{{Old: "old", New: "new"}}},
		{At: at(6), Kind: Saw, Text: text("other\n")},
	}
	for n, want := range []string{"old\n", "old\n", "new\n", "new\n", "new\n", "new\n", "other\n", "other\n"} {
		s, gap, ok := At(events, at(n))
		if !ok || s.Text() != want || (gap != nil) != (n < 6) || gap != nil && gap.From.IsZero() != (n < 2) {
			t.Errorf("at %d: %q %v %v, want %q", n, s.Text(), gap, ok, want)
		}
	}
	if s, _, ok := At(events[1:], at(1)); ok {
		t.Errorf("before it was seen it was %q", s.Text())
	}
}

// A copy has its bytes, and what is replayed on top of it has its line ends.
func TestLineEnds(t *testing.T) {
	events := []Event{
		{At: at(1), Kind: Copied, Text: text("a\r\nb\r\n")},
		{At: at(2), Kind: Edited, Before: text("a\nb\n"), Swaps: []Swap{{Old: "b", New: "B"}}},
	}
	for n, want := range map[int]string{1: "a\r\nb\r\n", 2: "a\r\nB\r\n"} {
		if s, gap, _ := At(events, at(n)); s.Text() != want || gap != nil {
			t.Errorf("at %d: %q %v, want %q", n, s.Text(), gap, want)
		}
	}
}

// A comparison pairs equal lines in order, and as many as there are.
func TestMatch(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		make := func() (list []Line) {
			for range r.IntN(12) {
				list = append(list, Line{Text: string(rune('a'+r.IntN(4))) + "\n"})
			}
			return list
		}
		a, b := make(), make()
		pairs, last := 0, -1
		for j, i := range Match(a, b) {
			if i < 0 {
				continue
			}
			if a[i].Text != b[j].Text || i <= last {
				t.Fatalf("seed %d: %v and %v: line %d is not %d", seed, a, b, j, i)
			}
			pairs, last = pairs+1, i
		}
		if want := common(a, b); pairs != want {
			t.Fatalf("seed %d: %v and %v: %d pairs, want %d", seed, a, b, pairs, want)
		}
	}
}

// common is the length of the longest common run of lines, the slow way.
func common(a, b []Line) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0].Text == b[0].Text {
		return 1 + common(a[1:], b[1:])
	}
	return max(common(a[1:], b), common(a, b[1:]))
}

// Where two texts differ in too much, what both have is doubtful and never wrong.
func TestMatchOfTooMuch(t *testing.T) {
	a, b := []int{1, 2, 3, 9, 9, 4}, []int{4, 9, 1, 2, 7, 3}
	from := []int{fresh, fresh, fresh, fresh, fresh, fresh}
	anchors(a, b, from, 0)
	if got := fmt.Sprint(from); got != "[-2 -2 0 1 -1 2]" {
		t.Error(got)
	}
}
