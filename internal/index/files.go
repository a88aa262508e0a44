package index

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep"
)

// Files gives the messages of homes that are not in an index, as an Index does,
// right from their transcripts. It tells of a Place only which session it is.
type Files struct {
	list []spentFile
}

// spentFile is a transcript and the messages that count there.
type spentFile struct {
	place *Place
	ref   sesskeep.Ref
	rows  []sesskeep.UsageRow
}

// ReadFiles reads what the messages of homes consumed. A transcript that cannot
// be read has none, as in an index.
func ReadFiles(ctx context.Context, homes []Home, workers int) (*Files, error) {
	x := &Files{}
	var stores []*sesskeep.Store
	for _, h := range homes {
		folders, err := h.Store.Folders()
		if err != nil {
			return nil, err
		}
		for _, f := range folders {
			for _, ref := range f.Refs {
				x.list = append(x.list, spentFile{ref: ref, place: &Place{ID: ref.ID(), Root: h.Store.Root()}})
				stores = append(stores, h.Store)
			}
		}
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(workers, len(x.list)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(x.list) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				x.list[i].read(stores[i])
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	x.elect()
	return x, nil
}

func (f *spentFile) read(store *sesskeep.Store) {
	spent, err := store.Spending(f.ref)
	if err != nil {
		return
	}
	if f.ref.Agent != "" {
		f.place.Session = string(spent.Session)
	}
	f.place.settle()
	f.place.Key = keyOfRow(keyOf(store), f.place.ID, string(spent.Session))
	f.rows = spent.Rows
	for i := range f.rows {
		f.rows[i].Usage = bounded(f.rows[i].Usage)
	}
}

// elect leaves every message where it counts, by the rule of the index.
func (x *Files) elect() {
	type entry struct{ file, row int }
	winner := map[string]entry{}
	for i := range x.list {
		for j := range x.list[i].rows {
			id := x.list[i].rows[j].Message
			old, had := winner[id]
			if !had || x.list[i].before(j, &x.list[old.file], old.row) {
				winner[id] = entry{i, j}
			}
		}
	}
	for i := range x.list {
		kept := x.list[i].rows[:0]
		for j, row := range x.list[i].rows {
			if winner[row.Message] == (entry{i, j}) {
				kept = append(kept, row)
			}
		}
		x.list[i].rows = kept
	}
}

// before reports whether a message counts here and not there; see elect.
func (f *spentFile) before(row int, o *spentFile, other int) bool {
	a, b := &f.rows[row], &o.rows[other]
	return cmp.Or(cmp.Compare(b.Usage.Output, a.Usage.Output), compareBool(a.Sidechain, b.Sidechain),
		cmp.Compare(a.Time.UnixMilli(), b.Time.UnixMilli()), strings.Compare(f.place.Root, o.place.Root),
		strings.Compare(f.ref.File, o.ref.File)) < 0
}

// Messages is that of an Index for a filter that [Filter.OfMessages].
func (x *Files) Messages(_ context.Context, f Filter, visit func(m *Message)) error {
	for i := range x.list {
		m := Message{Place: x.list[i].place}
		for _, r := range x.list[i].rows {
			m.At, m.Model, m.Sidechain, m.Usage = r.Time.UnixMilli(), r.Model, r.Sidechain, r.Usage
			if f.covers(m.At) && f.takesModel(m.Model) {
				visit(&m)
			}
		}
	}
	return nil
}

// Times is that of an Index.
func (x *Files) Times(ctx context.Context, _ []Home, visit func(ms int64)) error {
	return x.Messages(ctx, Filter{}, func(m *Message) { visit(m.At) })
}

// OfMessages reports whether the filter is about nothing but messages: which
// homes, when, which model.
func (f Filter) OfMessages() bool {
	rest := f
	rest.Homes, rest.Since, rest.Until, rest.Model = nil, time.Time{}, time.Time{}, ""
	where, _ := rest.where()
	return where == "1" && (f.Source == "" || f.Source == "all")
}

// Knows reports whether the text and the usage of all of these homes were in the
// index once, so that what is new is all there is to read.
func (x *Index) Knows(ctx context.Context, roots []string) (bool, error) {
	roots = slices.Compact(slices.Sorted(slices.Values(roots)))
	var n int
	err := x.read.QueryRowContext(ctx, "SELECT count(*) FROM root WHERE whole >= 2 AND path IN ("+marks(len(roots))+")", anys(roots)...).Scan(&n)
	return n == len(roots), err
}
