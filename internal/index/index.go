package index

import "context"

// Index is an open index.
type Index struct {
	db *DB

	held     holder           // folds of files that grow
	lists    trails[[]string] // files that were given
	searches trails[*finding] // what was found
	counted  tallies

	walked walks // of this process
}

// Open opens the index in dir, and makes it if it is missing, of another
// version or damaged. An empty dir makes one in memory, and so does one that
// cannot be written: Degraded then says why.
func Open(dir string) (*Index, error) {
	x := &Index{}
	var err error
	x.db, err = OpenDB(dir, Hooks{Check: check, Replaced: x.forgetState})
	if err != nil {
		return nil, err
	}
	return x, nil
}

// forgetState drops what this process remembers of an index that was replaced.
func (x *Index) forgetState() {
	x.held.clear()
	x.walked.clear()
}

// Degraded says why an index that was to be kept on disk is in memory, where it
// has to be filled again every time. It is nil if all is as it should be.
func (x *Index) Degraded() error { return x.db.Degraded() }

// Edition is the file that answers come from now.
func (x *Index) Edition() Edition { return x.db.Edition() }

// Rebuild puts an empty index into the place of a damaged one. Walk fills it.
// Those who read in the meantime are not disturbed.
func (x *Index) Rebuild(ctx context.Context) error { return x.db.Rebuild(ctx) }

// Rest gives back what reading connections hold that nobody uses.
func (x *Index) Rest() { x.db.Rest() }

// Close lets go of the file.
func (x *Index) Close() error { return x.db.Close() }
