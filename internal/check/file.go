package check

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"sesskeep"
)

// file is what was found out about one transcript.
type file struct {
	found   *findings
	ref     sesskeep.Ref
	records int
	talk    int // records that the client can resume from
	hidden  int // records of the talk that the client does not read
	lost    int // records whose parent is gone
	// last is the last record of the talk that the client reads, end the last of all.
	last, end           position
	lastTimed, endTimed bool
	time                string // the last that a record has, as JSON
	chain               *chain
	calls               map[string]position // without a result so far
	results             map[string]position // without a call so far
	saved               []named             // files that outputs were saved to
	agents              []named             // that calls started

	mended     []broken
	duplicates []position
	bad        int64 // bytes that are no record
}

// position is the position of a record.
type position struct {
	line   int
	offset int64
	uuid   string
}

// named is something that a record names.
type named struct {
	position
	name string
}

// maxNamed bounds what a hostile file can make grow.
const maxNamed = 100_000

// examine reads a transcript, and adds what it finds to into.
func examine(ctx context.Context, s *sesskeep.Store, ref sesskeep.Ref, o Options, into *findings) (*file, error) {
	f := &file{
		found: into, ref: ref, chain: newChain(),
		calls: map[string]position{}, results: map[string]position{},
	}
	src, err := s.Files().Open(ref.File)
	if err != nil {
		return f, err
	}
	defer src.Close()
	sc := newScanner(src)
	for p, ok := sc.next(); ok; p, ok = sc.next() {
		if f.records%1024 == 0 && ctx.Err() != nil {
			return f, ctx.Err()
		}
		if p.code == Torn && o.Live {
			continue // it is being written
		}
		f.addDamage(p)
		if sc.rec != nil {
			f.record(p, sc.rec)
		}
	}
	if err := sc.err(); err != nil {
		return f, err
	}
	f.close()
	return f, nil
}

// addDamage adds the damage of a piece, once for all pieces of its line.
func (f *file) addDamage(p piece) {
	for _, code := range []Code{p.code, p.also} {
		if code != "" && !f.found.extend(f.ref.File, code, p) {
			f.found.add(Finding{Code: code, File: f.ref.File, Line: p.line, Offset: p.offset, Length: p.length})
		}
	}
	if p.raw == nil && p.code != TooLong {
		f.bad += p.length
	}
}

func (f *file) record(p piece, r *record) {
	f.records++
	at := position{p.line, p.offset, r.uuid}
	if foreign(f.ref, r) {
		f.report(Foreign, at, r.session)
	}
	twice := false
	if r.node() {
		code, first := f.chain.add(p, r)
		switch twice = code == Duplicate; code {
		case Duplicate:
			f.duplicates = append(f.duplicates, at)
			f.report(code, at, "")
		case Conflict:
			f.found.add(Finding{Code: code, File: f.ref.File, Line: at.line, Offset: at.offset, UUID: at.uuid,
				Meaning: "a different record with the same uuid is in line " + strconv.Itoa(first.line) + "; the client reads the last of them"})
		}
	}
	if r.talk() {
		f.said(p, r, twice)
	}
	if !twice {
		f.pairs(at, r)
	}
}

// said counts a record of the talk. One that was there before changes nothing,
// unless the client reads only the second.
func (f *file) said(p piece, r *record, twice bool) {
	at := position{p.line, p.offset, r.uuid}
	if !p.hidden {
		f.talk++
		f.last, f.lastTimed = at, r.timed
	}
	if twice {
		return
	}
	if p.hidden {
		f.hidden++
	}
	f.end, f.endTimed = at, r.timed
	if r.timed {
		f.time = string(p.raw[r.timeAt.from:r.timeAt.to])
	}
}

// foreign reports whether a record names another session than its file does. A
// flat agent belongs to whatever its lines name.
func foreign(ref sesskeep.Ref, r *record) bool {
	return ref.Layout != sesskeep.LayoutFlat && r.session != "" && r.session != string(ref.Session)
}

// pairs matches calls and results. A result can come before its call.
func (f *file) pairs(at position, r *record) {
	for _, id := range r.calls {
		if _, ok := f.results[id]; ok {
			delete(f.results, id)
		} else if len(f.calls) < maxNamed {
			f.calls[id] = at
		}
	}
	for _, id := range r.results {
		if _, ok := f.calls[id]; ok {
			delete(f.calls, id)
		} else if len(f.results) < maxNamed {
			f.results[id] = at
		}
	}
	if r.saved != "" && len(f.saved) < maxNamed {
		f.saved = append(f.saved, named{at, r.saved})
	}
	if r.agent != "" && len(r.results) > 0 && len(f.agents) < maxNamed {
		f.agents = append(f.agents, named{at, r.agent})
	}
}

func (f *file) report(code Code, at position, name string) {
	f.found.add(Finding{Code: code, File: f.ref.File, Line: at.line, Offset: at.offset, UUID: at.uuid, Name: name})
}

// close finds what only the whole file shows.
func (f *file) close() {
	f.mended = f.chain.mend(f.ref)
	for _, b := range f.mended {
		n := &f.chain.nodes[b.node]
		if b.code == Dangling {
			f.lost++
		}
		f.report(b.code, position{n.line, n.offset, n.uuid}, n.parent)
	}
	for id, at := range sorted(f.calls) {
		f.report(OpenCall, at, id)
	}
	for id, at := range sorted(f.results) {
		f.report(LoneResult, at, id)
	}
	if f.untimed() {
		f.report(Untimed, f.last, "")
	}
}

// untimed reports whether the client stumbles over the time of the last record.
func (f *file) untimed() bool { return f.talk > 0 && !f.lastTimed && f.ref.Agent == "" }

// sorted ranges over places in the order of the file.
func sorted(m map[string]position) func(yield func(string, position) bool) {
	ids := make([]string, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(m[a].offset, m[b].offset), strings.Compare(a, b))
	})
	return func(yield func(string, position) bool) {
		for _, id := range ids {
			if !yield(id, m[id]) {
				return
			}
		}
	}
}

// verdict returns whether the client would resume a session from the file.
func (f *file) verdict() Verdict {
	switch {
	case f.ref.Size == 0:
		return Verdict{No, "the file is empty: the client says that it finds no conversation"}
	case f.talk == 0 && f.hidden > 0:
		return Verdict{No, plural(f.hidden, "record") + " that the client cannot read, and none that it can"}
	case f.talk == 0:
		return Verdict{No, "there is no message in it: the client says that it finds no conversation"}
	case !f.lastTimed:
		return Verdict{No, "the last record has no time that can be read: the client says that it finds no conversation"}
	case f.hidden > 0 && f.lost > 0:
		return Verdict{Partly, plural(f.hidden, "record") + " hidden from the client, and something is missing before " + plural(f.lost, "record")}
	case f.hidden > 0:
		return Verdict{Partly, plural(f.hidden, "record") + " hidden from the client"}
	case f.lost > 0:
		return Verdict{Partly, "something is missing before " + plural(f.lost, "record")}
	}
	return Verdict{Yes, "the client reads everything that is there"}
}
