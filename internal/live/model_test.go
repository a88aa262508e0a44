package live

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// TestModel does random things to the files of a home, and compares what
// subscribers made of the events with what the files say.
func TestModel(t *testing.T) {
	t.Parallel()
	ops := 10_000
	if testing.Short() {
		ops = 2000
	}
	if s := os.Getenv("SESSKEEP_LIVE_OPS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		ops = n
	}
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			const round = 1000 // operations in one home
			for seed := range max(1, ops/len(modes)/round) {
				model(t, uint64(seed), poll, round)
			}
		})
	}
}

func model(t *testing.T, seed uint64, poll bool, ops int) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "home")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	p := &place{t, dir}
	p.mkdir("projects")
	w := &writer{place: p, r: rand.New(rand.NewPCG(seed, 1)), half: map[string][]byte{}}
	for range 20 { // what lies there before
		w.step()
	}
	o := p.options()
	o.Poll = poll
	known := map[string]Known{} // some of the files, up to some line
	for name := range truth(o.Stores[0]) {
		if w.r.IntN(2) == 0 {
			known[name] = p.readTo(name, w.r.IntN(4)-1)
		}
	}
	o.Known = func(file File) (Known, bool) {
		k, ok := known[file.Name]
		return k, ok
	}
	h := New(o)
	h.pace = quick
	if !poll {
		h.pace.live = 50 * time.Millisecond
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.Run(ctx) }()
	<-h.Ready()
	first := newReader(h, o.Stores[0])
	readers := []*reader{first}
	for i := range ops {
		w.step()
		if i%(ops/8) == ops/16 {
			readers = append(readers, newReader(h, o.Stores[0]))
		}
		if i%(ops/4) == ops/4-1 {
			for n, r := range readers {
				if n%2 == 1 {
					r.resume()
				}
				r.compare(t, fmt.Sprintf("seed %d, operation %d, reader %d", seed, i, n))
			}
		}
		if t.Failed() {
			break
		}
	}
	cancel()
	for _, r := range readers {
		for range r.sub.Events() { // until it is closed
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// reader makes transcripts of events.
type reader struct {
	hub      *Hub
	store    *sesskeep.Store
	sub      *Subscription
	last     string // ID of the last event
	said     map[string][]string
	at       map[string]Position
	received map[string][]string // what came of each file, for a message
	wrong    string
}

func newReader(h *Hub, s *sesskeep.Store) *reader {
	r := &reader{hub: h, store: s}
	r.subscribe()
	return r
}

// subscribe begins with all files there are, from their start.
func (r *reader) subscribe() {
	r.said, r.at = map[string][]string{}, map[string]Position{}
	r.received = map[string][]string{}
	since := map[File]Position{}
	for name := range truth(r.store) {
		since[File{r.store.Root(), name}], r.at[name] = Position{}, Position{}
	}
	r.sub, r.last = r.hub.Subscribe(Interest{Lines: true, Since: since}), ""
}

// resume goes away, and continues after the last event it got.
func (r *reader) resume() {
	if r.last == "" {
		return
	}
	r.sub.Close()
	for range r.sub.Events() { // what was under way is not lost
	}
	r.sub = r.hub.Subscribe(Interest{Lines: true, After: r.last})
}

func (r *reader) apply(ev Event) {
	if ev.ID != "" {
		r.last = ev.ID
	}
	r.received[ev.File] = append(r.received[ev.File], fmt.Sprintf("%s %v-%v", ev.Kind, ev.From, ev.To))
	switch ev.Kind {
	case Lines:
		// The last words of a file that was deleted before we subscribed can
		// come, and then come from anywhere; its end follows.
		if at, ok := r.at[ev.File]; ok && at != ev.From {
			r.wrong = fmt.Sprintf("%s: was at %v: %s", ev.File, at, strings.Join(r.received[ev.File], "; "))
		}
		for _, e := range ev.Entries {
			r.said[ev.File] = append(r.said[ev.File], string(e.Raw))
		}
		r.at[ev.File] = ev.To
	case Replaced, Gone:
		delete(r.said, ev.File)
		r.at[ev.File] = Position{}
	case Reset:
		r.subscribe()
	}
}

// compare takes in events until they say what the files say.
func (r *reader) compare(t *testing.T, when string) {
	t.Helper()
	want := truth(r.store)
	maps.DeleteFunc(want, func(_ string, lines []string) bool { return len(lines) == 0 })
	end := time.NewTimer(time.Minute) // it is a law that they will; a busy machine takes its time
	defer end.Stop()
	for !maps.EqualFunc(r.said, want, slices.Equal[[]string]) {
		select {
		case ev := <-r.sub.Events():
			r.apply(ev)
		case <-end.C:
			t.Fatalf("%s: %s; %s", when, difference(r.said, want), strings.Join(r.received[differs(r.said, want)], "; "))
		}
		maps.DeleteFunc(r.said, func(_ string, lines []string) bool { return len(lines) == 0 })
		if r.wrong != "" {
			t.Fatalf("%s: %s", when, r.wrong)
		}
	}
}

// differs is the first file that is not as it should be.
func differs(got, want map[string][]string) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !slices.Equal(got[name], want[name]) {
			return name
		}
	}
	return ""
}

