package term_test

import (
	"math"
	"testing"
	"time"

	"sesskeep/internal/term"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{term.Bytes(0), "0 B"}, {term.Bytes(999), "999 B"}, {term.Bytes(1500), "1.5 kB"},
		{term.Bytes(9_960), "10 kB"}, {term.Bytes(34_200), "34 kB"}, {term.Bytes(999_600), "1.0 MB"},
		{term.Bytes(12_400_000), "12.4 MB"}, {term.Bytes(212_000_000), "212 MB"},
		{term.Bytes(99_960_000), "100 MB"}, {term.Bytes(5_200_000_000), "5.2 GB"},
		{term.Bytes(-1500), "-1.5 kB"}, {term.Bytes(math.MaxInt64), "9.2 EB"},
		{term.Count(0), "0"}, {term.Count(999), "999"}, {term.Count(1240), "1,240"},
		{term.Count(1234567), "1,234,567"}, {term.Count(-1240), "-1,240"}, {term.Count(-999), "-999"},
		{term.Tokens(950), "950"}, {term.Tokens(82_100), "82.1k"}, {term.Tokens(201_400), "201.4k"},
		{term.Tokens(999_960), "1.0M"}, {term.Tokens(24_000_000), "24.0M"}, {term.Tokens(3_100_000_000), "3.1B"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Date(2026, 11, 14, 17, 6, 0, 0, time.UTC)
	ago := func(d time.Duration) string { return term.Ago(now.Add(-d), now) }
	for _, c := range []struct{ got, want string }{
		{ago(0), "now"}, {ago(-time.Hour), "now"}, {ago(38 * time.Second), "38s"},
		{ago(119 * time.Second), "1m"}, {ago(3 * time.Hour), "3h"}, {ago(41 * day), "41d"},
		{ago(800 * day), "2y"}, {term.Ago(time.Time{}, now), ""},
		{term.Duration(0), "0s"}, {term.Duration(380 * time.Millisecond), "380ms"},
		{term.Duration(time.Microsecond), "1ms"}, {term.Duration(4200 * time.Millisecond), "4.2s"},
		{term.Duration(9960 * time.Millisecond), "10s"}, {term.Duration(38 * time.Second), "38s"},
		{term.Duration(59700 * time.Millisecond), "1m"}, {term.Duration(80 * time.Second), "1m20s"},
		{term.Duration(125 * time.Minute), "2h5m"}, {term.Duration(76 * time.Hour), "3d4h"},
		{term.Duration(-80 * time.Second), "-1m20s"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
