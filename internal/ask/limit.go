package ask

import "sesskeep/internal/stamp"

// Limit is how much of a plan's limit is used, as a client last reported it.
type Limit struct {
	Root    string     `json:"root"`              // home that is used with the plan
	Name    string     `json:"name"`              // name of the limit: five_hour, seven_day, …
	Percent float64    `json:"usedPercent"`       // percentage used
	Resets  stamp.Time `json:"resetsAt,omitzero"` // when the limit resets
	Seen    stamp.Time `json:"seenAt"`            // when a client reported it
}
