package redact

import (
	"slices"
	"strings"
)

const (
	maxName  = 80   // longest name
	maxValue = 4000 // longest value in quotes
	maxPlain = 1000 // longest value without quotes
)

// assigned finds the value of a name that says that it is a secret: DB_PASSWORD=…,
// "apiKey": "…", --token …, <password>…</password>.
func assigned(s *scan, at, end int) (int, int, bool) {
	text := s.text
	stop := identifier.span(text, end, maxName)
	i, op := operator(text, stop)
	if op == 0 || op == ',' {
		if value, is := pair(text, stop); is != 0 {
			i, op = value, is
		}
	}
	if op == 0 {
		return 0, 0, false
	}
	from := identifier.name(text, at, maxName)
	if op == ' ' && !spaced(text, from, stop, i) || op == '(' && !sets(text[from:stop]) {
		return 0, 0, false
	}
	kind := s.kindOf(from, stop)
	if kind == noSecret || op == ':' && (text[from:stop] == "PASS" || from > 0 && text[from-1] == ':') {
		return 0, 0, false // a test that passed, or a piece of the name of a resource
	}
	v, ok := s.value(i, op, text[from:stop])
	if !ok || !v.secret(kind) {
		return 0, 0, false
	}
	return v.start, v.end, true
}

// kindOf returns the kind of the name between two positions. The name can be two words: API key.
func (s *scan) kindOf(from, stop int) kind {
	name := strings.TrimPrefix(s.text[from:stop], "-D") // java -Dpassword=…
	if !fold(name, "key") || from < 3 || s.text[from-1] != ' ' {
		return nameKind(name)
	}
	before := identifier.name(s.text, from-1, 20)
	if foldedIn(keyOf, s.text[before:from-1]) != 0 {
		return aRandomKey
	}
	return noSecret
}

// sets reports whether a call with this name takes a secret: setPassword("…"), .apiKey("…").
func sets(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	method := name[dot+1:]
	return startsWith(method, "set") || startsWith(method, "with") || dot >= 0 && foldedIn(nameWords, method) != 0
}

// assignedFamily returns the family of a secret that is the whole value of a name, or "" if
// the value is no secret.
func assignedFamily(name, text string) string {
	v := value{span{0, len(text)}, text, true, false}
	kind := nameKind(name)
	switch {
	case (fold(name, "auth") || fold(name, "_auth")) && basic(text):
		return "authorization"
	case kind == noSecret || kind == aWhich || len(text) > maxValue || !v.secret(kind):
		return ""
	case kind == aPassword || kind == aPass:
		return "password"
	}
	for _, r := range frames {
		if r.family != "password" && mentions(name, r.literals...) {
			return r.family
		}
	}
	return "key"
}

// How JSON that is embedded in a page writes < and >.
const escapedLess, escapedMore = `\u003c`, `\u003e`

// operator returns where the value after a name begins, and the character that assigns it: '='
// or ':' in any form, ',' between arguments in quotes, '>' in XML, ' ' for blanks, 0 if nothing is assigned.
func operator(text string, i int) (int, byte) {
	gap := closing.span(text, i, 8)
	if gap == len(text) {
		return 0, 0
	}
	quoted := strings.ContainsAny(text[i:gap], "\"'")
	switch c := text[gap]; {
	case c == '=' || c == ':':
		after := operators.span(text, gap, 3)
		return blank.span(text, after, 40), c
	case c == '?' && strings.HasPrefix(text[gap:], "?:"):
		return blank.span(text, gap+2, 40), ':'
	case c == '(' && gap == i && gap+1 < len(text) && (text[gap+1] == '"' || text[gap+1] == '\''):
		return gap + 1, '('
	case c == ',' && quoted && !strings.Contains(text[i:gap], "]"):
		return blank.span(text, gap+1, 40), ','
	case c == '>' && gap == i:
		return gap + 1, '>'
	case strings.HasPrefix(text[i:], escapedMore):
		return i + len(escapedMore), '>'
	}
	if n := blank.span(text, i, 8); n > i {
		return afterBlank(text, n)
	}
	return coded(text, i)
}

// afterBlank is operator for a name that is followed by a blank: password is …, password for
// the server: …, or a default in brackets before the value.
func afterBlank(text string, i int) (int, byte) {
	switch {
	case strings.HasPrefix(text[i:], "is ") || strings.HasPrefix(text[i:], "is: "):
		return blank.span(text, i+3, 8), '='
	case strings.HasPrefix(text[i:], "for "):
		if colon := phrase.span(text, i, 30); strings.HasPrefix(text[colon:], ": ") {
			return colon + 2, '='
		}
	case text[i:min(len(text), i+1)] == "[":
		if n := strings.IndexByte(text[i:min(len(text), i+40)], ']'); n > 0 && strings.HasPrefix(text[i+n:], "]: ") {
			return i + n + 3, ':'
		}
	}
	return i, ' '
}

