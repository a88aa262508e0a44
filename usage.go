package sesskeep

import "sesskeep/internal/jsonl"

// Usage is what one answer of the model consumed, in tokens. Input leaves out
// both cache counters.
type Usage struct {
	Input        int64 `json:"input"`
	Output       int64 `json:"output"`
	CacheRead    int64 `json:"cacheRead"`
	CacheWrite5m int64 `json:"cacheWrite5m"`
	CacheWrite1h int64 `json:"cacheWrite1h"`
	WebSearches  int64 `json:"webSearches,omitempty"`
	Fast         bool  `json:"fast,omitempty"` // fast mode, priced apart
	Batch        bool  `json:"batch,omitempty"`
	USOnly       bool  `json:"usOnly,omitempty"` // inference kept in the United States
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

// Max returns the larger of each counter. The lines of one message repeat its
// usage, and in some clients it grows from line to line.
func (u Usage) Max(v Usage) Usage {
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

// decodeUsage reads the usage object of a message.
func decodeUsage(p *jsonl.Parser) Usage {
	var u Usage
	var written int64
	for key := range p.Object() {
		switch string(key) {
		case "input_tokens":
			u.Input = counter(p)
		case "output_tokens":
			u.Output = counter(p)
		case "cache_read_input_tokens":
			u.CacheRead = counter(p)
		case "cache_creation_input_tokens":
			written = counter(p)
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
		}
	}
	// Clients before 2.1.152 could write a sum of 0 beside a true breakdown;
	// older ones have no breakdown, and then every write was a 5-minute one.
	if u.CacheWrite5m+u.CacheWrite1h == 0 {
		u.CacheWrite5m = written
	}
	return u
}

// counter reads a number of tokens. Fewer than none is damage.
func counter(p *jsonl.Parser) int64 { return max(0, p.Int()) }
