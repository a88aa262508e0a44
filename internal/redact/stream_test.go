package redact_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"sesskeep/internal/redact"
	"sesskeep/internal/storetest"
	"sesskeep/internal/storetest/planted"
)

// A stream has the marks that the whole text has, wherever secrets lie in it: around the
// borders of its pieces too.
func TestCopy(t *testing.T) {
	seed := storetest.Seed(t)
	m, r := planted.New(seed), rules(t, redact.Options{Words: []string{"Bluebird"}})
	draw := rand.New(rand.NewPCG(seed, 2))
	samples := append(m.Formed(3), m.Framed(6)...)
	var text strings.Builder
	for text.Len() < 2<<20 {
		s := samples[draw.IntN(len(samples))]
		for _, l := range m.Lookalikes(draw.IntN(8)) {
			text.WriteString(l.Text + "\n")
		}
		text.WriteString("\n" + s.Text + "\nBluebird\n")
	}
	whole := r.Document()
	want := whole.Text(text.String())
	for _, shift := range []int{0, draw.IntN(40000)} { // what lies at the borders
		d, got := r.Document(), bytes.Buffer{}
		more := strings.Repeat("x\n", shift/2)
		if err := d.Copy(&got, iotest.HalfReader(strings.NewReader(more+text.String()))); err != nil {
			t.Fatal(err)
		}
		if at := differs(got.String(), more+want); at >= 0 {
			t.Fatalf("at %d of %d:\n%q\nwhole:\n%q", at, len(want), clip(got.String(), at), clip(more+want, at))
		}
	}
	if len(whole.Counts()) < 50 {
		t.Errorf("only %d families are in it", len(whole.Counts()))
	}
	if err := whole.Copy(&bytes.Buffer{}, iotest.ErrReader(bytes.ErrTooLarge)); !errors.Is(err, bytes.ErrTooLarge) {
		t.Errorf("an error of the reader is %v", err)
	}
}

func differs(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

func clip(text string, at int) string { return text[max(0, at-100):min(len(text), at+100)] }
