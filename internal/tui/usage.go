package tui

import (
	"fmt"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/money"
	"sesskeep/internal/stamp"
	"sesskeep/internal/tui/conversation"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/search"

	tea "charm.land/bubbletea/v2"
)

// usage is the page with tokens and what they cost.
type usage struct {
	world *pages.World
	list  pages.List
	kind  int // of usageKinds
	span  int // of usageSpans

	question int // counts what was asked: the answer to the last one counts
	busy     bool
	due      bool      // another question waits for the running one
	old      bool      // transcripts changed since
	rest     time.Time // until when a change is not asked about
	waits    bool      // a clock runs until then
	loaded   bool
	tableAt  int // the line of the first row, as last drawn
	got      usageMsg
}

// usageKinds are the reports of the page, by the words of the command.
var usageKinds = []string{"day", "week", "month", "project", "model", "session"}

// usageSpans are how far back a report goes.
var usageSpans = []struct {
	days int // today is one of them; 0: all
	name string
}{{7, "last 7 days"}, {30, "last 30 days"}, {0, "all time"}}

// usageShare bounds the time spent on reports: one part of so many.
const usageShare = 40

// restWhileReading is how often figures that grow are asked for at most.
const restWhileReading = 2 * time.Second

// chartDays is how many days the chart has.
const chartDays = 30

// usageMsg is a report, and the days for the chart.
type usageMsg struct {
	question     int
	report, days catalog.UsageReport
	now          time.Time
	files, total int // transcripts that are read, while they are
	reading      bool
	took         time.Duration
	err          error
}

func newUsage(w *pages.World) pages.Page { return &usage{world: w, span: 1} }

func (u *usage) Start() tea.Cmd { return u.load() }

func (u *usage) Typing() bool { return false }

// Gathers says that the page counts what is in the homes.
func (u *usage) Gathers() {}

func (u *usage) Title() string {
	return "usage" + pages.GlyphsOf(u.world.Screen).Gap + "all projects" + pages.GlyphsOf(u.world.Screen).Gap + usageSpans[u.span].name
}

func (u *usage) Actions() []keys.Action {
	list := []keys.Action{keys.Report, keys.Range, keys.PrevReport}
	if u.chosen() != nil {
		list = []keys.Action{keys.Open, keys.Report, keys.Range, keys.Copy, keys.PrevReport}
	}
	return list
}

// load asks for the figures. What is there stays until the answer comes.
func (u *usage) load() tea.Cmd {
	u.question++
	u.old = false
	if u.due = u.busy; u.busy {
		return nil
	}
	u.busy = true
	w, question, by, days := u.world, u.question, usageKinds[u.kind], usageSpans[u.span].days
	return func() tea.Msg {
		msg := readUsage(w, by, days)
		msg.question = question
		return msg
	}
}

func readUsage(w *pages.World, by string, days int) (msg usageMsg) {
	start := w.Now()
	msg.now = start
	prices := w.Prices
	if prices == nil {
		if prices, msg.err = money.ReadPrices(w.Ctx, ""); msg.err != nil {
			return msg
		}
	}
	ask := money.UsageOptions{By: by, Zone: start.Location(), Prices: prices, Now: start}
	if days > 0 {
		ask.Filter.Since = daysAgo(start, days-1)
	}
	if msg.report, msg.err = w.App.Catalog.Reports.Usage(w.Ctx, ask); msg.err != nil {
		return msg
	}
	ask.By, ask.Filter.Since = "day", daysAgo(start, chartDays-1)
	msg.days, msg.err = w.App.Catalog.Reports.Usage(w.Ctx, ask)
	msg.reading = w.Half(msg.report.Coverage)
	if r := msg.days.Coverage.Reading; r != nil {
		msg.files, msg.total = r.Files, r.Total
	}
	msg.took = w.Now().Sub(start)
	return msg
}

// daysAgo is the midnight at which a day began.
func daysAgo(now time.Time, days int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-days, 0, 0, 0, 0, now.Location())
}

func (u *usage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case usageMsg:
		return u.apply(msg)
	case usageProjectMsg:
		of := msg.project
		u.world.Scope.Choose, u.world.Scope.Project, u.world.Scope.All = nil, &of, false
		return pages.Press(keys.Sessions)
	case pages.ChangedMsg:
		u.old = true
		return u.Poll()
	case usageDue:
		u.waits = false
		return u.Poll()
	case pages.ClickMsg:
		if row, ok := u.list.Row(msg.Y - u.tableAt); ok && row == u.list.At {
			return u.open()
		} else if ok {
			u.list.Choose(row)
		}
	}
	return nil
}

