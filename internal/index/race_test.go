//go:build race

package index

// pace is how much of a long test is run: the race detector makes everything
// several times slower.
const pace = 0.1
