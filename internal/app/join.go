package app

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"sesskeep"
)

// facts are what joining files needs of one of them, after its chain is gone.
// A uuid is kept as its hash: thousands of files must fit into memory.
type facts struct {
	chain     []uint64 // uuids in file order
	times     []int64
	lines     []int    // numbers
	active    []uint64 // uuids of the active conversation, last first
	summaries []sesskeep.LeafTitle
	titled    bool // by the user or the client: no summary may replace it
}

var seed = maphash.MakeSeed()

func hashID(uuid string) uint64 { return maphash.String(seed, uuid) }

func makeFacts(d *sesskeep.Digest, tree *sesskeep.Tree) facts {
	f := facts{
		chain: make([]uint64, 0, len(d.Chain)), times: make([]int64, 0, len(d.Chain)), lines: make([]int, 0, len(d.Chain)),
		summaries: d.Summaries, titled: d.CustomTitle != "" || d.AITitle != "",
	}
	for i := range d.Chain {
		f.chain = append(f.chain, hashID(d.Chain[i].UUID))
		f.times = append(f.times, d.Chain[i].Time)
		f.lines = append(f.lines, d.Chain[i].Line)
	}
	if tree.Active < 0 || f.titled {
		return f
	}
	path := tree.Path(tree.Conversations[tree.Active])
	for _, t := range slices.Backward(path) {
		for _, i := range slices.Backward(tree.Turns[t].Lines) {
			f.active = append(f.active, f.chain[i])
		}
	}
	return f
}

// folder is a directory of a home and where its items begin.
type folder struct {
	home *home
	sesskeep.Folder
	from int
}

// join settles what no file tells by itself: summaries written into other
// files, the origin of forks, the agents of each session, the projects.
func (c *Catalog) join(items []item, folders []folder) {
	for _, f := range folders {
		list := items[f.from : f.from+len(f.Refs)]
		nameBySummary(list)
		findForks(list)
		c.assign(f, list)
	}
	for i := range items {
		if !items[i].gone {
			c.Rows = append(c.Rows, items[i].row)
		}
	}
	c.linkAgents()
	slices.SortStableFunc(c.Rows, func(a, b Row) int { return b.LastActivityAt.Compare(a.LastActivityAt.Time) })
	slices.SortFunc(c.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
	})
	slices.SortFunc(c.Unknown, func(a, b sesskeep.Unfamiliar) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
}

// nameBySummary gives a session the summary that names a line of its active
// conversation. Old clients wrote it into whatever file came next.
func nameBySummary(list []item) {
	text := map[uint64]string{}
	for _, it := range list {
		for _, s := range it.facts.summaries {
			text[hashID(s.Leaf)] = s.Text
		}
	}
	if len(text) == 0 {
		return
	}
	for i := range list {
		for _, id := range list[i].facts.active {
			if t := text[id]; t != "" {
				list[i].row.Title = t
				break
			}
		}
	}
}

// findForks finds, among files that start with the same line, which was copied
// from which.
func findForks(list []item) {
	groups := map[uint64][]*item{}
	for i := range list {
		it := &list[i]
		if it.ref.Layout == sesskeep.Main && len(it.facts.chain) > 0 {
			groups[it.facts.chain[0]] = append(groups[it.facts.chain[0]], it)
		}
	}
	for _, group := range groups {
		if len(group) > 1 {
			linkForks(group)
		}
	}
}

// linkForks orders a group from the original to the latest copy. A fork copies
// the chain and nothing between its lines, so the original is the file whose
// shared lines lie furthest apart; where that does not tell, the one that went
// its own way first.
func linkForks(group []*item) {
	gaps, own := map[*item]int{}, map[*item]int64{}
	for _, it := range group {
		gaps[it], own[it] = it.shared(group)
	}
	slices.SortFunc(group, func(a, b *item) int {
		return cmp.Or(cmp.Compare(gaps[b], gaps[a]), cmp.Compare(own[a], own[b]),
			a.row.CreatedAt.Compare(b.row.CreatedAt.Time), cmp.Compare(a.row.ID, b.row.ID))
	})
	for i, it := range group[1:] {
		if it.row.ForkedFrom == "" {
			it.row.ForkedFrom = mostAlike(it, group[:i+1]).row.ID
		}
	}
}

// shared counts the lines of other kinds that lie between those the file has in
// common with others of the group, and gives the time of the first that is its
// own.
func (it *item) shared(group []*item) (gaps int, own int64) {
	others := map[uint64]bool{}
	for _, o := range group {
		if o != it {
			for _, id := range o.facts.chain {
				others[id] = true
			}
		}
	}
	for i, id := range it.facts.chain {
		if !others[id] {
			return gaps, it.facts.times[i]
		}
		if i > 0 {
			gaps += it.facts.lines[i] - it.facts.lines[i-1] - 1
		}
	}
	return gaps, math.MaxInt64 // a copy and nothing else
}

// mostAlike is the file that shares the most lines with it.
func mostAlike(it *item, older []*item) *item {
	mine := map[uint64]bool{}
	for _, id := range it.facts.chain {
		mine[id] = true
	}
	best, most := older[0], -1
	for _, o := range older {
		n := 0
		for _, id := range o.facts.chain {
			if mine[id] {
				n++
			}
		}
		if n > most {
			best, most = o, n
		}
	}
	return best
}

// linkAgents tells every session its agents.
func (c *Catalog) linkAgents() {
	type key struct{ root, dir, id string }
	at := map[key]int{}
	for i, r := range c.Rows {
		if !r.IsAgent {
			at[key{r.Root, r.DirName, r.ID}] = i
		}
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		if !r.IsAgent {
			continue
		}
		if p, ok := at[key{r.Root, r.DirName, r.ParentSessionID}]; ok {
			c.Rows[p].AgentSessions = append(c.Rows[p].AgentSessions, r.ID)
		}
		if r.Title == "" || r.Description != "" {
			r.Title = cmp.Or(r.Description, r.Title)
		}
	}
}
