package config

import (
	"fmt"
	"strings"

	"sesskeep/internal/query"
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

// meant is the hint for a word that is none of those allowed.
func meant(word string, words []string) string {
	if near, ok := query.Nearest(word, words); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(words) > 0 && len(words) <= 16 {
		return "use one of " + strings.Join(words, ", ")
	}
	return ""
}
