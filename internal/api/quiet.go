package api

import "time"

// quietAfter is how long no request must have come before the server gives memory back. Who
// reads page by page pauses for less.
const quietAfter = 10 * time.Second

// quiet calls a function each time when no request has come for a while. The zero quiet
// calls nothing.
type quiet struct{ timer *time.Timer }

func newQuiet(call func()) quiet {
	if call == nil {
		return quiet{}
	}
	return quiet{time.AfterFunc(quietAfter, call)}
}

// disturb notes that a request has come, or was answered.
func (q quiet) disturb() {
	if q.timer != nil {
		q.timer.Reset(quietAfter)
	}
}
