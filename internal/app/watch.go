package app

import (
	"context"
	"path"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
)

// WatchOptions say what is watched.
type WatchOptions struct {
	// Targets are watched with their agents; one that is an agent, alone. Empty:
	// the sessions that a client runs, those too that begin later.
	Targets []WatchTarget
	All     bool // every session that changes, run by a client or not
	// Project leaves out everything else; nil: nothing. It does not concern
	// Targets.
	Project *Project
	// FromStart tells the transcripts first that are watched from the beginning.
	FromStart bool
	Now       func() time.Time // always set
	// Ready is called once, when nothing that happens is missed any more, with
	// how many sessions are watched. It may be nil.
	Ready func(sessions int)
}

// WatchTarget is a transcript to watch.
type WatchTarget struct {
	Target
	Alone bool // without its agents, and without following it elsewhere
	// Read is the transcript as it was shown already: it goes on from there.
	Read *sesskeep.Transcript
}

// Watch tells what happens, in the order of each file, until ctx ends or give
// returns an error, which is then its own.
func (a *App) Watch(ctx context.Context, o WatchOptions, give func(Moment) error) error {
	return a.withHub(ctx, o.Now, func(hub *live.Hub) error {
		w := newWatch(a, hub, o, give)
		if err := w.begin(ctx); err != nil {
			return err
		}
		return w.run(ctx)
	})
}

// withHub runs a Hub as long as do takes.
func (a *App) withHub(ctx context.Context, now func() time.Time, do func(*live.Hub) error) error {
	ctx, stop := context.WithCancel(ctx)
	hub := live.New(a.hubOptions(now))
	ended := make(chan error, 1)
	go func() { ended <- hub.Run(ctx) }()
	defer func() {
		stop()
		<-ended
	}()
	select {
	case <-hub.Ready():
		return do(hub)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *App) hubOptions(now func() time.Time) live.Options {
	return live.Options{Stores: a.Stores(), Alive: a.alive(), Now: now, Reports: a.opts.Reports, Log: a.opts.Lifecycle}
}

// watch is a Watch under way.
type watch struct {
	app  *App
	hub  *live.Hub
	o    WatchOptions
	give func(Moment) error

	followed map[sessionKey]*following
	threads  map[sessionFile]*thread
	reached  map[sessionFile]live.Position // how far each file was told
	states   map[sessionKey]live.State     // as they were last told
	names    *names
	recent   recent
}

// sessionKey names a session of one of several homes, sessionFile a transcript.
type (
	sessionKey struct {
		root string
		id   sesskeep.SessionID
	}
	sessionFile struct{ root, name string }
)

// following is a session that is watched.
type following struct {
	only   map[string]bool // these files; nil: all of the family
	copied map[string]bool // uuids of lines that were told in the session it is a copy of
}

func newWatch(a *App, hub *live.Hub, o WatchOptions, give func(Moment) error) *watch {
	return &watch{
		app: a, hub: hub, o: o, give: give,
		followed: map[sessionKey]*following{}, threads: map[sessionFile]*thread{},
		reached: map[sessionFile]live.Position{}, states: map[sessionKey]live.State{},
		names: newNames(a),
	}
}

// begin decides what is followed and tells what it does now.
func (w *watch) begin(ctx context.Context) error {
	w.names.load(ctx)
	for _, t := range w.o.Targets {
		if err := w.target(t); err != nil {
			return err
		}
	}
	for _, s := range w.hub.Sessions() {
		w.names.registered(&s)
		id := sessionKey{s.Root, s.ID}
		if len(w.o.Targets) > 0 || w.o.All || !s.State.Runs() || !w.inProject(s.Root, s.ID, s.File) {
			continue
		}
		w.followed[id] = &following{}
		if w.o.FromStart && s.File != "" {
			w.reached[sessionFile{s.Root, s.File}] = live.Position{}
		}
	}
	return nil
}

// target follows a transcript from the place where it is to begin.
func (w *watch) target(t WatchTarget) error {
	root := t.Store.Root()
	f := &following{}
	if t.Alone || t.Ref.Agent != "" {
		f.only = map[string]bool{t.Ref.File: true}
	}
	id := sessionKey{root, t.Store.Parent(t.Ref)}
	if was := w.followed[id]; was == nil {
		w.followed[id] = f
	} else if was.only != nil && f.only != nil {
		was.only[t.Ref.File] = true
	} else {
		was.only = nil
	}
	file := sessionFile{root, t.Ref.File}
	var err error
	switch {
	case t.Read != nil:
		return w.goOn(file, f, t.Read)
	case w.o.FromStart:
		w.reached[file] = live.Position{}
	default:
		w.reached[file], err = endOf(t.Store, t.Ref.File)
	}
	return err
}

// endOf is the place behind the last whole line of a transcript.
func endOf(s *sesskeep.Store, name string) (live.Position, error) {
	t, err := s.Tail(name, sesskeep.Mark{})
	if err != nil {
		return live.Position{}, err
	}
	defer t.Close()
	for _, ok := t.Next(); ok; _, ok = t.Next() {
	}
	offset, lines := t.Position()
	return live.Position{Offset: offset, Line: lines}, t.Err()
}

// run tells events until there are no more. A Hub that we were too slow for is
// asked again for all that was not told.
func (w *watch) run(ctx context.Context) error {
	for first := true; ; first = false {
		sub := w.subscribe()
		if first {
			if err := w.ready(); err != nil {
				sub.Close()
				return err
			}
		}
		for ev := range sub.Events() {
			if err := w.event(&ev); err != nil {
				sub.Close()
				return err
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (w *watch) subscribe() *live.Subscription {
	since := map[string]live.Position{}
	for file, at := range w.reached {
		since[file.name] = at
	}
	return w.hub.Subscribe(live.Interest{Lines: true, Since: since})
}

// ready says that everything is told from now on, and what those sessions do
// that are known already.
func (w *watch) ready() error {
	if w.o.Ready != nil {
		w.o.Ready(len(w.followed))
	}
	for _, s := range w.hub.Sessions() {
		id := sessionKey{s.Root, s.ID}
		if w.followed[id] == nil && !(w.o.All && s.State.Runs() && w.inProject(s.Root, s.ID, s.File)) {
			continue
		}
		if err := w.state(id, s.File, s.State, w.o.Now()); err != nil {
			return err
		}
	}
	return nil
}

// inProject reports whether a session is of the project that was asked for.
func (w *watch) inProject(root string, id sesskeep.SessionID, file string) bool {
	return w.names.within(w.o.Project, root, id, file)
}

// dirOf is the directory of a project in the name of a file in it.
func dirOf(file string) string {
	rest, _ := strings.CutPrefix(path.Clean(file), "projects/")
	dir, _, _ := strings.Cut(rest, "/")
	return dir
}
