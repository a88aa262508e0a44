package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/internal/disk"
	"sesskeep/internal/lock"
)

// ErrHeld says that another process is writing the same copies for too long.
var ErrHeld = errors.New("another sesskeep is writing the copies")

// Vault is a directory with copies.
type Vault struct {
	dir string
	o   Options
}

// Options say how a Vault works. The zero value is the usual way.
type Options struct {
	Disk disk.System      // nil: the real one
	Now  func() time.Time // nil: time.Now
	// Rest is how long a file must not have been written for its end to be
	// compressed; 0: ten minutes.
	Rest time.Duration
	// Patience is how long another process is waited for; 0: ten seconds.
	Patience time.Duration

	frame int64 // size of a frame; 0: frameSize
}

// New returns the vault in a directory, which is made when it is needed.
func New(dir string, o Options) *Vault {
	if o.Disk == nil {
		o.Disk = disk.Real
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rest == 0 {
		o.Rest = 10 * time.Minute
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.frame == 0 {
		o.frame = frameSize
	}
	return &Vault{dir: dir, o: o}
}

// Dir is the directory of the vault.
func (v *Vault) Dir() string { return v.dir }

// Home is the copies of one home.
type Home struct {
	vault *Vault
	dir   string

	hidden func(sesskeep.SessionID) bool // nil: none is

	load    sync.Once
	swept   atomic.Bool         // this process has written the catalogue: what it has read is old
	catalog map[boxKey]*summary // as it was read once

	mu      sync.Mutex
	unread  map[string]error                                      // files of ours that are damaged, as far as they were met
	noted   []Flaw                                                // by this process
	damaged map[boxKey]bool                                       // known when the last sweep began
	boxes   map[string]*box                                       // as they were last read, by directory
	marks   map[string]sesskeep.Mark                              // of growing files as this process made them, by their ends
	roots   map[sesskeep.ProjectKey]map[string]sesskeep.SessionID // who began with a line

	uncatalogued error // why the catalogue could not be read
}

// Home returns the copies of the home with an id. There need be none.
func (v *Vault) Home(id sesskeep.HomeID) *Home {
	return &Home{vault: v, dir: filepath.Join(v.dir, string(id)), boxes: map[string]*box{}, marks: map[string]sesskeep.Mark{}, roots: map[sesskeep.ProjectKey]map[string]sesskeep.SessionID{}}
}

// Hide says which sessions FS and Gone leave out although they are kept. It must be
// called before the Home is shared.
func (h *Home) Hide(hidden func(sesskeep.SessionID) bool) { h.hidden = hidden }

func (h *Home) hides(id sesskeep.SessionID) bool { return h.hidden != nil && id != "" && h.hidden(id) }

// Any reports whether anything of the home is kept.
func (h *Home) Any() bool {
	_, err := os.Lstat(h.dir)
	return err == nil
}

// boxKey names a box: of a session in a folder, or of the home if it is zero.
type boxKey struct {
	dir     sesskeep.ProjectKey
	session sesskeep.SessionID
}

const boxSuffix = ".box"

// folder is the directory that a box lies in.
func (h *Home) folder(key boxKey) string {
	if key == (boxKey{}) {
		return h.dir
	}
	return filepath.Join(h.dir, "projects", string(key.dir))
}

// place is the directory of a box.
func (h *Home) place(key boxKey) string {
	name := "home"
	if key != (boxKey{}) {
		name = string(key.session)
	}
	return filepath.Join(h.folder(key), name+boxSuffix)
}

// box reads a box, which may be empty.
func (h *Home) box(key boxKey) (*box, error) {
	dir := h.place(key)
	stamp := stampOf(filepath.Join(dir, manifestName))
	h.mu.Lock()
	b := h.boxes[dir]
	h.mu.Unlock()
	if b != nil && b.stamp == stamp && stamp != (fileStamp{}) {
		return b, nil
	}
	manifest := filepath.Join(dir, manifestName)
	b, err := readBox(dir)
	if err != nil {
		h.met(manifest, err)
		return nil, &sesskeep.Error{Op: "read copies", Name: dir, Err: err}
	}
	b.stamp, b.key = stamp, key
	h.met(manifest, h.flaw(b))
	h.mu.Lock()
	h.boxes[dir] = b
	h.mu.Unlock()
	return b, nil
}

// history returns the Mark of a version, with what this process knows of its source
// if it made that Mark itself.
func (h *Home) history(b *box, v *version) sesskeep.Mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	m, ok := h.marks[v.place(b)]
	if !ok || m.Status() != v.Mark.Status() || m.Offset != v.Mark.Offset || m.All != v.Mark.All {
		return v.Mark
	}
	return m
}

// remember notes the Mark of a version whose source is growing.
func (h *Home) remember(b *box, v *version, m sesskeep.Mark) {
	if !growing(v.name) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.marks[v.place(b)] = m
}

// keys lists the boxes of all sessions.
func (h *Home) keys() ([]boxKey, error) {
	folders, err := os.ReadDir(filepath.Join(h.dir, "projects"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var keys []boxKey
	for _, folder := range folders {
		more, err := h.keysIn(sesskeep.ProjectKey(folder.Name()))
		if err != nil {
			return nil, err
		}
		keys = append(keys, more...)
	}
	return keys, nil
}

// keysIn lists the boxes of one folder.
func (h *Home) keysIn(dir sesskeep.ProjectKey) (keys []boxKey, err error) {
	entries, err := os.ReadDir(filepath.Join(h.dir, "projects", string(dir)))
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), boxSuffix); ok && e.IsDir() {
			keys = append(keys, boxKey{dir, sesskeep.SessionID(id)})
		}
	}
	return keys, err
}

// keysOf lists the boxes of a session. It can be in several folders.
func (h *Home) keysOf(id sesskeep.SessionID) ([]boxKey, error) {
	folders, err := os.ReadDir(filepath.Join(h.dir, "projects"))
	if err != nil {
		return nil, missing(err)
	}
	var keys []boxKey
	for _, folder := range folders {
		key := boxKey{sesskeep.ProjectKey(folder.Name()), id}
		_, err := os.Lstat(h.place(key))
		switch {
		case err == nil:
			keys = append(keys, key)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return keys, nil
}

// lock waits for the turn at the folder of a box.
func (h *Home) lock(ctx context.Context, key boxKey) (*lock.Lock, error) {
	return h.wait(ctx, filepath.Join(h.folder(key), "lock"))
}

// wait waits until no other process has a lock.
func (h *Home) wait(ctx context.Context, path string) (*lock.Lock, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, h.vault.o.Patience, ErrHeld)
	defer cancel()
	for {
		l, err := lock.Take(path)
		if !errors.Is(err, lock.ErrHeld) {
			return l, err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// fileStamp tells whether a file of ours was written since.
type fileStamp struct {
	size    int64
	modtime int64
	file    uint64
}

func stampOf(name string) fileStamp {
	info, err := os.Lstat(name)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.Size(), info.ModTime().UnixNano(), inode(info)}
}
