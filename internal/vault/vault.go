package vault

import (
	"errors"
	"time"

	"sesskeep/internal/disk"
)

// ErrHeld says that another process is writing the same copies for too long.
var ErrHeld = errors.New("another sesskeep is writing the copies")

// Vault is a directory with copies.
type Vault struct {
	dir string
	o   Options
}

// Options say how a Vault works. The zero value is the usual way.
type Options struct {
	Disk disk.System      // nil: the real one
	Now  func() time.Time // nil: time.Now
	// Rest is how long a file must not have been written for its end to be
	// compressed; 0: ten minutes.
	Rest time.Duration
	// Patience is how long another process is waited for; 0: ten seconds.
	Patience time.Duration

	frame  int64 // size of a frame; 0: frameSize
	mirror bool  // it is the mirror of another vault, and has none
}

// New returns the vault in a directory, which is made when it is needed.
func New(dir string, o Options) *Vault {
	if o.Disk == nil {
		o.Disk = disk.Real
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rest == 0 {
		o.Rest = 10 * time.Minute
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.frame == 0 {
		o.frame = frameSize
	}
	return &Vault{dir: dir, o: o}
}

// Dir is the directory of the vault.
func (v *Vault) Dir() string { return v.dir }
