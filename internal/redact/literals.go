package redact

import (
	"strings"
	"sync"
)

// literals finds many literals in one pass and ignores the case of ASCII letters. A table of
// bits shows for each three bytes whether a literal begins with them; only then are literals
// compared.
type literals struct {
	class [256]uint8 // six bits for each byte, so that three of them index the tables
	bits  [1 << 12]uint64
	index []uint16 // number in lists for each three bytes
	lists [][]literal
}

// literal is a text in lower case, three bytes or more.
type literal struct {
	text string
	rule int
}

const classBits = 6

func newLiterals(rules []rule) *literals {
	l := &literals{index: make([]uint16, 1<<(3*classBits)), lists: make([][]literal, 1)}
	for i, r := range rules {
		for _, text := range r.literals {
			l.add(literal{text, i})
		}
	}
	return l
}

// vocabulary makes literals that belong to no rule, when they are first needed: most
// processes look for no secret.
func vocabulary(words string) func() *literals {
	return sync.OnceValue(func() *literals { return newLiterals([]rule{{literals: strings.Fields(words)}}) })
}

func (l *literals) add(word literal) {
	key := uint32(0)
	for _, c := range []byte(word.text[:3]) {
		if l.class[c] == 0 {
			l.classify(c)
		}
		key = key<<classBits | uint32(l.class[c])
	}
	if l.index[key] == 0 {
		l.index[key] = uint16(len(l.lists))
		l.lists = append(l.lists, nil)
		l.bits[key>>6] |= 1 << (key & 63)
	}
	list := &l.lists[l.index[key]]
	*list = append(*list, word)
}

// classify gives a byte a class. If there are more bytes than classes, some share a class,
// which costs an additional comparison.
func (l *literals) classify(c byte) {
	used := uint8(0)
	for _, n := range l.class {
		used = max(used, n)
	}
	class := used + 1
	if class == 1<<classBits {
		class = 1 + c%(1<<classBits-1)
	}
	l.class[c] = class
	if isLower(c) {
		l.class[c-'a'+'A'] = class
	}
}

// each calls give for every literal in a text, with its position.
func (l *literals) each(text string, give func(word literal, at int)) {
	key := uint32(0)
	for i := 0; i < len(text); i++ {
		key = (key<<classBits | uint32(l.class[text[i]])) & (1<<(3*classBits) - 1)
		if l.bits[key>>6]>>(key&63)&1 == 0 {
			continue
		}
		for _, word := range l.lists[l.index[key]] {
			if at := i - 2; at >= 0 && startsWith(text[at:], word.text) {
				give(word, at)
			}
		}
	}
}

// in reports whether one of the literals is in a text.
func (l *literals) in(text string) bool {
	found := false
	l.each(text, func(literal, int) { found = true })
	return found
}

// startsWith reports whether a text begins with a word in lower case.
func startsWith(text, word string) bool {
	return len(text) >= len(word) && fold(text[:len(word)], word)
}
