package index

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/gram"
	"sesskeep/internal/index/block"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/lineage"
	"sesskeep/internal/index/output"
	"sesskeep/internal/index/row"
	"sesskeep/internal/index/usage"
)

// delta is what reading a file gave: all its facts, and the text that is new.
type delta struct {
	job
	gone   bool
	failed bool // not all of it could be read: try again next time
	holed  bool // a piece of the copy is damaged: the rest counts, and all is read again next time
	// metaUnread says that an agent's meta file could not be read, which is tried again too.
	metaUnread bool

	stat string      // of the file that was read
	mark homefs.Mark // how far it was read
	end  int64       // of its last whole line
	// base is the mark in the index that the text continues, and from its
	// offset; an empty one is none: the text is all there is.
	base  string
	from  int64
	known int // lines before it
	// complete says that chain, usage and calls are all there are, and not only
	// those that changed behind from.
	complete bool

	facts         row.Facts
	first         uint64
	chain         []db.Piece
	times         []db.Piece // all of them
	reclassified  []int      // see reclassified.go
	conversations []ask.Conversation
	branches      [][]int // by conversation, the oldest first: see branchLines
	naming        [][]int // the same: see namingLines
	usage         []sesskeep.UsageRow
	lines         []int // of each of them
	calls         []db.Piece
	synthetic     int // answers the client made up
	problems      []sesskeep.Problem
	unknown       []sesskeep.Unfamiliar
	chunks        []chunk
	namings       []naming // of outputs, in lines that are new
}

// chunk is a piece of a file, of whole lines, and its filter. A line that is longer than
// a block is a chunk of its own and has several: see [gram.Builder.Pieces].
type chunk struct {
	offset  int64
	length  int64
	line    int
	filters []gram.Filter
	escapes bool // see [gram.Builder.Escapes]
	inner   bool // a line has a key "uuid" besides its own
}

// reader reads files for an index.
type reader struct {
	index     *Index
	rowsOnly  bool
	keepFolds bool // folds, for those who come back
	scratch   fold // serves one file after another
	grams     gram.Builder
}

// readAll reads files on all processors.
func (x *Index) readAll(ctx context.Context, jobs []job, o Options, deltas chan<- *delta) {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	queue := make(chan job)
	var readers sync.WaitGroup
	for range min(workers, len(jobs)) {
		readers.Go(func() {
			r := &reader{index: x, rowsOnly: o.RowsOnly, keepFolds: o.keepFolds}
			give := func(d *delta) bool {
				select {
				case deltas <- d:
					return true
				case <-ctx.Done():
					return false
				}
			}
			for j := range queue {
				if j.output {
					give(r.readOutput(j))
					continue
				}
				d := r.read(j)
				named := r.namedOutputs(ctx, d)
				if !give(d) {
					return
				}
				for _, j := range named {
					give(r.readOutput(j))
				}
			}
		})
	}
	defer close(deltas)
	defer readers.Wait()
	defer close(queue)
	for _, j := range jobs {
		select {
		case queue <- j:
		case <-ctx.Done():
			return
		}
	}
}

// read folds a file. It continues the fold in the cache where there is one, and otherwise
// starts at the beginning of the file: that is quicker than keeping folds on disk. It reads
// text only behind what the index has already.
func (r *reader) read(j job) *delta {
	d := &delta{job: j}
	if err := r.base(d); err != nil {
		d.fail(err)
		return d
	}
	f, t, err := r.open(d)
	if err != nil {
		d.fail(err)
		return d
	}
	defer t.Close()
	if t.Change == homefs.Gone {
		d.confirmGone()
		return d
	}
	d.ref.Stat = t.Opened
	d.ref.Size, d.ref.Modtime = d.ref.Stat.Size, time.Unix(0, d.ref.Stat.Modtime)
	d.stat = statText(d.ref)
	d.complete = r.rowsOnly || d.base == "" || d.was.torn
	r.fold(f, t, d)
	return d
}

// base finds out whether the text continues what the index has.
func (r *reader) base(d *delta) error {
	if r.rowsOnly || d.was.mark == "" {
		return nil
	}
	var m homefs.Mark
	if json.Unmarshal([]byte(d.was.mark), &m) != nil || m.Offset == 0 {
		return nil // it starts over
	}
	t, err := d.store.Tail(d.ref.File, r.index.folds.ownMark(fileName{d.store.Root(), d.ref.File}, m))
	if err != nil {
		return err
	}
	defer t.Close()
	if t.Change == homefs.Grown || t.Change == homefs.Same {
		d.base, d.from, d.known = d.was.mark, m.Offset, m.Lines
	}
	return nil
}

