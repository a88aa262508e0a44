package traces

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"sesskeep/internal/mention"
	"sesskeep/internal/regular"
)

// prompt has the fields of a line of history.jsonl that show which session it belongs to.
type prompt struct {
	Project string                     `json:"project"`
	Session string                     `json:"sessionId"`
	Pasted  map[string]json.RawMessage `json:"pastedContents"`
}

// Prompt reports whether a line of history.jsonl belongs to a session or project that the
// finder looks for. A damaged line does if it mentions one.
func Prompt(of *mention.Finder, line []byte) bool {
	var p prompt
	if json.Unmarshal(line, &p) != nil {
		return of.In(line)
	}
	return of.Project(p.Project) || of.Session(p.Session)
}

// PastedIn lists the hashes of the texts in paste-cache/ that a line of history.jsonl refers to.
func PastedIn(line []byte) (hashes []string) {
	var p prompt
	if json.Unmarshal(line, &p) != nil {
		return nil
	}
	for _, text := range p.Pasted {
		var paste struct{ ContentHash string }
		if json.Unmarshal(text, &paste) == nil && paste.ContentHash != "" {
			hashes = append(hashes, paste.ContentHash)
		}
	}
	return hashes
}

// history finds the lines of history.jsonl, and the pasted texts that no other line refers to.
func (f *finder) history() error {
	file := filepath.Join(f.home.Root(), "history.jsonl")
	lines, stays := 0, map[string]bool{}
	err := eachLine(file, func(line []byte) {
		goes := Prompt(f.of, line)
		if goes {
			lines++
		}
		for _, hash := range PastedIn(line) {
			if goes {
				f.found.pastes[hash] = true
			} else {
				stays[hash] = true
			}
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || lines == 0 {
		return err
	}
	for hash := range stays {
		delete(f.found.pastes, hash)
	}
	f.count(Prompts, lines, 0)
	f.found.Edits = append(f.found.Edits, Edit{file, Prompts, lines, func() (io.ReadCloser, error) {
		return Without(file, func(line []byte) bool { return Prompt(f.of, line) })
	}})
	return nil
}

// SessionsOf lists the sessions of a project's prompts in a history.jsonl.
func SessionsOf(file, project string) (ids []string, err error) {
	seen := map[string]bool{}
	err = eachLine(file, func(line []byte) {
		var p prompt
		if json.Unmarshal(line, &p) == nil && p.Project == project && p.Session != "" && !seen[p.Session] {
			seen[p.Session] = true
			ids = append(ids, p.Session)
		}
	})
	return ids, err
}

// eachLine calls f with every line of a file, without its end.
func eachLine(file string, f func(line []byte)) error {
	r, err := Without(file, func(line []byte) bool {
		f(line)
		return true
	})
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r)
	return errors.Join(err, r.Close())
}

// Without reads a file without the lines for which drop returns true. A last line without a
// line break stays: it is being written.
func Without(file string, drop func(line []byte) bool) (io.ReadCloser, error) {
	r, err := regular.Open(file)
	if err != nil {
		return nil, err
	}
	return &without{Closer: r, lines: bufio.NewReaderSize(r, 64<<10), drop: drop}, nil
}

type without struct {
	io.Closer
	lines *bufio.Reader
	drop  func(line []byte) bool
	rest  []byte // what is still to be read of the current line
}

// Read reads the remaining lines.
func (w *without) Read(p []byte) (int, error) {
	for len(w.rest) == 0 {
		line, err := w.lines.ReadBytes('\n')
		if len(line) == 0 {
			return 0, err
		}
		if text := bytes.TrimSuffix(line, []byte("\n")); len(text) == 0 || !w.drop(text) {
			w.rest = line
		}
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}
