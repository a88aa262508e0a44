package conversation

import (
	"context"
	"errors"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/view"
)

// source is a transcript as the pages of a session show it. It never changes: a
// file that grew makes another source.
type source struct {
	*sesskeep.Transcript
	session *reading.Session
	ctx     context.Context // of the interface
	stamp   homefs.Mark     // of the file, before it was read; zero: not known
}

// openSource reads what a row is about: a transcript, or an agent inside of it
// that the row names or that has the message.
func openSource(w *pages.World, row *catalog.Session, message string) (*source, error) {
	store := w.Store(row)
	if store == nil {
		return nil, errors.New("read " + row.Ref.File + ": its home is not open")
	}
	stamp, _ := store.Files().Stamp(row.Ref.File)
	s, err := w.App.Catalog.Read(w.Ctx, catalog.Target{Store: store, Ref: row.Ref, Inline: inlineAgent(row), Message: message})
	if err != nil {
		return nil, err
	}
	return &source{Transcript: s.Transcript, session: s, ctx: w.Ctx, stamp: stamp}, nil
}

// append returns the source as it is with what was appended to its file, and nil
// if it has that already.
func (s *source) append(a *board.Appended) (*source, error) {
	now, change, err := s.session.Append(s.ctx, a.Entries, a.To)
	if err != nil {
		return nil, err
	}
	if change == homefs.Same {
		now.Close()
		return nil, nil
	}
	return &source{Transcript: now.Transcript, session: now, ctx: s.ctx}, nil
}

// grown reads the blocks of the turns at the end that have lines which an older source
// has not.
func (s *source) grown(old *source) map[int][]view.Part {
	parts := map[int][]view.Part{}
	for _, turn := range slices.Backward(s.session.PathTo(s.session.ActiveLeaf())) {
		lines := s.Tree.Turns[turn].Lines
		if len(lines) == 0 || slices.Max(lines) < len(old.Digest.Chain) {
			break
		}
		parts[turn] = s.parts(turn)
	}
	return parts
}

// parts reads the blocks of a turn. An error is a block too, so that one bad
// turn takes nothing else away.
func (s *source) parts(turn int) []view.Part {
	parts, err := s.session.Parts(s.ctx, turn)
	if err != nil {
		return []view.Part{{Kind: view.NoticePart, Label: "error", Text: err.Error(), Failed: true}}
	}
	return parts
}

// walkBytes is how much of a transcript is read in one go by what reads all of
// it, so that what is waited for comes in between.
const walkBytes = 1 << 20

// walk reads turns starting at from, and returns where the next walk starts.
func (s *source) walk(turns []int, from int, visit func(i int, parts []view.Part)) int {
	for size := 0; from < len(turns) && size < walkBytes; from++ {
		for _, line := range s.Tree.Turns[turns[from]].Lines {
			size += s.Digest.Chain[line].Length
		}
		visit(from, s.parts(turns[from]))
	}
	return from
}

// entry reads a line of the chain.
func (s *source) entry(line int) (sesskeep.Entry, error) { return s.session.Entry(s.ctx, line) }

// Close releases the file once its current readers are done.
func (s *source) Close() { s.session.Close() }

// said counts the lines of a path that make blocks of their own.
func (s *source) said(path []int) int {
	n := 0
	for _, turn := range path {
		for _, line := range s.Tree.Turns[turn].Lines {
			if l := &s.Digest.Chain[line]; l.Role == sesskeep.RoleAnswer || l.Sent() {
				n++
			}
		}
	}
	return n
}
