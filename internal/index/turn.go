package index

import (
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// Reader is another process that reads for the same index, and how far it is.
type Reader db.Reader

// longReading is from how many bytes of changed files on processes read one after another:
// a second of work.
var longReading int64 = 64 << 20

// isLong reports whether so much changed that only one process should read it.
func isLong(all []*homeDiff) bool {
	var bytes int64
	for _, n := range all {
		for i := range n.jobs {
			bytes += n.jobs[i].ref.Size
		}
	}
	return bytes >= longReading
}

// firstTurn takes the turn to read if something of the homes was never read; nil: all was.
func (x *Index) firstTurn(ctx context.Context, homes []ask.Home, o *Options, r *Report) (*db.Turn, error) {
	if x.known.whole(ctx, homes, o.level()) {
		return nil, nil
	}
	return x.waitForTurn(ctx, o, r)
}

// waitForTurn waits until no other process reads, and has those that come next see how far
// this one is.
func (x *Index) waitForTurn(ctx context.Context, o *Options, r *Report) (*db.Turn, error) {
	turn, waited, err := x.db.WaitForTurn(ctx, func(other db.Reader) {
		if o.Early {
			x.db.WantRows()
		}
		if o.Waiting != nil {
			o.Waiting(Reader(other))
		}
	})
	r.Waited = r.Waited || waited
	if turn == nil || err != nil {
		return nil, err
	}
	report := o.Progress
	o.waitedFor, o.Progress = true, func(done, total int, bytes int64) {
		turn.Report(done, total, bytes)
		if report != nil {
			report(done, total, bytes)
		}
	}
	return turn, nil
}
