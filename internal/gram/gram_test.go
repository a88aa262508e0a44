package gram

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sesskeep/internal/query"
)

// A filter must have the bits of every string of a line, as it is searched for, wherever
// the string stands and however it is written.
func TestFilterMissesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	letters := []rune("abcdefgh ABC:,{}[]Éß中😀\"\\\n/\x01ſK")
	text := func(most int) string {
		s := make([]rune, rng.IntN(most))
		for i := range s {
			s[i] = letters[rng.IntN(len(letters))]
		}
		return string(s)
	}
	for range 2000 {
		var texts []string
		var value func(depth int) []byte
		value = func(depth int) (out []byte) {
			switch n := rng.IntN(6); {
			case n == 0 && depth < 4:
				for i := range 1 + rng.IntN(4) {
					out = append(out, ",["[min(1, 1/(i+1))])
					out = append(out, value(depth+1)...)
				}
				return append(out, ']')
			case n == 1 && depth < 4 || depth == 0:
				for i := range 1 + rng.IntN(5) {
					out = append(out, ",{"[min(1, 1/(i+1))])
					key := []string{"signature", "data", "base64", "a", text(6)}[rng.IntN(5)]
					out = append(append(append(out, written(rng, key)...), " :  "[rng.IntN(2):2+rng.IntN(2)]...), value(depth+1)...)
				}
				return append(out, '}')
			case n == 2:
				return []byte("-1.5e3")
			case n == 3 && len(texts) > 0: // once more, as outputs are
				return written(rng, texts[rng.IntN(len(texts))])
			}
			texts = append(texts, text(90))
			return written(rng, texts[len(texts)-1])
		}
		line := value(0)
		f := filterOf(string(line))
		for _, s := range searched(t, line) {
			if !Has(f.AppendTo(nil), Buckets(query.AppendFold(nil, s))) {
				t.Fatalf("%s: %q is missing", line, s)
			}
		}
	}
}

// searched are the strings of a line that a search looks at.
func searched(t *testing.T, line []byte) (list []string) {
	d := json.NewDecoder(bytes.NewReader(line))
	type level struct {
		object, value bool // in an object, its value comes next
		key           string
	}
	levels := []level{{}}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		top := &levels[len(levels)-1]
		switch s, isText := token.(string); {
		case token == json.Delim(']') || token == json.Delim('}'):
			levels = levels[:len(levels)-1]
			continue
		case isText && top.object && !top.value:
			top.key, top.value = s, true
			continue
		case isText && top.key != "signature":
			list = append(list, s)
		}
		top.value = false
		if d, opens := token.(json.Delim); opens {
			next := level{object: d == '{'}
			if !next.object {
				next.key = top.key
			}
			levels = append(levels, next)
		}
	}
}

func filterOf(line string) Filter {
	var b Builder
	b.Add([]byte(line))
	return b.Filter()
}

func TestBlobsAreLeftOut(t *testing.T) {
	blob := strings.Repeat("QUJD", 100)
	for _, line := range []string{
		`{"a":"some text","signature":"` + blob + `","b":"more text"}`,
		`{"source":{"type":"base64","data":"` + blob + `"},"signature":"short"}`,
	} {
		with, without := filterOf(line), filterOf(strings.Replace(line, blob, "", 1))
		if f := (Filter{}); with == f || countBits(&with) > countBits(&without)+4 {
			t.Errorf("%d bits, want about %d", countBits(&with), countBits(&without))
		}
	}
}

// Every escape that can be written in another way is seen wherever it stands, and no other.
func TestPlacesDoNotMatter(t *testing.T) {
	for n := range 3 * blobSize {
		before := strings.Repeat("a b ", n/4) + "a b "[:n%4]
		for _, escape := range []string{`\u00e9`, `\/`} {
			if !mayHaveEscape([]byte(before + escape + before)) {
				t.Fatalf("%s behind %d bytes is not seen", escape, n)
			}
		}
		for _, escape := range []string{`\n`, `\"`, `\\ `, `\b`, `\f`, `\r`, `\t`} {
			if mayHaveEscape([]byte(before + escape + before)) {
				t.Fatalf("%s is taken for an escape that has two forms, behind %d bytes", escape, n)
			}
		}
	}
	for r := range rune(unicode.MaxRune) {
		if caseless(r) && unicode.SimpleFold(r) != r {
			t.Fatalf("%q has a case", r)
		}
	}
}

func countBits(f *Filter) int {
	n := 0
	for _, w := range f {
		for ; w != 0; w &= w - 1 {
			n++
		}
	}
	return n
}

func BenchmarkFilter(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("SESSKEEP_CORPUS"), "projects", "*", "*.jsonl"))
	if len(files) == 0 {
		b.Skip("SESSKEEP_CORPUS is not set")
	}
	var data []byte
	for _, name := range files[:50] {
		raw, _ := os.ReadFile(name)
		data = append(data, raw...)
	}
	lines := bytes.Split(data, []byte("\n"))
	b.Run("add", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			var f Builder
			for i, l := range lines {
				if i%60 == 0 {
					f.Filter()
				}
				f.Add(l)
			}
		}
	})
	b.Run("bytes", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			var f Builder
			for i, l := range lines {
				if i%60 == 0 {
					f.Filter()
				}
				f.bytes(l)
			}
		}
	})
}

// A string that is not longer than Longest lies in one piece of a long line as a whole,
// however it is written and wherever it stands.
func TestPiecesCutNoString(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	const size = 2000
	letters := []rune("abcdefgh Éß中😀\"\\\n/\x01ſK")
	for range 60 {
		text := make([]rune, 4000)
		for i := range text {
			text[i] = letters[rng.IntN(len(letters))]
		}
		line := written(rng, string(text))
		var b Builder
		inJSON, inText := b.Pieces(line, size), b.TextPieces([]byte(string(text)), size)
		if len(inJSON) < 2 || len(inText) < 2 {
			t.Fatalf("%d bytes have %d pieces", len(line), len(inJSON))
		}
		for range 50 {
			from := rng.IntN(len(text))
			folded := query.AppendFold(nil, string(text[from:min(len(text), from+1+rng.IntN(300))]))
			for _, pieces := range [][]Filter{inJSON, inText} {
				if !slices.ContainsFunc(pieces, func(f Filter) bool { return Has(f.AppendTo(nil), Buckets(folded)) }) {
					t.Fatalf("%q is in no piece", folded)
				}
			}
		}
	}
}

// written is a string of JSON, each character in any of the ways that are allowed.
func written(rng *rand.Rand, text string) []byte {
	out := []byte{'"'}
	for _, r := range text {
		switch short := strings.IndexRune("\"\\/\n", r); {
		case rng.IntN(4) == 0:
			for _, u := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, u)
			}
		case short >= 0 && (r != '/' || rng.IntN(2) == 0):
			out = append(out, '\\', `"\/n`[short])
		case r < ' ':
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}

// Where a run of backslashes is cut, what they escape stays as it is.
func TestPiecesKeepEscapes(t *testing.T) {
	const size = 4000
	line := []byte(`"` + strings.Repeat("ab", size/4) + strings.Repeat(`\\`, size) + `\u00e9t\u00e9 is over"`)
	wanted := Buckets([]byte("été is over"))
	for n := range 4 {
		var b Builder
		if !slices.ContainsFunc(b.Pieces(line, 3*size/2+n), func(f Filter) bool { return Has(f.AppendTo(nil), wanted) }) {
			t.Errorf("pieces of %d bytes lack it", 3*size/2+n)
		}
	}
}
