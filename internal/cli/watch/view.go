package watch

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// watchView writes moments for people, a line for each with its time, project
// and session, or tab-separated for a pipe.
type watchView struct {
	out      *bufio.Writer
	screen   term.Screen
	options  watchOptions
	location *time.Location
	drawer   *draw.Drawer
	glyphs   draw.Glyphs
	project  func(id string) string // its name
	noted    bool                   // that thoughts are withheld
}

func newWatchView(sh *shell.Shell, o watchOptions, project func(id string) string) *watchView {
	screen := sh.Out.Screen
	if sh.Out.Flags.Format == "tsv" {
		screen = term.Screen{}
	}
	return &watchView{
		out: bufio.NewWriter(sh.Stdout), screen: screen, options: o, project: project, location: sh.Now().Location(),
		drawer: draw.New(screen, draw.Options{Tools: "full", Location: sh.Now().Location()}), glyphs: draw.GlyphsOf(screen),
	}
}

func (v *watchView) write(m *follow.Event, s draw.Smells) error {
	if v.screen.TTY {
		v.lines(m, s)
	} else {
		v.tabs(m, s)
	}
	return v.out.Flush()
}

// tabs writes a moment for programs that want no JSON.
func (v *watchView) tabs(m *follow.Event, s draw.Smells) {
	text := draw.Unbroken(s.Mark(term.Clean(v.plain(m)), m.Smells, false))
	fields := []string{output.RFC3339(stamp.Time{Time: m.Time}), m.Project, string(m.Session), string(m.Agent), string(m.Kind), text}
	for i := range fields {
		fields[i] = tabless.Replace(fields[i])
		if i > 0 && i < len(fields)-1 {
			fields[i] = term.Line(fields[i])
		}
	}
	v.out.WriteString(strings.Join(fields, "\t"))
	v.out.WriteByte('\n')
}

var tabless = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// plain is what a moment says, in words.
func (v *watchView) plain(m *follow.Event) string {
	switch {
	case m.Kind == follow.StateEvent:
		return output.Joined(": ", string(m.State.Word), m.State.Waiting)
	case m.Kind == follow.MovedEvent || m.Kind == follow.ForkedEvent:
		return string(m.Next)
	case m.Kind == follow.AppearedEvent:
		return m.Title
	case m.Kind == "call":
		return output.Joined(" ", m.Call.Tool, m.Call.Summary)
	case m.Kind == follow.ResultEvent:
		return output.Joined("  ", output.Joined(" ", m.Call.Tool, m.Call.Summary), v.outcome(m.Call))
	case m.Withheld > 0:
		return fmt.Sprintf("withheld (%s signature)", term.Bytes(int64(m.Withheld)))
	}
	return m.Text
}

// outcome is how a call ended: what came of it, the time it took, and ok.
func (v *watchView) outcome(c *view.Call) string {
	took, end := "", ""
	if c.Duration >= 100*time.Millisecond {
		took = term.Duration(c.Duration)
	}
	if c.State == view.OK {
		end = "ok"
	}
	return output.Joined("  ", c.Outcome, took, end)
}

// lines writes a moment for a terminal.
func (v *watchView) lines(m *follow.Event, s draw.Smells) {
	switch {
	case m.Kind == follow.StateEvent:
		v.state(m)
	case m.Kind == follow.QueuedEvent:
		v.text(m, "queued", term.Cyan, term.Dim, m.Text, 0, s)
	case m.Kind == "call":
		v.text(m, "", term.Yellow, term.Plain, v.branch()+v.plain(m), 1, s)
	case m.Kind == follow.ResultEvent:
		v.result(m, s)
	case m.Kind == "thinking":
		v.thinking(m, s)
	case m.Part == nil:
		v.news(m, s)
	default:
		label, style := speaker(m.Part)
		v.text(m, label, style, term.Plain, m.Text, v.limit(m), s)
	}
}

func (v *watchView) branch() string { return v.glyphs.Branch + " " }

// speaker says who says a part.
func speaker(p *view.Part) (string, term.Style) {
	switch p.Kind {
	case view.PromptPart:
		if p.Label == "task" {
			return "task", term.Bold | term.Cyan
		}
		return "you", term.Bold | term.Cyan
	case view.TextPart:
		return "claude", term.Bold | term.Magenta
	case view.NoticePart:
		if p.Failed {
			return p.Label, term.Red
		}
		return p.Label, term.Blue
	case view.MetaPart, view.UnknownPart:
		return string(p.Kind), term.Dim
	}
	return string(p.Kind), term.Cyan
}

// limit is how many lines of a part are shown.
func (v *watchView) limit(m *follow.Event) int {
	switch {
	case m.Kind == "prompt" || m.Kind == "text" || v.options.tools == "full":
		return 0
	case m.Kind == "meta" || m.Kind == "unknown":
		return 1
	}
	return 6
}

func (v *watchView) thinking(m *follow.Event, s draw.Smells) {
	limit := 0
	if v.options.thinking == "peek" {
		limit = 3
	}
	text := v.plain(m)
	if m.Withheld > 0 && !v.noted {
		v.noted = true
		text += ": this client keeps what the model thinks encrypted"
	}
	v.text(m, "thinking", term.Dim|term.Magenta, term.Dim, text, limit, s)
}

