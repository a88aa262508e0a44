package live

import (
	"errors"
	"slices"
	"sync"

	"sesskeep"
)

// Interest is what a subscriber wants to know. The zero value asks for what
// happens to all sessions, without what they say.
type Interest struct {
	Sessions []sesskeep.Key // empty: all
	Files    []File         // of these transcripts only; empty: all
	Lines    bool           // also Lines events, with their entries
	// Ranges asks for Lines events without their entries, and for Touched
	// events. It is for those who read the files themselves.
	Ranges bool
	// After is the ID of the last event the subscriber knows. It then gets every
	// later one. If the Hub does not have all of them any more, or if their lines
	// are more than 16 MiB, it gets a Reset instead. Empty: only new events.
	After string
	// Since asks for the lines that a file already has, from a Position on; the
	// zero Position is the start of the file. They come before everything else,
	// and new lines follow them without a gap. If no line starts at the Position
	// any more, the subscriber gets Replaced and the whole file.
	Since map[File]Position
}

// Subscription delivers events until it is closed, the Hub ends, or its reader
// falls too far behind. In that last case the final event is a Reset, and the
// reader can subscribe again with its own positions. The channel is always
// closed at the end.
type Subscription struct {
	hub    *Hub
	want   Interest
	out    chan Event
	closed chan struct{}
	once   sync.Once
	more   chan struct{} // there is an event for it
	began  chan struct{}
	caught chan struct{} // closed when what files already say was sent

	// Guarded by Hub.mu.
	served  bool // a goroutine serves it
	next    uint64
	lost    bool // events it wants are not kept any more
	replays []*replay
	// replayed is the last event that the replay of each file includes, and floor
	// the latest of these. No subscription can continue exactly after an event before it.
	replayed map[File]uint64
	floor    uint64
}

// replayLimit bounds the lines that a subscription reads again because of
// Interest.After, in bytes.
const replayLimit = 16 << 20

// batchSize is how many events a subscription copies from the history at a time.
const batchSize = 64

// Some events can wait in the channel, so that a reader is woken once for all that
// the Hub found in one look, and not for each: that costs more than the event does.
// Of those with entries there are fewer, which take memory.
const (
	rangesReady = batchSize
	linesReady  = 4
)

// ready is how many events can wait in the channel.
func (i *Interest) ready() int {
	if i.Lines {
		return linesReady
	}
	return rangesReady
}

// Subscribe starts to collect events at once. Events from before the Hub is
// Ready may be missing. If the Hub has ended, the channel is already closed.
func (h *Hub) Subscribe(i Interest) *Subscription {
	s := &Subscription{
		hub: h, want: i, out: make(chan Event, i.ready()), closed: make(chan struct{}),
		more: make(chan struct{}, 1), began: make(chan struct{}), caught: make(chan struct{}), replayed: map[File]uint64{},
	}
	h.mu.Lock()
	if h.over {
		close(s.out)
		h.mu.Unlock()
		return s
	}
	s.next = h.history.last + 1
	if i.After != "" {
		next, ok := h.history.after(i.After)
		s.next, s.lost = next, !ok
	}
	h.subs = append(h.subs, s)
	h.mu.Unlock()
	h.ask(func(l *loop) { l.serve(s) })
	return s
}

// Events returns the channel on which events arrive.
func (s *Subscription) Events() <-chan Event { return s.out }

// Began returns a channel that is closed once the Hub has read the files of
// Interest.Since: from then on it notices whatever happens to them, even if one
// is rewritten and keeps its size. It stays open if the Hub ends before.
func (s *Subscription) Began() <-chan struct{} { return s.began }

// CaughtUp returns a channel that is closed once everything that Interest.Since asks
// for was received, or waits in the channel of events. It stays open if the
// subscription ends before.
func (s *Subscription) CaughtUp() <-chan struct{} { return s.caught }

// Close ends the subscription. Any goroutine may call it at any time.
func (s *Subscription) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.hub.mu.Lock()
		defer s.hub.mu.Unlock()
		if s.leave() && !s.served {
			close(s.out)
		}
	})
}

// leave takes the subscription off the Hub and reports whether it was there.
func (s *Subscription) leave() bool {
	i := slices.Index(s.hub.subs, s)
	if i < 0 {
		return false
	}
	s.hub.subs = slices.Delete(s.hub.subs, i, i+1)
	return true
}

