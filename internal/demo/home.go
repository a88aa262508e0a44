package demo

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
)

// Write makes dir a demo home as of now. A directory that is missing is made,
// an empty one filled, a demo home replaced as a whole; any other is left alone
// and ErrNotDemo. Until the new home is complete, dir stays what it was.
func Write(dir string, now time.Time) error {
	if err := replace(dir, ".", now); err != nil {
		return fmt.Errorf("write demo home %s: %w", dir, err)
	}
	return nil
}

// replace writes a home beside dir, at its place below, and then puts all of it
// where dir is.
func replace(dir, below string, now time.Time) (err error) {
	if err := free(dir); err != nil {
		return err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	work, err := os.MkdirTemp(parent, ".sesskeep-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()

	fresh, stale := filepath.Join(work, "new"), filepath.Join(work, "old")
	if err := build(now).save(filepath.Join(fresh, below)); err != nil {
		return err
	}
	if err := sign(fresh, now); err != nil {
		return err
	}
	if err := os.Rename(dir, stale); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		os.Rename(stale, dir) // what was there is better than nothing
		return err
	}
	return nil
}

// home is what will be written.
type home struct {
	now     time.Time
	files   map[string]file // by slash path
	dirs    map[string]time.Time
	history []historyLine
}

type file struct {
	data []byte
	time time.Time // of the last change
}

// static holds the files that ada wrote herself.
//
//go:embed static
var static embed.FS

// build creates the home of all stories.
func build(now time.Time) *home {
	h := &home{
		now: now.Truncate(time.Millisecond), files: map[string]file{}, dirs: map[string]time.Time{},
	}
	h.statics()
	h.parserStories()
	h.worktreeStory()
	h.shopStories()
	h.appStories()
	h.noteStories()
	h.oldStories()
	h.damagedStory()
	h.saveHistory()
	h.saveState()
	return h
}

const (
	second = time.Second
	minute = time.Minute
	hour   = time.Hour
	day    = 24 * time.Hour
)

func (h *home) ago(d time.Duration) time.Time { return h.now.Add(-d) }

// put adds a file, and its directories with it.
func (h *home) put(name string, data []byte, at time.Time) {
	h.files[name] = file{data, at}
	h.mkdir(path.Dir(name), at)
}

// mkdir adds a directory that something happened in.
func (h *home) mkdir(name string, at time.Time) {
	for ; name != "."; name = path.Dir(name) {
		if h.dirs[name].Before(at) {
			h.dirs[name] = at
		}
	}
}

// projectDir is where the sessions of cwd lie.
func projectDir(cwd string) string { return "projects/" + string(sesskeep.DirName(cwd)) }

// statics copies ada's own files.
func (h *home) statics() {
	err := fs.WalkDir(static, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := static.ReadFile(name)
		if err != nil {
			return err
		}
		name = strings.TrimPrefix(name, "static/")
		if project, ok := strings.CutPrefix(name, "memory/"); ok {
			cwd, rest, _ := strings.Cut(project, "/")
			name = projectDir("/home/ada/src/"+cwd) + "/memory/" + rest
		}
		h.put(name, data, h.ago(time.Duration(40+len(data)%50)*day))
		return nil
	})
	if err != nil {
		panic(fmt.Sprintf("demo: read embedded files: %v", err))
	}
}

// save writes everything below dir, which must not exist.
func (h *home) save(dir string) error {
	h.mkdir("projects", h.now)
	names := sortedKeys(h.dirs)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Mkdir(filepath.Join(dir, filepath.FromSlash(name)), 0o700); err != nil {
			return err
		}
	}
	for _, name := range sortedKeys(h.files) {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.WriteFile(target, h.files[name].data, 0o600); err != nil {
			return err
		}
		if err := os.Chtimes(target, h.files[name].time, h.files[name].time); err != nil {
			return err
		}
	}
	// Directories come last: every file made in one changes its time.
	for _, name := range slices.Backward(names) {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Chtimes(target, h.dirs[name], h.dirs[name]); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
