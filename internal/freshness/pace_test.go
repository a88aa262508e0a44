package freshness

import (
	"testing"
	"time"
)

// Walks that are of no use become rare, and never too rare; one that is makes
// them as frequent as at first.
func TestNextSweep(t *testing.T) {
	rest := sweepTime
	for range 10 {
		next := nextSweep(rest, false)
		if next < rest || next > idleSweep {
			t.Errorf("%v follows %v", next, rest)
		}
		rest = next
	}
	if rest != idleSweep || nextSweep(rest, true) != sweepTime {
		t.Errorf("it ends with %v", rest)
	}
}

// A change that comes alone is absorbed at once. Those that come all the time wait
// for each other, and never long.
func TestGather(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, c := range []struct {
		files           int
		took, ago, want time.Duration
	}{
		{0, 0, time.Hour, ms(20)}, {1, ms(5), time.Hour, ms(20)}, {1, ms(5), 0, ms(200)}, {1, ms(5), ms(40), ms(160)}, {1, ms(5), ms(195), ms(20)},
		{1, ms(1), 0, ms(150)}, {1, time.Second, 0, ms(1000)}, {1, time.Second, ms(1200), ms(20)},
		{7, ms(5), 0, ms(1050)}, {7, ms(5), ms(1040), ms(20)}, {1000, ms(5), 0, ms(3000)}, {1000, ms(5), time.Hour, ms(20)},
	} {
		if got := gather(c.files, c.took, c.ago); got != c.want {
			t.Errorf("%d files took %v, ended %v ago: got %v, want %v", c.files, c.took, c.ago, got, c.want)
		}
	}
}

// A question has what was written a moment before it, however long changes are
// gathered, and does not wait for an owner that cannot answer.
func TestQuestionCatchesUp(t *testing.T) {
	o := &owner{done: make(chan struct{}), asked: make(chan chan struct{})}
	o.catchUp(t.Context()) // nothing is due
	o.overdue.Store(time.Now().Add(time.Hour).UnixNano())
	o.catchUp(t.Context()) // it was absorbed a moment ago
	o.overdue.Store(1)
	answered := make(chan bool, 1)
	go func() {
		answer := <-o.asked
		answered <- true
		close(answer)
	}()
	o.catchUp(t.Context())
	select {
	case <-answered:
	default:
		t.Error("the owner was not asked")
	}
	o.catchUp(t.Context()) // nobody answers: it comes back all the same
	close(o.done)
	o.catchUp(t.Context())
}
