package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// inert is for how long nothing can be allowed after a card came or changed: a key
// that was meant for something else must not allow. Deny always works.
const inert = 500 * time.Millisecond

// card is one prompt on the screen: exactly what is asked, and the answers.
type card struct {
	world *pages.World
	id    string    // of the prompt
	hash  string    // of what it asks
	since time.Time // when it came, or changed
	top   int       // the first of its lines on the screen
	lines int       // that it has, when it was last drawn
	room  int       // that there was for them
}

// show takes what the card shows from now on; nil: nothing.
func (c *card) show(item *runs.InboxItem) {
	if item == nil {
		*c = card{world: c.world}
		return
	}
	if c.id != item.ID || c.hash != item.Hash {
		c.id, c.hash, c.since, c.top = item.ID, item.Hash, c.world.Now(), 0
	}
}

func (c *card) ready() bool { return c.world.Now().Sub(c.since) >= inert }

// actionsFor returns the answers that a question accepts, harmless ones first.
func actionsFor(item *runs.InboxItem) []keys.Action {
	switch {
	case item == nil:
		return nil
	case item.Kind == "question":
		return []keys.Action{keys.Message, keys.Deny}
	case len(item.Rules) > 0 && !item.Foreign:
		return []keys.Action{keys.Deny, keys.Allow, keys.DenyWhy, keys.AllowRun, keys.AllowAlways}
	}
	return []keys.Action{keys.Deny, keys.Allow, keys.DenyWhy}
}

// word calls the keys by what they do to a prompt.
func word(item *runs.InboxItem, a keys.Action) string {
	switch {
	case item == nil || item.Kind != "question":
		return ""
	case a == keys.Message:
		return "answer"
	case a == keys.Deny:
		return "no answer"
	}
	return ""
}

// do answers. It is false for keys that are no answer to this prompt.
func (c *card) do(item *runs.InboxItem, a keys.Action) (tea.Cmd, bool) {
	if item == nil || !contains(actionsFor(item), a) {
		return nil, false
	}
	reply := launch.Answer{Prompt: item.ID, Hash: item.Hash, Behavior: launch.Deny}
	switch a {
	case keys.Deny:
		return c.send(item, reply), true
	case keys.DenyWhy:
		return pages.Ask(&pages.Prompt{Label: "deny " + item.Tool + ", because", Enter: "deny", Done: func(text string) tea.Cmd {
			reply.Message = strings.TrimSpace(text)
			return c.send(item, reply)
		}}), true
	}
	if !c.ready() {
		return pages.Note("it came just now: read it first"), true
	}
	reply.Behavior = launch.Allow
	switch a {
	case keys.Message:
		return c.answer(item, reply, launch.NewForm(&item.Prompt)), true
	case keys.AllowRun:
		reply.Scope = "run"
	case keys.AllowAlways:
		return c.always(item, reply), true
	}
	return c.send(item, reply), true
}

// always asks once more: it writes a rule.
func (c *card) always(item *runs.InboxItem, reply launch.Answer) tea.Cmd {
	reply.Scope = launch.Always
	return pages.Ask(&pages.Prompt{Label: "type always to allow " + rulesText(item), Enter: "allow always", Done: func(text string) tea.Cmd {
		if strings.TrimSpace(text) != "always" {
			return pages.Note("nothing allowed: you did not type always")
		}
		return c.send(item, reply)
	}})
}

func rulesText(item *runs.InboxItem) string {
	var list []string
	for _, r := range item.Rules {
		list = append(list, r.Text+" in "+r.File)
	}
	return strings.Join(list, ", ")
}

// answer asks the questions of a form one after the other, and sends the answers after
// the last one. A question whose answer is not valid is asked again, with the reason.
func (c *card) answer(item *runs.InboxItem, reply launch.Answer, form *launch.Form) tea.Cmd {
	q, nth := form.Next()
	if q == nil {
		reply.Answers = form.Answers()
		return c.send(item, reply)
	}
	label := q.Text
	if n := len(item.Questions); n > 1 {
		label = fmt.Sprintf("%d of %d: %s", nth+1, n, q.Text)
	}
	return pages.Ask(&pages.Prompt{Label: label, Enter: "answer", Done: func(text string) tea.Cmd {
		if err := form.Enter(text); err != nil {
			return tea.Batch(pages.Note("not an answer: "+err.Error()), c.answer(item, reply, form))
		}
		return c.answer(item, reply, form)
	}})
}

// answeredMsg says that this interface answered, or could not.
type answeredMsg struct {
	id   string
	said string
}

// send sends an answer to exactly what was shown.
func (c *card) send(item *runs.InboxItem, a launch.Answer) tea.Cmd {
	w, said := c.world, answerWords(item, &a)
	return func() tea.Msg {
		if _, err := w.Runs.AnswerPrompt(w.Ctx, a, w.Actor); err != nil {
			said = err.Error()
		}
		return answeredMsg{a.Prompt, said}
	}
}

