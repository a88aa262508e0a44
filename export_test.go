package sesskeep

// Grow finds the turns and conversations of a transcript.
func Grow(links []Link, hint Hint) *Tree { return grow(links, hint).tree }

// Growing is a tree that is grown in pieces.
type Growing struct {
	Rebuilt int // how often it was rebuilt
	g       *grower
}

// More grows the tree by the lines that links has more than before.
func (x *Growing) More(links []Link, hint Hint) *Tree {
	if x.g == nil {
		x.g = grow(links, hint)
		return x.g.tree
	}
	before := x.g
	if x.g = before.more(links, hint); x.g != before {
		x.Rebuilt++
	}
	return x.g.tree
}

// Larger is the larger of two usages of one message, by each counter.
func (u Usage) Larger(v Usage) Usage { return u.largest(v) }
