package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/cli/fail"
)

const (
	whenHint = "write 2d, 36h, 3w, today, yesterday, monday, 2026-11-01 or 2026-11-01T15:04:05Z"
	dayHint  = "write today, yesterday, monday, 3d for three days ago, 2026-11-01, or 2026-11 for a month"
)

// Span reads --since, --until and --on.
func (sh *Shell) Span() (since, until time.Time, err error) { return spanBy(sh, sh.Now(), parseWhen) }

// SpanIn does so in a time zone. A number of days ago is taken as the whole of
// that day: a day that is cut would be a wrong cost.
func (sh *Shell) SpanIn(zone *time.Location) (since, until time.Time, err error) {
	return spanBy(sh, sh.Now().In(zone), func(text string, now time.Time) (time.Time, error) {
		t, err := parseWhen(text, now)
		if err == nil && countsDays(text) {
			t = Midnight(t)
		}
		return t, err
	})
}

func spanBy(sh *Shell, now time.Time, parse func(text string, now time.Time) (time.Time, error)) (since, until time.Time, err error) {
	if sh.Flags.On != "" {
		if sh.Flags.Since != "" || sh.Flags.Until != "" {
			return since, until, fail.Usage("--on names a whole day", "leave it out, or leave out --since and --until")
		}
		if since, until, err = parseDay(sh.Flags.On, now); err != nil {
			err = fail.Usage("--on: "+err.Error(), dayHint)
		}
		return since, until, err
	}
	if since, err = parse(sh.Flags.Since, now); err != nil {
		return since, until, fail.Usage("--since: "+err.Error(), whenHint)
	}
	if until, err = parse(sh.Flags.Until, now); err != nil {
		return since, until, fail.Usage("--until: "+err.Error(), whenHint)
	}
	if !since.IsZero() && !until.IsZero() && !until.After(since) {
		return since, until, fail.Usage(
			fmt.Sprintf("--until %s is not later than --since %s", sh.Flags.Until, sh.Flags.Since),
			"--since is where the time in question begins, --until where it ends; --on names one day")
	}
	return since, until, nil
}

// parseDay reads a day, or a month, and gives its beginning and its end.
func parseDay(s string, now time.Time) (from, to time.Time, err error) {
	if from, err = time.ParseInLocation("2006-01", s, now.Location()); err == nil {
		return from, from.AddDate(0, 1, 0), nil
	}
	t, err := parseWhen(s, now)
	if err != nil {
		return from, to, fmt.Errorf("cannot read %q as a day", s)
	}
	from = Midnight(t.In(now.Location()))
	return from, from.AddDate(0, 0, 1), nil
}

// Midnight is the start of the day of t, in the time zone of t.
func Midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// countsDays reports whether a text is a number of days or more.
func countsDays(text string) bool {
	unit := strings.TrimLeft(text, "0123456789.")
	return unit != text && slices.Contains([]string{"d", "w", "mo", "y"}, unit)
}

// daysBack is how many days ago it was this day of the week, which may be today.
// Three letters of its name will do.
func daysBack(name string, today time.Weekday) (int, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if full := day.String(); strings.EqualFold(name, full) || strings.EqualFold(name, full[:3]) {
			return int(today-day+7) % 7, true
		}
	}
	return 0, false
}

// parseWhen reads a point in time as people write it. Days are local.
func parseWhen(s string, now time.Time) (time.Time, error) {
	today := Midnight(now)
	switch s {
	case "":
		return time.Time{}, nil
	case "now":
		return now, nil
	case "today":
		return today, nil
	case "yesterday":
		return today.AddDate(0, 0, -1), nil
	}
	if back, ok := daysBack(s, now.Weekday()); ok {
		return today.AddDate(0, 0, -back), nil
	}
	for _, form := range []string{"2006-01-02", "2006-01", "2006-01-02 15:04", "2006-01-02T15:04"} {
		if t, err := time.ParseInLocation(form, s, now.Location()); err == nil {
			return t, nil
		}
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	return ParseAgo(s, now)
}

// ParseAgo reads a time that is given by how long ago it is, such as 36h or 2mo.
func ParseAgo(s string, now time.Time) (time.Time, error) {
	units := map[string]time.Duration{
		"s": time.Second, "m": time.Minute, "min": time.Minute, "h": time.Hour,
		"d": 24 * time.Hour, "w": 7 * 24 * time.Hour, "mo": 30 * 24 * time.Hour, "y": 365 * 24 * time.Hour,
	}
	number := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	unit, ok := units[s[len(number):]]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || n < 0 || n*float64(unit) > float64(200*365*24*time.Hour) {
		return time.Time{}, fmt.Errorf("cannot read %q as a time", s)
	}
	return now.Add(-time.Duration(n * float64(unit))), nil
}
