package price

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

var (
	stamps       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(-20\d{6}|-latest)+$`) })
	claudeStamps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(-20\d{6}|-latest|-v\d+)+$`) }) // Bedrock numbers its uploads
)

// Normalize reduces the many spellings of a model's name to one: without the provider
// before it, without date, upload, context size and options after it, in lower
// case and with dashes for dots. us.anthropic.claude-sonnet-4-5-20250929-v1:0 and
// anthropic/claude-sonnet-4.5 are both claude-sonnet-4-5.
func Normalize(model string) string {
	s := strings.ToLower(strings.TrimSpace(model))
	s = s[strings.LastIndex(s, "/")+1:]
	if i := claude(s); i > 0 {
		s = s[i:]
	}
	if i := strings.IndexFunc(s, endsName); i >= 0 {
		s = s[:i]
	}
	s = strings.ReplaceAll(s, ".", "-")
	if strings.HasPrefix(s, "claude-") {
		return claudeStamps().ReplaceAllString(s, "")
	}
	return stamps().ReplaceAllString(s, "")
}

// endsName reports whether r ends a name: [1m], @20250929, :0, :thinking.
func endsName(r rune) bool {
	return r == '[' || r == '@' || r == ':' || unicode.IsSpace(r)
}

// claude returns the offset of the name of a Claude model after regions and
// providers, as in us.anthropic.claude- or anthropic:claude-; 0 if there are none.
func claude(s string) int {
	for _, mark := range []string{".claude-", ":claude-"} {
		if i := strings.Index(s, mark); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// find returns the rows of a model: those under its exact name, else those of the
// longest name that it extends after a dash. rest is the extension.
func (t *Table) find(model string) (rows []Row, rest string) {
	if rows := t.rows[model]; rows != nil {
		return rows, ""
	}
	name := Normalize(model)
	for end := len(name); end > 0; end = strings.LastIndex(name[:end], "-") {
		rest := strings.TrimPrefix(name[end:], "-")
		if rows := t.rows[name[:end]]; rows != nil && !otherVersion(name[:end], rest) {
			return rows, rest
		}
	}
	return nil, ""
}

// otherVersion reports whether rest makes a different model of a name that ends in a
// version: claude-opus-4-9 is not claude-opus-4 and must not get its price. A 0
// and a date change nothing.
func otherVersion(name, rest string) bool {
	last := name[strings.LastIndex(name, "-")+1:]
	next, _, _ := strings.Cut(rest, "-")
	return number(last) && number(next) && next != "0" && len(next) < len("20260101")
}

func number(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
