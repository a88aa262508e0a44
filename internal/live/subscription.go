package live

import (
	"slices"
	"sync"

	"sesskeep"
)

// Interest is what a subscriber wants to be told.
type Interest struct {
	Root     string               // of the home; empty: all
	Sessions []sesskeep.SessionID // empty: all
	Lines    bool                 // the entries too, not only what happens to sessions
	// Since asks for what a file already says, and from where on. The zero
	// Position is its start. It comes before anything else, and goes over into
	// what is written meanwhile without a gap. A Position that is no start of a
	// line any more gives Replaced and the whole file; no more is proven of what
	// lies before it.
	Since map[File]Position
}

// Subscription delivers events until it is closed, the Hub ends, or its reader
// is too slow. In that case the last event is a Reset; the reader subscribes
// again, Since its own positions. In every case the channel is closed.
type Subscription struct {
	hub    *Hub
	want   Interest
	out    chan Event
	closed chan struct{}
	once   sync.Once
	more   chan struct{} // something was queued

	// Guarded by Hub.mu.
	pumped bool // a goroutine serves it
	queue  []Event
	size   int // bytes of the entries in the queue
	lost   bool
	// behind has the files that are still being replayed, nil before the Hub
	// knows from where. Their events wait in the files.
	behind map[File]*replay
}

// File names a transcript of one of several homes.
type File struct {
	Root string
	Name string // path inside the home
}

// How much waits for a slow subscriber. An event alone may be larger.
const (
	maxQueue     = 4096
	maxQueueSize = 64 << 20 // bytes
)

// Subscribe begins to collect events at once. Those of before the Hub was Ready
// are not promised. Subscribing to a Hub that has ended gives a closed channel.
func (h *Hub) Subscribe(i Interest) *Subscription {
	s := &Subscription{
		hub: h, want: i, out: make(chan Event), closed: make(chan struct{}),
		more: make(chan struct{}, 1), behind: map[File]*replay{},
	}
	if i.Lines {
		for file := range i.Since {
			if i.Root == "" || i.Root == file.Root {
				s.behind[file] = nil
			}
		}
	}
	h.mu.Lock()
	if h.over {
		close(s.out)
		h.mu.Unlock()
		return s
	}
	if i.Lines {
		h.lines.Add(1)
	}
	h.subs = append(h.subs, s)
	h.mu.Unlock()
	h.ask(func(l *loop) { l.serve(s) })
	return s
}

// Events is where they come. It is closed at the end.
func (s *Subscription) Events() <-chan Event { return s.out }

// Close ends the subscription. It can be called at any time, by anybody.
func (s *Subscription) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.hub.mu.Lock()
		defer s.hub.mu.Unlock()
		if s.leave() && !s.pumped {
			close(s.out)
		}
	})
}

// leave takes the subscription off the Hub, and reports whether it was there.
func (s *Subscription) leave() bool {
	i := slices.Index(s.hub.subs, s)
	if i < 0 {
		return false
	}
	s.hub.subs = slices.Delete(s.hub.subs, i, i+1)
	if s.want.Lines {
		s.hub.lines.Add(-1)
	}
	return true
}

// wants reports whether the subscriber asked for such an event.
func (s *Subscription) wants(ev *Event) bool {
	if s.want.Root != "" && s.want.Root != ev.Root {
		return false
	}
	if ev.Kind == Lines && !s.want.Lines {
		return false
	}
	list := s.want.Sessions
	return len(list) == 0 || slices.Contains(list, ev.Session) || ev.Next != "" && slices.Contains(list, ev.Next)
}

// offer queues an event. Where there is no room, all that waits is given up:
// the files still have it.
func (s *Subscription) offer(ev *Event) {
	if s.lost || !s.wants(ev) {
		return
	}
	if _, ok := s.behind[File{ev.Root, ev.File}]; ok && ev.ofFile() {
		return
	}
	size := 0
	for i := range ev.Entries {
		size += len(ev.Entries[i].Raw)
	}
	if len(s.queue) >= maxQueue || len(s.queue) > 0 && s.size+size > maxQueueSize {
		s.queue, s.size, s.lost = nil, 0, true
	} else {
		s.queue, s.size = append(s.queue, *ev), s.size+size
	}
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// serve begins to deliver. The files to be replayed are looked at first, so
// that the Hub is not behind what the subscriber knows already.
func (l *loop) serve(s *Subscription) {
	for key := range s.behind {
		l.prepare(s, key)
	}
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	if !slices.Contains(l.hub.subs, s) {
		return
	}
	s.pumped = true
	l.pumps.Go(func() { l.guard(func() { s.pump(l.ctx.Done()) }) })
}

// pump is the one that sends on the channel.
func (s *Subscription) pump(end <-chan struct{}) {
	defer func() {
		s.hub.mu.Lock()
		s.leave()
		s.hub.mu.Unlock()
		close(s.out)
	}()
	if !s.replay(end) {
		return
	}
	for {
		for _, ev := range s.take() {
			if !s.send(ev, end) {
				return
			}
		}
		if s.slow() {
			s.send(Event{Kind: Reset, Time: s.hub.o.Now()}, end)
			return
		}
		select {
		case <-s.more:
		case <-s.closed:
			return
		case <-end:
			return
		}
	}
}

func (s *Subscription) take() []Event {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	list := s.queue
	s.queue, s.size = nil, 0
	return list
}

// slow reports whether events were given up.
func (s *Subscription) slow() bool {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.lost
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
