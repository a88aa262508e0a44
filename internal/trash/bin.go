package trash

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"sesskeep"
	"sesskeep/internal/shelf"
)

// Bin knows which sessions lie in the trash. They were not deleted behind our
// back, and lists do not show their copies.
type Bin struct {
	shelf *shelf.Shelf // nil: there is none

	mu       sync.Mutex
	at       time.Time // of the directory when it was read
	sessions map[sesskeep.Key]bool
	families []Trashed       // of sessions, most recently trashed first, with their transcripts
	failed   []error         // what could not be read of it: lists may show what lies there
	damaged  map[string]bool // transcripts that were not as they were when they were last opened, by path
}

// NewBin knows the trash of a shelf; nil: there is none.
func NewBin(s *shelf.Shelf) *Bin { return &Bin{shelf: s, damaged: map[string]bool{}} }

// timeStep is how old the time of a directory must be before an equal time means that
// nothing changed: two changes within it can have the same time.
const timeStep = time.Second

// Has reports whether a session lies in the trash.
func (t *Bin) Has(key sesskeep.Key) bool {
	if t.shelf == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.refresh() && t.sessions[key]
}

// refresh reads what lies there, if that may have changed, and reports whether there is a
// trash. The caller has the lock.
func (t *Bin) refresh() bool {
	info, err := os.Stat(t.shelf.TrashDir())
	if errors.Is(err, syscall.ENOTDIR) { // our own directory is a file: nothing was ever trashed in it
		err = fs.ErrNotExist
	}
	if err != nil {
		t.at, t.families, t.failed = time.Time{}, nil, failure(nil, err)
		return false
	}
	if !info.ModTime().Equal(t.at) || time.Since(t.at) < timeStep || len(t.failed) > 0 {
		t.at, t.sessions, t.families, t.failed = info.ModTime(), map[sesskeep.Key]bool{}, nil, nil
		t.read()
	}
	return true
}

// Unread lists what could not be read of the trash when it was last read.
func (t *Bin) Unread() []error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed
}

// failure adds an error to a list, unless it says that there is nothing: below a file, too.
func failure(list []error, err error) []error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return list
	}
	return append(list, err)
}

// read lists what lies there now. What has no manifest yet is on its way.
func (t *Bin) read() {
	entries, err := os.ReadDir(t.shelf.TrashDir())
	t.failed = failure(t.failed, err)
	for _, e := range slices.Backward(entries) { // their names begin with the time
		item, err := readManifest(t.shelf, e.Name())
		t.failed = failure(t.failed, err)
		if err == nil && item.ID != "" {
			t.sessions[item.Key] = true
			item.Members = slices.DeleteFunc(item.Members, func(m Member) bool { return !isTranscript(m.File) })
			t.families = append(t.families, item)
		}
	}
}
