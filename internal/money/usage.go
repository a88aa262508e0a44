package money

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/price"
	"sesskeep/internal/stamp"
)

// UsageOptions choose what a report is about.
type UsageOptions struct {
	By     string         // one of UsageKinds; empty: day
	Filter ask.Filter     // Since, Until and Model apply to messages; without a source it covers all
	Zone   *time.Location // nil: the machine's
	Prices *Prices        // nil: those built in
	Now    time.Time      // zero: now
	Limit  int            // rows: the latest, or the most expensive; 0: all
}

// UsageKinds are the values of UsageOptions.By. For gitBranch, the name of the field
// of sessions, it also accepts branch.
var UsageKinds = []string{"day", "week", "month", "project", "model", "session", "source", "agent", gitBranch, "window"}

// UsageReport is a report of tokens and money by some key. Every message.id counts
// once over all files, and the rows add up to the total.
type UsageReport struct {
	By      string     `json:"by"`             // what the rows group by
	Zone    string     `json:"tz"`             // time zone of days
	Since   stamp.Time `json:"since,omitzero"` // start of the report
	Until   stamp.Time `json:"until,omitzero"` // end of the report
	Rows    []UsageRow `json:"rows"`           // rows of the report
	Total   int        `json:"total"`          // number of rows, before a limit
	HasMore bool       `json:"hasMore"`        // true if a limit left rows out
	Totals  UsageTotal `json:"totals"`         // sum of everything that matches

	Unpriced []Unpriced `json:"unpriced"` // models without a price
	Prices   PriceList  `json:"prices"`   // price list that was used
}

// UsageTotal sums up everything that matches.
type UsageTotal struct {
	Spending
	Sessions int `json:"sessionCount"`  // number of sessions that took part
	Archived int `json:"archivedCount"` // number of these that are archived
	Trashed  int `json:"trashedCount"`  // number of these that lie in the trash: what was spent stays spent
}

// UsageRow is one line of a report.
type UsageRow struct {
	Key         string     `json:"group"`                 // what the row groups by: a date, a model, a session, …
	SessionID   string     `json:"sessionId,omitempty"`   // for a session: its id
	Title       string     `json:"title,omitempty"`       // for a session: its title
	Trashed     bool       `json:"trashed,omitempty"`     // for a session: true if it lies in the trash
	Root        string     `json:"root,omitempty"`        // for a session: the directory of its home
	Project     string     `json:"project,omitempty"`     // short name of the project
	ProjectPath string     `json:"projectPath,omitempty"` // working directory of the project
	From        stamp.Time `json:"from,omitzero"`         // start of the day, week, month or window
	To          stamp.Time `json:"to,omitzero"`           // end of the day, week, month or window
	Active      bool       `json:"active,omitempty"`      // for a window: true if it has not ended
	Spending
	Sessions int       `json:"sessionCount"`     // sessions that took part, agents under their session
	Agents   *Spending `json:"agents,omitempty"` // for a session: the part that its agents spent
}

// PriceList describes the prices that a report used.
type PriceList struct {
	Date   string   `json:"date"`             // date of the prices
	Source string   `json:"source,omitempty"` // where the prices come from
	Own    []string `json:"own"`              // models whose prices come from the user's file
}

// ListPrices describes a list of prices; nil is the built-in one.
func ListPrices(of *Prices) PriceList {
	t := cmp.Or(of, builtIn()).table
	return PriceList{t.Date, t.Source, append([]string{}, t.Own...)}
}

// unknownKey is the key of messages without a time, and of agents without a type.
const unknownKey = "unknown"

// A git branch as a key in data, and in text for people.
const (
	gitBranch = "gitBranch"
	branch    = "branch"
)

// noBranch is the key of messages outside of git.
const noBranch = "none"

// Source is where messages come from: an [index.Index], or what [index.ReadFiles] gives.
type Source interface {
	Messages(ctx context.Context, f ask.Filter, visit func(m *ask.Message)) error
	Times(ctx context.Context, homes []ask.Home, visit func(ms int64)) error
}

// OfMessages reports whether a report needs to know nothing but messages, so that
// [index.ReadFiles] suffices for it.
func (o *UsageOptions) OfMessages() bool {
	return slices.Contains([]string{"", "day", "week", "month", "window", "model", branch, gitBranch}, o.By) && index.OnlyMessages(o.Filter)
}

