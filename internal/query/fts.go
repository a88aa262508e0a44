package query

import (
	"strings"
	"unicode"
)

// FTS is the text of the query as an FTS5 MATCH expression for the unicode61
// tokenizer. It is false if there is none: the query has no text, or only
// negated text, or a text that words of an index cannot answer, namely a
// regular expression, signs without a letter or digit, or a script written
// without blanks.
//
// An index of words is coarser than a Matcher, on both sides. It finds whole
// words only: "parse" is not in "parser", "half" not in "halfLine". And it
// finds words where the text between them differs: parser.go is the word
// parser followed by the word go. Where every hit counts the exact tier has to
// be asked too; where a negated text must not show, hits have to be confirmed
// by Matcher.Line.
func (q Q) FTS() (string, bool) {
	var with, without []string
	for _, c := range q.Text {
		s, ok := c.fts()
		if !ok {
			return "", false
		}
		if c.Not {
			without = append(without, s)
		} else {
			with = append(with, s)
		}
	}
	if len(with) == 0 {
		return "", false
	}
	expr := strings.Join(with, " AND ")
	if len(without) == 0 {
		return expr, true
	}
	// NOT binds tighter than AND and is a binary operator.
	return "(" + expr + ") NOT (" + strings.Join(without, " OR ") + ")", true
}

func (c Clause) fts() (string, bool) {
	var parts []string
	for _, a := range c.Any {
		if a.Kind == Regexp || !indexed(a.Text) {
			return "", false
		}
		parts = append(parts, `"`+strings.ReplaceAll(a.Text, `"`, `""`)+`"`)
	}
	switch len(parts) {
	case 0:
		return "", false
	case 1:
		return parts[0], true
	}
	return "(" + strings.Join(parts, " OR ") + ")", true
}

// indexed tells that a text has a word the tokenizer keeps. A zero byte would
// end the expression.
func indexed(s string) bool {
	word := false
	for _, r := range s {
		if r == 0 || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			return false
		}
		word = word || unicode.IsLetter(r) || unicode.IsNumber(r)
	}
	return word
}
