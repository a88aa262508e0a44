package folder

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// wordsOf yields the words of a text in lower case: runs of 2 to 40 letters and digits.
func wordsOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			if len(word) >= 2 && len(word) <= 40 && !yield(word) {
				return
			}
		}
	}
}

// String returns the words in order, with blanks between.
func (c collector) String() string { return strings.Join(slices.Sorted(maps.Keys(c)), " ") }
