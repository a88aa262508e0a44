//go:build !unix

package regular

// Nonblock does nothing where opening a file never waits.
const Nonblock = 0
