package redact_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/redact"
	"sesskeep/internal/storetest"
	"sesskeep/internal/storetest/planted"
)

func rules(t testing.TB, o redact.Options) *redact.Rules {
	t.Helper()
	r, err := redact.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// score is how much of a kind was right.
type score struct {
	right, all int
	wrong      []string
}

func (s *score) add(right bool, text string) {
	s.all++
	if right {
		s.right++
	} else if len(s.wrong) < 3 {
		s.wrong = append(s.wrong, text)
	}
}

func (s *score) share() float64 { return float64(s.right) / float64(max(s.all, 1)) }

// The corpus of planted secrets and look-alikes, with another seed each time: G-45.
func TestCorpus(t *testing.T) {
	m, r := planted.New(storetest.Seed(t)), rules(t, redact.Options{})
	kinds := map[string]*score{}
	var formed, all, clean score
	samples := append(m.Formed(25), m.Framed(50)...)
	for _, s := range samples {
		if !strings.Contains(s.Text, s.Secret) {
			continue // written with escapes
		}
		gone := !strings.Contains(r.Document().Text(s.Text), s.Secret)
		all.add(gone, s.Text)
		if s.Formed {
			formed.add(gone, s.Text)
		}
		k := cmp.Or(kinds[s.Kind], &score{})
		k.add(gone, s.Text)
		kinds[s.Kind] = k
	}
	for _, s := range m.Lookalikes(21000) {
		got := r.Document().Text(s.Text)
		clean.add(got == s.Text, s.Text)
		k := cmp.Or(kinds["not: "+s.Kind], &score{})
		k.add(got == s.Text, s.Text+"\n → "+got)
		kinds["not: "+s.Kind] = k
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if k := kinds[name]; k.right < k.all {
			t.Logf("%-34s %4d of %4d  %.300q", name, k.right, k.all, k.wrong)
		}
	}
	t.Logf("structured %.4f of %d, all %.4f of %d, look-alikes left alone %.5f of %d",
		formed.share(), formed.all, all.share(), all.all, clean.share(), clean.all)
	if all.all < 2000 || clean.all < 20000 {
		t.Errorf("the corpus has only %d secrets and %d look-alikes", all.all, clean.all)
	}
	if formed.share() < 0.99 || all.share() < 0.90 || clean.share() < 0.995 {
		t.Error("too many secrets stay, or too much else goes")
	}
}
