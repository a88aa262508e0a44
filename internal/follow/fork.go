package follow

import (
	"path"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// firstLine is the first line of the talk in a transcript that is new, nil for any
// other event. A client writes other lines before it, some time before.
func (w *watch) firstLine(ev *live.Event) *sesskeep.Entry {
	file := ev.Of()
	switch {
	case ev.Agent != "" || ev.File == "":
		return nil
	case ev.Kind == live.Gone:
		delete(w.fresh, file)
	case ev.Kind == live.Appeared || ev.Kind == live.Lines && ev.From.Offset == 0:
		w.fresh[file] = true
	}
	if ev.Kind != live.Lines || !w.fresh[file] {
		return nil
	}
	i := slices.IndexFunc(ev.Entries, func(e sesskeep.Entry) bool { return e.Chain() })
	if i < 0 {
		return nil
	}
	delete(w.fresh, file)
	return &ev.Entries[i]
}

// copyAge is how old the first line of a new session is at least if it is a copy.
const copyAge = 2 * time.Second

// searched is how many transcripts are searched for the origin of a copy.
const searched = 64

// forked checks, where all sessions are watched, whether a new one started as a
// copy of another. It then reports that and leaves the copied lines out.
func (w *watch) forked(ev *live.Event) error {
	e := w.firstLine(ev)
	if e == nil || e.ForkedFrom == "" && ev.Time.Sub(e.Time) < copyAge || !w.inProject(ev.Key, ev.File) {
		return nil
	}
	origin, copied := w.copyOf(ev, e.UUID)
	if origin == "" {
		return nil
	}
	w.followed[ev.Key] = &following{copied: copied}
	m := w.newEvent(ForkedEvent, &live.Event{Root: ev.Root, Key: sesskeep.Key{Session: origin}.In(ev.Key), Time: ev.Time})
	m.Next = ev.Key.Session
	return w.give(m)
}

// copyOf finds the session beside that of ev which has a line, among those that
// were written last, and gives all its lines.
func (w *watch) copyOf(ev *live.Event, uuid string) (sesskeep.SessionID, map[string]bool) {
	store := w.src.store(ev.Root)
	if store == nil || uuid == "" {
		return "", nil
	}
	refs := slices.DeleteFunc(store.Folder(sesskeep.ProjectKey(path.Base(path.Dir(ev.File)))).Refs, func(r sesskeep.Ref) bool {
		return r.Layout != sesskeep.LayoutMain || r.File == ev.File
	})
	slices.SortFunc(refs, func(a, b sesskeep.Ref) int { return b.Modtime.Compare(a.Modtime) })
	for _, r := range refs[:min(len(refs), searched)] {
		if lines := w.linesOf(ev.Root, r.File); lines[uuid] {
			return r.Session, lines
		}
	}
	return "", nil
}
