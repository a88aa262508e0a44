package follow

import (
	"context"
	"fmt"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// weigh reports that the context of a session is full, with the answer that makes
// it so. After a compaction it can become full again.
func (w *watch) weigh(ev *live.Event, e *sesskeep.Entry) error {
	if w.o.Context == 0 || ev.Agent != "" {
		return nil
	}
	var last lastSaid
	last.add(e)
	return w.fill(ev, &last)
}

// weighEnd does the same for a session as it stands when the watch begins.
func (w *watch) weighEnd(ctx context.Context, id sesskeep.Key, file string, now time.Time) error {
	store := w.src.home(id)
	if _, known := w.full[id]; known || w.o.Context == 0 || store == nil || file == "" {
		return nil
	}
	last := readLast(ctx, store, file)
	return w.fill(&live.Event{Root: store.Root(), Key: id, File: file, Time: now}, &last)
}

func (w *watch) fill(ev *live.Event, last *lastSaid) error {
	window := w.src.window(ev.Root, ev.Key.Session, last)
	if window == 0 {
		return nil
	}
	id := ev.Key
	percent := 100 * last.context / window
	full, was := percent >= int64(w.o.Context), w.full[id]
	w.full[id] = full
	if !full || was {
		return nil
	}
	m := w.newEvent(ContextEvent, ev)
	m.Model, m.Context, m.Window = last.model, last.context, window
	m.Text = fmt.Sprintf("%d %% of %d tokens", percent, window)
	if state, ok := w.states[id]; ok {
		m.State = &state
	}
	return w.give(m)
}
