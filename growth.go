package sesskeep

import (
	"context"
	"errors"
	"slices"

	"sesskeep/homefs"
)

// growth is what the versions of one transcript share. Only whole lines are
// folded: the unfinished last line is added to each version on its own, so that
// it counts once when it is complete.
//
// Versions see the front of slices that only grow; what would change an element
// they see is done on a copy.
type growth struct {
	turn chan struct{} // held by the one who reads

	fold    Digest
	mark    homefs.Mark
	memory  int64
	newest  version
	recent  recent
	pending bool // something was folded that the newest version lacks
}

// version is a transcript as it was at one time.
type version struct {
	number int // counting from 1
	digest Digest
	tree   *Tree
	memory int64
	recent recent
}

func newGrowth() *growth { return &growth{turn: make(chan struct{}, 1)} }

// acquire waits for the right to read.
func (g *growth) acquire(ctx context.Context) error {
	select {
	case g.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *growth) end() { <-g.turn }

// read folds what a Tail still has and makes a version of it. What was folded
// before an error is kept for the next time.
func (g *growth) read(ctx context.Context, t *Tail) error {
	g.pending = true
	from := len(g.fold.Chain)
	err := t.foldLines(ctx, &g.fold)
	for _, p := range t.Problems() {
		g.fold.Report(p)
	}
	mark, markErr := t.Mark()
	if markErr != nil {
		g.forget()
		return errors.Join(err, markErr)
	}
	g.mark = mark
	g.recent.add(t.records.used)
	g.memory += memoryOf(g.fold.Chain[from:])
	if err == nil {
		g.publish(t)
	}
	return err
}

// forget makes the next reading start over.
func (g *growth) forget() { g.fold, g.mark, g.memory, g.recent = Digest{}, homefs.Mark{}, 0, recent{} }

// publish makes a version of the fold and the unfinished last line.
func (g *growth) publish(t *Tail) {
	v := version{number: g.newest.number + 1, tree: g.fold.Tree(), digest: g.fold.freeze(), memory: g.memory + int64(g.recent.size), recent: g.recent}
	if e, ok := t.Rest(); ok {
		v.digest.Add(e)
		v.tree = g.treeWith(&v.digest)
		v.digest = v.digest.freeze()
	}
	for _, p := range t.Problems() {
		v.digest.Report(p)
	}
	if v.number == 1 {
		g.fold.grown, g.fold.rows = nil, nil // made again for the next version: few transcripts that are read also grow
	}
	g.newest, g.pending = v, false
}

// treeWith is the tree of a digest that has one entry more than the fold.
func (g *growth) treeWith(d *Digest) *Tree {
	if len(d.Chain) > len(g.fold.Chain) {
		return d.Tree()
	}
	if d.Hint == g.fold.Hint && len(d.Summaries) == len(g.fold.Summaries) {
		return g.fold.grown.tree
	}
	chosen := *g.fold.grown
	chosen.tree = chosen.tree.copied(0)
	chosen.choose(d.Hint)
	return chosen.tree.describe(d.Chain, d.Summaries)
}

// foldLines folds every whole line that is left.
func (t *Tail) foldLines(ctx context.Context, d *Digest) error {
	for n := 1; ; n++ {
		// A line that holds several entries is folded whole, because a Mark is
		// always at the end of a line.
		if n%256 == 0 && len(t.records.found) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n%256 == 0 {
			t.makeRoom(d)
		}
		e, ok := t.Next()
		if !ok {
			return t.Err()
		}
		d.Add(e)
	}
}

// makeRoom gives a digest that is nearly full the room that it will need if the rest of the
// file is like what was read, but at most twice what it has: what grows by appending alone has
// a quarter too much at its end, and leaves five times as much behind.
func (t *Tail) makeRoom(d *Digest) {
	offset, _ := t.Position()
	if offset == 0 {
		return
	}
	rest := 1.02 * float64(max(0, t.Opened.Size-offset)) / float64(offset)
	d.Chain = withRoom(d.Chain, rest)
	d.Usage = withRoom(d.Usage, rest)
}

// withRoom makes room for so many times what a list has, if it is nearly full.
func withRoom[E any](list []E, rest float64) []E {
	const near = 512 // as many lines are read between two calls, and a few have several entries
	if len(list) < near || cap(list)-len(list) > near {
		return list
	}
	return append(make([]E, 0, len(list)+near+int(float64(len(list))*min(1, rest))), list...)
}

// freeze returns a copy of the digest that later lines do not change.
func (d *Digest) freeze() Digest {
	d.shown = len(d.Usage)
	c := *d
	c.rows, c.outline, c.grown, c.frozen = nil, outline{}, nil, true
	c.Problems, c.Cwds, c.Models = slices.Clip(c.Problems), slices.Clip(c.Cwds), slices.Clip(c.Models)
	c.Summaries, c.Usage, c.Chain = slices.Clip(c.Summaries), slices.Clip(c.Usage), slices.Clip(c.Chain)
	c.Commits, c.PullRequests, c.GitCalls = slices.Clip(c.Commits), slices.Clip(c.PullRequests), slices.Clip(c.GitCalls)
	c.Unknown, c.Queue = slices.Clone(c.Unknown), slices.Clone(c.Queue)
	return c
}

// What a line takes in memory beside its texts: the Link, its places in the
// tree and its part of a usage row. An estimate.
const lineMemory = 700

func memoryOf(links []Link) int64 {
	var size int64
	for i := range links {
		l := &links[i]
		size += lineMemory + int64(len(l.UUID)+len(l.Parent)+len(l.Logical)+len(l.Message)+len(l.Tool)+len(l.Text)+len(l.Plan))
	}
	return size
}
