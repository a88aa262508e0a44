// Package jsonedit changes values in JSON texts, and leaves every other byte as it was.
//
// The client's files are also written by people and kept in version control. A decoder and
// an encoder would reorder and reformat them. Parse reads a text, the methods of Document
// make Edits of it, and Apply returns the new text, which has to be parsed again before
// it is edited further: what is behind an edit has moved.
//
// Offsets come from a text that encoding/json found valid, and strings are decoded and
// encoded by encoding/json.
package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Document is a JSON text and where its values are in it.
type Document struct {
	Root *Node
	text []byte
}

// Node is a value of a Document. The methods of a nil Node answer as for a value that is
// neither an object nor a list and has no text.
type Node struct {
	kind       byte // how it starts: { [ " or anything else
	start, end int  // text[start:end]
	items      []Item
}

// Item is what an object or a list holds: a value, and in an object the key before it.
type Item struct {
	Key   string
	Value *Node

	start  int // of the key, in a list of the value
	keyEnd int // in an object
}

// byteOrderMark is what some editors on Windows write before a text.
var byteOrderMark = []byte("\ufeff")

// Parse reads a JSON text. An error says where the text is wrong.
func Parse(text []byte) (*Document, error) { return parseAt(text, 0) }

// ParseObject reads the text of a file that holds a JSON object, which may begin with a
// byte order mark. An error says where the text is wrong.
func ParseObject(text []byte) (*Document, error) {
	mark := 0
	if bytes.HasPrefix(text, byteOrderMark) {
		mark = len(byteOrderMark)
	}
	d, err := parseAt(text, mark)
	if err != nil {
		return nil, err
	}
	if !d.Root.IsObject() {
		return nil, fmt.Errorf("not a JSON object, at %s; fix it first", d.Position(d.Root))
	}
	return d, nil
}

// parseAt reads the value that starts at an offset or behind white space there.
func parseAt(text []byte, at int) (*Document, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(text[at:], &whole); err != nil {
		return nil, syntaxError(text, at, err)
	}
	d := &Document{text: text}
	d.Root = d.value(d.space(at))
	return d, nil
}

func syntaxError(text []byte, mark int, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := mark + max(0, int(syntax.Offset)-1)
	wrong := "it ends too soon"
	if !strings.Contains(syntax.Error(), "end of JSON") {
		r, _ := utf8.DecodeRune(text[at:])
		wrong = fmt.Sprintf("%q is not expected there", r)
		if r == '/' {
			wrong += ", as JSON has no comments"
		}
	}
	return fmt.Errorf("not valid JSON at %s: %s; fix it first", position(text, at), wrong)
}

// position formats an offset for people: line and column.
func position(text []byte, offset int) string {
	before := text[:min(offset, len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
	return fmt.Sprintf("%d:%d", line, column)
}

// The text is known to be valid JSON, so the rest only looks for ends.

// space is the first place from at on that is no white space.
func (d *Document) space(at int) int {
	for at < len(d.text) && strings.IndexByte(" \t\r\n", d.text[at]) >= 0 {
		at++
	}
	return at
}

func (d *Document) value(at int) *Node {
	n := &Node{kind: d.text[at], start: at}
	switch n.kind {
	case '{', '[':
		d.container(n)
	case '"':
		n.end = d.quoted(at)
	default:
		n.end = at
		for n.end < len(d.text) && strings.IndexByte(" \t\r\n,]}", d.text[n.end]) < 0 {
			n.end++
		}
	}
	return n
}

func (d *Document) container(n *Node) {
	for at := d.space(n.start + 1); ; at = d.space(at) {
		switch d.text[at] {
		case '}', ']':
			n.end = at + 1
			return
		case ',':
			at++
			continue
		}
		item := Item{start: at}
		if n.kind == '{' {
			item.keyEnd = d.quoted(at)
			item.Key = unquote(d.text[at:item.keyEnd])
			at = d.space(d.space(item.keyEnd) + 1) // over the colon
		}
		item.Value = d.value(at)
		n.items = append(n.items, item)
		at = item.Value.end
	}
}

// quoted is the end of the string that starts at at.
func (d *Document) quoted(at int) int {
	for at++; d.text[at] != '"'; at++ {
		if d.text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

func unquote(text []byte) string {
	var s string
	_ = json.Unmarshal(text, &s) // valid, as the whole is
	return s
}
