package config

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	// Line is the line of the file, from 1 on.
	Line int `json:"line"`
	// Column is the column in the line, from 1 on.
	Column int `json:"column"`
	// Message says what is wrong.
	Message string `json:"message"`
	// Hint says what may have been meant.
	Hint string `json:"hint,omitempty"`
}

func (p Problem) String() string {
	if p.Hint == "" {
		return p.Message
	}
	return p.Message + ": " + p.Hint
}

// Error is a file that is not valid.
type Error struct {
	Path     string
	Problems []Problem // at least one, in the order of their lines
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s:%d: %s", e.Path, e.Problems[0].Line, e.Problems[0])
	if more := len(e.Problems) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// UnsafeError is a file that others can write.
type UnsafeError struct {
	Path string // of the file, or of its directory
	Why  string
}

func (e *UnsafeError) Error() string {
	return fmt.Sprintf("%s is not read: %s", e.Path, e.Why)
}

// nearest returns the word that a misspelt one most likely means, or "".
func nearest(word string, words []string) string {
	best, least := "", max(1, min(3, len(word)/3))+1
	for _, w := range words {
		if d := distance(strings.ToLower(word), w); d < least {
			best, least = w, d
		}
	}
	return best
}

// distance counts the letters that must be added, removed, replaced or swapped with
// their neighbour to make b of a.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// meant is the hint for a word that is none of those allowed.
func meant(word string, words []string) string {
	if near := nearest(word, words); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(words) > 0 && len(words) <= 16 {
		return "use one of " + strings.Join(words, ", ")
	}
	return ""
}
