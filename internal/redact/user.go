package redact

import (
	"fmt"
	"regexp"
	"strings"
)

// Options say what a user wants hidden besides the secrets of the built-in families.
type Options struct {
	Patterns []string // regular expressions, each matched within a line
	Words    []string // in any case, where no letter or digit adjoins them
	Domains  []string // with all names below them
	Emails   []string // addresses; *@example.com: all of a domain, *: all
	Home     string   // path of the user's home directory; "": not hidden
	User     string   // name of the user on this machine; "": not hidden
}

// New compiles rules.
func New(o Options) (*Rules, error) {
	r := &Rules{rules: builtin()}
	for _, text := range o.Patterns {
		if err := r.addPattern("pattern", text); err != nil {
			return nil, err
		}
	}
	for _, w := range o.Words {
		r.addWord("word", w)
	}
	for _, domain := range o.Domains {
		r.addDomain(strings.TrimPrefix(strings.ToLower(domain), "*."))
	}
	for _, address := range o.Emails {
		r.addEmail(strings.ToLower(address))
	}
	if home := strings.TrimRight(o.Home, `/\`); len(home) > 1 {
		r.addWord("home-path", home)
	}
	if o.User != "" {
		r.addWord("user-name", o.User)
	}
	r.literals = newLiterals(r.rules)
	return r, nil
}

// addWord adds a rule for a text where no letter or digit adjoins it.
func (r *Rules) addWord(family, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if len(text) < 3 { // too short for a literal
		_ = r.addPattern(family, `(?i)\b`+regexp.QuoteMeta(text)+`\b`)
		return
	}
	r.rules = append(r.rules, rule{family: family, literals: []string{strings.ToLower(text)},
		match: func(s *scan, at, end int) (int, int, bool) {
			return at, end, (opens(s.text, at) || !word[text[0]]) && (end == len(s.text) || !word[s.text[end]] || !word[text[len(text)-1]])
		}})
}

// addDomain adds a rule for a domain and the names below it.
func (r *Rules) addDomain(domain string) {
	if domain == "" {
		return
	}
	r.rules = append(r.rules, rule{family: "domain", literals: []string{domain},
		match: func(s *scan, at, end int) (int, int, bool) {
			after := s.text[end:min(len(s.text), end+2)]
			if longer := hostBytes.span(after, 0, 2); longer == 2 || longer == 1 && after != "." && after[0] != '.' || at > 0 && (alnum[s.text[at-1]] && !opens(s.text, at) || s.text[at-1] == '-') {
				return 0, 0, false
			}
			from := at
			if at > 0 && s.text[at-1] == '.' {
				from = hostBytes.back(s.text, at, 253)
			}
			return from, end, true
		}})
}

var hostBytes = alnum.with("-.")

// addEmail adds a rule for an address, or for all of a domain, or for all.
func (r *Rules) addEmail(address string) {
	name, domain, ok := strings.Cut(address, "@")
	switch {
	case address == "*":
		_ = r.addPattern("email", `[\w.%+-]+@[\w-]+(\.[\w-]+)+`)
	case !ok || name == "" || len(domain) < 2:
	case name != "*":
		r.addWord("email", address)
	default:
		r.rules = append(r.rules, rule{family: "email", literals: []string{"@" + domain},
			match: func(s *scan, at, end int) (int, int, bool) {
				from := mailbox.name(s.text, at, 64)
				return from, end, from < at && (end == len(s.text) || !alnum[s.text[end]])
			}})
	}
}

// pattern is a regular expression that the user configured.
type pattern struct {
	re      *regexp.Regexp
	literal string // what every match begins with; "": unknown
	rule    *rule
}

func (r *Rules) addPattern(family, text string) error {
	re, err := regexp.Compile(text)
	if err != nil {
		return fmt.Errorf("%q is no regular expression: %w", text, err)
	}
	if re.MatchString("") {
		return fmt.Errorf("%q matches everything: it must not match an empty text", text)
	}
	literal, _ := re.LiteralPrefix()
	r.patterns = append(r.patterns, pattern{re: re, literal: literal, rule: &rule{family: family}})
	return nil
}

// each appends the matches of a text that start at or after from.
func (p *pattern) each(text string, from int, list []found) []found {
	line := strings.LastIndexByte(text[:from], '\n') + 1
	if p.literal != "" && !strings.Contains(text[line:], p.literal) {
		return list
	}
	for line < len(text) {
		end := len(text)
		if n := strings.IndexByte(text[line:], '\n'); n >= 0 {
			end = line + n
		}
		for _, at := range p.re.FindAllStringIndex(text[line:end], -1) {
			if start, stop := line+at[0], line+at[1]; start >= from && stop > start {
				list = append(list, found{span{start, stop}, p.rule})
			}
		}
		line = end + 1
	}
	return list
}
