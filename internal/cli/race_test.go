//go:build race

package cli

// every is how many sessions of the hostile home a test goes on by. All of them
// take minutes under the race detector, and it learns nothing from most.
const every = 8
