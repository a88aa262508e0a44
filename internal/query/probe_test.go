package query

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// What looks at many bytes at a time finds what looking at each of them does, wherever it
// stands.
func TestWordsOfBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	letters := []byte("aubu\x00\x01\x7f\x80\x81\xff!")
	for range 3000 {
		b := make([]byte, r.IntN(100))
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		for _, c := range letters {
			if got, want := lastByte(b, c), bytes.LastIndexByte(b, c); got != want {
				t.Fatalf("the last %q of %q: %d, want %d", c, b, got, want)
			}
		}
		pair := []byte{letters[r.IntN(len(letters))], letters[r.IntN(len(letters))]}
		from := r.IntN(len(b) + 1)
		want := bytes.Index(b[from:], pair)
		if want >= 0 {
			want += from
		}
		if got := NextPair(b, pair[0], pair[1], from); got != want {
			t.Fatalf("%q in %q from %d: %d, want %d", pair, b, from, got, want)
		}
	}
}
