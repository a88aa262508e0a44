package reading

import (
	"context"
	"errors"
	"io"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/view"
)

// Session is a transcript that is being read, of a session or an agent, as it
// was when it was opened.
type Session struct {
	Transcript *sesskeep.Transcript
	Ref        sesskeep.Ref
	Inline     string // first line of the agent inside of the file that it is; see InlineAgent
	number     int    // of that agent, counted from 1

	pool    *Pool
	store   *sesskeep.Store
	version *version
	closed  bool // belongs to the pool's lock
}

// ErrClosed is returned when a closed Session is read from.
var ErrClosed = errors.New("the session was closed")

// More returns the current version of the session and what happened to its file:
// homefs.Same, homefs.Grown or homefs.Replaced. The caller must close both versions.
func (s *Session) More(ctx context.Context) (*Session, homefs.Change, error) {
	now, err := s.pool.Open(ctx, s.store, s.Ref)
	return s.compared(now, err)
}

// Append is More for a caller that has the lines which were appended to the file up
// to an offset: see [sesskeep.Transcript.Append].
func (s *Session) Append(ctx context.Context, entries []sesskeep.Entry, to int64) (*Session, homefs.Change, error) {
	now, err := s.pool.open(ctx, s.store, s.Ref, func(t *sesskeep.Transcript) (*sesskeep.Transcript, homefs.Change, error) {
		return t.Append(ctx, entries, to)
	})
	return s.compared(now, err)
}

// compared returns another version of the session, or of the agent inside of it that
// s is, and what happened to the file since s.
func (s *Session) compared(now *Session, err error) (*Session, homefs.Change, error) {
	if err == nil && s.Inline != "" {
		whole := now
		defer whole.Close()
		now, err = whole.InlineAgent(s.Inline)
	}
	switch {
	case err != nil:
		return nil, "", err
	case now.version == s.version:
		return now, homefs.Same, nil
	case now.Transcript.Extends(s.Transcript):
		return now, homefs.Grown, nil
	}
	return now, homefs.Replaced, nil
}

// Before reports whether the session is an older version than another one of the same
// file.
func (s *Session) Before(other *Session) bool { return s.version.number < other.version.number }

// Close closes the session. Reads that are under way end first.
func (s *Session) Close() {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if !s.closed {
		s.closed = true
		s.version.release()
		s.pool.evict()
	}
}

// hold keeps the file open until release is called.
func (s *Session) hold() (release func(), err error) {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if s.closed {
		return nil, &sesskeep.Error{Op: "read", Name: s.store.Path(s.Ref.File), Err: ErrClosed}
	}
	s.version.holders++
	return func() {
		s.pool.mu.Lock()
		defer s.pool.mu.Unlock()
		s.version.release()
	}, nil
}

// Entry reads a line of the chain.
func (s *Session) Entry(ctx context.Context, line int) (sesskeep.Entry, error) {
	release, err := s.hold()
	if err != nil {
		return sesskeep.Entry{}, err
	}
	defer release()
	if err := ctx.Err(); err != nil {
		return sesskeep.Entry{}, err
	}
	return s.Transcript.Entry(line)
}

// Copy writes the file as it is now, byte for byte.
func (s *Session) Copy(ctx context.Context, w io.Writer) error {
	f, err := s.store.Files().Open(s.Ref.File)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	r := io.NewSectionReader(f, 0, info.Size())
	for ctx.Err() == nil {
		n, err := io.CopyN(w, r, 1<<20)
		if n == 0 || err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return err
		}
	}
	return ctx.Err()
}

// Parts reads the parts of a turn.
func (s *Session) Parts(ctx context.Context, turn int) ([]view.Part, error) {
	release, err := s.hold()
	if err != nil {
		return nil, err
	}
	defer release()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	entries, err := s.Transcript.Entries(turn)
	if err != nil {
		return nil, err
	}
	return view.Turn(entries, view.Options{}), nil
}

// Each calls give with the parts of one turn after the other, so that a session
// of any length can be shown.
func (s *Session) Each(ctx context.Context, turns []int, give func([]view.Part) error) error {
	for _, turn := range turns {
		parts, err := s.Parts(ctx, turn)
		if err != nil {
			return err
		}
		if err := give(parts); err != nil {
			return err
		}
	}
	return nil
}

// All reads the parts of some turns.
func (s *Session) All(ctx context.Context, turns []int) ([]view.Part, error) {
	var all []view.Part
	err := s.Each(ctx, turns, func(parts []view.Part) error {
		all = append(all, parts...)
		return nil
	})
	return all, err
}

// PathTo lists the turns from the root to the given one; there are none to -1.
func (s *Session) PathTo(turn int) []int {
	return s.Transcript.Tree.Path(sesskeep.Conversation{Turn: turn})
}

// ActiveLeaf returns the last turn of the conversation that a resume would
// continue, or -1 if there are no turns.
func (s *Session) ActiveLeaf() int {
	t := s.Transcript
	switch {
	case t.Tree.Active >= 0:
		return t.Tree.Conversations[t.Tree.Active].Turn
	case len(t.Tree.Turns) > 0:
		return s.LeafBelow(0)
	}
	return -1
}

// LeafBelow returns the last turn of the conversation that a turn is shown in:
// the one that a resume would continue if it contains the turn, else the newest
// that does.
func (s *Session) LeafBelow(turn int) int {
	if at := s.holding(turn); at >= 0 {
		return s.Transcript.Tree.Conversations[at].Turn
	}
	for turns := s.Transcript.Tree.Turns; len(turns[turn].Children) > 0; {
		turn = turns[turn].Children[len(turns[turn].Children)-1]
	}
	return turn
}

// holding returns the index of the conversation that a turn is shown in, or -1.
func (s *Session) holding(turn int) int {
	t := s.Transcript
	leaves := map[int]bool{}
	for below := []int{turn}; len(below) > 0; {
		last := below[len(below)-1]
		below = append(below[:len(below)-1], t.Tree.Turns[last].Children...)
		if len(t.Tree.Turns[last].Children) == 0 {
			leaves[last] = true
		}
	}
	if t.Tree.Active >= 0 && leaves[t.Tree.Conversations[t.Tree.Active].Turn] {
		return t.Tree.Active
	}
	for i, c := range slices.Backward(t.Tree.Conversations) {
		if leaves[c.Turn] {
			return i
		}
	}
	return -1
}

// Number returns the number of the conversation that ends with a turn, counting
// from the newest, which is 1. It returns 0 if there is none.
func (s *Session) Number(leaf int) int {
	list := s.Transcript.Tree.Conversations
	i := slices.IndexFunc(list, func(c sesskeep.Conversation) bool { return c.Turn == leaf })
	if i < 0 {
		return 0
	}
	return len(list) - i
}
