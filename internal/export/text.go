package export

import (
	"fmt"
	"strings"

	"sesskeep"
	"sesskeep/internal/view"
)

// plainText writes text without any markup.
type plainText struct{}

func (plainText) start(d *document, h head) error {
	if h.Title != "" {
		fmt.Fprintf(d.out, "%s\n\n", oneLine(h.Title))
	}
	_, err := fmt.Fprintf(d.out, "session %s\n", h.Session)
	if h.Project != "" {
		_, err = fmt.Fprintf(d.out, "project %s\n", h.Project)
	}
	if h.Stretch != "" {
		_, err = fmt.Fprintf(d.out, "only %s\n", h.Stretch)
	}
	return err
}

func (plainText) conversation(d *document, n, of int, leaf string) error {
	_, err := fmt.Fprintf(d.out, "\n=== conversation %d of %d (%s)\n", n, of, leaf)
	return err
}

func (plainText) part(d *document, p *view.Part) error {
	name := string(p.Kind)
	if p.Kind == view.TextPart {
		name = "answer"
	}
	if p.Call != nil {
		fmt.Fprintf(d.out, "\n%s--- %s %s", indent(d), p.Call.Tool, oneLine(p.Call.Summary))
		if p.Call.Outcome != "" {
			fmt.Fprintf(d.out, " -> %s", oneLine(p.Call.Outcome))
		}
		d.out.WriteString("\n")
		return plainCall(d, p.Call)
	}
	if p.Label != "" {
		name += " (" + p.Label + ")"
	}
	_, err := fmt.Fprintf(d.out, "\n%s--- %s %s\n%s", indent(d), name, stamp(p.Time), block(d, p.Text))
	return err
}

// plainCall writes the whole input of a call, and its outcome.
func plainCall(d *document, c *view.Call) error {
	fields := given(c)
	for _, f := range fields {
		if strings.ContainsAny(f.Text, "\r\n") {
			fmt.Fprintf(d.out, "%s%s:\n%s", indent(d), oneLine(f.Name), block(d, f.Text))
		} else {
			fmt.Fprintf(d.out, "%s%s: %s\n", indent(d), oneLine(f.Name), f.Text)
		}
	}
	if len(fields) > 0 && c.Output != "" {
		fmt.Fprintf(d.out, "%sresult:\n", indent(d))
	}
	_, err := d.out.WriteString(block(d, c.Output))
	return err
}

func indent(d *document) string { return strings.Repeat("    ", d.depth) }

// block returns a text that ends with a line break, indented by the depth of the agent.
func block(d *document, text string) string {
	if text == "" {
		return ""
	}
	in := indent(d)
	return in + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+in) + "\n"
}

func (plainText) agent(d *document, id sesskeep.AgentID, begins bool) error {
	word := "begins"
	if !begins {
		word = "ends"
	}
	_, err := fmt.Fprintf(d.out, "\n%s=== agent %s %s\n", indent(d), id, word)
	return err
}

func (plainText) end(*document) error { return nil }
