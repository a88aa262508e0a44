package acts

import (
	"crypto/rand"
	"encoding/hex"
	"errors"

	"sesskeep/internal/shelf"
)

// Doing is how acts on sessions are made: by whom, and how far.
type Doing struct {
	Actor  shelf.Actor
	DryRun bool // only tell what would be done
	Force  bool // to sessions that are being written too
	// Batch is the same for all acts of one request, which are taken back together;
	// empty: each act is a request of its own. NewBatch makes one.
	Batch string
	// Progress is told how many sessions are done with; it may be nil.
	Progress func(done, total int)
}

func (d *Doing) Report(done, total int) {
	if d.Progress != nil {
		d.Progress(done, total)
	}
}

// BatchFor is that of so many acts; one alone has none.
func (d *Doing) BatchFor(n int) string {
	if d.Batch != "" || n < 2 {
		return d.Batch
	}
	return NewBatch()
}

// NewBatch names the acts of one command or request.
func NewBatch() string {
	name := make([]byte, 6)
	_, _ = rand.Read(name) // it never fails
	return hex.EncodeToString(name)
}

// ErrNoShelf says that changes have no place to be noted in.
var ErrNoShelf = errors.New("there is no directory for our own data")
