package vault

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// writeTime is longer than any write takes from the moment the system notes its
// time to its last byte: a status that is younger proves nothing.
const writeTime = 2 * time.Second

// errMoving says that a file changed while it was copied, and not only by growing.
var errMoving = errors.New("changed while it was copied")

// copier copies one file into a box, as a part of a transaction.
type copier struct {
	tx    *transaction
	marks *marks
	bases *baseFinder
	now   time.Time
	rest  time.Duration // how long a file must not have been written for its end to be compressed
	again bool          // copy all of it, as a new version

	file   homefs.File
	v      *version
	status homefs.Mark // of the file, when it was opened
	seal   bool        // all of it goes into frames
	all    uint32      // sum of everything copied
	bytes  int64       // copied
}

// copyFile brings the copy of a file up to date, and returns how many bytes were
// copied. A file that is not there gives [fs.ErrNotExist].
func (c *copier) copyFile(store *sesskeep.Store, name string) (int64, error) {
	f, err := store.Files().Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	c.file = f
	c.seal = !growing(name) || c.now.Sub(info.ModTime()) > c.rest
	before := c.tx.save(name)
	if err := c.copy(name, info); err != nil {
		return 0, errors.Join(err, c.tx.restore(before))
	}
	return c.bytes, nil
}

// growing reports whether the client adds to the end of a file.
func growing(name string) bool { return strings.HasSuffix(name, ".jsonl") }

func (c *copier) copy(name string, info fs.FileInfo) error {
	same, err := c.compare(name)
	if err != nil {
		return err
	}
	_, wasGone := c.tx.box.gone[name]
	if same && !wasGone && (!c.seal || c.v.End == 0) {
		return nil
	}
	if c.v == nil {
		r := record{Start: &beginning{Version: c.tx.box.nextVersion(), Name: name, Time: c.now, Mode: info.Mode().Perm()}}
		if err := c.tx.add(r); err != nil {
			return err
		}
		c.v = c.tx.box.newest(name)
	}
	if most := c.v.size() + c.tx.most; c.status.Size > most {
		c.status.Size, c.seal = most, false // the rest in another transaction
	}
	end, sum, err := c.extend()
	if err != nil {
		return err
	}
	mark, err := c.status.At(c.file, c.status.Size, c.all)
	if err != nil {
		return err
	}
	c.marks.remember(c.tx.box, c.v, mark)
	young := c.now.Sub(time.Unix(0, c.status.Modtime)) < writeTime
	return c.tx.add(record{Status: &status{Version: c.v.number, End: end, Sum: sum, Mark: mark, Time: c.now, Young: young}})
}

// compare finds the version that the file continues, if there is one, and
// reports whether it has all of the file.
func (c *copier) compare(name string) (same bool, err error) {
	v := c.tx.box.newest(name)
	if v == nil || c.again || v.torn() {
		v = &version{}
	}
	mark := v.Mark
	if !c.seal { // what rests is compared as a whole, once
		mark = c.marks.of(c.tx.box, v)
	}
	if v.Young || c.seal && v.End > 0 {
		mark.Changed++ // so that its content is compared
	}
	change, now, err := mark.Compare(c.file)
	if err != nil {
		return false, err
	}
	c.status = now
	switch {
	case v.number == 0:
		return false, nil
	case change == homefs.Replaced:
		// Another file may have the same content, as one that was put back has.
		if ok, err := c.continues(v, 0); err != nil || !ok {
			return false, err
		}
	case change == homefs.Grown:
		// What is not in a full frame is read again when it becomes one.
		if ok, err := c.continues(v, v.fullFrames(c.tx.frame)); err != nil || !ok {
			return false, err
		}
	}
	c.v, c.all = v, v.Mark.All
	return change == homefs.Same, nil
}

// fullFrames counts the frames that stay as they are when the version grows: all but a last
// one that is small.
func (v *version) fullFrames(frame int64) int {
	n := len(v.frames)
	if n > 0 && v.frames[n-1].Size < frame/2 {
		n--
	}
	return n
}

