package watch

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"sesskeep/internal/follow"
	"sesskeep/internal/host"
	"sesskeep/internal/term"
)

// psColumnNames are the columns that are shown only when they are asked for.
var psColumnNames = []string{"cpu", "memory"}

// PsPage is what "ps" writes as JSON.
type PsPage struct {
	Sessions []PsProcess `json:"sessions"`
	Total    int         `json:"total"`
}

// PsProcess is a session that a client runs, with what the client takes up where that was
// asked for and is known.
type PsProcess struct {
	follow.Process
	// CPU is the share of one processor that the client takes now, in percent.
	CPU *float64 `json:"cpuPercent,omitempty"`
	// Memory is how many bytes of memory the client takes.
	Memory int64 `json:"memorySize,omitempty"`
}

// gauge measures what clients take up. The share of a processor is that since it last
// measured.
type gauge struct {
	load func(pid int) (host.Load, bool)
	now  func() time.Time
	last map[int]reading
}

type reading struct {
	host.Load
	at time.Time
}

func newGauge() *gauge {
	return &gauge{load: host.LoadOf, now: time.Now, last: map[int]reading{}}
}

// gaugeTime is how long the first measurement lasts: long enough for the ticks that the
// system counts in, and short for somebody who waits.
const gaugeTime = 200 * time.Millisecond

// measure adds to a page how much CPU and memory the clients use.
func (g *gauge) measure(page *PsPage) {
	if g.missing(page) {
		g.read(page)
		time.Sleep(gaugeTime)
	}
	before := g.last
	g.read(page)
	for i := range page.Sessions {
		p := &page.Sessions[i]
		now, ok := g.last[p.PID]
		if !ok {
			continue
		}
		p.Memory = now.Memory
		if was, ok := before[p.PID]; ok && now.at.After(was.at) {
			share := 100 * float64(max(0, now.CPU-was.CPU)) / float64(now.at.Sub(was.at))
			p.CPU = &share
		}
	}
}

// missing reports whether a client was never measured.
func (g *gauge) missing(page *PsPage) bool {
	return slices.ContainsFunc(page.Sessions, func(p PsProcess) bool {
		_, known := g.last[p.PID]
		return p.PID != 0 && !known
	})
}

// read measures every client once.
func (g *gauge) read(page *PsPage) {
	g.last = map[int]reading{}
	for _, p := range page.Sessions {
		if l, ok := g.load(p.PID); p.PID != 0 && ok {
			g.last[p.PID] = reading{l, g.now()}
		}
	}
}

// psPage is a page for people and programs; g is nil where nothing is to be measured.
func psPage(page follow.ProcessPage, g *gauge) PsPage {
	out := PsPage{Sessions: make([]PsProcess, len(page.Sessions)), Total: page.Total}
	for i, p := range page.Sessions {
		out.Sessions[i].Process = p
	}
	if g != nil {
		g.measure(&out)
	}
	return out
}

// addLoad puts the columns that were asked for behind the title; on a pipe they come last.
func addLoad(t *term.Table, list []PsProcess, columns []string) *term.Table {
	for n, name := range columns {
		cells := make([]term.Cell, len(list))
		for i := range list {
			cells[i].Text = loadText(&list[i], name, t.Screen.TTY)
		}
		at := len(t.Columns)
		if t.Screen.TTY {
			at = slices.IndexFunc(t.Columns, func(c term.Column) bool { return c.Title == "title" }) + 1 + n
		}
		t.Insert(at, term.Column{Title: name, Right: true}, cells)
	}
	return t
}

func loadText(p *PsProcess, column string, tty bool) string {
	switch {
	case column == "cpu" && p.CPU != nil && tty:
		return fmt.Sprintf("%.0f%%", *p.CPU)
	case column == "cpu" && p.CPU != nil:
		return strconv.FormatFloat(*p.CPU, 'f', 1, 64)
	case column == "memory" && p.Memory > 0 && tty:
		return term.Bytes(p.Memory)
	case column == "memory" && p.Memory > 0:
		return strconv.FormatInt(p.Memory, 10)
	}
	return ""
}
