package host

import (
	"os"
	"testing"
	"time"
)

func TestLoad(t *testing.T) {
	got, ok := parseLoad("7 (a) b) S 1 1 1 0 -1 0 0 0 0 0 150 50 0 0 20 0 1 0 9 0 0", "900 25 1 1 0 1 0\n")
	if want := (Load{2 * time.Second, 25 * int64(os.Getpagesize())}); got != want || !ok {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, stat := range []string{"", "7 (a) S 1", "7 (a) S 1 1 1 0 -1 0 0 0 0 0 x y 0 0"} {
		if _, ok := parseLoad(stat, "1 2"); ok {
			t.Errorf("%q is understood", stat)
		}
	}
	if l, ok := LoadOf(os.Getpid()); !ok || l.Memory < 1<<20 {
		t.Errorf("this process takes %v", l)
	}
	if _, ok := LoadOf(1 << 30); ok {
		t.Error("a process that is none takes something")
	}
}
