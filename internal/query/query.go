package query

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Q is a query: every clause and every filter must hold. The zero Q matches
// everything.
type Q struct {
	Text    []Clause
	Filters []Filter
	Hints   []Hint // what Parse found odd; no part of what the query means
}

// Clause holds if one of its atoms is found; with Not, if none is. Parse gives
// a negated clause a single atom.
type Clause struct {
	Any []Atom
	Not bool
}

// Atom is one text to look for.
type Atom struct {
	Kind Kind
	Text string // without quotes or slashes
}

// Kind tells how an atom is written.
type Kind int

const (
	Word   Kind = iota // stands as it is
	Phrase             // needs quotes, or was given some
	Regexp             // RE2 syntax; case is ignored, ^ and $ are line ends
)

// Filter is a condition on the session, or on the place in it.
type Filter struct {
	Key Key
	Not bool

	// Values are any-of. Words out of a fixed list are as in KeyInfo.Values;
	// of a size or a time it is the one text that was written, so that a kept
	// query with after:2d stays relative.
	Values []string

	From, To time.Time // After, Before: From is included, To is not; zero: open
	Min, Max int64     // of a key with a range: both included
}

// Filter finds the first filter on a key.
func (q Q) Filter(key Key) (Filter, bool) {
	i := slices.IndexFunc(q.Filters, func(f Filter) bool { return f.Key == key })
	if i < 0 {
		return Filter{}, false
	}
	return q.Filters[i], true
}

// Empty tells that the query matches everything.
func (q Q) Empty() bool { return len(q.Text) == 0 && len(q.Filters) == 0 }

// Equal tells that two queries mean the same and print the same. Hints do not
// count.
func (q Q) Equal(p Q) bool {
	return slices.EqualFunc(q.Text, p.Text, func(a, b Clause) bool {
		return a.Not == b.Not && slices.Equal(a.Any, b.Any)
	}) && slices.EqualFunc(q.Filters, p.Filters, Filter.equal)
}

func (f Filter) equal(g Filter) bool {
	return f.Key == g.Key && f.Not == g.Not && slices.Equal(f.Values, g.Values) &&
		f.From.Equal(g.From) && f.To.Equal(g.To) && f.Min == g.Min && f.Max == g.Max
}

// String is the query as Parse reads it: text first, then filters.
func (q Q) String() string {
	var parts []string
	for _, c := range q.Text {
		parts = append(parts, c.String())
	}
	for _, f := range q.Filters {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, " ")
}

func (c Clause) String() string {
	parts := make([]string, len(c.Any))
	for i, a := range c.Any {
		parts[i] = a.String()
	}
	if c.Not { // none of them: each one not
		return "-" + strings.Join(parts, " -")
	}
	return strings.Join(parts, " OR ")
}

func (a Atom) String() string {
	switch {
	case a.Kind == Regexp:
		return "/" + escapeSlash(a.Text) + "/"
	case a.Kind == Word && plain(a.Text):
		return a.Text
	}
	return quote(a.Text)
}

// plain tells that a text is read as this one word wherever it stands. A text
// with a slash in front is not plain: what follows could end it as a regular
// expression.
func plain(s string) bool {
	return s != "" && s != "OR" && !strings.ContainsAny(s[:1], `"-/`) &&
		!strings.ContainsFunc(s, unicode.IsSpace) && keyLen(s) == 0
}

func (f Filter) String() string {
	var b strings.Builder
	if f.Not {
		b.WriteByte('-')
	}
	b.WriteString(string(f.Key))
	for i, v := range f.written() {
		b.WriteByte(":,"[min(i, 1)])
		if bare(v) {
			b.WriteString(v)
		} else {
			b.WriteString(quote(v))
		}
	}
	return b.String()
}

// written is what stands behind the key, made up for a filter that was not
// parsed.
func (f Filter) written() []string {
	switch {
	case len(f.Values) > 0:
		return f.Values
	case f.Key == After:
		return []string{f.From.Format(time.RFC3339Nano)}
	case f.Key == Before:
		return []string{f.To.Format(time.RFC3339Nano)}
	case f.Max == math.MaxInt64:
		return []string{fmt.Sprintf(">=%d", f.Min)}
	case f.Key == Size, f.Max > 0:
		return []string{fmt.Sprintf("%d..%d", f.Min, f.Max)}
	}
	return []string{""}
}

// bare tells that a value needs no quotes.
func bare(v string) bool {
	return v != "" && v[0] != '"' && !textAfterColon(v) && !strings.ContainsRune(v, ',') &&
		!strings.ContainsFunc(v, unicode.IsSpace)
}
