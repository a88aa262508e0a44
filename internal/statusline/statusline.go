// Package statusline stores what clients report to the program that draws their
// status line: the context window of a session, and how much of the plan's limits is
// used. No file of the client has either.
//
// Call [Parse] with the client's input, and a Book's Keep with the result; any
// other process then finds it with Limits and Window. A Book keeps the last report of
// each of the sessions that reported most recently.
package statusline

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// Report is the part of a client's status line input that we use.
type Report struct {
	Session    string
	Transcript string // path of its file
	Model      string
	USD        float64 // cost of the session according to the client
	Window     int64   // context window in tokens; 0: not reported
	Limits     []Limit // by name
}

// Limit is how much of a plan's limit is used.
type Limit struct {
	Name    string    `json:"name"`            // five_hour, seven_day, …
	Percent float64   `json:"percent"`         // used
	Resets  time.Time `json:"resets,omitzero"` // when the limit is reset
}

// seen is the limit of a home as it was reported at a time, with its forecast.
func (l Limit) seen(root string, at time.Time) ask.Limit {
	limit := ask.Limit{Root: root, Name: l.Name, Percent: l.Percent, Resets: stamp.Time{Time: l.Resets}, Seen: stamp.Time{Time: at.UTC()}}
	limit.Forecast()
	return limit
}

// Reported are the limits of a report that comes now.
func (r *Report) Reported(now time.Time) (list []ask.Limit) {
	for _, l := range r.Limits {
		list = append(list, l.seen(r.root(), now))
	}
	return list
}

// Parse decodes a client's input. It skips missing and malformed fields.
func Parse(data []byte) Report {
	var in struct {
		Session    text `json:"session_id"`
		Transcript text `json:"transcript_path"`
		Model      struct {
			ID text `json:"id"`
		} `json:"model"`
		Cost struct {
			USD number `json:"total_cost_usd"`
		} `json:"cost"`
		Context struct {
			Size number `json:"context_window_size"`
		} `json:"context_window"`
		Limits map[string]json.RawMessage `json:"rate_limits"`
	}
	// If a field of an object is malformed, the others are still decoded.
	_ = json.Unmarshal(data, &in)
	r := Report{
		Session: string(in.Session), Transcript: string(in.Transcript), Model: string(in.Model.ID), USD: float64(in.Cost.USD),
	}
	if size := int64(in.Context.Size); size > 0 && size < 1<<40 {
		r.Window = size
	}
	for name, raw := range in.Limits {
		if l, ok := parseLimit(name, raw); ok {
			r.Limits = append(r.Limits, l)
		}
	}
	slices.SortFunc(r.Limits, func(a, b Limit) int { return strings.Compare(a.Name, b.Name) })
	return r
}

func parseLimit(name string, raw []byte) (Limit, bool) {
	var in struct {
		Percent *number `json:"used_percentage"`
		Resets  number  `json:"resets_at"` // seconds since 1970
	}
	if json.Unmarshal(raw, &in) != nil || in.Percent == nil || *in.Percent < 0 || *in.Percent > 1000 {
		return Limit{}, false
	}
	l := Limit{Name: name, Percent: float64(*in.Percent)}
	if s := int64(in.Resets); s > 0 && s < 1<<40 {
		l.Resets = time.Unix(s, 0).UTC()
	}
	return l, true
}

// text and number accept any JSON value, and keep it if it has their type.
type (
	text   string
	number float64
)

func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	_ = json.Unmarshal(data, &s)
	*t = text(s)
	return nil
}

func (n *number) UnmarshalJSON(data []byte) error {
	var f float64
	_ = json.Unmarshal(data, &f)
	*n = number(f)
	return nil
}

// root returns the home of the transcript, ROOT/projects/DIR/ID.jsonl; empty if the
// path does not have that form.
func (r *Report) root() string {
	projects := filepath.Dir(filepath.Dir(r.Transcript))
	if filepath.Base(projects) != "projects" || !filepath.IsAbs(projects) {
		return ""
	}
	return filepath.Dir(projects)
}
