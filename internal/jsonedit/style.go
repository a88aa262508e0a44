package jsonedit

import (
	"bytes"
	"encoding/json"
	"strings"
)

// style is how a document is written.
type style struct {
	newline string // between lines
	indent  string // of one level
	colon   string // between key and value
}

// style finds how the first member is written. An empty object and a list show
// nothing, and get what the client would write.
func (d *Document) style() style {
	s := style{newline: "\n", indent: "  ", colon: ": "}
	if bytes.Contains(d.text, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	if !d.Root.IsObject() || len(d.Root.items) == 0 {
		return s
	}
	first := d.Root.items[0]
	if white := string(d.text[d.Root.start+1 : first.start]); strings.Contains(white, "\n") {
		s.indent = white[strings.LastIndexByte(white, '\n')+1:]
	}
	if between := string(d.text[first.keyEnd:first.Value.start]); !strings.Contains(between, "\n") {
		s.colon = between
	}
	return s
}

// lineIndent is the white space at the start of the line at lies in.
func (d *Document) lineIndent(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// isTall reports whether the members stand on lines of their own.
func (d *Document) isTall() bool {
	return len(d.Root.items) > 0 && bytes.Contains(d.text[d.Root.start:d.Root.items[0].start], []byte("\n"))
}

// Object is a value with its keys in order.
type Object []Pair

// Pair is a key of an Object and its value.
type Pair struct {
	Key   string
	Value any
}

// List is a list of values.
type List []any

// writer writes values: on lines of their own if tall, else in one.
type writer struct {
	style
	tall bool
	base string
}

func (w writer) member(key string, v any, base string) string {
	if key == "" {
		return w.value(v, base)
	}
	return string(Quote(key)) + w.colon + w.value(v, base)
}

func (w writer) value(v any, base string) string {
	var parts []string
	inner := base + w.indent
	ends := "{}"
	switch v := v.(type) {
	case Object:
		for _, p := range v {
			parts = append(parts, w.member(p.Key, p.Value, inner))
		}
	case List:
		ends = "[]"
		for _, e := range v {
			parts = append(parts, w.value(e, inner))
		}
	default:
		return string(scalar(v))
	}
	if !w.tall || len(parts) == 0 {
		gap := ""
		if strings.HasSuffix(w.colon, " ") {
			gap = " "
		}
		return ends[:1] + strings.Join(parts, ","+gap) + ends[1:]
	}
	line := w.newline + inner
	return ends[:1] + line + strings.Join(parts, ","+line) + w.newline + base + ends[1:]
}

// Quote writes a string as the client would.
func Quote(text string) []byte { return scalar(text) }

// scalar writes a string, number or truth value as the client would.
func scalar(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings, numbers and truth values always can be
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
