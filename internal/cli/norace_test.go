//go:build !race

package cli

// every is how many sessions of the hostile home a test goes on by.
const every = 1
