package feed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// script is a made-up conversation that a feed is tested on.
type script struct {
	rng   *rand.Rand
	turns [][]view.Part
}

func newScript(seed uint64, turns int) *script {
	s := &script{rng: rand.New(rand.NewPCG(seed, 1))}
	for range turns {
		s.add()
	}
	return s
}

var partKinds = []view.PartKind{view.TextPart, view.ThinkingPart, view.CallPart, view.NoticePart, view.MetaPart, view.BoundaryPart}

// add appends a turn: every third is a prompt, and some have nothing to show.
func (s *script) add() {
	n := len(s.turns)
	var parts []view.Part
	if n%3 == 0 {
		parts = append(parts, s.part(view.MetaPart, n, 0), s.part(view.PromptPart, n, 1))
	} else {
		for i := range s.rng.IntN(5) {
			parts = append(parts, s.part(partKinds[s.rng.IntN(len(partKinds))], n, i))
		}
	}
	s.turns = append(s.turns, parts)
}

func (s *script) part(kind view.PartKind, turn, i int) view.Part {
	p := view.Part{Kind: kind, Label: "note", UUID: fmt.Sprintf("%d-%d", turn, i), Time: time.Unix(int64(turn)*3000, 0)}
	p.Text = fmt.Sprintf("%d.%d ", turn, i) + strings.Repeat("some words of it ", s.rng.IntN(60))
	if kind == view.CallPart {
		p.Call = &view.Call{Short: "bash", Summary: p.Text, Output: strings.Repeat("line\n", s.rng.IntN(30)), State: view.OK}
		if s.rng.IntN(3) == 0 {
			p.Call.State, p.Call.Reason = view.Failed, strings.Repeat("why ", s.rng.IntN(80))
		}
	}
	return p
}

// slots are the turns, none of them read.
func (s *script) slots() []Slot {
	slots := make([]Slot, len(s.turns))
	for i := range slots {
		slots[i] = Slot{Turn: i, Key: fmt.Sprint("t", i), Entries: len(s.turns[i]), Prompt: i%3 == 0, final: i%3 == 2, guess: 4}
		if i%7 == 1 {
			slots[i].Nth, slots[i].Of = 1, 2
		}
		if i%5 == 0 {
			slots[i].day = fmt.Sprintf("day %d", i)
		}
	}
	return slots
}

// load reads what the feed wants, until it wants no more.
func (s *script) load(f *Feed) {
	for range 100 {
		want := f.Want()
		if len(want) == 0 {
			return
		}
		s.give(f, want)
	}
}

func (s *script) give(f *Feed, want []int) {
	list := map[int]Read{}
	for _, i := range want {
		list[i] = Read{f.Slots[i].Key, s.turns[f.Slots[i].Turn]}
	}
	f.Fill(list)
}

func (s *script) open() *Feed {
	f := New(term.Screen{TTY: true}, time.UTC)
	f.SetSlots(s.slots())
	f.ToEnd()
	f.Resize(60, 20)
	return f
}

// everything draws all there is, as a feed without a window would.
func everything(f *Feed) (all []Row) {
	for s, ok := f.first(); ok; s, ok = f.step(s, +1) {
		for i, line := range f.Lines(s) {
			all = append(all, Row{s, i, line})
		}
	}
	return all
}

// check is what must be true of a feed at any time.
func check(t *testing.T, f *Feed, did string) {
	t.Helper()
	rows, all := f.Rows(), everything(f)
	if len(rows) != min(f.height, len(all)) {
		t.Fatalf("%s: %d lines in a window of %d, of %d", did, len(rows), f.height, len(all))
	}
	if len(all) == 0 {
		return
	}
	from := slices.Index(all, rows[0])
	if from < 0 || !slices.Equal(all[from:from+len(rows)], rows) {
		t.Fatalf("%s: the window is no part of the whole, at %d", did, from)
	}
	chosen := false
	for _, r := range rows {
		chosen = chosen || r.Spot == f.id(f.At)
		if w := term.Width(r.Text); w > f.width {
			t.Fatalf("%s: %d cells in %d: %q", did, w, f.width, r.Text)
		}
	}
	if !chosen {
		t.Fatalf("%s: the chosen block %v is not in the window", did, f.At)
	}
	if f.Pinned && from+len(rows) != len(all) {
		t.Fatalf("%s: held at the end, and not there", did)
	}
}

