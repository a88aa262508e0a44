package ask

import (
	"strings"
	"time"

	"sesskeep/internal/stamp"
)

// Limit is how much of a plan's limit is used, as a client last reported it.
type Limit struct {
	Root    string     `json:"root"`              // home that is used with the plan
	Home    string     `json:"home,omitempty"`    // what that home is called
	Name    string     `json:"name"`              // name of the limit: five_hour, seven_day, …
	Percent float64    `json:"usedPercent"`       // percentage used
	Resets  stamp.Time `json:"resetsAt,omitzero"` // when the limit resets
	Seen    stamp.Time `json:"seenAt"`            // when a client reported it
	// Pace is the percentage used in an hour since the window started; 0: it is not known.
	Pace float64 `json:"percentPerHour,omitempty"`
	// FullAt is when the limit is used up at this pace, if that is before it resets.
	FullAt stamp.Time `json:"fullAt,omitzero"`
}

// window is how long the window of a limit lasts; 0: its name does not say.
func (l *Limit) window() time.Duration {
	switch {
	case l.Name == "five_hour":
		return 5 * time.Hour
	case strings.HasPrefix(l.Name, "seven_day"):
		return 7 * 24 * time.Hour
	}
	return 0
}

// leastPart is which part of a window must be over before its pace says something.
const leastPart = 20

// Forecast works out the pace from the start of the window to when the limit was reported, and
// when it is used up at that pace.
func (l *Limit) Forecast() {
	window := l.window()
	passed := l.Seen.Sub(l.Resets.Add(-window))
	if window == 0 || l.Resets.IsZero() || l.Percent <= 0 || passed < window/leastPart || passed > window {
		return
	}
	l.Pace = l.Percent / passed.Hours()
	full := l.Seen.Time
	if left := 100 - l.Percent; left > 0 {
		full = full.Add(time.Duration(left / l.Pace * float64(time.Hour))).Truncate(time.Second)
	}
	if full.Before(l.Resets.Time) {
		l.FullAt = stamp.Time{Time: full.UTC()}
	}
}
