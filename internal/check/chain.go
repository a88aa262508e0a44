package check

import (
	"hash/maphash"
	"slices"

	"sesskeep"
)

// node is one record of the tree.
type node struct {
	uuid, parent, source string
	line                 int
	offset, length       int64
	side                 bool // of a sidechain
	marker               bool // of an interruption
}

// chain is how the records of a file hang together.
type chain struct {
	nodes []node
	index map[string]int // uuid → its first node
	sums  map[string]uint64
	seed  maphash.Seed
}

func newChain() *chain {
	return &chain{index: map[string]int{}, sums: map[string]uint64{}, seed: maphash.MakeSeed()}
}

// add takes the next record in. It returns Duplicate or Conflict for one whose
// uuid was there before, with the node that has it.
func (c *chain) add(p piece, r *record) (Code, *node) {
	sum := maphash.Bytes(c.seed, p.raw)
	if first, ok := c.index[r.uuid]; ok {
		if c.sums[r.uuid] == sum && c.nodes[first].length == int64(len(p.raw)) {
			return Duplicate, &c.nodes[first]
		}
		return Conflict, &c.nodes[first]
	}
	c.index[r.uuid], c.sums[r.uuid] = len(c.nodes), sum
	c.nodes = append(c.nodes, node{r.uuid, r.parent, r.source, p.line, p.offset, int64(len(p.raw)), r.sidechain, r.marker})
	return "", nil
}

// broken is a node whose parent has to be another one.
type broken struct {
	node   int
	code   Code
	parent int // that it should have; -1: none
}

// continues reports whether a node hangs below a line of another file because the
// client wrote it so: a helper begins below the talk it is about, and a session can
// begin with the marker of an interruption in the session before.
func (c *chain) continues(i int, ref sesskeep.Ref) bool {
	if ref.Agent.Helper() {
		return i == 0
	}
	return i <= 1 && ref.Agent == "" && c.nodes[i].marker
}

// mend finds the nodes whose parents are missing or below them, and parents that
// they can have instead.
func (c *chain) mend(ref sesskeep.Ref) []broken {
	parent := make([]int, len(c.nodes))
	var list []broken
	for i := range c.nodes {
		parent[i] = -1
		if name := c.nodes[i].parent; name != "" {
			p, ok := c.index[name]
			if !ok && c.continues(i, ref) {
				continue
			}
			if !ok {
				list = append(list, broken{i, Dangling, -1})
				continue
			}
			parent[i] = p
		}
	}
	for _, i := range cutLoops(parent) {
		list = append(list, broken{i, Cycle, -1})
	}
	slices.SortFunc(list, func(a, b broken) int { return a.node - b.node })
	c.reattach(newForest(parent), list)
	return list
}

// cutLoops makes the first node of every loop a root, and returns those.
func cutLoops(parent []int) (cut []int) {
	walk := make([]int, len(parent)) // the walk that came by, named by its start, from 1
	for i := range parent {
		j := i
		for j >= 0 && walk[j] == 0 {
			walk[j] = i + 1
			j = parent[j]
		}
		if j < 0 || walk[j] != i+1 {
			continue
		}
		first := j
		for k := parent[j]; k != j; k = parent[k] {
			first = min(first, k)
		}
		parent[first] = -1
		cut = append(cut, first)
	}
	return cut
}

// reattach hangs nodes that have lost their parent below the answer that their call
// is in, else below the record before them, where that is not below themselves.
func (c *chain) reattach(f forest, list []broken) {
	for k := range list {
		b := &list[k]
		if p, ok := c.index[c.nodes[b.node].source]; ok && f.attach(b.node, p) {
			b.parent = p
			continue
		}
		for p := b.node - 1; p >= max(0, b.node-maxParentSearch); p-- {
			if c.nodes[p].side == c.nodes[b.node].side && f.attach(b.node, p) {
				b.parent = p
				break
			}
		}
	}
}

// maxParentSearch bounds how many records before a broken link are searched for its parent.
const maxParentSearch = 100

// forest knows the root of every node: each points upwards, further and further.
type forest []int

func newForest(parent []int) forest {
	f := make(forest, len(parent))
	for i, p := range parent {
		if f[i] = p; p < 0 {
			f[i] = i
		}
	}
	return f
}

func (f forest) root(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// attach hangs the root r below p, unless p is below r.
func (f forest) attach(r, p int) bool {
	if f.root(p) == r {
		return false
	}
	f[r] = p
	return true
}
