package calls

import (
	"cmp"
	"maps"
	"slices"

	"sesskeep"
	"sesskeep/internal/index/db"
)

// Fold collects the calls of a file, line by line. It serves one file after another.
type Fold struct {
	list  []Call
	at    map[string]int    // id → its call, or its first answer while there is no call
	again map[string][]int  // id → further lines that make or answer the call
	tools map[string]string // names as they are kept

	changed map[int]bool // pieces that are other than before
}

// maxTools bounds the names of tools that a file can bring into reports.
const maxTools = 1000

// pieceSize is how many calls are in a piece.
const pieceSize = 128

// Reset empties it for another file.
func (f *Fold) Reset() {
	if f.at == nil {
		f.at, f.again, f.tools = map[string]int{}, map[string][]int{}, map[string]string{}
	}
	clear(f.at)
	clear(f.again)
	clear(f.tools)
	f.list = f.list[:0]
	f.ForgetChanges()
}

// ForgetChanges starts to note what changes.
func (f *Fold) ForgetChanges() {
	if f.changed == nil {
		f.changed = map[int]bool{}
	}
	clear(f.changed)
}

// Len is how many calls there are.
func (f *Fold) Len() int { return len(f.list) }

// Clone is a copy that is added to without changing the original.
func (f *Fold) Clone() *Fold {
	return &Fold{
		list: slices.Clone(f.list), at: maps.Clone(f.at), again: maps.Clone(f.again), tools: maps.Clone(f.tools),
		changed: maps.Clone(f.changed),
	}
}

// Add adds a line with the calls that it makes or answers, which is fresh if the index
// does not have it.
func (f *Fold) Add(e *sesskeep.Entry, uses []sesskeep.ToolUse, fresh bool) {
	for i := range uses {
		if u := &uses[i]; u.Answer {
			f.answer(e, u, fresh)
		} else {
			f.call(e, u, fresh)
		}
	}
	if len(uses) > 0 {
		return
	}
	c := f.callOn(e)
	if c.File, c.Failed = Mentioned(e), IsAPIError(e); c.File != "" || c.Failed {
		f.put(c, fresh)
	}
}

// callOn is a call that a line makes, without what the call itself says.
func (f *Fold) callOn(e *sesskeep.Entry) Call {
	return Call{Branch: e.GitBranch, Time: e.Time.UnixMilli(), Failed: IsAPIError(e), Line: lineOf(e)}
}

func lineOf(e *sesskeep.Entry) Line { return Line{e.Line, e.Offset, int64(len(e.Raw))} }

func (f *Fold) put(c Call, fresh bool) int {
	f.list = append(f.list, c)
	f.note(len(f.list)-1, fresh)
	return len(f.list) - 1
}

// note notes that a call is other than the index has it.
func (f *Fold) note(i int, fresh bool) {
	if fresh {
		f.changed[i/pieceSize] = true
	}
}

func (f *Fold) call(e *sesskeep.Entry, u *sesskeep.ToolUse, fresh bool) {
	c := f.callOn(e)
	c.ID, c.Tool, c.File = db.Hash(u.ID), f.tool(u.Tool), FileIn(u.Input)
	if u.Tool == "Write" {
		c.Measured, c.Added = true, written(u.Input)
	}
	if u.ID == "" {
		f.put(c, fresh)
		return
	}
	i, known := f.at[u.ID]
	if known {
		first := &f.list[i]
		c.Failed, c.Answered = c.Failed || first.Failed, first.Answered
		if first.Counted || first.Tool != "" { // a line that repeats it
			f.again[u.ID] = append(slices.Clip(f.again[u.ID]), f.put(c, fresh))
			return
		}
		// Clients 2.1.105 to 2.1.131 can write a result before its call.
		c.Took = first.Time - c.Time
		f.again[u.ID] = append(slices.Clip(f.again[u.ID]), i)
		for _, j := range f.again[u.ID] {
			f.list[j].Tool, f.list[j].File = c.Tool, c.File
			f.note(j, fresh)
		}
		if first.Measured {
			c.Measured, c.Added, c.Removed = true, first.Added, first.Removed
		}
	}
	c.Counted = e.Kind == sesskeep.KindAssistant && e.Message != nil && e.Message.Model != sesskeep.SyntheticModel && c.Tool != ""
	if _, ok := f.tools[u.Tool]; !ok {
		c.Counted = false
	}
	f.at[u.ID] = f.put(c, fresh)
}

