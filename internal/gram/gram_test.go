package gram

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// A filter must have the bits of every four bytes, folded, of what was added,
// wherever a line is cut.
func TestFilterMissesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		line := make([]byte, rng.IntN(200))
		for i := range line {
			line[i] = byte(rng.IntN(256))
		}
		f := filterOf(string(line))
		low := lower(line)
		for i := 0; i+Len <= len(low); i++ {
			b := bucket(binary.LittleEndian.Uint32(low[i:]))
			if f[b>>6]&(1<<(b&63)) == 0 {
				t.Fatalf("%q: %q is missing", line, low[i:i+Len])
			}
		}
	}
}

func filterOf(line string) Filter {
	var b Builder
	b.Add([]byte(line))
	return b.Filter()
}

func lower(b []byte) []byte {
	out := bytes.Clone(b)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return out
}

func TestBlobsAreLeftOut(t *testing.T) {
	blob := strings.Repeat("QUJD", 100)
	for _, line := range []string{
		`{"a":"x","signature":"` + blob + `","b":"y"}`,
		`{"source":{"type":"base64","data":"` + blob + `"},"signature":"short"}`,
	} {
		with, without := filterOf(line), filterOf(strings.Replace(line, blob, "", 1))
		if f := (Filter{}); with == f || countBits(&with) > countBits(&without)+4 {
			t.Errorf("%d bits, want about %d", countBits(&with), countBits(&without))
		}
	}
}

// The shortest blob is seen wherever it stands, and every escape too.
func TestPlacesDoNotMatter(t *testing.T) {
	blob := strings.Repeat("QUJD", blobSize/4)
	for n := range 3 * blobSize {
		before := strings.Repeat("a b ", n/4) + "a b "[:n%4]
		if line := before + `"signature":"` + blob + `"`; !mayHaveBlob([]byte(line)) {
			t.Fatalf("a blob behind %d bytes is not seen", n)
		}
		for _, escape := range []string{`\u00e9`, `\/`} {
			if !mayHaveEscape([]byte(before + escape + before)) {
				t.Fatalf("%s behind %d bytes is not seen", escape, n)
			}
		}
		if mayHaveEscape([]byte(before + `\n\"` + before)) {
			t.Fatalf("an escape that has one form is taken for another, behind %d bytes", n)
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