// ReadUsage reports what was used and what it cost.
func ReadUsage(ctx context.Context, x Source, o UsageOptions) (UsageReport, error) {
	if o.By == branch {
		o.By = gitBranch
	}
	o.By, o.Zone = cmp.Or(o.By, "day"), cmp.Or(o.Zone, time.Local)
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	t := &sheet{meter: newMeter(o.Prices), rows: map[string]*sheetRow{}, sessions: map[sesskeep.Key]*ask.Location{}}
	key, err := t.keyFor(ctx, x, o)
	if err != nil {
		return UsageReport{}, err
	}
	var last *ask.Location
	err = x.Messages(ctx, o.Filter, func(m *ask.Message) {
		row := key(m)
		row.add(t.meter, m)
		if m.Location != last {
			last = m.Location
			t.sessions[m.Location.Of()] = m.Location
		}
	})
	if err != nil {
		return UsageReport{}, err
	}
	return t.report(o), nil
}

// sheet collects the rows of a report.
type sheet struct {
	meter    *meter
	rows     map[string]*sheetRow
	sessions map[sesskeep.Key]*ask.Location // one transcript of each
}

type sheetRow struct {
	UsageRow
	own, agents bill
	sessions    map[sesskeep.Key]bool
	last        *ask.Location
}

func (r *sheetRow) add(t *meter, m *ask.Message) {
	if m.ByAgent() {
		r.agents.add(t.part(m), m.Usage)
	} else {
		r.own.add(t.part(m), m.Usage)
	}
	if r.last != m.Location {
		r.last = m.Location
		if r.sessions == nil {
			r.sessions = map[sesskeep.Key]bool{}
		}
		r.sessions[m.Location.Of()] = true
	}
}

// row returns the row with this key; make fills it if it is new.
func (t *sheet) row(key string, make func(r *UsageRow)) *sheetRow {
	r, ok := t.rows[key]
	if !ok {
		r = &sheetRow{}
		r.Key = key
		if make != nil {
			make(&r.UsageRow)
		}
		t.rows[key] = r
	}
	return r
}

// keyFor returns the function that assigns messages to rows.
func (t *sheet) keyFor(ctx context.Context, x Source, o UsageOptions) (func(m *ask.Message) *sheetRow, error) {
	switch o.By {
	case "day", "week", "month":
		return t.byTime(&calendar{unit: o.By, zone: o.Zone}), nil
	case "window":
		list, err := windows(ctx, x, o.Filter.Homes)
		return t.byTime(&calendar{unit: o.By, zone: o.Zone, windows: list, now: o.Now}), err
	case "project":
		return t.byTranscript(func(m *ask.Message) *sheetRow {
			return t.row(m.Location.Project, func(r *UsageRow) { r.ProjectPath = m.Location.ProjectPath })
		}), nil
	case "model":
		return func(m *ask.Message) *sheetRow { return t.row(cmp.Or(m.Model, unknownKey), nil) }, nil
	case "session":
		return t.byTranscript(t.sessionRow), nil
	case gitBranch:
		return func(m *ask.Message) *sheetRow { return t.row(cmp.Or(m.Branch, noBranch), nil) }, nil
	case "source":
		return t.byTranscript(func(m *ask.Message) *sheetRow { return t.row(string(m.Location.Source), nil) }), nil
	case "agent":
		return func(m *ask.Message) *sheetRow { return t.row(agentKey(m), nil) }, nil
	}
	return nil, &ask.WordError{What: "report", Word: o.By, Words: UsageKinds}
}

func (t *sheet) byTime(c *calendar) func(m *ask.Message) *sheetRow {
	var now span
	var row *sheetRow
	return func(m *ask.Message) *sheetRow {
		if !m.Dated() {
			return t.row(unknownKey, nil)
		}
		if row == nil || m.At < now.from || m.At >= now.to {
			now = c.span(m.At)
			row = t.row(now.key, func(r *UsageRow) {
				r.From, r.To = stamp.Time{Time: time.UnixMilli(now.from)}, stamp.Time{Time: time.UnixMilli(now.to)}
				r.Active = now.active
			})
		}
		return row
	}
}

// byTranscript finds the row once for consecutive messages of one transcript.
func (t *sheet) byTranscript(find func(m *ask.Message) *sheetRow) func(m *ask.Message) *sheetRow {
	var last *ask.Location
	var row *sheetRow
	return func(m *ask.Message) *sheetRow {
		if m.Location != last {
			last, row = m.Location, find(m)
		}
		return row
	}
}

