package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/view"
)

// markdown writes Markdown that is readable without rendering.
type markdown struct{}

func (markdown) start(d *document, h head) error {
	writeFront(d)
	title := oneLine(h.Title)
	if title == "" {
		title = "Session " + h.Session
	}
	fmt.Fprintf(d.out, "# %s\n\n", escape(title))
	for _, fact := range []struct{ name, value string }{
		{"Session", h.Session}, {"Project", h.Project}, {"Began", stamp(h.Began)}, {"Last activity", stamp(h.Ended)},
		{"Only", h.Stretch},
	} {
		if fact.value != "" {
			fmt.Fprintf(d.out, "- %s: %s\n", fact.name, code(fact.value))
		}
	}
	_, err := d.out.WriteString("\n")
	return err
}

// writeFront writes the front matter. A JSON string is a YAML string too.
func writeFront(d *document) {
	if len(d.o.Front) == 0 {
		return
	}
	d.out.WriteString("---\n")
	for _, fact := range d.o.Front {
		value, err := json.Marshal(d.o.Redact.Text(fact.Value))
		if err == nil { // marshalling a string cannot fail
			fmt.Fprintf(d.out, "%s: %s\n", fact.Name, value)
		}
	}
	d.out.WriteString("---\n\n")
}

func (markdown) conversation(d *document, n, of int, leaf string) error {
	_, err := fmt.Fprintf(d.out, "---\n\n# Conversation %d of %d (%s)\n\n", n, of, code(leaf))
	return err
}

func (markdown) part(d *document, p *view.Part) error {
	switch p.Kind {
	case view.PromptPart:
		heading(d, "Prompt", p)
		return writeTexts(d.out, p.Text, "\n\n")
	case view.TextPart:
		heading(d, "Answer", p)
		return writeTexts(d.out, p.Text, "\n\n")
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
			return writeFenced(d.out, "*"+escape(p.Label)+"*", "", p.Text)
		}
		_, err := fmt.Fprintf(d.out, "*%s*\n\n", escape(strings.TrimSpace(p.Label+" "+oneLine(p.Text))))
		return err
	}
	return writeFenced(d.out, "*"+escape(p.Label)+"*", "json", p.Text)
}

// writeTexts writes texts one after the other, without a copy of them all.
func writeTexts(out *bufio.Writer, texts ...string) error {
	for _, text := range texts {
		if _, err := out.WriteString(text); err != nil {
			return err
		}
	}
	return nil
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

// writeCall writes a call with its input and outcome.
func writeCall(d *document, c *view.Call) error {
	fmt.Fprintf(d.out, "**%s** %s", escape(c.Tool), code(oneLine(c.Summary)))
	if c.Outcome != "" {
		fmt.Fprintf(d.out, " → %s", escape(oneLine(c.Outcome)))
	}
	d.out.WriteString("\n\n")
	if err := writeGiven(d, given(c)); err != nil {
		return err
	}
	if c.Removed > 0 { // without removed lines a diff only repeats the input
		if err := writeFenced(d.out, "", "diff", diffText(c.Diff)); err != nil {
			return err
		}
	}
	if c.Output != "" {
		return writeFenced(d.out, "Result:", "", c.Output)
	}
	return nil
}

// writeGiven writes the input of a call: short values in a list, the others as blocks.
func writeGiven(d *document, fields []view.Field) error {
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
		if err := writeFenced(d.out, escape(oneLine(f.Name))+":", kind, f.Text); err != nil {
			return err
		}
	}
	return nil
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

// writeFenced writes a heading, if there is one, and text between fences that are longer than
// any in the text.
func writeFenced(out *bufio.Writer, heading, kind, text string) error {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	if heading != "" {
		heading += "\n\n"
	}
	return writeTexts(out, heading, mark, kind, "\n", strings.TrimSuffix(text, "\n"), "\n", mark, "\n\n")
}

// code returns text as inline code.
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

var marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "#", `\#`)

// escape escapes text so that it is not read as Markdown.
func escape(text string) string { return marks.Replace(text) }
