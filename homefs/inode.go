package homefs

// inode identifies a file on disk, whatever its name is. Where the system knows no inodes
// only Links is set.
type inode struct {
	Device, Number uint64
	Changed        int64  // ctime, nanoseconds since 1970
	Links          uint64 // how many names the file has
}
