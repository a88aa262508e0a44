package query_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/query"
)

func mustParse(t testing.TB, text string) query.Q {
	t.Helper()
	q, err := query.Parse(text, now)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return q
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		query string
		lines []string // values separated by |
		not   []string
	}{
		{"", []string{"", "x"}, nil},
		{"half line", []string{"a half line", "HALF|Line", "behalf|outlined"}, []string{"half", "line|x"}},
		{`"half line"`, []string{"x|A Half Line."}, []string{"half|line", "half  line"}},
		{"a OR b c", []string{"ac", "b|c"}, []string{"ab", "c"}},
		{"-bad good", []string{"good"}, []string{"good|BAD", "x"}},
		{"-bad", []string{"", "good"}, []string{"bad", "x|badly"}},
		{"éa", []string{"ÉA", "xéay"}, []string{"ea"}},
		{"ΣΊΣΥΦΟΣ", []string{"σίσυφος"}, nil},
		{"привет", []string{"ПРИВЕТ мир"}, []string{"привёт"}},
		{"straße", []string{"STRAẞE"}, []string{"strasse"}},
		{"kiss", []string{"\u212ai\u017fs", "KISS"}, []string{"kis"}},
		{"s", []string{"\u017f", "S"}, []string{"", "x"}},
		{"語", []string{"日本語です"}, []string{"日本"}},
		{`/read(String|Line)\(/`, []string{"r.ReadString('\\n')", "x\ny readline( z"}, []string{"read string(", "readString|("}},
		{`/^func \w+$/`, []string{"x\nfunc Foo\ny", "FUNC bar"}, []string{"x func Foo", "func Foo {"}},
		{`/\Afoo/`, []string{"foobar"}, []string{"x\nfoo"}},
		{`/(?-i:Foo)bar/`, []string{"xFooBAR"}, []string{"foobar"}},
		{`/a.c/ -/b\d/`, []string{"abc", "AxC"}, []string{"abc|b1", "a\nc"}},
		{`/foo\s+bar/`, []string{"FOO\n\n bar"}, []string{"foobar"}},
		{`/x*/`, []string{"", "y"}, nil},
		{`/é+t/`, []string{"ÉÉT", "xét"}, []string{"et"}},
	} {
		m := mustParse(t, c.query).Matcher()
		for i, line := range slices.Concat(c.lines, c.not) {
			if got, want := m.Line(slices.Values(strings.Split(line, "|"))), i < len(c.lines); got != want {
				t.Errorf("%s on %q: got %v", c.query, line, got)
			}
		}
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct{ query, text, want string }{
		{"half line", "a Half line, half", "a «Half» «line», «half»"},
		{"ab bc", "xabcx ab bc", "x«abc»x «ab» «bc»"},
		{"ab -cd", "abcd", "«ab»cd"},
		{"aa", "aaa aaaa", "«aa»a «aaaa»"},
		{"é OR k", "É\u212a k e", "«É\u212a» «k» e"},
		{`/l\w+/ OR "x y"`, "line\nx y lo", "«line»\n«x y» «lo»"},
		{`/fo*\b/`, "f\nfoo Fo food", "«f»\n«foo» «Fo» food"},
		{"本", "日本語本", "日«本»語«本»"},
		{"/x*/", "yy", "yy"},
	} {
		m := mustParse(t, c.query).Matcher()
		var b strings.Builder
		last := 0
		for _, s := range m.Spans(c.text, 100) {
			b.WriteString(c.text[last:s.Start] + "«" + c.text[s.Start:s.End] + "»")
			last = s.End
		}
		if got := b.String() + c.text[last:]; got != c.want {
			t.Errorf("%s: got %s, want %s", c.query, got, c.want)
		}
	}
	m := mustParse(t, "a").Matcher()
	if got := m.Spans("a a a a", 2); len(got) != 2 {
		t.Errorf("got %v, want two", got)
	}
}

