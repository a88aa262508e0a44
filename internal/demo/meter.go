package demo

import "time"

// The models ada uses.
const (
	opus         = "claude-opus-5-5"
	sonnet       = "claude-sonnet-5-5"
	haiku        = "claude-haiku-4-5-20251001"
	oldSonnet    = "claude-sonnet-4-5-20250929"
	oldestSonnet = "claude-sonnet-4-20250514"
)

// rate is what the client charges for a million tokens, in dollars.
type rate struct{ in, out, write5m, write1h, read float64 }

var rates = map[string]rate{
	opus:         {4, 20, 5, 8, 0.20},
	sonnet:       {2, 10, 2.5, 4, 0.10},
	haiku:        {1, 5, 1.25, 2, 0.10},
	oldSonnet:    {3, 15, 3.75, 6, 0.30},
	oldestSonnet: {3, 15, 3.75, 6, 0.30},
}

// usage is what one request consumed, in tokens.
type usage struct{ in, out, thinking, write5m, write1h, read int }

func (u usage) add(o usage) usage {
	return usage{u.in + o.in, u.out + o.out, u.thinking + o.thinking,
		u.write5m + o.write5m, u.write1h + o.write1h, u.read + o.read}
}

func (u usage) cost(model string) float64 {
	r := rates[model]
	sum := float64(u.in)*r.in + float64(u.out)*r.out + float64(u.write5m)*r.write5m +
		float64(u.write1h)*r.write1h + float64(u.read)*r.read
	return sum / 1e6
}

// fields is the usage as a message of 2.1.325 has it.
func (u usage) fields() fields {
	return fields{
		"input_tokens", u.in,
		"cache_creation_input_tokens", u.write5m + u.write1h,
		"cache_read_input_tokens", u.read,
		"output_tokens", u.out,
		"output_tokens_details", fields{"thinking_tokens", u.thinking},
		"server_tool_use", fields{"web_search_requests", 0, "web_fetch_requests", 0},
		"service_tier", "standard",
		"cache_creation", fields{"ephemeral_1h_input_tokens", u.write1h, "ephemeral_5m_input_tokens", u.write5m},
		"inference_geo", "", "iterations", []any{}, "speed", "standard", "fallback_credit", nil,
	}
}

// oldFields is the usage as clients before 2.1 wrote it.
func (u usage) oldFields(out int) fields {
	return fields{
		"input_tokens", u.in,
		"cache_creation_input_tokens", u.write5m + u.write1h,
		"cache_read_input_tokens", u.read,
		"cache_creation", fields{"ephemeral_5m_input_tokens", u.write5m, "ephemeral_1h_input_tokens", u.write1h},
		"output_tokens", out, "service_tier", "standard",
	}
}

// meter is the client's own account of a session, its agents included.
type meter struct {
	models         map[string]usage
	api, tool      time.Duration
	added, removed int // lines
}

// costState is the line the client writes when it ends.
func (s *session) costState() {
	var models fields
	var total float64
	for _, name := range sortedKeys(s.meter.models) {
		u := s.meter.models[name]
		total += u.cost(name)
		models = append(models, name, fields{
			"inputTokens", u.in, "outputTokens", u.out, "thinkingTokens", u.thinking,
			"cacheReadInputTokens", u.read, "cacheCreationInputTokens", u.write5m + u.write1h,
			"cacheCreationEphemeral5mInputTokens", u.write5m,
			"cacheCreationEphemeral1hInputTokens", u.write1h,
			"webSearchRequests", 0, "costUSD", u.cost(name),
		})
	}
	s.note("cost-state", "totalCostUSD", total,
		"totalAPIDuration", s.meter.api.Milliseconds(),
		"totalAPIDurationWithoutRetries", s.meter.api.Milliseconds(),
		"totalToolDuration", s.meter.tool.Milliseconds(),
		"totalLinesAdded", s.meter.added, "totalLinesRemoved", s.meter.removed,
		"totalDuration", s.clock.Sub(s.started).Milliseconds(),
		"startTime", s.started.UnixMilli(),
		"modelUsage", models, "hasUnknownModelCost", false)
}

// spend makes the usage of the next request: what is new is written to the
// cache, what the cache still holds is read from it.
func (s *session) spend(out, thinking int) usage {
	life := 5 * time.Minute
	if s.hourCache {
		life = time.Hour
	}
	if s.context > 0 && s.clock.Sub(s.asked) > life {
		s.pending, s.context = s.pending+s.context-min(s.context, systemTokens), min(s.context, systemTokens)
	}
	u := usage{in: s.ids.between(3, 11), out: out, thinking: thinking, read: s.context}
	if s.hourCache {
		u.write1h = s.pending
	} else {
		u.write5m = s.pending
	}
	s.asked = s.clock
	s.context, s.pending = s.context+s.pending, out
	s.meter.models[s.model] = s.meter.models[s.model].add(u)
	return u
}

// systemTokens is the size of the system prompt and the tools, which is nearly
// always in the cache.
const systemTokens = 18_412

// tokens is about how many tokens a text has.
func tokens(text string) int { return len(text)*10/36 + 1 }
