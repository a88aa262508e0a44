package pages

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestPace holds that nothing asked for is forgotten, and that reading rests.
func TestPace(t *testing.T) {
	now := time.Unix(1, 0)
	var p Pace
	if ok, _ := p.Start(now, 1); !ok {
		t.Fatal("the first one has to wait")
	}
	if ok, cmd := p.Start(now, 1); ok || cmd != nil {
		t.Error("two at a time")
	}
	if !p.End(now, time.Millisecond) || p.End(now, time.Millisecond) {
		t.Error("what was asked for meanwhile is told twice, or not at all")
	}
	ok, cmd := p.Start(now, 1)
	if ok || cmd == nil || cmd() != tea.Msg(1) {
		t.Error("there is no rest, or no end of it")
	}
	if ok, cmd := p.Start(now, 1); ok || cmd != nil {
		t.Error("two clocks run")
	}
	p.Rested()
	if ok, _ := p.Start(now.Add(usualShare*time.Millisecond), 1); !ok {
		t.Error("it rests for ever")
	}
}

// A share of one's own makes rests longer, but not for ever.
func TestPaceShare(t *testing.T) {
	now := time.Now()
	for took, want := range map[time.Duration]time.Duration{time.Millisecond: 100 * time.Millisecond, time.Second: mostRest, time.Minute: usualShare * time.Minute} {
		p := Pace{Share: 100}
		p.Start(now, 1)
		p.End(now, took)
		if ok, _ := p.Start(now.Add(want-1), 1); ok {
			t.Errorf("after %v it does not rest %v", took, want)
		}
		p.Rested()
		if ok, _ := p.Start(now.Add(want), 1); !ok {
			t.Errorf("after %v it rests longer than %v", took, want)
		}
	}
}
