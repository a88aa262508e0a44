package insight

import (
	"cmp"
	"context"
	"hash/fnv"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
	"sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// ToolTimes is how often a tool failed, and how long it took.
type ToolTimes struct {
	Tool   string     `json:"tool"`       // name of the tool
	Calls  int        `json:"callCount"`  // number of calls
	Errors int        `json:"errorCount"` // number of calls that failed or were refused
	P50    int64      `json:"p50Ms"`      // half of its answered calls took at most so many milliseconds
	P95    int64      `json:"p95Ms"`      // 95 of 100 took at most so many milliseconds
	Query  string     `json:"query"`      // search that finds the failed ones
	Items  []Evidence `json:"messages"`   // the latest failed ones
}

// toolTimes counts calls by tool.
func (s *survey) toolTimes(_ context.Context, in *Insights) error {
	byTool := map[string]*ToolTimes{}
	took := map[string][]int64{}
	for _, c := range s.calls {
		t := byTool[c.Tool]
		if t == nil {
			t = &ToolTimes{Tool: c.Tool, Query: "tool:" + c.Tool + " is:error"}
			byTool[c.Tool] = t
		}
		t.Calls++
		if c.Failed {
			t.Errors++
			t.Items = append(t.Items, evidence(c.in, c.when(), ""))
		}
		if c.Answered && c.Took >= 0 {
			took[c.Tool] = append(took[c.Tool], c.Took)
		}
	}
	in.Tools = []ToolTimes{}
	for name, t := range byTool {
		t.Items = s.keep(t.Items)[:min(len(t.Items), fewItems, s.query.Limit)]
		t.P50, t.P95 = percentile(took[name], 50), percentile(took[name], 95)
		in.Tools = append(in.Tools, *t)
	}
	slices.SortFunc(in.Tools, func(a, b ToolTimes) int {
		return cmp.Or(cmp.Compare(b.Errors, a.Errors), cmp.Compare(b.Calls, a.Calls), strings.Compare(a.Tool, b.Tool))
	})
	return nil
}

// fewItems is how many messages are named behind a row of a list.
const fewItems = 3

// percentile is the least of the values that p of 100 do not exceed.
func percentile(list []int64, p int) int64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[max(0, (len(list)*p+99)/100-1)]
}

// isShell reports whether a tool runs commands.
func isShell(tool string) bool { return tool == "Bash" || tool == "PowerShell" }

