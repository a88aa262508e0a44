package follow

import (
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// follows reports whether to report what happens in a file.
func (w *watch) follows(ev *live.Event) bool {
	id := ev.Key
	return ev.Kind == live.Changed && w.followed[id] != nil || w.followsFile(id, ev.File)
}

// followsFile reports whether a file of a session is one that is watched.
func (w *watch) followsFile(id sesskeep.Key, file string) bool {
	if f := w.followed[id]; f != nil {
		return f.only == nil || f.only[file]
	}
	return w.o.All && w.inProject(id, file)
}

// handle reports one event, or keeps it for the case that its session turns out to
// be one that is followed.
func (w *watch) handle(ev *live.Event) error {
	if ev.Kind == live.Reset {
		return w.give(Event{Kind: ResetEvent, Time: ev.Time})
	}
	w.names.learn(ev)
	w.introduce(ev)
	w.pass(ev)
	defer w.tidy(ev)
	if w.o.All {
		if err := w.forked(ev); err != nil {
			return err
		}
	}
	if ev.Kind == live.Moved {
		return w.moved(ev)
	}
	if !w.follows(ev) {
		w.recent.add(ev)
		return w.reconsider(ev)
	}
	return w.report(ev)
}

// introduce asks the Hub where a session runs if nothing was read of it yet.
func (w *watch) introduce(ev *live.Event) {
	if ev.Kind == live.Lines || ev.Agent != "" || w.names.of(ev.Key).cwd != "" {
		return
	}
	if s, ok := w.hub.Session(ev.Key); ok {
		w.names.registered(&s)
	}
}

// report reports an event of a session that is followed.
func (w *watch) report(ev *live.Event) error {
	id := ev.Key
	switch ev.Kind {
	case live.Lines:
		return w.lines(ev)
	case live.Changed:
		return w.state(id, ev.File, ev.State, ev.Time)
	case live.Appeared:
		return w.appeared(ev)
	case live.Replaced:
		delete(w.threads, ev.Of())
		return w.give(w.newEvent(ReplacedEvent, ev))
	case live.Finished:
		return w.give(w.newEvent(FinishedEvent, ev))
	case live.Gone:
		delete(w.threads, ev.Of())
		return w.give(w.newEvent(GoneEvent, ev))
	}
	return nil
}

// appeared reports a new session or agent, and what it does. The transcript of a
// session that was reported when its client started is no news.
func (w *watch) appeared(ev *live.Event) error {
	id := ev.Key
	if _, known := w.states[id]; known && ev.Agent == "" {
		return nil
	}
	m := w.newEvent(AppearedEvent, ev)
	if ev.Agent != "" || ev.State.Word == "" {
		return w.give(m)
	}
	m.State = &ev.State
	if err := w.give(m); err != nil {
		return err
	}
	return w.state(id, ev.File, ev.State, ev.Time)
}

// lines reports what was appended to a transcript.
func (w *watch) lines(ev *live.Event) error {
	if w.o.Brief && ev.Agent == "" {
		return w.give(w.newEvent(WrittenEvent, ev))
	}
	file := ev.Of()
	t := w.threads[file]
	if t == nil {
		t = &thread{}
		w.threads[file] = t
	}
	f := w.followed[ev.Key]
	for i := range ev.Entries {
		e := &ev.Entries[i]
		if f != nil && f.copies(e) {
			continue
		}
		if wanted, err := w.ofBranch(f, ev, e); err != nil {
			return err
		} else if !wanted {
			continue
		}
		if err := w.weigh(ev, e); err != nil {
			return err
		}
		for _, s := range t.add(e) {
			m := w.newEvent(EventKind(s.part.Kind), ev)
			m.setPart(&s.part)
			m.Chained, m.Spoken = e.Chain(), e.Spoken()
			if s.result {
				m.Kind = ResultEvent
			}
			if err := w.give(m); err != nil {
				return err
			}
		}
	}
	if err := w.queued(ev, t); err != nil {
		return err
	}
	if t.over() {
		delete(w.threads, file)
	}
	return nil
}

// queued reports the prompts that wait since these lines, if the model is at work:
// else it gets them at once.
func (w *watch) queued(ev *live.Event, t *thread) error {
	waiting := t.queue.drainNew()
	if len(waiting) == 0 {
		return nil
	}
	s, ok := w.hub.Session(ev.Key)
	if !t.queue.dequeued && !(ok && s.Standing.Open()) {
		return nil
	}
	for i := range waiting {
		m := w.newEvent(QueuedEvent, ev)
		m.Text, m.Line = waiting[i].text, waiting[i].line
		if at := waiting[i].time; !at.IsZero() {
			m.Time = at
		}
		if err := w.give(m); err != nil {
			return err
		}
	}
	return nil
}

// copies reports whether a line was already reported in another session. Behind the
// first line that was not, there are no more of them.
func (f *following) copies(e *sesskeep.Entry) bool {
	if f.copied == nil || e.UUID == "" {
		return f.copied != nil
	}
	if f.copied[e.UUID] {
		return true
	}
	if e.Spoken() {
		f.copied = nil
	}
	return false
}

// state reports what a session does now, unless it was last reported to do that.
func (w *watch) state(id sesskeep.Key, file string, now live.State, at time.Time) error {
	was, known := w.states[id]
	if known && now.Repeats(was) {
		return nil
	}
	w.states[id] = now
	m := w.newEvent(StateEvent, &live.Event{Root: w.src.root(id), Key: id, File: file, Time: at})
	m.State, m.Text = &now, now.Waiting
	if known {
		m.Was = &was
	}
	return w.give(m)
}

// newEvent makes an event with everything that is known of its session.
func (w *watch) newEvent(kind EventKind, ev *live.Event) Event {
	m := Event{Kind: kind, Time: ev.Time, Root: ev.Root, Key: ev.Key, Session: ev.Key.Session, Agent: ev.Agent, File: ev.File}
	w.names.fill(&m)
	return m
}
