package export

import (
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/export/page"
	"sesskeep/internal/view"
)

// maxOpen is how many lines of a diff are shown without a click.
const maxOpen = 60

// writeCall writes a call as a fold: a line with the tool and the outcome, and inside the whole
// input and output.
func (h *htmlPage) writeCall(d *document, id string, p *view.Part) {
	c := p.Call
	h.calls++
	h.call = c
	class := "tool"
	if p.Wrong() {
		class = "tool bad"
		h.entry(&h.contents, entry{id, strings.TrimSpace(c.Short+" "+c.Summary) + ", " + string(c.State), 0})
	}
	if len(c.Diff) > 0 && c.File != "" && !p.Wrong() {
		h.fileChanged(c.File)
	}
	h.raw(`<section class="part ` + class + `" id="` + id + `"` + h.at(p) + ">")
	h.text(`<p class="who">`, c.Short, "</p>")
	h.raw("<details" + openIf(len(c.Diff) > 0 && c.Added+c.Removed <= maxOpen) + ">")
	h.heading(c)
	h.raw(`<div class="body">`)
	h.callInput(c)
	h.output(c)
	for _, m := range c.Media {
		h.media(d, m, "")
	}
	h.raw("</div></details>" + whenLink(id, p.Time) + "</section>\n")
}

func openIf(open bool) string {
	if open {
		return " open"
	}
	return ""
}

// fileChanged lists a file in the contents, once.
func (h *htmlPage) fileChanged(file string) {
	if !h.changed[file] && len(h.files) < maxEntries {
		h.changed[file] = true
		h.files = append(h.files, file)
	}
}

// heading writes the line of a call that is visible while it is folded.
func (h *htmlPage) heading(c *view.Call) {
	h.text(`<summary><span class="name">`, short(c.Summary, 200), "")
	if len(c.Diff) > 0 {
		h.text(` <span class="plus">+`, strconv.Itoa(c.Added), "</span>")
		h.text(` <span class="minus">−`, strconv.Itoa(c.Removed), "</span>")
	}
	h.raw(`</span><span class="state">`)
	var facts []string
	if c.Outcome != "" && len(c.Diff) == 0 && c.Outcome != string(c.State) {
		facts = append(facts, short(oneLine(c.Outcome), 60))
	}
	if c.Duration > 0 {
		facts = append(facts, spent(c.Duration))
	}
	h.text("", strings.Join(append(facts, ""), " · "), "")
	class := "ok"
	if !c.Succeeded() {
		class = "failed"
	}
	h.text(`<span class="`+class+`">`, string(c.State), "</span></span></summary>")
}

// callInput writes the input of a call: first the main value of its tool in a form of its own,
// such as a diff, then the other values by name.
func (h *htmlPage) callInput(c *view.Call) {
	var shown []string // values that are written in a form of their own
	switch {
	case len(c.Diff) > 0:
		h.buffer = page.Diff(h.buffer, c.File, c.Diff)
		shown = []string{"file_path", "notebook_path", "old_string", "new_string", "content", "new_source", "edits"}
	case c.Command != "":
		h.raw("<pre><code>$ ")
		h.buffer = page.Code(h.buffer, "sh", c.Command)
		h.raw("</code></pre>")
		shown = []string{"command"}
	case c.Prompt != "":
		h.buffer = page.Markdown(h.buffer, c.Prompt)
		shown = []string{"prompt"}
	case c.Plan != "":
		h.buffer = page.Markdown(h.buffer, c.Plan)
		shown = []string{"plan"}
	case len(c.Todos) > 0:
		h.todos(c.Todos)
		shown = []string{"todos"}
	case len(c.Questions) > 0:
		h.questions(c.Questions)
		shown = []string{"questions", "answers"}
	}
	h.given(slices.DeleteFunc(given(c), func(f view.Field) bool {
		name := f.Name
		if end := strings.IndexAny(name, ".["); end > 0 {
			name = name[:end]
		}
		return slices.Contains(shown, name)
	}))
	if c.Reason != "" && !repeated(c) {
		h.text(`<p class="failed">`, c.Reason, "</p>")
	}
}

// repeated reports whether the output of a call says its reason again.
func repeated(c *view.Call) bool {
	return strings.Contains(page.Output(c.Output), strings.TrimSpace(c.Reason))
}

// output writes the output of a call. An edit that succeeded needs none: its diff says it.
func (h *htmlPage) output(c *view.Call) {
	output := strings.TrimRight(page.Output(c.Output), "\n")
	switch {
	case output == "":
	case len(c.Diff) > 0 && c.Succeeded():
		h.text(`<details><summary><span class="name">Answer of the tool</span></summary><pre>`, output, "</pre></details>")
	default:
		class := "output"
		if c.Reason != "" && repeated(c) {
			class += " failed"
		}
		h.text(`<pre class="`+class+`">`, output, "</pre>")
	}
}

func (h *htmlPage) todos(list []view.Todo) {
	h.raw("<ul>")
	for _, todo := range list {
		sign := map[string]string{"completed": "☑ ", "in_progress": "▸ "}[todo.Status]
		if sign == "" {
			sign = "☐ "
		}
		h.text("<li>"+sign, todo.Text, "</li>")
	}
	h.raw("</ul>")
}

func (h *htmlPage) questions(list []view.Question) {
	for _, q := range list {
		h.text("<p><strong>", q.Text, "</strong></p>")
		if len(q.Options) > 0 {
			h.text("<p>", strings.Join(q.Options, " · "), "</p>")
		}
		if q.Answer != "" {
			h.text("<p>→ ", q.Answer, "</p>")
		}
	}
}

// given writes values by name, long ones as blocks of text.
func (h *htmlPage) given(fields []view.Field) {
	if len(fields) == 0 {
		return
	}
	h.raw("<dl>")
	for _, f := range fields {
		h.text("<dt>", oneLine(f.Name), "</dt>")
		if strings.Contains(f.Text, "\n") {
			h.text("<dd><pre>", f.Text, "</pre></dd>")
			continue
		}
		h.text("<dd>", f.Text, "</dd>")
	}
	h.raw("</dl>")
}
