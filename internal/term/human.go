package term

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Bytes writes a size in powers of 1000 with about three digits: 34 kB, 12.4 MB.
func Bytes(n int64) string {
	size := float64(n)
	if math.Abs(size) < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	for _, unit := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		size /= 1000
		// Tenths of a kB matter only to the smallest files.
		whole := 100.0
		if unit == "kB" {
			whole = 10
		}
		if a := math.Abs(size); a < whole-0.05 {
			return fmt.Sprintf("%.1f %s", size, unit)
		} else if a < 999.5 {
			return fmt.Sprintf("%.0f %s", size, unit)
		}
	}
	return fmt.Sprintf("%d B", n) // not reached: an int64 ends below 10 EB
}

// Count writes a number with a comma before every three digits: 1,240.
func Count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Tokens writes a number of tokens with one decimal from a thousand on, so that
// columns of them line up: 950, 82.1k, 9.1M.
func Tokens(n int64) string {
	size := float64(n)
	if math.Abs(size) < 1000 {
		return strconv.FormatInt(n, 10)
	}
	for _, unit := range []string{"k", "M"} {
		size /= 1000
		if math.Abs(size) < 999.95 {
			return fmt.Sprintf("%.1f%s", size, unit)
		}
	}
	return fmt.Sprintf("%.1fB", size/1000)
}

// Ago writes how long before now t was, in its largest unit: 38s, 2m, 3h, 41d,
// 2y. A time to come is now; the zero time is empty.
func Ago(t, now time.Time) string {
	const day = 24 * time.Hour
	d := now.Sub(t)
	switch {
	case t.IsZero():
		return ""
	case d < time.Second:
		return "now"
	case d < time.Minute:
		return whole(d, time.Second, "s")
	case d < time.Hour:
		return whole(d, time.Minute, "m")
	case d < day:
		return whole(d, time.Hour, "h")
	case d < 365*day:
		return whole(d, day, "d")
	}
	return whole(d, 365*day, "y")
}

func whole(d, unit time.Duration, name string) string {
	return strconv.FormatInt(int64(d/unit), 10) + name
}

// Duration writes a length of time in at most two units: 380ms, 4.2s, 38s, 1m20s,
// 2h5m, 3d4h.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + Duration(-max(d, math.MinInt64+1))
	case d == 0:
		return "0s"
	case d < time.Second:
		return fmt.Sprintf("%dms", max(d.Milliseconds(), 1))
	case d < 9950*time.Millisecond:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + "s"
	}
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return whole(d, time.Second, "s")
	case d < time.Hour:
		return twoUnits(d, time.Minute, "m", time.Second, "s")
	case d < 24*time.Hour:
		return twoUnits(d, time.Hour, "h", time.Minute, "m")
	}
	return twoUnits(d, 24*time.Hour, "d", time.Hour, "h")
}

func twoUnits(d, big time.Duration, bigName string, small time.Duration, smallName string) string {
	s := whole(d, big, bigName)
	if rest := d % big; rest >= small {
		s += whole(rest, small, smallName)
	}
	return s
}
