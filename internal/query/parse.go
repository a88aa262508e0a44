package query

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"time"
	"unicode/utf8"
)

// The maximum cost of a query; see the package documentation.
const (
	MaxBytes   = 4096
	MaxTerms   = 64
	MaxProgram = 10000
)

// Parse parses a query. Times are relative to now and in its time zone. An
// error is always an [*Error].
func Parse(text string, now time.Time) (Q, error) {
	p := parser{text: text, now: now}
	if err := p.limits(); err != nil {
		return Q{}, err
	}
	terms := scan(text)
	if len(terms) > MaxTerms {
		t := terms[MaxTerms]
		return Q{}, p.fail(t.pos, t.end, fmt.Sprintf("more than %d terms", MaxTerms), "use a regular expression for long lists")
	}
	for i := 0; i < len(terms); {
		n, err := p.clause(terms[i:])
		if err != nil {
			return Q{}, err
		}
		i += n
	}
	// Quotes and escapes can make a query longer when it prints itself.
	if len(p.q.String()) > MaxBytes {
		return Q{}, p.fail(0, len(text), tooLong, "")
	}
	return p.q, nil
}

var tooLong = fmt.Sprintf("longer than %d bytes", MaxBytes)

type parser struct {
	text string
	now  time.Time
	q    Q
}

func (p *parser) fail(pos, end int, message, hint string) *Error {
	return &Error{p.text, pos, end - pos, message, hint}
}

func (p *parser) limits() error {
	if len(p.text) > MaxBytes {
		cut := MaxBytes
		for !utf8.RuneStart(p.text[cut]) {
			cut--
		}
		return p.fail(cut, len(p.text), tooLong, "")
	}
	for i, r := range p.text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(p.text[i:]); size == 1 {
				return p.fail(i, i+1, "not UTF-8", "")
			}
		}
	}
	return nil
}

// clause parses the filter, or the texts joined by OR, at the start of terms.
// It returns how many terms it used.
func (p *parser) clause(terms []term) (int, error) {
	t := terms[0]
	switch t.kind {
	case orTerm:
		return 0, p.fail(t.pos, t.end, "nothing before OR", `write "OR" to search for the word`)
	case keyTerm:
		return 1, p.filter(t)
	}
	c := Clause{Not: t.not}
	n := 0
	for {
		a, err := p.atom(terms[n])
		if err != nil {
			return 0, err
		}
		c.Any = append(c.Any, a)
		n++
		if n == len(terms) || terms[n].kind != orTerm {
			p.q.Text = append(p.q.Text, c)
			return n, nil
		}
		if err := p.join(terms, n); err != nil {
			return 0, err
		}
		n++
	}
}

// join checks that the OR at terms[n] stands between two texts.
func (p *parser) join(terms []term, n int) error {
	or := terms[n]
	if n+1 == len(terms) || terms[n+1].kind == orTerm {
		return p.fail(or.pos, or.end, "nothing after OR", `write "OR" to search for the word`)
	}
	const negated = "a text with - in front cannot be part of OR"
	before, after := terms[n-1], terms[n+1]
	switch {
	case before.not:
		return p.fail(before.pos, before.end, negated, "")
	case after.kind == keyTerm:
		return p.fail(after.pos, after.end, "OR joins texts, not filters", "list the values with commas: "+strings.ToLower(after.key)+":a,b")
	case after.not:
		return p.fail(after.pos, after.end, negated, "")
	}
	return nil
}

func (p *parser) atom(t term) (Atom, error) {
	switch t.kind {
	case phraseTerm:
		if t.open {
			start := strings.IndexByte(p.text[t.pos:], '"') + t.pos
			return Atom{}, p.fail(start, start+1, "this quote is never closed", `write \" for a quote inside quotes`)
		}
		if t.text == "" {
			return Atom{}, p.fail(t.pos, t.end, "nothing between the quotes", "")
		}
		return Atom{Phrase, t.text}, nil
	case regexpTerm:
		return Atom{Regexp, t.text}, p.checkRegexp(t)
	}
	p.hint(t)
	if !plain(t.text) {
		return Atom{Phrase, t.text}, nil
	}
	return Atom{Word, t.text}, nil
}

// hint adds a hint for a word that looks like a filter with a misspelt key.
func (p *parser) hint(t term) {
	n := nameLen(t.text)
	name, rest := t.text[:n], t.text[n:]
	if len(rest) < 2 || rest[0] != ':' || textAfterColon(rest[1:]) {
		return
	}
	if key, ok := nearKey(name); ok {
		p.q.Hints = append(p.q.Hints, Hint{t.end - len(t.text), n + 1,
			fmt.Sprintf("%s: is searched for as text; did you mean %s:?", name, key)})
	}
}

func (p *parser) checkRegexp(t term) error {
	re, err := parseRegexp(t.text)
	if err == nil {
		var prog *syntax.Prog
		if prog, err = syntax.Compile(re.Simplify()); err == nil && len(prog.Inst) > MaxProgram {
			return p.fail(t.pos, t.end, "this regular expression is too large", "use smaller repeat counts")
		}
	}
	if err == nil {
		_, err = regexp.Compile(regexpFlags + t.text)
	}
	if err == nil {
		return nil
	}
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return p.fail(t.pos, t.end, err.Error(), "")
	}
	pos, end := t.pos, t.end
	if i := strings.Index(p.text[t.pos:t.end], bad.Expr); i >= 0 && bad.Expr != "" {
		pos, end = t.pos+i, t.pos+i+len(bad.Expr)
	}
	return p.fail(pos, end, bad.Code.String()+" in the regular expression", `write quotes instead of slashes to search for it as text`)
}
