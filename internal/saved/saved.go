// Package saved knows where the client put outputs of tools that are too large for their
// lines: in files below the session's tool-results.
package saved

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/homefs"
)

// Output is where the client put an output that is too large for its line.
type Output struct {
	Name string // of the file below the session's tool-results
	Size string // as the client wrote it: 340.7KB
}

// mark is in the tag, and reads the same if its brackets are escaped.
var mark = []byte("persisted-output")

const (
	tag   = "<persisted-output>"
	head  = "Output too large ("
	where = "). Full output saved to: "
)

// Parse reads where an output was saved from the text that the client left
// in its place, with its tag or without. The path in it may be stale or hostile,
// so only its last part is taken.
func Parse(text string) (o Output, ok bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, tag), "\n")
	rest, ok := strings.CutPrefix(text, head)
	if !ok {
		return o, false
	}
	line, _, _ := strings.Cut(rest, "\n")
	size, path, ok := strings.Cut(line, where)
	o = Output{Name: baseName(strings.TrimSuffix(path, "\r")), Size: size}
	return o, ok && o.Name != ""
}

// baseName is the last part of a path of any system, if it can name a file.
func baseName(path string) string {
	name := path[strings.LastIndexAny(path, `/\:`)+1:]
	if name == "." || name == ".." || strings.ContainsAny(name, "\x00\n\r") {
		return ""
	}
	return name
}

// Outputs lists where the outputs in a line of tool results were saved.
func Outputs(e *sesskeep.Entry) []Output {
	if e.Kind != sesskeep.KindUser || e.Message == nil || !bytes.Contains(e.Message.Content, mark) {
		return nil
	}
	var list []Output
	for _, b := range e.Blocks() {
		if b.Kind != sesskeep.BlockToolResult {
			continue
		}
		for _, c := range b.Content {
			if o, ok := Parse(c.Text); ok && strings.HasPrefix(c.Text, tag) {
				list = append(list, o)
			}
		}
	}
	return list
}

// File finds the file to which a large tool output was saved. The
// absolute path in the transcript may be stale or hostile, so only its last
// part counts, and only below the session's own tool-results.
func File(files *homefs.Home, dir sesskeep.ProjectKey, id sesskeep.SessionID, saved string) (string, error) {
	name := baseName(saved)
	if name == "" || !sesskeep.IsUUID(string(id)) {
		return "", &sesskeep.Error{Op: "find", Name: saved, Err: sesskeep.ErrNotFound}
	}
	results := path.Join("projects", string(dir), string(id), "tool-results")
	entries, err := files.ReadDir(results)
	if err != nil {
		return "", err
	}
	isName := func(e fs.DirEntry) bool { return e.Name() == name && e.Type().IsRegular() } // a link is none
	if !slices.ContainsFunc(entries, isName) {
		return "", &sesskeep.Error{Op: "find", Name: name, Err: sesskeep.ErrNotFound}
	}
	return path.Join(results, name), nil
}
