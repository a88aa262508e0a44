package live

import (
	"math"
	"regexp"
	"strings"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// trackedFile is one transcript, and how much of it was read.
//
// A file that was there before the Hub started is not loaded: only its status
// is known. When it changes for the first time it is read from the Mark that
// the caller of the Hub knows, or else whole, because its Standing needs all of
// it. What lies behind its size at the start is published.
type trackedFile struct {
	home    *home
	name    string
	session sesskeep.SessionID // empty for a flat agent that was not read
	agent   sesskeep.AgentID

	mark     homefs.Mark // how far it was read; only its status before it is loaded
	loaded   bool
	news     bool // it came after the Hub's first look
	standing sesskeep.Standing
	from     Position // what lies before is no news
	at       Position // what lies before was published; written under Hub.mu
	edition  *edition // what it says now: see current
	meta     *metaFile
}

// metaFile is what the client notes beside an agent's transcript. Most
// transcripts have none that was read, and there are thousands of them.
type metaFile struct {
	mark homefs.Mark // when it was last read
	note sesskeep.AgentMeta
}

// aside is what was last read beside the transcript.
func (f *trackedFile) aside() metaFile {
	if f.meta == nil {
		return metaFile{}
	}
	return *f.meta
}

// eventSize is about how many bytes of a file one event carries. A line is
// never cut.
const eventSize = 1 << 20

// unread is the Mark of a file about which nothing is sure: whatever is there,
// it is Replaced.
var unread = homefs.Mark{Offset: math.MaxInt64}

var transcriptName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^projects/[^/]+/(?:([0-9a-fA-F-]{36})|agent-([A-Za-z0-9_-]{1,128})|` +
			`([0-9a-fA-F-]{36})/subagents/(?:workflows/[^/]+/)?agent-([A-Za-z0-9_-]{1,128}))\.(jsonl|meta\.json)$`)
})

// transcript parses the name of a transcript or of its meta file. It returns
// nil for any other file.
func transcript(name string) *trackedFile {
	m := transcriptName().FindStringSubmatch(name)
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
	return &trackedFile{name: name, session: id, agent: sesskeep.AgentID(m[2] + m[4])}
}

// status is what the file system said when the file was last read or remembered.
func (f *trackedFile) status() homefs.Mark {
	m := f.mark
	m.Offset, m.Lines, m.Reported = 0, 0, 0
	m.Head, m.Tail, m.All = 0, 0, 0
	return m
}

func (f *trackedFile) written() time.Time {
	if f.mark.Modtime == 0 {
		return time.Time{}
	}
	return time.Unix(0, f.mark.Modtime)
}

// checkFile checks a transcript by its name, known or not.
func (h *home) checkFile(name string) {
	f := transcript(name)
	files := h.tree.files(name)
	if files == nil { // its directory is news too
		h.due.folders[sesskeep.ProjectKey(strings.Split(name, "/")[1])] = true
		return
	}
	if known := files[f.name]; known != nil {
		known.check()
		return
	}
	f.home, f.loaded = h, true
	if !h.regular(f.name) {
		h.tree.prune(f.name)
		return
	}
	files[f.name] = f
	h.appear(f)
	f.read()
}

// regular reports whether there is a file that can be read.
func (h *home) regular(name string) bool {
	f, err := h.store.Files().Open(name)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// check reads what is new in the file, if its status is not as it was.
func (f *trackedFile) check() {
	if _, ok := f.home.loop.resting[f]; ok {
		f.home.loop.resting[f] = true
		return
	}
	stamp, ok := f.home.store.Files().Stamp(f.name)
	switch {
	case !ok && !f.home.store.Files().Missing(f.name):
		return // what cannot be looked at is as it was
	case !ok:
		f.remove()
		return
	case stamp != f.status():
		f.read()
		f.home.loop.throttle(f)
	}
	f.readMeta()
}

// load reads a file that was not read yet.
func (f *trackedFile) load() {
	if !f.loaded {
		f.read()
		f.readMeta()
	}
}

// read reads what is new in the file and publishes it.
func (f *trackedFile) read() {
	from := f.mark
	if !f.loaded {
		from, f.standing = f.known()
	}
	f.readFrom(from)
}

// known returns what the caller of the Hub has read of a file that is not loaded, if
// that is the file which was there at the start. What lies behind its size then is
// still to be published, so a Mark behind that size is of no use.
func (f *trackedFile) known() (homefs.Mark, sesskeep.Standing) {
	h := f.home
	if h.hub.o.Known == nil {
		return homefs.Mark{}, sesskeep.Standing{}
	}
	k, ok := h.hub.o.Known(File{h.store.Root(), f.name})
	if !ok || k.Mark.Device != f.mark.Device || k.Mark.Inode != f.mark.Inode || k.Mark.Offset > f.mark.Size {
		return homefs.Mark{}, sesskeep.Standing{}
	}
	return k.Mark, k.Standing
}

// readFrom reads the file from a Mark to its end.
func (f *trackedFile) readFrom(from homefs.Mark) {
	t, err := f.home.store.Tail(f.name, from)
	if err != nil {
		return // the next check tries again
	}
	defer t.Close()
	switch t.Change {
	case homefs.Gone:
		f.remove()
		return
	case homefs.Same:
		if f.loaded {
			return
		}
	}
	old, replaced := f.compare(t)
	if replaced && t.Change != homefs.Replaced && from != (homefs.Mark{}) {
		// It became shorter since the start, and the known Mark still fits, or is
		// already of what the file says now.
		f.readFrom(homefs.Mark{})
		return
	}
	if t.Change == homefs.Replaced {
		f.standing = sesskeep.Standing{}
	}
	if replaced {
		f.standing, f.from = sesskeep.Standing{}, Position{}
		f.home.hub.endEdition(f, f.event(Replaced))
	}
	if news := f.readLines(t, old); !news && !replaced {
		f.home.touched(f.name, f.session) // perhaps only now the index can read it
	}
	f.loaded = true
	if t.Change == homefs.Same { // all of it is known
		f.mark = from
	} else if f.mark, err = t.Mark(); err != nil {
		f.mark = unread
	}
	f.home.changed(f)
}

// compare returns the size up to which nothing in the file is news, and whether
// the file is another one than it was.
func (f *trackedFile) compare(t *sesskeep.Tail) (old int64, replaced bool) {
	if f.loaded {
		return 0, t.Change == homefs.Replaced
	}
	now, _ := f.home.store.Files().Stamp(f.name)
	if now.Device != f.mark.Device || now.Inode != f.mark.Inode || now.Size < f.mark.Size {
		return 0, true
	}
	return f.mark.Size, false
}

// key returns the key of its session.
func (f *trackedFile) key() sesskeep.Key { return f.home.store.SessionKey(f.session) }

// current returns the edition of the file. It is made when the file is first
// read: most files never are.
func (f *trackedFile) current() *edition {
	if f.edition == nil {
		now, _ := f.home.store.Files().Stamp(f.name)
		f.edition = &edition{
			store: f.home.store, file: File{f.home.store.Root(), f.name}, agent: f.agent,
			key: f.key(), device: now.Device, inode: now.Inode,
		}
	}
	return f.edition
}

// readLines publishes the lines of t that end behind old, and reports whether there are any.
func (f *trackedFile) readLines(t *sesskeep.Tail, old int64) bool {
	hub := f.home.hub
	b := batch{hub: hub, file: f, last: f.at, wanted: hub.wantsEntries(f)}
	if !f.loaded && old > 0 {
		b.last, f.from = position(t), position(t)
	}
	for e, ok := t.Next(); ok && f.home.loop.ctx.Err() == nil; e, ok = t.Next() {
		f.standing.Add(e)
		if f.session == "" && e.Chain() {
			f.session = e.Session
		}
		at := position(t)
		if !f.loaded && at.Offset <= old {
			f.from = at
		}
		b.add(e, at, at.Offset > old)
	}
	if !f.loaded && !b.started {
		b.last = position(t)
	}
	b.flush(position(t))
	return b.news
}

func position(t *sesskeep.Tail) Position {
	offset, lines := t.Position()
	return Position{offset, lines}
}

// batch gathers the lines of one event.
type batch struct {
	hub     *Hub
	file    *trackedFile
	wanted  bool // a subscriber wants the entries
	entries []sesskeep.Entry
	started bool // there is a new line in it
	news    bool // something was published
	size    int
	from    Position
	last    Position // the end of the last line that was added
}

// add adds an entry whose line ends at end. Several entries can be of one line, and
// then they stay together.
func (b *batch) add(e *sesskeep.Entry, end Position, isNew bool) {
	if b.size >= eventSize && end != b.last {
		b.flush(b.last)
	}
	if isNew {
		if !b.started {
			b.from, b.started = b.last, true
		}
		if b.wanted {
			b.entries = append(b.entries, e.Clone())
		}
		b.size += len(e.Raw)
	}
	b.last = end
}

// flush publishes what was gathered. Lines without any entry are published too, so
// that every event starts where the one before it ended.
func (b *batch) flush(to Position) {
	if !b.started {
		b.from = b.last
	}
	b.news = b.news || b.from != to
	b.hub.publishLines(b.file, b.from, to, b.entries)
	b.entries, b.started, b.size = nil, false, 0
}

// remove forgets a file that is not there any more.
func (f *trackedFile) remove() {
	h := f.home
	if files := h.tree.files(f.name); files != nil {
		delete(files, f.name)
	}
	delete(h.loop.resting, f)
	h.leave(f)
	h.tree.prune(f.name)
	ev := f.event(Gone)
	h.hub.endEdition(f, ev)
	if f.agent == "" {
		h.loop.record(ev)
	}
}

// readMeta reads what the client notes beside an agent's transcript.
func (f *trackedFile) readMeta() {
	if f.agent == "" || !f.loaded || strings.Count(f.name, "/") < 4 {
		return
	}
	h := f.home
	meta := strings.TrimSuffix(f.name, ".jsonl") + ".meta.json"
	now, _ := h.store.Files().Stamp(meta)
	was := f.aside()
	if now == was.mark {
		return
	}
	ran := f.news || was.mark != homefs.Mark{} && !was.note.Finished
	h.touched(meta, f.session)
	note, _ := h.store.AgentMeta(sesskeep.Ref{File: f.name})
	f.meta = &metaFile{now, note}
	h.changed(f)
	if ran && note.Finished && !was.note.Finished && h.loop.started {
		h.hub.publish(f.event(Finished))
	}
}

// event returns an event about the file.
func (f *trackedFile) event(k Kind) Event {
	ev := f.home.hub.event(k)
	ev.Root, ev.Key, ev.Agent, ev.File = f.home.store.Root(), f.key(), f.agent, f.name
	return ev
}

// touched publishes that something other than a transcript changed. What the first
// check finds is not news.
func (h *home) touched(name string, id sesskeep.SessionID) {
	if h.loop.started {
		ev := h.hub.event(Touched)
		ev.Root, ev.Key, ev.File = h.store.Root(), h.store.SessionKey(id), name
		h.hub.publish(ev)
	}
}
