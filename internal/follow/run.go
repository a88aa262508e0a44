package follow

import (
	"context"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// run reports events until there are no more. A Hub that we were too slow for is
// asked again for all that was not reported.
func (w *watch) run(ctx context.Context) error {
	for first := true; ; first = false {
		sub, err := w.subscribe()
		if err != nil {
			return err
		}
		if first && w.o.Ready != nil {
			select {
			case <-sub.Began():
				w.o.Ready(len(w.followed))
			case <-ctx.Done():
			}
		}
		w.warn()
		leave := context.AfterFunc(ctx, sub.Close) // the Hub may run on
		err = w.receive(ctx, sub)
		leave()
		sub.Close()
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// receive reports what happens, until the Hub has no more for this subscription. What
// running sessions do comes first, and how the others rest after what they say.
func (w *watch) receive(ctx context.Context, sub *live.Subscription) error {
	if err := w.catchUp(ctx, live.State.Runs); err != nil {
		return err
	}
	caught := sub.CaughtUp()
	for {
		select {
		case ev, ok := <-sub.Events():
			if !ok {
				return nil
			}
			w.warn()
			if err := w.handle(&ev); err != nil {
				return err
			}
		case <-caught:
			if len(sub.Events()) > 0 {
				continue // which is what was caught up with
			}
			caught = nil
			if err := w.catchUp(ctx, func(live.State) bool { return true }); err != nil {
				return err
			}
		}
	}
}

// warn says once that changes come late.
func (w *watch) warn() {
	if w.o.Warn == nil {
		return
	}
	if err := w.hub.Limited(); err != nil {
		w.o.Warn(err)
		w.o.Warn = nil
	}
}

// subscribe asks for everything that has not come by of the files that are
// followed. One that comes while we ask is asked for too.
func (w *watch) subscribe() (*live.Subscription, error) {
	since, err := w.since()
	for err == nil {
		sub := w.hub.Subscribe(live.Interest{Lines: true, Since: since})
		now, problem := w.since()
		if problem == nil && covers(since, now) {
			return sub, nil
		}
		sub.Close()
		since, err = now, problem
	}
	return nil, err
}

func covers(since, now map[live.File]live.Position) bool {
	for file := range now {
		if _, ok := since[file]; !ok {
			return false
		}
	}
	return true
}

// since returns, for each file that is followed, the position from which to report
// it. For one without an event that is where it ended when the Hub first read it.
func (w *watch) since() (map[live.File]live.Position, error) {
	since := map[live.File]live.Position{}
	for _, s := range w.hub.Sessions() {
		w.names.registered(&s)
		id := s.Key
		if w.shouldFollow(&s) {
			if err := w.follow(id, nil); err != nil {
				return nil, err
			}
		}
		add := func(name string, from live.Position) {
			if name != "" && w.followsFile(id, name) {
				since[live.File{Root: s.Root, Name: name}] = from
			}
		}
		add(s.File, s.From)
		for _, a := range s.Agents {
			add(a.File, a.From)
		}
	}
	for file, r := range w.reached {
		if w.followsFile(r.id, file.Name) {
			since[file] = r.at
		}
	}
	return since, nil
}

// catchUp reports the states of known sessions that changed since they were last
// reported, and the end of sessions that are not known any more. Of the states that
// were never reported it leaves out those that are not wanted yet.
func (w *watch) catchUp(ctx context.Context, wanted func(live.State) bool) error {
	now := w.o.Now()
	there := map[sesskeep.Key]bool{}
	for _, s := range w.hub.Sessions() {
		id := s.Key
		there[id] = true
		_, known := w.states[id]
		if !known && !wanted(s.State) {
			continue
		}
		if w.followed[id] == nil && !(w.o.All && (known || s.State.Runs()) && w.inProject(s.Key, s.File)) {
			continue
		}
		if err := w.state(id, s.File, s.State, now); err != nil {
			return err
		}
		if err := w.weighEnd(ctx, id, s.File, now); err != nil {
			return err
		}
	}
	for id := range w.states {
		if there[id] {
			continue
		}
		if err := w.ended(id, now); err != nil {
			return err
		}
	}
	return nil
}

// ended reports the end of a session that left no trace.
func (w *watch) ended(id sesskeep.Key, now time.Time) error {
	over := live.State{Word: live.Ended, Since: now, Why: "nothing is left of it"}
	err := w.state(id, w.names.file(id), over, now)
	w.drop(id)
	return err
}

// pass notes how far a file has come by.
func (w *watch) pass(ev *live.Event) {
	file := ev.Of()
	switch ev.Kind {
	case live.Lines, live.Replaced: // its To is the start
		w.reached[file] = reach{ev.Key, ev.To}
	case live.Gone:
		delete(w.reached, file)
	}
}

// tidy forgets a session with the last event of it.
func (w *watch) tidy(ev *live.Event) {
	id := ev.Key
	gone := ev.Kind == live.Gone && ev.Agent == "" ||
		ev.Kind == live.Changed && ev.File == "" && ev.State.Word == live.Ended
	if gone && !w.states[id].Runs() {
		w.drop(id)
	}
}

// drop forgets a session. A target that is gone can come again.
func (w *watch) drop(id sesskeep.Key) {
	delete(w.states, id)
	delete(w.full, id)
	delete(w.names.sessions, id)
	if len(w.o.Targets) == 0 {
		delete(w.followed, id)
	}
}
