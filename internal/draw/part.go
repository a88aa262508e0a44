package draw

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

func (d *Drawer) part(p *view.Part) {
	switch p.Kind {
	case view.PromptPart:
		d.text(p, block{label: promptLabel(p), style: term.Bold | term.Cyan, text: p.Text})
	case view.TextPart:
		d.text(p, block{label: "claude", style: term.Bold | term.Magenta, text: p.Text, rich: true})
		if p.Aborted {
			d.note("interrupted", bodyIndent)
		}
	case view.ThinkingPart:
		d.thinking(p)
	case view.CallPart:
		d.call(p)
	case view.NoticePart:
		d.notice(p)
	case view.BoundaryPart:
		d.boundary(p)
	case view.ImagePart, view.DocumentPart:
		d.text(p, block{label: string(p.Kind), style: term.Cyan, text: mediaText(p)})
	case view.MetaPart:
		d.text(p, block{label: "meta", style: term.Dim, body: term.Dim, text: p.Label + "  " + p.Text,
			limit: d.limit(1), how: d.options.MoreTools})
	default:
		d.text(p, block{label: "unknown", style: term.Yellow, body: term.Dim, text: p.Label + "  " + p.Text,
			limit: d.limit(peekLines), how: d.options.MoreTools})
	}
}

// promptLabel says who speaks: a prompt for an agent comes from the model.
func promptLabel(p *view.Part) string {
	if p.Label == "task" {
		return "task"
	}
	return "you"
}

func (d *Drawer) thinking(p *view.Part) {
	b := block{label: "thinking", style: term.Dim | term.Magenta, body: term.Dim, text: p.Text}
	if d.options.Thinking != "full" {
		b.limit, b.how = peekLines, d.options.MoreThinking
	}
	if p.Withheld > 0 {
		b.text = fmt.Sprintf("withheld (%s signature)", term.Bytes(int64(p.Withheld)))
	}
	if p.Took >= 100*time.Millisecond {
		b.text = term.Duration(p.Took) + "  " + strings.TrimLeft(b.text, " \n")
	}
	d.text(p, b)
}

// limit is how many lines are shown of what can be opened like a call.
func (d *Drawer) limit(lines int) int {
	if d.options.Tools == "full" {
		return 0
	}
	return lines
}

func (d *Drawer) notice(p *view.Part) {
	b := block{label: p.Label, style: term.Blue, body: term.Dim, text: p.Text, limit: d.limit(noticeLines), how: d.options.MoreTools}
	if p.Failed {
		b.style = term.Red
	}
	if p.Label == "bash" {
		b.text = "! " + b.text
	}
	if p.Agent != "" {
		first, rest, _ := strings.Cut(b.text, "\n")
		b.text = first + "  " + term.Line(string(p.Agent)) + "\n" + rest
	}
	d.text(p, b)
}

func (d *Drawer) boundary(p *view.Part) {
	text := "compacted"
	if s := p.Shift; s != nil {
		if s.Before > 0 {
			text += " " + tokens(s.Before)
		}
		if s.After > 0 {
			text += " → " + tokens(s.After)
		}
		if s.Trigger != "" {
			text += " (" + term.Line(s.Trigger) + ")"
		}
	}
	text = d.glyphs.Rule + " " + d.glyphs.plain.Replace(text) + " " + d.glyphs.Rule
	d.line(d.screen.Paint(term.Dim, d.clock(p.Time)) + " " + d.screen.Paint(term.Yellow, text))
}

func tokens(n int) string { return strings.Replace(term.Tokens(int64(n)), ".0", "", 1) }

// mediaText is the placeholder for what a terminal cannot show.
func mediaText(p *view.Part) string {
	words := []string{string(p.Kind)}
	for _, s := range []string{p.Media.Type, p.Text, p.Media.URL} {
		if s != "" {
			words = append(words, s)
		}
	}
	if p.Media.Bytes > 0 {
		words = append(words, term.Bytes(int64(p.Media.Bytes)))
	}
	return "[" + strings.Join(words, " ") + "]"
}

// sgr matches colours in the output of commands. They say nothing in words, so
// they go; any other control function stays, as a mark.
var sgr = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;:]*m") })

// Safe makes text of a transcript fit for the terminal, many lines of it.
func Safe(s string) string {
	return strings.TrimRight(term.Clean(sgr().ReplaceAllString(s, "")), " \t\n")
}