// kept checks that the block at the top stayed there, unless the end came near.
func kept(t *testing.T, f *Feed, was Position, did string) {
	t.Helper()
	if f.id(f.Top.Spot) != f.id(was.Spot) && f.Top != f.bottom() {
		t.Fatalf("%s: the window moved from %v to %v", did, was, f.Top)
	}
}

// TestFeedWalk does anything to a feed, in any order.
func TestFeedWalk(t *testing.T) {
	for seed := range uint64(25) {
		s := newScript(seed, 30+int(seed))
		f := s.open()
		for n := range 150 {
			did := fmt.Sprintf("seed %d step %d: %s", seed, n, s.act(t, f))
			check(t, f, did)
			if s.rng.IntN(3) > 0 {
				was, read := f.Top, f.Slots[f.Top.Slot].loaded
				s.load(f)
				check(t, f, did+", read")
				if read && !f.Pinned {
					kept(t, f, was, did+", read")
				}
			}
		}
	}
}

// act does one thing, and checks that what must not move does not.
func (s *script) act(t *testing.T, f *Feed) string {
	rng := s.rng
	was, pinned := f.Top, f.Pinned
	switch rng.IntN(14) {
	case 0:
		f.Move(+1)
		return "down"
	case 1:
		f.Move(-1)
		return "up"
	case 2:
		f.Page(+1)
		return "page down"
	case 3:
		f.Page(-1)
		return "page up"
	case 4:
		f.scroll(rng.IntN(31) - 15)
		return "scroll"
	case 5:
		f.ToPrompt(2*rng.IntN(2) - 1)
		return "prompt"
	case 6:
		f.ToFork(2*rng.IntN(2) - 1)
		return "fork"
	case 7:
		if rng.IntN(2) == 0 {
			f.ToTop()
		} else {
			f.ToEnd()
		}
		return "to an end"
	case 8:
		f.Put(Spot{rng.IntN(len(f.Slots)), rng.IntN(4) - 1}, rng.IntN(f.height))
		return "put"
	case 9:
		f.ToggleAll()
		return "fold all"
	case 10:
		at := f.At
		f.Toggle()
		row, _ := f.RowOf(at)
		moved := row+min(len(f.Lines(at)), max(1, f.height/2)) == f.height // to show what was opened
		if at != was.Spot && !pinned && !moved {
			kept(t, f, was, "fold")
		}
		return "fold"
	case 11:
		f.Resize(20+rng.IntN(100), 1+rng.IntN(40))
		if !pinned {
			kept(t, f, was, "resize")
		}
		return "resize"
	case 12:
		return s.mode(t, f, was)
	}
	for range 1 + rng.IntN(4) {
		s.add()
	}
	f.SetSlots(s.slots())
	if !pinned && f.Top != was {
		t.Fatalf("append moved the window from %v to %v", was, f.Top)
	}
	return "append"
}

func (s *script) mode(t *testing.T, f *Feed, was Position) string {
	m := f.Modes
	switch s.rng.IntN(4) {
	case 0:
		m.NextThinking()
	case 1:
		m.NextTools()
	case 2:
		m.Meta = !m.Meta
	case 3:
		m.Focused = !m.Focused
	}
	pinned := f.Pinned
	f.SetModes(m)
	if !pinned && f.shown(was.Spot) {
		kept(t, f, was, "mode")
	}
	return fmt.Sprintf("modes %+v", m)
}

