package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// An edit changes the text of a document at one place. The document has to be
// parsed again after it: all places behind have moved.

// style is how a document is written.
type style struct {
	newline string // between lines
	indent  string // of one level
	colon   string // between key and value
}

// style looks at how the first member is written. An object without any tells
// nothing, and gets what the client would write.
func (d *document) style() style {
	s := style{newline: "\n", indent: "  ", colon: ": "}
	if bytes.Contains(d.text, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	if len(d.root.kids) == 0 {
		return s
	}
	first := d.root.kids[0]
	if white := string(d.text[d.root.start+1 : first.start]); strings.Contains(white, "\n") {
		s.indent = white[strings.LastIndexByte(white, '\n')+1:]
	}
	keyEnd := d.quoted(first.start)
	if between := string(d.text[keyEnd:first.node.start]); !strings.Contains(between, "\n") {
		s.colon = between
	}
	return s
}

// lineIndent is the white space at the start of the line at lies in.
func (d *document) lineIndent(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// insert adds an element at the end of a container, written as its neighbours
// are. Key is for objects.
func (d *document) insert(n *node, key string, v any) []byte {
	s := d.style()
	at := n.start + 1
	before, after := "", ""
	if last := len(n.kids) - 1; last >= 0 {
		from := n.start + 1
		if last > 0 {
			from = d.space(n.kids[last-1].end) + 1 // behind the comma
		}
		before = string(d.text[from:n.kids[last].start])
		if last == 0 && before == "" && strings.HasSuffix(s.colon, " ") {
			before = " "
		}
		at = n.kids[last].end
	} else if n.start == d.root.start || d.isTall() {
		base := d.lineIndent(n.start)
		before = s.newline + base + s.indent
		if !bytes.Contains(d.text[at:n.end], []byte("\n")) {
			after = s.newline + base
		}
	}
	w := writer{style: s, tall: strings.Contains(before, "\n")}
	if w.tall {
		w.base = before[strings.LastIndexByte(before, '\n')+1:]
	}
	text := before + w.member(key, v, w.base) + after
	if len(n.kids) > 0 {
		text = "," + text
	}
	return slices.Concat(d.text[:at], []byte(text), d.text[at:])
}

// isTall reports whether the members stand on lines of their own.
func (d *document) isTall() bool {
	return len(d.root.kids) > 0 && bytes.Contains(d.text[d.root.start:d.root.kids[0].start], []byte("\n"))
}

// replace puts another value in the place of one.
func (d *document) replace(n *node, v any) []byte {
	return slices.Concat(d.text[:n.start], []byte(writer{}.value(v, "")), d.text[n.end:])
}

// cut is a piece of the text, and what stands there instead.
type cut struct {
	from, to int
	instead  []byte
}

// remove finds the cuts that take elements out of a container, each with its
// comma and the white space that came with it, so that removing undoes insert.
// Inside is what an emptied container holds.
func (d *document) remove(n *node, gone map[int]bool, inside []byte) []cut {
	last := len(n.kids) - 1
	for last >= 0 && gone[last] {
		last--
	}
	if last < 0 {
		return []cut{{n.start + 1, n.end - 1, inside}}
	}
	var cuts []cut
	for i := range last {
		if gone[i] {
			cuts = append(cuts, cut{n.kids[i].start, n.kids[i+1].start, nil})
		}
	}
	if end := len(n.kids) - 1; last < end {
		cuts = append(cuts, cut{n.kids[last].end, n.kids[end].end, nil})
	}
	return cuts
}

// apply makes cuts that do not overlap.
func (d *document) apply(cuts []cut) []byte {
	slices.SortFunc(cuts, func(a, b cut) int { return a.from - b.from })
	var text []byte
	at := 0
	for _, c := range cuts {
		text = append(append(text, d.text[at:c.from]...), c.instead...)
		at = c.to
	}
	return append(text, d.text[at:]...)
}

// object is a value with its keys in order.
type object []pair

type pair struct {
	key   string
	value any
}

// list is a list of values.
type list []any

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
	return scalar(key) + w.colon + w.value(v, base)
}

func (w writer) value(v any, base string) string {
	var parts []string
	inner := base + w.indent
	ends := "{}"
	switch v := v.(type) {
	case object:
		for _, p := range v {
			parts = append(parts, w.member(p.key, p.value, inner))
		}
	case list:
		ends = "[]"
		for _, e := range v {
			parts = append(parts, w.value(e, inner))
		}
	default:
		return scalar(v)
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

// scalar writes a string, number or truth value as the client would.
func scalar(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings, numbers and truth values always can be
	return strings.TrimSuffix(b.String(), "\n")
}
