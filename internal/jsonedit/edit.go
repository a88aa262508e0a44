package jsonedit

import (
	"bytes"
	"slices"
	"strings"
)

// Edit is a piece of a Document's text, and what replaces it.
type Edit struct {
	from, to int
	with     []byte
}

// Apply returns the text with edits, which do not overlap. Every other byte is as it was.
func (d *Document) Apply(edits ...Edit) []byte {
	var text []byte
	at := 0
	for _, e := range slices.SortedFunc(slices.Values(edits), func(a, b Edit) int { return a.from - b.from }) {
		text = append(append(text, d.text[at:e.from]...), e.with...)
		at = e.to
	}
	return append(text, d.text[at:]...)
}

// Replace puts a string, number or truth value in the place of a value.
func (d *Document) Replace(n *Node, v any) Edit { return Edit{n.start, n.end, scalar(v)} }

// Rename gives an item of an object another key.
func (d *Document) Rename(i Item, key string) Edit { return Edit{i.start, i.keyEnd, Quote(key)} }

// Insert adds an element at the end of a container, written as its neighbours are. Key is
// for objects.
func (d *Document) Insert(n *Node, key string, v any) Edit {
	s := d.style()
	at := n.start + 1
	before, after := "", ""
	if last := len(n.items) - 1; last >= 0 {
		from := n.start + 1
		if last > 0 {
			from = d.space(n.items[last-1].Value.end) + 1 // behind the comma
		}
		before = string(d.text[from:n.items[last].start])
		if last == 0 && before == "" && strings.HasSuffix(s.colon, " ") {
			before = " "
		}
		at = n.items[last].Value.end
	} else if n == d.Root || d.isTall() {
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
	if len(n.items) > 0 {
		text = "," + text
	}
	return Edit{at, at, []byte(text)}
}

// Remove takes the elements at some places out of a container, each with its comma and the
// white space that came with it, so that removing undoes Insert. Inside is what an emptied
// container holds.
func (d *Document) Remove(n *Node, gone map[int]bool, inside []byte) []Edit {
	last := len(n.items) - 1
	for last >= 0 && gone[last] {
		last--
	}
	if last < 0 {
		return []Edit{{n.start + 1, n.end - 1, inside}}
	}
	var edits []Edit
	for i := range last {
		if gone[i] {
			edits = append(edits, Edit{n.items[i].start, n.items[i+1].start, nil})
		}
	}
	if end := len(n.items) - 1; last < end {
		edits = append(edits, Edit{n.items[last].Value.end, n.items[end].Value.end, nil})
	}
	return edits
}
