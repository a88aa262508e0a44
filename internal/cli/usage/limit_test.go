package usage

import (
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

func TestLimitLines(t *testing.T) {
	now := time.Date(2026, 11, 15, 14, 30, 0, 0, time.UTC)
	list := []ask.Limit{
		{Root: "/h", Home: "work", Name: "five_hour", Percent: 60, Resets: stamp.Time{Time: now.Add(3 * time.Hour)}, Seen: stamp.Time{Time: now}},
		{Root: "/h", Name: "seven_day", Percent: 20, Resets: stamp.Time{Time: now.AddDate(0, 0, 3)}, Seen: stamp.Time{Time: now}},
		{Root: "/other", Name: "five_hour", Percent: 10, Resets: stamp.Time{Time: now.Add(time.Hour)}, Seen: stamp.Time{Time: now.Add(-10 * time.Minute)}},
	}
	for i := range list {
		list[i].Forecast()
	}
	want := []string{
		"LIMITS of work: 5-hour 60 % used, resets 17:30, at this pace full at 15:50, 1h40m before it resets · 7-day 20 % used, resets 11-18 14:30 · seen just now",
		"LIMITS of /other: 5-hour 10 % used, resets 15:30 · seen 10m ago",
	}
	got := LimitLines(list, now)
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
