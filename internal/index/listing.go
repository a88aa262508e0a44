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

// sameDirs reports whether nothing was added to the folder or taken away.
func (l *listing) sameDirs(store *sesskeep.Store) bool {
	for _, d := range l.dirs {
		if now, ok := store.Stamp(d.Name); !ok || d.Modtime == 0 || now.Modtime != d.Modtime {
			return false
		}
	}
	return len(l.dirs) > 0
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