// continues reports whether the file has all of a version, from a frame on.
func (c *copier) continues(v *version, from int) (bool, error) {
	if c.status.Size < v.size() {
		return false, nil
	}
	for _, f := range v.frames[from:] {
		hash := sha256.New()
		if _, err := io.Copy(hash, io.NewSectionReader(c.file, f.From, f.Size)); err != nil {
			return false, err
		}
		if digest(hash.Sum(nil)) != f.SHA256 {
			return false, nil
		}
	}
	sum, err := sumOf(c.file, v.framed(), v.End)
	return sum == v.Sum, err
}

func sumOf(f io.ReaderAt, from, size int64) (uint32, error) {
	data := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(f, from, size), data); err != nil {
		return 0, err
	}
	return homefs.Sum(0, data), nil
}

// extend copies what the version lacks, and returns the end it has then.
func (c *copier) extend() (end int64, sum uint32, err error) {
	v, size := c.v, c.status.Size
	if !c.seal && size-v.framed() < c.tx.frame {
		return c.extendEnd()
	}
	if v.End > 0 {
		c.tx.old = append(c.tx.old, v.endName())
	}
	from, kept := v.framed(), v.size()
	if n := v.fullFrames(c.tx.frame); n < len(v.frames) && size > from {
		from = v.frames[n].From
	}
	var piece []byte
	for from < size {
		piece = c.tx.buffer(min(c.tx.frame, size-from))
		if _, err := io.ReadFull(io.NewSectionReader(c.file, from, int64(len(piece))), piece); err != nil {
			return 0, 0, moving(err)
		}
		last := from+int64(len(piece)) == size
		if last && !c.seal {
			break
		}
		if !last && growing(v.name) {
			piece = piece[:lineEnd(piece)]
		}
		if err := c.writeFrame(v, from, piece); err != nil {
			return 0, 0, err
		}
		c.count(piece, from, kept)
		from += int64(len(piece))
	}
	if from == size {
		return 0, 0, nil
	}
	c.count(piece, from, kept)
	return int64(len(piece)), homefs.Sum(0, piece), c.tx.appendEnd(endName(v.number, from), 0, piece)
}

// extendEnd copies what is new to the end of the version.
func (c *copier) extendEnd() (end int64, sum uint32, err error) {
	v := c.v
	piece := c.tx.buffer(c.status.Size - v.size())
	if _, err := io.ReadFull(io.NewSectionReader(c.file, v.size(), int64(len(piece))), piece); err != nil {
		return 0, 0, moving(err)
	}
	c.count(piece, v.size(), v.size())
	return v.End + int64(len(piece)), homefs.Sum(v.Sum, piece), c.tx.appendEnd(v.endName(), v.End, piece)
}

// count adds a piece to the sum of what was copied, without the part that was kept
// before.
func (c *copier) count(piece []byte, from, kept int64) {
	if have := kept - from; have > 0 {
		piece = piece[min(have, int64(len(piece))):]
	}
	c.all = homefs.Sum(c.all, piece)
	c.bytes += int64(len(piece))
}

// writeFrame writes a piece of a version as a frame.
func (c *copier) writeFrame(v *version, from int64, piece []byte) error {
	of, against := c.bases.find(v, from, piece)
	data, err := compress(c.tx.packed[:0], piece, against)
	if err != nil {
		return err
	}
	c.tx.packed = data
	at, err := c.tx.appendFrame(data)
	if err != nil {
		return err
	}
	line := ""
	if found := lineUUID().FindSubmatch(piece); from == 0 && found != nil && growing(v.name) {
		line = string(found[1])
	}
	return c.tx.add(record{Frame: &frame{
		Version: v.number, Line: line, From: from, Size: int64(len(piece)), At: at, Length: int64(len(data)),
		SHA256: sha256.Sum256(piece), Sum: homefs.Sum(0, data), Base: of,
	}})
}

// moving is the error of a file that is shorter than it was.
func moving(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errMoving
	}
	return err
}

// writeError is an error of writing the copy, not of reading the source.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// isWriteError reports whether an error is one of our own files: then nothing more can be
// copied in this transaction.
func isWriteError(err error) bool {
	var w *writeError
	return errors.As(err, &w)
}
