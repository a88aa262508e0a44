package index

import (
	"cmp"
	"context"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
)

// A home that was never read is read in portions if it has very many folders, so
// that lists have something to show soon and memory does not grow with the home.
// Tests have less of everything.
var (
	manyFolders   = 500    // from here on
	firstPortion  = 1000   // files: what a screen shows, and some more
	laterPortions = 20_000 // files
)

// portions absorbs a home that the index does not have yet, a part of its folders
// at a time, those that changed last first. A look at all of it follows, which
// finds what was written meanwhile.
func (x *Index) portions(ctx context.Context, born int64, h ask.Home, o Options, r *Report) error {
	if x.whole(ctx, []ask.Home{h}, 1) || !present(h, r) {
		return nil
	}
	keys, err := x.newFolders(ctx, h)
	if err != nil || len(keys) < manyFolders {
		return err
	}
	latestFolders(h.Store, keys)
	p := progress{tell: o.Progress, folders: len(keys)}
	for most := firstPortion; len(keys) > 0; most = laterPortions {
		n := newNews(h)
		n.partial = true
		var names []string
		for len(keys) > 0 && n.files < most {
			names = append(names, n.list(keys[0], nil)...)
			keys = keys[1:]
		}
		if err := x.resolve(ctx, n, names, o.RowsOnly); err != nil {
			return err
		}
		var part Report
		o.Progress = p.portion(len(keys))
		if err := x.apply(ctx, born, []*news{n}, o, &part); err != nil {
			return err
		}
		r.Read += part.Read
		r.Bytes += part.Bytes
	}
	return nil
}

// newFolders are those that the index has nothing of. What a reading that was
// broken off has left of others is for the look at all of it.
func (x *Index) newFolders(ctx context.Context, h ask.Home) ([]sesskeep.ProjectKey, error) {
	keys, err := h.Store.ProjectKeys()
	if err != nil || len(keys) < manyFolders {
		return nil, nil // the look that follows says what is wrong
	}
	rows, err := x.db.QueryContext(ctx, "SELECT dir FROM folder WHERE root = (SELECT id FROM root WHERE path = ?)", h.Store.Root())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := map[sesskeep.ProjectKey]bool{}
	for rows.Next() {
		var dir string
		if err := rows.Scan(&dir); err != nil {
			return nil, err
		}
		known[sesskeep.ProjectKey(dir)] = true
	}
	return slices.DeleteFunc(keys, func(key sesskeep.ProjectKey) bool { return known[key] }), rows.Err()
}

// latestFolders sorts folders by when something came into them.
func latestFolders(s *sesskeep.Store, keys []sesskeep.ProjectKey) {
	changed := make([]int64, len(keys))
	at := map[sesskeep.ProjectKey]int64{}
	everywhere(len(keys), func(i int) {
		stamp, _ := s.Stamp("projects/" + string(keys[i]))
		changed[i] = stamp.Modtime
	})
	for i, key := range keys {
		at[key] = changed[i]
	}
	slices.SortStableFunc(keys, func(a, b sesskeep.ProjectKey) int { return cmp.Compare(at[b], at[a]) })
}

// progress tells how far all portions are. How many files there are is guessed from
// the folders that were listed.
type progress struct {
	tell    func(done, total int, bytes int64)
	folders int
	files   int   // of the portions before
	bytes   int64 // of them
}

// portion is told how far a portion is, after which some folders are left.
func (p *progress) portion(left int) func(done, total int, bytes int64) {
	if p.tell == nil {
		return nil
	}
	before, size := p.files, p.bytes
	listed := max(1, p.folders-left)
	return func(done, total int, bytes int64) {
		p.files, p.bytes = before+total, size+bytes
		p.tell(before+done, p.files+left*(p.files/listed), p.bytes)
	}
}
