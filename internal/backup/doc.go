// Package backup writes backups into a directory or one file, and reads them.
//
// A [Repository] has any number of backups. [NewWriter] begins one; add files with
// [Writer.Add] and finish with [Writer.Commit]; [Repository.List] and [Repository.Load] find
// it again, [Repository.Open] reads a file of it, and [Repository.Verify] checks everything.
//
// # How it is stored
//
//	sesskeep-backup.json  what this directory is, and which version a reader must understand
//	key.age               if it is encrypted: the key of everything else, behind a passphrase
//	                      or for recipients, as age encrypts it
//	packs/<hash>          compressed chunks, about 16 MiB in total
//	backups/<time>-<hash> a backup: the list of its files with their chunks
//
// A file is cut into chunks of at most 1 MiB, which are named by the SHA-256 of their bytes
// and stored once, even if several files or backups have them. Of a file that grew only the
// chunks of its end are new: a [homefs.Mark] shows that the rest did not change. A repository
// in one file is a tar archive of the same files, and holds one backup.
//
// # What can be relied on
//
// Files that were written are never changed or removed. A pack or a list gets its name when it
// is completely on disk, and the list of a backup is written last. So if a writer is killed or
// the disk is full, earlier backups stay whole, and the next backup uses what the killed one
// had stored. Names of packs and lists are hashes of their bytes, so [Repository.Verify] finds
// every changed bit, even without the key.
package backup

import (
	"errors"
	"io/fs"
	"time"

	"sesskeep/homefs"
	"sesskeep/internal/disk"
)

// Reasons why a repository or a part of it cannot be used.
var (
	// ErrNone says that there is no backup.
	ErrNone = errors.New("there is no backup")
	// ErrDamaged says that stored bytes are not the ones that were written.
	ErrDamaged = errors.New("the backup is damaged")
	// ErrKey says that the passphrase or the identity is missing or not the right one.
	ErrKey = errors.New("the backup cannot be decrypted")
	// ErrHeld says that another process is writing the same backups.
	ErrHeld = errors.New("another sesskeep is writing these backups")
	// ErrTaken says that the path of a repository is in use for something else.
	ErrTaken = errors.New("there is something else")
)

// Options say how a repository works. The zero value is ready to use.
type Options struct {
	Disk disk.System      // nil: the real one
	Now  func() time.Time // nil: time.Now
	Key  Key              // opens the repository, and encrypts a new one
}

func (o *Options) orUsual() {
	if o.Disk == nil {
		o.Disk = disk.Real
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Head says what a backup is of.
type Head struct {
	ID          string    `json:"id"`
	Time        time.Time `json:"time"`
	Machine     string    `json:"machine"`     // id of the machine
	MachineName string    `json:"machineName"` // host name of the machine
	Homes       []Home    `json:"homes"`
	Files       int       `json:"fileCount"`
	Size        int64     `json:"fileSize"` // bytes of all files
	// Unread are files that could not be read: the backup lacks them.
	Unread []Unread `json:"unread,omitempty"`
	// Left are names at the top of the homes that are not backed up.
	Left []string `json:"leftOut,omitempty"`
}

// Home is a home in a backup.
type Home struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Machine string `json:"machine"` // id of its machine
	Root    string `json:"root"`    // its path on that machine
}

// Unread is a file that could not be read.
type Unread struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// File is a file in a backup.
type File struct {
	Tree     string      `json:"tree"` // tree that it belongs to: see package travel
	Name     string      `json:"name"` // slash path in the tree
	Size     int64       `json:"size"`
	Mode     fs.FileMode `json:"mode"`
	Modified time.Time   `json:"modified"`
	Mark     homefs.Mark `json:"mark"` // mark of the source
	Chunks   IDs         `json:"chunks,omitempty"`
}

// Backup is the list of a backup.
type Backup struct {
	Head
	List []File
}
