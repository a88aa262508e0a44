package usage

import (
	"cmp"
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
)

// Files gives the messages of homes that are not in an index, as a Reporter does, right
// from their transcripts. Of a Location it knows only which session it is.
type Files struct {
	list []spentFile
}

// spentFile is a transcript and the messages that count there.
type spentFile struct {
	store    *sesskeep.Store
	dir      sesskeep.ProjectKey
	location *ask.Location
	ref      sesskeep.Ref
	rows     []sesskeep.UsageRow
	fork     string // the session it was forked from, where an election needs to know
}

// spentRow is a message of a file, by their numbers.
type spentRow struct{ file, row int }

// ReadFiles reads what the messages of homes consumed. A transcript that cannot
// be read has none, as in an index.
func ReadFiles(ctx context.Context, homes []ask.Home, workers int) (*Files, error) {
	x := &Files{}
	for _, h := range homes {
		folders, err := h.Store.Folders()
		if err != nil {
			return nil, err
		}
		for _, f := range folders {
			for _, ref := range f.Refs {
				x.list = append(x.list, spentFile{store: h.Store, dir: f.Dir, ref: ref, location: &ask.Location{ID: ref.ID(), Root: h.Store.Root()}})
			}
		}
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	inParallel(ctx, workers, len(x.list), func(i int) { x.list[i].read() })
	x.elect(ctx, workers)
	return x, ctx.Err()
}

// inParallel does something n times, until ctx ends.
func inParallel(ctx context.Context, workers, n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(workers, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

func (f *spentFile) read() {
	session, rows, err := sesskeep.ReadUsage(f.store, f.ref)
	if err != nil {
		return
	}
	if f.ref.Agent != "" {
		f.location.Session = string(session)
	}
	completeLocation(f.location)
	f.location.Root, f.location.Trashed = ask.HomeRoot(f.location.Root)
	f.location.Key = row.KeyOf(row.HomeKey(f.store), f.location.ID, string(session))
	f.rows = rows
	for i := range f.rows {
		f.rows[i].Usage = Bounded(f.rows[i].Usage)
	}
}

// elect leaves every message where it counts, by the rule of the index. It finds out
// which file was forked from which only where that can decide something.
func (x *Files) elect(ctx context.Context, workers int) {
	winner, alike := x.vote(nil)
	if again := x.repeating(alike); len(again) > 0 {
		x.findOrigins(ctx, workers, again)
		winner, _ = x.vote(x.origins())
	}
	for i := range x.list {
		kept := x.list[i].rows[:0]
		for j, row := range x.list[i].rows {
			if winner[row.Message] == (spentRow{i, j}) {
				kept = append(kept, row)
			}
		}
		x.list[i].rows = kept
	}
}

// vote finds where every message counts, and which of them are alike in all figures, so
// that their files decide.
func (x *Files) vote(origins origins) (winner map[string]spentRow, alike map[string]bool) {
	winner, alike = map[string]spentRow{}, map[string]bool{}
	for i := range x.list {
		for j := range x.list[i].rows {
			id, r := x.list[i].rows[j].Message, spentRow{i, j}
			old, had := winner[id]
			if !had {
				winner[id] = r
				continue
			}
			order := x.compareFigures(r, old)
			if order == 0 {
				alike[id] = true
				order = x.compareFiles(r, old, origins)
			}
			if order < 0 {
				winner[id] = r
			}
		}
	}
	return winner, alike
}

// compareFiles compares by where a message is written.
func (x *Files) compareFiles(a, b spentRow, origins origins) int {
	f, g := &x.list[a.file], &x.list[b.file]
	id := f.rows[a.row].Message
	return cmp.Or(db.CompareBool(origins.have(f, id), origins.have(g, id)), strings.Compare(f.store.Root(), g.store.Root()), strings.Compare(f.ref.File, g.ref.File))
}

// compareFigures compares by what the message itself says.
func (x *Files) compareFigures(a, b spentRow) int {
	r, o := &x.list[a.file].rows[a.row], &x.list[b.file].rows[b.row]
	return cmp.Or(cmp.Compare(o.Usage.Output, r.Usage.Output), db.CompareBool(r.Sidechain, o.Sidechain), cmp.Compare(r.Time.UnixMilli(), o.Time.UnixMilli()))
}

// Messages is that of a Reporter, for a filter that asks about [OnlyMessages].
func (x *Files) Messages(_ context.Context, wanted ask.Filter, visit func(m *ask.Message)) error {
	f := filter{row.Filter{Filter: wanted}}
	for i := range x.list {
		m := ask.Message{Location: x.list[i].location}
		for _, r := range x.list[i].rows {
			m.At, m.Model, m.Branch, m.Sidechain, m.Call, m.Usage = r.Time.UnixMilli(), r.Model, r.Branch, r.Sidechain, r.Call != "", r.Usage
			if f.accepts(&m) {
				visit(&m)
			}
		}
	}
	return nil
}

// Times visits the time of every message, as a Reporter does.
func (x *Files) Times(ctx context.Context, _ []ask.Home, visit func(ms int64)) error {
	return x.Messages(ctx, ask.Filter{}, func(m *ask.Message) { visit(m.At) })
}

// OnlyMessages reports whether a filter asks about nothing but messages: their homes,
// times, models and branches. Files can answer only those.
func OnlyMessages(f ask.Filter) bool {
	rest := row.Filter{Filter: f}
	rest.Homes, rest.Since, rest.Until, rest.Model, rest.Branch = nil, time.Time{}, time.Time{}, "", ""
	where, _ := rest.Where()
	return where == "1" && (f.Source == "" || f.Source == "all")
}
