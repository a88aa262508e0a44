package shell

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// The limit leaves room for garbage beside what is in use, and comes back to where it was once
// that is released. A user's own limit stays.
func TestMemoryLimitFollows(t *testing.T) {
	const floor, used = 16 << 20, 64 << 20
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	reaches := func(what string, ok func(limit int64) bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !ok(debug.SetMemoryLimit(-1)); time.Sleep(time.Millisecond) {
			if runtime.GC(); time.Now().After(end) {
				t.Fatalf("%s: the limit is %d MB", what, debug.SetMemoryLimit(-1)>>20)
			}
		}
	}
	t.Setenv("GOMEMLIMIT", "1GiB")
	debug.SetMemoryLimit(math.MaxInt64)
	limitMemory(floor)
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		t.Errorf("the user's limit became %d", limit)
	}
	t.Setenv("GOMEMLIMIT", "")
	limitMemory(floor)
	if limit := debug.SetMemoryLimit(-1); limit != floor {
		t.Errorf("it starts with %d", limit)
	}
	live := make([]byte, used)
	reaches("in use", func(limit int64) bool { return limit >= used*3/2 })
	runtime.KeepAlive(live)
	live = nil
	reaches("released", func(limit int64) bool { return limit < used })
}
