package vault

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"sync"
	"time"

	"sesskeep/homefs"
	"sesskeep/internal/regular"
)

// ErrDamaged says that a copy is not what was written.
var ErrDamaged = errors.New("the copy is damaged")

// reader reads the bytes of versions, and notes the damage that it meets.
type reader struct {
	boxes  *boxes
	health *healthFile
}

// file is an open version. It reads as its source did.
type file struct {
	reader *reader
	box    *box
	v      *version

	mu     sync.Mutex
	frames *os.File
	end    []byte
	endErr error // why the end cannot be read
	cached int   // which frame piece holds; -1: none
	piece  []byte
}

// open opens a version of a file.
func (r *reader) open(b *box, v *version) (*file, error) {
	f := &file{reader: r, box: b, v: v, cached: -1}
	var err error
	if len(v.frames) > 0 {
		if f.frames, err = regular.Open(filepath.Join(b.dir, b.frames)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if v.End > 0 {
		f.end, f.endErr = readEnd(b, v)
		if errors.Is(f.endErr, fs.ErrNotExist) {
			f.endErr = fmt.Errorf("%s: %w", filepath.Join(b.dir, v.endName()), ErrDamaged)
		}
		if f.endErr != nil && !errors.Is(f.endErr, ErrDamaged) {
			return nil, errors.Join(f.endErr, f.Close())
		}
	}
	return f, nil
}

// stale reports whether a file of the box is not there because the box was written
// again since it was read.
func (f *file) stale() bool {
	missing := len(f.v.frames) > 0 && f.frames == nil || f.endErr != nil
	return missing && f.box.stamp != stampOf(filepath.Join(f.box.dir, manifestName))
}

// readEnd reads the end of a version, without what was added since.
func readEnd(b *box, v *version) ([]byte, error) {
	name := filepath.Join(b.dir, v.endName())
	r, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, v.End)
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, v.End), data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, damaged(err))
	}
	if homefs.Sum(0, data) != v.Sum {
		return nil, fmt.Errorf("%s: %w", name, ErrDamaged)
	}
	return data, nil
}

// damaged turns the end of a file that is too short into ErrDamaged.
func damaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrDamaged
	}
	return err
}

// ReadAt reads the bytes of the source.
func (f *file) ReadAt(p []byte, off int64) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if off < 0 {
		return 0, fs.ErrInvalid
	}
	for n < len(p) {
		piece, err := f.at(off + int64(n))
		if err != nil {
			return n, err
		}
		n += copy(p[n:], piece)
	}
	return n, nil
}

// at returns the bytes from an offset to the end of the piece that they are in.
func (f *file) at(off int64) ([]byte, error) {
	framed := f.v.framed()
	if off >= framed {
		if f.endErr != nil && off < f.v.size() {
			return nil, f.hole(framed, f.v.End, f.endErr)
		}
		if off-framed >= int64(len(f.end)) {
			return nil, io.EOF
		}
		return f.end[off-framed:], nil
	}
	frames := f.v.frames
	i := sort.Search(len(frames), func(i int) bool { return frames[i].From+frames[i].Size > off })
	if f.cached != i {
		piece, err := f.readFrame(frames[i])
		if errors.Is(err, ErrDamaged) {
			return nil, f.hole(frames[i].From, frames[i].Size, fmt.Errorf("%s: %w", f.box.dir, err))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.box.dir, err)
		}
		f.cached, f.piece = i, piece
	}
	return f.piece[off-frames[i].From:], nil
}

func (f *file) readFrame(fr frame) ([]byte, error) {
	if f.frames == nil {
		return nil, ErrDamaged
	}
	return f.reader.frame(f.frames, fr)
}

// hole is the error of a piece that is damaged. It is noted, so that the next sweep
// heals it if its source is there.
func (f *file) hole(from, size int64, err error) error {
	f.reader.health.note(f.box.key, f.box.dir, f.v.name)
	return &homefs.HoleError{From: from, To: from + size, Err: err}
}

// frame reads a frame and makes sure that it is what was written.
func (r *reader) frame(frames io.ReaderAt, f frame) ([]byte, error) {
	if f.Length > 2*frameSize || f.Size > 2*frameSize {
		return nil, ErrDamaged
	}
	data := make([]byte, f.Length)
	if _, err := frames.ReadAt(data, f.At); err != nil {
		return nil, damaged(err)
	}
	if homefs.Sum(0, data) != f.Sum {
		return nil, ErrDamaged
	}
	against, err := r.base(f.Base)
	if err != nil {
		return nil, err
	}
	piece, err := decompress(data, against, f.Size)
	if err != nil || digest(sha256.Sum256(piece)) != f.SHA256 {
		return nil, ErrDamaged
	}
	return piece, nil
}

// Stat returns what the source was.
func (f *file) Stat() (fs.FileInfo, error) { return f.v.info(), nil }

func (f *file) Close() error {
	if f.frames == nil {
		return nil
	}
	return f.frames.Close()
}

// info is what a copy says of its source.
type info struct {
	name string
	mark homefs.Mark
	mode fs.FileMode
}

func (v *version) info() info {
	mark := v.mark()
	mark.Size = v.size()
	return info{path.Base(v.name), mark, v.mode}
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.mark.Size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Unix(0, i.mark.Modtime) }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return &i.mark }
