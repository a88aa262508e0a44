package money

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/stamp"
)

// StatsOptions choose what the figures are about.
type StatsOptions struct {
	Filter ask.Filter     // Since and Until apply to messages and calls, and to when sessions were active
	Zone   *time.Location // nil: the machine's
	Prices *Prices        // nil: those built in
	Limit  int            // of each list; 0: all
}

// Stats are figures about the sessions of the homes. Sessions, prompts and
// messages are counted as in lists; tokens, answers and calls that are in
// several files count once.
type Stats struct {
	Counts     ask.Counts `json:"counts"`           // transcripts by source
	Prompts    int        `json:"promptCount"`      // number of prompts
	Messages   int        `json:"messageCount"`     // number of user and assistant lines
	Answers    int        `json:"answerCount"`      // number of answers of the model
	Size       int64      `json:"fileSize"`         // bytes of all transcripts
	First      stamp.Time `json:"firstAt,omitzero"` // time of the first answer
	Last       stamp.Time `json:"lastAt,omitzero"`  // time of the last answer
	ActiveDays int        `json:"activeDayCount"`   // days with at least one answer
	Zone       string     `json:"tz"`               // time zone of days and hours

	Totals   Spending       `json:"totals"`     // sum of all tokens, with their cost
	Models   []ModelStats   `json:"models"`     // by model
	Tools    []ToolStats    `json:"tools"`      // by tool, most calls first
	Hours    [24]int        `json:"hours"`      // answers by hour of the day
	Weekdays [7]int         `json:"weekdays"`   // answers by weekday, starting on Monday
	Week     [7][24]int     `json:"hourOfWeek"` // answers by weekday, starting on Monday, and hour
	Projects []ProjectStats `json:"projects"`   // by project
	Longest  []ask.Row      `json:"-"`          // sessions with the most messages

	Unpriced []Unpriced `json:"unpriced"` // models without a price
	Prices   PriceList  `json:"prices"`   // price list that was used
}

// ModelStats is the usage of one model.
type ModelStats struct {
	Model string `json:"model"` // id of the model
	Spending
}

// ToolStats counts the calls of a tool, and how many of them failed or were denied.
type ToolStats struct {
	Tool   string `json:"tool"`       // name of the tool
	Calls  int    `json:"callCount"`  // number of calls
	Errors int    `json:"errorCount"` // number of calls that failed or were denied
}

// ProjectStats is what happened in a project.
type ProjectStats struct {
	Project  string `json:"project"`      // short name of the project
	Path     string `json:"projectPath"`  // working directory of the project
	Sessions int    `json:"sessionCount"` // number of sessions
	Prompts  int    `json:"promptCount"`  // number of prompts
	Cost     Cost   `json:"cost"`         // cost of all its sessions
}

// ReadStats computes the figures.
func ReadStats(ctx context.Context, x *index.Index, o StatsOptions) (Stats, error) {
	o.Zone = cmp.Or(o.Zone, time.Local)
	s := Stats{
		Zone: o.Zone.String(), Prices: ListPrices(o.Prices), Models: []ModelStats{},
		Tools: []ToolStats{}, Projects: []ProjectStats{}, Longest: []ask.Row{},
	}
	projects := map[string]*projectBill{}
	if err := s.addRows(ctx, x, o, projects); err != nil {
		return s, err
	}
	if err := s.addMessages(ctx, x, o, projects); err != nil {
		return s, err
	}
	return s, s.addCalls(ctx, x, o)
}

type projectBill struct {
	ProjectStats
	bill
}

func billOf(projects map[string]*projectBill, project, path string) *projectBill {
	p := projects[project]
	if p == nil {
		p = &projectBill{ProjectStats: ProjectStats{Project: project, Path: path}}
		projects[project] = p
	}
	return p
}

// addRows counts transcripts as lists do.
func (s *Stats) addRows(ctx context.Context, x *index.Index, o StatsOptions, projects map[string]*projectBill) error {
	figures, err := x.Figures(ctx, o.Filter)
	if err != nil {
		return err
	}
	for _, f := range figures {
		switch f.Source {
		case ask.FromUser:
			s.Counts.User += f.Rows
			s.Prompts += f.Prompts
			p := billOf(projects, f.Project, f.ProjectPath)
			p.Sessions += f.Rows
			p.ProjectStats.Prompts += f.Prompts
		case ask.FromAgent:
			s.Counts.Agent += f.Rows
		case ask.FromHelper:
			s.Counts.Helper += f.Rows
		}
		s.Messages += f.Messages
		s.Size += f.Size
	}
	f := o.Filter
	f.Archived = ask.ArchivedToo // archived sessions count too
	f.Homes = slices.DeleteFunc(slices.Clone(f.Homes), func(h ask.Home) bool {
		_, trashed := ask.HomeRoot(h.Store.Root()) // they cannot be opened
		return trashed
	})
	f.Sort, f.Limit = "messages", cmp.Or(o.Limit, 10)
	if f.Source == "" || f.Source == "all" {
		f.Source = string(ask.FromUser)
	}
	page, err := x.List(ctx, f)
	s.Longest = page.Sessions
	return err
}