// sessionRow adds agents to the row of their session. The session's own file has its
// title; it may be read after theirs, or be gone.
func (t *sheet) sessionRow(m *ask.Message) *sheetRow {
	p := m.Location
	r := t.row(p.Session+"\n"+p.Root, func(r *UsageRow) {
		r.Key, r.SessionID, r.Root, r.Project, r.ProjectPath, r.Trashed = p.Session, p.Session, p.Root, p.Project, p.ProjectPath, p.Trashed
	})
	if p.ID == p.Session {
		r.Title = p.Title
	}
	return r
}

// agentKey names the agent that got an answer: "main" is the session itself.
func agentKey(m *ask.Message) string {
	switch {
	case !m.ByAgent():
		return "main"
	case m.Location.Source == ask.FromHelper:
		return "helper"
	}
	return cmp.Or(m.Location.AgentType, unknownKey)
}

// report prices the rows and sorts them: by time, or the most expensive first.
func (t *sheet) report(o UsageOptions) UsageReport {
	r := UsageReport{
		By: o.By, Zone: o.Zone.String(), Since: stamp.Time{Time: o.Filter.Since}, Until: stamp.Time{Time: o.Filter.Until},
		Rows: []UsageRow{}, Total: len(t.rows), Prices: ListPrices(o.Prices),
	}
	unpriced := map[string]int64{}
	none := Cost{UnpricedModels: []string{}}
	for _, row := range t.rows {
		own, agents := t.meter.spent(&row.own, unpriced), t.meter.spent(&row.agents, unpriced)
		row.Spending, row.Sessions = join(own, agents), len(row.sessions)
		if o.By == "session" && agents.Messages > 0 {
			row.Agents = &agents
		}
		r.Rows = append(r.Rows, row.UsageRow)
		if r.Totals.Messages == 0 {
			r.Totals.Spending = row.Spending
		} else {
			r.Totals.Spending = r.Totals.Add(row.Spending)
		}
	}
	if r.Totals.Messages == 0 {
		r.Totals.Cost = none
		r.Totals.Cost.USD = new(price.Amount)
	}
	r.Totals.count(t.sessions)
	r.Unpriced = unpricedList(unpriced, tokens(r.Totals.Usage))
	r.sort()
	r.cut(o.Limit)
	return r
}

// count counts the sessions that took part.
func (u *UsageTotal) count(sessions map[sesskeep.Key]*ask.Location) {
	u.Sessions = len(sessions)
	for _, l := range sessions {
		switch {
		case l.Trashed:
			u.Trashed++
		case l.Archived:
			u.Archived++
		}
	}
}

// Included says which sessions of the sum no list shows; "" for none.
func (u *UsageTotal) Included() string {
	var parts []string
	if u.Archived > 0 {
		parts = append(parts, strconv.Itoa(u.Archived)+" archived")
	}
	if u.Trashed > 0 {
		parts = append(parts, strconv.Itoa(u.Trashed)+" trashed")
	}
	if len(parts) == 0 {
		return ""
	}
	return "with " + strings.Join(parts, " and ")
}

// join adds two spendings. It skips one without messages, which would make an unknown
// cost look like 0.
func join(a, b Spending) Spending {
	switch {
	case a.Messages == 0:
		return b
	case b.Messages == 0:
		return a
	}
	return a.Add(b)
}

// Noun returns what a row of the report is called.
func (r *UsageReport) Noun() string {
	if r.By == gitBranch {
		return branch
	}
	return r.By
}

// Timed reports whether the rows are spans of time.
func (r *UsageReport) Timed() bool {
	return slices.Contains([]string{"day", "week", "month", "window"}, r.By)
}

func (r *UsageReport) sort() {
	slices.SortFunc(r.Rows, func(a, b UsageRow) int {
		if r.Timed() {
			return cmp.Or(a.From.Compare(b.From.Time), strings.Compare(a.Key, b.Key))
		}
		return cmp.Or(cmp.Compare(b.Cost.Amount(), a.Cost.Amount()), cmp.Compare(tokens(b.Usage), tokens(a.Usage)),
			strings.Compare(a.Key, b.Key), strings.Compare(a.Root, b.Root))
	})
}

func (r *UsageReport) cut(limit int) {
	if limit <= 0 || limit >= len(r.Rows) {
		return
	}
	r.HasMore = true
	if r.Timed() {
		r.Rows = r.Rows[len(r.Rows)-limit:]
		return
	}
	r.Rows = r.Rows[:limit]
}