// difference is the first file that is not as it should be.
func difference(got, want map[string][]string) string {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !slices.Equal(got[name], want[name]) {
			at := 0
			for at < min(len(got[name]), len(want[name])) && got[name][at] == want[name][at] {
				at++
			}
			return fmt.Sprintf("%s has %d lines, want %d; from line %d on %.300q, want %.300q", name, len(got[name]), len(want[name]),
				at, slices.Concat(got[name][at:]), slices.Concat(want[name][at:]))
		}
	}
	for name := range got {
		if want[name] == nil {
			return name + " is not gone"
		}
	}
	return "nothing differs"
}

// truth is what all files say.
func truth(s *sesskeep.Store) map[string][]string {
	all := map[string][]string{}
	folders, _ := s.Folders()
	for _, f := range folders {
		for _, ref := range f.Refs {
			t, err := s.Tail(ref.File, homefs.Mark{})
			if err != nil {
				continue
			}
			all[ref.File] = []string{}
			for e, ok := t.Next(); ok; e, ok = t.Next() {
				all[ref.File] = append(all[ref.File], string(e.Raw))
			}
			t.Close()
		}
	}
	return all
}

// writer does what clients do to files, and much that they never do.
type writer struct {
	*place
	r     *rand.Rand
	n     int
	files []string
	half  map[string][]byte // the rest of a line that was begun
}

func (w *writer) step() {
	w.n++
	name := ""
	if len(w.files) > 0 {
		name = w.files[w.r.IntN(len(w.files))]
	}
	switch dice := w.r.IntN(1000); {
	case name == "" || dice < 40:
		w.create(fmt.Sprintf("projects/-p%d/%s.jsonl", w.r.IntN(4), w.uuid()))
	case dice < 80:
		w.create(fmt.Sprintf("%s/subagents/agent-a%d.jsonl", strings.TrimSuffix(w.main(name), ".jsonl"), w.n))
	case dice < 90:
		w.create(fmt.Sprintf("%s/subagents/workflows/w%d/agent-a%d.jsonl", strings.TrimSuffix(w.main(name), ".jsonl"), w.r.IntN(2), w.n))
	case dice < 100:
		w.create(fmt.Sprintf("projects/-q%d/agent-f%d.jsonl", w.n, w.n))
	case dice < 130:
		w.truncate(name)
	case dice < 140:
		w.rewrite(name)
	case dice < 170:
		w.renameOver(name)
	case dice < 190:
		w.remove(name)
	case dice < 210:
		w.remove(name)
		w.create(name)
	case dice < 213:
		w.removeDir(path.Dir(name))
	case dice < 216:
		w.moveDir(path.Dir(name))
	case dice < 240:
		time.Sleep(time.Duration(w.r.IntN(2000)) * time.Microsecond)
	default:
		w.extend(name)
	}
}

func (w *writer) uuid() string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", w.r.Uint32(), w.n)
}

// main is the transcript a file belongs to, or could.
func (w *writer) main(name string) string {
	parts := strings.Split(name, "/")
	if len(parts) == 3 && !strings.HasPrefix(parts[2], "agent-") {
		return name
	}
	if len(parts) == 3 {
		return parts[0] + "/" + parts[1] + "/" + w.uuid() + ".jsonl"
	}
	return strings.Join(parts[:3], "/") + ".jsonl"
}

