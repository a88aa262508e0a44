package vault

import (
	"errors"
	"testing"
)

// On a file system without room nothing is kept, whatever the quota allows. /proc has
// none.
func TestRoomFull(t *testing.T) {
	for _, quota := range []int64{0, 1 << 40} {
		if err := New("/proc/keep", Options{}).Room(Policy{Quota: quota}); !errors.Is(err, ErrFull) {
			t.Errorf("with a quota of %d: %v", quota, err)
		}
	}
}
