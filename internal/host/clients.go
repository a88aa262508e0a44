package host

import "time"

// Process is a running client.
type Process struct {
	PID     int
	Cwd     string // where it runs
	Started time.Time
}
