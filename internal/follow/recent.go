package follow

import (
	"slices"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/live"
)

// recent keeps what happened lately in sessions that are not followed. Which
// ones are becomes known late: a client writes the first lines of a session
// before it registers that it went there.
type recent struct {
	events []live.Event
	size   int // bytes of their entries
}

// How much is kept, and for how long.
const (
	recentSize  = 8 << 20
	recentCount = 512
	recentTime  = 30 * time.Second
)

func (r *recent) add(ev *live.Event) {
	r.events = append(r.events, *ev)
	r.size += weight(ev)
	drop := 0
	for drop < len(r.events)-1 && (r.size > recentSize || len(r.events)-drop > recentCount ||
		ev.Time.Sub(r.events[drop].Time) > recentTime) {
		r.size -= weight(&r.events[drop])
		drop++
	}
	r.events = slices.Delete(r.events, 0, drop)
}

// remove removes and returns the events of a session.
func (r *recent) remove(id sesskeep.Key) []live.Event {
	var list []live.Event
	r.events = slices.DeleteFunc(r.events, func(ev live.Event) bool {
		if ev.Key != id {
			return false
		}
		list = append(list, ev)
		r.size -= weight(&ev)
		return true
	})
	return list
}

func weight(ev *live.Event) int {
	n := 0
	for i := range ev.Entries {
		n += len(ev.Entries[i].Raw)
	}
	return n
}

// moved follows a client to the session in which it continues.
func (w *watch) moved(ev *live.Event) error {
	f := w.followed[ev.Key]
	if !w.o.All && (f == nil || f.only != nil) {
		return nil
	}
	if w.o.All && !w.inProject(ev.Key, ev.File) {
		return nil
	}
	m := w.newEvent(MovedEvent, ev)
	m.Next = ev.Next.Session
	if err := w.give(m); err != nil || w.o.All || f.branch != nil {
		return err
	}
	return w.follow(ev.Next, w.linesOf(ev.Root, ev.File))
}

// follow adds a session to those that are watched, and reports what happened in
// it lately, except copied lines.
func (w *watch) follow(id sesskeep.Key, copied map[string]bool) error {
	if f := w.followed[id]; f != nil {
		f.only, f.branch = nil, nil
		return nil
	}
	w.followed[id] = &following{copied: copied}
	for _, ev := range w.recent.remove(id) {
		if err := w.report(&ev); err != nil {
			return err
		}
	}
	return nil
}

// reconsider follows a session that turns out to be of interest: one that a
// client runs, where all of these are; or a copy of one that is followed.
func (w *watch) reconsider(ev *live.Event) error {
	id := ev.Key
	switch {
	case w.o.All || w.followed[id] != nil:
		return nil
	case len(w.o.Targets) == 0:
		if ev.State.Runs() && w.inProject(ev.Key, ev.File) {
			return w.follow(id, nil)
		}
		return nil
	}
	origin, copied, ok := w.origin(ev)
	if !ok {
		return nil
	}
	m := w.newEvent(ForkedEvent, &live.Event{Root: ev.Root, Key: sesskeep.Key{Session: origin}.In(ev.Key), Time: ev.Time})
	m.Next = ev.Key.Session
	if err := w.give(m); err != nil {
		return err
	}
	return w.follow(id, copied)
}

// origin finds the followed session that the first lines of a new one were
// copied from. /branch notes it in each of them; --fork-session notes nothing,
// but keeps their uuids.
func (w *watch) origin(ev *live.Event) (sesskeep.SessionID, map[string]bool, bool) {
	e := w.firstLine(ev)
	if e == nil {
		return "", nil, false
	}
	for id, f := range w.followed {
		if id.In(ev.Key) != id || f.only != nil || f.branch != nil {
			continue
		}
		lines := w.linesOf(ev.Root, w.names.file(id))
		if e.ForkedFrom == id.Session || lines[e.UUID] {
			return id.Session, lines, true
		}
	}
	return "", nil, false
}

// linesOf are the uuids of a transcript.
func (w *watch) linesOf(root, file string) map[string]bool {
	store := w.src.store(root)
	if store == nil || file == "" {
		return nil
	}
	t, err := store.Tail(file, homefs.Mark{})
	if err != nil {
		return nil
	}
	defer t.Close()
	lines := map[string]bool{}
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		if e.Chain() {
			lines[e.UUID] = true
		}
	}
	return lines
}
