package sesskeep

import (
	"cmp"
	"slices"
)

// Conversation is one path of turns from a root of the tree to a leaf.
type Conversation struct {
	Leaf    string           // uuid of its last user or assistant line, which addresses it
	Turn    int              // index of its last turn; Tree.Path returns them all
	Fork    int              // index of the last turn that it shares with another one; -1 if there is none, or if it is the start
	Kind    ConversationKind // how it branched off the one before
	Prompts int              // number of prompts on the whole path
	Spoken  int              // number of user and assistant lines on the whole path

	tree *Tree // it belongs to
}

// ConversationKind says how a conversation branched off the one before it.
type ConversationKind string

// The kinds of conversations.
const (
	ConversationMain    ConversationKind = "main"    // the first one
	ConversationRetry   ConversationKind = "retry"   // the same prompt, answered again
	ConversationEdit    ConversationKind = "edit"    // a prompt replaced by another
	ConversationRewind  ConversationKind = "rewind"  // several turns were undone
	ConversationCompact ConversationKind = "compact" // summarised from an earlier point
)

// Path lists the turns of a conversation from its root to its last turn.
func (t *Tree) Path(c Conversation) []int {
	var path []int
	for turn := c.Turn; turn >= 0; turn = t.Turns[turn].Parent {
		path = append(path, turn)
	}
	slices.Reverse(path)
	return path
}

// conversations makes one for every turn that has none below it. What a path
// adds up to is carried down from turn to turn, because the paths themselves
// can be far longer together than the file.
func (g *grower) conversations() {
	turns := g.tree.Turns
	below := g.promptsBelow()
	before := g.siblingsBefore()
	g.markOlder(before)
	paths := make([]pathSums, len(turns))
	for t := range turns {
		turn := &turns[t]
		p := pathSums{fork: -1, parted: -1}
		if turn.Parent >= 0 {
			p = paths[turn.Parent]
			if len(turns[turn.Parent].Children) > 1 {
				p.fork = int32(turn.Parent)
			}
		}
		if before[t] >= 0 {
			p.parted = int32(t)
		}
		for _, i := range turn.Lines {
			p.spoken += int32(count(g.links[i].Spoken))
			p.prompts += int32(count(g.links[i].beside()))
		}
		p.prompts += int32(count(turn.Prompt))
		paths[t] = p
		if len(turn.Children) > 0 || p.spoken == 0 && p.prompts == 0 {
			continue
		}
		c := Conversation{Leaf: g.leafUUID(t), Turn: t, Fork: int(p.fork), Kind: ConversationMain, Prompts: int(p.prompts), Spoken: int(p.spoken)}
		if p.parted >= 0 {
			c.Kind = g.parting(int(p.parted), before[p.parted], below)
		}
		g.tree.Conversations = append(g.tree.Conversations, c)
	}
	slices.SortFunc(g.tree.Conversations, func(a, b Conversation) int {
		return cmp.Compare(g.lastLine(a.Turn), g.lastLine(b.Turn))
	})
}

// pathSums is what the path to a turn adds up to.
type pathSums struct {
	fork            int32 // index of the last turn on it that has several below it, or -1
	parted          int32 // the last turn on it with a sibling before it, or -1
	prompts, spoken int32
}

// markOlder marks the turns that are, or come after, an older sibling. Prompts
// added there can change how a later sibling parted.
func (g *grower) markOlder(before []int) {
	g.older = make([]bool, len(before))
	for _, older := range before {
		if older >= 0 {
			g.older[older] = true
		}
	}
	for t := range g.older {
		if p := g.tree.Turns[t].Parent; p >= 0 && g.older[p] {
			g.older[t] = true
		}
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// siblingsBefore gives, for every turn, the one written before it among those
// with the same parent, or -1.
func (g *grower) siblingsBefore() []int {
	turns := g.tree.Turns
	before := filled(len(turns), -1)
	var roots []int
	for t := range turns {
		if turns[t].Parent < 0 {
			roots = append(roots, t)
		}
		for i, child := range turns[t].Children[min(1, len(turns[t].Children)):] {
			before[child] = turns[t].Children[i]
		}
	}
	slices.SortFunc(roots, func(a, b int) int { return cmp.Compare(turns[a].Head, turns[b].Head) })
	for i, root := range roots[min(1, len(roots)):] {
		before[root] = roots[i]
	}
	return before
}

// promptsBelow counts, for every turn, the prompts at and below it.
func (g *grower) promptsBelow() []int {
	below := make([]int, len(g.tree.Turns))
	for t := len(below) - 1; t >= 0; t-- {
		turn := &g.tree.Turns[t]
		below[t] += count(turn.Prompt)
		if turn.Parent >= 0 {
			below[turn.Parent] += below[t]
		}
	}
	return below
}

// parting says how turn t parted from the sibling before it. The first of them
// stays what its parent was.
func (g *grower) parting(t, before int, below []int) ConversationKind {
	turn, other := &g.tree.Turns[t], &g.tree.Turns[before]
	switch {
	case turn.Compacted && g.boundary.at(turn.Head) != g.boundary.at(other.Head):
		return ConversationCompact
	case !turn.Prompt, other.Prompt && g.links[turn.Head].Text != "" && g.links[turn.Head].Text == g.links[other.Head].Text:
		return ConversationRetry
	case below[before] > 1:
		return ConversationRewind
	}
	return ConversationEdit
}

// leafUUID is the uuid of the last user or assistant line of turn t, or of the
// turns above it.
func (g *grower) leafUUID(t int) string {
	for ; t >= 0; t = g.tree.Turns[t].Parent {
		for _, i := range slices.Backward(g.tree.Turns[t].Lines) {
			if l := &g.links[i]; (l.Spoken || l.Role == RolePrompt) && !l.Queued() {
				return l.UUID
			}
		}
	}
	return ""
}

func (g *grower) lastLine(t int) int {
	lines := g.tree.Turns[t].Lines
	return lines[len(lines)-1]
}

// choose finds the conversation that a resume would continue: the one the
// client named if nothing was said after that, else the one with the last user
// or assistant line, or queued prompt, of the file.
func (g *grower) choose(hint Hint) {
	for i := max(g.last, g.said, -1) + 1; i < len(g.links); i++ {
		g.note(i)
	}
	if len(g.tree.Conversations) == 0 {
		return
	}
	last := g.last
	if i, ok := g.byUUID.find(g.links, hint.Leaf); ok && g.trunk[i] && g.said < max(hint.At, i+1) {
		last = i
	}
	leaf := g.latestLeaf(max(g.above.at(last), 0))
	g.tree.Active = slices.IndexFunc(g.tree.Conversations, func(c Conversation) bool { return c.Turn == leaf })
}

// note remembers line i if it is the last of its kind.
func (g *grower) note(i int) {
	if !g.trunk[i] {
		return
	}
	r := g.links[i].Role
	if g.links[i].Spoken || r == RolePrompt {
		g.last = i
	}
	if r == RolePrompt || r == RoleAnswer {
		g.said = i
	}
}

// latestLeaf goes down from turn t, always to the child written last.
func (g *grower) latestLeaf(t int) int {
	for len(g.tree.Turns[t].Children) > 0 {
		children := g.tree.Turns[t].Children
		t = children[len(children)-1]
	}
	return t
}
