package view

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Hunk is one place of a file that a call changed.
type Hunk struct {
	OldStart int      `json:"oldStart,omitempty"` // first line before the change, from 1; 0 if unknown
	NewStart int      `json:"newStart,omitempty"` // first line after the change, from 1; 0 if unknown
	Lines    []string `json:"lines"`              // lines, each starting with a space, + or -
}

const (
	// contextLines is how many unchanged lines stand around a change.
	contextLines = 3
	// diffLimit is how many bytes are compared. Above it everything old is
	// shown as removed and everything new as added.
	diffLimit = 256 << 10
)

// setDiff takes the hunks over and counts what they change.
func (c *Call) setDiff(hunks []Hunk) {
	c.Diff, c.Added, c.Removed = hunks, 0, 0
	for _, h := range hunks {
		for _, line := range h.Lines {
			switch {
			case strings.HasPrefix(line, "+"):
				c.Added++
			case strings.HasPrefix(line, "-"):
				c.Removed++
			}
		}
	}
}

// proposed is the change a call asks for, made from its input alone: where the
// text stands in the file is not known.
func proposed(tool string, in fields) []Hunk {
	switch tool {
	case "Edit":
		return compare(in.text("old_string"), in.text("new_string"), false)
	case "MultiEdit":
		var hunks []Hunk
		for _, raw := range in.list("edits") {
			edit := object(raw)
			hunks = append(hunks, compare(edit.text("old_string"), edit.text("new_string"), false)...)
		}
		return hunks
	case "Write":
		return compare("", in.text("content"), true)
	case "NotebookEdit":
		return compare("", in.text("new_source"), false)
	}
	return nil
}

// applied is the change a tool reports to have made, if it does.
func applied(tool string, data fields) []Hunk {
	var hunks []Hunk
	for _, raw := range data.list("structuredPatch") {
		h := object(raw)
		hunk := Hunk{}
		hunk.OldStart, _ = h.count("oldStart")
		hunk.NewStart, _ = h.count("newStart")
		for _, line := range h.list("lines") {
			hunk.Lines = append(hunk.Lines, stringOf(line))
		}
		hunks = append(hunks, hunk)
	}
	if hunks != nil || tool != "Write" {
		return hunks
	}
	if original := data.text("originalFile"); original != "" {
		return compare(original, data.text("content"), true)
	}
	return nil
}

// Diff compares two texts of a file.
func Diff(before, after string) []Hunk { return compare(before, after, true) }

// compare makes hunks of two texts; whole says that they are whole files, so
// that line numbers mean something.
func compare(before, after string, whole bool) []Hunk {
	if before == after {
		return nil
	}
	if before == "" || after == "" || len(before)+len(after) > diffLimit {
		return []Hunk{replaced(before, after, whole)}
	}
	// Without it the last lines would differ only by the newline.
	before, after = endLine(before), endLine(after)
	u, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), contextLines)
	if err != nil {
		return []Hunk{replaced(before, after, whole)}
	}
	var hunks []Hunk
	for _, from := range u.Hunks {
		h := Hunk{}
		if whole {
			h.OldStart, h.NewStart = from.FromLine, from.ToLine
		}
		for _, line := range from.Lines {
			h.Lines = append(h.Lines, sign(line.Kind)+strings.TrimSuffix(line.Content, "\n"))
		}
		hunks = append(hunks, h)
	}
	return hunks
}

func sign(kind udiff.OpKind) string {
	switch kind {
	case udiff.Delete:
		return "-"
	case udiff.Insert:
		return "+"
	}
	return " "
}

func replaced(before, after string, whole bool) Hunk {
	h := Hunk{}
	if whole {
		h.OldStart, h.NewStart = 1, 1
	}
	for line := range strings.Lines(before) {
		h.Lines = append(h.Lines, "-"+strings.TrimSuffix(line, "\n"))
	}
	for line := range strings.Lines(after) {
		h.Lines = append(h.Lines, "+"+strings.TrimSuffix(line, "\n"))
	}
	return h
}

func endLine(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// changed is the outcome of an edit.
func changed(c *Call) string {
	if c.Diff == nil {
		return ""
	}
	return fmt.Sprintf("+%d −%d", c.Added, c.Removed)
}