// answerWords say what was answered.
func answerWords(item *runs.InboxItem, a *launch.Answer) string {
	switch question := item.Kind == "question"; {
	case question && a.Behavior == launch.Allow:
		return "answered " + item.RunID
	case question:
		return item.RunID + " gets no answer"
	case a.Behavior == launch.Allow:
		return "allowed " + item.Tool + " in " + item.RunID
	}
	return "denied " + item.Tool + " in " + item.RunID
}

// scroll moves the card by the keys that go screen by screen: what it asks is never
// cut, however long it is.
func (c *card) scroll(a keys.Action) bool {
	most := max(0, c.lines-c.room)
	switch a {
	case keys.PageDown:
		c.top = min(most, c.top+max(1, c.room-1))
	case keys.PageUp:
		c.top = max(0, c.top-max(1, c.room-1))
	default:
		return false
	}
	return true
}

// view draws the card in at most so many lines.
func (c *card) view(item *runs.InboxItem, width, height int) []string {
	lines := c.draw(item, width)
	c.lines, c.room = len(lines), height
	c.top = max(0, min(c.top, len(lines)-height))
	shown := lines[c.top:min(len(lines), c.top+height)]
	if below := len(lines) - c.top - len(shown); below > 0 && len(shown) > 0 {
		shown = append(shown[:len(shown)-1:len(shown)-1], c.world.Screen.Paint(term.Yellow,
			fmt.Sprintf("   %s more: %s", draw.Plural(below+1, "line"), pages.KeyName(c.world.Screen, "pgdown"))))
	}
	return shown
}

func (c *card) draw(item *runs.InboxItem, width int) []string {
	sc, now := c.world.Screen, c.world.Now()
	glyph, style := draw.State(sc, pages.NeedsYou)
	head := " " + sc.Paint(style, glyph) + " " + sc.Paint(term.Bold, term.Line(join(": ", item.Tool, item.Description)))
	lines := []string{pages.Spread(sc, head, sc.Paint(style, term.Duration(now.Sub(item.Since.Time).Truncate(time.Second))+" "), width)}
	dim := func(text string) {
		for _, line := range broken(term.Line(text), width-3) {
			lines = append(lines, "   "+sc.Paint(term.Dim, line))
		}
	}
	dim(join(pages.GlyphsOf(sc).Gap, item.RunID, item.Title))
	if item.Kind == "question" {
		lines = append(lines, questionLines(sc, item, width)...)
	} else {
		for _, f := range fieldsOf(item.Input) {
			dim(f.name)
			for line := range strings.Lines(f.text) {
				for _, part := range broken(term.Line(strings.TrimSuffix(line, "\n")), width-5) {
					lines = append(lines, "   "+sc.Paint(term.Dim, pages.GlyphsOf(sc).Wall)+" "+part)
				}
			}
		}
	}
	dim("in " + item.Dir)
	if item.Blocked != "" {
		dim("wants " + item.Blocked)
	}
	if item.Reason != "" {
		dim("because " + item.Reason)
	}
	if item.AgentID != "" {
		dim("asked by the agent " + item.AgentID)
	}
	if len(item.Rules) > 0 {
		dim("More than once would allow " + rulesText(item))
	}
	dim("Denied by itself in " + term.Duration(max(0, item.Deadline.Sub(now)).Truncate(time.Second)) + ".")
	return lines
}

func questionLines(sc term.Screen, item *runs.InboxItem, width int) (lines []string) {
	for _, q := range item.Questions {
		for _, line := range broken(term.Line(q.Text), width-3) {
			lines = append(lines, "   "+sc.Paint(term.Bold, line))
		}
		for i, o := range q.Options {
			for _, line := range broken(term.Line(fmt.Sprintf("%d %s", i+1, join(": ", o.Label, o.Description))), width-5) {
				lines = append(lines, "     "+line)
			}
		}
		lines = append(lines, "     "+sc.Paint(term.Dim, "or your own words"))
	}
	return lines
}

// inputField is one thing that a tool would get.
type inputField struct{ name, text string }

// fieldsOf are everything that a tool would get, in its order, nothing left out.
func fieldsOf(input json.RawMessage) []inputField {
	in := json.NewDecoder(bytes.NewReader(input))
	whole := []inputField{{"input", indented(input)}}
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return whole
	}
	var list []inputField
	for in.More() {
		name, err := in.Token()
		var value json.RawMessage
		if err == nil {
			err = in.Decode(&value)
		}
		if err != nil {
			return whole
		}
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = indented(value)
		}
		list = append(list, inputField{fmt.Sprint(name), text})
	}
	return list
}

func indented(value json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, value, "", "  ") != nil {
		return string(value)
	}
	return b.String()
}

// broken breaks a line where the screen ends, and changes nothing about it.
func broken(text string, width int) []string {
	var lines []string
	line, used := "", 0
	for _, r := range text {
		w := term.Width(string(r))
		if used+w > max(1, width) {
			lines = append(lines, line)
			line, used = "", 0
		}
		line += string(r)
		used += w
	}
	return append(lines, line)
}

func join(between string, words ...string) string {
	var there []string
	for _, w := range words {
		if w != "" {
			there = append(there, w)
		}
	}
	return strings.Join(there, between)
}

func contains(list []keys.Action, a keys.Action) bool {
	for _, b := range list {
		if a == b {
			return true
		}
	}
	return false
}