func (v *watchView) result(m *follow.Event, s draw.Smells) {
	style := term.Plain
	switch m.Call.State {
	case view.Failed, view.Denied:
		style = term.Red
	case view.Interrupted:
		style = term.Yellow
	}
	mark := "= "
	if !v.screen.ASCII {
		mark = "◂ "
	}
	v.text(m, "", style, style, mark+v.plain(m), 1, s)
	if v.options.tools == "full" {
		for _, line := range v.drawer.Part(m.Part)[1:] {
			v.line(line)
		}
	}
}

// news writes what happened to a session, in words.
func (v *watchView) news(m *follow.Event, s draw.Smells) {
	text := map[follow.EventKind]string{
		follow.MovedEvent:    "continues in " + v.short(string(m.Next)),
		follow.ForkedEvent:   "was copied to " + v.short(string(m.Next)),
		follow.ContextEvent:  "context " + m.Text,
		follow.FinishedEvent: "agent is done",
		follow.LeftEvent:     output.Joined(": ", "the conversation continues in another branch", m.Text),
		follow.ReplacedEvent: output.Rewritten,
		follow.GoneEvent:     "the transcript was deleted",
		follow.ResetEvent:    "too much at once: what happened in other sessions may be missing",
	}[m.Kind]
	if m.Kind == follow.AppearedEvent {
		text = output.Joined("  ", "is new", m.Title)
		if m.Agent != "" {
			text = "agent is new"
		}
	}
	v.text(m, "", term.Blue, term.Blue, v.glyphs.Rule+" "+text, 0, s)
}

func (v *watchView) state(m *follow.Event) {
	glyph, style := draw.State(v.screen, string(m.State.Word))
	text := v.screen.Paint(style, glyph+" "+output.Joined(": ", string(m.State.Word), term.Line(m.State.Waiting)))
	head := v.head(m)
	why := term.Line(m.State.Why)
	room := v.screen.Width - term.Width(head) - term.Width(text) - 2
	if v.screen.Width == 0 || term.Width(why) <= room {
		v.line(output.Joined("  ", head+text, v.screen.Paint(term.Dim, why)))
		return
	}
	v.line(head + text)
	indent := strings.Repeat(" ", min(term.Width(head), v.screen.Width/2))
	for line := range strings.SplitSeq(term.Wrap(why, v.screen.Width, indent), "\n") {
		v.line(v.screen.Paint(term.Dim, line))
	}
}

// head is the left of a line: the time, the project and the session.
func (v *watchView) head(m *follow.Event) string {
	session := v.short(string(m.Session))
	if m.Agent != "" {
		session += "/" + output.Head(string(m.Agent), 4)
	}
	return v.screen.Paint(term.Dim, m.Time.In(v.location).Format("15:04:05")) + " " +
		v.screen.Paint(term.Cyan, term.Pad(v.screen.Truncate(term.Line(v.project(m.Project)), 20), 10)) + " " +
		v.screen.Paint(term.Yellow, term.Pad(term.Line(session), 4)) + "  "
}

// short is enough of an id to address it by, most of the time.
func (v *watchView) short(id string) string { return output.Head(id, 4) }

// text writes a text beside its head, wrapped, as many lines as limit allows; 0
// is all.
func (v *watchView) text(m *follow.Event, label string, style, body term.Style, text string, limit int, s draw.Smells) {
	left := v.head(m)
	if label != "" {
		left += v.screen.Paint(style, term.Pad(term.Line(label), 8)) + "  "
	}
	if limit == 1 {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	text = s.Mark(strings.Trim(term.Clean(text), " \n"), m.Smells, v.screen.Color)
	indent := term.Width(left)
	if v.screen.Width > 0 && indent > v.screen.Width/2 {
		indent = 4
	}
	lines := strings.Split(v.wrap(text, term.Width(left), indent), "\n")
	more := 0
	if limit > 0 && len(lines) > limit {
		more = len(lines) - limit
		lines = lines[:limit]
		lines[limit-1] = cut(lines[limit-1], v.glyphs.More)
	}
	for i, line := range lines {
		line = s.Paint(v.screen, body, line, m.Smells)
		if i == 0 {
			line = left + line
		} else {
			line = strings.TrimRight(strings.Repeat(" ", indent)+line, " ")
		}
		if i == len(lines)-1 {
			line += v.tail(more, limit, m.Smells)
		}
		v.line(line)
	}
}

// wrap breaks text so that its first line goes beside what takes first cells,
// and the others below an indent.
func (v *watchView) wrap(text string, first, indent int) string {
	if v.screen.Width == 0 {
		return text
	}
	room := v.screen.Width - indent
	if first == indent {
		return term.Wrap(text, room, "")
	}
	parts := strings.SplitN(term.Wrap(text, max(v.screen.Width-first, 8), ""), "\n", 2)
	if len(parts) == 1 {
		return parts[0]
	}
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(text, " \n"), parts[0]), " ")
	return parts[0] + "\n" + term.Wrap(strings.TrimPrefix(rest, "\n"), max(room, 8), "")
}

// cut marks a line that is longer than what is shown of it.
func cut(line, more string) string { return strings.TrimRight(line, " ") + more }

// tail is what stands behind the last line of a text: how much is left out, and
// how many phrases were pointed out.
func (v *watchView) tail(more, limit int, found []string) string {
	tail := ""
	if more > 0 && limit > 1 {
		tail += v.screen.Paint(term.Dim, "  "+output.Plural(more, "more line"))
	}
	if len(found) > 0 {
		tail += v.screen.Paint(term.Bold|term.Red, "  "+output.Plural(len(found), "smell"))
	}
	return tail
}

func (v *watchView) line(s string) {
	_, _ = io.WriteString(v.out, s+"\n") // an error stays until it is flushed
}