var phrase = word.with(" .@-")

// spaced reports whether a blank is enough to assign a value: after --password, ENV NAME, PASSWORD '…'.
func spaced(text string, from, stop, value int) bool {
	name := text[from:stop]
	switch {
	case strings.HasPrefix(name, "--"):
		return true
	case value < len(text) && text[value] == '\'' && (strings.EqualFold(name, "password") || strings.EqualFold(name, "passphrase")):
		return true
	}
	before := text[max(0, from-8):from]
	return slices.ContainsFunc(settings, func(word string) bool { return strings.HasSuffix(before, word) })
}

// settings are the words before a name that assign it what stands behind it.
var settings = []string{"ENV ", "ARG ", " set ", "setx ", "set -x ", "set -gx ", "set -Ux ", "setenv "}

// kind is what a name says about its value.
type kind int

const (
	noSecret   kind = iota
	aPassword       // the value is a password, which a person chose
	aRandomKey      // the value is a key, which a program drew at random
	aPass           // the same, of a word that has other meanings
	aWhich          // the word only distinguishes several secrets, as in TOKEN_OLD
)

// nameKind returns the kind of value that a name stands for. The last word of the name
// decides that is not [aWhich].
func nameKind(name string) kind {
	last, rest := lastWord(name)
	for last != "" && foldedIn(nameWords, last) == aWhich {
		last, rest = lastWord(rest)
	}
	switch word := foldedIn(nameWords, last); {
	case word == aPassword || word == aPass || word == aRandomKey:
		return word
	case endsWith(last, "password", "passwd", "passphrase"):
		return aPassword
	case endsWith(last, "token", "secret", "apikey"):
		return aRandomKey
	case !fold(last, "key"):
		return noSecret
	}
	if before, _ := lastWord(rest); foldedIn(keyOf, before) != 0 {
		return aRandomKey
	}
	return noSecret
}

// endsWith reports whether a word ends with one of these, as PGPASSWORD does.
func endsWith(text string, lowered ...string) bool {
	return slices.ContainsFunc(lowered, func(end string) bool { return len(text) > len(end) && fold(text[len(text)-len(end):], end) })
}

// lastWord splits a name before its last word. Words begin after signs, at a capital after a
// small letter, and where letters and digits meet.
func lastWord(name string) (last, rest string) {
	end := len(name)
	for end > 0 && isSign(name[end-1]) {
		end--
	}
	for i := end - 1; i > 0; i-- {
		c, before := name[i], name[i-1]
		if isSign(before) || digits[c] != digits[before] ||
			isUpper(c) && (!isUpper(before) || i+1 < end && isLower(name[i+1])) {
			return name[i:end], name[:i]
		}
	}
	return name[:end], ""
}

func isSign(c byte) bool { return c == '_' || c == '-' || c == '.' }

// words are words in lower case, each with its kind.
type words struct {
	kinds map[string]kind
	// lengths has a bit for each length of the words that begin with a byte: most texts
	// need no more to be none of them.
	lengths [256]uint32
}

func newWords() *words { return &words{kinds: map[string]kind{}} }

func (w *words) and(k kind, list string) *words {
	for text := range strings.FieldsSeq(list) {
		w.kinds[text] = k
		w.lengths[text[0]] |= 1 << len(text)
	}
	return w
}

// foldedIn returns the kind of a word, written in any case; 0 if it is none of the words.
func foldedIn(words *words, text string) kind {
	var low [16]byte
	if text == "" || len(text) > len(low) || words.lengths[lowerOf(text[0])]>>len(text)&1 == 0 {
		return 0
	}
	for i := range len(text) {
		low[i] = lowerOf(text[i])
	}
	return words.kinds[string(low[:len(text)])]
}

// nameWords are the words at the end of names, keyOf those before "key" that make it a secret.
var (
	nameWords = newWords().
			and(aPassword, "password passwd passphrase pwd passcode passwort pw psk").
			and(aPass, "pass").
			and(aRandomKey, `secret secrets token tokens apikey credential credentials apitoken authtoken accesstoken secretkey
				accesskey privatekey`).
		and(aWhich, `prod production dev development staging stage test testing live sandbox value val base old new current
				default main primary secondary backup root str string text plain raw data env 0 1 2 3 4 5 dsn b 64 base64 hex`)
	keyOf = newWords().and(aRandomKey, `api access secret private signing encryption master auth account storage shared license admin
		app application write read deploy webhook service client session server encrypt crypto cipher hmac jwt aes integration
		ingest project openai anthropic stripe sendgrid maps google azure aws datadog dd x subscription security
		cookie instrumentation deepl mistral cohere pinecone algolia groq gemini rest sdk bot decryption recovery unseal host`)
)

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
