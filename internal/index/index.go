package index

import (
	"context"

	"sesskeep/internal/index/db"
	"sesskeep/internal/index/list"
	"sesskeep/internal/index/search"
	"sesskeep/internal/index/usage"
)

// Index is an open index.
type Index struct {
	db    *db.DB
	known records

	folds foldCache // folds of files that grow

	*list.Lister     // lists of sessions, and what they have in common
	*search.Searcher // text in transcripts
	*usage.Reporter  // what messages consumed

	walked walks // of this process
}

// Open opens the index in dir, and makes it if it is missing, of another
// version or damaged. An empty dir makes one in memory, and so does one that
// cannot be written: Degraded then says why.
func Open(dir string) (*Index, error) {
	x := &Index{}
	var err error
	x.db, err = db.Open(dir, db.Hooks{Check: check, Replaced: x.forgetState})
	if err != nil {
		return nil, err
	}
	x.known = records{x.db}
	x.Lister, x.Searcher, x.Reporter = list.New(x.db), search.New(x.db), usage.New(x.db)
	return x, nil
}

// forgetState drops what this process remembers of an index that was replaced.
func (x *Index) forgetState() {
	x.folds.clear()
	x.walked.clear()
}

// Degraded says why an index that was to be kept on disk is in memory, where it
// has to be filled again every time. It is nil if all is as it should be.
func (x *Index) Degraded() error { return x.db.Degraded() }

// Edition names the file that answers come from: another one is empty at first.
type Edition db.Edition

// Edition is the one that answers come from now.
func (x *Index) Edition() Edition { return Edition(x.db.Edition()) }

// Commit is the number of the last commit: answers that were found since are the same as now.
func (x *Index) Commit(ctx context.Context) (n int64, err error) {
	err = x.db.QueryRowContext(ctx, "SELECT n FROM change_counter").Scan(&n)
	return n, err
}

// Rebuild puts an empty index into the place of a damaged one. Walk fills it.
// Those who read in the meantime are not disturbed.
func (x *Index) Rebuild(ctx context.Context) error { return x.db.Rebuild(ctx) }

// ReleaseIdle gives back what reading connections hold that nothing uses.
func (x *Index) ReleaseIdle() { x.db.ReleaseIdle() }

// Damaged reports whether an error of an Index means that its file is not what
// it was. Rebuild, Walk and the same question again then give the answer.
func Damaged(err error) bool { return db.IsDamage(err) }

// Close lets go of the file.
func (x *Index) Close() error { return x.db.Close() }
