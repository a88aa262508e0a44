//go:build !linux && !darwin

package sesskeep

import "io/fs"

// InodeOf returns what the file system says of a file besides its size and time: nothing.
func InodeOf(fs.FileInfo) Inode { return Inode{Links: 1} }