func TestNeedles(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"", ""},
		{"Parser ab -gone É日", "[parser] [ab] [É日]"},
		{"watch OR tail", "[watch tail]"},
		{"watch OR it", "[watch it]"},
		{`/read(String|Line)/`, "[readline readstring]"},
		{`/foo(bar)?baz\d/`, "[foobarbaz foobaz]"},
		{`/(one|two)(three)?\d/`, "[one two]"},
		{`/fo+bar\b(baz)_x1/`, "[barbaz_x1]"},
		{`/(?:GET|POST) \/api/`, "[get /api post /api]"},
		{`/(alpha|beta){2}/`, "[alpha beta]"},
		{`/\d+/ /a|bcd/`, "nil [a bcd]"},
		{`/foo/ OR bar`, "[foo bar]"},
		{"a\ufffdbcd", "[bcd]"},
	} {
		var parts []string
		for _, alternatives := range mustParse(t, c.query).Matcher().Needles() {
			if alternatives == nil {
				parts = append(parts, "nil")
				continue
			}
			var texts []string
			for _, n := range alternatives {
				texts = append(texts, string(n.Folded))
			}
			parts = append(parts, fmt.Sprint(texts))
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.query, got, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		got := string(query.AppendFold(nil, string(r)))
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if other := string(query.AppendFold(nil, string(f))); other != got {
				t.Fatalf("%c folds to %s, %c to %s", r, got, f, other)
			}
		}
		if !strings.EqualFold(got, string(r)) {
			t.Fatalf("%c folds to %s", r, got)
		}
	}
}

// alphabet has every sort of character that is hard somewhere: with several
// cases, escaped in several ways, of every length, parts of escapes.
var alphabet = []rune("aabkKsSſ\u212aeEéÉσςΣжЖ日本语😀𐐀𐐨\"\\/\n\r\t\b\f\x00\x1b\x7fnuU0019 <>&'{},:\u2028\ufffd")

func randomText(random *rand.Rand, most int) string {
	runes := make([]rune, random.IntN(most))
	for i := range runes {
		runes[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(runes)
}

// otherCase changes the case of letters at random.
func otherCase(random *rand.Rand, s string) string {
	return strings.Map(func(r rune) rune {
		for range random.IntN(4) {
			r = unicode.SimpleFold(r)
		}
		return r
	}, s)
}

// encodings writes a value in all the ways a JSON writer may.
func encodings(random *rand.Rand, value string) [][]byte {
	plain, _ := json.Marshal(value)
	var unescaped bytes.Buffer
	enc := json.NewEncoder(&unescaped)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err)
	}
	return [][]byte{plain, bytes.TrimSuffix(unescaped.Bytes(), []byte("\n")), encodeAtRandom(random, value, 2), encodeAtRandom(random, value, 1)}
}

// encodeAtRandom writes one in n characters as \u escapes.
func encodeAtRandom(random *rand.Rand, value string, n int) []byte {
	out := []byte(`"`)
	for _, r := range value {
		single, _ := json.Marshal(string(r))
		switch {
		case random.IntN(n) == 0 && r >= 0x10000:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04X\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		case random.IntN(n) == 0 && r < 0x10000:
			out = fmt.Appendf(out, []string{`\u%04x`, `\u%04X`}[random.IntN(2)], r)
		case r == '/' && random.IntN(2) == 0:
			out = append(out, `\/`...)
		default:
			out = append(out, single[1:len(single)-1]...)
		}
	}
	return append(out, '"')
}

// check asserts that whatever is in a decoded value is found in every raw form
// of it, and that decoded matching is right.
func check(t *testing.T, random *rand.Rand, needle, value string) {
	t.Helper()
	q := query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: needle}}}}}
	m := q.Matcher()
	want := strings.Contains(string(query.AppendFold(nil, value)), string(query.AppendFold(nil, needle)))
	if got := m.Line(slices.Values([]string{value})); got != want {
		t.Fatalf("%q in %q: got %v", needle, value, got)
	}
	if spans := m.Spans(value, 1); want != (len(spans) == 1) || want && !strings.HasPrefix(
		string(query.AppendFold(nil, value[spans[0].Start:spans[0].End])), string(query.AppendFold(nil, needle))) {
		t.Fatalf("%q in %q: got spans %v", needle, value, spans)
	}
	if !want {
		return
	}
	for _, raw := range encodings(random, value) {
		line := slices.Concat([]byte(`{"k":"x\\","v":`), raw, []byte(`}`))
		for _, alternatives := range m.Needles() {
			if alternatives != nil && !alternatives[0].Find(line) {
				t.Fatalf("%q is not found in %s", needle, line)
			}
		}
		block := slices.Concat([]byte("{\"a\":\"b\"}\n"), line, []byte("\n{}\n"))
		found := false
		for offset, candidate := range m.Candidates(block) {
			found = found || offset == 10 && bytes.Equal(candidate, line)
		}
		if !found {
			t.Fatalf("%q: %s is no candidate", needle, line)
		}
	}
}

