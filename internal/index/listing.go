package index

import (
	"encoding/binary"
	"runtime"
	"strings"
	"sync"
	"time"

	"sesskeep"
)

// listing is what a folder looked like when a walk saw it: its directories, and
// the files in them. It only says where nothing can have changed: what looks
// otherwise is compared with what is known of that very file. So whoever writes a
// file need not touch it, and as long as all looks the same to see that takes no
// lock, no reading of directories and no query a file.
type listing struct {
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

// trusted is the time of a directory that was looked at after the time at; 0 if
// it may change without showing it.
func trusted(modtime int64, at time.Time) int64 {
	if modtime > at.Add(-settled).UnixNano() {
		return 0
	}
	return modtime
}

// listingOf is the listing of a folder that was read after the time at.
func listingOf(store *sesskeep.Store, f *sesskeep.Folder, at time.Time) listing {
	var l listing
	if len(f.Problems) > 0 {
		// What could not be read may be readable later, and no time tells.
		l.dirs = append(l.dirs, sesskeep.Dir{Name: "projects/" + string(f.Dir)})
	}
	for _, d := range f.Dirs {
		l.dirs = append(l.dirs, sesskeep.Dir{Name: d.Name, Modtime: trusted(d.Modtime, at)})
	}
	for _, ref := range f.Refs {
		l.add(ref)
	}
	for _, name := range outputNames(f) {
		stat, _ := store.Stamp(name)
		l.files = append(l.files, listedFile{name, stat})
	}
	return l
}

func (l *listing) add(ref sesskeep.Ref) {
	l.files = append(l.files, listedFile{ref.File, ref.Stat})
	if ref.Meta != (sesskeep.Mark{}) {
		l.files = append(l.files, listedFile{metaName(ref.File), ref.Meta})
	}
}

// metaName is the meta file of an agent's transcript, and transcriptName the
// other way round.
func metaName(file string) string { return strings.TrimSuffix(file, ".jsonl") + ".meta.json" }

func transcriptName(name string) string {
	if stem, ok := strings.CutSuffix(name, ".meta.json"); ok && !isOutput(name) {
		return stem + ".jsonl"
	}
	return name
}

// transcripts counts them.
func (l *listing) transcripts() (n int) {
	for i := range l.files {
		if name := l.files[i].name; strings.HasSuffix(name, ".jsonl") && !isOutput(name) {
			n++
		}
	}
	return n
}

// sameDirs reports whether nothing was added to a folder, or taken away, since it
// looked as raw says.
func sameDirs(store *sesskeep.Store, raw []byte) bool {
	r := &listingReader{rest: raw}
	dirs := r.number()
	for range dirs {
		d := r.dir()
		if now, ok := store.Stamp(d.Name); r.bad || !ok || d.Modtime == 0 || now.Modtime != d.Modtime {
			return false
		}
	}
	return dirs > 0
}

// everywhere runs f for the numbers below n, on all processors: what it asks is
// the file system.
func everywhere(n int, f func(i int)) {
	var wg sync.WaitGroup
	size := max(64, n/runtime.GOMAXPROCS(0)+1)
	for from := 0; from < n; from += size {
		wg.Go(func() {
			for i := from; i < min(from+size, n); i++ {
				f(i)
			}
		})
	}
	wg.Wait()
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
	r := &listingReader{rest: b}
	for n := r.number(); n > 0 && !r.bad; n-- {
		l.dirs = append(l.dirs, r.dir())
	}
	n := r.number()
	if n <= uint64(len(r.rest)) { // each takes some bytes
		l.files = make([]listedFile, 0, n)
	}
	for ; n > 0 && !r.bad; n-- {
		l.files = append(l.files, r.file())
	}
	if r.bad || len(r.rest) > 0 {
		return listing{}, false
	}
	return l, true
}

// listingReader takes apart what encode wrote.
type listingReader struct {
	rest []byte
	last string // the name before
	bad  bool   // it is cut off or not ours
}

func (r *listingReader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.rest, r.bad = nil, true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *listingReader) signed() int64 {
	n := r.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *listingReader) text() string {
	same, n := r.number(), r.number()
	if same > uint64(len(r.last)) || n > uint64(len(r.rest)) {
		r.rest, r.bad = nil, true
		return ""
	}
	r.last = r.last[:same] + string(r.rest[:n])
	r.rest = r.rest[n:]
	return r.last
}

func (r *listingReader) dir() sesskeep.Dir {
	return sesskeep.Dir{Name: r.text(), Modtime: r.signed()}
}

func (r *listingReader) file() (f listedFile) {
	f.name = r.text()
	f.stat.Device, f.stat.Inode = r.number(), r.number()
	f.stat.Size, f.stat.Modtime, f.stat.Changed = r.signed(), r.signed(), r.signed()
	return f
}
