// Package redact finds secrets in text and puts marks in their place.
//
// [New] compiles the rules: those of this package, one family of secrets each, and what a
// user wants hidden besides. [Rules.Find] says where secrets lie. A [Document] replaces them
// in all texts of one document: each by a mark such as [github-token:2], which names the
// family and numbers the secrets of that family in the order in which they appear. The same
// secret has the same mark in the whole document, and a mark says nothing about the value.
// Redacting what is redacted changes nothing.
//
// There are two kinds of rules. A structured family is recognized by its own form: a prefix
// and an alphabet, or a frame as that of a private key. A secret of another family is
// recognized by what stands before it: a name such as DB_PASSWORD, a header, the user of a
// URL. Where both find something at the same position, the structured family wins.
//
// Every rule waits behind literals that its secrets cannot lack. One automaton looks for all
// literals in one pass, so that text without secrets costs little more than reading it.
//
// Texts are decoded values: what a JSON string means, not how it is written. Text can again
// hold JSON, or source code, so rules also accept secrets after escapes such as \n and
// between escaped quotes.
//
// This is best effort. A password that looks like any other word, in a sentence that does
// not call it one, stays.
package redact

import (
	"cmp"
	"slices"
	"sync"
)

const (
	// maxSecret is how long a secret can be. A longer one, such as a private key with
	// very many lines, is found in pieces or not at all.
	maxSecret = 16 << 10
	// maxContext is how far before a secret a rule looks.
	maxContext = 1 << 10
)

// Secret is where a secret lies in a text.
type Secret struct {
	Family string
	Start  int // of its first byte
	End    int // after its last byte
}

// Rules find secrets. They can be used by several goroutines at once.
type Rules struct {
	rules    []rule
	literals *literals
	patterns []pattern
}

// rule finds the secrets of one family.
type rule struct {
	family string
	// context: the secret is recognized by what stands before it, and gives way to one
	// that is recognized by its form.
	context bool
	// literals are in lower case and have three bytes or more; a secret of the family has
	// one of them in or before it.
	literals []string
	// match returns where a secret lies that has the literal at text[at:end], or ok = false.
	match func(s *scan, at, end int) (from, to int, ok bool)
}

// scan is one pass over a text.
type scan struct {
	text string
	run  span // the last run of bytes of [plain]: names that share it need not find its end again
}

type span struct{ start, end int }

// found is a secret before overlaps are resolved.
type found struct {
	span
	rule *rule
}

// Families lists the families of the built-in rules.
func Families() []string {
	var list []string
	for _, r := range builtin() {
		if !slices.Contains(list, r.family) {
			list = append(list, r.family)
		}
	}
	slices.Sort(list)
	return list
}

// Structured reports whether the secrets of a built-in family are recognized by their own form.
func Structured(family string) bool {
	return slices.ContainsFunc(builtin(), func(r rule) bool { return r.family == family && !r.context })
}

// Find returns the secrets of a text, in order. They do not overlap.
func (r *Rules) Find(text string) []Secret {
	return r.find(text, 0, nil)
}

// find appends the secrets that begin at or after from; the text before from is only context.
func (r *Rules) find(text string, from int, list []Secret) []Secret {
	s := &scan{text: text}
	var formed, framed []found
	r.literals.each(text, func(word literal, at int) {
		rule := &r.rules[word.rule]
		start, stop, ok := rule.match(s, at, at+len(word.text))
		switch {
		case !ok || start < from || stop <= start || stop-start > maxSecret:
		case rule.context:
			framed = append(framed, found{span{start, stop}, rule})
		default:
			formed = append(formed, found{span{start, stop}, rule})
		}
	})
	for i := range r.patterns {
		formed = r.patterns[i].each(text, from, formed)
	}
	return resolve(formed, framed, list)
}

// resolve appends the secrets without overlaps: the one that begins first stays, and one
// found by its form wins over one found by its context.
func resolve(formed, framed []found, list []Secret) []Secret {
	if len(formed)+len(framed) == 0 {
		return list
	}
	formed = apart(formed)
	framed = slices.DeleteFunc(framed, func(f found) bool {
		i, _ := slices.BinarySearchFunc(formed, f.start, func(g found, start int) int { return cmp.Compare(g.end, start+1) })
		return i < len(formed) && formed[i].start < f.end
	})
	all := append(formed, apart(framed)...)
	slices.SortFunc(all, byStart)
	for _, f := range all {
		list = append(list, Secret{Family: f.rule.family, Start: f.start, End: f.end})
	}
	return list
}

// apart drops each secret that overlaps the one before it.
func apart(list []found) []found {
	slices.SortStableFunc(list, byStart)
	end := 0
	return slices.DeleteFunc(list, func(f found) bool {
		if f.start < end {
			return true
		}
		end = f.end
		return false
	})
}

func byStart(a, b found) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
}

var plainRules = sync.OnceValue(func() *Rules {
	r, _ := New(Options{}) // only options can make it fail
	return r
})

// Text redacts a text that belongs to no document, such as a notification, by the built-in rules.
func Text(text string) string { return plainRules().Document().Text(text) }
