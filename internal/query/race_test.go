//go:build race

package query_test

// tries is how often a random test tries: the race detector makes everything
// several times slower.
func tries(n int) int { return n / 10 }
