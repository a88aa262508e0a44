package live

import (
	"math"
	"regexp"
	"strings"
	"time"

	"sesskeep"
)

// feed is one transcript as far as it was read.
//
// A file that lay there before the Hub began is cold: only its status is known.
// When it changes for the first time it is read whole, because its Standing
// needs all of it, and what lies behind its size at the start is told.
type feed struct {
	home    *home
	name    string
	session sesskeep.SessionID // empty for a flat agent that was not read
	agent   sesskeep.AgentID

	mark     sesskeep.Mark
	warm     bool
	standing sesskeep.Standing
	from     Position // what lies before is no news
	at       Position // what lies before was told; written under Hub.mu

	meta sesskeep.Mark      // of an agent's meta file, when it was last read
	note sesskeep.AgentMeta // what it says
}

// eventSize is about how many bytes of a file one event carries. A line is
// never cut.
const eventSize = 1 << 20

// unread is the Mark of a file about which nothing is sure: whatever is there,
// it is Replaced.
var unread = sesskeep.Mark{Offset: math.MaxInt64}

var transcriptName = regexp.MustCompile(
	`^projects/[^/]+/(?:([0-9a-fA-F-]{36})|agent-([A-Za-z0-9_-]{1,128})|` +
		`([0-9a-fA-F-]{36})/subagents/(?:workflows/[^/]+/)?agent-([A-Za-z0-9_-]{1,128}))\.(jsonl|meta\.json)$`)

// transcript tells whose transcript a name is, or is the meta file of. It is
// nil for any other file.
func transcript(name string) *feed {
	m := transcriptName.FindStringSubmatch(name)
	if m == nil || m[5] != "jsonl" && m[4] == "" {
		return nil
	}
	id := sesskeep.SessionID(m[1] + m[3])
	if id != "" && !sesskeep.IsUUID(string(id)) {
		return nil
	}
	if stem, ok := strings.CutSuffix(name, ".meta.json"); ok {
		name = stem + ".jsonl"
	}
	return &feed{name: name, session: id, agent: sesskeep.AgentID(m[2] + m[4])}
}

// files is where the feed of a name is kept, or nil if its directory is not
// known.
func (h *home) files(name string) map[string]*feed {
	parts := strings.Split(name, "/")
	f := h.folders[sesskeep.ProjectKey(parts[1])]
	switch {
	case f == nil:
		return nil
	case len(parts) == 3:
		return f.files
	}
	return f.side(sesskeep.SessionID(parts[2])).files
}

// status is what the file system said when the file was last read.
func (f *feed) status() sesskeep.Mark {
	m := f.mark
	m.Offset, m.Lines, m.Odd = 0, 0, 0
	m.Head, m.Tail, m.All = 0, 0, 0
	return m
}

func (f *feed) written() time.Time {
	if f.mark.Modtime == 0 {
		return time.Time{}
	}
	return time.Unix(0, f.mark.Modtime)
}

// lookAt looks at a transcript by its name, known or not.
func (h *home) lookAt(name string) {
	f := transcript(name)
	files := h.files(name)
	if files == nil { // its directory is news too
		h.due.folders[sesskeep.ProjectKey(strings.Split(name, "/")[1])] = true
		return
	}
	if known := files[f.name]; known != nil {
		h.look(known)
		return
	}
	f.home, f.warm = h, true
	if !h.regular(f.name) {
		h.prune(f.name)
		return
	}
	files[f.name] = f
	h.appear(f)
	h.read(f)
}

