package query

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"unsafe"
)

// Matcher tests text against the text clauses of a query. It is created once per
// query and safe for concurrent use. It ignores filters.
type Matcher struct {
	clauses  []matchClause
	driver   int // the clause with the rarest needles, or -1
	positive int // clauses that are not negated
}

type matchClause struct {
	not     bool
	atoms   []matchAtom
	needles []Needle // nil: none usable, or negated
	raw     []finder // of the needles
	bare    []finder // the same for text without escapes of printable characters
}

// matchAtom has a pattern if it is a regular expression, else a finder.
type matchAtom struct {
	text     finder
	pattern  *pattern
	raw      []finder // of the text, or of the literals of the pattern
	decisive bool     // if raw is found in a string, the string matches and need not be decoded: see Judge
}

// Span is a range of bytes.
type Span struct{ Start, End int }

// Matcher compiles the text clauses. A regular expression that Parse would reject
// matches nothing.
func (q Q) Matcher() *Matcher {
	m := &Matcher{driver: -1}
	for _, c := range q.Text {
		mc := newMatchClause(c)
		if !mc.not {
			m.positive++
		}
		m.clauses = append(m.clauses, mc)
		i := len(m.clauses) - 1
		if mc.needles != nil && (m.driver < 0 || mc.cost() < m.clauses[m.driver].cost()) {
			m.driver = i
		}
	}
	return m
}

func newMatchClause(c Clause) matchClause {
	mc := matchClause{not: c.Not}
	usable := !c.Not
	for _, a := range c.Any {
		literals, atom := []string{a.Text}, matchAtom{}
		if a.Kind == Regexp {
			p := newPattern(a.Text)
			if p == nil {
				continue
			}
			literals, atom.pattern = p.required, p
		} else {
			atom.text = newFinder(foldRunes(a.Text), false)
		}
		usable = usable && len(literals) > 0
		atom.decisive = len(literals) > 0
		for _, s := range literals {
			n, ok := newNeedle(s)
			usable = usable && ok
			mc.needles = append(mc.needles, n)
			atom.raw = append(atom.raw, n.raw)
			atom.decisive = atom.decisive && ok && staysInside(n.raw.runes) && (atom.pattern != nil || n.whole(s))
		}
		if atom.pattern != nil || a.Text != "" {
			mc.atoms = append(mc.atoms, atom)
		}
	}
	if !usable {
		mc.needles = nil
	}
	for _, n := range mc.needles {
		mc.raw = append(mc.raw, n.raw)
		n.raw.escapes = !n.raw.printable()
		mc.bare = append(mc.bare, n.raw)
	}
	return mc
}

func (c matchClause) cost() int {
	cost := 0
	for _, f := range c.raw {
		cost += f.anchor.cost()
	}
	return cost
}

// Needles lists, for every clause that is not negated, literals such that a matching
// line contains at least one. An element is nil if the clause has no usable literal,
// as with many regular expressions. If all are nil, every line has to be decoded.
func (m *Matcher) Needles() [][]Needle {
	var all [][]Needle
	for _, c := range m.clauses {
		if !c.not {
			all = append(all, c.needles)
		}
	}
	return all
}

// Candidates returns the lines of raw JSONL that may match, each with its offset
// and without its line end. It searches for the rarest clause, and for the others
// only in the lines that contain it.
func (m *Matcher) Candidates(block []byte) iter.Seq2[int, []byte] {
	return m.CandidatesIn(block, !EscapesPrintable(block))
}

// CandidatesIn is Candidates for a caller that knows whether the block is plain, which means
// that no printable character in it is written as a \u escape.
func (m *Matcher) CandidatesIn(block []byte, plain bool) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		var near cursor
		if m.driver >= 0 {
			finders := m.clauses[m.driver].raw
			if plain {
				finders = m.clauses[m.driver].bare
			}
			near = newCursor(finders, block, nil)
		}
		for from := 0; from < len(block); {
			start := from
			if m.driver >= 0 {
				hit := near.next(from)
				if hit < 0 {
					return
				}
				start = from + lastByte(block[from:hit], '\n') + 1
			}
			end := len(block)
			if i := bytes.IndexByte(block[start:], '\n'); i >= 0 {
				end = start + i
			}
			if line := block[start:end]; m.othersIn(line) && !yield(start, line) {
				return
			}
			from = end + 1
		}
	}
}

