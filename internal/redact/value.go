package redact

import (
	"math"
	"strings"
	"sync"
)

// secret reports whether a value looks like the password or key that its name announces.
func (v value) secret(k kind) bool {
	text := v.text
	if len(text) > maxPlain && !v.quoted || standsFor(text) || reference(text) {
		return false
	}
	if v.quoted && strings.HasSuffix(text, ":") {
		return false // the question with which a program asks for a password
	}
	if k == aRandomKey {
		if !v.quoted && !v.line && inCode(text) {
			return false
		}
		return looksRandom(text) || v.line && len(text) >= 8 && hasDigit(text) && kindsOfBytes(text) >= 2 && !wordy(text)
	}
	if !v.quoted && !v.line && (nameOf(text) || inCode(text)) {
		return false
	}
	if k == aPass && !v.line && (!asciiOnly(text) || !v.quoted && numbered(strings.TrimLeft(text, "!"))) {
		return false
	}
	return looksPassword(text) || v.line && v.quoted && phraseLike(text)
}

// inCode reports whether a text is an expression of a program: index.Row, !result, ts.Kind$1,
// 0x1F.
func inCode(text string) bool {
	text = strings.TrimLeft(text, "!*&-+")
	if rest, ok := strings.CutPrefix(text, "0x"); ok && len(rest) <= 8 && anyhex.only(rest) {
		return true
	}
	parts := 0
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '.' || r == '?' || r == '$' }) {
		if parts++; digits.only(part) && parts == 1 || !digits.only(part) && !numbered(part) {
			return false
		}
	}
	return parts > 1
}

// numbered reports whether a text is a word of code, with a number behind it at most.
func numbered(text string) bool {
	end := len(text)
	for end > 0 && digits[text[end-1]] && len(text)-end < 5 {
		end--
	}
	return end > 0 && !hasDigit(text[:end]) && word.only(text[:end])
}

// phraseLike reports whether a text in quotes is words that a person chose, in an
// assignment as NAME="…" that is no message.
func phraseLike(text string) bool {
	return len(text) >= 8 && len(text) <= 64 && strings.Contains(text, " ") && !ownWord(text) && !strings.ContainsAny(text, "$%{}<>+") &&
		strings.TrimSpace(text) == text
}

// looksPassword reports whether a person could have chosen the text as a password: no
// blanks, and not just a word.
func looksPassword(text string) bool {
	if len(text) < 5 || len(text) > 200 || standsFor(text) || reference(text) || strings.ContainsAny(text, " \t") || mostlyWide(text) {
		return false
	}
	return kindsOfBytes(text) >= 2 && !nameOf(text) || len(text) >= 8 && digits.only(text)
}

// mostlyWide reports whether most of a text is in a script that passwords are not written in.
func mostlyWide(text string) bool {
	n := 0
	for i := range len(text) {
		if text[i] >= 0x80 {
			n++
		}
	}
	return n*2 > len(text)
}

// kindsOfBytes returns how many kinds of bytes occur: small letters, capitals, digits, signs.
func kindsOfBytes(text string) int {
	var small, big, digit, sign int
	for i := range len(text) {
		switch c := text[i]; {
		case isLower(c):
			small = 1
		case isUpper(c):
			big = 1
		case digits[c]:
			digit = 1
		case c != '_' && c != '-' && c != '.' && c != '/' && c != ':':
			sign = 1
		}
	}
	return small + big + digit + sign
}

// nameOf reports whether a text is a name in code or a word in a sentence: Password,
// passwordField, MIN_LENGTH, user.password.
func nameOf(text string) bool {
	if !nameLike(text) {
		return false
	}
	if !hasDigit(text) {
		return len(text) < 10 || turns(text) < 0.3
	}
	return ownWord(text)
}

// nameLike reports whether a text has the form of a name in code.
func nameLike(text string) bool {
	return text != "" && identifier.only(text) && !digits[text[0]]
}

// ownWord reports whether a text contains a word such as "password": it is a name, not a value.
func ownWord(text string) bool { return ownWords().in(text) }

var ownWords = vocabulary("password passwd secret token apikey api_key credential field param value input string")

// wordy reports whether a text is words and numbers with signs between them.
func wordy(text string) bool {
	strange := 0
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == '/' || r == ':' }) {
		letters := 0
		for letters < len(w) && !digits[w[letters]] {
			letters++
		}
		if !digits.only(w[letters:]) || !oneCase(w[:letters]) || len(w)-letters > 4 {
			if strange++; len(w) > 4 {
				return false
			}
		}
	}
	if strange > 0 && (strange > 1 || len(text) < 20) {
		return false
	}
	return strings.ContainsAny(text, "-_./:") || !hasDigit(text)
}

