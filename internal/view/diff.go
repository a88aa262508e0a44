package view

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Hunk is one region of a file that a call changed.
type Hunk struct {
	OldStart int      `json:"oldStart,omitempty"` // first line before the change, from 1; 0 if unknown
	NewStart int      `json:"newStart,omitempty"` // first line after the change, from 1; 0 if unknown
	Lines    []string `json:"lines"`              // lines, each starting with a space, + or -
}

const (
	// contextLines is how many unchanged lines surround a change.
	contextLines = 3
	// diffLimit is how many bytes are compared. Above it, all old lines are shown
	// as removed and all new ones as added.
	diffLimit = 256 << 10
)

// setDiff stores the hunks and counts the changed lines.
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

// proposed returns the change that a call asks for, from its input alone: the
// position in the file is not known.
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

// applied returns the change that a tool reports, if it does.
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

// compare returns the hunks between two texts; whole means that they are whole
// files, so that line numbers are meaningful.
func compare(before, after string, whole bool) []Hunk {
	if before == after {
		return nil
	}
	if before == "" || after == "" || len(before)+len(after) > diffLimit {
		return []Hunk{replaced(before, after, whole)}
	}
	// Otherwise the last lines would differ only by the newline.
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
