package jsonl

import (
	"fmt"
	"iter"
)

// Kind is what sort of JSON value comes next.
type Kind uint8

// Invalid is the kind where no value starts.
const (
	Invalid Kind = iota
	Object
	Array
	String
	Number
	True
	False
	Null
)

// maxDepth is how deep encoding/json lets values nest.
const maxDepth = 10000

// Parser reads one JSON value from front to back, checking all of it.
//
// The caller reads the next value as the type it should have. A value of another
// type is skipped, and the result is the zero of that type, so a format that drifts
// costs a field and not the line. In the body of a range over Object or Array there
// is one value to read; the Parser skips it if the body does not, and reading twice
// returns zeros.
//
// The first error ends everything: from then on there are only zeros, iterators
// stop, and Err and End return it. The zero Parser has nothing to read.
type Parser struct {
	b       []byte
	i       int    // of the next value if !claimed
	claimed bool   // there is no value to read here
	depth   int    // objects and arrays being ranged over
	why     string // what went wrong
	at      int    // and where

	scratch []byte   // unescaped bytes of the last string
	spill   []uint64 // see walk
}

// Reset makes p read b. What earlier calls returned stays valid only if it aliases
// the earlier input.
func (p *Parser) Reset(b []byte) {
	*p = Parser{b: b, i: space(b, 0), scratch: p.scratch, spill: p.spill[:0]}
	if cap(p.scratch) > keepSize {
		p.scratch = nil
	}
}

// Err returns the first error.
func (p *Parser) Err() error {
	if p.why == "" {
		return nil
	}
	return &syntaxError{p.why, p.at}
}

// End reads to the end of the input, where only white space may follow the value,
// and returns the first error.
func (p *Parser) End() error {
	p.Skip()
	if p.why == "" {
		if i := space(p.b, p.i); i < len(p.b) {
			p.fail("more after the value", i)
		}
	}
	return p.Err()
}

// Kind returns the kind of the next value without reading it.
func (p *Parser) Kind() Kind {
	if p.claimed || p.i >= len(p.b) {
		return Invalid
	}
	return kinds[p.b[p.i]]
}

var kinds = [256]Kind{
	'{': Object, '[': Array, '"': String, 't': True, 'f': False, 'n': Null,
	'-': Number, '0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Object ranges over the keys of the next value, unescaped and in their order,
// duplicates included; the body may read the value of the key. If the body breaks,
// the rest of the object is skipped. A key without escapes aliases the input.
func (p *Parser) Object() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { p.object(yield) }
}

// Array ranges over the elements of the next value as Object does over keys.
func (p *Parser) Array() iter.Seq[int] {
	return func(yield func(int) bool) { p.array(yield) }
}

func (p *Parser) object(yield func([]byte) bool) {
	if p.Kind() != Object {
		p.Skip()
		return
	}
	if !p.enter() {
		return
	}
	if p.closes('}') {
		return
	}
	for {
		key, ok := p.key()
		if !ok {
			return
		}
		more := yield(key)
		p.Skip()
		if p.why != "" {
			return
		}
		if !more {
			p.leave(1)
			return
		}
		if !p.comma('}') {
			return
		}
	}
}

func (p *Parser) array(yield func(int) bool) {
	if p.Kind() != Array {
		p.Skip()
		return
	}
	if !p.enter() {
		return
	}
	if p.closes(']') {
		return
	}
	for n := 0; ; n++ {
		p.claimed = false
		more := yield(n)
		p.Skip()
		if p.why != "" {
			return
		}
		if !more {
			p.leave(0)
			return
		}
		if !p.comma(']') {
			return
		}
	}
}

// enter skips the opening bracket.
func (p *Parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested too deep", p.i)
		return false
	}
	p.i = space(p.b, p.i+1)
	p.claimed = true
	return true
}

