package talk

import "sesskeep/internal/index"

// seenLines are lines or calls, of all homes, that were met before: forks repeat them.
type seenLines map[seenLine]bool

// seenLine names a line of a home, in whichever file it is.
type seenLine struct {
	root string
	id   uint64
}

// first reports whether a uuid is met for the first time, and notes it. Lines without one are
// all different.
func (s seenLines) first(root, uuid string) bool {
	return uuid == "" || s.firstID(root, index.LineID(uuid))
}

func (s seenLines) firstID(root string, id uint64) bool {
	line := seenLine{root, id}
	if s[line] {
		return false
	}
	s[line] = true
	return true
}