// maxRoom is for how many lines a fold makes room at most before it has read them.
const maxRoom = 1 << 16

// open gives the fold to continue and the tail to add to it.
func (r *reader) open(d *delta) (*fold, *sesskeep.Tail, error) {
	if f := r.index.folds.remove(fileName{d.store.Root(), d.ref.File}); f != nil && (r.rowsOnly || d.base != "" && f.mark.Offset <= d.from) {
		t, err := d.store.Tail(d.ref.File, f.mark)
		if err != nil {
			return nil, nil, err
		}
		// Of one that is the same nothing is given out, not even a line that
		// lacks its end.
		if t.Change == homefs.Grown || t.Change == homefs.Same && f.mark.Offset == f.mark.Size {
			return f, t, nil
		}
		t.Close()
	}
	f := &r.scratch
	if r.keepFolds {
		f = &fold{}
		f.digest.Chain = make([]sesskeep.Link, 0, min(d.known, maxRoom))
	}
	f.digest = sesskeep.Digest{Chain: f.digest.Chain[:0], Usage: f.digest.Usage[:0]}
	f.tally.Reset()
	f.calls.Reset()
	f.mark = homefs.Mark{}
	t, err := d.store.Tail(d.ref.File, homefs.Mark{})
	return f, t, err
}

// confirmGone notes that the file is not there, if a home that is opened for nothing
// else says so too.
func (d *delta) confirmGone() {
	reopened, err := d.store.Files().Reopen()
	if err == nil && reopened.Missing(d.ref.File) {
		d.gone = true
		return
	}
	d.fail(fs.ErrNotExist)
}

// fail notes why a file cannot be read: it has a row all the same.
func (d *delta) fail(err error) {
	d.failed, d.complete, d.base = true, true, ""
	var g sesskeep.Digest
	g.Report(sesskeep.Problem{Code: sesskeep.ProblemUnreadable, File: d.ref.File, Reason: sesskeep.Cause(err).Error(), Lost: true})
	d.summarize(&g, g.Tree())
}

func (r *reader) fold(f *fold, t *sesskeep.Tail, d *delta) {
	g, y, c := &f.digest, &f.tally, &f.calls
	y.ForgetChanges()
	c.ForgetChanges()
	continued := f.mark != (homefs.Mark{})
	count := !r.rowsOnly || r.keepFolds || f != &r.scratch
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		g.Add(e)
		if count {
			y.Add(e, e.Offset >= d.from)
			c.Add(e, g.ToolUses(), e.Offset >= d.from)
		}
		if !r.rowsOnly && e.Offset >= d.from {
			r.addLine(d, e)
		}
	}
	r.endChunk(d)
	report(g, t.Problems())
	if err := t.Err(); err != nil {
		d.failed = true
		g.Report(sesskeep.Problem{Code: sesskeep.ProblemUnreadable, File: d.ref.File, Reason: sesskeep.Cause(err).Error(), Lost: true})
	}
	// A last line without its end counts, but is not behind the mark: it comes
	// again when it is whole, and so it is no part of the fold that is held.
	tree := g.Tree()
	rest, whole := t.Rest()
	problems := t.Problems()
	if whole || len(problems) > 0 {
		if f != &r.scratch {
			g, y, c = g.Clone(), y.Clone(), c.Clone()
		}
		if whole {
			g.Add(rest)
			y.Add(rest, true)
			c.Add(rest, g.ToolUses(), true)
			tree = g.Tree()
		}
		report(g, problems)
	}
	d.end, _ = t.Position()
	if !r.rowsOnly || f != &r.scratch {
		var err error
		d.mark, err = t.Mark()
		d.failed = d.failed || err != nil
	}
	d.holed = t.Holed()
	d.summarize(g, tree)
	d.chain = lineage.Pieces(g.Chain, d.firstNew(g), d.ref)
	if !r.rowsOnly {
		d.count(g, y)
		c.SetPrompts(g.Chain, tree)
		d.calls = c.Pack(d.complete || !continued)
	}
	if f.mark = d.mark; f != &r.scratch && !d.failed && !d.holed {
		r.index.folds.put(fileName{d.store.Root(), d.ref.File}, f)
	}
}

