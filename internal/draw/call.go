package draw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// leastSummary is how much of a call's summary stays on a screen too narrow for
// the whole line.
const leastSummary = 12

func (d *Drawer) call(p *view.Part) {
	whole := d.callLine(p)
	switch d.options.Tools {
	case "line":
	case "full":
		d.callFull(p.Call)
	default:
		if !whole || p.Call.Summary != p.Call.Command {
			d.command(p.Call)
		}
		d.callCard(p.Call)
	}
}

// command writes the command of a shell call: the model's description of it may
// differ.
func (d *Drawer) command(c *view.Call) {
	if c.Command != "" {
		d.card("$ "+c.Command, block{limit: commandLines, how: d.options.MoreTools})
	}
}

// callLine writes what was called and how it ended, and reports whether there was
// room for all of it. The summary gives way, so that the end of the line stays in
// sight.
func (d *Drawer) callLine(p *view.Part) (whole bool) {
	c := p.Call
	glyph := d.glyphs.Bar
	if c.StartsAgent() {
		glyph = d.glyphs.Branch
	}
	head := d.head(p.Time, glyph, c.Short, term.Yellow)
	tail, agent := d.tail(c), term.Line(string(c.Agent))
	room := d.screen.Width - term.Width(head) - term.Width(tail)
	if agent != "" {
		room -= term.Width(agent) + 2
	}
	all := d.glyphs.plain.Replace(term.Line(c.Summary))
	summary := d.fit(all, max(room, leastSummary))
	if summary == "" {
		tail = strings.TrimPrefix(tail, "  ")
	}
	line := head + summary + tail
	if agent != "" {
		gap := 2
		if d.screen.Width > 0 {
			gap = max(d.screen.Width-term.Width(line)-term.Width(agent), 2)
		}
		line += strings.Repeat(" ", gap) + d.screen.Paint(term.Dim, agent)
	}
	d.line(d.fit(line, d.screen.Width))
	return summary == all
}

// tail is how a call ended: outcome, duration, state.
func (d *Drawer) tail(c *view.Call) string {
	tail := ""
	add := func(style term.Style, s string) {
		if s != "" {
			tail += "  " + d.screen.Paint(style, s)
		}
	}
	outcome := d.glyphs.plain.Replace(term.Line(c.Outcome))
	if c.State == view.Missing && d.options.Pending != "" {
		outcome = term.Line(d.options.Pending)
	}
	if d.screen.Width > 0 {
		outcome = d.fit(outcome, d.screen.Width/2)
	}
	add(stateStyle(c.State), outcome)
	if c.Images > 0 && !strings.Contains(outcome, "image") {
		add(term.Plain, fmt.Sprintf("[%s]", Plural(c.Images, "image")))
	}
	if c.Duration >= time.Second {
		add(term.Dim, term.Duration(c.Duration))
	}
	if c.State == view.OK {
		add(term.Green, "ok")
	}
	return tail
}

func stateStyle(s view.CallState) term.Style {
	switch s {
	case view.OK:
		return term.Plain
	case view.Launched:
		return term.Blue
	case view.Missing, view.Interrupted:
		return term.Yellow
	}
	return term.Red
}

// callCard opens what a reader would open anyway: errors, small edits, plans.
func (d *Drawer) callCard(c *view.Call) {
	changes := c.Added + c.Removed
	switch {
	case changes > openChanges:
		d.note(fmt.Sprintf("%s changed lines (%s)", term.Count(changes), d.options.MoreTools), cardIndent)
	case changes > 0:
		d.diff(c)
	}
	if c.Plan != "" {
		d.card(c.Plan, block{rich: true})
	}
	if c.Reason != "" {
		d.card(c.Reason, block{limit: errorLines, how: d.options.MoreTools, body: term.Red})
	}
}

// callFull opens everything: what the tool was given, and what it gave back.
func (d *Drawer) callFull(c *view.Call) {
	known := c.Command + c.Prompt + c.Plan
	switch {
	case c.Command != "":
		d.card("$ "+c.Command, block{body: term.Bold})
	case known != "":
		d.card(known, block{rich: true})
	}
	for _, t := range c.Todos {
		d.card(todoMark(t.Status)+" "+t.Text, block{})
	}
	for _, q := range c.Questions {
		d.card("? "+q.Text+" ["+strings.Join(q.Options, " | ")+"]", block{})
		if q.Answer != "" {
			d.card("= "+q.Answer, block{})
		}
	}
	d.diff(c)
	if known == "" && len(c.Todos)+len(c.Questions)+len(c.Diff) == 0 {
		d.card(indented(c.Input), block{body: term.Dim})
	}
	body := term.Plain
	if c.State == view.Failed {
		body = term.Red
	}
	if len(c.Diff) == 0 || c.State != view.OK { // an edit that went well only says so
		d.card(c.Output, block{body: body})
	}
	if c.Persisted != "" {
		d.note("all of it: tool-results/"+term.Line(c.Persisted), cardIndent)
	}
}

func todoMark(status string) string {
	switch status {
	case "completed":
		return "[x]"
	case "in_progress":
		return "[>]"
	}
	return "[ ]"
}

// indented is JSON as people read it, or as it is if it is short or not JSON.
func indented(raw []byte) string {
	const short = 120
	var b bytes.Buffer
	switch {
	case string(raw) == "{}":
		return ""
	case len(raw) <= short || json.Indent(&b, raw, "", "  ") != nil:
		return string(raw)
	}
	return b.String()
}

// card writes a text below a call.
func (d *Drawer) card(text string, b block) {
	if text = strings.TrimLeft(Safe(text), "\n"); text != "" {
		d.lines(text, "", cardIndent, b)
	}
}

// diff writes what an edit changed, with the position if it is known and not obvious.
func (d *Drawer) diff(c *view.Call) {
	for i, h := range c.Diff {
		switch {
		case h.OldStart > 1 || h.NewStart > 1:
			d.card(fmt.Sprintf("@@ -%d +%d @@", h.OldStart, h.NewStart), block{body: term.Dim})
		case i > 0:
			d.card("@@", block{body: term.Dim})
		}
		for _, line := range h.Lines {
			d.diffLine(line)
		}
	}
}

func (d *Drawer) diffLine(line string) {
	// A newline inside would let one line pose as several.
	line = Safe(strings.NewReplacer("\r", "", "\n", "␊").Replace(line))
	style := term.Dim
	switch {
	case strings.HasPrefix(line, "+"):
		style = term.Green
	case strings.HasPrefix(line, "-"):
		style = term.Red
	}
	line = term.Wrap(line, 0, "") // tabs count from the sign on
	if line == "" {
		d.line("")
		return
	}
	// A line that is wrapped has its sign on every line: without it, the rest
	// would look as if it had not changed.
	sign, text, margin := line[:1], line[1:], strings.Repeat(" ", cardIndent)
	if sign != "+" && sign != "-" {
		sign, text = "", line
	}
	inner := margin + strings.Repeat(" ", len(sign))
	for _, part := range strings.Split(term.Wrap(text, d.screen.Width, inner), "\n") {
		d.line(margin + d.screen.Paint(style, sign+strings.TrimPrefix(part, inner)))
	}
}
