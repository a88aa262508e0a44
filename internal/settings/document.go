package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// document is a JSON text and where its values stand in it.
type document struct {
	text []byte
	root node
}

// node is a value: text[start:end].
type node struct {
	kind       byte // how it starts: { [ " or anything else
	start, end int
	kids       []kid
}

// kid is what a container holds: a value, and in an object the key before it,
// with which it starts.
type kid struct {
	key   string
	start int
	node
}

// byteOrderMark is what some editors on Windows write before a text.
var byteOrderMark = []byte("\ufeff")

// parse reads a JSON object. An error says where the text is wrong.
func parse(text []byte) (*document, error) {
	mark := 0
	if bytes.HasPrefix(text, byteOrderMark) {
		mark = len(byteOrderMark)
	}
	var whole json.RawMessage
	if err := json.Unmarshal(text[mark:], &whole); err != nil {
		return nil, syntaxError(text, mark, err)
	}
	d := &document{text: text}
	d.root = d.value(d.space(mark))
	if d.root.kind != '{' {
		return nil, fmt.Errorf("not a JSON object, at %s; fix it first", place(text, d.root.start))
	}
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
	return fmt.Errorf("not valid JSON at %s: %s; fix it first", place(text, at), wrong)
}

// blank reports whether a text says nothing, or is none.
func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// place tells people where an offset is: line and column.
func place(text []byte, offset int) string {
	before := text[:min(offset, len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
	return fmt.Sprintf("%d:%d", line, column)
}

// The text is known to be valid JSON, so the rest only looks for ends.

// space is the first place from at on that is no white space.
func (d *document) space(at int) int {
	for at < len(d.text) && strings.IndexByte(" \t\r\n", d.text[at]) >= 0 {
		at++
	}
	return at
}

func (d *document) value(at int) node {
	n := node{kind: d.text[at], start: at}
	switch n.kind {
	case '{', '[':
		d.container(&n)
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

func (d *document) container(n *node) {
	for at := d.space(n.start + 1); ; at = d.space(at) {
		switch d.text[at] {
		case '}', ']':
			n.end = at + 1
			return
		case ',':
			at++
			continue
		}
		k := kid{start: at}
		if n.kind == '{' {
			end := d.quoted(at)
			k.key = unquote(d.text[at:end])
			at = d.space(d.space(end) + 1) // over the colon
		}
		k.node = d.value(at)
		n.kids = append(n.kids, k)
		at = k.end
	}
}

// quoted is the end of the string that starts at at.
func (d *document) quoted(at int) int {
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

// member finds a key of an object. Of several the last counts, as it does for
// the client.
func (n *node) member(key string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i := len(n.kids) - 1; i >= 0; i-- {
		if n.kids[i].key == key {
			return &n.kids[i].node
		}
	}
	return nil
}

// string is the text of a string value, else "".
func (d *document) string(n *node) string {
	if n == nil || n.kind != '"' {
		return ""
	}
	return unquote(d.text[n.start:n.end])
}

// isTrue reports whether a key of the whole document says true.
func (d *document) isTrue(key string) bool {
	n := d.root.member(key)
	return n != nil && string(d.text[n.start:n.end]) == "true"
}
