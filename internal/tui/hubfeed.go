package tui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/follow"
)

// hubfeed carries what happens in the homes to the loop of the interface.
//
//	hub ──── Moment ────▶ gather ─▶ news ─ listen, at most newsRate a second ─▶ Update
//	index ─ generation ─▶
//
// What a hub tells is gathered by session, and never queued: however slow the
// terminal is, the hub is not kept waiting, and what waits does not grow with
// what is written. Nothing is lost by that, because news only says where to
// look; the files have the rest.
type hubfeed struct {
	app  *app.App
	now  func() time.Time
	some chan struct{} // there is news
	news chan *news    // the one that gathers, whoever has it taken out
	gate chan struct{} // closed when it may begin
	open bool          // it is
}

// newsRest is the time between two deliveries of news.
const newsRest = time.Second / newsRate

// newsRate is above maxFrames, so that what comes waits for a frame only once.
const newsRate = 2 * maxFrames

func newHubfeed(a *app.App, now func() time.Time) *hubfeed {
	f := &hubfeed{app: a, now: now, some: make(chan struct{}, 1), news: make(chan *news, 1), gate: make(chan struct{})}
	f.news <- &news{}
	return f
}

// begin lets it begin: the first look of a hub at a large home must not delay the
// first list. The loop calls it, as often as it likes.
func (f *hubfeed) begin() {
	if !f.open {
		f.open = true
		close(f.gate)
	}
}

// start watches from begin until ctx ends. The channel is closed when everything
// is over that was begun here.
func (f *hubfeed) start(ctx context.Context) <-chan struct{} {
	ended := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() { f.follow(ctx) })
	work.Go(func() {
		select {
		case <-f.gate:
		case <-ctx.Done():
			return
		}
		err := f.watch(ctx)
		if ctx.Err() == nil {
			f.gather(func(n *news) { n.over, n.err = true, err })
		}
	})
	go func() {
		defer close(ended)
		work.Wait()
	}()
	return ended
}

// listsRest is the time between two times that lists are made again.
const listsRest = 500 * time.Millisecond

// follow tells that lists can be others than before, until ctx ends.
func (f *hubfeed) follow(ctx context.Context) {
	for seen := f.app.Fresh().Generation; ; {
		now, err := f.app.Newer(ctx, seen)
		if err != nil {
			return
		}
		seen = now
		f.gather(func(n *news) { n.lists = true })
		select {
		case <-time.After(listsRest):
		case <-ctx.Done():
			return
		}
	}
}

func (f *hubfeed) watch(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = app.Fault(r)
		}
	}()
	return f.app.Watch(ctx, follow.WatchOptions{
		All: true, Now: f.now,
		// What was written before that nobody told, and pages were read before.
		Ready: func(int) { f.gather(func(n *news) { n.ready, n.missed = true, true }) },
	}, func(m follow.Moment) error {
		f.gather(func(n *news) { n.add(&m) })
		return nil
	})
}

// gather changes the news that waits to be fetched. Whatever happens in change,
// it is put back: others would wait for it for ever.
func (f *hubfeed) gather(change func(*news)) {
	func() {
		n := <-f.news
		defer func() { f.news <- n }()
		change(n)
	}()
	select {
	case f.some <- struct{}{}:
	default:
	}
}

// newsMsg is what happened since the last one.
type newsMsg struct{ *news }

// listen waits for news.
func (f *hubfeed) listen(ctx context.Context) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-f.some:
		case <-ctx.Done():
			return nil
		}
		n := <-f.news
		f.news <- &news{}
		return newsMsg{n}
	}
}

// listenAgain rests a moment and then waits for news.
func (f *hubfeed) listenAgain(ctx context.Context) tea.Cmd {
	return func() tea.Msg {
		rest := time.NewTimer(newsRest)
		defer rest.Stop()
		select {
		case <-rest.C:
		case <-ctx.Done():
			return nil
		}
		return f.listen(ctx)()
	}
}