// wants reports whether the subscriber asked for event n.
func (s *Subscription) wants(n uint64, what *note) bool {
	if ev := what.event; ev != nil {
		if ev.Kind == Touched && !s.want.Ranges || ev.ofFile() && s.replayed[ev.Of()] >= n {
			return false
		}
		return s.concerns(ev.Key, ev.Of()) || ev.Next.Session != "" && s.concerns(ev.Next, ev.Of())
	}
	e := what.edition
	return s.wantsLines() && !e.over && s.concerns(e.key, e.file) && s.replayed[e.file] < n
}

func (s *Subscription) wantsLines() bool { return s.want.Lines || s.want.Ranges }

// concerns reports whether the subscriber asked for a session and a file of it.
func (s *Subscription) concerns(key sesskeep.Key, file File) bool {
	return (len(s.want.Sessions) == 0 || slices.Contains(s.want.Sessions, key)) &&
		(len(s.want.Files) == 0 || slices.Contains(s.want.Files, file))
}

// signal wakes the goroutine that serves the subscription.
func (s *Subscription) signal() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// serve starts to deliver. It first reads the files to be replayed to their
// end, so that the Hub is not behind what the subscriber already knows.
func (l *loop) serve(s *Subscription) {
	if s.want.Lines {
		for file, at := range s.want.Since {
			l.prepare(s, file, at)
		}
	}
	close(s.began)
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if !slices.Contains(l.hub.subs, s) {
		return
	}
	s.served = true
	l.pumps.Go(func() { l.guard(func() { s.pump(l.ctx.Done()) }) })
}

// pump is the only sender on the channel.
func (s *Subscription) pump(end <-chan struct{}) {
	defer func() {
		s.hub.mu.Lock()
		s.leave()
		s.hub.mu.Unlock()
		close(s.out)
	}()
	if s.tooFarBack() {
		s.reset(end)
		return
	}
	if s.replayAll(end) != nil {
		return
	}
	close(s.caught)
	for s.deliver(end) {
		select {
		case <-s.more:
		case <-s.closed:
			return
		case <-end:
			return
		}
	}
}

// tooFarBack reports whether After asks for more than is kept or may be read.
func (s *Subscription) tooFarBack() bool {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	h := &s.hub.history
	if s.lost || s.want.After == "" || !s.want.Lines {
		return s.lost
	}
	size := int64(0)
	for n := max(s.next, h.first()); n <= h.last; n++ {
		if what := h.at(n); what.event == nil && s.wants(n, what) {
			size += what.to.Offset - what.from.Offset
		}
	}
	return size > replayLimit
}

// deliver sends all events that wait. It reports whether more can follow.
func (s *Subscription) deliver(end <-chan struct{}) bool {
	for {
		list, ok := s.pending()
		if !ok {
			s.reset(end)
			return false
		}
		if len(list) == 0 {
			return true
		}
		for i := range list {
			err := s.complete(&list[i], end)
			if errors.Is(err, errOver) {
				continue // Replaced or Gone follows
			}
			if err != nil || !s.send(list[i].Event, end) {
				return false
			}
		}
	}
}

// waiting is an event that is about to be delivered.
type waiting struct {
	Event
	number  uint64
	edition *edition // of a Lines event
}

// pending returns the next events the subscriber wants. It reports false if some
// of them are not kept any more.
func (s *Subscription) pending() ([]waiting, bool) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	h := &s.hub.history
	if s.lost || s.next < h.first() {
		return nil, false
	}
	var list []waiting
	for ; s.next <= h.last && len(list) < batchSize; s.next++ {
		what := h.at(s.next)
		if s.wants(s.next, what) {
			list = append(list, waiting{what.asEvent(), s.next, what.edition})
			if s.next > s.floor {
				list[len(list)-1].ID = h.id(s.next)
			}
		}
	}
	return list, true
}

// asEvent returns the event that a note stands for, without its entries.
func (n *note) asEvent() Event {
	if n.event != nil {
		return *n.event
	}
	ev := n.edition.event(Lines)
	ev.Time, ev.From, ev.To = n.time, n.from, n.to
	return ev
}

// reset sends the Reset that says that events were missed.
func (s *Subscription) reset(end <-chan struct{}) {
	ev := s.hub.event(Reset)
	s.hub.mu.Lock()
	ev.ID = s.hub.history.id(s.hub.history.last)
	s.hub.mu.Unlock()
	s.send(ev, end)
}

// send reports whether the event was taken.
func (s *Subscription) send(ev Event, end <-chan struct{}) bool {
	select {
	case s.out <- ev:
		return true
	case <-s.closed:
	case <-end:
	}
	return false
}
