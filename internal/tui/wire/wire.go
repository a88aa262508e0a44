// Package wire gathers what happens in the homes for a reader that fetches it now and
// then, such as the loop of the interface.
//
//	hub ──── Event ─────▶ gather ─▶ News ─ Next, so long after the last ─▶ loop
//	index ─ generation ─▶
//
// Events of the hub are merged by session and never queued: a slow terminal does not
// block the hub, and what waits does not grow with what is written. Nothing is lost by
// that, because news only names what changed; the files have the rest.
package wire

import (
	"context"
	"sync"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/board"
	"sesskeep/internal/follow"
)

// Wire gathers news for one reader.
type Wire struct {
	app  *app.App
	now  func() time.Time
	some chan struct{}    // there is news
	news chan *board.News // the news that is being gathered; one goroutine at a time has it
	gate chan struct{}    // closed when the hub may scan
	open bool             // gate is closed
	gave time.Time        // when news was returned last
}

// New makes a wire.
func New(a *app.App, now func() time.Time) *Wire {
	w := &Wire{app: a, now: now,
		some: make(chan struct{}, 1), news: make(chan *board.News, 1), gate: make(chan struct{})}
	w.news <- &board.News{}
	return w
}

// Ready lets the hub scan the homes: that takes long in a large home and must not delay
// the first list. It may be called again.
func (w *Wire) Ready() {
	if !w.open {
		w.open = true
		close(w.gate)
	}
}

// Start watches from Ready until ctx ends. The channel is closed when every goroutine
// that it started has returned.
func (w *Wire) Start(ctx context.Context) <-chan struct{} {
	ended := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() { w.follow(ctx) })
	work.Go(func() {
		select {
		case <-w.gate:
		case <-ctx.Done():
			return
		}
		err := w.watch(ctx)
		if ctx.Err() == nil {
			w.gather(func(n *board.News) { n.Over, n.Err = true, err })
		}
	})
	go func() {
		defer close(ended)
		work.Wait()
	}()
	return ended
}

// listsRest is the time between two times that lists are made again.
const listsRest = time.Second

// follow reports that lists may have changed, until ctx ends.
func (w *Wire) follow(ctx context.Context) {
	for seen := w.app.Index.Coverage().Generation; ; {
		now, err := w.app.Index.Newer(ctx, seen)
		if err != nil {
			return
		}
		seen = now
		w.gather(func(n *board.News) { n.Lists = true })
		select {
		case <-time.After(listsRest):
		case <-ctx.Done():
			return
		}
	}
}

func (w *Wire) watch(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = board.Fault(r)
		}
	}()
	return w.app.Live.Watch(ctx, follow.WatchOptions{
		All: true, Brief: true, Now: w.now,
		// Pages may have been read before the hub was ready: everything may have changed.
		Ready: func(int) { w.gather(func(n *board.News) { n.Ready, n.Missed = true, true }) },
	}, func(m follow.Event) error {
		w.gather(func(n *board.News) { n.Add(&m) })
		return nil
	})
}

// gather changes the news that waits to be fetched. It puts the news back even if
// change panics, because others wait for it.
func (w *Wire) gather(change func(*board.News)) {
	func() {
		n := <-w.news
		defer func() { w.news <- n }()
		change(n)
	}()
	select {
	case w.some <- struct{}{}:
	default:
	}
}

// Next waits for news, and for so long since there was some. It returns nil once
// ctx has ended. One at a time may wait.
func (w *Wire) Next(ctx context.Context, rest time.Duration) *board.News {
	if left := rest - time.Since(w.gave); left > 0 {
		timer := time.NewTimer(left)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil
		}
	}
	select {
	case <-w.some:
	case <-ctx.Done():
		return nil
	}
	w.gave = time.Now()
	n := <-w.news
	w.news <- &board.News{}
	return n
}
