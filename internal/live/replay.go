package live

import (
	"errors"
	"slices"
	"strings"
	"time"

	"sesskeep"
)

// replay sends one subscriber what a file already says, from a Position up to
// where the Hub was when it started to serve the subscription. The events of the
// file continue exactly there.
type replay struct {
	edition *edition
	at, to  Position
	// news is Replaced where the subscriber knows more of the file than there
	// is, and Gone where there is no such file.
	news Kind
}

// errOver says that the edition was replaced or deleted, so that its lines do
// not matter any more.
var errOver = errors.New("the file was replaced")

// errEnded says that the subscription or the Hub ended.
var errEnded = errors.New("the subscription has ended")

// prepare brings a file up to date and notes what of it is replayed.
func (l *loop) prepare(s *Subscription, key File, at Position) {
	f := l.upToDate(key)
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	r := &replay{at: at}
	switch {
	case f == nil && at.Offset == 0:
		return // it is published from its start when it appears
	case f == nil:
		r.news, r.edition = Gone, &edition{file: key}
		if f := transcript(key.Name); f != nil {
			r.edition.key, r.edition.agent = l.keyOf(key.Root, f.session), f.agent
		}
	default:
		r.edition, r.to = f.current(), f.at
		if at.Offset > f.at.Offset {
			r.at, r.news = Position{}, Replaced
		}
		s.floor = l.hub.history.last
		s.replayed[key] = s.floor
	}
	s.replays = append(s.replays, r)
}

// keyOf returns the key of a session of the home at root.
func (l *loop) keyOf(root string, id sesskeep.SessionID) sesskeep.Key {
	for _, h := range l.homes {
		if h.store.Root() == root {
			return h.store.SessionKey(id)
		}
	}
	return sesskeep.Key{Session: id}
}

// upToDate reads a file to its end. It returns nil if there is no such
// transcript.
func (l *loop) upToDate(key File) *trackedFile {
	for _, h := range l.homes {
		if h.store.Root() != key.Root || transcript(key.Name) == nil || !strings.HasSuffix(key.Name, ".jsonl") {
			continue
		}
		delete(l.resting, h.tree.find(key.Name))
		h.checkFile(key.Name)
		if f := h.tree.find(key.Name); f != nil {
			f.load()
			return h.tree.find(key.Name)
		}
	}
	return nil
}

// replayAll replays all files that the subscriber asked for by Interest.Since.
func (s *Subscription) replayAll(end <-chan struct{}) error {
	slices.SortFunc(s.replays, func(a, b *replay) int { return strings.Compare(a.edition.file.Name, b.edition.file.Name) })
	for _, r := range s.replays {
		if err := s.replay(r, end); err != nil && !errors.Is(err, errOver) {
			return err
		}
	}
	s.replays = nil
	return nil
}

// replay sends the lines of one file.
func (s *Subscription) replay(r *replay, end <-chan struct{}) error {
	if r.news != "" && !s.send(s.about(r.edition, r.news), end) {
		return errEnded
	}
	for first := true; r.at.Offset < r.to.Offset; first = false {
		var entries []sesskeep.Entry
		var reached Position
		err := s.try(r.edition, end, func() (err error) {
			entries, reached, err = r.edition.read(r.at, r.to, eventSize)
			if first && errors.Is(err, errNoLine) { // the position was wrong
				if !s.send(s.about(r.edition, Replaced), end) {
					return errEnded
				}
				first, r.at = false, Position{}
				entries, reached, err = r.edition.read(r.at, r.to, eventSize)
			}
			return err
		})
		if err != nil {
			return err
		}
		ev := s.about(r.edition, Lines)
		ev.Entries, ev.From, ev.To = entries, r.at, reached
		if !s.send(ev, end) {
			return errEnded
		}
		r.at = reached
	}
	return nil
}

// complete adds the entries to a Lines event.
func (s *Subscription) complete(w *waiting, end <-chan struct{}) error {
	if w.Kind != Lines || !s.want.Lines {
		return nil
	}
	return s.try(w.edition, end, func() (err error) {
		w.Entries, err = s.hub.cache.load(w.number, func() ([]sesskeep.Entry, error) {
			entries, _, err := w.edition.read(w.From, w.To, 0)
			return entries, err
		})
		return err
	})
}

// How long to wait between two tries to read a range. In between the Hub looks
// at the file, and normally finds it replaced.
const (
	tryAgain = 5 * time.Millisecond
	tryLate  = time.Second
)

// try reads something of an edition until it succeeds. It returns errOver once
// the Hub knows that the edition is over, and errEnded if the subscription ended.
func (s *Subscription) try(e *edition, end <-chan struct{}, read func() error) error {
	for wait := tryAgain; ; wait = min(2*wait, tryLate) {
		if s.isOver(e) {
			return errOver
		}
		err := read()
		if err == nil || errors.Is(err, errEnded) {
			return err
		}
		if !s.checkNow(e.file, end) || !s.sleep(wait, end) {
			return errEnded
		}
	}
}

func (s *Subscription) sleep(d time.Duration, end <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.closed:
	case <-end:
	}
	return false
}

func (s *Subscription) isOver(e *edition) bool {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return e.over
}

// checkNow makes the Hub check a file, and waits until it has.
func (s *Subscription) checkNow(file File, end <-chan struct{}) bool {
	done := make(chan struct{})
	s.hub.ask(func(l *loop) {
		l.upToDate(file)
		close(done)
	})
	select {
	case <-done:
		return true
	case <-s.closed:
	case <-end:
	}
	return false
}

// about returns an event of an edition that has no number.
func (s *Subscription) about(e *edition, k Kind) Event {
	s.hub.mu.Lock()
	ev := e.event(k)
	s.hub.mu.Unlock()
	ev.Time = s.hub.o.Now()
	return ev
}
