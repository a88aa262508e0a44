package manage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

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
	quoted, err := quoteJSON(m.from)
	return err != nil || bytes.Contains(text, quoted[1:len(quoted)-1]) || bytes.Contains(text, []byte(`\u`)) || bytes.Contains(text, []byte(`\/`))
}

// quoteJSON writes a string as the client does.
func quoteJSON(text string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(text)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// jsonString is a string in a JSON text: where it stands with its quotes, and what it
// says.
type jsonString struct {
	from, to int64
	text     string
}

// jsonStrings finds the strings of a JSON document that are wanted. Want is told the keys that lead
// to one, and whether that is a key itself.
func jsonStrings(text []byte, want func(path []string, key bool) bool) ([]jsonString, error) {
	w := &jsonWalk{dec: json.NewDecoder(bytes.NewReader(text)), text: text, want: want}
	w.dec.UseNumber()
	err := w.value(nil)
	if err == nil && len(bytes.TrimSpace(text[w.dec.InputOffset():])) > 0 {
		err = errors.New("something follows the value")
	}
	return w.found, err
}

type jsonWalk struct {
	dec   *json.Decoder
	text  []byte
	want  func(path []string, key bool) bool
	found []jsonString
}

func (w *jsonWalk) value(path []string) error {
	before := w.dec.InputOffset()
	token, err := w.dec.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case string:
		w.take(before, t, w.want(path, false))
	case json.Delim:
		if t == '{' {
			return w.object(path)
		}
		for w.dec.More() {
			if err := w.value(append(path, "[]")); err != nil {
				return err
			}
		}
		_, err = w.dec.Token()
	}
	return err
}

func (w *jsonWalk) object(path []string) error {
	for w.dec.More() {
		before := w.dec.InputOffset()
		token, err := w.dec.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // a decoder takes nothing else for a key
		below := append(path[:len(path):len(path)], key)
		w.take(before, key, w.want(below, true))
		if err := w.value(below); err != nil {
			return err
		}
	}
	_, err := w.dec.Token()
	return err
}

// take notes a string that begins at the first quote after an offset.
func (w *jsonWalk) take(before int64, text string, wanted bool) {
	if wanted {
		start := before + int64(bytes.IndexByte(w.text[before:], '"'))
		w.found = append(w.found, jsonString{start, w.dec.InputOffset(), text})
	}
}

// replaceStrings puts other strings in the places of some, and leaves every other
// byte as it is.
func replaceStrings(text []byte, list []jsonString, edit func(string) (string, bool)) ([]byte, int, error) {
	var out []byte
	at, n := int64(0), 0
	for _, s := range list {
		now, ok := edit(s.text)
		if !ok {
			continue
		}
		quoted, err := quoteJSON(now)
		if err != nil {
			return text, 0, err
		}
		out = append(append(out, text[at:s.from]...), quoted...)
		at, n = s.to, n+1
	}
	return append(out, text[at:]...), n, nil
}

// state re-points the keys of "projects" in a .claude.json. A path that has an
// entry at its new place keeps its old one too.
func (m repoint) state(text []byte) (after []byte, n int, kept []string, err error) {
	if !m.mayHold(text) {
		return text, 0, nil, nil
	}
	keys, err := jsonStrings(text, func(path []string, key bool) bool { return key && len(path) == 2 && path[0] == "projects" })
	if err != nil {
		return text, 0, nil, err
	}
	have := map[string]bool{}
	for _, k := range keys {
		have[k.text] = true
	}
	after, n, err = replaceStrings(text, keys, func(path string) (string, bool) {
		now, moved := m.path(path)
		if moved && have[now] {
			kept = append(kept, path)
			return path, false
		}
		return now, moved
	})
	return after, n, kept, err
}

// line re-points a line of history.jsonl. One that is damaged stays as it is.
func (m repoint) line(line []byte) ([]byte, int) {
	if !m.mayHold(line) {
		return line, 0
	}
	text := bytes.TrimRight(line, "\r\n")
	fields, err := jsonStrings(text, func(path []string, key bool) bool { return !key && len(path) == 1 && path[0] == "project" })
	if err != nil {
		return line, 0
	}
	after, n, err := replaceStrings(text, fields, m.path)
	if err != nil || n == 0 {
		return line, 0
	}
	return append(after, line[len(text):]...), n
}

// history is the source of a history.jsonl that is re-pointed line by line.
func (m repoint) history(file string) shelf.Source {
	return func() (io.ReadCloser, error) {
		r, err := shelf.FileSource(file)()
		if err != nil {
			return nil, err
		}
		return &lineEditor{file: r, lines: bufio.NewReaderSize(r, 64<<10), edit: func(line []byte) []byte {
			line, _ = m.line(line)
			return line
		}}, nil
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
