package index

import (
	"cmp"
	"context"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
)

// A home that was never read is read in parts if it has very many folders, so
// that lists have something to show soon and memory does not grow with the home.
// Tests have less of everything.
var (
	manyFolders = 500    // from here on
	firstPart   = 1000   // files: what a screen shows, and some more
	laterParts  = 20_000 // files
)

// walkInParts absorbs a home that the index does not have yet, a part of its folders
// at a time, most recently changed first. A comparison of all of it follows, which
// finds what was written meanwhile.
func (x *Index) walkInParts(ctx context.Context, born int64, h ask.Home, o Options, r *Report) error {
	if x.known.whole(ctx, []ask.Home{h}, 1) {
		return nil
	}
	if there, err := x.present(ctx, h, &Report{}); err != nil || !there { // the comparison reports it
		return err
	}
	keys, err := x.known.newFolders(ctx, h)
	if err != nil || len(keys) < manyFolders {
		return err
	}
	latestFolders(h.Store, keys)
	p := progress{report: o.Progress, folders: len(keys)}
	for most := firstPart; len(keys) > 0; most = laterParts {
		n := newHomeDiff(h)
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
		o.Progress = p.part(len(keys))
		if err := x.apply(ctx, born, []*homeDiff{n}, o, &part); err != nil {
			return err
		}
		r.Read += part.Read
		r.Bytes += part.Bytes
	}
	return nil
}

// latestFolders sorts folders by when something came into them.
func latestFolders(s *sesskeep.Store, keys []sesskeep.ProjectKey) {
	changed := make([]int64, len(keys))
	at := map[sesskeep.ProjectKey]int64{}
	parallel(len(keys), func(i int) {
		stamp, _ := s.Files().Stamp("projects/" + string(keys[i]))
		changed[i] = stamp.Modtime
	})
	for i, key := range keys {
		at[key] = changed[i]
	}
	slices.SortStableFunc(keys, func(a, b sesskeep.ProjectKey) int { return cmp.Compare(at[b], at[a]) })
}

// progress reports how far all parts are. How many files there are is guessed from
// the folders that were listed.
type progress struct {
	report  func(done, total int, bytes int64)
	folders int
	files   int   // of the batches of folders before
	bytes   int64 // of them
}

// part is called with how far a part is, after which some folders are left.
func (p *progress) part(left int) func(done, total int, bytes int64) {
	if p.report == nil {
		return nil
	}
	before, size := p.files, p.bytes
	listed := max(1, p.folders-left)
	return func(done, total int, bytes int64) {
		p.files, p.bytes = before+total, size+bytes
		p.report(before+done, p.files+left*(p.files/listed), p.bytes)
	}
}
