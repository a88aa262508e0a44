package query

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

const whenHint = "write 2d, 36h, 3w, today, yesterday, 2026-11-01, 2026-11-01T15:04 or 2026-11-01T15:04:05Z"

// filter parses a key with its values.
func (p *parser) filter(t term) error {
	info, _ := keyOf(t.key)
	f := Filter{Key: info.Key, Not: t.not}
	last := t.values[len(t.values)-1]
	if last.quoted && !last.open && !spaceAt(p.text, t.end) {
		return p.fail(t.end, t.end+1, "a blank or a comma must follow the closing quote", "")
	}
	for _, it := range t.values {
		if err := p.value(&f, info, it); err != nil {
			return err
		}
	}
	p.q.Filters = append(p.q.Filters, f)
	return nil
}

// value adds one value to a filter.
func (p *parser) value(f *Filter, info KeyInfo, it item) error {
	name := string(info.Key) + ":"
	switch {
	case it.open:
		return p.fail(it.pos, it.pos+1, "this quote is never closed", "")
	case strings.TrimSpace(it.text) == "":
		return p.fail(it.pos, it.end, name+" needs a value", fmt.Sprintf("like %s, without a blank; %q in quotes is searched for as text", info.Example, name))
	}
	bad := func(message, hint string) error {
		return p.fail(it.pos, it.end, name+" "+message, hint)
	}
	text := it.text
	if (info.Range || info.Key == Before || info.Key == After) && len(f.Values) > 0 {
		return bad("takes one value only", "")
	}
	switch {
	case info.Range:
		var ok bool
		if f.Min, f.Max, ok = ParseRange(text); !ok {
			return bad(fmt.Sprintf("cannot read %q as a size", text), strings.ReplaceAll("write KEY>10M, KEY<=500k or KEY1M..5M", "KEY", name))
		}
	case info.Key == Before || info.Key == After:
		when, ok := parseWhen(strings.ToLower(text), p.now)
		if !ok {
			return bad(fmt.Sprintf("cannot read %q as a time", text), whenHint)
		}
		if f.From = when; info.Key == Before {
			f.From, f.To = time.Time{}, when
		}
	case info.Values != nil:
		word, ok := wordOf(text, info.Values)
		if !ok {
			hint := "one of " + strings.Join(info.Values, ", ")
			if near, ok := Nearest(text, info.Values); ok {
				hint = "did you mean " + name + near + "? " + hint
			}
			return bad(fmt.Sprintf("knows no %q", text), hint)
		}
		text = word
	}
	if !slices.Contains(f.Values, text) {
		f.Values = append(f.Values, text)
	}
	return nil
}

// wordOf finds a listed word by what was written: in any case, with blanks for
// dashes, in singular or plural.
func wordOf(text string, words []string) (string, bool) {
	text = strings.Join(strings.Fields(strings.ToLower(text)), "-")
	for _, w := range words {
		if text == w || len(text) > 3 && (text+"s" == w || text+"es" == w || text == w+"s") {
			return w, true
		}
	}
	return "", false
}

// ParseRange reads a comparison or a range of sizes: >10M, <=500k, 1M..5M. Both ends
// belong to it.
func ParseRange(s string) (least, most int64, ok bool) {
	if low, high, isRange := strings.Cut(s, ".."); isRange {
		least, most = 0, math.MaxInt64
		okLow, okHigh := low == "", high == ""
		if low != "" {
			least, okLow = ParseBytes(low)
		}
		if high != "" {
			most, okHigh = ParseBytes(high)
		}
		return least, most, okLow && okHigh && least <= most && low+high != ""
	}
	for _, op := range []string{">=", "<=", ">", "<"} {
		number, found := strings.CutPrefix(s, op)
		if !found {
			continue
		}
		n, ok := ParseBytes(number)
		switch op {
		case ">=":
			return n, math.MaxInt64, ok
		case ">":
			return n + 1, math.MaxInt64, ok
		case "<=":
			return 0, n, ok
		}
		return 0, n - 1, ok
	}
	return 0, 0, false
}

// ParseBytes parses 500k, 1.5M, 2GB (powers of 1000, as sizes are shown) and
// 4KiB (powers of 1024).
func ParseBytes(s string) (int64, bool) {
	digits := strings.TrimRight(s, "bkmgtiBKMGTI")
	number, ok := decimal(digits)
	unit := strings.ToLower(s[len(digits):])
	unit = strings.TrimSuffix(unit, "b")
	base := 1000.0
	if short, binary := strings.CutSuffix(unit, "i"); binary {
		unit, base = short, 1024
		ok = ok && short != ""
	}
	power := 0
	if unit != "" {
		power = strings.Index("kmgt", unit) + 1
		ok = ok && len(unit) == 1 && power > 0
	}
	n := number * math.Pow(base, float64(power))
	return int64(min(n, 1<<62)), ok && n < 1<<62
}

// decimal parses digits with at most one point, and rejects everything else that
// strconv.ParseFloat accepts.
func decimal(s string) (float64, bool) {
	if strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

var whenForms = []string{
	"2006-01-02", "2006-01", "2006-01-02 15:04", "2006-01-02 15:04:05",
	"2006-01-02T15:04", "2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02 15:04:05Z07:00",
}

// ParseTime parses a point in time as the key after: takes it: 2026-11-03, yesterday, 7d.
func ParseTime(s string, now time.Time) (time.Time, bool) {
	if s == "" {
		return time.Time{}, false
	}
	return parseWhen(strings.ToLower(s), now)
}

// parseWhen parses a point in time as people write it, in lower case. Days are
// those of now's time zone.
func parseWhen(s string, now time.Time) (time.Time, bool) {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch s {
	case "now":
		return now, true
	case "today":
		return midnight, true
	case "yesterday":
		return midnight.AddDate(0, 0, -1), true
	}
	for _, form := range whenForms {
		if t, err := time.ParseInLocation(form, strings.ToUpper(s), now.Location()); err == nil {
			return t, true
		}
	}
	return parseAgo(s, now)
}

var agoUnits = map[string]time.Duration{
	"s": time.Second, "m": time.Minute, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
	"w": 7 * 24 * time.Hour, "mo": 30 * 24 * time.Hour, "y": 365 * 24 * time.Hour,
}

func parseAgo(s string, now time.Time) (time.Time, bool) {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	unit, known := agoUnits[s[len(digits):]]
	n, ok := decimal(digits)
	if !ok || !known || n*float64(unit) > float64(200*365*24*time.Hour) {
		return time.Time{}, false
	}
	return now.Add(-time.Duration(n * float64(unit))), true
}
