package sesskeep

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"sesskeep/internal/jsonl"
)

// Usage is what one answer of the model consumed, in tokens. Input leaves out
// both cache counters.
type Usage struct {
	Input        int64 `json:"input"`                 // input tokens, without those of the caches
	Output       int64 `json:"output"`                // output tokens
	CacheRead    int64 `json:"cacheRead"`             // tokens read from the prompt cache
	CacheWrite5m int64 `json:"cacheWrite5m"`          // tokens written to the five-minute prompt cache
	CacheWrite1h int64 `json:"cacheWrite1h"`          // tokens written to the one-hour prompt cache
	WebSearches  int64 `json:"webSearches,omitempty"` // number of web searches
	Fast         bool  `json:"fast,omitempty"`        // fast mode, which has its own prices
	Batch        bool  `json:"batch,omitempty"`       // requested as a batch, which is cheaper
	USOnly       bool  `json:"usOnly,omitempty"`      // inference kept in the United States
}

// Add returns the sum of the counters of u and v.
func (u Usage) Add(v Usage) Usage {
	u.Input += v.Input
	u.Output += v.Output
	u.CacheRead += v.CacheRead
	u.CacheWrite5m += v.CacheWrite5m
	u.CacheWrite1h += v.CacheWrite1h
	u.WebSearches += v.WebSearches
	return u
}

// largest returns the larger of each counter. The lines of one message repeat its
// usage, and in some clients it grows from line to line.
func (u Usage) largest(v Usage) Usage {
	u.Input = max(u.Input, v.Input)
	u.Output = max(u.Output, v.Output)
	u.CacheRead = max(u.CacheRead, v.CacheRead)
	u.CacheWrite5m = max(u.CacheWrite5m, v.CacheWrite5m)
	u.CacheWrite1h = max(u.CacheWrite1h, v.CacheWrite1h)
	u.WebSearches = max(u.WebSearches, v.WebSearches)
	u.Fast = u.Fast || v.Fast
	u.Batch = u.Batch || v.Batch
	u.USOnly = u.USOnly || v.USOnly
	return u
}

// Context returns the number of tokens that the model had in its context when
// it answered.
func (u Usage) Context() int64 {
	return u.Input + u.CacheRead + u.CacheWrite5m + u.CacheWrite1h
}

// sideCall is a call of a model that was made for an answer and that the usage of the
// answer leaves out: what an advisor was asked, or what was tried before another model
// took over.
type sideCall struct {
	kind  string // as the file spells it, or "attempt" for one that failed before another model took over
	model string // empty: that of the answer
	usage Usage
	n     int // which of the iterations of the answer it is, from 1 on
}

// callAttempt is the kind of a call that failed before another model took over.
const callAttempt = "attempt"

// The known kinds of iterations. All but a message describe calls that the usage of the
// answer may leave out.
const (
	iterationMessage  = "message"
	iterationAdvisor  = "advisor_message"
	iterationFallback = "fallback_message" // another model took over, and what went before failed
	iterationCompact  = "compaction"
)

// usageObject is a usage object of a message, or of one of its iterations.
type usageObject struct {
	Usage
	kind, model string // of an iteration
	written     int64  // to the cache, all together
	iterations  []byte
}

// decodeUsage reads the usage of a message and the calls that it leaves out. Strange are
// the unknown kinds among them.
func decodeUsage(p *jsonl.Parser) (u Usage, side []sideCall, strange []string) {
	o := readUsage(p)
	if len(o.iterations) > 0 && !plainIterations(o.iterations) {
		side, strange = sideCalls(o.Usage, o.iterations)
	}
	return o.Usage, side, strange
}

