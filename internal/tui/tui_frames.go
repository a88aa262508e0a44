package tui

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// maxFrames is how many pictures are drawn in a second at most.
const maxFrames = 30

const (
	frameTime = time.Second / maxFrames
	// firstFrame is how soon a change is drawn after a rest.
	firstFrame = 2 * time.Millisecond
	// frameStay is how long the clock keeps its full rate after a change.
	frameStay = 3 * frameTime
	// frameRest is the time between two frames at rest. It is not for ever, so that
	// a machine too busy to draw in frameStay shows the picture all the same.
	frameRest = time.Second
)

// frames is how often Bubble Tea looks whether there is something to draw. It
// wakes for that at a fixed rate, whether anything changed or not, and every time
// costs as much as all else that an interface at rest does. So its clock is slowed
// down while nothing changes:
//
//	rest ── wake ─▶ first frame, at once ─▶ full rate ── nothing for a while ─▶ rest
type frames struct {
	mu    sync.Mutex
	clock frameClock    // nil: it stays as it is
	every time.Duration // it ticks
	timer *time.Timer
	woken time.Time
}

// frameClock is a time.Ticker.
type frameClock interface{ Reset(time.Duration) }

// start finds the clock of a program. It must be called from Init, because the program
// has none before. Bubble Tea does not export the clock; where it is not found, the
// program keeps its own rate.
func (f *frames) start(p *tea.Program) {
	if p == nil {
		return
	}
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() || field.IsNil() {
		return
	}
	f.setClock((*time.Ticker)(field.UnsafePointer()))
}

func (f *frames) setClock(c frameClock) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clock, f.every, f.woken = c, frameTime, time.Now()
	f.timer = time.AfterFunc(frameStay, f.adjust)
}

// wake has what changed drawn.
func (f *frames) wake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.clock == nil {
		return
	}
	f.woken = time.Now()
	if f.every == frameRest {
		f.set(firstFrame)
		f.timer.Reset(2 * firstFrame)
	}
}

func (f *frames) set(every time.Duration) {
	if f.every != every {
		f.every = every
		f.clock.Reset(every)
	}
}

// adjust sets the rate once the first frame is over, and once there was nothing to
// draw for a while.
func (f *frames) adjust() {
	f.mu.Lock()
	defer f.mu.Unlock()
	left := frameStay - time.Since(f.woken)
	if left <= 0 {
		f.set(frameRest)
		return
	}
	f.set(frameTime)
	f.timer.Reset(left)
}

// end leaves the clock alone.
func (f *frames) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer != nil {
		f.timer.Stop()
	}
}
