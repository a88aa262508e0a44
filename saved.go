package sesskeep

import (
	"bytes"
	"strings"
)

// SavedOutput is where the client put an output that is too large for its line.
type SavedOutput struct {
	Name string // of the file below the session's tool-results
	Size string // as the client wrote it: 340.7KB
}

// savedMark is in the tag, and reads the same if its brackets are escaped.
var savedMark = []byte("persisted-output")

const (
	savedTag   = "<persisted-output>"
	savedHead  = "Output too large ("
	savedWhere = "). Full output saved to: "
)

// ParseSaved reads where an output was saved from the text that the client left
// in its place, with its tag or without. The path in it may be stale or hostile,
// so only its last part is taken.
func ParseSaved(text string) (o SavedOutput, ok bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, savedTag), "\n")
	rest, ok := strings.CutPrefix(text, savedHead)
	if !ok {
		return o, false
	}
	line, _, _ := strings.Cut(rest, "\n")
	size, path, ok := strings.Cut(line, savedWhere)
	o = SavedOutput{Name: savedName(strings.TrimSuffix(path, "\r")), Size: size}
	return o, ok && o.Name != ""
}

// savedName is the last part of a path of any system, if it can name a file.
func savedName(path string) string {
	name := path[strings.LastIndexAny(path, `/\:`)+1:]
	if name == "." || name == ".." || strings.ContainsAny(name, "\x00\n\r") {
		return ""
	}
	return name
}

// Saved lists where the outputs in a line of tool results were saved.
func (e *Entry) Saved() []SavedOutput {
	if e.Kind != KindUser || e.Message == nil || !bytes.Contains(e.Message.Content, savedMark) {
		return nil
	}
	var list []SavedOutput
	for _, b := range e.Blocks() {
		if b.Kind != BlockToolResult {
			continue
		}
		for _, c := range b.Content {
			if o, ok := ParseSaved(c.Text); ok && strings.HasPrefix(c.Text, savedTag) {
				list = append(list, o)
			}
		}
	}
	return list
}
