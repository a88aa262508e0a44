package host

import "time"

// Load is what a process takes up.
type Load struct {
	CPU    time.Duration // processor time since it started
	Memory int64         // bytes in memory
}
