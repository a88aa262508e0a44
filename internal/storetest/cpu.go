package storetest

import (
	"testing"
	"time"
)

// CPU is how much processor time this process has used. A test of what
// something costs compares two of these: on a busy machine the same work takes
// longer, but no more of it. The test must not be parallel to others.
func CPU(t testing.TB) time.Duration {
	t.Helper()
	used, err := processorTime()
	if err != nil {
		t.Fatal(err)
	}
	return used
}
