// Package reading is where sessions are read: it opens transcripts, finds
// conversations and messages in them, and gives their parts out in windows.
//
// A Pool keeps the transcripts that were read, in memory only, so that opening
// one again costs what was appended since. A Session is one transcript as it was
// when it was opened; it never changes, and its More opens it as it is now. All
// of it can be used by several goroutines at once, and a caller that gives up
// takes nothing away from the others.
package reading

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"sesskeep"
)

// Pool keeps transcripts that were read. The zero Pool is ready to use.
type Pool struct {
	// Limit is how many bytes of memory are kept for transcripts that nobody has
	// open; 0 means 64 MB. Beyond that the one opened longest ago is dropped.
	Limit int64

	mu      sync.Mutex
	entries map[Key]*entry
	opened  int // counts openings
}

const defaultLimit = 64 << 20

// Key names a transcript. Two Keys are equal if they mean the same one, as long
// as every home is opened once.
type Key struct {
	store *sesskeep.Store
	file  string
}

// KeyOf is the Key of a transcript.
func KeyOf(store *sesskeep.Store, ref sesskeep.Ref) Key { return Key{store, ref.File} }

// entry is a transcript in the pool. Its fields belong to the pool's lock, except
// that only the holder of turn replaces now.
type entry struct {
	turn    chan struct{} // held by the one who reads
	callers int           // who read or wait to
	last    int           // when it was opened last
	now     *version      // nil until it was read
}

// version is a transcript that Sessions share. The last of them closes its file;
// what was read is kept, and can still grow.
type version struct {
	transcript *sesskeep.Transcript
	holders    int // 0: the file is closed
}

// Open opens a transcript as it is now. It has to be closed.
func (p *Pool) Open(ctx context.Context, store *sesskeep.Store, ref sesskeep.Ref) (*Session, error) {
	key := KeyOf(store, ref)
	e := p.enter(key)
	defer p.leave(key, e)
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-ctx.Done():
		return nil, &sesskeep.Error{Op: "read", Name: store.Path(ref.File), Err: ctx.Err()}
	}
	v, err := p.read(ctx, key, e)
	if err != nil {
		return nil, err
	}
	return &Session{Transcript: v.transcript, Ref: ref, pool: p, store: store, version: v}, nil
}

// enter finds or makes the entry of a transcript, and keeps it there until leave.
func (p *Pool) enter(key Key) *entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.entries[key]
	if e == nil {
		e = &entry{turn: make(chan struct{}, 1)}
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
	if e.callers == 0 && e.now == nil {
		delete(p.entries, key)
	}
	p.evict()
}

// read brings an entry up to date and gives out its version. The caller holds the
// entry's turn.
func (p *Pool) read(ctx context.Context, key Key, e *entry) (*version, error) {
	var t *sesskeep.Transcript
	var err error
	change := sesskeep.ChangeGrown
	if e.now == nil {
		t, err = key.store.ReadContext(ctx, key.file)
	} else {
		t, change, err = e.now.transcript.More(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			e.now = nil
		}
		return nil, err
	}
	p.opened++
	e.last = p.opened
	if change == sesskeep.ChangeNone && e.now.holders > 0 {
		err = t.Close() // the one that is open says the same
	} else {
		e.now = &version{transcript: t}
	}
	e.now.holders++
	return e.now, err
}

// release gives up one hold of a version. The pool's lock is held.
func (v *version) release() {
	if v.holders--; v.holders == 0 {
		_ = v.transcript.Close() // it was only read
	}
}

// evict drops what was opened longest ago, until what nobody has open is within
// the limit. The lock is held.
func (p *Pool) evict() {
	limit := p.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	for {
		var size int64
		var oldest *Key
		for key, e := range p.entries {
			if e.callers > 0 || e.now == nil || e.now.holders > 0 {
				continue
			}
			size += e.now.transcript.Memory()
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
