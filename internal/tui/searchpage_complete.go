package tui

import (
	"strings"

	"sesskeep/internal/query"
	"sesskeep/internal/term"
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
func (c *completion) next(in *input) bool {
	if c.made != "" && c.made == in.text() {
		c.at = (c.at + 1) % len(c.choices)
	} else {
		c.choices, c.head, c.tail = c.find(in)
		c.at = 0
	}
	if len(c.choices) == 0 {
		c.made = ""
		return false
	}
	in.before, in.after = []rune(c.head+c.choices[c.at]), []rune(c.tail)
	c.made = in.text()
	return true
}

// find lists what can stand at the cursor, and the query around it.
func (c *completion) find(in *input) (choices []string, head, tail string) {
	text := in.text()
	at := query.Complete(text, len(string(in.before)))
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
func (c *completion) view(sc term.Screen, in *input, width int) string {
	choices, at := c.choices, c.at
	if c.made == "" || c.made != in.text() {
		choices, _, _ = c.find(in)
		at = -1
	}
	if len(choices) == 0 || len(choices) == 1 && at == 0 {
		return ""
	}
	line := sc.Paint(term.Cyan, keyName(sc, "tab"))
	used := term.Width(line)
	for i := range choices {
		// The choice that was taken must be among those there is room for.
		n := (max(at, 0) + i) % len(choices)
		name := term.Line(choices[n])
		if used += term.Width(name) + 2; used > width-3 {
			return line + "  " + glyphsOf(sc).ellipsis
		}
		style := term.Dim
		if n == at {
			style = term.Bold
		}
		line += "  " + sc.Paint(style, name)
	}
	return line
}
