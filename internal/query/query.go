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
	Hints   []Hint // what looked suspicious to Parse; not part of the meaning
}

// Clause holds if one of its atoms is found; with Not, if none is. Parse puts a
// single atom into a negated clause.
type Clause struct {
	Any []Atom
	Not bool
}

// Atom is one text to search for.
type Atom struct {
	Kind Kind
	Text string // without quotes or slashes
}

// Kind says how an atom is written.
type Kind int

const (
	Word   Kind = iota // without quotes
	Phrase             // needs quotes, or was written with them
	Regexp             // RE2 syntax; case is ignored, ^ and $ are line ends
)

// Filter is a condition on the session, or on the position in it.
type Filter struct {
	Key Key
	Not bool

	// Values are alternatives. Words from a fixed list are as in KeyInfo.Values; a
	// size or a time is the one text that was written, so that a stored query with
	// after:2d stays relative.
	Values []string

	From, To time.Time // After, Before: From is included, To is not; zero: open
	Min, Max int64     // of a key with a range: both included
}

// Filter returns the first filter on a key.
func (q Q) Filter(key Key) (Filter, bool) {
	i := slices.IndexFunc(q.Filters, func(f Filter) bool { return f.Key == key })
	if i < 0 {
		return Filter{}, false
	}
	return q.Filters[i], true
}

// Empty reports whether the query matches everything.
func (q Q) Empty() bool { return len(q.Text) == 0 && len(q.Filters) == 0 }

// Equal reports whether two queries mean the same and print the same. It ignores
// hints.
func (q Q) Equal(p Q) bool {
	return slices.EqualFunc(q.Text, p.Text, func(a, b Clause) bool {
		return a.Not == b.Not && slices.Equal(a.Any, b.Any)
	}) && slices.EqualFunc(q.Filters, p.Filters, Filter.equal)
}

func (f Filter) equal(g Filter) bool {
	return f.Key == g.Key && f.Not == g.Not && slices.Equal(f.Values, g.Values) &&
		f.From.Equal(g.From) && f.To.Equal(g.To) && f.Min == g.Min && f.Max == g.Max
}

// String returns the query as Parse reads it: text first, then filters.
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

// plain reports whether a text is parsed as this one word wherever it occurs. A text
// with a leading slash is not plain: what follows could end it as a regular
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

// written returns the values after the key; for a filter that was not parsed it
// formats them.
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

// bare reports whether a value needs no quotes.
func bare(v string) bool {
	return v != "" && v[0] != '"' && !textAfterColon(v) && !strings.ContainsRune(v, ',') &&
		!strings.ContainsFunc(v, unicode.IsSpace)
}
