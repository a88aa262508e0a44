// Package stamp writes times the one way all our JSON has them.
package stamp

import "time"

// Time is written in UTC with milliseconds, as the client does.
type Time struct{ time.Time }

const form = `"2006-01-02T15:04:05.000Z"`

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Time) UnmarshalJSON(data []byte) (err error) {
	t.Time, err = time.Parse(form, string(data))
	return err
}

// MarshalJSON writes the time.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Format(form)), nil
}

// Milli is a time that was kept as milliseconds since 1970; 0 is none.
func Milli(ms int64) Time {
	if ms <= 0 {
		return Time{}
	}
	return Time{time.UnixMilli(ms).UTC()}
}
