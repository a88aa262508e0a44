package export

import (
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/export/page"
	"sesskeep/internal/redact"
	"sesskeep/internal/view"
)

// htmlPage is a document for browsers, in one file that loads nothing. The table of contents
// is only known at the end, so it is written there; the style sheet puts it beside the text.
type htmlPage struct {
	replay bool

	buffer   []byte // HTML of the part that is being written
	contents []entry
	agents   []entry
	files    []string
	prompts  int
	calls    int
	images   int64      // bytes of all images so far
	call     *view.Call // the last call, which may have started the next agent
	began    time.Time  // time of the first part, where a replay begins
	round    string     // makes ids of parts differ between conversations
	changed  map[string]bool
	marks    []markAt // the first part with each mark
}

// markAt is a mark and the id of the part that has it.
type markAt struct {
	redact.Match
	id string
}

// entry is a line of the contents.
type entry struct {
	id, text string
	number   int // number of a prompt; 0: the entry is an error
}

const (
	// maxEntries is how many lines each list in the contents has.
	maxEntries = 2000
	// The largest image that is written, and the most bytes of all images.
	maxImage  = 8 << 20
	maxImages = 64 << 20
)

// Policy returns the Content-Security-Policy of the page that options describe.
func (o *Options) Policy() string { return page.Policy(o.Replay) }

func (h *htmlPage) flush(d *document) error {
	if len(d.marks) > 0 {
		h.buffer = page.Secrets(h.buffer, markNames(d.marks))
	}
	_, err := d.out.Write(h.buffer)
	h.buffer = h.buffer[:0]
	return err
}

// text appends escaped text between tags.
func (h *htmlPage) text(before, text, after string) {
	h.buffer = append(h.buffer, before...)
	h.buffer = page.Text(h.buffer, text)
	h.buffer = append(h.buffer, after...)
}

func (h *htmlPage) raw(tags string) { h.buffer = append(h.buffer, tags...) }

func (h *htmlPage) start(d *document, head head) error {
	h.changed = map[string]bool{}
	title := oneLine(head.Title)
	if title == "" {
		title = "Session " + head.Session
	}
	h.buffer = page.Start(h.buffer, title, h.replay)
	h.raw("<header>\n" + page.Bar)
	h.text("<h1>", title, "</h1>\n")
	h.text(`<p class="facts">`, strings.Join(facts(head), " · "), "</p>\n")
	h.raw(`<p class="unseen"><a href="#contents">Contents</a></p>` + "\n</header>\n<main>\n")
	return h.flush(d)
}