// unreadMeta reports whether an agent has a meta file that gave nothing because it could
// not be read.
func unreadMeta(store *sesskeep.Store, ref sesskeep.Ref, row *ask.Row) bool {
	if ref.Meta.Size == 0 || row.AgentType != "" || row.Description != "" {
		return false
	}
	_, err := store.Files().ReadFile(metaName(ref.File), 1)
	var no syscall.Errno
	return errors.As(err, &no) && !errors.Is(err, fs.ErrNotExist)
}

func report(g *sesskeep.Digest, problems []sesskeep.Problem) {
	for _, p := range problems {
		g.Report(p)
	}
}

// firstNew is the first line of the chain that the index does not have.
func (d *delta) firstNew(g *sesskeep.Digest) int {
	if d.complete {
		return 0
	}
	n := len(g.Chain)
	for n > 0 && g.Chain[n-1].Offset >= d.from {
		n--
	}
	return n
}

// count takes over the usage, or what changed of it.
func (d *delta) count(g *sesskeep.Digest, y *usage.Tally) {
	if d.complete {
		d.usage = slices.Clone(g.Usage)
	} else {
		left := y.Changes()
		for i := len(g.Usage) - 1; i >= 0 && left > 0; i-- {
			if y.Changed(g.Usage[i].Message) {
				d.usage = append(d.usage, g.Usage[i])
				left--
			}
		}
	}
	for _, u := range d.usage {
		d.lines = append(d.lines, y.LinesOf(u.Message))
	}
	d.synthetic = y.Synthetic()
}

// summarize takes over what the digest found; its memory serves the next file.
func (d *delta) summarize(g *sesskeep.Digest, tree *sesskeep.Tree) {
	d.facts = row.Facts{
		Ref: d.ref, Row: row.Of(d.store, d.ref, g, tree), Standing: g.Standing, Cwds: g.Cwds, Summaries: g.Summaries,
		Titled: g.CustomTitle != "" || g.AITitle != "", Aside: lineage.InactiveLines(g.Chain, tree),
	}
	d.facts.Row.Title = g.TitleWith(tree, nil)
	if d.metaUnread = unreadMeta(d.store, d.ref, &d.facts.Row); d.metaUnread {
		ref := d.ref
		ref.Meta = homefs.Mark{}
		d.stat = statText(ref) // as if it had none yet
	}
	d.facts.Ref = d.facts.Row.Ref // knows its session now
	if len(g.Chain) > 0 {
		d.first = db.Hash(g.Chain[0].UUID)
	}
	if d.conversations = row.Conversations(d.facts.Row.ID, g, tree, ownSummaries(g)); len(d.conversations) == 1 {
		d.facts.Conversation, d.conversations = (*row.KeptConversation)(&d.conversations[0]), nil
	}
	d.branches = branchLines(g.Chain, tree)
	d.naming = namingLines(g, tree)
	d.times = timePieces(g.Chain, tree)
	d.reclassified = reclassified(g.Chain)
	d.problems, d.unknown = slices.Clone(g.Problems), slices.Clone(g.Unknown)
}

// addLine adds a line to the text that is new.
func (r *reader) addLine(d *delta, e *sesskeep.Entry) {
	end := e.Offset + int64(len(e.Raw))
	n := len(d.chunks)
	if n == 0 || end-d.chunks[n-1].offset > block.Size && d.chunks[n-1].length > 0 {
		r.endChunk(d)
		d.chunks = append(d.chunks, chunk{offset: e.Offset, line: e.Line})
		n++
	}
	c := &d.chunks[n-1]
	if c.length = end - c.offset; c.length > block.Size {
		c.filters = r.grams.Pieces(e.Raw, block.Size)
	} else {
		r.grams.Add(e.Raw)
	}
	c.inner = c.inner || !r.grams.Own(e.UUID)
	for _, name := range output.In(e) {
		d.namings = append(d.namings, naming{name, e.Offset, len(e.Raw)})
	}
}

// endChunk gives the last chunk the filter of its lines.
func (r *reader) endChunk(d *delta) {
	n := len(d.chunks)
	if n == 0 {
		return
	}
	c := &d.chunks[n-1]
	if c.escapes = r.grams.Escapes(); c.filters == nil {
		c.filters = []gram.Filter{r.grams.Filter()}
	}
}