// Every block that is shown can be reached by going down or up, however one
// goes.
func TestFeedReach(t *testing.T) {
	ways := map[string]func(f *Feed, by int){
		"blocks":  func(f *Feed, by int) { f.Move(by) },
		"screens": func(f *Feed, by int) { f.Page(by) },
		"lines":   func(f *Feed, by int) { f.scroll(7 * by) },
	}
	for name, go1 := range ways {
		for _, by := range []int{+1, -1} {
			s := newScript(7, 60)
			f := s.open()
			f.SetModes(Modes{Thinking: "full", Tools: "full", Meta: true})
			if by > 0 {
				f.ToTop()
			}
			seen := map[Spot]bool{}
			for range 5000 {
				s.load(f)
				for _, r := range f.Rows() {
					seen[r.Spot] = true
				}
				was, at := f.Top, f.At
				if go1(f, by); f.Top == was && f.At == at {
					break
				}
			}
			s.load(f)
			for _, r := range everything(f) {
				if !seen[r.Spot] {
					t.Fatalf("by %s, %+d: %v was never shown", name, by, r.Spot)
				}
			}
		}
	}
}

// What came and what is read above does not move what is in the window, and a
// message is found wherever it is.
func TestFeedGoal(t *testing.T) {
	s := newScript(3, 90)
	for _, uuid := range []string{"0-1", "30-1", "87-1"} {
		f := s.open()
		var turn int
		fmt.Sscan(strings.Split(uuid, "-")[0], &turn)
		f.SeekMessage(turn, uuid)
		s.load(f)
		if p := f.Part(f.At); p == nil || p.UUID != uuid {
			t.Errorf("%s: got %+v", uuid, p)
		}
		check(t, f, uuid)
	}
}

// A block that is higher than the window is read to its end going down, and
// from its end going up.
func TestFeedTall(t *testing.T) {
	s := newScript(1, 3)
	s.turns[1] = []view.Part{{Kind: view.TextPart, UUID: "tall", Text: strings.Repeat("line\n", 50)}}
	s.turns[2] = []view.Part{{Kind: view.TextPart, UUID: "last", Text: strings.Repeat("end\n", 20)}}
	f := s.open()
	f.Resize(60, 10)
	s.load(f)
	f.Put(Spot{2, 0}, 0)
	f.Move(-1)
	if row, _ := f.RowOf(Spot{1, 0}); f.At != (Spot{1, 0}) || row != 10-50 {
		t.Errorf("going up: %v is at line %d", f.At, row)
	}
	for range 8 {
		f.Move(-1)
	}
	if f.At.Slot != 0 {
		t.Errorf("going up: got to %v", f.At)
	}
	for n := range 12 {
		if f.At.Slot == 2 {
			break
		}
		if f.Move(+1); n == 0 {
			continue
		}
		if f.At.Slot == 1 && f.Top.line > 45 {
			t.Errorf("going down: the window is at %v", f.Top)
		}
	}
	if f.At.Slot != 2 {
		t.Errorf("going down: got to %v", f.At)
	}
}

// A feed keeps only what is near the window.
func TestFeedEvicts(t *testing.T) {
	s := newScript(1, 5000)
	f := s.open()
	for range 300 {
		s.load(f)
		f.Page(-1)
	}
	loaded := 0
	for i := range f.Slots {
		if f.Slots[i].loaded {
			loaded++
		}
	}
	if loaded > 2*keepTurns+readAtOnce {
		t.Errorf("%d turns are kept", loaded)
	}
}

func TestFeedEmpty(t *testing.T) {
	f := New(term.Screen{}, time.UTC)
	f.Resize(10, 5)
	f.Move(1)
	f.Page(-1)
	f.ToTop()
	f.ToEnd()
	f.Toggle()
	f.ToPrompt(1)
	f.Fill(nil)
	if rows := f.Rows(); rows != nil || f.Want() != nil {
		t.Errorf("got %v", rows)
	}
}
