package settings

import (
	"fmt"

	"sesskeep/internal/jsonedit"
)

// periodKey is for how many days the client keeps what it writes.
const periodKey = "cleanupPeriodDays"

// SetPeriod returns the text with another number of days after which the client
// deletes what it wrote.
func SetPeriod(text []byte, days int) ([]byte, error) {
	if days < 1 {
		return nil, fmt.Errorf("%s must be at least 1", periodKey)
	}
	if blank(text) {
		text = []byte("{}\n")
	}
	d, err := jsonedit.ParseObject(text)
	if err != nil {
		return nil, err
	}
	if n := d.Root.Member(periodKey); n != nil {
		return d.Apply(d.Replace(n, days)), nil
	}
	return d.Apply(d.Insert(d.Root, periodKey, days)), nil
}
