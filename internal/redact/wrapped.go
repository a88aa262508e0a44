package redact

import (
	encoding "encoding/base64"
	"strings"
)

// wrapping names the words that are searched for within text in base64, as they are spelled
// there, besides the prefixes of tokens: in values of Kubernetes secrets, in what a command
// pipes to base64 -d, in the headers of requests.
var wrapping = map[string]string{
	"private-key":       "-----BEGIN",
	"jwt":               "eyJhbGci eyJ0eXAi",
	"azure-storage-key": "AccountKey=",
	"slack-webhook":     "hooks.slack.com",
	"password":          "password PASSWORD Password passwd PASSWD",
	"secret":            "secret SECRET Secret",
	"token":             "token TOKEN Token",
	"key":               "api_key API_KEY apiKey",
	"url-password":      "://",
}

// wrapped are the rules for what is encoded in base64.
func wrapped(rules []rule) (list []rule) {
	for _, k := range tokens {
		var words []string
		for prefix := range strings.FieldsSeq(k.prefixes) {
			if len(prefix) >= 4 {
				words = append(words, prefix)
			}
		}
		if len(words) > 0 {
			list = append(list, wrap(k.rule(), words))
		}
	}
	for _, r := range rules {
		if words := strings.Fields(wrapping[r.family]); len(words) > 0 && !strings.HasPrefix(r.literals[0], "putty") {
			list = append(list, wrap(r, words))
		}
	}
	return list
}

// encoded3 is how base64 writes a word: it depends on where in a group of three bytes the
// word begins.
type encoded3 struct {
	word string
	as   [3]string
}

// phases are the positions in a group of four characters at which such a writing begins.
var phases = [3]int{0, 2, 3}

func encode3(word string) encoded3 {
	e := encoded3{word: word}
	for a := range e.as {
		full := encoding.RawStdEncoding.EncodeToString([]byte("xx"[:a] + word))
		e.as[a] = full[phases[a] : (a+len(word))*8/6]
	}
	return e
}

// wrap returns a rule that finds what r finds in base64.
func wrap(r rule, words []string) rule {
	w := rule{family: r.family, context: r.context}
	var all []encoded3
	for _, word := range words {
		e := encode3(word)
		all = append(all, e)
		for _, text := range e.as {
			w.literals = append(w.literals, strings.ToLower(text))
		}
	}
	w.match = func(s *scan, at, _ int) (int, int, bool) {
		for _, e := range all {
			for a, text := range e.as {
				if strings.HasPrefix(s.text[at:], text) {
					if from, to, ok := unwrap(r, s.text, at, a, len(e.word)); ok {
						return from, to, true
					}
				}
			}
		}
		return 0, 0, false
	}
	return w
}

const (
	wrappedBefore = 160 // characters that are decoded before a word
	wrappedAfter  = 600 // and after it; a private key has more
)

// unwrap decodes the base64 around a word of n bytes whose first whole character is at, asks
// the rule, and returns which characters hold what it finds. The word begins a bytes after
// the beginning of a group.
func unwrap(r rule, text string, at, a, n int) (int, int, bool) {
	limit := wrappedAfter
	if r.family == "private-key" {
		limit = maxSecret
	}
	before := charsBefore(text, at, wrappedBefore)
	if len(before) < phases[a] {
		return 0, 0, false
	}
	before = before[(len(before)-phases[a])%4:]
	chars := charsAfter(text, at, limit, before)
	if len(chars)%4 == 1 {
		chars = chars[:len(chars)-1]
	}
	plain := decode(text, chars)
	word := (len(before)-phases[a])/4*3 + a
	if word+n > len(plain) {
		return 0, 0, false
	}
	from, to, ok := r.match(&scan{text: plain}, word, word+n)
	if !ok || to > len(plain) || !printable(plain[from:to]) {
		return 0, 0, false
	}
	stop := chars[((to-1)*8+7)/6] + 1
	for to == len(plain) && stop < len(text) && text[stop] == '=' {
		stop++
	}
	return chars[from*8/6], stop, true
}

// charsBefore returns the positions of up to n characters of base64 that end at i, without
// the breaks between full lines.
func charsBefore(text string, i, n int) []int {
	list := make([]int, 0, n+4)
	for i > 0 && len(list) < n {
		switch c := text[i-1]; {
		case i >= 2 && text[i-2] == '\\' && (c == 'n' || c == 'r'):
			i -= 2
		case sixBits[c]:
			i--
			list = append(list, i)
		case (c == '\n' || c == '\r') && fullLine(text, i-1):
			i--
		default:
			n = 0
		}
	}
	for a, b := 0, len(list)-1; a < b; a, b = a+1, b-1 {
		list[a], list[b] = list[b], list[a]
	}
	return list
}

// charsAfter appends the positions of up to n characters that begin at i.
func charsAfter(text string, i, n int, list []int) []int {
	for ; i < len(text) && n > 0; i++ {
		switch c := text[i]; {
		case sixBits[c]:
			list = append(list, i)
			n--
		case (c == '\n' || c == '\r') && fullLine(text, i):
		case c == '\\' && i+1 < len(text) && (text[i+1] == 'n' || text[i+1] == 'r') && fullLine(text, i):
			i++
		default:
			return list
		}
	}
	return list
}

// fullLine reports whether a full line of base64 ends at i.
func fullLine(text string, i int) bool {
	for i > 0 && (text[i-1] == '\r' || text[i-1] == '\n') {
		i--
	}
	return i >= 60 && sixBits.only(text[i-60:i])
}

// decode returns the bytes that characters at these positions stand for.
func decode(text string, chars []int) string {
	raw := make([]byte, len(chars))
	for i, at := range chars {
		switch c := text[at]; c {
		case '-':
			raw[i] = '+'
		case '_':
			raw[i] = '/'
		default:
			raw[i] = c
		}
	}
	n, _ := encoding.RawStdEncoding.Decode(raw, raw)
	return string(raw[:n])
}

func printable(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\r' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// sixBits are the characters of base64, in both of its alphabets.
var sixBits = alnum.with("+/-_")

// basic reports whether a text is user:password in base64.
func basic(text string) bool {
	text = strings.TrimRight(text, "=")
	if len(text) < 6 || len(text)%4 == 1 || !sixBits.only(text) {
		return false
	}
	chars := make([]int, len(text))
	for i := range chars {
		chars[i] = i
	}
	plain := decode(text, chars)
	return strings.IndexByte(plain, ':') > 0 && printable(plain) && !strings.HasSuffix(plain, ":")
}
