package relocate

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"sesskeep/internal/jsonedit"
	"sesskeep/internal/shelf"
)

// repoint is a folder that was moved: paths in it lead elsewhere now.
type repoint struct{ from, to string }

// path is where a path leads now, and whether it is another place. Only whole
// names count: /w/app2 is not in /w/app.
func (m repoint) path(path string) (string, bool) {
	clean := strings.TrimRight(path, `/\`)
	if clean == m.from {
		return m.to + path[len(clean):], true
	}
	rest, ok := strings.CutPrefix(path, strings.TrimRight(m.from, `/\`))
	if !ok || rest == "" || rest[0] != '/' && rest[0] != '\\' {
		return path, false
	}
	return strings.TrimRight(m.to, `/\`) + rest, true
}

// back is the way back.
func (m repoint) back() repoint { return repoint{m.to, m.from} }

// mayHold reports whether a JSON text can have a path that was moved.
func (m repoint) mayHold(text []byte) bool {
	quoted := jsonedit.Quote(m.from)
	return bytes.Contains(text, quoted[1:len(quoted)-1]) || bytes.Contains(text, []byte(`\u`)) || bytes.Contains(text, []byte(`\/`))
}

// state re-points the keys of "projects" in a .claude.json. A path that has an
// entry at its new place keeps its old one too.
func (m repoint) state(text []byte) (after []byte, n int, kept []string, err error) {
	if !m.mayHold(text) {
		return text, 0, nil, nil
	}
	d, err := jsonedit.Parse(text)
	if err != nil {
		return text, 0, nil, err
	}
	var projects []jsonedit.Item
	have := map[string]bool{}
	for _, member := range d.Root.Items() {
		if member.Key == "projects" && member.Value.IsObject() {
			projects = append(projects, member.Value.Items()...)
		}
	}
	for _, p := range projects {
		have[p.Key] = true
	}
	var edits []jsonedit.Edit
	for _, p := range projects {
		switch now, moved := m.path(p.Key); {
		case moved && have[now]:
			kept = append(kept, p.Key)
		case moved:
			edits = append(edits, d.Rename(p, now))
		}
	}
	return d.Apply(edits...), len(edits), kept, nil
}

// line re-points a line of history.jsonl. One that is damaged stays as it is.
func (m repoint) line(line []byte) ([]byte, int) {
	if !m.mayHold(line) {
		return line, 0
	}
	d, err := jsonedit.Parse(line)
	if err != nil {
		return line, 0
	}
	var edits []jsonedit.Edit
	for _, member := range d.Root.Items() {
		if member.Key != "project" || !member.Value.IsString() {
			continue
		}
		if now, moved := m.path(d.String(member.Value)); moved {
			edits = append(edits, d.Replace(member.Value, now))
		}
	}
	return d.Apply(edits...), len(edits)
}

// history is the source of a history.jsonl that is re-pointed line by line.
func (m repoint) history(file string) shelf.Source {
	return func() (io.ReadCloser, error) {
		r, err := shelf.FileSource(file)()
		if err != nil {
			return nil, err
		}
		return History(r, m.from, m.to), nil
	}
}

// countHistory counts the lines that would change.
func (m repoint) countHistory(file string) (n int, err error) {
	r, err := shelf.FileSource(file)()
	if err != nil {
		return 0, err
	}
	e := &lineEditor{file: r, lines: bufio.NewReaderSize(r, 64<<10), edit: func(line []byte) []byte {
		if _, changed := m.line(line); changed > 0 {
			n++
		}
		return nil
	}}
	_, err = io.Copy(io.Discard, e)
	return n, errors.Join(err, e.Close())
}

// lineEditor reads a file and edits every line of it.
type lineEditor struct {
	file  io.Closer
	lines *bufio.Reader
	edit  func(line []byte) []byte
	rest  []byte // of an edited line
}

// Read reads the edited lines.
func (e *lineEditor) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		line, err := e.lines.ReadBytes('\n')
		if len(line) == 0 {
			return 0, err
		}
		e.rest = e.edit(line)
		if err != nil && len(e.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// Close closes the file.
func (e *lineEditor) Close() error { return e.file.Close() }

// History reads a history.jsonl in which the prompts of a project are those of another path.
func History(r io.ReadCloser, from, to string) io.ReadCloser {
	m := repoint{from, to}
	return &lineEditor{file: r, lines: bufio.NewReaderSize(r, 64<<10), edit: func(line []byte) []byte {
		line, _ = m.line(line)
		return line
	}}
}
