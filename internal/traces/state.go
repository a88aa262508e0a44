package traces

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"sesskeep/homefs"
	"sesskeep/internal/jsonedit"
	"sesskeep/internal/mention"
	"sesskeep/internal/regular"
)

// maxState is the size of the largest file of the client's state that is read.
const maxState = 128 << 20

// state finds entries in the client's state (.claude.json) and in the client's backups of it.
func (f *finder) state() error {
	for _, file := range homefs.StateFiles(f.home.Root()) {
		if err := f.stateFile(file, State); err != nil {
			return err
		}
		entries, err := os.ReadDir(filepath.Dir(file))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), filepath.Base(file)+".") && e.Type().IsRegular() && !strings.HasSuffix(e.Name(), ".lock") {
				if err := f.stateFile(filepath.Join(filepath.Dir(file), e.Name()), StateBackup); err != nil {
					return err
				}
			}
		}
	}
	backups, err := f.home.ReadDir("backups")
	if err != nil {
		return err
	}
	for _, e := range backups {
		if strings.HasPrefix(e.Name(), ".claude.json.") && e.Type().IsRegular() {
			if err := f.stateFile(f.home.Path(path.Join("backups", e.Name())), StateBackup); err != nil {
				return err
			}
		}
	}
	return nil
}

// stateFile finds the entries in one file. A damaged backup that mentions the sessions is
// emptied; if the state itself is damaged, it is left and listed.
func (f *finder) stateFile(file string, kind Kind) error {
	text, err := regular.ReadFile(file, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return err
	}
	after, n, err := scrubbed(text, f.of)
	switch {
	case err != nil && !f.of.In(text):
		return nil
	case err != nil && kind == State:
		f.found.Left = append(f.found.Left, file)
		return nil
	case err != nil:
		after, n = []byte("{}\n"), 1
	}
	if n == 0 {
		return nil
	}
	f.count(kind, n, 0)
	f.found.Edits = append(f.found.Edits, Edit{file, kind, n, source(after)})
	return nil
}

func source(text []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
}

// scrubbed returns a JSON text without the entries of the sessions and projects, and how many
// entries it removed. Every other byte stays.
func scrubbed(text []byte, of *mention.Finder) (after []byte, n int, err error) {
	d, err := jsonedit.Parse(text)
	if err != nil {
		return text, 0, err
	}
	s := scrubber{d: d, of: of}
	s.container(d.Root)
	return d.Apply(s.edits...), s.n, nil
}

type scrubber struct {
	d     *jsonedit.Document
	of    *mention.Finder
	edits []jsonedit.Edit
	n     int
}

// container removes the entries from an object or a list and from the containers that remain
// in it.
func (s *scrubber) container(n *jsonedit.Node) {
	if !n.IsObject() && !n.IsList() {
		return
	}
	gone := map[int]bool{}
	for i, item := range n.Items() {
		if s.goes(item) {
			gone[i] = true
		} else {
			s.container(item.Value)
		}
	}
	if len(gone) > 0 {
		s.n += len(gone)
		s.edits = append(s.edits, s.d.Remove(n, gone, nil)...)
	}
}

// goes reports whether an entry belongs to a session or project: by its name, its value, or a
// field of its value.
func (s *scrubber) goes(item jsonedit.Item) bool {
	if s.named(item.Key) {
		return true
	}
	if item.Value.IsString() {
		return s.named(s.d.String(item.Value))
	}
	if !item.Value.IsObject() {
		return false
	}
	for _, key := range []string{"sessionId", "leadSessionId"} {
		if id := item.Value.Member(key); id.IsString() && s.of.Session(s.d.String(id)) {
			return true
		}
	}
	return false
}

func (s *scrubber) named(text string) bool { return s.of.Project(text) || s.of.Session(text) }
