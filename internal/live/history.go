package live

import (
	"crypto/rand"
	"strconv"
	"strings"
	"time"
)

// history numbers the events of a Hub and keeps the latest of them. A
// subscriber is a place in it, not a queue of its own, so a slow one costs
// nothing until the events it needs have been dropped.
//
// Only the range of appended lines is kept, because the file has the lines.
type history struct {
	boot  string
	last  uint64 // number of the latest event; the first one has 1
	notes []note // the events up to last, the oldest first
	whole int    // how many notes have an Event
	most  int    // how many notes are kept at least, once there are so many
}

// note is an event that is kept: appended lines as a range of a file's edition, any other
// event as it is.
type note struct {
	edition  *edition
	from, to Position
	time     time.Time
	event    *Event
}

// How many events are kept. One that is stored as it is takes several times the memory of a
// range.
const (
	maxNotes = 100_000
	maxWhole = 10_000
)

func newHistory() history { return history{boot: strings.ToLower(rand.Text()[:10]), most: maxNotes} }

// add keeps an event and returns its number.
func (h *history) add(n note) uint64 {
	h.notes = append(h.notes, n)
	h.last++
	if n.event != nil {
		h.whole++
	}
	// A quarter is dropped at once, so that moving the rest is seldom.
	if len(h.notes) > h.most+h.most/4 {
		h.drop(len(h.notes) - h.most)
	}
	if h.whole >= maxWhole+maxWhole/4 {
		h.dropWhole(h.whole - maxWhole)
	}
	return h.last
}

// dropWhole drops the oldest notes until so many events are among them.
func (h *history) dropWhole(events int) {
	n := 0
	for ; events > 0; n++ {
		if h.notes[n].event != nil {
			events--
		}
	}
	h.drop(n)
}

func (h *history) drop(n int) {
	for i := range h.notes[:n] {
		if h.notes[i].event != nil {
			h.whole--
		}
	}
	kept := copy(h.notes, h.notes[n:])
	clear(h.notes[kept:])
	h.notes = h.notes[:kept]
}

// first is the number of the oldest event that is kept.
func (h *history) first() uint64 { return h.last - uint64(len(h.notes)) + 1 }

// at returns the note of a number that is kept.
func (h *history) at(n uint64) *note { return &h.notes[n-h.first()] }

// id is the text form of a number.
func (h *history) id(n uint64) string { return h.boot + "." + strconv.FormatUint(n, 10) }

// after returns the number of the event that follows the one named id. It
// reports false if that is not known any more, or never was.
func (h *history) after(id string) (uint64, bool) {
	text, ok := strings.CutPrefix(id, h.boot+".")
	n, err := strconv.ParseUint(text, 10, 64)
	return n + 1, ok && err == nil && n <= h.last && n+1 >= h.first()
}
