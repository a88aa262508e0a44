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
	if ok, _ := p.Begin(now, 1); !ok {
		t.Fatal("the first one has to wait")
	}
	if ok, cmd := p.Begin(now, 1); ok || cmd != nil {
		t.Error("two at a time")
	}
	if !p.End(now, time.Millisecond) || p.End(now, time.Millisecond) {
		t.Error("what was asked for meanwhile is told twice, or not at all")
	}
	ok, cmd := p.Begin(now, 1)
	if ok || cmd == nil || cmd() != tea.Msg(1) {
		t.Error("there is no rest, or no end of it")
	}
	if ok, cmd := p.Begin(now, 1); ok || cmd != nil {
		t.Error("two clocks run")
	}
	p.Rested()
	if ok, _ := p.Begin(now.Add(restShare*time.Millisecond), 1); !ok {
		t.Error("it rests for ever")
	}
}
