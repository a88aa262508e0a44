package board

import (
	"context"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// Tail follows one transcript for a caller that has read it and wants to read on.
// It is a place in what the Hub knows and holds no lines itself, so a caller that is
// slow costs nothing. One goroutine uses it.
type Tail struct {
	sub  *live.Subscription
	gave time.Time // when Next last returned
}

// Appended is what happened to a transcript: lines were appended, or it changed in
// another way.
type Appended struct {
	Entries []sesskeep.Entry // the appended lines; all who follow the file share them
	To      int64            // the offset behind them; 0: nothing was appended
	// Changed is set if the file was replaced or deleted, or lines are missing here. The
	// caller then compares the file itself.
	Changed bool

	size int64 // of the lines
}

// mostAppended is about how many bytes of lines Next returns at a time.
const mostAppended = 1 << 20

// Tail follows a transcript of the home at root from now on. It is nil while no Hub
// runs. The caller compares the file once more: what was written before this call is
// not reported. It has to close the Tail.
func (lv *Live) Tail(root, file string) *Tail {
	hub := lv.opts.Index.Hub()
	if hub == nil {
		return nil
	}
	return &Tail{sub: hub.Subscribe(live.Interest{Lines: true, Files: []live.File{{Root: root, Name: file}}})}
}

// Close ends the Tail. Any goroutine may call it at any time; Next then returns.
func (t *Tail) Close() { t.sub.Close() }

// Next waits until something happens to the transcript, and for rest since it last
// returned. It reports false when the Tail was closed, the Hub ended, or ctx did.
func (t *Tail) Next(ctx context.Context, rest time.Duration) (a Appended, ok bool) {
	timer := time.NewTimer(rest - time.Since(t.gave))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return a, false
	}
	defer func() { t.gave = time.Now() }()
	for a.To == 0 && !a.Changed || len(t.sub.Events()) > 0 && a.size < mostAppended {
		select {
		case ev, open := <-t.sub.Events():
			if !open {
				return a, a.To > 0 || a.Changed
			}
			a.add(&ev)
		case <-ctx.Done():
			return a, false
		}
	}
	return a, true
}

// add adds an event.
func (a *Appended) add(ev *live.Event) {
	switch {
	case ev.Kind == live.Replaced || ev.Kind == live.Gone || ev.Kind == live.Appeared || ev.Kind == live.Reset:
		*a = Appended{Changed: true}
	case ev.Kind == live.Lines && !a.Changed:
		a.Entries, a.To = append(a.Entries, ev.Entries...), ev.To.Offset
		a.size += ev.To.Offset - ev.From.Offset
	}
}