// closes skips the closing bracket, if that is next, and reports whether it was.
func (p *Parser) closes(bracket byte) bool {
	if p.i >= len(p.b) || p.b[p.i] != bracket {
		return false
	}
	p.i++
	p.depth--
	return true
}

// comma skips what follows a member, and reports whether it is a comma.
func (p *Parser) comma(bracket byte) bool {
	p.i = space(p.b, p.i)
	if p.closes(bracket) {
		return false
	}
	if p.i >= len(p.b) || p.b[p.i] != ',' {
		p.unexpected(p.i)
		return false
	}
	p.i = space(p.b, p.i+1)
	return true
}

// leave skips the rest of the object (kind 1) or array (kind 0) being ranged over.
func (p *Parser) leave(kind uint64) {
	i, open, kinds := p.afterValue(p.i, 1, kind)
	if open > 0 {
		i = p.walk(i, open, kinds)
	}
	p.i = i
	p.depth--
}

// key reads a key and its colon and makes the value the next one.
func (p *Parser) key() ([]byte, bool) {
	if p.i >= len(p.b) || p.b[p.i] != '"' {
		p.unexpected(p.i)
		return nil, false
	}
	start := p.i + 1
	end, seen := p.scan(start)
	if end < 0 {
		return nil, false
	}
	i := p.colon(end + 1)
	if i < 0 {
		return nil, false
	}
	p.i = i
	p.claimed = false
	key := p.b[start:end:end]
	if !literal(key, seen) {
		// Not in scratch: the body may want the key and its value together.
		key = decode(nil, key, seen)
	}
	return key, true
}

// colon skips the colon after a key that ends at i.
func (p *Parser) colon(i int) int {
	i = space(p.b, i)
	if i >= len(p.b) || p.b[i] != ':' {
		return p.unexpected(i)
	}
	return space(p.b, i+1)
}

// claim claims the next value if it is of the given kind.
func (p *Parser) claim(k Kind) bool {
	if p.Kind() != k {
		p.Skip()
		return false
	}
	p.claimed = true
	return true
}

// Bytes returns the next value if it is a string, else nil. A string without
// escapes aliases the input; any other is valid until the next call.
func (p *Parser) Bytes() []byte {
	if !p.claim(String) {
		return nil
	}
	start := p.i + 1
	end, seen := p.scan(start)
	if end < 0 {
		return nil
	}
	p.i = end + 1
	s := p.b[start:end:end]
	if !literal(s, seen) {
		p.scratch = decode(p.scratch, s, seen)
		s = p.scratch
	}
	return s
}

// Text returns the next value if it is a string, else "".
func (p *Parser) Text() string { return string(p.Bytes()) }

// Raw returns the bytes of the next value, whatever its kind. They alias the
// input.
func (p *Parser) Raw() []byte {
	start := p.i
	if p.claimed {
		return nil
	}
	p.Skip()
	if p.why != "" {
		return nil
	}
	return p.b[start:p.i:p.i]
}

// At returns where the next value starts in the input, for callers that edit it.
func (p *Parser) At() int { return p.i }

// Bool reports whether the next value is true.
func (p *Parser) Bool() bool {
	is := p.Kind() == True
	p.Skip()
	return is && p.why == ""
}

// Skip skips the next value.
func (p *Parser) Skip() {
	if p.claimed {
		return
	}
	p.claimed = true
	p.i = p.value(p.i)
}

// fail keeps the first error and ends the reading. It returns -1, the index
// that stands for an error.
func (p *Parser) fail(why string, at int) int {
	if p.why == "" {
		p.why, p.at = why, at
	}
	p.claimed = true
	return -1
}

// unexpected fails at a byte that is not allowed there, or at the end of input.
func (p *Parser) unexpected(at int) int {
	if at >= len(p.b) {
		return p.fail("unexpected end", len(p.b))
	}
	return p.fail("unexpected character", at)
}

type syntaxError struct {
	why string
	at  int
}

func (e *syntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.why, e.at) }
