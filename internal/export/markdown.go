package export

import (
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/view"
)

// markdown is a document that is read as it is, or rendered.
type markdown struct{}

func (markdown) start(d *document, h head) error {
	title := oneLine(h.Title)
	if title == "" {
		title = "Session " + h.Session
	}
	fmt.Fprintf(d.out, "# %s\n\n", escape(title))
	for _, fact := range []struct{ name, value string }{
		{"Session", h.Session}, {"Project", h.Project}, {"Began", stamp(h.Began)}, {"Last activity", stamp(h.Ended)},
	} {
		if fact.value != "" {
			fmt.Fprintf(d.out, "- %s: %s\n", fact.name, code(fact.value))
		}
	}
	_, err := d.out.WriteString("\n")
	return err
}

func (markdown) conversation(d *document, n, of int, leaf string) error {
	_, err := fmt.Fprintf(d.out, "---\n\n# Conversation %d of %d (%s)\n\n", n, of, code(leaf))
	return err
}

func (markdown) part(d *document, p *view.Part) error {
	switch p.Kind {
	case view.PromptPart:
		heading(d, "Prompt", p)
		_, err := fmt.Fprintf(d.out, "%s\n\n", p.Text)
		return err
	case view.TextPart:
		heading(d, "Answer", p)
		_, err := fmt.Fprintf(d.out, "%s\n\n", p.Text)
		return err
	case view.ThinkingPart:
		_, err := fmt.Fprintf(d.out, "> **Thinking**\n>\n%s\n\n", quote(p.Text))
		return err
	case view.CallPart:
		return writeCall(d, p.Call)
	case view.BoundaryPart:
		_, err := d.out.WriteString("---\n\n*What is above was summarised: the context was compacted.*\n\n")
		return err
	case view.ImagePart, view.DocumentPart:
		_, err := fmt.Fprintf(d.out, "*[%s]*\n\n", p.Kind)
		return err
	case view.NoticePart:
		if strings.Contains(p.Text, "\n") {
			_, err := fmt.Fprintf(d.out, "*%s*\n\n%s\n\n", escape(p.Label), fence("", p.Text))
			return err
		}
		_, err := fmt.Fprintf(d.out, "*%s*\n\n", escape(strings.TrimSpace(p.Label+" "+oneLine(p.Text))))
		return err
	}
	_, err := fmt.Fprintf(d.out, "*%s*\n\n%s\n\n", escape(p.Label), fence("json", p.Text))
	return err
}

func heading(d *document, what string, p *view.Part) {
	mark := strings.Repeat("#", min(2+d.depth, 6))
	fmt.Fprintf(d.out, "%s %s", mark, what)
	if at := stamp(p.Time); at != "" {
		fmt.Fprintf(d.out, " · %s", at)
	}
	if p.Model != "" {
		fmt.Fprintf(d.out, " · %s", p.Model)
	}
	d.out.WriteString("\n\n")
}

// writeCall writes a call: what it was, and what came of it.
func writeCall(d *document, c *view.Call) error {
	fmt.Fprintf(d.out, "**%s** %s", escape(c.Tool), code(oneLine(c.Summary)))
	if c.Outcome != "" {
		fmt.Fprintf(d.out, " → %s", escape(oneLine(c.Outcome)))
	}
	d.out.WriteString("\n\n")
	writeGiven(d, given(c))
	if c.Removed > 0 { // else it only repeats what was given
		fmt.Fprintf(d.out, "%s\n\n", fence("diff", diffText(c.Diff)))
	}
	if c.Output != "" {
		_, err := fmt.Fprintf(d.out, "Result:\n\n%s\n\n", fence("", c.Output))
		return err
	}
	return nil
}

// writeGiven writes what a tool was given: short values in a list, the others as
// they are.
func writeGiven(d *document, fields []view.Field) {
	short := func(f view.Field) bool { return !strings.ContainsAny(f.Text, "\r\n") && f.Name != "command" }
	listed := false
	for _, f := range fields {
		if short(f) {
			fmt.Fprintf(d.out, "- %s: %s\n", escape(oneLine(f.Name)), code(f.Text))
			listed = true
		}
	}
	if listed {
		d.out.WriteString("\n")
	}
	for _, f := range fields {
		if short(f) {
			continue
		}
		kind := ""
		if f.Name == "command" {
			kind = "sh"
		}
		fmt.Fprintf(d.out, "%s:\n\n%s\n\n", escape(oneLine(f.Name)), fence(kind, f.Text))
	}
}

func diffText(hunks []view.Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		fmt.Fprintf(&b, "@@ -%d +%d @@\n%s\n", h.OldStart, h.NewStart, strings.Join(h.Lines, "\n"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (markdown) agent(d *document, id sesskeep.AgentID, begins bool) error {
	word := "begins"
	if !begins {
		word = "ends"
	}
	_, err := fmt.Fprintf(d.out, "---\n\n*Agent %s %s*\n\n", code(string(id)), word)
	return err
}

func (markdown) end(*document) error { return nil }

// fence puts text between lines that no line of it is like.
func fence(kind, text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + kind + "\n" + strings.TrimSuffix(text, "\n") + "\n" + mark
}

// code is text as it is, on one line.
func code(text string) string {
	if text == "" {
		return ""
	}
	mark := "`"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	if mark == "`" {
		return mark + text + mark
	}
	return mark + " " + text + " " + mark
}

func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n> ")
}

// escape keeps text from being taken for Markdown.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "#", `\#`).Replace(text)
}
