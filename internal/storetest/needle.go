package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Needle is a string that stands in exactly one line of the corpus.
type Needle struct {
	Text string `json:"text"` // as decoded, not as JSON spells it
	File string `json:"file"` // slash path relative to the home
	Line int    `json:"line"` // 1-based
	Spot string `json:"place"`
}

// The spots a needle can be in.
const (
	inPrompt        = "prompt"
	inPromptBlock   = "prompt-block"
	inCommand       = "command-args"
	inAnswer        = "answer"
	inThinking      = "thinking"
	inInput         = "tool-input"
	inInputDeep     = "tool-input-deep"
	inResult        = "tool-result"
	inResultBlock   = "tool-result-block"
	inUseResult     = "tool-use-result" // and nowhere else in the line
	inUseResultText = "tool-use-result-string"
	inUseResultDeep = "tool-use-result-deep"
	inSummary       = "summary"
	inTitle         = "custom-title"
	inAITitle       = "ai-title"
	inQueue         = "queue-operation"
	inQueued        = "queued-command"
	inAttachment    = "attachment"
	inSystem        = "system"
	inCompact       = "compact-summary"
	inProgress      = "progress"
	inDelta         = "file-history-delta"
	inBranch        = "git-branch"
	inUnknown       = "unknown-entry"
	inAgent         = "agent-answer"
	inAgentResult   = "agent-tool-result"
	inWorkflow      = "workflow-answer"
	inInline        = "inline-agent"
)

// allSpots is the order in which a corpus hands out its needles.
var allSpots = []string{
	inPrompt, inAnswer, inThinking, inInput, inInputDeep, inResult, inUseResult,
	inAgent, inAgentResult, inWorkflow, inSummary, inTitle, inQueue, inQueued,
	inAttachment, inSystem, inCompact, inProgress, inUnknown, inUseResultDeep,
	inUseResultText, inResultBlock, inPromptBlock, inInline, inDelta, inBranch,
	inAITitle, inCommand,
}

// everywhere are the spots any session has; a needle whose own spot did not
// come goes to one of them.
var everywhere = []string{inPrompt, inAnswer, inInput, inResult, inUseResult}

// needles are those of one shard: waiting to be planted, then planted.
type needles struct {
	rng     *rand.Rand
	waiting map[string][]waiting
	count   int // still waiting
	planted []Needle
}

type waiting struct {
	text, before, after string
	due                 float64 // not before this part of the shard is written
}

// needleCount is how many needles a corpus of this size gets.
func needleCount(size Size) int {
	return min(max(size.Sessions/20, len(allSpots)+4), 4*len(allSpots))
}

// newNeedles takes every step-th needle of n, from first on.
func newNeedles(rng *rand.Rand, n, first, step int) *needles {
	ns := &needles{rng: rng, waiting: map[string][]waiting{}}
	for i := first; i < n; i += step {
		spot := allSpots[i%len(allSpots)]
		w := ns.dress(i)
		if step == 1 && !slices.Contains(everywhere, spot) {
			w.due = 0 // a small corpus may have the spot only once
		}
		ns.waiting[spot] = append(ns.waiting[spot], w)
		ns.count++
	}
	return ns
}

// dress makes the text of needle i and what stands around it. The token alone
// is unique; what it wears makes it hard to find.
func (ns *needles) dress(i int) waiting {
	tok := "zq" + strconv.FormatUint(ns.rng.Uint64()>>20|1<<43, 36)
	w := waiting{text: tok, before: " ", after: " ", due: 0.8 * ns.rng.Float64()}
	switch (i + i/len(allSpots)) % 10 {
	case 1:
		w.text = fmt.Sprintf("say %q twice", tok)
	case 2:
		w.text = tok + "\nnext line"
	case 3:
		w.text = `C:\` + tok + `\notes`
	case 4:
		w.text = "針" + tok + "検索"
	case 5:
		w.text = "aiguïlle-" + tok + "-é"
	case 6:
		w.text = "🧵" + tok + "👩‍💻"
	case 7:
		w.text, w.before, w.after = "Z"+tok[1:], " get", "Handler "
	case 8:
		w.text, w.before, w.after = tok, " lease_", "_pool "
	case 9:
		w.text = tok + "\t" + `{"a":"b\\c"}`
	}
	return w
}

// next returns a needle for spot if one is due.
func (ns *needles) next(spot string, done float64) (waiting, bool) {
	ws := ns.waiting[spot]
	if len(ws) == 0 || ws[0].due > done {
		return waiting{}, false
	}
	ns.waiting[spot] = ws[1:]
	ns.count--
	return ws[0], true
}

// hurry makes every waiting needle due, in a spot any session has.
func (ns *needles) hurry() {
	var all []waiting
	for _, spot := range allSpots {
		all = append(all, ns.waiting[spot]...)
		delete(ns.waiting, spot)
	}
	for i, w := range all {
		w.due = 0
		to := everywhere[i%len(everywhere)]
		ns.waiting[to] = append(ns.waiting[to], w)
	}
}

// due reports whether next would return a needle.
func (ns *needles) due(spot string, done float64) bool {
	ws := ns.waiting[spot]
	return len(ws) > 0 && ws[0].due <= done
}
