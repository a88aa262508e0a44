package view

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sesskeep/internal/jsonl"
)

// fields are the members of a JSON object. The client changes the types of fields
// between versions, so each is decoded on its own, and one of an unexpected type
// counts as missing.
type fields []member

// member is a name of an object and its value as it is written. Both may be part of the
// object's bytes.
type member struct{ name, value []byte }

// parsers are kept for the room in which they decode strings.
var parsers = sync.Pool{New: func() any { return new(jsonl.Parser) }}

// parse reads raw with a parser, which is not valid afterwards.
func parse(raw []byte, read func(p *jsonl.Parser)) {
	p := parsers.Get().(*jsonl.Parser)
	defer parsers.Put(p)
	p.Reset(raw)
	read(p)
	p.Reset(nil) // it must not keep the bytes
}

// object decodes raw as an object; anything else has no fields.
func object(raw []byte) (f fields) {
	if !startsWith(raw, '{') {
		return nil
	}
	f = make(fields, 0, 8)
	parse(raw, func(p *jsonl.Parser) {
		for name := range p.Object() {
			f = append(f, member{name, p.Raw()})
		}
		if p.End() != nil {
			f = nil
		}
	})
	return f
}

// fieldOf is object(raw).raw(name), without the other fields.
func fieldOf(raw []byte, name string) (value []byte) {
	parse(raw, func(p *jsonl.Parser) {
		for key := range p.Object() {
			if string(key) == name {
				value = p.Raw()
			}
		}
		if p.End() != nil {
			value = nil
		}
	})
	return value
}

func startsWith(raw []byte, c byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == c
}

// raw returns the value of a field as it is written, or nil. Of several with one name the
// last counts.
func (f fields) raw(name string) []byte {
	for _, m := range slices.Backward(f) {
		if string(m.name) == name {
			return m.value
		}
	}
	return nil
}

func (f fields) object(name string) fields { return object(f.raw(name)) }

func (f fields) text(name string) string { return stringOf(f.raw(name)) }

// stringOf decodes raw as a string; anything else is empty.
func stringOf(raw []byte) (s string) {
	if !startsWith(raw, '"') {
		return ""
	}
	parse(raw, func(p *jsonl.Parser) {
		if s = p.Text(); p.End() != nil {
			s = ""
		}
	})
	return s
}

func (f fields) number(name string) (float64, bool) { return numberOf(f.raw(name)) }

// numberOf decodes a number, also one written as a string.
func numberOf(raw []byte) (float64, bool) {
	if len(raw) == 0 {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	return n, err == nil && n >= 0 && n < 1<<53
}

func (f fields) count(name string) (int, bool) {
	n, ok := f.number(name)
	return int(n), ok
}

func (f fields) flag(name string) bool { return string(f.raw(name)) == "true" }

func (f fields) list(name string) (list [][]byte) {
	raw := f.raw(name)
	if !startsWith(raw, '[') {
		return nil
	}
	list = [][]byte{}
	parse(raw, func(p *jsonl.Parser) {
		for range p.Array() {
			list = append(list, p.Raw())
		}
		if p.End() != nil {
			list = nil
		}
	})
	return list
}

// first returns the first of the named fields that has text.
func (f fields) first(names ...string) string {
	for _, name := range names {
		if s := f.text(name); strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// firstString returns the first text among the members of an object, in the order
// they were written: the model writes what matters first.
func firstString(raw []byte) (first string) {
	parse(raw, func(p *jsonl.Parser) {
		for range p.Object() {
			if s := p.Text(); strings.TrimSpace(s) != "" {
				first = s
				break
			}
		}
	})
	return first
}

// firstLine returns the first line of s that is not blank.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

func lineCount(s string) int {
	s = strings.Trim(s, "\n")
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

// plural formats a count with its noun: 1 line, 3 lines, 2 matches.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ch") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// size formats a number of bytes in powers of 1000.
func size(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	amount, unit := float64(n)/1000, "kB"
	for _, next := range []string{"MB", "GB", "TB"} {
		if amount < 999.5 {
			break
		}
		amount, unit = amount/1000, next
	}
	if amount < 9.95 {
		return fmt.Sprintf("%.1f %s", amount, unit)
	}
	return fmt.Sprintf("%.0f %s", amount, unit)
}