// regular reports whether there is a file that can be read.
func (h *home) regular(name string) bool {
	f, err := h.store.Open(name)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// look reads what is new in a file, if its status is not as it was.
func (h *home) look(f *feed) {
	if _, ok := h.resting[f]; ok {
		h.resting[f] = true
		return
	}
	stamp, ok := h.store.Stamp(f.name)
	switch {
	case !ok:
		h.gone(f)
		return
	case stamp != f.status():
		h.read(f)
		h.tire(f)
	}
	h.readMeta(f)
}

// read reads a file from its Mark to its end and tells what is new.
func (h *home) read(f *feed) {
	from := f.mark
	if !f.warm {
		from = sesskeep.Mark{}
	}
	t, err := h.store.Tail(f.name, from)
	if err != nil {
		return // the next look tries again
	}
	defer t.Close()
	switch t.Change {
	case sesskeep.ChangeGone:
		h.gone(f)
		return
	case sesskeep.ChangeNone:
		return
	}
	known, replaced := f.known(t)
	if replaced {
		f.standing, f.from = sesskeep.Standing{}, Position{}
		h.tellOver(f, h.eventOf(Replaced, f))
	}
	h.readOn(f, t, known)
	f.warm = true
	if f.mark, err = t.Mark(); err != nil {
		f.mark = unread
	}
	h.changed(f)
}

// known is the size up to which nothing of the file is news, and whether the
// file is another one than it was.
func (f *feed) known(t *sesskeep.Tail) (size int64, replaced bool) {
	if f.warm {
		return 0, t.Change == sesskeep.ChangeReplaced
	}
	now, _ := f.home.store.Stamp(f.name)
	if now.Device != f.mark.Device || now.Inode != f.mark.Inode || now.Size < f.mark.Size {
		return 0, true
	}
	return f.mark.Size, false
}

// readOn gives out all entries of t whose lines end behind known.
func (h *home) readOn(f *feed, t *sesskeep.Tail, known int64) {
	b := batch{home: h, feed: f, last: f.at}
	for e, ok := t.Next(); ok && h.ctx.Err() == nil; e, ok = t.Next() {
		f.standing.Add(e)
		if f.session == "" && e.Chain() {
			f.session = e.Session
		}
		at := position(t)
		if !f.warm && at.Offset <= known {
			f.from = at
		}
		b.add(e, at, known)
	}
	if !f.warm && len(b.entries) == 0 {
		b.last = position(t)
	}
	b.flush(position(t))
}

func position(t *sesskeep.Tail) Position {
	offset, lines := t.Position()
	return Position{offset, lines}
}

// batch gathers the entries of one event.
type batch struct {
	home    *home
	feed    *feed
	entries []sesskeep.Entry
	size    int
	from    Position
	last    Position // the end of the last line that was added
}

// add takes in an entry whose line ends at end. Several entries can be of one
// line, and then they stay together.
func (b *batch) add(e *sesskeep.Entry, end Position, known int64) {
	if b.size >= eventSize && end != b.last {
		b.flush(b.last)
	}
	if end.Offset > known && b.home.lines.Load() > 0 {
		if len(b.entries) == 0 {
			b.from = b.last
		}
		b.entries = append(b.entries, e.Clone())
		b.size += len(e.Raw)
	}
	b.last = end
}

// flush tells what was gathered. Lines without any entry are told too, so that
// no event starts elsewhere than the one before it ended.
func (b *batch) flush(to Position) {
	if len(b.entries) == 0 {
		b.from = b.last
	}
	ev := b.home.eventOf(Lines, b.feed)
	ev.Entries, ev.From, ev.To = b.entries, b.from, to
	b.home.tellLines(b.feed, ev)
	b.entries, b.size = nil, 0
}

// gone forgets a file that is not there any more.
func (h *home) gone(f *feed) {
	if files := h.files(f.name); files != nil {
		delete(files, f.name)
	}
	delete(h.resting, f)
	h.leave(f)
	h.prune(f.name)
	ev := h.eventOf(Gone, f)
	h.tellOver(f, ev)
	if f.agent == "" {
		h.record(ev)
	}
}

// readMeta reads what the client notes beside an agent's transcript.
func (h *home) readMeta(f *feed) {
	if f.agent == "" || !f.warm || strings.Count(f.name, "/") < 4 {
		return
	}
	now, _ := h.store.Stamp(strings.TrimSuffix(f.name, ".jsonl") + ".meta.json")
	if now == f.meta {
		return
	}
	f.meta = now
	f.note, _ = h.store.AgentMeta(sesskeep.Ref{File: f.name})
	h.changed(f)
}

func (h *home) eventOf(k Kind, f *feed) Event {
	ev := h.event(k)
	ev.Root, ev.Session, ev.Agent, ev.File = h.store.Root(), f.session, f.agent, f.name
	return ev
}
