package acts

import (
	"crypto/rand"
	"encoding/hex"
	"errors"

	"sesskeep/internal/shelf"
)

// Doing says how acts on sessions are made: by whom, and with which options.
type Doing struct {
	Actor  shelf.Actor
	DryRun bool // only report what would be done
	Force  bool // also act on sessions that are being written
	// Batch is the same for all acts of one request, which are undone together;
	// empty: each act is a request of its own. NewBatch returns a new one.
	Batch string
	// Progress is called with the number of finished sessions; it may be nil.
	Progress func(done, total int)
}

func (d *Doing) Report(done, total int) {
	if d.Progress != nil {
		d.Progress(done, total)
	}
}

// BatchFor returns the batch of n acts; a single act has none.
func (d *Doing) BatchFor(n int) string {
	if d.Batch != "" || n < 2 {
		return d.Batch
	}
	return NewBatch()
}

// NewBatch returns a name for the acts of one command or request.
func NewBatch() string {
	name := make([]byte, 6)
	_, _ = rand.Read(name) // it never fails
	return hex.EncodeToString(name)
}

// ErrNoShelf says that changes have no place to be noted in.
var ErrNoShelf = errors.New("there is no directory for our own data")
