package reading

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"sync"
)

// Tally counts messages by kind; its last element counts the parts that are not
// messages.
type Tally [messageKinds + 1]int32

// Parts returns the number of parts.
func (t Tally) Parts() int { return t.Of(nil) + int(t[messageKinds]) }

// Of returns the number of messages of some kinds; none means all of them.
func (t Tally) Of(kinds []MessageKind) (n int) {
	if len(kinds) == 0 {
		for _, k := range t[:messageKinds] {
			n += int(k)
		}
	}
	for _, k := range kinds {
		n += int(t[k])
	}
	return n
}

// tallies are those of the turns of one file. Its versions share them, so that
// every turn is counted once, and again only when it has grown.
type tallies struct {
	mu    sync.Mutex
	turns map[int64]counted // by the offset of the turn
}

type counted struct {
	lines uint64 // hash of the lines, to detect a changed turn
	tally Tally
}

// tallyMemory estimates the memory of one turn in tallies.
const tallyMemory = 80

func (t *tallies) memory() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return int64(len(t.turns)) * tallyMemory
}

func (t *tallies) get(at int64, lines uint64) (Tally, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.turns[at]
	return c.tally, ok && c.lines == lines
}

func (t *tallies) put(at int64, c counted) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.turns == nil {
		t.turns = map[int64]counted{}
	}
	t.turns[at] = c
}

// Tally counts the messages of some turns. It reads only those that were not
// counted before.
func (s *Session) Tally(ctx context.Context, turns []int) ([]Tally, error) {
	list := make([]Tally, len(turns))
	for i, turn := range turns {
		at, lines := s.fingerprint(turn)
		tally, ok := s.version.tallies.get(at, lines)
		if !ok {
			parts, err := s.Parts(ctx, turn)
			if err != nil {
				return nil, err
			}
			for i := range parts {
				if kind, shown := kindOf(&parts[i]); shown {
					tally[kind]++
				} else {
					tally[messageKinds]++
				}
			}
			s.version.tallies.put(at, counted{lines, tally})
		}
		list[i] = tally
	}
	return list, nil
}

// fingerprint returns the offset of a turn, and a hash of its lines.
func (s *Session) fingerprint(turn int) (at int64, lines uint64) {
	t := s.Transcript
	h := fnv.New64a()
	var b [16]byte
	for _, i := range t.Tree.Turns[turn].Lines {
		l := &t.Digest.Chain[i]
		binary.LittleEndian.PutUint64(b[:8], uint64(l.Offset))
		binary.LittleEndian.PutUint64(b[8:], uint64(l.Length))
		_, _ = h.Write(b[:]) // it never fails
	}
	return t.Digest.Chain[t.Tree.Turns[turn].Lines[0]].Offset, h.Sum64()
}
