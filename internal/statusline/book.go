package statusline

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
)

// Book is the file that stores reports. It is safe for concurrent use. The zero value
// has no file and stores nothing.
type Book struct {
	dir string

	mu    sync.Mutex
	seen  os.FileInfo // of the file, when it was last read
	lines []line
}

// Open returns the Book in a directory, our data directory. It reads nothing yet.
func Open(dir string) *Book { return &Book{dir: dir} }

func (b *Book) path() string { return filepath.Join(b.dir, "statusline.json") }

// line is the last report of one session.
type line struct {
	Root    string    `json:"root"`
	Session string    `json:"session"`
	Model   string    `json:"model,omitempty"`
	Window  int64     `json:"window,omitempty"`
	Limits  []Limit   `json:"limits,omitempty"`
	Changed time.Time `json:"changed"` // when the limits last changed
	Seen    time.Time `json:"seen"`    // when they were last reported
}

// The limits of the file.
const (
	maxLines = 500
	maxFile  = 4 << 20
	maxText  = 4096
)

// often is how long the same report is not written again: clients draw their status
// line several times a second.
const often = time.Minute

// Keep stores a report. If another process has the lock, it leaves that to the next
// report.
func (b *Book) Keep(r Report, now time.Time) error {
	root := r.root()
	if b.dir == "" || r.Session == "" || root == "" || r.Window == 0 && len(r.Limits) == 0 ||
		len(r.Session)+len(root)+len(r.Model) > maxText {
		return nil
	}
	next := line{
		Root: root, Session: r.Session, Model: r.Model, Window: r.Window, Limits: r.Limits,
		Changed: now.UTC(), Seen: now.UTC(),
	}
	if lines, err := b.read(); err == nil && !worthKeeping(lines, &next) {
		return nil
	}
	turn, err := lock.Acquire(filepath.Join(b.dir, "statusline.lock"))
	if errors.Is(err, lock.ErrHeld) {
		return nil
	}
	if err != nil {
		return err
	}
	defer turn.Release()
	lines, err := b.read()
	if err != nil {
		lines = nil // damaged: clients will soon report again
	}
	data, err := json.Marshal(with(lines, next))
	if err != nil {
		return err
	}
	return regular.Replace(b.path(), data)
}

// worthKeeping reports whether a line differs enough from what is stored for its
// session.
func worthKeeping(lines []line, next *line) bool {
	i := find(lines, next)
	if i < 0 {
		return true
	}
	was := &lines[i]
	return was.Model != next.Model || was.Window != next.Window || !slices.Equal(was.Limits, next.Limits) ||
		next.Seen.Sub(was.Seen) >= often || next.Seen.Before(was.Seen)
}

func find(lines []line, next *line) int {
	return slices.IndexFunc(lines, func(l line) bool { return l.Root == next.Root && l.Session == next.Session })
}

// with returns the lines with the line of its session replaced by next. It drops the
// oldest first.
func with(lines []line, next line) []line {
	if i := find(lines, &next); i >= 0 {
		if was := &lines[i]; slices.Equal(was.Limits, next.Limits) {
			next.Changed = was.Changed
		}
		lines = slices.Delete(slices.Clone(lines), i, i+1)
	}
	lines = append(slices.Clone(lines), next)
	slices.SortStableFunc(lines, func(a, b line) int { return a.Seen.Compare(b.Seen) })
	return lines[max(0, len(lines)-maxLines):]
}

// read returns the lines of the file, and reads it only if it changed.
func (b *Book) read() ([]line, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir == "" {
		return nil, nil
	}
	info, err := os.Stat(b.path())
	if errors.Is(err, fs.ErrNotExist) {
		b.seen, b.lines = nil, nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if b.seen != nil && os.SameFile(info, b.seen) && info.ModTime().Equal(b.seen.ModTime()) && info.Size() == b.seen.Size() {
		return b.lines, nil
	}
	data, err := regular.ReadFile(b.path(), maxFile)
	if err != nil {
		return nil, err
	}
	var lines []line
	if err := json.Unmarshal(data, &lines); err != nil {
		return nil, err
	}
	b.seen, b.lines = info, lines
	return lines, nil
}

// Window returns the context window, in tokens, that the client of a session reported
// while it ran that model; 0: it did not.
func (b *Book) Window(root, session, model string) int64 {
	lines, err := b.read()
	if err != nil {
		return 0
	}
	i := find(lines, &line{Root: root, Session: session})
	if i < 0 || plain(lines[i].Model) != plain(model) {
		return 0
	}
	return lines[i].Window
}

// plain returns the name of a model without the suffix for its window, which answers
// omit.
func plain(model string) string {
	return strings.TrimSuffix(strings.ToLower(model), "[1m]")
}

// Limits returns the last reported limits of homes, by their roots.
//
// An idle client repeats the limits of its last response, so the client whose figures
// changed most recently wins.
func (b *Book) Limits(roots []string) ([]ask.Limit, error) {
	lines, err := b.read()
	if err != nil {
		return nil, err
	}
	var list []ask.Limit
	for _, root := range roots {
		var last *line
		for i := range lines {
			l := &lines[i]
			if l.Root == root && len(l.Limits) > 0 && (last == nil || l.Changed.After(last.Changed)) {
				last = l
			}
		}
		if last == nil {
			continue
		}
		at := last.Seen
		for i := range lines {
			if l := &lines[i]; l.Root == root && slices.Equal(l.Limits, last.Limits) && l.Seen.After(at) {
				at = l.Seen
			}
		}
		for _, l := range last.Limits {
			list = append(list, l.seen(root, at))
		}
	}
	return list, nil
}
