package redact_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"

	"sesskeep/internal/redact"
	"sesskeep/internal/storetest"
	"sesskeep/internal/storetest/planted"
)

// A secret is found in JSON that is a string of JSON, however deep, as tools print it.
func TestNested(t *testing.T) {
	m, r := planted.New(storetest.Seed(t)), rules(t, redact.Options{})
	missed, all := 0, 0
	for _, s := range m.Formed(5) {
		if written(s.Secret, 1) != s.Secret || strings.Contains(r.Document().Text(s.Text), s.Secret) {
			continue // it has escapes of its own, or is one of the few that stay
		}
		for depth := 1; depth <= 4; depth++ {
			text := "tool: " + written("line one\n"+s.Text+"\ttwo", depth)
			all++
			if got := r.Document().Text(text); strings.Contains(got, s.Secret) {
				missed++
				t.Logf("%s at depth %d: %.200q", s.Kind, depth, got)
			}
		}
	}
	if all < 500 || missed*100 > all {
		t.Errorf("%d of %d stay", missed, all)
	}
}

// written writes a text as a JSON string, that as another one, and so on.
func written(text string, depth int) string {
	for range depth {
		raw, _ := json.Marshal(text)
		text = string(raw[1 : len(raw)-1])
	}
	return text
}

// Wherever the pieces end in which an output is read, a secret is found: at each place of it.
func TestCopyAtEachOffset(t *testing.T) {
	const piece = 256 << 10 // as Copy reads it
	r := rules(t, redact.Options{})
	for _, secret := range []string{aToken, "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkq\n", 4) + "-----END PRIVATE KEY-----"} {
		for cut := range len(secret) + 1 {
			text := strings.Repeat("x", piece-cut-1) + "\n" + secret + "\nthe rest"
			var got bytes.Buffer
			if err := r.Document().Copy(&got, iotest.HalfReader(strings.NewReader(text))); err != nil {
				t.Fatal(err)
			}
			if want := r.Document().Text(text); got.String() != want || strings.Contains(want, secret) {
				t.Fatalf("cut after %d bytes: …%q", cut, clip(got.String(), piece-cut))
			}
		}
	}
}
