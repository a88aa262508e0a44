package label

import (
	"context"
	"os"
	"testing"
)

// A damaged database is named, and not mended.
func TestVerify(t *testing.T) {
	j := newJournal(t)
	j.some(t, 20)
	ctx := context.Background()
	if flaws := j.Verify(ctx); len(flaws) > 0 {
		t.Fatalf("%v", flaws)
	}
	file, err := os.ReadFile(j.path())
	check(t, err)
	for i := len(file) / 2; i < len(file); i++ {
		file[i] ^= 0x55
	}
	check(t, os.WriteFile(j.path(), file, 0o600))
	flaws := j.Verify(ctx)
	if len(flaws) != 1 || flaws[0].File != j.path() {
		t.Errorf("%v", flaws)
	}
	now, err := os.ReadFile(j.path())
	if err != nil || string(now) != string(file) {
		t.Error("it was mended")
	}
}
