package money

import (
	"testing"
	"time"
	_ "time/tzdata"
)

// TestDays: every moment lies in its own day, and days follow one another
// without gap, also where the clocks skip midnight.
func TestDays(t *testing.T) {
	tests := []struct{ zone, around string }{
		{"America/Santiago", "2024-09-08"}, // no midnight
		{"America/Santiago", "2024-04-07"}, // 25 hours
		{"Europe/Berlin", "2026-03-29"},
		{"Africa/Cairo", "2024-04-26"}, // no midnight
		{"UTC", "2026-01-01"},
	}
	for _, test := range tests {
		zone, err := time.LoadLocation(test.zone)
		if err != nil {
			t.Fatal(err)
		}
		noon, _ := time.ParseInLocation("2006-01-02 15", test.around+" 12", zone)
		for _, unit := range []string{"day", "week", "month"} {
			c := &calendar{unit: unit, zone: zone}
			last := c.span(noon.Add(-48 * time.Hour).UnixMilli())
			for at := noon.Add(-48 * time.Hour); at.Before(noon.Add(48 * time.Hour)); at = at.Add(15 * time.Minute) {
				s := c.span(at.UnixMilli())
				if ms := at.UnixMilli(); ms < s.from || ms >= s.to {
					t.Fatalf("%s: %s is not in %s %s", test.zone, at, unit, s.key)
				}
				if s.key != last.key && s.from != last.to {
					t.Fatalf("%s: %s ends %d and %s begins %d", test.zone, last.key, last.to, s.key, s.from)
				}
				last = s
			}
		}
	}
}
