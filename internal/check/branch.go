package check

import (
	"fmt"
	"io"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
)

// Branch is a new session made of some records of another one: one of its
// conversations. The records keep their uuids, name the new session, and say from
// where they were copied, as the client's own /branch has it.
type Branch struct {
	Session sesskeep.SessionID // the new one
	From    sesskeep.SessionID
	Title   string // empty: none of its own

	store   *sesskeep.Store
	file    string
	links   []sesskeep.Link
	parents map[string]string // uuid → the parent it gets, where its own is left behind
}

// NewBranch makes a session of some lines of a transcript, given in file order.
func NewBranch(s *sesskeep.Store, t *sesskeep.Transcript, lines []int, id, from sesskeep.SessionID) *Branch {
	b := &Branch{Session: id, From: from, store: s, file: t.File, parents: map[string]string{}}
	copied := map[string]bool{}
	for _, i := range lines {
		if l := t.Digest.Chain[i]; l.UUID != "" && !copied[l.UUID] {
			copied[l.UUID] = true
			b.links = append(b.links, l)
		}
	}
	before := ""
	for i := range b.links {
		l := &b.links[i]
		if l.Parent != "" && !copied[l.Parent] {
			b.parents[l.UUID] = before
		}
		before = l.UUID
	}
	return b
}

// Records is how many records it has.
func (b *Branch) Records() int { return len(b.links) }

// Open returns the content of the new transcript. It is made while it is read.
func (b *Branch) Open() (io.ReadCloser, error) {
	src, err := b.store.Files().Open(b.file)
	if err != nil {
		return nil, err
	}
	return &branchReader{branch: b, src: src}, nil
}

type branchReader struct {
	branch *Branch
	src    homefs.File
	dec    decoder
	next   int // of the links
	titled bool
	raw    []byte
	buf    []byte
	out    []byte // not read yet
}

func (r *branchReader) Close() error { return r.src.Close() }

func (r *branchReader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// fill makes the next line.
func (r *branchReader) fill() error {
	b := r.branch
	if r.next == len(b.links) {
		if b.Title == "" || r.titled {
			return io.EOF
		}
		r.titled = true
		r.out = fmt.Appendf(nil, `{"type":"custom-title","customTitle":%s,"sessionId":%s}`+"\n", quote(b.Title), quote(string(b.Session)))
		return nil
	}
	l := &b.links[r.next]
	r.next++
	r.raw = slices.Grow(r.raw[:0], l.Length)[:l.Length]
	if _, err := r.src.ReadAt(r.raw, l.Offset); err != nil {
		return err
	}
	rec, ok := r.dec.decode(r.raw)
	if !ok || rec.uuid != l.UUID {
		return fmt.Errorf("line %d of %s was changed meanwhile", l.Line, b.file)
	}
	r.buf = append(patched(r.buf[:0], r.raw, b.patches(rec)), '\n')
	r.out = r.buf
	return nil
}

// patches are what a record says of its new session, in the order of its fields.
func (b *Branch) patches(rec *record) []patch {
	start := span{1, 1} // behind the brace that a record begins with
	origin := fmt.Sprintf(`{"sessionId":%s,"messageUuid":%s}`, quote(string(b.From)), quote(rec.uuid))
	list := []patch{valueAt(rec.sessionAt, start, "sessionId", quote(string(b.Session))), valueAt(rec.forkAt, start, "forkedFrom", origin)}
	if up, ok := b.parents[rec.uuid]; ok && rec.parentAt.found() {
		value := "null"
		if up != "" {
			value = quote(up)
		}
		list = append(list, patch{rec.parentAt, value})
	}
	slices.SortStableFunc(list, func(a, b patch) int { return a.at.from - b.at.from })
	return list
}

// valueAt gives a field another value, or adds it at a place where it is missing.
func valueAt(at, missing span, name, value string) patch {
	if at.found() {
		return patch{at, value}
	}
	return patch{missing, `"` + name + `":` + value + ","}
}
