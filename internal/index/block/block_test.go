package block

import (
	"math/rand/v2"
	"testing"

	"sesskeep/internal/gram"
)

// Turned on their side, filters have the same bits.
func TestSideways(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	filters := make([]gram.Filter, SegmentBlocks)
	for i := range filters {
		for j := range filters[i] {
			filters[i][j] = rng.Uint64() & rng.Uint64()
		}
	}
	sliced := sideways(filters)
	for range 100_000 {
		bucket, block := rng.IntN(gram.Bits), rng.IntN(SegmentBlocks)
		want := filters[block][bucket/64]>>(bucket%64)&1 != 0
		if got := sliced[bucket*SegmentBlocks/8+block/8]>>(block%8)&1 != 0; got != want {
			t.Fatalf("bucket %d of block %d: %v", bucket, block, got)
		}
	}
}
