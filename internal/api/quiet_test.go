package api

import (
	"testing"
	"testing/synctest"
	"time"
)

// Memory is given back once after the last request, and not between requests.
func TestQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		q := newQuiet(func() { calls++ })
		pass := func(d time.Duration, want int) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if calls != want {
				t.Fatalf("%d calls, want %d", calls, want)
			}
		}
		pass(quietAfter, 1) // after the start
		pass(time.Hour, 1)
		for range 5 {
			q.disturb()
			pass(quietAfter-time.Second, 1)
		}
		pass(time.Second, 2)
		pass(time.Hour, 2)
	})
	quiet{}.disturb()
	newQuiet(nil).disturb()
}
