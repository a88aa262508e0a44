package ask_test

import (
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

func TestForecast(t *testing.T) {
	at := func(text string) stamp.Time {
		if text == "" {
			return stamp.Time{}
		}
		found, err := time.Parse(time.DateTime, "2026-11-15 "+text)
		if err != nil {
			t.Fatal(err)
		}
		return stamp.Time{Time: found}
	}
	for _, c := range []struct {
		name, resets, seen string
		percent, pace      float64
		full               string
	}{
		{"five_hour", "17:30:00", "14:30:00", 60, 30, "15:50:00"},
		{"five_hour", "17:30:00", "14:30:00", 10, 5, ""}, // it resets before
		{"five_hour", "17:30:00", "12:40:00", 3, 0, ""},  // too early to say
		{"five_hour", "17:30:00", "18:00:00", 90, 0, ""}, // another window
		{"five_hour", "", "14:30:00", 60, 0, ""},         // when it resets is not known
		{"five_hour", "17:30:00", "14:30:00", 0, 0, ""},  // nothing used
		{"five_hour", "17:30:00", "14:30:00", 100, 50, "14:30:00"},
		{"monthly", "17:30:00", "14:30:00", 60, 0, ""}, // how long it lasts is not known
	} {
		l := ask.Limit{Name: c.name, Percent: c.percent, Resets: at(c.resets), Seen: at(c.seen)}
		if l.Forecast(); l.Pace != c.pace || !l.FullAt.Equal(at(c.full).Time) {
			t.Errorf("%+v: %v %% an hour, full at %v", c, l.Pace, l.FullAt)
		}
	}
	l := ask.Limit{Name: "seven_day_opus", Percent: 50, Resets: at("12:00:00"), Seen: stamp.Time{Time: at("12:00:00").AddDate(0, 0, -5)}}
	if l.Forecast(); !l.FullAt.Equal(at("12:00:00").AddDate(0, 0, -3)) {
		t.Errorf("of a week: full at %v", l.FullAt)
	}
}
