package sesskeep

import (
	"slices"
)

// more grows the tree by the lines that were appended to the links it was grown
// from. The tree before stays as it is. Where a line does more than continue
// from a known turn, the tree is rebuilt.
func (g *grower) more(links []Link, hint Hint) *grower {
	from := len(g.links)
	g.links = links
	g.tree = g.tree.copied(len(links) - from)
	for i := from; i < len(links); i++ {
		if !g.add(i) {
			return grow(links, hint)
		}
	}
	g.choose(hint)
	return g
}

// copied is a tree that can be changed without changing t: lists of lines and
// children may only be appended to or replaced.
func (t *Tree) copied(room int) *Tree {
	c := *t
	if room > 0 {
		c.Turns = append(make([]Turn, 0, len(t.Turns)+room), t.Turns...)
	}
	c.Conversations = slices.Clone(t.Conversations)
	return &c
}

// add puts the last line into the tree. It reports false if the line changes
// more than the turns at the end of a conversation; the tree is then useless.
func (g *grower) add(i int) bool {
	l := &g.links[i]
	p := g.continuesFrom(l)
	if p < 0 {
		return false
	}
	above, boundary := g.above.at(p), -1
	if g.turn.at(p) < 0 {
		boundary = g.boundary.at(p)
	}
	if l.Role == RoleBoundary {
		boundary = i
	}
	g.byUUID.add(g.links, i)
	g.trunk, g.parent, g.turn = append(g.trunk, true), g.parent.with(p), g.turn.with(-1)
	g.above, g.lead, g.boundary = g.above.with(above), g.lead.with(free), g.boundary.with(boundary)
	switch l.Role {
	case RolePrompt:
		return g.addTurn(i)
	case RoleAnswer:
		return g.addAnswer(i)
	}
	owner := g.owner(i)
	if g.merged[owner] && l.Sent() {
		return false // the words may give an answer a voice that was merged for having none
	}
	return g.join(i, owner)
}

// continuesFrom finds the line that a new one continues from, or -1 if it is
// not that simple: it has no parent, or others were waiting for it.
func (g *grower) continuesFrom(l *Link) int {
	if len(g.tree.Turns) == 0 || g.tree.Turns[0].Head < 0 || l.UUID == "" || l.Sidechain != g.agent {
		return -1
	}
	if _, known := g.byUUID.find(g.links, l.UUID); known || g.missing[l.UUID] {
		return -1
	}
	parent := l.Parent
	if parent == "" {
		parent = l.Logical
	}
	p, ok := g.byUUID.find(g.links, parent)
	if !ok || !g.trunk[p] || g.above.at(p) < 0 {
		return -1
	}
	return p
}

// enter makes line i the one of a prompt or an answer.
func (g *grower) enter(i, turn int) {
	g.turn.set(i, turn)
	g.above.set(i, turn)
}

// addAnswer adds a line of an answer that is there already, or of a new one.
func (g *grower) addAnswer(i int) bool {
	l := &g.links[i]
	t, known := g.answers[l.Message]
	known = known && l.Message != "" && g.continues(t, g.above.at(i))
	if known && (g.merged[t] || g.merged[g.above.at(i)]) {
		return false // it may be of a turn that is part of this one now
	}
	if !known {
		t = len(g.tree.Turns)
	}
	if l.Tool != "" {
		if other, ok := g.calls[l.Tool]; ok && other != t || g.orphans[l.Tool] {
			return false // its results have to move
		}
		g.calls[l.Tool] = t
	}
	if !known {
		if l.Message != "" {
			g.answers[l.Message] = t
		}
		return g.addTurn(i)
	}
	g.enter(i, t)
	return g.join(i, t)
}

// join adds a line to a turn.
func (g *grower) join(i, t int) bool {
	turns := g.tree.Turns
	turns[t].Lines = append(turns[t].Lines, i)
	leaf := t
	for len(turns[leaf].Children) == 1 {
		leaf = turns[leaf].Children[0]
	}
	at := g.conversationOf(leaf)
	if len(turns[leaf].Children) > 1 || at < 0 {
		return false
	}
	c := &g.tree.Conversations[at]
	c.Spoken += count(g.links[i].Spoken)
	c.Prompts += count(g.links[i].beside())
	if leaf == t {
		c.Leaf = g.leafUUID(t)
		g.toEnd(at)
	}
	return true
}

// addTurn makes a turn of line i, at the end of the conversation it continues.
func (g *grower) addTurn(i int) bool {
	parent, t := g.above.at(i), len(g.tree.Turns)
	prompt := g.links[i].Role == RolePrompt
	at := g.conversationOf(parent)
	if at < 0 || len(g.tree.Turns[parent].Children) > 0 || prompt && g.older[parent] {
		return false
	}
	lines, ok := g.moveLeadIn(i, t)
	if !ok {
		return false
	}
	g.tree.Turns[parent].Children = []int{t}
	g.tree.Turns = append(g.tree.Turns, Turn{
		Head: i, Lines: append(lines, i), Parent: parent, Prompt: prompt, Compacted: g.boundary.at(i) >= 0,
	})
	g.older, g.merged = append(g.older, g.older[parent]), append(g.merged, false)
	g.enter(i, t)
	c := &g.tree.Conversations[at]
	c.Turn, c.Leaf = t, g.leafUUID(t)
	c.Prompts += count(prompt)
	c.Spoken += count(g.links[i].Spoken)
	g.toEnd(at)
	return true
}

// moveLeadIn moves the lines that lead up to line i, the head of a new turn t,
// from the turn above. It reports false if they led up to another one already,
// or if a prompt of the queue would have to move with them.
func (g *grower) moveLeadIn(i, t int) (lines []int, ok bool) {
	above := &g.tree.Turns[g.above.at(i)]
	for j := g.parent.at(i); j >= 0 && g.turn.at(j) < 0; j = g.parent.at(j) {
		if g.lead.at(j) != free {
			return nil, false
		}
		g.lead.set(j, t)
		if g.links[j].Role == RoleResult {
			continue
		}
		if g.queued[j] {
			return nil, false
		}
		lines = append(lines, j)
	}
	if len(lines) == 0 {
		return nil, true
	}
	slices.Sort(lines)
	kept := make([]int, 0, len(above.Lines)-len(lines))
	for _, line := range above.Lines {
		if _, moved := slices.BinarySearch(lines, line); !moved {
			kept = append(kept, line)
		}
	}
	above.Lines = kept
	return lines, true
}

// conversationOf finds the conversation that ends with a turn, or -1.
func (g *grower) conversationOf(turn int) int {
	for at, c := range slices.Backward(g.tree.Conversations) {
		if c.Turn == turn {
			return at
		}
	}
	return -1
}

// toEnd moves a conversation to the end: it has the last line.
func (g *grower) toEnd(at int) {
	list := g.tree.Conversations
	c := list[at]
	copy(list[at:], list[at+1:])
	list[len(list)-1] = c
}
