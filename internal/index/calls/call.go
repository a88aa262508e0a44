package calls

import (
	"bytes"
	"slices"

	"sesskeep"
	"sesskeep/internal/jsonl"
)

// Call is one use of a tool, as its two lines show it: the one that makes it, and the
// one that answers it.
type Call struct {
	ID     uint64 // hash of the call's id: copies of a line have the same one
	Tool   string // empty: unknown, or the line is no call
	File   string // that the call names in its input
	Branch string // of git, that the line has
	Time   int64  // of the line, in milliseconds since 1970
	// Counted is set for a call itself; not for a line that repeats one, for an answer
	// without its call, or for a line that is none.
	Counted bool
	Failed  bool
	// Answered is set once there is a result; Took is how many milliseconds later.
	Answered bool
	Took     int64
	// Measured says that Added and Removed are how many lines of the file changed.
	Measured       bool
	Added, Removed int64
	Line           Line // of the call
	Result         Line // of the first result, where the call is on another line
	Prompt         Line // that led to it
}

// Line is where a line lies in its file. The zero Line is none.
type Line struct {
	Number int // counting from 1
	Offset int64
	Length int64
}

// Lines yields the lines of a call: its own and that of its result.
func (c *Call) Lines(yield func(Line) bool) {
	if c.Line.Length > 0 && !yield(c.Line) {
		return
	}
	if c.Result.Length > 0 {
		yield(c.Result)
	}
}

// Acts are the words for what a tool does to a file.
var Acts = []string{"edit", "write", "read"}

// ActOf is what a tool does to the file of a call; empty for most tools.
func ActOf(tool string) string {
	switch tool {
	case "Edit", "MultiEdit", "NotebookEdit":
		return "edit"
	case "Write":
		return "write"
	case "Read", "NotebookRead":
		return "read"
	}
	return ""
}

// pathKeys are the fields in which tools and attachments name a file.
var pathKeys = [...]string{"file_path", "filePath", "notebook_path", "path", "filename"}

// maxPath bounds a path that a hostile file can bring in.
const maxPath = 4096

// inputHead is in how much of an input most tools name their file: what follows can be
// the whole text of it.
const inputHead = 512

// FileIn is the file that an object names in one of its own fields.
func FileIn(object []byte) string {
	var p jsonl.Parser
	if len(object) > inputHead {
		p.Reset(object[:inputHead])
		if file := fileIn(&p); file != "" {
			return file
		}
	}
	p.Reset(object)
	return fileIn(&p)
}

func fileIn(p *jsonl.Parser) (file string) {
	for key := range p.Object() {
		if file == "" && isPathKey(key) {
			path := p.Bytes()
			file = string(path[:min(len(path), maxPath)])
		}
	}
	return file
}

func isPathKey(key []byte) bool {
	return slices.ContainsFunc(pathKeys[:], func(name string) bool { return name == string(key) })
}

// Mentioned is the file that an attachment names; empty for every other line.
func Mentioned(e *sesskeep.Entry) (file string) {
	if e.Kind != sesskeep.KindAttachment || !bytes.Contains(e.Raw, []byte("ile")) && !bytes.Contains(e.Raw, []byte("path")) {
		return ""
	}
	var p jsonl.Parser
	p.Reset(e.Raw)
	for key := range p.Object() {
		if string(key) == "attachment" {
			file = fileIn(&p)
		}
	}
	return file
}

// IsAPIError reports whether a line is an error of the API.
func IsAPIError(e *sesskeep.Entry) bool { return e.APIError || e.Subtype == "api_error" }

// written is how many lines the input of a Write has for its file.
func written(input []byte) (lines int64) {
	var p jsonl.Parser
	p.Reset(input)
	for key := range p.Object() {
		if string(key) == "content" && p.Kind() == jsonl.String {
			lines = linesIn(p.Raw())
		}
	}
	return lines
}

// linesIn counts the lines of a JSON string.
func linesIn(raw []byte) (lines int64) {
	text := raw[1 : len(raw)-1]
	ended := true
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			ended = false
			break
		}
		end := i + 2
		if ended = text[i+1] == 'n' || text[i+1] == 'u' && bytes.HasPrefix(bytes.ToLower(text[i+2:min(len(text), i+6)]), []byte("000a")); ended {
			lines++
			if text[i+1] == 'u' {
				end += 4
			}
		}
		text = text[end:]
	}
	if !ended {
		lines++
	}
	return lines
}

// change is what the result of a tool says of the file that it changed.
type change struct {
	patch          bool // it has one
	replaced       bool // there was something in the file before
	added, removed int64
}

// changeIn finds the patch without parsing what lies before it, which can be the whole
// file: between two bare quotes, its name can only be a key.
func changeIn(result []byte) (c change) {
	var p jsonl.Parser
	p.Reset(valueOf(result, `"structuredPatch"`))
	for range p.Array() {
		c.patch = true
		c.hunk(&p)
	}
	if !c.patch {
		original := valueOf(result, `"originalFile"`)
		c.replaced = len(original) > 1 && original[0] == '"' && original[1] != '"'
	}
	return c
}

// valueOf is what follows the first such key of an object.
func valueOf(object []byte, key string) []byte {
	i := bytes.Index(object, []byte(key))
	if i <= 0 || object[i-1] == '\\' {
		return nil
	}
	rest, found := bytes.CutPrefix(bytes.TrimLeft(object[i+len(key):], " "), []byte{':'})
	if !found {
		return nil
	}
	return bytes.TrimLeft(rest, " ")
}

// hunk counts the lines of one place that changed.
func (c *change) hunk(p *jsonl.Parser) {
	for key := range p.Object() {
		if string(key) != "lines" {
			continue
		}
		for range p.Array() {
			switch line := p.Bytes(); {
			case bytes.HasPrefix(line, []byte{'+'}):
				c.added++
			case bytes.HasPrefix(line, []byte{'-'}):
				c.removed++
			}
		}
	}
}
