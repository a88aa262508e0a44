package insight

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/money"
	"sesskeep/internal/price"
	"sesskeep/internal/query"
	"sesskeep/internal/reading"
)

// Waste is work that was thrown away. A message counts once, as one of an abandoned
// conversation where it is both.
type Waste struct {
	money.Cost
	Usage       int64  `json:"tokenCount"`    // tokens of all of it
	Branches    Figure `json:"conversations"` // conversations that were left for another one
	Interrupted Figure `json:"interrupted"`   // turns that were interrupted
}

// Compacted are compactions and what they lost.
type Compacted struct {
	Count int          `json:"count"`       // number of compactions
	Lost  int          `json:"lostCount"`   // number of those whose summary does not name something
	List  []Compaction `json:"compactions"` // those that lost most
}

// Compaction is a compaction, with what was done since the one before and is not named in its
// summary.
type Compaction struct {
	Evidence
	Before   int64    `json:"preTokenCount,omitempty"` // tokens before it, as the client counted them
	Files    []string `json:"files"`                   // files that were changed
	Commands []string `json:"commands"`                // commands that were run
}

// interruption is how the client says that a turn was interrupted.
const interruption = "[Request interrupted by user"

// found reads the transcripts that a search finds to be interrupted or compacted, and those
// with several conversations.
func (s *survey) found(ctx context.Context, in *Insights) error {
	in.Compacted.List = []Compaction{}
	wanted := map[*catalog.Session]bool{}
	for i := range s.rows {
		wanted[&s.rows[i]] = s.rows[i].ConversationCount > 1
	}
	for _, text := range []string{interruption, "isCompactSummary"} {
		if err := s.addContaining(ctx, text, wanted); err != nil {
			return err
		}
	}
	s.ended = map[*catalog.Session]ending{}
	var branches, interrupted price.Amount
	for i := range s.rows {
		r := &s.rows[i]
		if !wanted[r] {
			continue
		}
		w, err := s.readWaste(ctx, r, in)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.miss(r, err)
			continue
		}
		branches, interrupted = branches.Add(w.branches), interrupted.Add(w.interrupted)
	}
	in.Waste.finish(s, branches, interrupted)
	in.Fixes.Items, in.Fixes.Cost = s.keep(in.Fixes.Items), dollars(0)
	c := &in.Compacted
	slices.SortStableFunc(c.List, func(a, b Compaction) int {
		return len(b.Files) + len(b.Commands) - len(a.Files) - len(a.Commands)
	})
	c.List = c.List[:min(len(c.List), s.query.Limit)]
	return nil
}

func (w *Waste) finish(s *survey, branches, interrupted price.Amount) {
	w.Branches.Items, w.Interrupted.Items = s.keep(w.Branches.Items), s.keep(w.Interrupted.Items)
	w.Branches.Cost, w.Interrupted.Cost = dollars(branches), dollars(interrupted)
	w.Usage, w.Cost = w.Branches.Usage+w.Interrupted.Usage, dollars(branches.Add(interrupted))
}

// addContaining adds the transcripts with a line that contains a text to those wanted.
func (s *survey) addContaining(ctx context.Context, text string, wanted map[*catalog.Session]bool) error {
	found, err := s.index.Search(ctx, s.opts.Homes.ForIndex(), ask.Search{
		Raw: []byte(text), Query: query.Q{}, Bare: true, NoRows: true, Files: true, Hits: 1 << 20,
		Filter: ask.Filter{Source: "all", Archived: ask.ArchivedToo, Sessions: s.ids()},
	})
	if err != nil {
		return err
	}
	for i := range found.Results {
		res := &found.Results[i]
		for _, h := range res.Hits {
			if r := s.byFile[location{res.Root, h.File}]; r != nil {
				wanted[r] = true
			}
		}
	}
	return nil
}

// wasted is what a transcript threw away.
type wasted struct{ branches, interrupted price.Amount }

// transcript is a transcript that is being read.
type transcript struct {
	survey *survey
	row    *catalog.Session
	*reading.Session
	spent map[int64][]*ask.Message // what counts here, by its time; a message goes when it was counted as thrown away
}

