// Package mention finds texts that name one of some sessions or projects.
//
// It looks at bytes and knows no format, so it works on a line of JSON, a page of a
// database and the name of a file alike. It may find a text that only looks like a mention;
// it misses none that is written as the client or we write it.
package mention

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/regular"
)

// Set is what a text may mention. The zero value is mentioned by none.
type Set struct {
	Sessions []sesskeep.SessionID  `json:"sessions"`        // in lower case
	Paths    []string              `json:"paths,omitempty"` // working directories
	Dirs     []sesskeep.ProjectKey `json:"dirs,omitempty"`  // directories below projects/
}

// Finder finds the mentions of a Set. It is made once for many texts.
type Finder struct {
	ids   map[string]bool
	paths [][]byte // as they are, and as JSON writes them
	dirs  [][]byte

	project func(path string) bool
}

// Finder makes the Finder of a Set.
func (s Set) Finder() *Finder {
	f := newFinder(s.Sessions)
	f.project = func(path string) bool { return slices.Contains(s.Paths, path) }
	for _, path := range s.Paths {
		f.paths = append(f.paths, []byte(path))
		if text, err := json.Marshal(path); err == nil {
			if quoted := text[1 : len(text)-1]; !bytes.Equal(quoted, []byte(path)) {
				f.paths = append(f.paths, quoted)
			}
		}
	}
	for _, dir := range s.Dirs {
		f.dirs = append(f.dirs, []byte("projects/"+string(dir)))
	}
	return f
}

func newFinder(sessions []sesskeep.SessionID) *Finder {
	f := &Finder{ids: map[string]bool{}, project: func(string) bool { return false }}
	for _, id := range sessions {
		f.ids[strings.ToLower(string(id))] = true
	}
	return f
}

// Project reports whether a path is that of one of the projects.
func (f *Finder) Project(path string) bool { return path != "" && f.project(path) }

// In reports whether a text mentions one of them.
func (f *Finder) In(text []byte) bool {
	return f.session(text) || within(text, f.paths, endsPath) || within(text, f.dirs, endsName)
}

// Session reports whether a session of the Set has an id.
func (f *Finder) Session(id string) bool { return f.ids[strings.ToLower(id)] }

// idLength is that of a UUID as text, and dash where its first dash is.
const idLength, dash = 36, 8

// session reports whether the id of a session is in a text.
func (f *Finder) session(text []byte) bool {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '-')
		if n < 0 {
			return false
		}
		at += n + 1
		start := at - 1 - dash
		if start < 0 || start+idLength > len(text) {
			continue
		}
		id := text[start : start+idLength]
		if id[13] == '-' && id[18] == '-' && id[23] == '-' && f.ids[strings.ToLower(string(id))] {
			return true
		}
	}
}

// within reports whether one of some names is in a text, and ends where it ends there.
func within(text []byte, names [][]byte, ends func(next byte) bool) bool {
	for _, name := range names {
		for at := 0; ; {
			n := bytes.Index(text[at:], name)
			if n < 0 {
				break
			}
			start, end := at+n, at+n+len(name)
			if (start == 0 || startsName(text[start-1])) && (end == len(text) || ends(text[end])) {
				return true
			}
			at = start + 1
		}
	}
	return false
}

// startsName reports whether a name can begin after a byte.
func startsName(before byte) bool {
	return before == '/' || before == '\\' || endsPath(before)
}

// endsPath reports whether a byte ends a path: what continues is another path, even below it.
func endsPath(next byte) bool {
	return next < ' ' || strings.IndexByte(" \"'`,:;()[]{}<>=|", next) >= 0
}

// endsName reports whether a byte ends the name of a directory, below which more can lie.
func endsName(next byte) bool { return next == '/' || next == '\\' || endsPath(next) }

// overlap is how much of one piece of a long text is read again with the next.
const (
	piece   = 256 << 10
	overlap = 16 << 10
)

// InReader reports whether what a reader gives mentions one of them.
func (f *Finder) InReader(r io.Reader) (bool, error) {
	buffer := make([]byte, piece)
	held := 0
	for {
		n, err := io.ReadFull(r, buffer[held:])
		if f.In(buffer[:held+n]) {
			return true, nil
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return false, nil
		case err != nil:
			return false, err
		}
		held = copy(buffer, buffer[len(buffer)-overlap:])
	}
}

// Below reports whether a file or directory mentions one of them, or one below a directory: in its
// name, or a regular file in its content.
func (f *Finder) Below(path string) (found bool, err error) {
	err = filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case f.In([]byte(filepath.Base(path))):
			found = true
			return fs.SkipAll
		case !e.Type().IsRegular():
			return nil
		}
		r, err := regular.Open(path)
		if err != nil {
			return err
		}
		found, err = f.InReader(r)
		if err = errors.Join(err, r.Close()); err == nil && found {
			return fs.SkipAll
		}
		return err
	})
	return found, err
}