// Poll asks again when there is news, and while transcripts are being read. It
// rests the longer the more a report costs.
func (u *usage) Poll() tea.Cmd {
	if u.got.reading {
		if now := u.world.App.Index.Coverage().Reading; now != nil {
			u.got.files, u.got.total = now.Files, now.Total
		}
	}
	if u.busy || !u.old && !u.got.reading {
		return nil
	}
	if rest := u.rest.Sub(u.world.Now()); rest > 0 {
		return u.later(rest)
	}
	return u.load()
}

// usageDue says that figures may be asked for again.
type usageDue struct{}

// later looks again after a rest, so that the last change is not forgotten.
func (u *usage) later(rest time.Duration) tea.Cmd {
	if u.waits {
		return nil
	}
	u.waits = true
	return tea.Tick(rest, func(time.Time) tea.Msg { return usageDue{} })
}

func (u *usage) apply(msg usageMsg) tea.Cmd {
	u.busy = false
	if u.due {
		u.due = false
		return u.load()
	}
	if msg.question != u.question {
		return nil
	}
	var was *catalog.UsageRow
	if before := u.chosen(); before != nil && u.got.report.By == msg.report.By {
		was = before
	}
	u.loaded, u.got = true, msg
	rest := usageShare * msg.took
	if msg.reading { // most of that time was waiting
		rest = min(rest, restWhileReading)
	}
	u.rest = u.world.Now().Add(rest)
	u.list.Resize(len(msg.report.Rows))
	u.list.Choose(0)
	for i := range msg.report.Rows {
		if r := u.row(i); was != nil && was.Key == r.Key && was.Root == r.Root {
			u.list.Choose(i)
		}
	}
	if u.old { // there was news meanwhile
		return u.Poll()
	}
	return nil
}

// row is the row that stands at a place: of days and months the last comes first.
func (u *usage) row(i int) *catalog.UsageRow {
	r := &u.got.report
	if r.Timed() {
		i = len(r.Rows) - 1 - i
	}
	return &r.Rows[i]
}

func (u *usage) chosen() *catalog.UsageRow {
	if u.list.At >= len(u.got.report.Rows) {
		return nil
	}
	return u.row(u.list.At)
}

func (u *usage) Do(a keys.Action) (tea.Cmd, bool) {
	if u.list.Do(a) {
		return nil, true
	}
	switch a {
	case keys.Report, keys.PrevReport:
		by := 1
		if a == keys.PrevReport {
			by = len(usageKinds) - 1
		}
		u.kind = (u.kind + by) % len(usageKinds)
		return u.load(), true
	case keys.Range:
		u.span = (u.span + 1) % len(usageSpans)
		return u.load(), true
	case keys.Open:
		return u.open(), true
	case keys.Copy:
		if row := u.chosen(); row != nil {
			return pages.Copy(row.Key + row.Suffix), true
		}
		return nil, true
	}
	return nil, false
}

// usageProjectMsg is a project whose sessions are wanted.
type usageProjectMsg struct{ project ask.Project }

// open shows what a row is about: a session, the sessions of a project, or what
// was said in a time or by a model.
func (u *usage) open() tea.Cmd {
	row := u.chosen()
	if row == nil {
		return nil
	}
	w, key, root := u.world, row.Key, row.Root
	switch by := u.got.report.By; {
	case by == "project":
		return func() tea.Msg { return usageProject(w, key) }
	case by == "session":
		return func() tea.Msg { return usageSession(w, root, key) }
	case by == "model":
		return pages.Open(search.New(w, fmt.Sprintf("model:%q", key)))
	case row.From.IsZero():
		return pages.Note("these messages have no time")
	}
	day := func(t stamp.Time) string { return t.In(w.Now().Location()).Format(time.DateOnly) }
	return pages.Open(search.New(w, fmt.Sprintf("after:%s before:%s", day(row.From), day(row.To))))
}

func usageProject(w *pages.World, id string) tea.Msg {
	catalog, err := w.Catalog()
	if err != nil {
		return pages.NoteMsg{Text: err.Error()}
	}
	p, err := catalog.Project(w.Ctx, id)
	if err != nil {
		return pages.NoteMsg{Text: err.Error()}
	}
	return usageProjectMsg{p.Project}
}

func usageSession(w *pages.World, root, id string) tea.Msg {
	catalog, err := w.Catalog()
	if err != nil {
		return pages.NoteMsg{Text: err.Error()}
	}
	page, err := catalog.List(w.Ctx, ask.Filter{In: root, ID: id, Source: "all", Now: w.Now()})
	if err != nil {
		return pages.NoteMsg{Text: err.Error()}
	}
	for _, row := range page.Sessions {
		if row.ID == id {
			return pages.OpenMsg{Page: conversation.New(w, row)}
		}
	}
	return pages.NoteMsg{Text: "the session's own transcript is gone: only its agents are there"}
}