func (s *survey) readWaste(ctx context.Context, r *catalog.Session, in *Insights) (w wasted, err error) {
	read, err := s.opts.Catalog.Read(ctx, catalog.Target{Store: s.opts.Homes.At(r.Root).Store, Ref: r.Ref})
	if err != nil {
		return w, err
	}
	defer read.Close()
	t := transcript{survey: s, row: r, Session: read, spent: map[int64][]*ask.Message{}}
	for i := range s.answer[r] {
		m := &s.answer[r][i]
		t.spent[m.At] = append(t.spent[m.At], m)
	}
	w.branches = t.abandoned(&in.Waste.Branches)
	w.interrupted = t.interrupted(in)
	return w, t.compactions(&in.Compacted)
}

// throwAway counts messages of turns as thrown away, and returns what they cost.
func (t *transcript) throwAway(turns []int, f *Figure, e *Evidence) (sum price.Amount) {
	chain := t.Transcript.Digest.Chain
	for _, turn := range turns {
		for _, i := range t.Transcript.Tree.Turns[turn].Lines {
			if chain[i].Message == "" {
				continue
			}
			for _, m := range t.spent[chain[i].Time] {
				usd, _ := t.survey.prices.Price(m)
				e.Tokens += m.Usage.Context() + m.Usage.Output
				sum = sum.Add(usd)
			}
			delete(t.spent, chain[i].Time)
		}
	}
	e.USD = sum.USD()
	f.Usage += e.Tokens
	return sum
}

// abandoned counts the conversations that are not the active one, each without the turns that
// it shares with one that was counted.
func (t *transcript) abandoned(f *Figure) (sum price.Amount) {
	tree := t.Transcript.Tree
	if tree.Active < 0 || len(tree.Conversations) < 2 {
		return 0
	}
	known := map[int]bool{}
	for _, turn := range tree.Path(tree.Conversations[tree.Active]) {
		known[turn] = true
	}
	for i, c := range tree.Conversations {
		own := slices.DeleteFunc(tree.Path(c), func(turn int) bool { return known[turn] })
		if i == tree.Active || len(own) == 0 {
			continue
		}
		at := t.turnTime(own[0])
		for _, turn := range own {
			known[turn] = true
		}
		if !t.survey.within(at) || !t.survey.first(t.row, c.Leaf) {
			continue
		}
		e := evidence(t.row, at, t.promptOf(own[0]))
		sum = sum.Add(t.throwAway(own, f, &e))
		f.Count++
		f.Items = append(f.Items, e)
	}
	return sum
}

// promptOf is the prompt that a turn is; empty for an answer.
func (t *transcript) promptOf(turn int) string {
	if at := &t.Transcript.Tree.Turns[turn]; at.Prompt && at.Head >= 0 {
		return sesskeep.OneLine(t.Transcript.Digest.Chain[at.Head].Text)
	}
	return ""
}

