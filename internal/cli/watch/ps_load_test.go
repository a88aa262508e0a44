package watch

import (
	"testing"
	"time"

	"sesskeep/internal/follow"
	"sesskeep/internal/host"
)

// The share of a processor is that between two measurements, the first of which is made
// twice.
func TestGauge(t *testing.T) {
	clock := time.Unix(0, 0)
	taken := map[int]time.Duration{7: time.Second}
	g := newGauge()
	g.load = func(pid int) (host.Load, bool) {
		cpu, ok := taken[pid]
		return host.Load{CPU: cpu, Memory: int64(pid)}, ok
	}
	g.now = func() time.Time {
		clock = clock.Add(time.Second)
		taken[7] += 500 * time.Millisecond
		return clock
	}
	list := follow.ProcessPage{Sessions: []follow.Process{{PID: 7}, {PID: 8}, {}}, Total: 3}
	for range 2 {
		page := psPage(list, g)
		if p := page.Sessions[0]; p.CPU == nil || *p.CPU != 50 || p.Memory != 7 {
			t.Errorf("got %+v", p)
		}
		if p := page.Sessions[1]; p.CPU != nil || p.Memory != 0 {
			t.Errorf("a process that cannot be measured takes %+v", p)
		}
	}
	if page := psPage(list, nil); page.Sessions[0].CPU != nil || page.Sessions[0].Memory != 0 {
		t.Error("it was measured although nobody asked")
	}
}
