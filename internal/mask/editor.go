package mask

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"sesskeep/internal/redact"
)

// maxLine is how long a line can be.
const maxLine = 1 << 30

// scope says which secrets are replaced in a file.
type scope int

const (
	all   scope = iota // those that the rules find
	known              // only those that were found before, because other sessions use the file
)

// editor puts marks in the place of secrets in files.
type editor struct {
	doc *redact.Document
	// ours reports whether a line of history.jsonl is of the session.
	ours func(line []byte) bool
	// pastes are the hashes of pasted texts that lines of the session name, and plans its plans.
	pastes, plans map[string]bool

	// of the file that is being edited
	secrets  int
	thinking int // blocks of signed thinking that were removed
	changed  bool
}

// newEditor makes an editor that counts.
func newEditor(doc *redact.Document) *editor {
	e := &editor{doc: doc, pastes: map[string]bool{}, plans: map[string]bool{}}
	doc.OnMatch = func(redact.Match) { e.secrets++ }
	return e
}

// scopeOf is the scope of a file, as it is named in the home.
func (e *editor) scopeOf(name string) scope {
	switch path.Dir(name) {
	case "paste-cache":
		if !e.pastes[strings.TrimSuffix(path.Base(name), ".txt")] {
			return known
		}
	case "plans":
		if !e.plans[name] {
			return known
		}
	}
	return all
}

// edit writes what a file becomes, and reports whether that differs.
func (e *editor) edit(w io.Writer, r io.Reader, name string) (changed bool, err error) {
	e.secrets, e.thinking, e.changed = 0, 0, false
	e.doc.Known = e.scopeOf(name) == known
	in := bufio.NewReaderSize(r, 1<<20)
	if start, _ := in.Peek(8 << 10); bytes.IndexByte(start, 0) >= 0 && path.Ext(name) != ".jsonl" {
		_, err = io.Copy(w, in) // an image, say
		return false, err
	}
	switch path.Ext(name) {
	case ".jsonl":
		err = e.lines(w, in, name == "history.jsonl")
	case ".json":
		err = e.whole(w, in)
	default:
		err = e.doc.Copy(w, in)
		e.changed = e.secrets > 0
	}
	return e.changed, err
}

// whole edits a small file of JSON.
func (e *editor) whole(w io.Writer, r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, maxLine))
	if err == nil {
		text = e.doc.JSON(text)
		e.changed = e.secrets > 0
		_, err = w.Write(text)
	}
	return err
}

// lines edits lines of JSON.
func (e *editor) lines(w io.Writer, r *bufio.Reader, history bool) error {
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > maxLine {
			return fmt.Errorf("a line has more than %d bytes", maxLine)
		}
		if len(line) > 0 {
			edit := e.line
			if history {
				edit = e.prompt
			}
			if _, err := w.Write(edit(line)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// line edits a line of a transcript.
func (e *editor) line(line []byte) []byte {
	before := e.secrets
	edited := e.doc.JSON(line)
	if e.secrets > before {
		e.changed = true
		edited = withStructure(line, edited)
	}
	if e.changed {
		var n int
		edited, n = withoutThinking(edited)
		e.thinking += n
	}
	return edited
}

// prompt edits a line of history.jsonl, which has the prompts of all sessions.
func (e *editor) prompt(line []byte) []byte {
	e.doc.Known = !e.ours(line)
	before := e.secrets
	edited := e.doc.JSON(line)
	if e.secrets > before {
		e.changed = true
		return withStructure(line, edited)
	}
	return edited
}
