package live

import (
	"maps"
	"slices"
	"strings"
	"time"

	"sesskeep"
)

// replay is a file that one subscriber is told from a Position on. It reads
// only what the Hub has read and never more, so that the Hub's own events go on
// exactly where it ends.
type replay struct {
	feed     *feed
	store    *sesskeep.Store
	about    Event // which file it is
	at       Position
	replaced bool // the subscriber knew more of the file than there is
	over     bool // the file was replaced or is gone: the queue tells
}

// replayWait is how long to wait for the Hub to see what has become of a file
// that ends before what was read of it.
const replayWait = 20 * time.Millisecond

// prepare brings a file up to date and notes from where it is replayed.
func (l *loop) prepare(s *Subscription, key File) {
	f := l.upToDate(key)
	l.mu.Lock()
	defer l.mu.Unlock()
	at := s.want.Since[key]
	if f == nil {
		delete(s.behind, key) // it will be told from its start when it comes
		if at.Offset > 0 {
			ev := Event{Kind: Gone, Time: l.o.Now(), Root: key.Root, File: key.Name}
			if f := transcript(key.Name); f != nil {
				ev.Session, ev.Agent = f.session, f.agent
			}
			s.offer(&ev)
		}
		return
	}
	r := &replay{feed: f, store: f.home.store, about: f.home.eventOf("", f), at: at}
	if r.at.Offset > f.at.Offset {
		r.at, r.replaced = Position{}, true
	}
	s.behind[key] = r
}

// upToDate reads a file to its end. It is nil if there is no such transcript.
func (l *loop) upToDate(key File) *feed {
	for _, h := range l.homes {
		if h.store.Root() != key.Root || transcript(key.Name) == nil || !strings.HasSuffix(key.Name, ".jsonl") {
			continue
		}
		delete(l.resting, h.find(key.Name))
		h.lookAt(key.Name)
		if f := h.find(key.Name); f != nil {
			h.warm(f)
			return h.find(key.Name)
		}
	}
	return nil
}

// find is the feed of a name, nil if there is none.
func (h *home) find(name string) *feed {
	parts := strings.Split(name, "/")
	f := h.folders[sesskeep.ProjectKey(parts[1])]
	switch {
	case f == nil:
		return nil
	case len(parts) == 3:
		return f.files[name]
	}
	if s := f.sides[sesskeep.SessionID(parts[2])]; s != nil {
		return s.files[name]
	}
	return nil
}

// abandon ends the replay of a file that is replaced or gone. What comes now
// comes through the queue.
func (s *Subscription) abandon(f *feed) {
	for key, r := range s.behind {
		if r != nil && r.feed == f {
			r.over = true
			delete(s.behind, key)
		}
	}
}

// replay tells all files the subscriber is behind in. It reports whether the
// subscription goes on.
func (s *Subscription) replay(end <-chan struct{}) bool {
	s.hub.mu.Lock()
	list := slices.SortedFunc(maps.Values(s.behind), func(a, b *replay) int { return strings.Compare(a.about.File, b.about.File) })
	s.hub.mu.Unlock()
	for _, r := range list {
		if r.replaced && !s.send(r.event(Replaced), end) {
			return false
		}
		for s.behindIn(r) {
			if !s.replayPart(r, end) {
				return false
			}
		}
	}
	return true
}

// behindIn reports whether there is more to replay, and if not, lets the events
// of the file through from now on.
func (s *Subscription) behindIn(r *replay) bool {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if r.over || s.lost {
		return false
	}
	if r.at.Offset < r.feed.at.Offset {
		return true
	}
	delete(s.behind, File{r.about.Root, r.about.File})
	return false
}

// target is how far the Hub has read.
func (s *Subscription) target(r *replay) Position {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return r.feed.at
}

// replayPart reads from where the replay stands to where the Hub is.
func (s *Subscription) replayPart(r *replay, end <-chan struct{}) bool {
	t, err := r.store.TailFrom(r.about.File, r.at.Offset, r.at.Line)
	if err != nil {
		return s.wait(end)
	}
	defer t.Close()
	if t.Change == sesskeep.ChangeReplaced {
		r.at = Position{}
		return s.send(r.event(Replaced), end)
	}
	from, to := r.at, s.target(r)
	ev, size := r.lines(), 0
	for e, ok := t.Next(); ok && e.Offset < to.Offset; e, ok = t.Next() {
		at := position(t)
		if size >= eventSize && at != ev.To { // entries of one line stay together
			if !s.sendPart(r, ev, end) {
				return false
			}
			if !s.behindIn(r) {
				return true
			}
			ev, size = r.lines(), 0
		}
		ev.Entries, ev.To = append(ev.Entries, e.Clone()), at
		size += len(e.Raw)
	}
	if position(t).Offset >= to.Offset {
		ev.To = to
	}
	if !s.sendPart(r, ev, end) {
		return false
	}
	if r.at == from { // the file ends sooner than it did
		return s.wait(end)
	}
	return true
}

// sendPart sends some lines and notes that they are told.
func (s *Subscription) sendPart(r *replay, ev Event, end <-chan struct{}) bool {
	r.at = ev.To
	return ev.From == ev.To || s.send(ev, end)
}

// lines is an event that goes on where the replay stands.
func (r *replay) lines() Event {
	ev := r.event(Lines)
	ev.From, ev.To = r.at, r.at
	return ev
}

func (r *replay) event(k Kind) Event {
	ev := r.about
	ev.Kind = k
	return ev
}

// wait lets the Hub find out what has become of a file.
func (s *Subscription) wait(end <-chan struct{}) bool {
	timer := time.NewTimer(replayWait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.closed:
	case <-end:
	}
	return false
}
