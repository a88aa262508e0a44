package index

import (
	"errors"
	"io/fs"
	"slices"

	"sesskeep"
	"sesskeep/internal/gram"
)

// facts are what one file tells of itself, kept until it changes.
type facts struct {
	Ref       sesskeep.Ref         `json:"ref"`
	Row       Row                  `json:"row"`
	Standing  sesskeep.Standing    `json:"standing,omitzero"`
	Cwds      []string             `json:"cwds,omitempty"`
	Summaries []sesskeep.LeafTitle `json:"summaries,omitempty"`
	Titled    bool                 `json:"titled,omitempty"` // by the user or the client: no summary may replace it
	Talk      *Conversation        `json:"talk,omitempty"`   // its conversation, if it has only one
}

// delta is what reading a file gave: all its facts, and the text that is new.
type delta struct {
	job
	mark   sesskeep.Mark
	change sesskeep.Change
	err    error
	failed bool // not all of it could be read: try again next time
	texted bool // its text was read

	facts    facts
	first    uint64
	chain    []byte
	talks    []Conversation
	usage    []sesskeep.UsageRow
	lines    []int // of each of them
	calls    []byte
	made     int // answers the client made up
	problems []sesskeep.Problem
	unknown  []sesskeep.Unfamiliar
	chunks   []chunk
}

// chunk is a piece of a file, of whole lines, and its filter.
type chunk struct {
	offset int64
	length int64
	line   int
	filter gram.Filter
}

// hashID names a uuid in few bytes (FNV-1a). It must stay the same over runs.
func hashID(uuid string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(uuid) {
		h = (h ^ uint64(uuid[i])) * 1099511628211
	}
	return h
}

// reader reads files for an index. It keeps its memory from file to file.
type reader struct {
	digest sesskeep.Digest
	tally  tally
	usage  bool
	text   bool // filters too
}

// read folds a file. The facts are folded from its start, because that is
// quicker than keeping what a fold would need to go on; text is taken only from
// where the mark says.
func (r *reader) read(j job) *delta {
	d := &delta{job: j}
	t, err := j.store.Tail(j.ref.File, j.mark)
	if err != nil {
		d.fail(r, err)
		return d
	}
	d.change = t.Change
	from := j.mark.Offset
	// What is the same inside was touched, or its meta file was: its facts are
	// read again all the same.
	if (t.Change == sesskeep.ChangeGrown || t.Change == sesskeep.ChangeNone) && from > 0 {
		d.change = sesskeep.ChangeGrown
		t.Close()
		if t, err = j.store.Tail(j.ref.File, sesskeep.Mark{}); err != nil {
			d.fail(r, err)
			return d
		}
	}
	defer t.Close()
	if t.Change == sesskeep.ChangeGone || t.Change == sesskeep.ChangeNone {
		d.change = t.Change
		return d
	}
	if d.change == sesskeep.ChangeReplaced {
		from = 0
	}
	r.fold(t, d, from)
	if d.texted = r.text; r.text {
		d.mark, d.err = t.Mark()
	}
	return d
}

// fail notes why a file cannot be read: it has a row all the same.
func (d *delta) fail(r *reader, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		d.change = sesskeep.ChangeGone
		return
	}
	d.change, d.failed = sesskeep.ChangeReplaced, true
	r.digest = sesskeep.Digest{}
	r.digest.Report(sesskeep.Problem{Code: sesskeep.ProblemUnreadable, File: d.ref.File, Reason: reason(err), Lost: true})
	d.sum(&r.digest)
}

func reason(err error) string {
	var e *sesskeep.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return err.Error()
}

func (r *reader) fold(t *sesskeep.Tail, d *delta, from int64) {
	g := &r.digest
	*g = sesskeep.Digest{Chain: g.Chain[:0], Usage: g.Usage[:0]}
	r.tally.reset()
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		g.Add(e)
		if r.usage {
			r.tally.add(e)
		}
		if r.text && e.Offset >= from {
			d.take(e)
		}
	}
	if e, ok := t.Rest(); ok {
		g.Add(e) // not behind the mark: its text comes with its newline
		if r.usage {
			r.tally.add(e)
		}
	}
	for _, p := range t.Problems() {
		g.Report(p)
	}
	if err := t.Err(); err != nil {
		d.failed = true
		g.Report(sesskeep.Problem{Code: sesskeep.ProblemUnreadable, File: d.ref.File, Reason: reason(err), Lost: true})
	}
	d.sum(g)
	if !r.usage {
		return
	}
	d.usage = slices.Clone(g.Usage)
	for _, u := range d.usage {
		d.lines = append(d.lines, r.tally.lines[u.Message])
	}
	d.calls, d.made = r.tally.pack(), r.tally.synthetic
}

// sum takes over what the digest found; its memory serves the next file.
func (d *delta) sum(g *sesskeep.Digest) {
	tree := g.Tree()
	d.facts = facts{
		Ref: d.ref, Row: makeRow(d.store, d.ref, g, tree), Standing: g.Standing, Cwds: g.Cwds, Summaries: g.Summaries,
		Titled: g.CustomTitle != "" || g.AITitle != "",
	}
	d.facts.Row.Title = g.Title(tree, nil)
	d.facts.Ref = d.facts.Row.Ref // knows its session now
	if len(g.Chain) > 0 {
		d.first = hashID(g.Chain[0].UUID)
	}
	if d.ref.Layout == sesskeep.LayoutMain {
		d.chain = encodeChain(g.Chain, tree)
	}
	if d.talks = Conversations(d.facts.Row.ID, g, tree, nil); len(d.talks) == 1 {
		d.facts.Talk, d.talks = &d.talks[0], nil
	}
	d.problems, d.unknown = g.Problems, g.Unknown
}

// take adds a line to the text that is new.
func (d *delta) take(e *sesskeep.Entry) {
	end := e.Offset + int64(len(e.Raw))
	n := len(d.chunks)
	if n == 0 || end-d.chunks[n-1].offset > blockSize && d.chunks[n-1].length > 0 {
		d.chunks = append(d.chunks, chunk{offset: e.Offset, line: e.Line})
		n++
	}
	c := &d.chunks[n-1]
	c.filter.Add(e.Raw)
	c.length = end - c.offset
}
