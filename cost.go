package sesskeep

import "encoding/json"

// Cost is the client's own running total. It continues across resumes, a fork
// inherits it, and after a kill it can be missing: never sum it over sessions.
type Cost struct {
	USD          float64 `json:"totalCostUSD"`
	APIMs        int64   `json:"totalAPIDuration"`
	ToolMs       int64   `json:"totalToolDuration"`
	TotalMs      int64   `json:"totalDuration"`
	LinesAdded   int64   `json:"totalLinesAdded"`
	LinesRemoved int64   `json:"totalLinesRemoved"`
	StartMs      int64   `json:"startTime"`
	UnknownModel bool    `json:"hasUnknownModelCost"`
	Models       map[string]struct {
		Input      int64   `json:"inputTokens"`
		Output     int64   `json:"outputTokens"`
		CacheRead  int64   `json:"cacheReadInputTokens"`
		CacheWrite int64   `json:"cacheCreationInputTokens"`
		USD        float64 `json:"costUSD"`
	} `json:"modelUsage"`
}

// Cost decodes an entry of type "cost-state"; the second result is false for
// every other entry. A field of an unexpected type is left empty.
func (e *Entry) Cost() (Cost, bool) {
	if e.Kind != kindCostState {
		return Cost{}, false
	}
	var c Cost
	_ = json.Unmarshal(e.Raw, &c) // what fits is in it
	return c, true
}
