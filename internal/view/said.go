package view

import (
	"bytes"
	"time"

	"sesskeep"
)

// said finds the part of an entry that says the same at the same time as another one: some
// clients write old lines again under new uuids. Entries without a time are not in it.
type said struct {
	last map[saidKey]int // the last of list with that time and size, from 1
	list []saying
}

// saidKey is what two entries that say the same have in common.
type saidKey struct {
	kind sesskeep.Kind
	time time.Time
	size int // of the content
}

// saying is the content of an entry and its first part.
type saying struct {
	content []byte
	part    int
	before  int // the one before it with its key; 0: none
}

func saidKeyOf(e *sesskeep.Entry) (saidKey, bool) {
	if e.Time.IsZero() || e.Message == nil || len(e.Message.Content) == 0 {
		return saidKey{}, false
	}
	return saidKey{e.Kind, e.Time, len(e.Message.Content)}, true
}

// find returns what says the same as an entry, or nil.
func (s *said) find(m saidKey, content []byte) *saying {
	for i := s.last[m]; i > 0; i = s.list[i-1].before {
		if one := &s.list[i-1]; bytes.Equal(one.content, content) {
			return one
		}
	}
	return nil
}

// part returns the first part of an entry that says the same as e.
func (s *said) part(e *sesskeep.Entry) (int, bool) {
	m, ok := saidKeyOf(e)
	if !ok {
		return 0, false
	}
	one := s.find(m, e.Message.Content)
	if one == nil {
		return 0, false
	}
	return one.part, true
}

// add notes the first part of an entry.
func (s *said) add(e *sesskeep.Entry, part int) {
	m, ok := saidKeyOf(e)
	if !ok {
		return
	}
	if one := s.find(m, e.Message.Content); one != nil {
		one.part = part
		return
	}
	if s.last == nil {
		s.last = map[saidKey]int{}
	}
	s.list = append(s.list, saying{e.Message.Content, part, s.last[m]})
	s.last[m] = len(s.list)
}
