package index

import (
	"os"
	"strconv"
	"testing"
)

// number is how often a test does something: more than ordinary by a variable
// of the environment.
func number(t *testing.T, variable string, ordinary uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return max(1, uint64(float64(ordinary)*pace))
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}
