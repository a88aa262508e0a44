package follow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/live"
)

// WatchOptions say what is watched.
type WatchOptions struct {
	// Targets are watched with their agents; one that is an agent, alone. Empty:
	// the sessions that a client runs, those too that begin later.
	Targets []WatchTarget
	All     bool // every session that changes, run by a client or not
	// Projects leave out everything else; nil: nothing. It does not concern
	// Targets.
	Projects []ask.Project
	// FromStart reports what the watched transcripts already contain first.
	FromStart bool
	// Context is how full the context of a session has to be, in percent of the
	// model's window, for that to be reported; 0: it is not.
	Context int
	// Brief reports that a session's own transcript was written as one WrittenEvent
	// for the lines that came together, without what they say. What agents say is
	// reported all the same. It is for those who show sessions and not their lines.
	Brief bool
	Now   func() time.Time // nil: the machine's clock
	// Ready is called once, when nothing that happens is missed any more, with
	// how many sessions are watched. It may be nil.
	Ready func(sessions int)
	// Warn is called at most once, if the system cannot report all changes. They
	// are then polled every 2 seconds. It may be nil.
	Warn func(error)
}

// WatchTarget is a transcript to watch.
type WatchTarget struct {
	Store  *sesskeep.Store
	Ref    sesskeep.Ref
	Single bool // without its agents, and without following it elsewhere
	// Branch is the only conversation to watch, and a LeftEvent reports that the
	// session leaves it; nil: all of them.
	Branch *Branch
	// LastTurn reports the last prompt first, and what came after it.
	LastTurn bool
	// Read is the transcript as it was already shown: the watch continues from there.
	Read *sesskeep.Transcript
}

// Watch reports what happens, in the order of each file, until ctx ends or give
// returns an error, which is then its own.
func Watch(ctx context.Context, s *Sources, o WatchOptions, give func(Event) error) error {
	o.Now = clock(o.Now)
	return s.withHub(ctx, o.Now, func(ctx context.Context, hub *live.Hub) error {
		w := newWatch(s, hub, o, give)
		if err := w.start(ctx); err != nil {
			return err
		}
		return w.run(ctx)
	})
}

// clock is the one given, or the machine's.
func clock(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}

// withHub calls do with the Hub that everybody shares who uses these Sources.
func (s *Sources) withHub(ctx context.Context, now func() time.Time, do func(context.Context, *live.Hub) error) error {
	return s.Shared.Use(ctx, s.hub(now), do)
}

// watch is a Watch under way.
type watch struct {
	src  *Sources
	hub  *live.Hub
	o    WatchOptions
	give func(Event) error

	followed map[sesskeep.Key]*following
	threads  map[live.File]*thread
	reached  map[live.File]reach         // up to where the events of each file came, reported or not
	states   map[sesskeep.Key]live.State // as they were last reported
	full     map[sesskeep.Key]bool       // whose context is known, and whether it is full
	fresh    map[live.File]bool          // that are new, and in which nothing was said yet
	names    *names
	recent   recent
}

// reach is a place in a file of a session.
type reach struct {
	id sesskeep.Key
	at live.Position
}

// following is a session that is watched.
type following struct {
	only   map[string]bool // these files; nil: all of the family
	copied map[string]bool // uuids of lines that were reported in the session it is a copy of
	branch *branch         // the only one of it; nil: all
}

func newWatch(src *Sources, hub *live.Hub, o WatchOptions, give func(Event) error) *watch {
	return &watch{
		src: src, hub: hub, o: o, give: give,
		followed: map[sesskeep.Key]*following{}, threads: map[live.File]*thread{},
		reached: map[live.File]reach{}, states: map[sesskeep.Key]live.State{}, full: map[sesskeep.Key]bool{}, fresh: map[live.File]bool{},
		names: newNames(src),
	}
}