func TestRaw(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range tries(60000) {
		needle := randomText(random, 7)
		if needle == "" {
			continue
		}
		value := randomText(random, 40)
		if random.IntN(4) > 0 {
			value += otherCase(random, needle) + randomText(random, 40)
		}
		check(t, random, needle, value)
	}
	// Far enough for every loop, and over the edges of what is read at a time.
	for n := range 200 {
		check(t, random, "Needle\n", strings.Repeat("x", 4000+n)+"nEEdle\n"+strings.Repeat("n", n))
	}
}

func FuzzRaw(f *testing.F) {
	f.Add("needle", "a Needle", uint64(1))
	f.Add("\\\\", "\\\\\\", uint64(2))
	f.Add("\"\n😀", "x\"\n😀y", uint64(3))
	f.Fuzz(func(t *testing.T, needle, value string, seed uint64) {
		needle, value = strings.ToValidUTF8(needle, ""), strings.ToValidUTF8(value, "")
		if needle != "" {
			random := rand.New(rand.NewPCG(seed, 0))
			check(t, random, needle, value)
			check(t, random, needle, value+otherCase(random, needle)+value)
		}
	})
}

// A regular expression gives the same answer whichever way it is run.
func TestRegexps(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	pieces := []string{"a", "B", "foo", "k", "é", ".", "\\w", "[a-c]", "[^b]", "^", "$", "\\b", "\\s", "(a|foo)", "(?:x|)", "+", "*", "?", "{2}", "|", "(?-i:F)", "(?s:.)", "\\z", "\\n", "[[:upper:]]", "(?-i:[a-f])"}
	letters := []string{"a", "B", "c", "foo", "FOO", "K", "é", " ", "\n", "x", "\u212a"}
	random := rand.New(rand.NewPCG(5, 6))
	for range tries(8000) {
		var pattern, value strings.Builder
		for range 1 + random.IntN(6) {
			pattern.WriteString(pieces[random.IntN(len(pieces))])
		}
		for range random.IntN(20) {
			value.WriteString(letters[random.IntN(len(letters)-random.IntN(2)*3)])
		}
		re, err := regexp.Compile("(?im)" + pattern.String())
		if err != nil {
			continue
		}
		q := query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Regexp, Text: pattern.String()}}}}}
		m := q.Matcher()
		if got, want := m.Line(slices.Values([]string{value.String()})), re.MatchString(value.String()); got != want {
			t.Fatalf("/%s/ on %q: got %v", pattern.String(), value.String(), got)
		}
		for _, raw := range encodings(random, value.String()) {
			for range m.Candidates(raw) {
				raw = nil
			}
			if raw != nil && re.MatchString(value.String()) {
				t.Fatalf("/%s/: %s is no candidate", pattern.String(), raw)
			}
		}
		spans, want := make([]bool, value.Len()), make([]bool, value.Len())
		for _, s := range m.Spans(value.String(), 1000) {
			for i := s.Start; i < s.End; i++ {
				spans[i] = true
			}
		}
		for _, s := range re.FindAllStringIndex(value.String(), -1) {
			for i := s[0]; i < s[1]; i++ {
				want[i] = true
			}
		}
		if !slices.Equal(spans, want) {
			t.Fatalf("/%s/ on %q: got %v, want %v", pattern.String(), value.String(), spans, want)
		}
	}
}
