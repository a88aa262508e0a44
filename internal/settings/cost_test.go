package settings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/settings"
	"sesskeep/internal/storetest"
)

// However many events a file has hooks for, taking ours out costs by its length:
// eight times as many are not looked at sixty-four times as often.
func TestRemoveCost(t *testing.T) {
	text := func(n int) []byte {
		var b strings.Builder
		b.WriteString(`{"hooks":{`)
		for i := range n {
			fmt.Fprintf(&b, "%s\n  \"E%d\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"/usr/bin/sesskeep hook report\"}]}]", strings.Repeat(",", min(i, 1)), i)
		}
		b.WriteString("\n}}")
		return []byte(b.String())
	}
	const few, many = 1500, 12000
	cost := func(n int) time.Duration {
		with := text(n)
		before := settings.Origin{Text: []byte(strings.ReplaceAll(string(with), "sesskeep", "another"))}
		least := time.Duration(1 << 62)
		for range 3 {
			start := storetest.CPU(t)
			after, err := settings.Reports.Remove(with, before)
			least = min(least, storetest.CPU(t)-start)
			if err != nil || settings.Reports.In(after) {
				t.Fatalf("%d events: %v", n, err)
			}
		}
		return least
	}
	if small, large := max(cost(few), time.Millisecond), cost(many); large > 24*small {
		t.Errorf("%d events cost %v, %d cost %v", few, small, many, large)
	}
}
