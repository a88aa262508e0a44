package storetest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Seed is where the chance of a law begins: another one each time, unless SESSKEEP_SEED
// asks for the one of an earlier run. It is logged, so that a failure can be repeated.
func Seed(t testing.TB) uint64 {
	t.Helper()
	text := os.Getenv("SESSKEEP_SEED")
	if text == "" {
		seed := uint64(rand.Uint32())
		t.Logf("SESSKEEP_SEED=%d repeats this run", seed)
		return seed
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("SESSKEEP_SEED: %v", err)
	}
	return seed
}
