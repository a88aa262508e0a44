package sesskeep

import "errors"

// Transcript is a transcript read once: its Digest, its Tree, and the way back
// to every line. Entries are read again when asked for, so that a file of
// gigabytes can be opened too.
type Transcript struct {
	Digest
	*Tree
	Name string // path inside the home

	file File
	dec  decoder
}

// Read reads the transcript called name, a path inside the home.
func (s *Store) Read(name string) (*Transcript, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	tail, err := openTail(f, name, Mark{})
	if err != nil {
		return nil, errors.Join(&Error{Op: "read", Name: s.Path(name), Err: plain(err)}, f.Close())
	}
	t := &Transcript{Name: name, file: f}
	if err := tail.fold(&t.Digest); err != nil {
		return nil, errors.Join(&Error{Op: "read", Name: s.Path(name), Err: plain(err)}, tail.Close())
	}
	tail.release()
	t.Tree = t.Digest.Tree()
	return t, nil
}

// Digest folds a whole file, its unfinished last line too if that is an entry.
func (s *Store) Digest(name string) (Digest, error) {
	var d Digest
	err := s.Fold(name, &d)
	return d, err
}

// Fold is Digest for many files: d is emptied first, and its memory used again.
func (s *Store) Fold(name string, d *Digest) error {
	*d = Digest{Chain: d.Chain[:0], Usage: d.Usage[:0]}
	t, err := s.Tail(name, Mark{})
	if err != nil {
		return err
	}
	defer t.Close()
	if t.Change == Gone {
		return &Error{Op: "read", Name: s.Path(name), Err: ErrNotFound}
	}
	if err := t.fold(d); err != nil {
		return &Error{Op: "read", Name: s.Path(name), Err: plain(err)}
	}
	return nil
}

// fold adds everything that is left to d.
func (t *Tail) fold(d *Digest) error {
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		d.Add(e)
	}
	if e, ok := t.Rest(); ok {
		d.Add(e)
	}
	for _, p := range t.Problems() {
		d.Report(p)
	}
	return t.Err()
}

// Close lets go of the file.
func (t *Transcript) Close() error { return t.file.Close() }

// Entry reads line i of the chain again.
func (t *Transcript) Entry(i int) (Entry, error) {
	l := &t.Chain[i]
	raw := make([]byte, l.Length)
	if _, err := t.file.ReadAt(raw, l.Offset); err != nil {
		return Entry{}, &Error{Op: "read", Name: t.Name, Err: plain(err)}
	}
	e, err := t.dec.entry(raw)
	if err != nil || e.UUID != l.UUID {
		return Entry{}, &Error{Op: "read", Name: t.Name, Err: errRewritten}
	}
	e.place(l.Offset, l.Line-1)
	e.Meta = e.Meta || l.Role == Injected && e.IsPrompt() // only the line before told
	return e, nil
}

// Entries reads all lines of a turn again, in file order.
func (t *Transcript) Entries(turn int) ([]Entry, error) {
	entries := make([]Entry, 0, len(t.Turns[turn].Lines))
	for _, i := range t.Turns[turn].Lines {
		e, err := t.Entry(i)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

var errRewritten = errors.New("the file was rewritten while it was read")
