//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package live

// A kqueue holds every file of a watched directory open. Directories that do
// not fit into the room are looked at instead.
const (
	costOfFile = 1
	watchRoom  = 2048
)
