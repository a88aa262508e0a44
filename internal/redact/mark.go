package redact

import (
	"slices"
	"strconv"
	"strings"
)

// Document is one document in which secrets are replaced: it numbers them. Its methods are
// for one goroutine. A nil Document replaces nothing.
//
// It remembers the values of secrets that were recognized by what stood before them, and
// finds them again where they stand alone, in all texts that come later.
type Document struct {
	rules *Rules
	known map[string]*known // by the text of the secret
	count map[string]*Count
	again *literals // the known secrets, to find them where they stand alone
	spare []Secret
	lines int // that ended before the secret that is being replaced

	// OnMatch is called for each secret that a mark replaces; it may be nil.
	OnMatch func(Match)
	// Names are those whose values JSON leaves as they are, because programs need them.
	Names map[string]bool
	// Known leaves what was not found before as it is: only secrets that the document knows
	// already are replaced.
	Known bool

	taken map[string]int // by family: the highest number of a mark that the texts have already
}

// known is a secret that was found.
type known struct {
	family string
	number int // the number in its mark; 0: it has no mark yet
}

// Match is one secret where it stands.
type Match struct {
	Family string
	Number int // the number in its mark
}

// Count is how many secrets of a family a document has.
type Count struct {
	Family  string `json:"family"`  // family of the secrets
	Values  int    `json:"values"`  // different secrets
	Matches int    `json:"matches"` // how often one of them was found
}

// Total returns how many different secrets there are of all families.
func Total(counts []Count) (values int) {
	for _, c := range counts {
		values += c.Values
	}
	return values
}

// Summary lists how many different secrets there are of each family.
func Summary(counts []Count) string {
	list := make([]string, len(counts))
	for i, c := range counts {
		list[i] = strconv.Itoa(c.Values) + " " + c.Family
	}
	return strings.Join(list, ", ")
}

// Document returns an empty document, to be redacted by these rules.
func (r *Rules) Document() *Document {
	return &Document{rules: r, known: map[string]*known{}, count: map[string]*Count{}}
}

// Counts lists what was found until now, by family.
func (d *Document) Counts() []Count {
	var list []Count
	if d == nil {
		return nil
	}
	for _, c := range d.count {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b Count) int { return strings.Compare(a.Family, b.Family) })
	return list
}

// Text returns a text with marks in the place of secrets.
func (d *Document) Text(text string) string {
	if d == nil || text == "" {
		return text
	}
	d.spare = d.find(text, 0, len(text), d.spare[:0])
	if len(d.spare) == 0 {
		return text
	}
	var b strings.Builder
	end := d.replace(&b, text, 0, d.spare)
	b.WriteString(text[end:])
	return b.String()
}

// replace writes a text from a position to the end of the last secret in list, with marks
// for the secrets, and returns that end.
func (d *Document) replace(b *strings.Builder, text string, from int, list []Secret) int {
	for _, s := range list {
		secret := text[s.Start:s.End]
		b.WriteString(text[from:s.Start])
		d.lines += strings.Count(text[from:s.Start], "\n")
		b.WriteString(d.mark(secret))
		d.lines += strings.Count(secret, "\n")
		from = s.End
	}
	return from
}

// find appends the secrets that begin between two positions of a text, including repeated
// ones that stand alone, and remembers them.
func (d *Document) find(text string, from, to int, list []Secret) []Secret {
	first := len(list)
	list = d.rules.find(text, from, list)
	if len(list) == first && d.again == nil {
		return list
	}
	fresh := slices.Clone(list[first:])
	list = list[:first]
	for _, s := range fresh {
		if d.Known && d.known[text[s.Start:s.End]] == nil {
			continue
		}
		if s.Start >= to {
			return d.repeats(text, from, to, s.Start, list)
		}
		list = d.repeats(text, from, s.Start, s.Start, list)
		s.Family = d.remember(s.Family, text[s.Start:s.End])
		list = append(list, s)
		from = s.End
	}
	return d.repeats(text, from, to, len(text), list)
}

// repeats appends the known values that begin between from and to and end before end.
func (d *Document) repeats(text string, from, to, end int, list []Secret) []Secret {
	if d.again == nil || from >= to {
		return list
	}
	free := from
	d.again.each(text[from:end], func(word literal, at int) {
		start, stop := from+at, from+at+len(word.text)
		secret := d.known[text[start:stop]]
		if secret == nil || start < free || start >= to || !isSeparate(text, start, stop) {
			return
		}
		list = append(list, Secret{secret.family, start, stop})
		free = stop
	})
	return list
}

// isSeparate reports whether no letter or digit adjoins a value that begins or ends with one.
func isSeparate(text string, from, to int) bool {
	return (!word[text[from]] || opens(text, from)) && (to == len(text) || !word[text[to]] || !word[text[to-1]])
}

// maxKnown is how many values a document remembers.
const maxKnown = 10000

// remember makes the document find a value in all later texts, and returns the family it
// was first found as.
func (d *Document) remember(family, value string) string {
	if first := d.known[value]; first != nil {
		return first.family
	}
	value = strings.Clone(value)
	d.known[value] = &known{family: family}
	if memorable(family, value) && len(d.known) <= maxKnown {
		if d.again == nil {
			d.again = newLiterals(nil)
		}
		d.again.add(literal{text: strings.ToLower(value)})
	}
	return family
}

// memorable reports whether later texts are searched for a value: its family cannot be
// recognized by form, and it is no common word.
func memorable(family, value string) bool {
	return contextual[family] && len(value) >= 6 && len(value) <= 512 && kindsOfBytes(value) >= 2 && !nameOf(value)
}

// contextual are the families that are recognized by the text before the secret.
var contextual = func() map[string]bool {
	m := map[string]bool{}
	for _, r := range frames {
		m[r.family] = true
	}
	return m
}()

// mark returns the mark of a value that was found.
func (d *Document) mark(value string) string {
	secret := d.known[value]
	c := d.count[secret.family]
	if c == nil {
		c = &Count{Family: secret.family}
		d.count[secret.family] = c
	}
	c.Matches++
	if secret.number == 0 {
		c.Values++
		secret.number = d.taken[secret.family] + c.Values
	}
	if d.OnMatch != nil {
		d.OnMatch(Match{secret.family, secret.number})
	}
	return "[" + secret.family + ":" + strconv.Itoa(secret.number) + "]"
}
