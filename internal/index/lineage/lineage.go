package lineage

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"sesskeep"
	"sesskeep/internal/index/db"
)

// Kin is a session among those that start with the same line.
type Kin struct {
	ID    string
	Known string // parent that the file itself names
	Chain []Line
}

// Line is a line of the chain in few bytes.
type Line struct {
	ID   uint64
	Gap  uint16 // lines of other kinds between the one before and it, at most MaxGap
	Time uint32 // seconds since 1970; 0: it has none
}

// MaxGap stands for any number of lines that is not smaller.
const MaxGap = math.MaxUint16

// LineSize is how many bytes a line takes, and linesInPiece how many lines are in a piece.
const (
	LineSize     = 14
	linesInPiece = 256
)

// Pieces are the pieces of a session's chain from the one on that has the
// line numbered from. Agents have none: they are not forked.
func Pieces(links []sesskeep.Link, from int, ref sesskeep.Ref) (list []db.Piece) {
	if ref.Layout != sesskeep.LayoutMain {
		return nil
	}
	for n := from / linesInPiece; n*linesInPiece < len(links); n++ {
		list = append(list, db.Piece{N: n, Body: Encode(links, n*linesInPiece, min((n+1)*linesInPiece, len(links)))})
	}
	return list
}

// Encode writes some links of a chain in few bytes.
func Encode(links []sesskeep.Link, from, to int) []byte {
	raw := make([]byte, 0, LineSize*(to-from))
	for i := from; i < to; i++ {
		l := &links[i]
		if l.Queued() { // a fork has no copy of it
			continue
		}
		gap := 0
		if i > 0 {
			gap = max(0, min(l.Line-lineBefore(links, i)-1, MaxGap))
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

// InactiveLines are the lines of a chain that are not of the active conversation,
// as the numbers at which a stretch of them begins and ends, alternately.
func InactiveLines(links []sesskeep.Link, tree *sesskeep.Tree) (bounds []int) {
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

// IsInactive reports whether a line lies in one of the stretches.
func IsInactive(bounds []int, line int) bool {
	at, found := slices.BinarySearch(bounds, line)
	if found {
		at++
	}
	return at%2 == 1
}

// Decode reads what Encode wrote.
func Decode(raw []byte) []Line {
	lines := make([]Line, 0, len(raw)/LineSize)
	for ; len(raw) >= LineSize; raw = raw[LineSize:] {
		lines = append(lines, Line{
			ID: binary.LittleEndian.Uint64(raw), Gap: binary.LittleEndian.Uint16(raw[8:]),
			Time: binary.LittleEndian.Uint32(raw[10:]),
		})
	}
	return lines
}

// Forks finds, among sessions that start with the same line, which was copied
// from which. A fork copies the chain and nothing between its lines, so the
// original is the file that others name as theirs, else the one whose shared lines
// lie furthest apart, else the one that has the first line of its own.
func Forks(group []Kin) map[string]string {
	gaps, own, named := map[string]int{}, map[string]uint32{}, map[string]bool{}
	for i := range group {
		gaps[group[i].ID], own[group[i].ID] = group[i].shared(group)
		named[group[i].Known] = true
	}
	slices.SortFunc(group, func(a, b Kin) int {
		return cmp.Or(cmp.Compare(gaps[b.ID], gaps[a.ID]), cmp.Compare(own[a.ID], own[b.ID]), cmp.Compare(a.ID, b.ID))
	})
	if i := slices.IndexFunc(group, func(k Kin) bool { return k.Known == "" && named[k.ID] }); i > 0 {
		first := group[i]
		copy(group[1:], group[:i])
		group[0] = first
	}
	from := map[string]string{}
	for i := 1; i < len(group); i++ {
		from[group[i].ID] = cmp.Or(group[i].Known, group[i].mostAlike(group[:i]))
	}
	if group[0].Known != "" {
		from[group[0].ID] = group[0].Known
	}
	return from
}

// shared counts the lines of other kinds that lie between those the session has
// in common with others of the group, and gives the time of the first line that
// is its own: 0 if it has none, because a fork that was made is continued.
func (k *Kin) shared(group []Kin) (gaps int, own uint32) {
	others := map[uint64]bool{}
	for i := range group {
		if group[i].ID != k.ID {
			for _, l := range group[i].Chain {
				others[l.ID] = true
			}
		}
	}
	for _, l := range k.Chain {
		if !others[l.ID] {
			return gaps, l.Time
		}
		gaps += int(l.Gap)
	}
	return gaps, 0
}

// mostAlike is the session that has most lines in common with k.
func (k *Kin) mostAlike(older []Kin) string {
	mine := map[uint64]bool{}
	for _, l := range k.Chain {
		mine[l.ID] = true
	}
	best, most := "", -1
	for i := range older {
		n := 0
		for _, l := range older[i].Chain {
			if mine[l.ID] {
				n++
			}
		}
		if n > most {
			best, most = older[i].ID, n
		}
	}
	return best
}
