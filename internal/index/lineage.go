package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"sesskeep"
)

// kin is a session among those that start with the same line.
type kin struct {
	id    string
	known string // parent that the file itself names
	chain []kinLine
}

// kinLine is a line of the chain in few bytes.
type kinLine struct {
	id    uint64
	gap   uint16 // lines of other kinds before it
	time  uint32 // seconds since 1970
	aside bool   // not of the active conversation
}

// What a gap can be; the bit above says that a line is aside.
const (
	maxGap   = 1<<15 - 1
	asideBit = 1 << 15
)

const kinLineSize = 14

func encodeChain(links []sesskeep.Link, tree *sesskeep.Tree) []byte {
	active := make([]bool, len(links))
	if tree.Active >= 0 {
		for _, t := range tree.Path(tree.Conversations[tree.Active]) {
			for _, i := range tree.Turns[t].Lines {
				active[i] = true
			}
		}
	}
	raw := make([]byte, 0, kinLineSize*len(links))
	last := 0
	for i := range links {
		l := &links[i]
		if l.Queued() { // a fork has no copy of it
			continue
		}
		gap := 0
		if i > 0 {
			gap = max(0, min(l.Line-last-1, maxGap))
		}
		if !active[i] {
			gap |= asideBit
		}
		last = l.Line
		raw = binary.LittleEndian.AppendUint64(raw, hashID(l.UUID))
		raw = binary.LittleEndian.AppendUint16(raw, uint16(gap))
		raw = binary.LittleEndian.AppendUint32(raw, uint32(l.Time/1000))
	}
	return raw
}

func decodeChain(raw []byte) []kinLine {
	lines := make([]kinLine, 0, len(raw)/kinLineSize)
	for ; len(raw) >= kinLineSize; raw = raw[kinLineSize:] {
		gap := binary.LittleEndian.Uint16(raw[8:])
		lines = append(lines, kinLine{
			id: binary.LittleEndian.Uint64(raw), gap: gap & maxGap, aside: gap&asideBit != 0,
			time: binary.LittleEndian.Uint32(raw[10:]),
		})
	}
	return lines
}

// forks finds, among sessions that start with the same line, which was copied
// from which. A fork copies the chain and nothing between its lines, so the
// original is the file whose shared lines lie furthest apart; where that does
// not tell, the one that went its own way first.
func forks(group []kin) map[string]string {
	gaps, own := map[string]int{}, map[string]uint32{}
	for i := range group {
		gaps[group[i].id], own[group[i].id] = group[i].shared(group)
	}
	slices.SortFunc(group, func(a, b kin) int {
		return cmp.Or(cmp.Compare(gaps[b.id], gaps[a.id]), cmp.Compare(own[a.id], own[b.id]), cmp.Compare(a.id, b.id))
	})
	from := map[string]string{}
	for i := 1; i < len(group); i++ {
		from[group[i].id] = cmp.Or(group[i].known, group[i].mostAlike(group[:i]))
	}
	if group[0].known != "" {
		from[group[0].id] = group[0].known
	}
	return from
}

// shared counts the lines of other kinds that lie between those the session has
// in common with others of the group, and gives the time of the first line that
// is its own.
func (k *kin) shared(group []kin) (gaps int, own uint32) {
	others := map[uint64]bool{}
	for i := range group {
		if group[i].id != k.id {
			for _, l := range group[i].chain {
				others[l.id] = true
			}
		}
	}
	for _, l := range k.chain {
		if !others[l.id] {
			return gaps, l.time
		}
		gaps += int(l.gap)
	}
	return gaps, math.MaxUint32 // a copy and nothing else
}

// mostAlike is the session that has most lines in common with k.
func (k *kin) mostAlike(older []kin) string {
	mine := map[uint64]bool{}
	for _, l := range k.chain {
		mine[l.id] = true
	}
	best, most := "", -1
	for i := range older {
		n := 0
		for _, l := range older[i].chain {
			if mine[l.id] {
				n++
			}
		}
		if n > most {
			best, most = older[i].id, n
		}
	}
	return best
}