func readUsage(p *jsonl.Parser) (u usageObject) {
	for key := range p.Object() {
		switch string(key) {
		case "input_tokens":
			u.Input = counter(p)
		case "output_tokens":
			u.Output = counter(p)
		case "cache_read_input_tokens":
			u.CacheRead = counter(p)
		case "cache_creation_input_tokens":
			u.written = counter(p)
		case "cache_creation":
			u.CacheWrite5m, u.CacheWrite1h = 0, 0 // of a key that came twice the last counts
			for key := range p.Object() {
				switch string(key) {
				case "ephemeral_5m_input_tokens":
					u.CacheWrite5m = counter(p)
				case "ephemeral_1h_input_tokens":
					u.CacheWrite1h = counter(p)
				}
			}
		case "server_tool_use":
			u.WebSearches = 0
			for key := range p.Object() {
				if string(key) == "web_search_requests" {
					u.WebSearches = counter(p)
				}
			}
		case "speed":
			u.Fast = string(p.Bytes()) == "fast"
		case "service_tier":
			u.Batch = string(p.Bytes()) == "batch"
		case "inference_geo":
			u.USOnly = string(p.Bytes()) == "us"
		case "iterations":
			u.iterations = p.Raw()
		case "type":
			u.kind = string(p.Bytes())
		case "model":
			u.model = string(p.Bytes())
		}
	}
	// Clients before 2.1.152 could write a sum of 0 beside a true breakdown;
	// older ones have no breakdown, and then every write was a 5-minute one.
	if u.CacheWrite5m+u.CacheWrite1h == 0 {
		u.CacheWrite5m = u.written
	}
	return u
}

// plainIterations reports whether all iterations are plain ones, as those of most answers
// are: they add up to the usage of the answer, and need not be read.
func plainIterations(raw []byte) bool {
	return bytes.Count(raw, []byte(`"type"`)) == bytes.Count(raw, []byte(`"type":"message"`))
}

// sideCalls finds the iterations that are not in the usage of an answer: those of an
// advisor, those that failed before another model took over, and those of unknown
// kinds. If all but the advisor's add up to the usage, they are in it.
func sideCalls(all Usage, raw []byte) (side []sideCall, strange []string) {
	var p jsonl.Parser
	p.Reset(raw)
	var list []usageObject
	var sum Usage
	fallback := -1
	for range p.Array() {
		o := readUsage(&p)
		switch o.kind {
		case iterationMessage, iterationAdvisor, iterationCompact:
		case iterationFallback:
			fallback = len(list)
		default:
			strange = append(strange, o.kind)
		}
		if o.kind != iterationAdvisor {
			sum = sum.Add(o.Usage)
		}
		list = append(list, o)
	}
	complete := sum.Context() == all.Context() && sum.Output == all.Output
	for i := range list {
		o := &list[i]
		plain := o.kind == iterationMessage || o.kind == iterationFallback
		if o.kind != iterationAdvisor && complete || plain && i >= fallback || o.Usage == (Usage{}) {
			continue
		}
		kind := cut(o.kind, labelSize)
		if plain {
			kind = callAttempt
		}
		side = append(side, sideCall{kind, o.model, o.Usage, i + 1})
	}
	return side, strange
}

// counter reads a number of tokens. Fewer than none is damage.
func counter(p *jsonl.Parser) int64 { return max(0, p.Int()) }

// Answer is the id of the answer that a row belongs to: for a call beside it, without the
// number of the call.
func (r *UsageRow) Answer() string {
	if i := strings.LastIndexByte(r.Message, '#'); i >= 0 && r.Call != "" {
		return r.Message[:i]
	}
	return r.Message
}

// UsageRows yields what an answer consumed: first the answer itself, then each call that the
// usage of the answer leaves out, to an advisor or to a model that failed and was replaced by
// another one. An answer that the client made up consumed nothing.
func (e *Entry) UsageRows() iter.Seq[UsageRow] {
	return func(yield func(UsageRow) bool) {
		m := e.Message
		if e.Kind != KindAssistant || m == nil || m.Model == SyntheticModel {
			return
		}
		row := UsageRow{Message: m.ID, Model: m.Model, Branch: e.branch(), Time: e.Time, Sidechain: e.Sidechain, Usage: m.Usage}
		if row.Message == "" {
			row.Message = e.UUID
		}
		if m.Usage != (Usage{}) && !yield(row) {
			return
		}
		id := row.Message
		for _, c := range m.side {
			row.Message, row.Call, row.Usage = id+"#"+strconv.Itoa(c.n), c.kind, c.usage
			if row.Model = c.model; c.model == "" {
				row.Model = m.Model
			}
			if !yield(row) {
				return
			}
		}
	}
}
