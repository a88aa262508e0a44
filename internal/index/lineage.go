package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"sesskeep"
	"sesskeep/internal/index/db"
)

// kin is a session among those that start with the same line.
type kin struct {
	id    string
	known string // parent that the file itself names
	chain []kinLine
}

// kinLine is a line of the chain in few bytes.
type kinLine struct {
	id   uint64
	gap  uint16 // lines of other kinds before it
	time uint32 // seconds since 1970
}

const (
	kinLineSize  = 14
	kinLinePiece = 256 // lines in a piece of a chain
)

// chainPieces are the pieces of a session's chain from the one on that has the
// line numbered from. Agents have none: nobody forks them.
func chainPieces(links []sesskeep.Link, from int, ref sesskeep.Ref) (list []piece) {
	if ref.Layout != sesskeep.LayoutMain {
		return nil
	}
	for n := from / kinLinePiece; n*kinLinePiece < len(links); n++ {
		list = append(list, piece{n, encodeChain(links, n*kinLinePiece, min((n+1)*kinLinePiece, len(links)))})
	}
	return list
}

func encodeChain(links []sesskeep.Link, from, to int) []byte {
	raw := make([]byte, 0, kinLineSize*(to-from))
	for i := from; i < to; i++ {
		l := &links[i]
		if l.Queued() { // a fork has no copy of it
			continue
		}
		gap := 0
		if i > 0 {
			gap = max(0, min(l.Line-lineBefore(links, i)-1, math.MaxUint16))
		}
		raw = binary.LittleEndian.AppendUint64(raw, db.Hash(l.UUID))
		raw = binary.LittleEndian.AppendUint16(raw, uint16(gap))
		raw = binary.LittleEndian.AppendUint32(raw, uint32(l.Time/1000))
	}
	return raw
}

// lineBefore is the number of the line before link i that a chain has.
func lineBefore(links []sesskeep.Link, i int) int {
	for i--; i >= 0; i-- {
		if !links[i].Queued() {
			return links[i].Line
		}
	}
	return 0
}

// asideLines are the lines of a chain that are not of the active conversation,
// as numbers of where a stretch of them begins and ends in turn.
func asideLines(links []sesskeep.Link, tree *sesskeep.Tree) (bounds []int) {
	if len(tree.Conversations) < 2 || tree.Active < 0 {
		return nil
	}
	active := make([]bool, len(links))
	for _, t := range tree.Path(tree.Conversations[tree.Active]) {
		for _, i := range tree.Turns[t].Lines {
			active[i] = true
		}
	}
	n := 0
	for i := range links {
		if links[i].Queued() {
			continue
		}
		if inside := len(bounds)%2 == 1; inside == active[i] {
			bounds = append(bounds, n)
		}
		n++
	}
	return bounds
}

// isAside reports whether a line lies in one of the stretches.
func isAside(bounds []int, line int) bool {
	at, found := slices.BinarySearch(bounds, line)
	if found {
		at++
	}
	return at%2 == 1
}

func decodeChain(raw []byte) []kinLine {
	lines := make([]kinLine, 0, len(raw)/kinLineSize)
	for ; len(raw) >= kinLineSize; raw = raw[kinLineSize:] {
		lines = append(lines, kinLine{
			id: binary.LittleEndian.Uint64(raw), gap: binary.LittleEndian.Uint16(raw[8:]),
			time: binary.LittleEndian.Uint32(raw[10:]),
		})
	}
	return lines
}

// forks finds, among sessions that start with the same line, which was copied
// from which. A fork copies the chain and nothing between its lines, so the
// original is the file that others name as theirs, else the one whose shared lines
// lie furthest apart; where that does not tell, the one that went its own way first.
func forks(group []kin) map[string]string {
	gaps, own, named := map[string]int{}, map[string]uint32{}, map[string]bool{}
	for i := range group {
		gaps[group[i].id], own[group[i].id] = group[i].shared(group)
		named[group[i].known] = true
	}
	slices.SortFunc(group, func(a, b kin) int {
		return cmp.Or(cmp.Compare(gaps[b.id], gaps[a.id]), cmp.Compare(own[a.id], own[b.id]), cmp.Compare(a.id, b.id))
	})
	if i := slices.IndexFunc(group, func(k kin) bool { return k.known == "" && named[k.id] }); i > 0 {
		first := group[i]
		copy(group[1:], group[:i])
		group[0] = first
	}
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
// is its own: 0 if it has none, for whoever makes a fork goes on in it.
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
	return gaps, 0
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
