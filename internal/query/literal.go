package query

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// regexpFlags is the prefix of every regular expression.
const regexpFlags = "(?im)"

func parseRegexp(text string) (*syntax.Regexp, error) {
	return syntax.Parse(regexpFlags+text, syntax.Perl)
}

// maxAlternatives bounds the literals kept for one regular expression. Each of
// them needs a search of its own.
const maxAlternatives = 16

// required returns texts such that every match of re contains at least one, as long
// as possible; nil if there are none. Case is not kept.
func required(re *syntax.Regexp) []string {
	if texts := exact(re); texts != nil {
		return needed(texts)
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		return requiredOfConcat(re.Sub)
	case syntax.OpAlternate:
		return requiredOfAll(re.Sub)
	}
	return nil
}

// requiredOfConcat returns the literals of the best part. It treats neighbouring
// parts with known texts as one part.
func requiredOfConcat(parts []*syntax.Regexp) []string {
	var best []string
	run := []string{""}
	for _, part := range parts {
		texts := exact(part)
		if longer := cross(run, texts); longer != nil {
			run = longer
			continue
		}
		best = better(best, needed(run))
		if run = texts; run == nil {
			best = better(best, required(part))
			run = []string{""}
		}
	}
	return better(best, needed(run))
}

func requiredOfAll(parts []*syntax.Regexp) []string {
	var all []string
	for _, part := range parts {
		some := required(part)
		if some == nil {
			return nil
		}
		all = append(all, some...)
	}
	return needed(all)
}

// exact returns all texts that re matches, if they are few; else nil.
func exact(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCapture:
		return exact(re.Sub[0])
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}
	case syntax.OpQuest:
		return either([]string{""}, exact(re.Sub[0]))
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range re.Sub {
			all = cross(all, exact(sub))
		}
		return all
	case syntax.OpAlternate:
		all := exact(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			all = either(all, exact(sub))
		}
		return all
	}
	return nil
}

// cross returns every text of a followed by every text of b; nil if too many.
func cross(a, b []string) []string {
	if len(a)*len(b) > maxAlternatives {
		return nil
	}
	var all []string
	for _, s := range a {
		for _, t := range b {
			all = append(all, s+t)
		}
	}
	return all
}

func either(a, b []string) []string {
	if a == nil || b == nil || len(a)+len(b) > maxAlternatives {
		return nil
	}
	return slices.Concat(a, b)
}

// needed keeps only the shortest texts: a line that contains a longer one contains
// those too. It returns nil if an empty text makes the list useless.
func needed(texts []string) []string {
	var least []string
	for _, s := range slices.Compact(slices.Sorted(slices.Values(texts))) {
		if !slices.ContainsFunc(texts, func(t string) bool { return t != s && strings.Contains(s, t) }) {
			least = append(least, s)
		}
	}
	if len(least) > maxAlternatives || slices.Contains(least, "") {
		return nil
	}
	return least
}

// better prefers the list whose shortest text is longer.
func better(a, b []string) []string {
	if shortest(b) > shortest(a) {
		return b
	}
	return a
}

func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	n := len(texts[0])
	for _, t := range texts {
		n = min(n, len(t))
	}
	return n
}

// withinLines reports whether no match spans a line end and none depends on where
// the text starts or ends, so that lines can be matched one by one.
func withinLines(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpBeginText, syntax.OpEndText:
		return false
	case syntax.OpLiteral:
		return !slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		return !inClass(re.Rune, '\n')
	}
	return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !withinLines(sub) })
}

func inClass(ranges []rune, r rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if r >= ranges[i] && r <= ranges[i+1] {
			return true
		}
	}
	return false
}

// lowered rewrites re for lower-case ASCII text, where a match needs no folding and
// so can start with a search for a literal. It returns false if re distinguishes
// cases. It modifies the tree.
func lowered(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		for i, r := range re.Rune {
			if f := foldRune(r); f != r || f >= 'a' && f <= 'z' {
				if re.Flags&syntax.FoldCase == 0 {
					return false
				}
				re.Rune[i] = f
			}
		}
		re.Flags &^= syntax.FoldCase
	case syntax.OpCharClass:
		for r := 'a'; r <= 'z'; r++ {
			if inClass(re.Rune, r) != inClass(re.Rune, r-'a'+'A') {
				return false
			}
		}
	}
	for _, sub := range re.Sub {
		if !lowered(sub) {
			return false
		}
	}
	return true
}
