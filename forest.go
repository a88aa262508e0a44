package sesskeep

import "slices"

// link settles the parent of every line, mends what is broken, and puts the
// trunk into an order in which parents come before children.
func (g *grower) link() {
	previous := [2]int{-1, -1} // last node seen, of the trunk and of sidechains
	for i := range g.links {
		if !g.node[i] {
			continue
		}
		side := 0
		if !g.trunk[i] {
			side = 1
		}
		g.parent.set(i, g.findParent(i, previous[side]))
		previous[side] = i
	}
	g.cutLoops()
	g.sort()
}

// findParent finds the line above i. A missing parent is guessed: the entry it
// names in another field, else the line before it in the file.
func (g *grower) findParent(i, before int) int {
	l := &g.links[i]
	if l.Parent == "" && l.Logical == "" {
		// The conversation continues: hooks that run when a session starts again, or when
		// a plan was approved with a clear context, write progress below nothing.
		if l.Role == RoleBoundary || l.freshStart() || l.Progress {
			return before
		}
		return -1
	}
	for n, uuid := range []string{l.Parent, l.Logical, l.Source} {
		if p := g.lookup(i, uuid); p >= 0 {
			if n > 0 && l.Parent != "" {
				g.tree.Repaired = append(g.tree.Repaired, i)
			}
			return p
		}
	}
	g.tree.Repaired = append(g.tree.Repaired, i)
	if before >= 0 && g.links[before].Kind == l.Kind && (l.Time == 0 || g.links[before].Time <= l.Time) {
		return before
	}
	return -1
}

// lookup finds another line by uuid on the same side of the forest.
func (g *grower) lookup(i int, uuid string) int {
	if uuid == "" {
		return -1
	}
	p, ok := g.byUUID.find(g.links, uuid)
	if !ok {
		g.missing[uuid] = true
	}
	if !ok || p == i || g.trunk[p] != g.trunk[i] {
		return -1
	}
	return p
}

// cutLoops makes the earliest line of every loop a root.
func (g *grower) cutLoops() {
	walk := noNumbers(len(g.links)) // the walk that came by, named by its start
	for i := range g.links {
		j := i
		for j >= 0 && walk.at(j) < 0 {
			walk.set(j, i)
			j = g.parent.at(j)
		}
		if j < 0 || walk.at(j) != i {
			continue
		}
		earliest := j
		for k := g.parent.at(j); k != j; k = g.parent.at(k) {
			earliest = min(earliest, k)
		}
		g.parent.set(earliest, -1)
		g.tree.Repaired = append(g.tree.Repaired, earliest)
	}
	slices.Sort(g.tree.Repaired)
	g.tree.Repaired = slices.Compact(g.tree.Repaired)
}

// sort puts the trunk in file order, except that a line written before its
// parent comes right after it, and collects the inline agents: what hangs below
// a sidechain root. In this order an appended line comes last.
func (g *grower) sort() {
	placed := make([]bool, len(g.links))
	early := map[int][]int{} // lines written before their parent, by parent
	agents := map[int]int{}  // line of an inline agent → index of the agent
	var next []int
	for i := range g.links {
		if !g.node[i] {
			continue
		}
		if p := g.parent.at(i); p >= 0 && !placed[p] {
			early[p] = append(early[p], i)
			continue
		}
		next = append(next[:0], i)
		for n := 0; n < len(next); n++ {
			line := next[n]
			placed[line] = true
			if g.trunk[line] {
				g.order = append(g.order, line)
			} else {
				g.inline(line, agents)
			}
			if len(early) > 0 {
				next = append(next, early[line]...)
			}
		}
	}
	for _, lines := range g.tree.Inline {
		slices.Sort(lines)
	}
}

// inline gives a line to the agent of its parent, or to a new one.
func (g *grower) inline(i int, agents map[int]int) {
	agent, ok := agents[g.parent.at(i)]
	if !ok {
		agent = len(g.tree.Inline)
		g.tree.Inline = append(g.tree.Inline, nil)
	}
	agents[i] = agent
	g.tree.Inline[agent] = append(g.tree.Inline[agent], i)
}
