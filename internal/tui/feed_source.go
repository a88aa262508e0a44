package tui

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"sesskeep"
	"sesskeep/internal/view"
)

// source is a transcript that several Cmds read, one at a time. What it knows
// without reading, its turns and its chain, never changes: a file that grew
// makes another source.
type source struct {
	*sesskeep.Transcript
	stamp sesskeep.Mark // of the file, before it was read

	mu   sync.Mutex
	done bool
}

// openSource reads a transcript through.
func openSource(store *sesskeep.Store, file string) (*source, error) {
	if store == nil {
		return nil, errors.New("read " + file + ": its home is not open")
	}
	stamp, _ := store.Stamp(file)
	t, err := store.Read(file)
	if err != nil {
		return nil, err
	}
	return &source{Transcript: t, stamp: stamp}, nil
}

// parts reads the blocks of a turn. An error is a block too, so that one bad
// turn takes nothing else away.
func (s *source) parts(turn int) []view.Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return nil
	}
	entries, err := s.Entries(turn)
	if err != nil {
		return []view.Part{{Kind: view.NoticePart, Label: "error", Text: err.Error(), Failed: true}}
	}
	return view.Turn(entries, view.Options{})
}

// walkBytes is how much of a transcript is read in one go by what reads all of
// it, so that what is waited for comes in between.
const walkBytes = 1 << 20

// walk reads turns from the one at from on, and says where to go on.
func (s *source) walk(turns []int, from int, visit func(i int, parts []view.Part)) int {
	for size := 0; from < len(turns) && size < walkBytes; from++ {
		for _, line := range s.Turns[turns[from]].Lines {
			size += s.Chain[line].Length
		}
		visit(from, s.parts(turns[from]))
	}
	return from
}

// entry reads a line of the chain.
func (s *source) entry(line int) (sesskeep.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return sesskeep.Entry{}, errors.New("the file was read anew")
	}
	return s.Entry(line)
}

// close lets go of the file, after whoever reads it now.
func (s *source) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done {
		s.done = true
		s.Close()
	}
}

// extends reports whether the source has all of an older one, in the same
// places: the file has only grown.
func (s *source) extends(old *source) bool {
	if len(s.Chain) < len(old.Chain) {
		return false
	}
	for i := range old.Chain {
		if a, b := &old.Chain[i], &s.Chain[i]; a.UUID != b.UUID || a.Offset != b.Offset || a.Length != b.Length {
			return false
		}
	}
	return true
}

// pathTo lists the turns from the root to one.
func (s *source) pathTo(leaf int) []int {
	var path []int
	for turn := leaf; turn >= 0; turn = s.Turns[turn].Parent {
		path = append(path, turn)
	}
	slices.Reverse(path)
	return path
}

// leafBelow goes down from a turn: along the conversation a resume would go on
// with if it passes there, else always to the newest.
func (s *source) leafBelow(turn int) int {
	active := map[int]bool{}
	if s.Active >= 0 {
		for _, t := range s.Path(s.Conversations[s.Active]) {
			active[t] = true
		}
	}
	for len(s.Turns[turn].Children) > 0 {
		children := s.Turns[turn].Children
		turn = children[len(children)-1]
		if i := slices.IndexFunc(children, func(c int) bool { return active[c] }); i >= 0 {
			turn = children[i]
		}
	}
	return turn
}

// activeLeaf is the last turn of the conversation a resume would go on with, or
// of the newest, or -1.
func (s *source) activeLeaf() int {
	switch {
	case s.Active >= 0:
		return s.Conversations[s.Active].Turn
	case len(s.Turns) > 0:
		return s.leafBelow(0)
	}
	return -1
}

// turnOf finds the turn of a message by its uuid or the start of it, or -1.
func (s *source) turnOf(prefix string) int {
	found := -1
	for turn := range s.Turns {
		for _, line := range s.Turns[turn].Lines {
			uuid := s.Chain[line].UUID
			if uuid == prefix {
				return turn
			}
			if found < 0 && prefix != "" && strings.HasPrefix(uuid, prefix) {
				found = turn
			}
		}
	}
	return found
}

// number is which conversation ends with a turn, the newest being 1, or 0.
func (s *source) number(leaf int) int {
	i := slices.IndexFunc(s.Conversations, func(c sesskeep.Conversation) bool { return c.Turn == leaf })
	if i < 0 {
		return 0
	}
	return len(s.Conversations) - i
}

// said counts the lines of a path that make blocks of their own.
func (s *source) said(path []int) int {
	n := 0
	for _, turn := range path {
		for _, line := range s.Turns[turn].Lines {
			if l := &s.Chain[line]; l.Role == sesskeep.Answer || l.Sent() {
				n++
			}
		}
	}
	return n
}
