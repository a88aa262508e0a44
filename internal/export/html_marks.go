package export

import (
	"slices"
	"strconv"

	"sesskeep/internal/redact"
)

// maxMarks is how many marks of a family have links to their parts.
const maxMarks = 20

// noteMarks remembers the first part with each mark.
func (h *htmlPage) noteMarks(marks []redact.Match, id string) {
	for _, m := range marks {
		known := func(at markAt) bool { return at.Match == m }
		if m.Number <= maxMarks && !slices.ContainsFunc(h.marks, known) {
			h.marks = append(h.marks, markAt{m, id})
		}
	}
}

// writeHidden writes a section that counts the marks by family and links to them.
func (h *htmlPage) writeHidden(secrets []redact.Count) {
	if len(secrets) == 0 {
		return
	}
	values := redact.Total(secrets)
	removed := strconv.Itoa(values) + " secrets removed"
	if values == 1 {
		removed = "1 secret removed"
	}
	h.text(`<aside class="note" aria-label="Secrets"><b>`, removed, "</b><span>")
	for i, c := range secrets {
		if i > 0 {
			h.raw(", ")
		}
		h.text("", strconv.Itoa(c.Values)+" "+c.Family, "")
		h.leadTo(c.Family)
	}
	h.raw(". Same value, same mark. Best effort: read it before you pass it on.</span></aside>\n")
}

// leadTo writes links to the parts with the marks of a family.
func (h *htmlPage) leadTo(family string) {
	for _, m := range h.marks {
		if m.Family == family {
			h.text(` <a href="#`+m.id+`" title="[`+family+":"+strconv.Itoa(m.Number)+`]">#`, strconv.Itoa(m.Number), "</a>")
		}
	}
}

// markNames returns the texts of marks.
func markNames(marks []redact.Match) map[string]bool {
	names := make(map[string]bool, len(marks))
	for _, m := range marks {
		names["["+m.Family+":"+strconv.Itoa(m.Number)+"]"] = true
	}
	return names
}