// shellCalls reads the lines of calls that failed and of shell calls, several transcripts at
// a time.
func (s *survey) shellCalls(ctx context.Context, _ *Insights) error {
	var lists [][]*madeCall
	for i := 0; i < len(s.calls); {
		j := i
		for j < len(s.calls) && s.calls[j].in == s.calls[i].in {
			j++
		}
		lists = append(lists, s.calls[i:j])
		i = j
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(lists) {
					return
				}
				if err := s.readLines(lists[i]); err != nil {
					mu.Lock()
					s.miss(lists[i][0].in, err)
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// readLines reads what the lines of calls of one transcript say.
func (s *survey) readLines(list []*madeCall) error {
	var lines *reading.Lines
	for _, c := range list {
		if !c.Failed && !isShell(c.Tool) || c.Line.Length == 0 {
			continue
		}
		if lines == nil {
			var err error
			if lines, err = reading.OpenLines(s.opts.Homes.At(c.in.Root).Store, c.in.Ref); err != nil {
				return err
			}
			defer lines.Close()
		}
		if err := c.read(lines); err != nil {
			return err
		}
	}
	return nil
}

func (c *madeCall) read(lines *reading.Lines) error {
	entries := make([]sesskeep.Entry, 1, 2)
	var err error
	if entries[0], err = lines.At(c.Line.Number, c.Line.Offset, c.Line.Length); err != nil {
		return err
	}
	if c.Failed && c.Result.Length > 0 {
		e, err := lines.At(c.Result.Number, c.Result.Offset, c.Result.Length)
		if err != nil {
			return err
		}
		entries = append(entries, e)
	}
	for _, part := range view.Turn(entries, view.Options{}) {
		if part.Kind == view.CallPart && index.LineID(part.Call.ID) == c.ID {
			c.state, c.summary, c.command = string(part.Call.State), part.Call.Summary, part.Call.Command
			h := fnv.New64a()
			h.Write(part.Call.Input)
			c.input = h.Sum64()
		}
	}
	return nil
}

// Loop is a failing call that was repeated.
type Loop struct {
	Count   int        `json:"count"`             // how often it failed
	Tool    string     `json:"tool"`              // name of the tool
	Text    string     `json:"text"`              // what it was called with
	Session string     `json:"sessionId"`         // session that it is in
	Title   string     `json:"title,omitempty"`   // title of the session
	Project string     `json:"project,omitempty"` // short name of the project
	USD     float64    `json:"usd"`               // cost of the answers from the second call to the last one
	Items   []Evidence `json:"messages"`          // the calls
}

// leastLoop is how often the same call has to fail to count as a loop.
const leastLoop = 3

// loops finds calls of a transcript with the same tool and input that failed again and again.
// One that was refused is none.
func (s *survey) loops(_ context.Context, in *Insights) error {
	type same struct {
		in    *catalog.Session
		tool  string
		input uint64
	}
	groups := map[same][]*madeCall{}
	for _, c := range s.calls {
		if c.Failed && c.state == string(view.Failed) {
			key := same{c.in, c.Tool, c.input}
			groups[key] = append(groups[key], c)
		}
	}
	in.Loops = []Loop{}
	for _, list := range groups {
		if len(list) >= leastLoop {
			in.Loops = append(in.Loops, s.loop(list))
		}
	}
	slices.SortFunc(in.Loops, func(a, b Loop) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(b.USD, a.USD), strings.Compare(a.Session, b.Session), strings.Compare(a.Text, b.Text))
	})
	in.LoopCount = len(in.Loops)
	in.Loops = in.Loops[:min(len(in.Loops), s.query.Limit)]
	return nil
}

func (s *survey) loop(list []*madeCall) Loop {
	first := list[0]
	l := Loop{
		Count: len(list), Tool: first.Tool, Text: sesskeep.OneLine(first.summary), Session: cmp.Or(first.in.ParentSessionID, first.in.ID),
		Title: catalog.NameOf(first.in), Project: first.in.Project, Items: []Evidence{},
	}
	for _, c := range list[:min(len(list), s.query.Limit)] {
		l.Items = append(l.Items, evidence(c.in, c.when(), ""))
	}
	from, to := list[1].Time, list[len(list)-1].Time
	l.USD = s.spentBetween(first.in, from, to)
	return l
}

// spentBetween is what the answers of a transcript from one time to another cost.
func (s *survey) spentBetween(r *catalog.Session, from, to int64) (usd float64) {
	list := s.answer[r]
	for i := range list {
		if m := &list[i]; m.At >= from && m.At <= to {
			cost, _ := s.prices.Price(m)
			usd += cost.USD()
		}
	}
	return usd
}

// Waits are questions whether a tool may run.
type Waits struct {
	Asked  int        `json:"askedCount"`  // questions that were watched or refused
	Denied int        `json:"deniedCount"` // calls that were refused
	Waited int64      `json:"waitedMs"`    // milliseconds that watched questions were open
	Rules  []WaitRule `json:"rules"`       // by the rule that would have answered them
}

// WaitRule is a rule for permissions, with the questions it would have answered.
type WaitRule struct {
	Rule   string     `json:"rule"`        // the rule, as settings write it
	Asked  int        `json:"askedCount"`  // questions that were watched or refused
	Denied int        `json:"deniedCount"` // calls that were refused
	Waited int64      `json:"waitedMs"`    // milliseconds that watched questions were open
	Items  []Evidence `json:"messages"`    // the latest of the calls
}

// waits finds the calls that a watched session waited for, and those that were refused.
func (s *survey) waits(_ context.Context, in *Insights) error {
	watched, _ := s.watched()
	rules := map[string]*WaitRule{}
	for _, c := range s.calls {
		denied := c.state == string(view.Denied)
		var waited time.Duration
		for _, w := range watched[location{c.in.Root, cmp.Or(c.in.ParentSessionID, c.in.ID)}] {
			if w.is == "needs you" && c.Answered && !w.from.Before(c.when()) && !w.to.After(c.when().Add(time.Duration(c.Took)*time.Millisecond+time.Second)) {
				waited += w.to.Sub(w.from)
			}
		}
		if !denied && waited == 0 || c.Tool == "AskUserQuestion" || c.Tool == "ExitPlanMode" {
			continue
		}
		name := ruleOf(c)
		r := rules[name]
		if r == nil {
			r = &WaitRule{Rule: name}
			rules[name] = r
		}
		r.Asked++
		r.Waited += waited.Milliseconds()
		if denied {
			r.Denied++
		}
		r.Items = append(r.Items, evidence(c.in, c.when(), sesskeep.OneLine(c.summary)))
	}
	in.Waits.Rules = []WaitRule{}
	for _, r := range rules {
		in.Waits.Asked, in.Waits.Denied, in.Waits.Waited = in.Waits.Asked+r.Asked, in.Waits.Denied+r.Denied, in.Waits.Waited+r.Waited
		r.Items = s.keep(r.Items)
		in.Waits.Rules = append(in.Waits.Rules, *r)
	}
	slices.SortFunc(in.Waits.Rules, func(a, b WaitRule) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(b.Waited, a.Waited), strings.Compare(a.Rule, b.Rule))
	})
	return nil
}

// ruleOf is the rule that allows calls like this one: of a command its first two words, and
// of other tools the tool.
func ruleOf(c *madeCall) string {
	if !isShell(c.Tool) || c.command == "" {
		return c.Tool
	}
	words := strings.Fields(c.command)
	if len(words) > 2 || len(words) == 2 && strings.HasPrefix(words[1], "-") {
		n := 2
		if strings.HasPrefix(words[1], "-") {
			n = 1
		}
		return c.Tool + "(" + strings.Join(words[:n], " ") + " *)"
	}
	return c.Tool + "(" + strings.Join(words, " ") + ")"
}
