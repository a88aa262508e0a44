package backup

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep/homefs"
	"sesskeep/internal/lock"
)

// Writer makes a backup. Its methods may be called from several goroutines.
type Writer struct {
	// Repo is the repository with its earlier backups.
	Repo *Repository

	lock *lock.Lock // nil: a repository in one file needs none
	flow sync.Mutex // held while a pack is stored
	mu   sync.Mutex // guards everything below
	pack *pack
	list []File
	stat Written
}

// Written says what a backup cost.
type Written struct {
	Read   int64 `json:"readSize"`    // bytes of files that were read
	Stored int64 `json:"storedSize"`  // bytes that were written to the repository
	Reused int   `json:"reusedCount"` // files that were not read because they have not changed
}

// NewWriter starts a backup in the repository at a path, which it creates if there is none. If
// another process is writing there the error is [lock.ErrHeld].
func NewWriter(path string, o Options) (*Writer, error) {
	r, l, err := openOrCreate(path, o)
	if err != nil {
		return nil, err
	}
	if err := r.load(); err != nil {
		return nil, errors.Join(err, release(l))
	}
	return &Writer{Repo: r, lock: l, pack: newPack()}, nil
}

func release(l *lock.Lock) error {
	if l == nil {
		return nil
	}
	return l.Release()
}

// Source is a file to back up.
type Source struct {
	Tree, Name string
	Open       func() (homefs.File, error)
	Was        *File // the file in the last backup; nil: it is new
}

// tries is how often a file is read that other programs rewrite meanwhile.
const tries = 3

// Add adds a file up to its current end. It does not read what the last backup has of it
// unless that could have changed.
func (w *Writer) Add(ctx context.Context, s Source) (err error) {
	var f File
	for range tries {
		if f, err = w.read(ctx, s); !errors.Is(err, errShrank) {
			break
		}
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, f)
	return nil
}

// Keep adds a file as the last backup has it, if its status has not changed and all its chunks
// are stored. It reports whether it did.
func (w *Writer) Keep(was *File, now homefs.Mark) bool {
	if was == nil || was.Mark.Status() != now || !w.has(was.Chunks) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stat.Reused++
	w.list = append(w.list, *was)
	return true
}

// has reports whether all chunks of a list are stored.
func (w *Writer) has(list IDs) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !slices.ContainsFunc(list, func(id ID) bool {
		_, ok := w.Repo.packs.chunks[id]
		return !ok
	})
}

// errShrank says that a file became shorter while it was read.
var errShrank = errors.New("it changes while it is read")

func (w *Writer) read(ctx context.Context, s Source) (File, error) {
	src, err := s.Open()
	if err != nil {
		return File{}, err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return File{}, err
	}
	f := File{Tree: s.Tree, Name: s.Name, Size: info.Size(), Mode: info.Mode().Perm(), Modified: info.ModTime().UTC()}
	from, sum, err := w.resume(src, s.Was, &f)
	if err != nil {
		return f, err
	}
	from.end = f.Size
	if f.Chunks, sum, err = w.chunks(ctx, src, f.Chunks, from, sum); err != nil {
		return f, err
	}
	f.Mark, err = homefs.MarkOf(info).At(src, f.Size, sum)
	if time.Since(f.Modified) < settled {
		f.Mark.Changed, f.Mark.Modtime = 0, 0 // so the next backup reads the file again
	}
	return f, err
}

// resume finds what has to be read of a file. It returns that span and the sum of the bytes
// before it, and sets the chunks of f that are stored already.
func (w *Writer) resume(src homefs.File, was *File, f *File) (span, uint32, error) {
	if was == nil || !w.has(was.Chunks) {
		return span{}, 0, nil
	}
	change, _, err := was.Mark.Compare(src)
	if err != nil || change == homefs.Replaced || was.Mark.Offset > f.Size {
		return span{}, 0, err
	}
	var at int64
	f.Chunks, at = w.reusable(was, f.Size)
	return span{at: at, summed: was.Mark.Offset}, was.Mark.All, nil
}

// settled is how old the last change of a file must be to rely on its status. File systems
// round times, so a second change soon after may leave the same status.
const settled = 2 * time.Second

// reusable returns the chunks that a file of a size shares with its last backup, and where
// they end.
func (w *Writer) reusable(was *File, size int64) (IDs, int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := int64(0)
	for n, id := range was.Chunks {
		c := w.Repo.packs.chunks[id]
		if n == len(was.Chunks)-1 && c.size < smallChunk && size > was.Size {
			return was.Chunks[:n:n], at
		}
		at += int64(c.size)
	}
	return slices.Clip(was.Chunks), at
}

// span is what is read of a file: from at to end. The sum already covers the bytes before
// summed.
type span struct{ at, summed, end int64 }

