package tui

import (
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/board"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

// counted is a ticker that counts its ticks.
type counted struct {
	*time.Ticker
	ticks atomic.Int64
}

func newCounted(t *testing.T) *counted {
	c := &counted{Ticker: time.NewTicker(frameTime)}
	go func() {
		for {
			select {
			case <-c.C:
				c.ticks.Add(1)
			case <-t.Context().Done():
				return
			}
		}
	}()
	return c
}

// TestFramesRest holds how often there is something to draw: hardly ever at rest, at
// once after a change, and never more often than maxFrames while changes go on.
func TestFramesRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, f := newCounted(t), &frames{}
		f.setClock(c)
		defer f.end()
		in := func(d time.Duration, do func()) int {
			before := c.ticks.Load()
			do()
			time.Sleep(d)
			synctest.Wait()
			return int(c.ticks.Load() - before)
		}
		in(time.Second, func() {})
		if n := in(time.Minute, func() {}); n < 59 || n > 61 {
			t.Errorf("%d frames in a minute of rest, want 60", n)
		}
		if n := in(2*firstFrame, f.wake); n < 1 {
			t.Error("a change after a rest is not drawn at once")
		}
		in(time.Second, func() {})
		most := 0
		for range 100 {
			most = max(most, in(time.Second, func() {
				for range 20 {
					time.Sleep(50 * time.Millisecond)
					f.wake()
				}
			}))
		}
		if most > maxFrames+10 || most < maxFrames-5 {
			t.Errorf("%d frames in two seconds of changes in the first", most)
		}
	})
}

// TestFramesFound holds that the clock of Bubble Tea is found, in the version that
// is built in.
func TestFramesFound(t *testing.T) {
	m := &framed{}
	m.program = tea.NewProgram(m, tea.WithContext(t.Context()), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler())
	if _, err := m.program.Run(); err != nil {
		t.Fatal(err)
	}
	if m.frames.clock == nil {
		t.Error("it is not: the interface wakes 30 times a second at rest")
	}
	m.frames.end()
}

// framed is a program that ends at once.
type framed struct {
	program *tea.Program
	frames  frames
}

func (m *framed) Init() tea.Cmd {
	m.frames.start(m.program)
	return tea.Quit
}
func (m *framed) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (m *framed) View() tea.View                      { return tea.NewView("") }

// TestTicksRest holds that the clock of the interface goes slowly where no seconds
// are seen, every second where some are, and sooner again when something happens.
func TestTicksRest(t *testing.T) {
	m := openDemo(t)
	now := m.world.Now()
	m.world.Now = func() time.Time { return now }
	drive(m, m.checkLiveNow())
	m.world.Board.Apply(&board.News{Ready: true})
	tick := func() time.Duration {
		now = now.Add(m.pulse.every)
		m.Update(tickMsg{m.pulse.nth})
		return m.pulse.every
	}
	for range 2 * litterTicks {
		tick()
	}
	if got := tick(); got != calmTick {
		t.Errorf("the next tick of a list comes after %v, want %v", got, calmTick)
	}
	last := m.pulse.nth
	m.Update(pagetest.KeyPress("?"))
	if m.pulse.every >= calmTick {
		t.Error("a tick that is far does not come sooner when something is opened")
	}
	if _, cmd := m.Update(tickMsg{last}); cmd != nil {
		t.Error("there are two clocks then")
	}
	press(m, "esc", "l")
	wantText(t, m, pages.Working)
	for range 4 {
		if got := tick(); got != tickAges {
			t.Errorf("the next tick of the wall comes after %v, want %v", got, tickAges)
		}
	}
}
