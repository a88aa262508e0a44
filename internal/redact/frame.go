package redact

import "strings"

// frames are the families that are recognized by the text before the secret.
var frames = []rule{
	{family: "password", context: true, literals: []string{"pass", "pwd"}, match: assigned},
	{family: "secret", context: true, literals: []string{"secret", "credential"}, match: assigned},
	{family: "password", context: true, literals: []string{"_pw", "-pw", "psk"}, match: assigned},
	{family: "password", context: true, literals: []string{"pw=", "pw:"}, match: shortName},
	{family: "password", context: true, literals: []string{"identified by "}, match: identified},
	{family: "password", context: true, literals: lowered(abroad), match: spoken},
	{family: "token", context: true, literals: []string{"token"}, match: assigned},
	{family: "key", context: true, literals: []string{"key"}, match: assigned},
	{family: "authorization", context: true, literals: []string{"authorization", "x-api-key", "x-auth-token", "private-token"}, match: authorization},
	{family: "authorization", context: true, literals: []string{"bearer "}, match: bearer},
	{family: "authorization", context: true, literals: []string{"\"auth", "_auth"}, match: basicValue},
	{family: "cookie", context: true, literals: []string{"cookie"}, match: cookie},
	{family: "cookie", context: true, literals: []string{"\ttrue\t", "\tfalse\t"}, match: cookieJar},
	{family: "aws-secret-key", context: true, literals: []string{"akia", "asia"}, match: awsSecret},
	{family: "mnemonic", context: true, literals: []string{"mnemonic", "seed phrase", "recovery phrase"}, match: mnemonic},
	{family: "url-password", context: true, literals: []string{"://"}, match: urlPassword},
	{family: "url-token", context: true, literals: []string{"sig=", "code=", "auth=", "key=", "appid=", "signature="}, match: queryValue},
	{family: "command-password", context: true, literals: []string{" -u ", " -u", "--user ", "sshpass -p", " -p", " -a ", " -b ", "--cookie "}, match: commandPassword},
	{family: "command-password", context: true, literals: []string{"sudo -s"}, match: sudoPassword},
	{family: "netrc", context: true, literals: []string{"login "}, match: netrc},
}

// builtin returns all rules of this package.
func builtin() []rule {
	var list []rule
	for _, k := range tokens {
		list = append(list, k.rule())
	}
	list = append(append(list, forms...), frames...)
	return append(list, wrapped(list[len(tokens):])...)
}

// skipQuotes returns where the text continues after quotes, escapes and blanks.
func skipQuotes(text string, i int) int { return quotes.span(text, i, 8) }

var (
	quotes = setOf(" \t\"'`").with(`\`)
	// plain are the bytes that a value without quotes can have.
	plain = func() *set {
		var s set
		for c := 0x21; c < 0x7f; c++ {
			s[c] = true
		}
		for c := 0x80; c < 0x100; c++ {
			s[c] = true
		}
		for _, c := range []byte("\"'`,;<>(){}[]\\&|") {
			s[c] = false
		}
		return &s
	}()
)

// authorization finds the credentials in an Authorization header, after the name of the scheme.
func authorization(s *scan, _, end int) (int, int, bool) {
	i := skipQuotes(s.text, end)
	if i == len(s.text) || s.text[i] != ':' && s.text[i] != '=' && s.text[i] != ',' {
		return 0, 0, false
	}
	i = skipQuotes(s.text, i+1)
	scheme := ""
	for _, name := range []string{"bearer", "basic", "token", "apikey", "digest", "negotiate", "key", "splunk"} {
		if len(s.text) > i+len(name) && fold(s.text[i:i+len(name)], name) && blank[s.text[i+len(name)]] {
			i, scheme = blank.span(s.text, i+len(name), 8), name
			break
		}
	}
	stop := plain.span(s.text, i, 4000)
	value := s.text[i:stop]
	if scheme == "basic" && basic(value) {
		return i, stop, true
	}
	return i, stop, len(value) >= 8 && !standsFor(value) && (looksRandom(value) || len(value) >= 12 && hasDigit(value) && varied(value))
}

// basicValue finds user:password in base64, as the files of docker and npm have it.
func basicValue(s *scan, _, end int) (int, int, bool) {
	gap := closing.span(s.text, end, 8)
	if gap == len(s.text) || s.text[gap] != ':' && s.text[gap] != '=' {
		return 0, 0, false
	}
	i := skipQuotes(s.text, gap+1)
	stop := base64.span(s.text, i, 1000)
	return i, stop, basic(s.text[i:stop])
}

