package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep"
)

// listing is what a home looked like when all of it was in the index: its
// directories, and the transcripts in them. As long as it looks the same there
// is nothing to do, and to see that takes no lock, no walk and no query a file.
type listing struct {
	full  bool   // text and usage were read too
	hints string // what was known of projects from elsewhere
	dirs  []sesskeep.Dir
	files []listedFile
}

type listedFile struct {
	name string
	stat sesskeep.Mark
}

// settled is how old a change of a directory must be to be trusted: another
// one in the same tick of the clock would leave the same time behind.
const settled = time.Second

// listingOf is the listing of folders that were read after the time at.
func listingOf(h Home, projects int64, folders []sesskeep.Folder, full bool, at time.Time) listing {
	l := listing{full: full, hints: strings.Join(h.Hints, "\n"), dirs: []sesskeep.Dir{{Name: "projects", Modtime: projects}}}
	for _, f := range folders {
		if len(f.Problems) > 0 {
			// What could not be read may be readable later, and no time tells.
			l.dirs = append(l.dirs, sesskeep.Dir{Name: "projects/" + string(f.Dir)})
		}
		l.dirs = append(l.dirs, f.Dirs...)
		for _, ref := range f.Refs {
			l.files = append(l.files, listedFile{ref.File, ref.Stat})
			if ref.Meta != (sesskeep.Mark{}) {
				l.files = append(l.files, listedFile{strings.TrimSuffix(ref.File, ".jsonl") + ".meta.json", ref.Meta})
			}
		}
	}
	for i := range l.dirs {
		if l.dirs[i].Modtime > at.Add(-settled).UnixNano() {
			l.dirs[i].Modtime = 0
		}
	}
	return l
}

// same reports whether the home still looks like this.
func (l *listing) same(h Home) bool {
	if l.hints != strings.Join(h.Hints, "\n") {
		return false
	}
	return everywhere(l.dirs, func(d sesskeep.Dir) bool {
		now, ok := h.Store.Stamp(d.Name)
		return ok && now.Modtime == d.Modtime
	}) && everywhere(l.files, func(f listedFile) bool {
		now, ok := h.Store.Stamp(f.name)
		return ok && now == f.stat
	})
}

// everywhere reports whether all of the list holds, asking on all processors:
// what it asks is the file system.
func everywhere[T any](list []T, holds func(T) bool) bool {
	var wg sync.WaitGroup
	var broken atomic.Bool
	for part := range slices.Chunk(list, max(64, len(list)/runtime.GOMAXPROCS(0)+1)) {
		wg.Go(func() {
			for _, v := range part {
				if broken.Load() {
					return
				}
				if !holds(v) {
					broken.Store(true)
				}
			}
		})
	}
	wg.Wait()
	return !broken.Load()
}

func (l *listing) encode() []byte {
	var b []byte
	// Names come sorted and begin alike: only the rest of each is written.
	var last string
	text := func(s string) {
		same := shared(last, s)
		last = s
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(same)), uint64(len(s)-same))
		b = append(b, s[same:]...)
	}
	b = append(b, 0)
	if l.full {
		b[0] = 1
	}
	text(l.hints)
	b = binary.AppendUvarint(b, uint64(len(l.dirs)))
	for _, d := range l.dirs {
		text(d.Name)
		b = binary.AppendVarint(b, d.Modtime)
	}
	b = binary.AppendUvarint(b, uint64(len(l.files)))
	for _, f := range l.files {
		text(f.name)
		b = binary.AppendUvarint(binary.AppendUvarint(b, f.stat.Device), f.stat.Inode)
		for _, n := range []int64{f.stat.Size, f.stat.Modtime, f.stat.Changed} {
			b = binary.AppendVarint(b, n)
		}
	}
	return b
}

// shared is how many bytes two names begin alike with.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// decodeListing reads what encode wrote. Anything else is no listing.
func decodeListing(b []byte) (l listing, ok bool) {
	defer func() { ok = recover() == nil && ok }() // cut off or not ours
	number := func() uint64 {
		n, size := binary.Uvarint(b)
		b = b[max(size, 1):] // an end that comes too early must not be read for ever
		return n
	}
	signed := func() int64 {
		n := number()
		return int64(n>>1) ^ -int64(n&1)
	}
	var last string
	text := func() string {
		same, n := number(), number()
		last = last[:same] + string(b[:n])
		b = b[n:]
		return last
	}
	l.full = b[0] == 1
	b = b[1:]
	l.hints = text()
	for range number() {
		l.dirs = append(l.dirs, sesskeep.Dir{Name: text(), Modtime: signed()})
	}
	for range number() {
		f := listedFile{name: text()}
		f.stat.Device, f.stat.Inode = number(), number()
		f.stat.Size, f.stat.Modtime, f.stat.Changed = signed(), signed(), signed()
		l.files = append(l.files, f)
	}
	return l, len(b) == 0
}

// unchanged reports whether the homes look as they did when the index was last
// up to date, and how many files they have.
//
// An index that is not as we left it is for Refresh to look into.
func (x *Index) unchanged(ctx context.Context, homes []Home, rowsOnly bool) (int, bool) {
	if x.path != "" {
		db, log, err := x.imprints()
		if err != nil || readSeal(x.sealPath()).judge(db, log) != sound {
			return 0, false
		}
		x.follow(db)
	}
	files := 0
	for _, h := range homes {
		var raw []byte
		if err := x.read.QueryRowContext(ctx, "SELECT listing FROM root WHERE path = ?", h.Store.Root()).Scan(&raw); err != nil || len(raw) == 0 {
			return 0, false
		}
		l, ok := decodeListing(raw)
		if !ok || !rowsOnly && !l.full || !l.same(h) {
			return 0, false
		}
		for _, f := range l.files {
			if strings.HasSuffix(f.name, ".jsonl") {
				files++
			}
		}
	}
	return files, true
}

// Whole reports whether all of the homes has been in the index at some time.
func (x *Index) Whole(ctx context.Context, homes []Home, rowsOnly bool) bool {
	for _, h := range homes {
		var raw []byte
		if err := x.read.QueryRowContext(ctx, "SELECT listing FROM root WHERE path = ?", h.Store.Root()).Scan(&raw); err != nil {
			return false
		}
		if l, ok := decodeListing(raw); !ok || !rowsOnly && !l.full {
			return false
		}
	}
	return true
}

// saveListings notes what the homes looked like when the refresh began.
func (x *Index) saveListings(ctx context.Context, listings map[string]listing) error {
	return x.inTx(ctx, func(tx *sql.Tx) error {
		for path, l := range listings {
			if _, err := tx.Exec("UPDATE root SET listing = ?1 WHERE path = ?2 AND listing IS NOT ?1", l.encode(), path); err != nil {
				return err
			}
		}
		return nil
	})
}
