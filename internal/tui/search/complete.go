package search

import (
	"strings"

	"sesskeep/internal/query"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// completion goes through what can stand at the cursor of a query.
type completion struct {
	projects []string // their names

	choices    []string
	at         int
	head, tail string // of the query, around the choice
	made       string // the query with the choice; another one was typed since
}

// next writes the next choice into a query. It reports whether there is one.
func (c *completion) next(in *pages.Input) bool {
	if c.made != "" && c.made == in.Text() {
		c.at = (c.at + 1) % len(c.choices)
	} else {
		c.choices, c.head, c.tail = c.find(in)
		c.at = 0
	}
	if len(c.choices) == 0 {
		c.made = ""
		return false
	}
	in.Before, in.After = []rune(c.head+c.choices[c.at]), []rune(c.tail)
	c.made = in.Text()
	return true
}

// find lists what can stand at the cursor, and the query around it.
func (c *completion) find(in *pages.Input) (choices []string, head, tail string) {
	text := in.Text()
	at := query.Complete(text, len(string(in.Before)))
	choices = at.Choices
	switch {
	case at.Kind == query.NoCompletion || at.Kind == query.KeyCompletion && at.Prefix == "":
		return nil, "", ""
	case at.Kind == query.ValueCompletion && at.Key == query.Project:
		choices = nil
		for _, name := range c.projects {
			if strings.Contains(name, strings.ToLower(at.Prefix)) {
				choices = append(choices, name)
			}
		}
	}
	return choices, text[:at.From], text[at.To:]
}

// view is a line with the choices, the one that was taken first of all.
func (c *completion) view(sc term.Screen, in *pages.Input, width int) string {
	choices, at := c.choices, c.at
	if c.made == "" || c.made != in.Text() {
		choices, _, _ = c.find(in)
		at = -1
	}
	if len(choices) == 0 || len(choices) == 1 && at == 0 {
		return ""
	}
	line := sc.Paint(term.Cyan, pages.KeyName(sc, "tab"))
	used := term.Width(line)
	for i := range choices {
		// The choice that was taken must be among those there is room for.
		n := (max(at, 0) + i) % len(choices)
		name := term.Line(choices[n])
		if used += term.Width(name) + 2; used > width-3 {
			return line + "  " + pages.GlyphsOf(sc).Ellipsis
		}
		style := term.Dim
		if n == at {
			style = term.Bold
		}
		line += "  " + sc.Paint(style, name)
	}
	return line
}
