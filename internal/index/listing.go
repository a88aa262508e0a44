package index

import (
	"encoding/binary"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/index/output"
	"sesskeep/internal/packed"
)

// listing is what a folder looked like when a walk saw it: its directories, and
// the files in them. It only says where nothing can have changed: what looks
// otherwise is compared with what is known of that very file. So who writes a
// file need not touch it, and as long as all looks the same to see that takes no
// lock, no reading of directories and no query a file.
type listing struct {
	dirs  []sesskeep.Dir
	files []listedFile
}

type listedFile struct {
	name string
	stat homefs.Mark
}

// trustAge is how old a change of a directory must be to be trusted: another
// one in the same tick of the clock would leave the same time behind.
const trustAge = time.Second

// trusted is the time of a directory that was looked at after the time at; 0 if
// it may change without showing it.
func trusted(modtime int64, at time.Time) int64 {
	if modtime > at.Add(-trustAge).UnixNano() {
		return 0
	}
	return modtime
}

// listingOf is the listing of a folder that was read after the time at.
func listingOf(store *sesskeep.Store, f *sesskeep.Folder, at time.Time) listing {
	var l listing
	if len(f.Problems) > 0 {
		l = l.untrusted(f.Dir)
	}
	for _, d := range f.Dirs {
		l.dirs = append(l.dirs, sesskeep.Dir{Name: d.Name, Modtime: trusted(d.Modtime, at)})
	}
	for _, ref := range f.Refs {
		l.add(ref)
	}
	for _, name := range output.Names(f) {
		stat, _ := store.Files().Stamp(name)
		l.files = append(l.files, listedFile{name, stat})
	}
	return l
}

// untrusted is the listing of a folder in which something could not be read: it may be
// readable later, which no time of a directory shows.
func (l listing) untrusted(dir sesskeep.ProjectKey) listing {
	l.dirs = append([]sesskeep.Dir{{Name: "projects/" + string(dir)}}, l.dirs...)
	return l
}

func (l *listing) add(ref sesskeep.Ref) {
	l.files = append(l.files, listedFile{ref.File, ref.Stat})
	if ref.Meta != (homefs.Mark{}) {
		l.files = append(l.files, listedFile{metaName(ref.File), ref.Meta})
	}
}

// metaName is the meta file of an agent's transcript, and transcriptName the
// other way round.
func metaName(file string) string { return strings.TrimSuffix(file, ".jsonl") + ".meta.json" }

func transcriptName(name string) string {
	if stem, ok := strings.CutSuffix(name, ".meta.json"); ok && !output.Is(name) {
		return stem + ".jsonl"
	}
	return name
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
	r := readListing(b)
	l.dirs = r.dirs()
	n := r.count()
	l.files = make([]listedFile, 0, n)
	for range n {
		stat := r.file()
		l.files = append(l.files, listedFile{string(r.name), stat})
	}
	if !r.whole() {
		return listing{}, false
	}
	return l, true
}

// listingReader takes apart what encode wrote. The name of what it gave last lies
// in name, until it gives the next.
type listingReader struct {
	packed packed.Reader
	name   []byte
}

func readListing(raw []byte) *listingReader { return &listingReader{packed: packed.Read(raw)} }

// count gives how many directories or files follow.
func (r *listingReader) count() int {
	n := r.packed.Number()
	if n > uint64(r.packed.Left()) { // each takes some bytes
		r.packed.Fail()
		return 0
	}
	return int(n)
}

// next reads a name; only what differs from the one before was written.
func (r *listingReader) next() {
	same := r.packed.Number()
	if same > uint64(len(r.name)) {
		r.packed.Fail()
		same = 0
	}
	r.name = append(r.name[:same], r.packed.Text()...)
}

// dirs gives the directories, which come first.
func (r *listingReader) dirs() []sesskeep.Dir {
	list := make([]sesskeep.Dir, r.count())
	for i := range list {
		r.next()
		list[i] = sesskeep.Dir{Name: string(r.name), Modtime: r.packed.Signed()}
	}
	return list
}

// file gives how the next file looked.
func (r *listingReader) file() (stat homefs.Mark) {
	r.next()
	p := &r.packed
	stat.Device, stat.Inode = p.Number(), p.Number()
	stat.Size, stat.Modtime, stat.Changed = p.Signed(), p.Signed(), p.Signed()
	return stat
}

// whole reports whether all that was read was written so, and nothing is left.
func (r *listingReader) whole() bool { return !r.packed.Bad() && !r.packed.More() }
