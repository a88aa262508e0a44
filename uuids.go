package sesskeep

import "hash/maphash"

// uuids finds the line that has a uuid. It knows lines by their numbers only, which takes a
// sixth of what a map of strings does.
type uuids struct {
	slots []int32 // number of a line + 1; 0 is free
	used  int
	seed  maphash.Seed
}

func newUUIDs(lines int) uuids {
	size := 64
	for size < 2*lines {
		size *= 2
	}
	return uuids{slots: make([]int32, size), seed: maphash.MakeSeed()}
}

// find returns the line with a uuid.
func (u *uuids) find(links []Link, uuid string) (line int, ok bool) {
	line = int(u.slots[u.slot(links, uuid)]) - 1
	return line, line >= 0
}

// slot is where the line with a uuid is, or belongs.
func (u *uuids) slot(links []Link, uuid string) int {
	mask := len(u.slots) - 1
	at := int(maphash.String(u.seed, uuid)) & mask
	for u.slots[at] != 0 && links[u.slots[at]-1].UUID != uuid {
		at = (at + 1) & mask
	}
	return at
}

// add makes line i the one with its uuid, which no line before it has.
func (u *uuids) add(links []Link, i int) {
	if u.used++; 2*u.used > len(u.slots) {
		u.rehash(links)
	}
	u.slots[u.slot(links, links[i].UUID)] = int32(i) + 1
}

// rehash doubles the room.
func (u *uuids) rehash(links []Link) {
	old := u.slots
	u.slots = make([]int32, 2*len(old))
	for _, line := range old {
		if line > 0 {
			u.slots[u.slot(links, links[line-1].UUID)] = line
		}
	}
}