// facts returns the facts about a session in the head.
func facts(h head) (list []string) {
	project := h.Project[strings.LastIndexAny(strings.TrimRight(h.Project, `/\`), `/\`)+1:]
	for _, fact := range []string{project, h.Branch, period(h.Began, h.Ended), strings.Join(h.Models, ", ")} {
		if fact = oneLine(fact); fact != "" {
			list = append(list, fact)
		}
	}
	if h.Stretch != "" {
		list = append(list, "only "+h.Stretch)
	}
	id := h.Session
	if h.Agent != "" {
		id += "/" + h.Agent
	}
	return append(list, id)
}

// period returns two times as text, with one date if both are of the same day.
func period(from, to time.Time) string {
	const day, clock = "2 Jan 2006", "15:04"
	from, to = from.UTC(), to.UTC()
	switch {
	case from.IsZero():
		return ""
	case to.IsZero() || to.Equal(from):
		return from.Format(day+", "+clock) + " UTC"
	case from.Format(day) == to.Format(day):
		return from.Format(day+", "+clock) + " to " + to.Format(clock) + " UTC"
	}
	return from.Format(day+", "+clock) + " to " + to.Format(day+", "+clock) + " UTC"
}

func (h *htmlPage) conversation(d *document, n, of int, leaf string) error {
	h.round = strconv.Itoa(n) + "."
	h.text(`<h2 class="title">`, fmt.Sprintf("Conversation %d of %d", n, of), "</h2>\n")
	return h.flush(d)
}

func (h *htmlPage) part(d *document, p *view.Part) error {
	if h.began.IsZero() {
		h.began = p.Time
	}
	id := page.ID(h.round + p.Position.String())
	h.noteMarks(d.marks, id)
	switch p.Kind {
	case view.BoundaryPart:
		h.raw("<div class=\"cut\"" + h.at(p) + ">")
		h.text("", compacted(p.Shift), "</div>\n")
	case view.PromptPart:
		h.prompt(d, id, p)
	case view.TextPart:
		h.open("answer", "claude", id, p)
		h.buffer = page.Markdown(h.buffer, p.Text)
		h.close(id, p)
	case view.ThinkingPart:
		h.thinking(id, p)
	case view.CallPart:
		h.writeCall(d, id, p)
	case view.ImagePart, view.DocumentPart:
		h.open("aside", string(p.Kind), id, p)
		h.media(d, *p.Media, p.Text)
		h.close(id, p)
	default:
		h.notice(id, p)
	}
	return h.flush(d)
}

// at returns the attribute with the time of a part, for a replay.
func (h *htmlPage) at(p *view.Part) string {
	if !h.replay || p.Time.IsZero() {
		return ""
	}
	return ` data-at="` + strconv.FormatInt(int64(p.Time.Sub(h.began).Seconds()), 10) + `"`
}

// open starts a part; close ends it with its time, which is a link to it.
func (h *htmlPage) open(class, who, id string, p *view.Part) {
	h.raw(`<section class="part ` + class + `" id="` + id + `"` + h.at(p) + ">")
	tag := "p"
	if class == "prompt" {
		tag = "h2"
	}
	h.text("<"+tag+` class="who">`, who, "</"+tag+`><div class="what">`)
}

func (h *htmlPage) close(id string, p *view.Part) {
	h.raw("</div>" + whenLink(id, p.Time) + "</section>\n")
}

// whenLink is the time of a part, or a sign in its place, as a link to the part.
func whenLink(id string, at time.Time) string {
	if at.IsZero() {
		return `<a class="when" href="#` + id + `" aria-label="Link">#</a>`
	}
	at = at.UTC()
	return `<a class="when" href="#` + id + `"><time datetime="` + at.Format(time.RFC3339) + `">` + at.Format("15:04") + "</time></a>"
}

func (h *htmlPage) prompt(d *document, id string, p *view.Part) {
	who := "you"
	if d.depth > 0 {
		who = "task"
	} else {
		h.prompts++
		h.entry(&h.contents, entry{id, oneLine(p.Text), h.prompts})
	}
	h.open("prompt", who, id, p)
	h.buffer = page.Markdown(h.buffer, p.Text)
	h.close(id, p)
}

func (h *htmlPage) entry(list *[]entry, e entry) {
	if len(*list) < maxEntries {
		e.text = short(e.text, 90)
		*list = append(*list, e)
	}
}

// short returns the start of a text.
func short(text string, runes int) string {
	n := 0
	for i := range text {
		if n++; n > runes {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

func (h *htmlPage) thinking(id string, p *view.Part) {
	h.raw(`<section class="part thinking" id="` + id + `"` + h.at(p) + `><p class="who">thinking</p><details>`)
	h.text(`<summary><span class="name">`, short(oneLine(p.Text), 110), "</span>")
	if p.Took > 0 {
		h.text(`<span class="state">`, spent(p.Took), "</span>")
	}
	h.raw(`</summary><div class="body">`)
	h.buffer = page.Markdown(h.buffer, p.Text)
	h.raw("</div></details>" + whenLink(id, p.Time) + "</section>\n")
}

func (h *htmlPage) notice(id string, p *view.Part) {
	class := "aside"
	if p.Wrong() {
		class = "aside bad"
	}
	h.open(class, p.Label, id, p)
	if text := page.Output(p.Text); text != "" {
		h.text(`<div class="plain">`, text, "</div>")
	}
	h.close(id, p)
}

// compacted describes a compaction.
func compacted(c *view.Compaction) string {
	text := "context compacted"
	if c == nil {
		return text
	}
	if c.Before > 0 && c.After > 0 {
		text += fmt.Sprintf(": %s to %s tokens", thousands(c.Before), thousands(c.After))
	}
	if c.Trigger != "" {
		text += ", " + c.Trigger
	}
	return text
}

// thousands returns a number of tokens as text.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
}

// spent returns a duration as text.
func spent(t time.Duration) string {
	switch {
	case t < time.Second:
		return strconv.FormatInt(t.Milliseconds(), 10) + " ms"
	case t < time.Minute:
		return strconv.FormatFloat(t.Seconds(), 'f', 1, 64) + " s"
	}
	return t.Round(time.Second).String()
}

// media writes an image, or why it is missing.
func (h *htmlPage) media(d *document, m view.Media, title string) {
	words := strings.TrimSpace("[" + strings.TrimSpace(m.Type+" "+title) + "]")
	data, kind, why := h.image(d, m)
	if data == nil {
		h.text(`<p class="plain">`, words+why, "</p>")
		return
	}
	h.raw(`<p><img alt="`)
	h.text("", words, `"`)
	if m.Width > 0 && m.Height > 0 {
		fmt.Fprintf((*appender)(&h.buffer), ` width="%d" height="%d"`, m.Width, m.Height)
	}
	h.raw(` src="data:` + kind + ";base64,")
	h.buffer = base64.StdEncoding.AppendEncode(h.buffer, data)
	h.raw(`"></p>`)
}

// appender is a buffer to print to.
type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}

// image reads an image that browsers show, or returns why it is left out.
func (h *htmlPage) image(d *document, m view.Media) (data []byte, kind, why string) {
	switch {
	case m.Bytes > maxImage:
		return nil, "", fmt.Sprintf(": left out, %d MB", m.Bytes>>20)
	case h.images+int64(m.Bytes) > maxImages:
		return nil, "", ": left out, there are too many"
	case d.session == nil:
		return nil, "", ""
	}
	blob, err := d.session.Blob(d.ctx, m.Position.String())
	if err != nil {
		return nil, "", ": cannot be read"
	}
	defer blob.Close()
	if !strings.HasPrefix(blob.Type, "image/") || !blob.Shown {
		return nil, "", ""
	}
	if data, err = io.ReadAll(io.LimitReader(blob, maxImage+1)); err != nil || len(data) > maxImage {
		return nil, "", ": cannot be read"
	}
	h.images += int64(len(data))
	return data, blob.Type, ""
}

// agent starts or ends the section of an agent.
func (h *htmlPage) agent(d *document, id sesskeep.AgentID, begins bool) error {
	if !begins {
		h.raw("</div></details>\n")
		return h.flush(d)
	}
	name := "agent " + string(id)
	if h.call != nil && h.call.Summary != "" {
		name = h.call.Summary
	}
	anchor := page.ID("agent." + string(id))
	h.entry(&h.agents, entry{anchor, name, 0})
	h.raw(`<details class="work" id="` + anchor + `">`)
	h.text(`<summary><span class="name">What the agent did: `, short(name, 110), "</span></summary><div>\n")
	return h.flush(d)
}

func (h *htmlPage) end(d *document) error {
	if h.replay {
		h.raw(page.ReplayBar)
	}
	h.raw("</main>\n")
	h.writeHidden(d.o.Redact.Counts())
	h.writeContents()
	h.raw("<footer>")
	h.text("<span>", h.left(d.o), "</span>")
	h.raw(`<span class="end">Readable without script, loads nothing. Times are UTC. <a href="#top">top</a></span></footer>` + "\n")
	h.buffer = page.End(h.buffer, h.replay)
	return h.flush(d)
}

// left lists what the options leave out of the page: thinking, tool calls, sub-agents.
func (h *htmlPage) left(o Options) string {
	var list []string
	if o.NoThinking {
		list = append(list, "thinking")
	}
	if o.NoTools {
		list = append(list, "tool calls")
	}
	if o.Agent == nil {
		list = append(list, "what sub-agents did")
	}
	text := strconv.Itoa(h.calls) + " tool calls. "
	if h.calls == 1 {
		text = "1 tool call. "
	}
	if len(list) == 0 {
		return text + "Nothing left out."
	}
	return text + "Left out: " + strings.Join(list, ", ") + "."
}

func (h *htmlPage) writeContents() {
	h.raw("<nav id=\"contents\" aria-label=\"Contents\">\n")
	if len(h.contents) > 0 {
		h.raw("<h2>Contents</h2>\n<ol>\n")
		for _, e := range h.contents {
			class, sign := "", strconv.Itoa(e.number)
			if e.number == 0 {
				class, sign = ` class="bad"`, "✕"
			}
			h.text("<li"+class+"><i>"+sign+`</i><a href="#`+e.id+`">`, e.text, "</a></li>\n")
		}
		h.raw("</ol>\n")
	}
	if len(h.agents) > 0 {
		h.raw("<h2>Agents</h2>\n<ul>\n")
		for _, e := range h.agents {
			h.text(`<li><a href="#`+e.id+`">`, e.text, "</a></li>\n")
		}
		h.raw("</ul>\n")
	}
	if len(h.files) > 0 {
		h.raw("<h2>Files</h2>\n<ul>\n")
		for _, file := range h.files {
			h.raw(`<li class="file"><span>`)
			h.buffer = page.Path(h.buffer, file)
			h.raw("</span></li>\n")
		}
		h.raw("</ul>\n")
	}
	h.raw("</nav>\n")
}
