package db

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// Result codes of SQLite, without their extensions.
const (
	codeBusy     = 5
	codeCorrupt  = 11
	codeCantOpen = 14
	codeNotADB   = 26
)

const (
	codeMoved     = 8 | 4<<8   // the file is not in its place any more
	codeShortRead = 10 | 2<<8  // the file ends too early
	codeCorruptFS = 10 | 33<<8 // the file system says so itself
)

// code is the result code of SQLite in err, 0 if there is none.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	switch e.Code() {
	case codeMoved, codeShortRead, codeCorruptFS:
		return e.Code()
	}
	return e.Code() & 0xFF
}

// IsDamage reports whether an error of an Index means that its file is not what
// it was. Rebuild, Walk and the same question again then give the answer.
func IsDamage(err error) bool {
	switch code(err) {
	case codeCorrupt, codeNotADB, codeMoved, codeShortRead, codeCorruptFS:
		return true
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var form *time.ParseError
	switch {
	case err == nil:
		return false
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrPacked), errors.As(err, &syntax), errors.As(err, &kind), errors.As(err, &form):
		return true
	}
	// A value of another type than its column's, or a table that is gone.
	text := err.Error()
	return strings.Contains(text, "sql: Scan error") || strings.Contains(text, "no such table")
}

// ErrPacked says that a packed value is not what was written.
var ErrPacked = errors.New("index: a packed value is damaged")

// ErrDamaged is at the bottom of what our own checks find. It is never the
// user's fault, and never the homes'.
var ErrDamaged = errors.New("the index is damaged")