// shortName is assigned for pw, which is also found within any text in base85.
func shortName(s *scan, at, end int) (int, int, bool) {
	from := identifier.name(s.text, at, maxName)
	if from > 0 && !gapBytes[s.text[from-1]] && strings.IndexByte("\"'&?,;{(", s.text[from-1]) < 0 {
		return 0, 0, false
	}
	return assigned(s, at, end-1)
}

// identified finds the password in SQL that creates a user.
func identified(s *scan, _, end int) (int, int, bool) {
	v, ok := inQuotes(s.text, end)
	ok = ok && s.text[end-len("IDENTIFIED BY "):end] == "IDENTIFIED BY " && s.text[end] != '`'
	return v.start, v.end, ok && len(v.text) >= 4 && !standsFor(v.text) && !reference(v.text)
}

// lowered returns words as literals have to be. Only ASCII has a case there.
func lowered(list []string) (low []string) {
	for _, w := range list {
		b := []byte(w)
		for i, c := range b {
			b[i] = lowerOf(c)
		}
		low = append(low, string(b))
	}
	return low
}

// bearer finds a token after the word Bearer, without a header before it.
func bearer(s *scan, at, end int) (int, int, bool) {
	stop := bearing.span(s.text, end, 4000)
	stop = withoutStop(s.text, end, stop)
	return end, stop, opens(s.text, at) && stop-end >= 16 && looksRandom(s.text[end:stop])
}

// cookie finds the values of a header Cookie or Set-Cookie.
func cookie(s *scan, at, end int) (int, int, bool) {
	text := s.text
	i := quotes.span(text, end, 4)
	if i == len(text) || text[i] != ':' && text[i] != '=' || !opens(text, at) {
		return 0, 0, false
	}
	i = quotes.span(text, i+1, 4)
	single := at >= 4 && fold(text[at-4:at], "set-")
	stop := cookieBytes.span(text, i, 4000)
	name := word.with("-.").span(text[:stop], i, 100)
	if name == i || name == stop || text[name] != '=' {
		return 0, 0, false
	}
	if single {
		i = name + 1
		if n := strings.IndexByte(text[i:stop], ';'); n >= 0 {
			stop = i + n
		}
	}
	for stop > i && (text[stop-1] == ' ' || text[stop-1] == ';') {
		stop--
	}
	return i, stop, hasSecretValue(text[i:stop])
}

var cookieBytes = plain.with(" ;,&(){}[]|")

// hasSecretValue reports whether one of the values of a cookie is long and not a word.
func hasSecretValue(text string) bool {
	for piece := range strings.SplitSeq(text, ";") {
		_, value, named := strings.Cut(piece, "=")
		if !named {
			value = piece
		}
		if value = strings.TrimSpace(value); len(value) >= 8 && !standsFor(value) && (looksRandom(value) || hasDigit(value) && len(value) >= 16) {
			return true
		}
	}
	return false
}

// urlPassword finds the password of scheme://user:password@host, and a token that stands
// where the user would.
func urlPassword(s *scan, at, end int) (int, int, bool) {
	text := s.text
	if from := scheme.back(text, at, 24); from == at {
		return 0, 0, false
	}
	stop := userinfo.span(text, end, 512)
	if stop == len(text) || text[stop] != '@' {
		return 0, 0, false
	}
	for more := userinfo.span(text, stop+1, 512); more < len(text) && text[more] == '@'; more = userinfo.span(text, more+1, 512) {
		stop = more // the password has an @
	}
	user, password, named := strings.Cut(text[end:stop], ":")
	if !named {
		return end, stop, len(user) >= 16 && looksRandom(user)
	}
	from := stop - len(password)
	return from, stop, len(password) >= 3 && !standsFor(password) && !reference(password)
}

var userinfo = func() *set {
	s := *plain.with("&,;()|")
	for _, c := range []byte("/@?#") {
		s[c] = false
	}
	return &s
}()

// queryValue finds a value in the query of a URL.
func queryValue(s *scan, at, end int) (int, int, bool) {
	before := strings.TrimSuffix(strings.TrimSuffix(s.text[:at], "X-Amz-"), "X-Goog-")
	if len(before) == at && !strings.HasSuffix(before, "&") && !strings.HasSuffix(before, "?") && !strings.HasSuffix(before, `\u0026`) {
		return 0, 0, false
	}
	stop := query.span(s.text, end, 1000)
	return end, stop, stop-end >= 20 && looksRandom(s.text[end:stop])
}
