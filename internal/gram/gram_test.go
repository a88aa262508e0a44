package gram

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		var f Filter
		f.Add(line)
		low := lower(line)
		for i := 0; i+Len <= len(low); i++ {
			b := bucket(binary.LittleEndian.Uint32(low[i:]))
			if f[b>>6]&(1<<(b&63)) == 0 {
				t.Fatalf("%q: %q is missing", line, low[i:i+Len])
			}
		}
	}
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
		var with, without Filter
		with.Add([]byte(line))
		without.Add([]byte(strings.Replace(line, blob, "", 1)))
		if f := (Filter{}); with == f || countBits(&with) > countBits(&without)+4 {
			t.Errorf("%d bits, want about %d", countBits(&with), countBits(&without))
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
			var f Filter
			for i, l := range lines {
				if i%60 == 0 {
					f = Filter{}
				}
				f.Add(l)
			}
		}
	})
	b.Run("bytes", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			var f Filter
			for i, l := range lines {
				if i%60 == 0 {
					f = Filter{}
				}
				f.bytes(l)
			}
		}
	})
}
