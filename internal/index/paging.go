package index

import (
	"sync"
	"time"

	"sesskeep/internal/cursor"
)

// list names what a filter lists. Times are left out: two days ago is another
// moment on every page.
func (f *filter) list() string {
	return cursor.Hash("sessions", rootsOf(f.Homes), f.In, f.Project, f.Source, f.Started, f.Branch, f.Model, f.Parent, f.Fork,
		f.Title, f.Slug, f.ID, f.MinSize, f.Empty, f.Archived, f.Query.String(), f.Sessions, f.States, f.Sort)
}

// list names what a search finds.
func (s *search) list() string {
	return cursor.Hash("search", s.Query.String(), string(s.Raw), s.In, s.Recent, s.Hits, s.Context, (&filter{s.Filter}).list())
}

// after is the condition that a row comes after the one a cursor names.
func (o *order) after(c cursor.Cursor) (string, []any) {
	if !c.HasPosition() {
		return "1", nil
	}
	value, than, tie := any(c.Number), ">", ">"
	if o.text {
		value = c.Text
	}
	if o.down {
		than = "<"
	}
	if o.back {
		tie = "<"
	}
	return o.value + " " + than + "= ? AND (" + o.value + " " + than + " ? OR (r.id, r.root, r.file) " + tie + " (?, ?, ?))",
		[]any{value, value, c.Key, c.Rest[0], c.Rest[1]}
}

// What is remembered of a list is kept as long as somebody may go on with it.
const trailHolds = time.Minute

// trails is what an index remembers of lists that are read page by page, of some
// of them at a time. Without it they can be gone on with too, but then a row that
// was given and moves behind the cursor comes again.
type trails[T any] struct {
	mu   sync.Mutex
	held map[string]trail[T]
}

type trail[T any] struct {
	what T
	till time.Time
}

// trailsHeld is how many lists are remembered.
const trailsHeld = 64

// keep remembers what under a name.
func (t *trails[T]) keep(name string, what T, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	oldest := ""
	for name, h := range t.held {
		if h.till.Before(now) {
			delete(t.held, name)
		} else if oldest == "" || h.till.Before(t.held[oldest].till) {
			oldest = name
		}
	}
	if _, known := t.held[name]; !known && len(t.held) >= trailsHeld {
		delete(t.held, oldest)
	}
	if t.held == nil {
		t.held = map[string]trail[T]{}
	}
	t.held[name] = trail[T]{what, now.Add(trailHolds)}
}

// find gives what is remembered under a name.
func (t *trails[T]) find(name string, now time.Time) (what T, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, ok := t.held[name]
	if !ok || h.till.Before(now) {
		return what, false
	}
	return h.what, true
}

// fileKey names the file of a row in SQL, in whichever home.
const fileKey = "r.root || ' ' || f.name"

// notGiven leaves out files whose rows came on an earlier page, by name: one that
// was written anew is the same.
func notGiven(files []string) (string, []any) {
	if len(files) == 0 {
		return "1", nil
	}
	return "(SELECT " + fileKey + " FROM file f WHERE f.id = r.file) NOT IN (SELECT value FROM json_each(?))", []any{jsonText(files)}
}
