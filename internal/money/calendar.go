package money

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"sesskeep/internal/ask"
)

// calendar divides time into named spans.
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

// span returns the span that contains a time. A day has 23 or 25 hours when the
// clocks change.
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

// dayStart returns the first instant of a day. Where clocks are put forward at
// midnight, that is one o'clock.
func dayStart(year int, month time.Month, day int, zone *time.Location) time.Time {
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone) // every day has a noon
	start := time.Date(year, month, day, 0, 0, 0, 0, zone)
	for start.Day() != noon.Day() {
		start = start.Add(time.Hour)
	}
	return start
}

// windowLength is the length of a usage window of Claude's plans.
const windowLength = 5 * time.Hour

func (c *calendar) window(ms int64) span {
	i, found := slices.BinarySearch(c.windows, ms)
	if !found {
		i--
	}
	from := ms // a message from after the windows were computed
	if len(c.windows) > 0 {
		from = c.windows[max(i, 0)]
	}
	to := from + windowLength.Milliseconds()
	return span{
		key: time.UnixMilli(from).In(c.zone).Format("2006-01-02T15:04Z07:00"), from: from, to: to,
		active: c.now.UnixMilli() >= from && c.now.UnixMilli() < to,
	}
}

// windows finds where the usage windows of Claude's plans start: with the first
// message after the previous window, at the full hour (UTC) before it. A limit
// belongs to an account, so all messages of the homes count, whatever a report
// filters out.
func windows(ctx context.Context, x Source, homes []ask.Home) ([]int64, error) {
	hours := map[int64]bool{}
	err := x.Times(ctx, homes, func(ms int64) { hours[floor(ms, hour)] = true })
	return windowStarts(slices.Sorted(maps.Keys(hours))), err
}

const hour = int64(time.Hour / time.Millisecond)

// windowStarts computes the windows from the hours that have messages. Windows start
// and end at full hours, so the hours suffice.
func windowStarts(hours []int64) []int64 {
	var starts []int64
	for _, at := range hours {
		if n := len(starts); n == 0 || at*hour >= starts[n-1]+windowLength.Milliseconds() {
			starts = append(starts, at*hour)
		}
	}
	return starts
}

// Zone parses the name of a time zone: Europe/Berlin, UTC, local, or an offset from
// UTC such as +05:45.
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

// floor divides, rounding towards the past.
func floor(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}