// oneCase reports whether all letters are small, all are capitals, or only the first is a capital.
func oneCase(text string) bool {
	if text == "" {
		return true
	}
	return text[1:] == strings.ToLower(text[1:]) || text == strings.ToUpper(text)
}

func hasDigit(text string) bool {
	for i := range len(text) {
		if digits[text[i]] {
			return true
		}
	}
	return false
}

// looksRandom reports whether a program could have made up a text: it is long, has many
// different bytes, and mixes letters, capitals and digits within its words.
func looksRandom(text string) bool {
	if len(text) < 12 || len(text) > maxValue || !randomBytes.only(text) || !varied(text) {
		return false
	}
	if digits.only(text) || !hasDigit(text) && len(text) < 20 {
		return false
	}
	need, changes := 0.25, 0.20
	switch {
	case !hasDigit(text):
		need, changes = 0.30, 0.32
	case hexDashed.only(text):
		changes = 0.18
	}
	bits := entropy(text)
	return bits >= 2.9 && bits >= need*math.Log2(float64(len(text)))*2.4 && turns(text) >= changes && !wordy(text)
}

var randomBytes = base64.with("-_.~!@#$%^&*:?")

// turns returns how often the kind of byte changes, divided by the length. A capital that
// begins a word does not count twice.
func turns(text string) float64 {
	n := 0
	for i := 1; i < len(text); i++ {
		a, b := classOf(text[i-1]), classOf(text[i])
		if a != b && !(a == 'A' && b == 'a') {
			n++
		}
	}
	return float64(n) / float64(len(text))
}

func classOf(c byte) byte {
	switch {
	case isLower(c):
		return 'a'
	case isUpper(c):
		return 'A'
	case digits[c]:
		return '0'
	}
	return '-'
}

// entropy returns the Shannon entropy of a text in bits per byte.
func entropy(text string) float64 {
	var count [256]uint16
	for i := range len(text) {
		count[text[i]]++
	}
	sum, logs := 0.0, timesLog()
	for i := range len(text) {
		if n := count[text[i]]; n > 0 {
			sum += logs[min(int(n), len(logs)-1)]
			count[text[i]] = 0
		}
	}
	return math.Log2(float64(len(text))) - sum/float64(len(text))
}

// timesLog caches n·log2(n).
var timesLog = sync.OnceValue(func() *[maxValue + 1]float64 {
	var table [maxValue + 1]float64
	for n := 1; n < len(table); n++ {
		table[n] = float64(n) * math.Log2(float64(n))
	}
	return &table
})

// standsFor reports whether a text is a placeholder: one of our marks, an example, or a word
// such as "none".
func standsFor(text string) bool {
	if strings.ContainsAny(text, "<>") || strings.Contains(text, "...") || strings.Contains(text, "…") || !varies(text) {
		return true
	}
	if text[0] == '[' || strings.Contains(text, ":1]") || hasMark(text) {
		return true
	}
	return foldedIn(nothings, text) != 0 || examples().in(text)
}

// nothings are values that mean "no secret"; examples are words that make any value with one
// of them an example.
var (
	nothings = newWords().and(aWhich, `true false null none nil undefined string password passwd pass secret token changeme required optional
		redacted example hidden unknown default empty`)
	examples = vocabulary(`your example placeholder redacted changeme change_me change-me xxxx **** replace insert_ dummy todo
		0123456789 123456789012 abcdefgh`)
)

// varies reports whether a text has at least two different bytes.
func varies(text string) bool { return strings.Trim(text, text[:1]) != "" }

// hasMark reports whether a text contains one of our marks.
func hasMark(text string) bool {
	for {
		_, rest, ok := strings.Cut(text, "[")
		if !ok {
			return false
		}
		name := markName.span(rest, 0, 64)
		if name > 0 && name < len(rest) && rest[name] == ':' {
			if n := digits.span(rest, name+1, 12); n > name+1 && n < len(rest) && rest[n] == ']' {
				return true
			}
		}
		text = rest
	}
}

// reference reports whether a text only refers to a secret: by a variable, a path or a call.
func reference(text string) bool {
	switch first := text[0]; {
	case first == '{':
		return true
	case first == '/' || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "~/"):
		return !looksRandom(text)
	case strings.IndexByte("$%#@&*~", first) >= 0 && len(text) > 1:
		name := strings.Trim(text[1:], "%")
		if text[1] == '{' || text[1] == '(' || digits.only(name) || nameLike(name) && !hasDigit(name) {
			return true
		}
	}
	return strings.Contains(text, "${") || strings.Contains(text, "{{") || strings.Contains(text, "$(") || references().in(text)
}

// references are words that occur in such values.
var references = vocabulary(`:// process.env os.environ getenv env. environ[ secrets. vault: arn: op:/ req.body request. config. this. self.
	props. params. form.`)