// tool is the name of a tool as it is kept.
func (f *Fold) tool(name string) string {
	kept, ok := f.tools[name]
	if !ok {
		kept = sesskeep.OneLine(name)
		if len(f.tools) < maxTools {
			f.tools[name] = kept
		}
	}
	return kept
}

func (f *Fold) answer(e *sesskeep.Entry, u *sesskeep.ToolUse, fresh bool) {
	i, known := f.at[u.ID]
	if !known || u.ID == "" || f.list[i].Tool == "" || f.list[i].Answered {
		f.answerAgain(e, u, fresh)
		return
	}
	c := &f.list[i]
	c.Answered, c.Took = true, e.Time.UnixMilli()-c.Time
	if c.Line != lineOf(e) {
		c.Result = lineOf(e)
	}
	c.measure(e)
	f.note(i, fresh)
	if u.Failed || IsAPIError(e) {
		f.fail(u.ID, fresh)
	}
}

// answerAgain adds a result whose call has one already, or is not there yet.
func (f *Fold) answerAgain(e *sesskeep.Entry, u *sesskeep.ToolUse, fresh bool) {
	c := f.callOn(e)
	c.ID, c.Result, c.Line = db.Hash(u.ID), c.Line, Line{}
	c.Answered, c.Failed = true, c.Failed || u.Failed
	i, known := f.at[u.ID]
	if known {
		c.Tool, c.File = f.list[i].Tool, f.list[i].File
		c.Failed = c.Failed || f.list[i].Failed
	}
	c.measure(e)
	n := f.put(c, fresh)
	switch {
	case u.ID == "":
		return
	case known:
		f.again[u.ID] = append(slices.Clip(f.again[u.ID]), n)
	default:
		f.at[u.ID] = n
	}
	if c.Failed {
		f.fail(u.ID, fresh)
	}
}

// fail notes on all lines of a call that it failed.
func (f *Fold) fail(id string, fresh bool) {
	for _, i := range append(slices.Clip(f.again[id]), f.at[id]) {
		if !f.list[i].Failed {
			f.list[i].Failed = true
			f.note(i, fresh)
		}
	}
}

// measure counts the lines that a result says were changed.
func (c *Call) measure(e *sesskeep.Entry) {
	if act := ActOf(c.Tool); c.Tool != "" && act != "edit" && act != "write" || len(e.Result) == 0 {
		return
	}
	switch change := changeIn(e.Result); {
	case change.patch:
		c.Measured, c.Added, c.Removed = true, change.added, change.removed
	case change.replaced:
		c.Measured, c.Added, c.Removed = false, 0, 0
	}
}

// SetPrompts gives every call the prompt that led to it, by the turns of the tree that
// was grown from the chain.
func (f *Fold) SetPrompts(chain []sesskeep.Link, tree *sesskeep.Tree) {
	if len(f.list) == 0 {
		return
	}
	prompts := make(map[int]Line, len(f.list)) // by the number of the call's line
	for i := range f.list {
		prompts[f.list[i].number()] = Line{}
	}
	ofTurn := turnPrompts(chain, tree)
	for t := range tree.Turns {
		for _, i := range tree.Turns[t].Lines {
			if _, ok := prompts[chain[i].Line]; ok {
				prompts[chain[i].Line] = ofTurn[t]
			}
		}
	}
	for i := range f.list {
		if c := &f.list[i]; c.Prompt != prompts[c.number()] {
			c.Prompt = prompts[c.number()]
			f.note(i, true)
		}
	}
}

// number is that of the line a call was found on.
func (c *Call) number() int { return cmp.Or(c.Line.Number, c.Result.Number) }

// turnPrompts are the prompts that led to turns: the nearest at or above each.
func turnPrompts(chain []sesskeep.Link, tree *sesskeep.Tree) []Line {
	prompts, known := make([]Line, len(tree.Turns)), make([]bool, len(tree.Turns))
	var below []int
	for t := range tree.Turns {
		below = below[:0]
		for ; t >= 0 && !known[t]; t = tree.Turns[t].Parent {
			below = append(below, t)
			if turn := &tree.Turns[t]; turn.Prompt && turn.Head >= 0 {
				l := &chain[turn.Head]
				prompts[t], known[t] = Line{l.Line, l.Offset, int64(l.Length)}, true
				break
			}
		}
		for _, b := range below {
			if known[b] = true; t >= 0 {
				prompts[b] = prompts[t]
			}
		}
	}
	return prompts
}