// othersIn reports whether every clause but the driver may be in a raw line.
func (m *Matcher) othersIn(line []byte) bool {
	for i := range m.clauses {
		c := &m.clauses[i]
		if i == m.driver || c.needles == nil {
			continue
		}
		if !slices.ContainsFunc(c.needles, func(n Needle) bool { return n.Find(line) }) {
			return false
		}
	}
	return true
}

// Line reports whether a line with these decoded string values matches: every
// clause is found in some value, a negated one in none.
func (m *Matcher) Line(values iter.Seq[string]) bool {
	return m.LineBytes(func(yield func([]byte) bool) {
		for s := range values {
			if !yield(readOnly(s)) {
				return
			}
		}
	})
}

// LineBytes is Line for values that are only valid during the iteration.
func (m *Matcher) LineBytes(values iter.Seq[[]byte]) bool {
	t := m.NewTrial()
	for b := range values {
		if t.Decided() {
			break
		}
		t.Add(b)
	}
	return t.Matches()
}

// Trial tests the values of one line one after another.
type Trial struct {
	m       *Matcher
	found   []bool // by clause
	room    [MaxTerms]bool
	missing int
	refused bool // a negated clause was found
}

// NewTrial starts a trial of a line.
func (m *Matcher) NewTrial() *Trial {
	t := &Trial{m: m, missing: m.positive}
	if t.found = t.room[:]; len(m.clauses) > len(t.found) {
		t.found = make([]bool, len(m.clauses))
	}
	return t
}

// Add tests another value.
func (t *Trial) Add(b []byte) {
	for i := range t.m.clauses {
		c := &t.m.clauses[i]
		if t.found[i] || !c.in(b) {
			continue
		}
		t.found[i] = true
		if c.not {
			t.refused = true
		} else {
			t.missing--
		}
	}
}

// Decided reports whether further values cannot change the result.
func (t *Trial) Decided() bool {
	return t.refused || t.missing == 0 && len(t.m.clauses) == t.m.positive
}

// Matches reports whether the line matches, judging by the values added so far.
func (t *Trial) Matches() bool { return !t.refused && t.missing == 0 }

func (c *matchClause) in(b []byte) bool {
	for i := range c.atoms {
		if c.atoms[i].in(b) {
			return true
		}
	}
	return false
}

func (a *matchAtom) in(b []byte) bool {
	if a.pattern != nil {
		return a.pattern.in(b)
	}
	return a.text.find(b, 0).Start >= 0
}

// Marks reports whether Spans would return any span in a value.
func (m *Matcher) Marks(b []byte) bool {
	for i := range m.clauses {
		if c := &m.clauses[i]; !c.not && c.marks(b) {
			return true
		}
	}
	return false
}

func (c *matchClause) marks(b []byte) bool {
	for i := range c.atoms {
		a := &c.atoms[i]
		if a.pattern == nil && a.in(b) || a.pattern != nil && len(a.appendSpans(nil, b, 1)) > 0 {
			return true
		}
	}
	return false
}

// Spans returns where atoms of clauses that are not negated match in one value: in
// order, merged if they touch, and at most most of them.
func (m *Matcher) Spans(s string, most int) []Span {
	if most <= 0 {
		return nil
	}
	var spans []Span
	for _, c := range m.clauses {
		if c.not {
			continue
		}
		for i := range c.atoms {
			spans = c.atoms[i].appendSpans(spans, readOnly(s), most)
		}
	}
	spans = merge(spans)
	return spans[:min(len(spans), most)]
}

func (a *matchAtom) appendSpans(spans []Span, b []byte, most int) []Span {
	limit := len(spans) + most
	if a.pattern != nil {
		a.pattern.each(b, most, func(s Span) bool {
			if s.Start < s.End {
				spans = append(spans, s)
			}
			return len(spans) < limit
		})
		return spans
	}
	for from := 0; len(spans) < limit; {
		s := a.text.find(b, from)
		if s.Start < 0 {
			break
		}
		spans = append(spans, s)
		from = s.End
	}
	return spans
}

// merge sorts spans and joins those that overlap or touch.
func merge(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	var out []Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// readOnly returns the bytes of a string without copying it. Nothing here writes to
// the text that it searches.
func readOnly(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
