package sesskeep

import (
	"cmp"
	"slices"
)

// Tree is the shape of a transcript: turns, and the conversations they form.
//
// The client links entries in ways that look like branches and are none:
// results of parallel tools, attachments, progress rows, compaction. So lines
// are first gathered into turns, a prompt or an answer each, and only a turn
// with several turns below it is a branch point. Every user and assistant line
// belongs to a turn, to an inline agent, or is Detached.
//
// Lines are named by their index in the links the tree was grown from.
type Tree struct {
	Turns         []Turn
	Conversations []Conversation // by the position of their last line
	Active        int            // index of the conversation a resume would continue; -1 without any
	Inline        [][]int        // sub-agents written into the main file (1.0): the lines of each
	Detached      []int          // lines without a uuid, except prompts of the queue: those are in the turn before
	Duplicates    []int          // lines whose uuid was there before
	Repaired      []int          // lines whose parent is missing or in a loop

	links     []Link      // the lines it was grown from
	summaries []LeafTitle // in the same file
}

// Turn is a prompt, or all lines of one answer with the results of its calls.
type Turn struct {
	Head     int   // the first line of the prompt or answer; -1 if it is only notes
	Lines    []int // all lines, with what led up to it, in file order
	Parent   int   // index of the turn before, or -1
	Children []int // indexes of the turns after, in file order
	Prompt   bool
	// Compacted says that a compaction lies between the parent and this turn:
	// the model saw a summary of what is above.
	Compacted bool
}

// Hint is the client's own record of the active leaf.
type Hint struct {
	Leaf string `json:"leaf,omitempty"`
	At   int    `json:"at,omitempty"` // number of chain lines before it
}

// describe gives the conversations what their titles are made of. No other goroutine
// has the tree yet.
func (t *Tree) describe(links []Link, summaries []LeafTitle) *Tree {
	t.links, t.summaries = links, summaries
	for i := range t.Conversations {
		t.Conversations[i].tree = t
	}
	return t
}

// grow makes a tree, and keeps what is needed to add lines to it.
func grow(links []Link, hint Hint) *grower {
	g := newGrower(links)
	g.link()
	g.turns()
	g.leadIns()
	g.own()
	g.mergeReplays()
	g.conversations()
	g.order, g.node = nil, nil
	g.choose(hint)
	return g
}

// grower holds what a tree is grown from. Its slices are indexed by line.
type grower struct {
	links  []Link
	tree   *Tree
	agent  bool    // all lines are of a sidechain: it is the trunk
	byUUID uuids   // the first line that has each
	node   []bool  // the line has a place of its own in the forest
	trunk  []bool  // and that is in the main tree
	parent numbers // line above, or -1
	order  []int   // trunk lines, parents before children
	turn   numbers // turn of a prompt's or an answer's line, else -1
	above  numbers // nearest turn at or above the line, or -1
	lead   numbers // the turn a line leads up to; free or shared
	// boundary is the compaction between a line and the turn above, or -1.
	boundary numbers

	answers map[string]int  // message.id → turn
	calls   map[string]int  // id of a call → turn
	missing map[string]bool // uuids that a line names and no line has
	orphans map[string]bool // ids of calls that have a result but no line
	older   []bool          // by turn: it or a turn above has a later sibling
	merged  []bool          // by turn: others were merged into it
	queued  map[int]bool    // lines before a prompt that stands only in the queue
	last    int             // last spoken line or prompt of the trunk, or -1
	said    int             // last line of a prompt or an answer, or -1
}

const (
	free   = -1
	shared = -2
)

func newGrower(links []Link) *grower {
	n := len(links)
	g := &grower{
		links: links, tree: &Tree{Active: -1}, last: -1, said: -1,
		byUUID: newUUIDs(n), answers: map[string]int{}, calls: map[string]int{},
		missing: map[string]bool{}, orphans: map[string]bool{}, queued: map[int]bool{},
		node: make([]bool, n), trunk: make([]bool, n), parent: noNumbers(n), turn: noNumbers(n),
		above: noNumbers(n), lead: noNumbers(n), boundary: noNumbers(n),
		order: make([]int, 0, n),
	}
	// A transcript that is all sidechain is an agent's own: there it is the trunk.
	g.agent = !slices.ContainsFunc(links, func(l Link) bool { return !l.Sidechain })
	talk := false // a turn was begun
	for i := range links {
		l := &links[i]
		if l.UUID == "" {
			if !l.Queued() || !talk {
				g.tree.Detached = append(g.tree.Detached, i)
			}
			continue
		}
		if _, ok := g.byUUID.find(links, l.UUID); ok {
			g.tree.Duplicates = append(g.tree.Duplicates, i)
			continue
		}
		g.byUUID.add(links, i)
		g.node[i] = true
		g.trunk[i] = g.agent || !l.Sidechain
		talk = talk || g.trunk[i] && (l.Role == RolePrompt || l.Role == RoleAnswer)
	}
	return g
}

