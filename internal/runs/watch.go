package runs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"sesskeep/internal/holder"
)

// News is a set of changes of runs.
type News struct {
	Runs  []holder.Record // new or changed runs, oldest first
	Gone  []string        // removed runs
	Inbox *InboxPage      // all open prompts, if they changed
	// Unread says which runs cannot be read, and why, if that changed; nil: it did not.
	Unread []string
}

// pause is the time between scans for runs that other processes started.
const pause = time.Second

// board is what all watchers of a process know about runs. It follows every living
// run while there is a watcher.
type board struct {
	store holder.Store

	mu      sync.Mutex
	users   int
	stop    context.CancelFunc
	done    *sync.WaitGroup
	known   map[string]holder.Record
	counts  map[string]int // how often a run has changed
	follows map[string]bool
	changed chan struct{}
	scanned bool // every run was read once
	fault   error
	unread  []string
}

// Watch calls give with all runs and then with every change, until ctx ends or give
// fails. A slow caller gets only the last of several changes.
func (r *Runs) Watch(ctx context.Context, give func(News) error) error {
	b := &r.board
	b.enter(r.store)
	defer b.leave()
	seen := map[string]int{}
	inbox := "-" // never equal to a list of ids
	unread := []string{}
	for {
		news, changed, err := b.news(seen, &inbox)
		if at := b.unreadNow(); err == nil && !slices.Equal(at, unread) {
			unread, news.Unread = at, at
		}
		if err == nil && (len(news.Runs) > 0 || len(news.Gone) > 0 || news.Inbox != nil || news.Unread != nil) {
			err = give(news)
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// enter adds a watcher; the first one starts the scan.
func (b *board) enter(s holder.Store) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users++; b.users > 1 {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	b.store, b.stop, b.done = s, stop, new(sync.WaitGroup)
	b.known, b.counts, b.follows = map[string]holder.Record{}, map[string]int{}, map[string]bool{}
	b.changed, b.scanned, b.fault = make(chan struct{}), false, nil
	b.done.Go(func() { b.scan(ctx) })
}

// leave stops the board with its last watcher.
func (b *board) leave() {
	b.mu.Lock()
	b.users--
	last, stop, done := b.users == 0, b.stop, b.done
	b.mu.Unlock()
	if last {
		stop()
		done.Wait()
	}
}

// scan lists the runs repeatedly, and follows those that live.
func (b *board) scan(ctx context.Context) {
	for {
		b.mu.Lock()
		known := maps.Clone(b.known)
		b.mu.Unlock()
		list, err := b.store.Relist(ctx, known)
		b.mu.Lock()
		var unread *holder.UnreadError
		b.unread = []string{}
		if errors.As(err, &unread) {
			err = nil // show the others
			for _, one := range unread.Runs {
				b.unread = append(b.unread, one.Error())
			}
		}
		if b.fault = err; err == nil {
			b.merge(ctx, list)
		}
		b.scanned = true
		b.publish()
		b.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// unreadNow returns the runs that cannot be read.
func (b *board) unreadNow() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.unread...)
}

// merge applies a list of runs to the board. The board is locked.
func (b *board) merge(ctx context.Context, list []holder.Record) {
	there := map[string]bool{}
	for _, run := range list {
		there[run.ID] = true
		if !b.follows[run.ID] {
			b.set(run)
		}
		if run.Living() && !b.follows[run.ID] {
			b.follows[run.ID] = true
			b.done.Go(func() { b.follow(ctx, run.ID) })
		}
	}
	for id := range b.known {
		if !there[id] {
			delete(b.known, id)
		}
	}
}

// follow keeps one run up to date until it is over.
func (b *board) follow(ctx context.Context, id string) {
	_ = b.store.Follow(ctx, id, holder.FollowOptions{From: -1}, func(f holder.Frame) error { // scan follows it again
		if f.Record != nil {
			b.mu.Lock()
			b.set(*f.Record)
			b.publish()
			b.mu.Unlock()
		}
		return nil
	})
	b.mu.Lock()
	delete(b.follows, id)
	b.mu.Unlock()
}

// set records the state of a run. The board is locked.
func (b *board) set(run holder.Record) {
	if old, ok := b.known[run.ID]; ok && sameRun(&old, &run) {
		return
	}
	b.known[run.ID] = run
	b.counts[run.ID]++
}

// sameRun reports whether two records show the same to users.
func sameRun(a, b *holder.Record) bool {
	if a.State != b.State || a.Turns != b.Turns || a.Cost != b.Cost || a.Error != b.Error || a.Model != b.Model || a.Mode != b.Mode ||
		a.SessionID != b.SessionID || a.Why != b.Why || len(a.Prompts) != len(b.Prompts) {
		return false
	}
	for i := range a.Prompts {
		if a.Prompts[i].ID != b.Prompts[i].ID {
			return false
		}
	}
	return true
}

func (b *board) publish() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// news returns what a watcher has not seen, and the channel to wait on next.
func (b *board) news(seen map[string]int, inbox *string) (News, <-chan struct{}, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var news News
	if b.fault != nil && !errors.Is(b.fault, context.Canceled) {
		return news, b.changed, b.fault
	}
	if !b.scanned {
		return news, b.changed, nil
	}
	page := InboxPage{Prompts: []InboxItem{}}
	for id, run := range b.known {
		page.Prompts = append(page.Prompts, InboxOf(&run)...)
		if seen[id] != b.counts[id] && !run.Foreign {
			seen[id] = b.counts[id]
			news.Runs = append(news.Runs, run)
		}
	}
	for id := range seen {
		if _, ok := b.known[id]; !ok {
			delete(seen, id)
			news.Gone = append(news.Gone, id)
		}
	}
	sortRuns(news.Runs)
	sortInbox(page.Prompts)
	page.Total = len(page.Prompts)
	ids := ""
	for _, p := range page.Prompts {
		ids += p.ID + " "
	}
	if ids != *inbox {
		*inbox = ids
		news.Inbox = &page
	}
	return news, b.changed, nil
}