// addMessages prices the answers, and counts them by time.
func (s *Stats) addMessages(ctx context.Context, x *index.Index, o StatsOptions, projects map[string]*projectBill) error {
	meter := newMeter(o.Prices)
	models := map[string]*bill{}
	days := map[string]bool{}
	c := calendar{unit: "day", zone: o.Zone}
	var day span
	var last *ask.Location
	var project *projectBill
	err := x.Messages(ctx, o.Filter, func(m *ask.Message) {
		p := meter.part(m)
		b := models[m.Model]
		if b == nil {
			b = new(bill)
			models[m.Model] = b
		}
		b.add(p, m.Usage)
		if m.Location != last {
			last, project = m.Location, billOf(projects, m.Location.Project, m.Location.ProjectPath)
		}
		project.add(p, m.Usage)
		if !m.Dated() {
			return
		}
		if m.At < day.from || m.At >= day.to {
			day = c.span(m.At)
			days[day.key] = true
		}
		s.see(m.Time().In(o.Zone))
	})
	if err != nil {
		return err
	}
	s.ActiveDays = len(days)
	unpriced := map[string]int64{}
	for model, b := range models {
		s.Models = append(s.Models, ModelStats{cmp.Or(model, unknownKey), meter.spent(b, unpriced)})
		s.Totals = join(s.Totals, s.Models[len(s.Models)-1].Spending)
	}
	s.Answers = s.Totals.Messages
	if s.Answers == 0 {
		s.Totals = meter.spent(new(bill), unpriced)
	}
	s.Unpriced = unpricedList(unpriced, tokens(s.Totals.Usage))
	for _, p := range projects {
		p.Cost = meter.spent(&p.bill, nil).Cost
		s.Projects = append(s.Projects, p.ProjectStats)
	}
	s.sort(o.Limit)
	return nil
}

func (s *Stats) see(t time.Time) {
	weekday := (int(t.Weekday()) + 6) % 7
	s.Hours[t.Hour()]++
	s.Weekdays[weekday]++
	s.Week[weekday][t.Hour()]++
	if s.First.IsZero() || t.Before(s.First.Time) {
		s.First = stamp.Time{Time: t}
	}
	if t.After(s.Last.Time) {
		s.Last = stamp.Time{Time: t}
	}
}

func (s *Stats) sort(limit int) {
	slices.SortFunc(s.Models, func(a, b ModelStats) int {
		return cmp.Or(cmp.Compare(b.Messages, a.Messages), strings.Compare(a.Model, b.Model))
	})
	slices.SortFunc(s.Projects, func(a, b ProjectStats) int {
		return cmp.Or(cmp.Compare(b.Cost.Amount(), a.Cost.Amount()), cmp.Compare(b.Sessions, a.Sessions), strings.Compare(a.Project, b.Project))
	})
	s.Models, s.Projects = first(s.Models, limit), first(s.Projects, limit)
}

// first returns the first elements of a list; a limit of 0 keeps all.
func first[T any](list []T, limit int) []T {
	if limit <= 0 {
		return list
	}
	return list[:min(limit, len(list))]
}

func (s *Stats) addCalls(ctx context.Context, x *index.Index, o StatsOptions) error {
	tools := map[string]*ToolStats{}
	err := x.Calls(ctx, o.Filter, func(c *ask.Call) {
		t := tools[c.Tool]
		if t == nil {
			t = &ToolStats{Tool: cmp.Or(c.Tool, unknownKey)}
			tools[c.Tool] = t
		}
		t.Calls++
		if c.Failed {
			t.Errors++
		}
	})
	for _, t := range tools {
		s.Tools = append(s.Tools, *t)
	}
	slices.SortFunc(s.Tools, func(a, b ToolStats) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), strings.Compare(a.Tool, b.Tool))
	})
	s.Tools = first(s.Tools, o.Limit)
	return err
}