func filled(n, value int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = value
	}
	return s
}

// turns gives every prompt and every answer a turn, going down from the roots.
func (g *grower) turns() {
	for _, i := range g.order {
		l := &g.links[i]
		if p := g.parent.at(i); p >= 0 {
			g.above.set(i, g.above.at(p))
			if g.turn.at(p) < 0 {
				g.boundary.set(i, g.boundary.at(p))
			}
		}
		if l.Role == RoleBoundary || g.parent.at(i) >= 0 && l.freshStart() {
			g.boundary.set(i, i)
		}
		if l.Role != RolePrompt && l.Role != RoleAnswer {
			continue
		}
		t, ok := g.answers[l.Message]
		if !ok || l.Message == "" || l.Role == RolePrompt || !g.continues(t, g.above.at(i)) {
			t = len(g.tree.Turns)
			g.tree.Turns = append(g.tree.Turns, Turn{
				Head: i, Parent: g.above.at(i), Prompt: l.Role == RolePrompt, Compacted: g.boundary.at(i) >= 0,
			})
			if l.Role == RoleAnswer && l.Message != "" {
				g.answers[l.Message] = t
			}
		}
		g.enter(i, t)
	}
}

// continues reports whether a line below the turn above can belong to turn t. If a prompt
// was typed in between, the rest of the answer is a turn of its own.
func (g *grower) continues(t, above int) bool {
	return above == t || above == g.tree.Turns[t].Parent
}

// leadIns finds, for every turn, the lines between it and the turn above. No
// line is passed more than twice: above a shared one all are.
func (g *grower) leadIns() {
	for t := range g.tree.Turns {
		for i := g.parent.at(g.tree.Turns[t].Head); i >= 0 && g.turn.at(i) < 0 && g.lead.at(i) != shared; i = g.parent.at(i) {
			if g.lead.at(i) == free {
				g.lead.set(i, t)
			} else {
				g.lead.set(i, shared)
			}
		}
	}
}

// own gives every line of the trunk to exactly one turn.
func (g *grower) own() {
	for _, i := range g.order {
		if l := &g.links[i]; l.Role == RoleAnswer && l.Tool != "" {
			g.calls[l.Tool] = g.turn.at(i)
		}
	}
	owners := noNumbers(len(g.links))            // by line; -1 for those that no turn has
	line, t, detached := -1, -1, g.tree.Detached // the last line of the trunk, and its turn
	for i := range g.links {
		if len(detached) > 0 && detached[0] == i {
			detached = detached[1:]
			continue
		}
		switch {
		case g.trunk[i]:
			line, t = i, g.owner(i)
		case g.links[i].Queued():
			g.queued[line] = true
		default:
			continue
		}
		owners.set(i, t)
	}
	g.deal(owners)
}

// deal gives the turns their lines, all in one piece of memory: there are many small lists.
func (g *grower) deal(owners numbers) {
	turns := g.tree.Turns
	sizes := make([]int, len(turns))
	for _, t := range owners {
		if t >= 0 {
			sizes[t]++
		}
	}
	room := make([]int, len(owners))
	for t, n := range sizes {
		turns[t].Lines, room = room[:0:n], room[n:]
	}
	for i, t := range owners {
		if t >= 0 {
			turns[t].Lines = append(turns[t].Lines, i)
		}
	}
}

