package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"sesskeep/homefs"
	"sesskeep/internal/regular"
)

// box is what the manifest of a box says.
type box struct {
	dir   string
	key   boxKey
	stamp fileStamp // of the manifest

	frames   string  // name of the file that the frames are in
	used     int64   // how much of it is used
	written  []frame // all that are in it, those that were replaced too
	versions []*version
	numbered map[int]*version     // by their numbers
	last     map[string]*version  // the newest of each name
	highest  int                  // of the numbers that a version has or had
	gone     map[string]time.Time // names that are not there any more

	seq   uint64 // how many changes there were
	size  int64  // of the manifest, without what a crash left at its end
	torn  bool   // a crash left something
	lines int
	flaws []string // lines that are damaged

	once sync.Once
	sum  *summary
}

// version is one content of a file, or the part of it that is kept.
type version struct {
	number int
	name   string
	began  time.Time
	mode   fs.FileMode
	frames []frame
	filter *filtered // of one that is written again without some of its lines
	status
}

// framed is how much of the version is in frames.
func (v *version) framed() int64 {
	if len(v.frames) == 0 {
		return 0
	}
	last := v.frames[len(v.frames)-1]
	return last.From + last.Size
}

func (v *version) size() int64 { return v.framed() + v.End }

// id identifies a version among those of all boxes.
func (v *version) id(b *box) string { return fmt.Sprintf("%s/%d", b.dir, v.number) }

// endName is the file with the end of the version.
func (v *version) endName() string { return endName(v.number, v.framed()) }

func endName(version int, from int64) string { return fmt.Sprintf("%d-%d.end", version, from) }

// maxManifest bounds what is read of one. A version has a line for each MiB.
const maxManifest = 256 << 20

// readBox reads the manifest of a box. One that is not there is empty.
func readBox(dir string) (*box, error) {
	b := &box{dir: dir, frames: "frames", gone: map[string]time.Time{}, numbered: map[int]*version{}, last: map[string]*version{}}
	data, err := regular.ReadFile(filepath.Join(dir, manifestName), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	for len(data) > 0 {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			b.torn = true
			break
		}
		b.lines++
		b.seq++
		b.size += int64(len(line)) + 1
		records, err := parseLine(line)
		if newer(records) {
			return nil, ErrNewer
		}
		for _, r := range records {
			err = errors.Join(err, b.apply(r))
		}
		if err != nil {
			b.flaws = append(b.flaws, fmt.Sprintf("line %d of the manifest %v", b.lines, err))
		}
		data = rest
	}
	return b, nil
}

// newer reports whether a change needs a form that this program does not know.
func newer(records []record) bool {
	return slices.ContainsFunc(records, func(r record) bool {
		return slices.ContainsFunc(r.Needs, func(form string) bool { return !slices.Contains(understood, form) })
	})
}

// apply applies a record to what the box has.
func (b *box) apply(r record) error {
	switch {
	case r.Seq > 0:
		b.seq = r.Seq
		return nil
	case r.Start != nil:
		b.addVersion(&version{number: r.Start.Version, name: r.Start.Name, began: r.Start.Time, mode: r.Start.Mode})
		return nil
	case r.Gone != nil:
		b.gone[r.Gone.Name] = r.Gone.Time
		return nil
	case r.Frames != "":
		b.frames = filepath.Base(r.Frames)
		return nil
	case r.Frame != nil:
		b.written = append(b.written, *r.Frame)
		b.used = max(b.used, r.Frame.At+r.Frame.Length)
		v, err := b.version(r.Frame.Version)
		if err != nil {
			return err
		}
		return v.add(*r.Frame)
	case r.Status != nil:
		v, err := b.version(r.Status.Version)
		if err != nil {
			return err
		}
		v.status = *r.Status
		delete(b.gone, v.name)
		return nil
	}
	return nil // of a later version of ours
}

// addVersion adds a version, which is the newest of its file.
func (b *box) addVersion(v *version) {
	b.versions = append(b.versions, v)
	b.numbered[v.number], b.last[v.name] = v, v
	b.highest = max(b.highest, v.number)
	delete(b.gone, v.name)
}

// truncateVersions forgets all versions but the first n. Those that it forgets are of one
// file; was is the newest version of that file among the first n, or nil.
func (b *box) truncateVersions(n int, was *version) {
	for _, v := range b.versions[n:] {
		delete(b.numbered, v.number)
		delete(b.last, v.name)
	}
	if b.versions = b.versions[:n]; was != nil {
		b.last[was.name] = was
	}
}

func (b *box) version(number int) (*version, error) {
	if v := b.numbered[number]; v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("speaks of version %d, which never began", number)
}

// add adds a frame, or replaces the last one.
func (v *version) add(f frame) error {
	if n := len(v.frames); n > 0 && v.frames[n-1].From == f.From {
		v.frames = v.frames[:n-1]
	}
	if f.From != v.framed() || f.Size <= 0 || f.Length <= 0 || f.At < 0 {
		return fmt.Errorf("has a frame at %d where %d is kept", f.From, v.framed())
	}
	v.frames = append(v.frames, f)
	v.End, v.Sum = 0, 0
	return nil
}

// newest returns the newest version of a file, or nil.
func (b *box) newest(name string) *version { return b.last[name] }

// names lists the files that have copies, sorted.
func (b *box) names() []string { return slices.Sorted(maps.Keys(b.last)) }

// nextVersion is a number that no version of the box has or had.
func (b *box) nextVersion() int { return b.highest + 1 }

// mark is the status of the source of a version.
func (v *version) mark() homefs.Mark { return v.Mark.Status() }

func (v *version) modtime() time.Time { return time.Unix(0, v.Mark.Modtime) }