func (t *transcript) turnTime(turn int) time.Time {
	for _, i := range t.Transcript.Tree.Turns[turn].Lines {
		if at := t.Transcript.Digest.Chain[i].When(); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// leastFixes is how often a session has to be interrupted to count as corrected again and
// again.
const leastFixes = 2

// interrupted counts the turns that were interrupted.
func (t *transcript) interrupted(in *Insights) (sum price.Amount) {
	tree, chain := t.Transcript.Tree, t.Transcript.Digest.Chain
	count, last := 0, time.Time{}
	for turn := range tree.Turns {
		for _, i := range tree.Turns[turn].Lines {
			if l := &chain[i]; l.Role != sesskeep.RoleInjected && l.Role != sesskeep.RoleResult && l.Role != sesskeep.RoleNote || !l.Spoken || !t.survey.within(l.When()) || !t.isInterruption(i) || !t.survey.first(t.row, l.UUID) {
				continue
			}
			e := evidence(t.row, chain[i].When(), "")
			sum = sum.Add(t.throwAway(t.answersAbove(turn), &in.Waste.Interrupted, &e))
			in.Waste.Interrupted.Count++
			in.Waste.Interrupted.Items = append(in.Waste.Interrupted.Items, e)
			count, last = count+1, chain[i].When()
		}
	}
	if count >= leastFixes {
		in.Fixes.Count++
		in.Fixes.Items = append(in.Fixes.Items, evidence(t.row, last, ""))
	}
	if n := len(chain); count > 0 && n > 0 {
		t.noteEnd(last)
	}
	return sum
}

// noteEnd notes that nothing was said after the last interruption.
func (t *transcript) noteEnd(last time.Time) {
	for i := range t.Transcript.Digest.Chain {
		if l := &t.Transcript.Digest.Chain[i]; l.Spoken && l.When().After(last) {
			return
		}
	}
	e := t.survey.ended[t.row]
	e.interrupted = last
	t.survey.ended[t.row] = e
}

// isInterruption reports whether a line says that a turn was interrupted, and does not just
// quote that.
func (t *transcript) isInterruption(i int) bool {
	e, err := t.Transcript.Entry(i)
	if err != nil || e.Kind != sesskeep.KindUser {
		return false
	}
	for _, b := range e.Blocks() {
		if b.Kind == sesskeep.BlockText && strings.HasPrefix(b.Text, interruption) {
			return true
		}
	}
	return false
}

// answersAbove are the turns from a turn up to the prompt that they answer.
func (t *transcript) answersAbove(turn int) (turns []int) {
	for ; turn >= 0; turn = t.Transcript.Tree.Turns[turn].Parent {
		if t.Transcript.Tree.Turns[turn].Prompt {
			return turns
		}
		turns = append(turns, turn)
	}
	return turns
}

// compactions compares what was done before each compaction with its summary.
func (t *transcript) compactions(c *Compacted) error {
	chain, from := t.Transcript.Digest.Chain, 0
	for i := range chain {
		if chain[i].Role != sesskeep.RoleBoundary {
			continue
		}
		boundary, err := t.Transcript.Entry(i)
		if err != nil {
			return err
		}
		to := chain[i].Line
		if t.survey.within(chain[i].When()) && t.survey.first(t.row, chain[i].UUID) {
			lost := Compaction{Evidence: evidence(t.row, chain[i].When(), ""), Before: tokensBefore(boundary.Raw)}
			if summary, ok := t.summary(i); ok {
				lost.Files, lost.Commands = t.unnamed(summary, from, to)
			}
			c.add(lost)
		}
		from = to
	}
	return nil
}

func (c *Compacted) add(lost Compaction) {
	c.Count++
	if len(lost.Files)+len(lost.Commands) > 0 {
		c.Lost++
	}
	if lost.Files == nil {
		lost.Files = []string{}
	}
	if lost.Commands == nil {
		lost.Commands = []string{}
	}
	c.List = append(c.List, lost)
}

// summary is the text that the model got in the place of what was compacted: the line of the
// boundary itself, or one that follows it.
func (t *transcript) summary(boundary int) (string, bool) {
	chain := t.Transcript.Digest.Chain
	for i := boundary; i < min(len(chain), boundary+8); i++ {
		e, err := t.Transcript.Entry(i)
		if err != nil || !e.CompactSummary {
			continue
		}
		var text strings.Builder
		for _, b := range e.Blocks() {
			text.WriteString(b.Text)
		}
		return text.String(), text.Len() > 0
	}
	return "", false
}

// unnamed are the files that were changed between two lines and the commands that were run, whose
// names a text does not have.
func (t *transcript) unnamed(text string, from, to int) (files, commands []string) {
	for _, c := range t.survey.callsOf(t.row) {
		if c.Line.Number <= from || c.Line.Number >= to {
			continue
		}
		if c.File != "" && changes(c) && !c.Failed && !strings.Contains(text, path.Base(c.File)) && !slices.Contains(files, c.File) {
			files = append(files, c.File)
		}
		words := strings.Fields(c.command)
		if len(words) == 0 || c.Failed {
			continue
		}
		name := strings.Join(words[:min(2, len(words))], " ")
		if !strings.Contains(text, name) && !slices.Contains(commands, name) {
			commands = append(commands, name)
		}
	}
	return files, commands
}

// tokensBefore is how many tokens a boundary says there were.
func tokensBefore(raw []byte) int64 {
	var line struct {
		Metadata struct {
			Tokens int64 `json:"preTokens"`
		} `json:"compactMetadata"`
	}
	_ = json.Unmarshal(raw, &line) // a field of another type is none
	return line.Metadata.Tokens
}