// owner: a tool result stays with its call, a note goes with the turn it leads
// up to, and one that leads to several turns stays with the turn above.
func (g *grower) owner(i int) int {
	if g.turn.at(i) >= 0 {
		return g.turn.at(i)
	}
	if l := &g.links[i]; l.Role == RoleResult {
		if t, ok := g.calls[l.Tool]; ok {
			return t // wherever its parent is
		}
		g.orphans[l.Tool] = true
	} else if g.lead.at(i) >= 0 {
		return g.lead.at(i)
	}
	if g.above.at(i) >= 0 {
		return g.above.at(i)
	}
	return g.preamble()
}

// preamble is the turn for lines that come before any prompt and lead to none:
// the first turn, or one made for them.
func (g *grower) preamble() int {
	if len(g.tree.Turns) == 0 {
		g.tree.Turns = append(g.tree.Turns, Turn{Head: -1, Parent: -1})
	}
	return 0
}

// mergeReplays joins turns that were written twice: after a compaction some
// clients append old lines again, under new uuids but with their old times.
func (g *grower) mergeReplays() {
	type key struct {
		parent int
		prompt bool
		time   int64
		text   string
	}
	turns := g.tree.Turns
	first := map[key]int{}
	into := filled(len(turns), -1)
	for t := range turns {
		turn := &turns[t]
		if turn.Parent >= 0 && into[turn.Parent] >= 0 {
			turn.Parent = into[turn.Parent]
		}
		if turn.Head < 0 || g.links[turn.Head].Time == 0 {
			continue
		}
		l := &g.links[turn.Head]
		k := key{turn.Parent, turn.Prompt, l.Time, l.Text}
		if f, ok := first[k]; ok {
			into[t] = f
			turns[f].Lines = append(turns[f].Lines, turn.Lines...)
			continue
		}
		first[k] = t
	}
	g.foldSilent(into)
	g.renumber(into)
}

// foldSilent gives answers in which the model says nothing to the turn above them,
// where the talk went on beside them: those that the client wrote itself, and
// those without a word.
func (g *grower) foldSilent(into []int) {
	turns := g.tree.Turns
	children := make([]int, len(turns))
	for t := range turns {
		if p := turns[t].Parent; p >= 0 && into[t] < 0 {
			children[p]++
		}
	}
	for t := range turns {
		p := turns[t].Parent
		if p < 0 || into[t] >= 0 || into[p] >= 0 || children[t] > 0 || children[p] < 2 || !g.silent(&turns[t]) {
			continue
		}
		into[t] = p
		children[p]--
		turns[p].Lines = append(turns[p].Lines, turns[t].Lines...)
	}
}

// silent reports whether the model says nothing in a turn. What the client wrote
// there itself, such as the marker of an interruption, does not count.
func (g *grower) silent(t *Turn) bool {
	if g.links[t.Head].MadeUp {
		return true
	}
	return !t.Prompt && !slices.ContainsFunc(t.Lines, func(i int) bool {
		l := &g.links[i]
		return l.Role == RoleAnswer && !l.Wordless || l.Sent()
	})
}

// renumber drops the merged turns and links the others to their children.
func (g *grower) renumber(into []int) {
	number := make([]int, len(into))
	kept := g.tree.Turns[:0]
	for t, turn := range g.tree.Turns {
		if into[t] >= 0 {
			number[t] = number[into[t]]
			continue
		}
		number[t] = len(kept)
		slices.Sort(turn.Lines)
		kept = append(kept, turn)
	}
	g.tree.Turns = kept
	for t := range kept {
		if p := kept[t].Parent; p >= 0 {
			p = number[p]
			kept[t].Parent = p
			kept[p].Children = append(kept[p].Children, t)
		}
	}
	for t := range kept {
		slices.SortFunc(kept[t].Children, func(a, b int) int { return cmp.Compare(kept[a].Head, kept[b].Head) })
	}
	g.merged = make([]bool, len(kept))
	if len(kept) < len(number) {
		g.renumberLines(number)
	}
	for t, other := range into {
		if other >= 0 {
			g.merged[number[t]] = true
		}
	}
}

// renumberLines brings what is known of lines in line with merged turns.
func (g *grower) renumberLines(number []int) {
	for _, list := range []numbers{g.above, g.turn, g.lead} {
		for i, t := range list {
			if t >= 0 {
				list.set(i, number[t])
			}
		}
	}
	for _, byName := range []map[string]int{g.answers, g.calls} {
		for name, t := range byName {
			byName[name] = number[t]
		}
	}
}