// start decides what is followed and reports what it does now.
func (w *watch) start(ctx context.Context) error {
	w.names.load(ctx)
	for _, t := range w.o.Targets {
		if err := w.target(t); err != nil {
			return err
		}
	}
	for _, s := range w.hub.Sessions() {
		w.names.registered(&s)
		id := s.Key
		if w.shouldFollow(&s) {
			w.followed[id] = &following{}
			if w.o.FromStart && s.File != "" {
				w.reached[live.File{Root: s.Root, Name: s.File}] = reach{id: id}
			}
		}
		w.skipOld(&s)
	}
	for id, f := range w.followed {
		if f.branch != nil && f.branch.away {
			if err := w.leaves(&live.Event{Root: w.src.root(id), Key: id, Time: w.o.Now()}, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// skipOld notes how far the Hub, which may run for long, has read the files of a
// session: what lies before is not for us.
func (w *watch) skipOld(s *live.Session) {
	skip := func(name string, at live.Position) {
		file := live.File{Root: s.Root, Name: name}
		if _, ok := w.reached[file]; !ok && name != "" {
			w.reached[file] = reach{s.Key, at}
		}
	}
	skip(s.File, s.At)
	for _, a := range s.Agents {
		skip(a.File, a.At)
	}
}

// shouldFollow reports whether to start following a session, because a client
// runs it and all of those are watched.
func (w *watch) shouldFollow(s *live.Session) bool {
	return len(w.o.Targets) == 0 && !w.o.All && s.State.Runs() &&
		w.followed[s.Key] == nil && w.inProject(s.Key, s.File)
}

// target follows a transcript from the place where it is to begin.
func (w *watch) target(t WatchTarget) error {
	root := t.Store.Root()
	f := &following{}
	if t.Branch != nil {
		f.branch = newBranch(t.Branch)
	}
	if t.Single || t.Ref.Agent != "" {
		f.only = map[string]bool{t.Ref.File: true}
	}
	id := t.Store.SessionKey(t.Store.Parent(t.Ref))
	if was := w.followed[id]; was == nil {
		w.followed[id] = f
	} else if was.only != nil && f.only != nil {
		was.only[t.Ref.File] = true
	} else {
		was.only, was.branch = nil, nil
	}
	file := live.File{Root: root, Name: t.Ref.File}
	var at live.Position
	var err error
	switch {
	case t.Read != nil:
		at, err = w.endPosition(file, f, t.Read)
	case t.LastTurn:
		at, err = lastPrompt(t.Store, t.Ref.File)
	case !w.o.FromStart:
		at, err = endOf(t.Store, t.Ref.File)
	}
	w.reached[file] = reach{id, at}
	return err
}

// lastPrompt is the place before the last prompt of a transcript; its start if
// there is none.
func lastPrompt(s *sesskeep.Store, name string) (live.Position, error) {
	t, err := s.Tail(name, homefs.Mark{})
	if err != nil {
		return live.Position{}, err
	}
	defer t.Close()
	var before, last live.Position
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		if e.IsPrompt() && !e.Sidechain {
			last = before
		}
		before.Offset, before.Line = t.Position()
	}
	return last, t.Err()
}

// endOf is the end of the last whole line of a file. It decodes none of them.
func endOf(s *sesskeep.Store, name string) (end live.Position, err error) {
	f, err := s.Files().Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return end, nil
	}
	if err != nil {
		return end, err
	}
	defer f.Close()
	buf := make([]byte, 256<<10)
	for at := int64(0); ; {
		n, err := f.ReadAt(buf, at)
		if last := bytes.LastIndexByte(buf[:n], '\n'); last >= 0 {
			end.Offset = at + int64(last) + 1
			end.Line += bytes.Count(buf[:n], []byte("\n"))
		}
		at += int64(n)
		if errors.Is(err, io.EOF) {
			return end, nil
		}
		if err != nil {
			return end, &sesskeep.Error{Op: "read", Name: s.Path(name), Err: err}
		}
	}
}

// inProject reports whether a session is of the project that was asked for.
func (w *watch) inProject(id sesskeep.Key, file string) bool {
	return w.names.within(w.o.Projects, id, file)
}

// dirOf is the directory of a project in the name of a file in it.
func dirOf(file string) string {
	if file == "" {
		return ""
	}
	rest, _ := strings.CutPrefix(path.Clean(file), "projects/")
	dir, _, _ := strings.Cut(rest, "/")
	return dir
}
