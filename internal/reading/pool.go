// Package reading opens sessions for reading. Call Pool.Open, then Session.Span
// to choose a part of a conversation, and Session.All or Session.Page to read it.
//
// A Pool keeps the transcripts that were read, in memory only, so that opening
// one again costs only what was appended since. A Session is a transcript as it
// was when it was opened; it never changes, and its More opens the current
// version. Everything here is safe for concurrent use. A caller that gives up does
// not affect the others: the next waiting caller continues the reading.
package reading

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"sesskeep"
	"sesskeep/homefs"
)

// Pool keeps the transcripts that were read. The zero Pool is ready to use.
type Pool struct {
	// Limit bounds the memory, in bytes, of transcripts that are not open; 0 means
	// 64 MB. Above it the pool drops the least recently opened ones.
	Limit int64
	// Summaries returns the summaries in some transcripts of a project directory by file, without
	// reading them: those of the files that are known not to have changed. It may be nil.
	Summaries func(ctx context.Context, store *sesskeep.Store, dir sesskeep.ProjectKey, refs []sesskeep.Ref) map[string][]sesskeep.LeafTitle

	mu      sync.Mutex
	entries map[Key]*entry
	opened  int // counts openings
}

const defaultLimit = 64 << 20

// Key names a transcript. Equal Keys name the same one, as long as every home is
// opened once.
type Key struct {
	store *sesskeep.Store
	file  string
}

// KeyOf returns the Key of a transcript.
func KeyOf(store *sesskeep.Store, ref sesskeep.Ref) Key { return Key{store, ref.File} }

// entry is a transcript in the pool. The pool's lock guards its fields, except that
// only the holder of readLock replaces now.
type entry struct {
	readLock chan struct{} // held by the caller that reads
	callers  int           // that read or wait to
	last     int           // when it was last opened
	now      *version      // empty until it was read
}

// version is a transcript that Sessions share. The last of them closes its file;
// what was read is kept, and can still grow.
type version struct {
	transcript *sesskeep.Transcript
	number     int      // counts up with the versions of a pool
	tallies    *tallies // of all versions of the file
	holders    int      // 0: the file is closed
}

// unread returns the version of a transcript that was not read yet.
func unread(key Key) *version {
	return &version{transcript: sesskeep.NewTranscript(key.store, key.file), tallies: new(tallies)}
}

// Open returns the current version of a transcript. The caller must close it.
// A file that does not exist is an fs.ErrNotExist.
func (p *Pool) Open(ctx context.Context, store *sesskeep.Store, ref sesskeep.Ref) (*Session, error) {
	return p.open(ctx, store, ref, func(t *sesskeep.Transcript) (*sesskeep.Transcript, homefs.Change, error) {
		return t.More(ctx)
	})
}

// open returns the version of a transcript that more creates from the newest one.
func (p *Pool) open(ctx context.Context, store *sesskeep.Store, ref sesskeep.Ref, more reader) (*Session, error) {
	key := KeyOf(store, ref)
	e := p.enter(key)
	defer p.leave(key, e)
	select {
	case e.readLock <- struct{}{}:
		defer func() { <-e.readLock }()
	case <-ctx.Done():
		return nil, &sesskeep.Error{Op: "read", Name: store.Path(ref.File), Err: ctx.Err()}
	}
	v, err := p.read(key, e, more)
	if err != nil {
		return nil, err
	}
	return &Session{Transcript: v.transcript, Ref: ref, pool: p, store: store, version: v}, nil
}

// enter finds or creates the entry of a transcript, and keeps it until leave.
func (p *Pool) enter(key Key) *entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.entries[key]
	if e == nil {
		e = &entry{readLock: make(chan struct{}, 1), now: unread(key)}
		if p.entries == nil {
			p.entries = map[Key]*entry{}
		}
		p.entries[key] = e
	}
	e.callers++
	return e
}

func (p *Pool) leave(key Key, e *entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e.callers--
	if e.callers == 0 && e.last == 0 {
		delete(p.entries, key) // it could not be read
	}
	p.evict()
}

// reader creates the next version of a transcript.
type reader func(*sesskeep.Transcript) (*sesskeep.Transcript, homefs.Change, error)

// read creates the next version of an entry and returns it. The caller holds the
// entry's readLock.
func (p *Pool) read(key Key, e *entry, more reader) (*version, error) {
	t, change, err := more(e.now.transcript)
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		e.last, e.now = 0, unread(key)
	}
	if err != nil {
		return nil, err
	}
	p.opened++
	e.last = p.opened
	if change == homefs.Same && e.now.holders > 0 {
		err = t.Close() // the open one has the same content
	} else {
		next := &version{transcript: t, number: p.opened, tallies: e.now.tallies}
		if change == homefs.Replaced {
			next.tallies = new(tallies)
		}
		e.now = next
	}
	e.now.holders++
	return e.now, err
}

// release drops one reference to a version. The caller holds the pool's lock.
func (v *version) release() {
	if v.holders--; v.holders == 0 {
		_ = v.transcript.Close() // it was only read
	}
}

// evict drops the least recently opened transcripts until those that are not open
// are within the limit. The caller holds the lock.
func (p *Pool) evict() {
	limit := p.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	for {
		var size int64
		var oldest *Key
		for key, e := range p.entries {
			if e.callers > 0 || e.now.holders > 0 {
				continue
			}
			size += e.now.transcript.Memory() + e.now.tallies.memory()
			if oldest == nil || e.last < p.entries[*oldest].last {
				oldest = &key
			}
		}
		if size <= limit {
			return
		}
		delete(p.entries, *oldest)
	}
}
