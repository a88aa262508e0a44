package sesskeep

import (
	"context"
	"errors"
	"sync"

	"sesskeep/homefs"
)

// Transcript is a transcript as it was when it was read: its facts, its turns and
// conversations, and access to every line. Entries are read from the file again when
// asked for, so that a file of gigabytes can be opened too.
//
// A Transcript never changes; when the file has grown, More returns another one.
// Several goroutines can use it and call More at the same time.
type Transcript struct {
	File   string // path inside the home
	Digest Digest // facts about the whole file
	Tree   *Tree  // turns and conversations

	store   *Store
	file    homefs.File
	growth  *growth
	version int
	memory  int64
	recent  recent
}

// Read reads the transcript called name, a path inside the home.
func (s *Store) Read(name string) (*Transcript, error) {
	t, _, err := NewTranscript(s, name).More(context.Background())
	return t, err
}

// NewTranscript returns the transcript called name before anything of it is read.
// It is empty; More reads it.
func NewTranscript(s *Store, name string) *Transcript {
	return &Transcript{Tree: &Tree{Active: -1}, File: name, store: s, growth: newGrowth()}
}

// More reads what was appended to the file since, and returns the transcript as
// it is now. It shares what was read before and costs about as much as what is
// new. The old one stays as it is; both have to be closed, and More can be called
// after that too. When ctx ends early, the next More continues from there.
//
// The Change is [homefs.Same] if nothing was added, and [homefs.Replaced] if the file
// is another one now, which is read whole. A file that is gone is an
// fs.ErrNotExist.
func (t *Transcript) More(ctx context.Context) (*Transcript, homefs.Change, error) {
	return t.next(ctx, appended{})
}

// Append is More for a caller that has decoded the appended lines already, such as one
// that follows the file. It reads up to the offset to, where a line ends, and uses an
// entry instead of decoding a line if the file still has the same bytes at its offset.
// The Change is [homefs.Same] if the transcript was read up to there already; a file that
// was replaced is read whole. The entries must be in the order of the file, and must not
// change any more.
func (t *Transcript) Append(ctx context.Context, entries []Entry, to int64) (*Transcript, homefs.Change, error) {
	return t.next(ctx, appended{entries, to})
}

// next reads on and returns the transcript as it is then.
func (t *Transcript) next(ctx context.Context, a appended) (*Transcript, homefs.Change, error) {
	if t.growth == nil {
		return nil, "", &Error{Op: "read", Name: t.File, Err: errInline}
	}
	now, change, err := t.store.read(ctx, t.File, t.growth, a)
	if change == homefs.Same && now.version != t.version {
		change = homefs.Grown // another caller has read it
	}
	return now, change, err
}

// read brings g up to date and makes a Transcript of it.
func (s *Store) read(ctx context.Context, name string, g *growth, a appended) (*Transcript, homefs.Change, error) {
	if err := g.acquire(ctx); err != nil {
		return nil, "", &Error{Op: "read", Name: s.Path(name), Err: err}
	}
	defer g.end()
	f, err := s.files.Open(name)
	if err != nil {
		return nil, homefs.Gone, err
	}
	tail, err := openTail(f, name, g.mark)
	if err != nil {
		return nil, "", errors.Join(&Error{Op: "read", Name: s.Path(name), Err: Cause(err)}, f.Close())
	}
	switch {
	case tail.Change == homefs.Replaced:
		g = newGrowth()
	case a.to > 0 && a.to <= g.mark.Offset:
		tail.Change = homefs.Same
	case a.to > 0:
		tail.limit(a)
	}
	if tail.Change != homefs.Same {
		err = g.read(ctx, tail)
	} else if g.pending {
		g.publish(tail)
	}
	if err != nil {
		return nil, "", errors.Join(&Error{Op: "read", Name: s.Path(name), Err: Cause(err)}, tail.Close())
	}
	tail.release()
	v := g.newest
	return &Transcript{
		Digest: v.digest, Tree: v.tree, File: name, store: s, file: f, growth: g, version: v.number, memory: v.memory, recent: v.recent,
	}, tail.Change, nil
}

// Title returns the title of the session, from its own file: see [Digest.Title].
func (t *Transcript) Title() string { return t.Digest.TitleWith(t.Tree, t.Digest.ownSummaries()) }

// Extends reports whether t has everything that an older reading of its file
// has, in the same places: the file has only grown.
func (t *Transcript) Extends(old *Transcript) bool {
	if t.growth != nil && t.growth == old.growth {
		return t.version >= old.version
	}
	if len(t.Digest.Chain) < len(old.Digest.Chain) {
		return false
	}
	for i := range old.Digest.Chain {
		if a, b := &old.Digest.Chain[i], &t.Digest.Chain[i]; a.UUID != b.UUID || a.Offset != b.Offset || a.Length != b.Length {
			return false
		}
	}
	return true
}

// Memory estimates how many bytes the transcript holds, including what it shares
// with other versions of it.
func (t *Transcript) Memory() int64 { return t.memory }

// Digest folds a whole file, its unfinished last line too if that is an entry.
func (s *Store) Digest(name string) (d Digest, err error) {
	t, err := s.Tail(name, homefs.Mark{})
	if err != nil {
		return d, err
	}
	defer t.Close()
	if t.Change == homefs.Gone {
		return d, &Error{Op: "read", Name: s.Path(name), Err: ErrNotFound}
	}
	if err := t.fold(&d); err != nil {
		return d, &Error{Op: "read", Name: s.Path(name), Err: Cause(err)}
	}
	return d, nil
}

// fold adds everything that is left to d.
func (t *Tail) fold(d *Digest) error {
	if err := t.foldLines(context.Background(), d); err != nil {
		return err
	}
	if e, ok := t.Rest(); ok {
		d.Add(e)
	}
	for _, p := range t.Problems() {
		d.Report(p)
	}
	return nil
}

// Close closes the file.
func (t *Transcript) Close() error {
	if t.file == nil {
		return nil // nothing was read
	}
	return t.file.Close()
}

// decoders are kept between lines for the strings they have seen.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// Entry returns line i of the chain. It reads and decodes the line again, unless
// Append received it recently.
func (t *Transcript) Entry(i int) (Entry, error) {
	l := &t.Digest.Chain[i]
	e, ok := t.recent.at(l)
	if !ok {
		var err error
		if e, err = t.decode(l); err != nil {
			return Entry{}, err
		}
	}
	e.setPosition(l.Offset, l.Line-1)
	e.Meta, e.Queued = e.Meta || l.Expands, l.Queued() // from other lines
	return e, nil
}

// decode reads the line of a link from the file.
func (t *Transcript) decode(l *Link) (Entry, error) {
	raw := make([]byte, l.Length)
	if _, err := t.file.ReadAt(raw, l.Offset); err != nil {
		return Entry{}, &Error{Op: "read", Name: t.File, Err: Cause(err)}
	}
	dec := decoders.Get().(*decoder)
	e, err := dec.entry(raw)
	decoders.Put(dec)
	if err != nil || e.UUID != l.UUID {
		return Entry{}, &Error{Op: "read", Name: t.File, Err: errRewritten}
	}
	return e, nil
}

// Entries reads all lines of a turn again, in file order.
func (t *Transcript) Entries(turn int) ([]Entry, error) {
	entries := make([]Entry, 0, len(t.Tree.Turns[turn].Lines))
	for _, i := range t.Tree.Turns[turn].Lines {
		e, err := t.Entry(i)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

var errInline = errors.New("an agent inside of a session's file is read with the session")

var errRewritten = errors.New("the file was rewritten while it was read")
