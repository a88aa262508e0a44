// Package wire brings what happens in the homes to somebody who looks at it now
// and then, such as the loop of the interface.
//
//	hub ──── Moment ────▶ gather ─▶ News ─ Next, so long after the last ─▶ loop
//	index ─ generation ─▶
//
// What a hub tells is gathered by session, and never queued: however slow the
// terminal is, the hub is not kept waiting, and what waits does not grow with
// what is written. Nothing is lost by that, because news only says where to
// look; the files have the rest.
package wire

import (
	"context"
	"sync"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/board"
	"sesskeep/internal/follow"
)

// Wire gathers news from the moment it begins, and gives it to one who asks.
type Wire struct {
	app  *app.App
	now  func() time.Time
	some chan struct{}    // there is news
	news chan *board.News // the one that gathers, whoever has it taken out
	gate chan struct{}    // closed when it may begin
	open bool             // it is
	gave time.Time        // when news was given last
}

// New makes a wire.
func New(a *app.App, now func() time.Time) *Wire {
	w := &Wire{app: a, now: now,
		some: make(chan struct{}, 1), news: make(chan *board.News, 1), gate: make(chan struct{})}
	w.news <- &board.News{}
	return w
}

// Begin lets it begin: the first look of a hub at a large home must not delay the
// first list. The loop calls it, as often as it likes.
func (w *Wire) Start() {
	if !w.open {
		w.open = true
		close(w.gate)
	}
}

// Start watches from Begin until ctx ends. The channel is closed when everything
// is over that was begun here.
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

// follow tells that lists can be others than before, until ctx ends.
func (w *Wire) follow(ctx context.Context) {
	for seen := w.app.Index.Fresh().Generation; ; {
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
	}, func(m follow.Moment) error {
		w.gather(func(n *board.News) { n.Add(&m) })
		return nil
	})
}

// gather changes the news that waits to be fetched. Whatever happens in change,
// it is put back: others would wait for it for ever.
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
