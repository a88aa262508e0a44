package label

import (
	"errors"

	"modernc.org/sqlite"
)

// code returns the result code of SQLite in an error, with its extension if that means
// damage; 0 if there is none.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	if code := e.Code(); code&0xff == 10 {
		return code
	}
	return e.Code() & 0xff
}
