package history

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"sesskeep/claudehome"
	"sesskeep/internal/homes"
	"sesskeep/internal/stamp"
)

// wholeHistory is the size in bytes up to which a history is read whole. A longer one
// is read from its end until the query is answered.
var wholeHistory int64 = 16 << 20

// past is the part of one home's history that was read.
type past struct {
	home *homes.Home
	list claudehome.History
	back *claudehome.HistoryReader // reads what came before; nil: all is read
}

// readPast reads a history, or the end of a long one.
func readPast(h *homes.Home) (*past, error) {
	p := &past{home: h}
	r, err := claudehome.OpenHistory(h.Store.Files())
	if err != nil {
		return nil, err
	}
	if r.Size() <= wholeHistory {
		if p.list, _, err = claudehome.ReadHistory(h.Store.Files()); err != nil {
			return nil, errors.Join(err, r.Close())
		}
		return p, r.Close()
	}
	p.back = r
	more, err := p.more()
	p.list = more
	return p, err
}

func (p *past) close() {
	if p.back != nil {
		p.back.Close() // of a file that was only read
	}
}

// more reads on towards the beginning. There is nothing when that is reached.
func (p *past) more() (claudehome.History, error) {
	if p.back == nil {
		return nil, nil
	}
	list, err := p.back.Back()
	if errors.Is(err, io.EOF) {
		p.close()
		p.back = nil
		return nil, nil
	}
	return list, err
}

// search finds the prompts of one home that match. It stops reading where no more can
// come, and reports whether it found all of them.
//
// Lines are nearly in the order of time: a client that waits to write one does so for
// minutes. A stretch of lines is megabytes.
func (p *past) search(ctx context.Context, q claudehome.HistoryQuery, f *PromptFilter) (found []Prompt, whole bool, err error) {
	wanted, edge := f.Slice.Reach(f.list("prompts"))
	for list := p.list; ; {
		if f.Pastes && f.Text != "" {
			fetchPastes(p.home, list)
		}
		for _, e := range list.Search(q) {
			found = append(found, p.prompt(e))
		}
		latest := newest(list)
		switch {
		case p.back == nil || !f.Since.IsZero() && latest.Before(f.Since):
			return found, true, ctx.Err()
		case wanted > 0 && latest.Before(nth(found, wanted, edge)), ctx.Err() != nil:
			return found, false, ctx.Err()
		}
		if list, err = p.more(); err != nil {
			return found, false, err
		}
	}
}

func (p *past) prompt(e claudehome.HistoryEntry) Prompt {
	return Prompt{
		Time: stamp.Time{Time: e.Time}, Text: e.Display, Path: e.Project, Session: string(e.Session),
		Root: p.home.Store.Root(), Line: e.Line, entry: e, home: p.home,
	}
}

// newest is the latest time of entries.
func newest(list claudehome.History) (latest time.Time) {
	for i := range list {
		if list[i].Time.After(latest) {
			latest = list[i].Time
		}
	}
	return latest
}

// nth is the time of the n-th latest prompt that is not later than edge, in
// milliseconds; zero if there are fewer.
func nth(found []Prompt, n int, edge int64) time.Time {
	var times []int64
	for i := range found {
		if at := found[i].Time.UnixMilli(); at <= edge {
			times = append(times, at)
		}
	}
	if len(times) < n {
		return time.Time{}
	}
	slices.Sort(times)
	return time.UnixMilli(times[len(times)-n])
}
