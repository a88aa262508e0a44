package conversation

import (
	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/view"
)

// survey reads a whole conversation once, bit by bit, to find how much is hidden and
// what went wrong.
type survey struct {
	tallies map[string]tally // by the key of the slot
	done    int              // slots that were read
	busy    bool

	spoken, meta, thoughts int
}

// surveyMsg is what a stretch of turns holds.
type surveyMsg struct {
	src     *source
	from    int
	tallies []tally
	keys    []string
}

// from starts over at a slot: those before are as they were.
func (s *survey) from(p *Page, slot int) {
	s.done = min(s.done, slot)
	s.spoken, s.meta, s.thoughts = 0, 0, 0
	for i := range p.feed.Slots {
		sl := &p.feed.Slots[i]
		for _, line := range p.src.Tree.Turns[sl.Turn].Lines {
			if p.src.Digest.Chain[line].Spoken {
				s.spoken++
			}
		}
		if i < s.done {
			s.add(s.tallies[sl.Key])
		}
	}
}

func (s *survey) add(t tally) {
	s.meta += t.meta
	s.thoughts += t.thoughts
}

// next reads the next stretch.
func (s *survey) next(p *Page) tea.Cmd {
	if s.busy || s.done >= len(p.feed.Slots) {
		return nil
	}
	s.busy = true
	src, from := p.src, s.done
	turns, names := p.turnsFrom(from)
	return func() tea.Msg {
		msg := surveyMsg{src: src, from: from}
		src.walk(turns, 0, func(i int, parts []view.Part) {
			msg.tallies = append(msg.tallies, tallyOf(parts))
			msg.keys = append(msg.keys, names[i])
		})
		return msg
	}
}

// apply adds what a stretch holds, if it is still of this path.
func (s *survey) apply(p *Page, msg surveyMsg) {
	s.busy = false
	if msg.src != p.src || msg.from != s.done {
		return
	}
	for i, t := range msg.tallies {
		slot := msg.from + i
		if slot >= len(p.feed.Slots) || p.feed.Slots[slot].Key != msg.keys[i] {
			return
		}
		s.tallies[msg.keys[i]] = t
		s.add(t)
		s.done++
		p.outline.old = p.outline.old || len(t.failures) > 0
	}
}

// walkSlots is how many turns at most are read in one go.
const walkSlots = 2000

// turnsFrom lists turns of the path, and the keys of their slots.
func (p *Page) turnsFrom(from int) (turns []int, keys []string) {
	slots := p.feed.Slots[from:min(len(p.feed.Slots), from+walkSlots)]
	for i := range slots {
		turns = append(turns, slots[i].Turn)
		keys = append(keys, slots[i].Key)
	}
	return turns, keys
}