// line is mostly a record, sometimes none.
func (w *writer) line() []byte {
	switch w.r.IntN(12) {
	case 0:
		return fmt.Appendf(nil, "damaged %d\n", w.n)
	case 1:
		return []byte("\n")
	case 2:
		return fmt.Appendf(nil, `{"type":"user","uuid":"%d"}{"type":"user","uuid":"%d b"}`+"\n", w.n, w.n)
	}
	filler := strings.Repeat("x", w.r.IntN(1<<w.r.IntN(13)))
	return fmt.Appendf(nil, `{"type":"user","uuid":"%d-%x","message":{"role":"user","content":"%s"}}`+"\n", w.n, w.r.Uint32(), filler)
}

func (w *writer) lines(n int) []byte {
	var all []byte
	for range n {
		all = append(all, w.line()...)
	}
	return all
}

func (w *writer) create(name string) {
	w.mkdir(path.Dir(name))
	w.must(os.WriteFile(w.path(name), w.lines(w.r.IntN(4)), 0o600))
	delete(w.half, name)
	if !slices.Contains(w.files, name) {
		w.files = append(w.files, name)
	}
}

// extend appends a piece of 1 to 4,096 bytes, wherever that ends.
func (w *writer) extend(name string) {
	rest := w.half[name]
	if len(rest) == 0 {
		rest = w.lines(1 + w.r.IntN(3))
	}
	n := min(len(rest), 1+w.r.IntN(4096))
	w.append(name, string(rest[:n]))
	w.half[name] = bytes.Clone(rest[n:])
}

func (w *writer) truncate(name string) {
	info, err := os.Stat(w.path(name))
	w.must(err)
	w.must(os.Truncate(w.path(name), w.r.Int64N(info.Size()+1)))
}

// rewrite puts other bytes of the same number in the place of a file. Doing it
// twice does not bring the first ones back: between two looks of the Hub nothing
// would have changed, whatever a subscriber read meanwhile. The
// system sets the time of a write before it copies the bytes: who looks in
// between could not tell later that the file has changed, so a time is set
// after it, and in another tick of the file system's clock.
func (w *writer) rewrite(name string) {
	old, err := os.ReadFile(w.path(name))
	w.must(err)
	for i, c := range old {
		if c >= 'x' && c <= 'z' {
			old[i] = 'x' + (c-'x'+1)%3
		}
	}
	f, err := os.OpenFile(w.path(name), os.O_WRONLY, 0)
	w.must(err)
	_, err = f.WriteAt(old, 0)
	w.must(err)
	w.must(f.Close())
	w.tick()
	w.must(os.Chtimes(w.path(name), time.Time{}, time.Now()))
}

func (w *writer) tick() {
	probe := w.path("probe")
	var first time.Time
	for {
		w.must(os.WriteFile(probe, nil, 0o600))
		info, err := os.Stat(probe)
		w.must(err)
		if first.IsZero() {
			first = info.ModTime()
		}
		if info.ModTime().Sub(first) > 0 {
			return
		}
	}
}

func (w *writer) renameOver(name string) {
	w.must(os.WriteFile(w.path("new"), w.lines(w.r.IntN(6)), 0o600))
	w.must(os.Rename(w.path("new"), w.path(name)))
	delete(w.half, name)
}

func (w *writer) remove(name string) {
	w.must(os.Remove(w.path(name)))
	w.forget(func(f string) bool { return f == name })
}

func (w *writer) removeDir(dir string) {
	w.must(os.RemoveAll(w.path(dir)))
	w.forget(func(f string) bool { return strings.HasPrefix(f, dir+"/") })
}

func (w *writer) moveDir(dir string) {
	w.must(os.Rename(w.path(dir), filepath.Join(w.root, fmt.Sprintf("away%d", w.n))))
	w.forget(func(f string) bool { return strings.HasPrefix(f, dir+"/") })
}

func (w *writer) forget(gone func(string) bool) {
	w.files = slices.DeleteFunc(w.files, gone)
	maps.DeleteFunc(w.half, func(f string, _ []byte) bool { return gone(f) })
}