// chunks stores the chunks of a span, appends them to list, and continues the sum.
func (w *Writer) chunks(ctx context.Context, src io.ReaderAt, list IDs, s span, sum uint32) (IDs, uint32, error) {
	buf := buffers.Get().(*[chunkSize]byte)
	defer buffers.Put(buf)
	for at := s.at; at < s.end; {
		if err := ctx.Err(); err != nil {
			return list, sum, err
		}
		data := buf[:min(chunkSize, s.end-at)]
		n, err := src.ReadAt(data, at)
		if n < len(data) {
			if err == nil || errors.Is(err, io.EOF) {
				err = errShrank
			}
			return list, sum, err
		}
		if skip := s.summed - at; skip < int64(n) {
			sum = homefs.Sum(sum, data[max(0, skip):])
		}
		id, err := w.store(data)
		if err != nil {
			return list, sum, err
		}
		list = append(list, id)
		at += int64(n)
	}
	return list, sum, nil
}

var buffers = sync.Pool{New: func() any { return new([chunkSize]byte) }}

// store stores a chunk, unless it is stored already.
func (w *Writer) store(data []byte) (ID, error) {
	id := ID(sha256.Sum256(data))
	if w.known(id, len(data)) {
		return id, nil
	}
	e, err := encoder()
	if err != nil {
		return id, err
	}
	out := packed.Get().(*[]byte)
	defer packed.Put(out)
	*out = e.EncodeAll(data, (*out)[:0])
	w.mu.Lock()
	w.pack.add(id, *out, len(data))
	full := w.pack
	if len(full.data) < packSize {
		full = nil
	} else {
		w.pack = newPack()
	}
	w.mu.Unlock()
	if full == nil {
		return id, nil
	}
	return id, w.flush(full)
}

var packed = sync.Pool{New: func() any { return new([]byte) }}

// known reports whether a chunk is stored. If not, it marks the chunk as known: the caller
// stores it.
func (w *Writer) known(id ID, size int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stat.Read += int64(size)
	if _, ok := w.Repo.packs.chunks[id]; ok {
		return true
	}
	w.Repo.packs.chunks[id] = location{pack: -1, size: uint32(size)}
	return false
}

// flush stores a pack.
func (w *Writer) flush(p *pack) error {
	if len(p.entries) == 0 {
		return nil
	}
	data, err := w.Repo.crypt.seal(p.bytes())
	if err != nil {
		return err
	}
	name := nameOf(data)
	w.flow.Lock()
	defer w.flow.Unlock()
	if err := w.Repo.store.put(path.Join(packsDir, name), data); err != nil {
		return &WriteError{w.Repo.path, err}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Repo.packs.add(name, p.entries)
	w.stat.Stored += int64(len(data))
	return nil
}

// Commit finishes the backup. When it returns everything is on disk; until then the repository
// has only the earlier backups.
func (w *Writer) Commit(h Head) (Head, Written, error) {
	err := w.flush(w.pack)
	if err == nil {
		h, err = w.commit(h)
	}
	if err != nil {
		return h, w.stat, errors.Join(err, w.Abort())
	}
	return h, w.stat, release(w.lock)
}

// Abort ends the writer without a backup. The next backup uses the chunks that were stored.
func (w *Writer) Abort() error { return errors.Join(w.Repo.store.abort(), release(w.lock)) }

func (w *Writer) commit(h Head) (Head, error) {
	h.Time = w.Repo.opts.Now().UTC().Truncate(time.Millisecond)
	h.Files, h.Size = len(w.list), 0
	for _, f := range w.list {
		h.Size += f.Size
	}
	data, err := encodeList(h, w.list)
	if err != nil {
		return h, err
	}
	if data, err = w.Repo.crypt.seal(data); err != nil {
		return h, err
	}
	h.ID = listName(h.Time, data)
	if err := w.Repo.store.put(path.Join(listsDir, h.ID), data); err != nil {
		return h, &WriteError{w.Repo.path, err}
	}
	w.stat.Stored += int64(len(data))
	if err := w.Repo.store.commit(); err != nil {
		return h, &WriteError{w.Repo.path, err}
	}
	return h, nil
}

// Forget drops all files that were added, to start over. Their chunks stay stored.
func (w *Writer) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list, w.stat.Reused = nil, 0
}

// Drop drops the files of a tree that were added and whose names begin with a text.
func (w *Writer) Drop(tree, prefix string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = slices.DeleteFunc(w.list, func(f File) bool { return f.Tree == tree && strings.HasPrefix(f.Name, prefix) })
}

// WriteError says that the repository could not be written. The backup cannot continue.
type WriteError struct {
	Path string
	Err  error
}

func (e *WriteError) Error() string { return fmt.Sprintf("write the backup to %s: %v", e.Path, e.Err) }

// Unwrap returns the reason.
func (e *WriteError) Unwrap() error { return e.Err }
