package money

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"sesskeep/internal/ask"
)

// calendar cuts time into stretches that have a name.
type calendar struct {
	unit    string // day, week, month or window
	zone    *time.Location
	windows []int64 // starts, in milliseconds
	now     time.Time
}

// span is a stretch of time, in milliseconds since 1970.
type span struct {
	key      string
	from, to int64
	active   bool
}

// span finds the stretch a moment lies in. A day is as long as it is: 23 or 25
// hours when the clocks change.
func (c *calendar) span(ms int64) span {
	t := time.UnixMilli(ms).In(c.zone)
	year, month, day := t.Date()
	midnight := func(month time.Month, day int) int64 { return dayStart(year, month, day, c.zone).UnixMilli() }
	switch c.unit {
	case "week":
		monday := day - (int(t.Weekday())+6)%7
		y, w := t.ISOWeek()
		return span{key: fmt.Sprintf("%04d-W%02d", y, w), from: midnight(month, monday), to: midnight(month, monday+7)}
	case "month":
		return span{key: t.Format("2006-01"), from: midnight(month, 1), to: midnight(month+1, 1)}
	case "window":
		return c.window(ms)
	}
	return span{key: t.Format(time.DateOnly), from: midnight(month, day), to: midnight(month, day+1)}
}

// dayStart is the first moment of a day. Where clocks are put forward at
// midnight that is one o'clock.
func dayStart(year int, month time.Month, day int, zone *time.Location) time.Time {
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone) // there is always one
	start := time.Date(year, month, day, 0, 0, 0, 0, zone)
	for start.Day() != noon.Day() {
		start = start.Add(time.Hour)
	}
	return start
}

// windowLength is how long a limit of Claude's plans counts.
const windowLength = 5 * time.Hour

func (c *calendar) window(ms int64) span {
	i, found := slices.BinarySearch(c.windows, ms)
	if !found {
		i--
	}
	from := ms // a message that came in since the windows were found
	if len(c.windows) > 0 {
		from = c.windows[max(i, 0)]
	}
	to := from + windowLength.Milliseconds()
	return span{
		key: time.UnixMilli(from).In(c.zone).Format("2006-01-02T15:04Z07:00"), from: from, to: to,
		active: c.now.UnixMilli() >= from && c.now.UnixMilli() < to,
	}
}

// windows finds where the windows of Claude's limits begin: with the first
// message after the one before is over, at the full hour (UTC) before it. A
// limit is an account's, so that all messages of the homes take part, whatever
// a report leaves out.
func windows(ctx context.Context, x Source, homes []ask.Home) ([]int64, error) {
	hours := map[int64]bool{}
	err := x.Times(ctx, homes, func(ms int64) { hours[floor(ms, hour)] = true })
	return windowStarts(slices.Sorted(maps.Keys(hours))), err
}

const hour = int64(time.Hour / time.Millisecond)

// windowStarts finds the windows of the hours in which there are messages.
// Windows begin and end at full hours, so that no more need be known.
func windowStarts(hours []int64) []int64 {
	var starts []int64
	for _, at := range hours {
		if n := len(starts); n == 0 || at*hour >= starts[n-1]+windowLength.Milliseconds() {
			starts = append(starts, at*hour)
		}
	}
	return starts
}

// Zone reads the name of a time zone: Europe/Berlin, UTC, local, or a distance
// from UTC such as +05:45.
func Zone(name string, local *time.Location) (*time.Location, error) {
	switch name {
	case "", "local", "Local":
		return local, nil
	}
	if t, err := time.Parse("-07:00", name); err == nil {
		_, offset := t.Zone()
		return time.FixedZone(name, offset), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("no time zone %q", name)
	}
	return zone, nil
}

// floor divides towards the past.
func floor(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}
