package redact_test

import (
	"strings"
	"testing"

	"sesskeep/internal/redact"
	"sesskeep/internal/storetest"
	"sesskeep/internal/storetest/planted"
)

// Text of every kind: no secrets but many words that stand beside them, and one in
// every line.
func BenchmarkText(b *testing.B) {
	m, r := planted.New(1), rules(b, redact.Options{})
	var clean, dense strings.Builder
	for _, s := range m.Lookalikes(20000) {
		clean.WriteString(s.Text + "\n")
	}
	for _, s := range append(m.Formed(40), m.Framed(120)...) {
		dense.WriteString(s.Text + "\n")
	}
	words := strings.Repeat(`"token": null, key = value; password_hash: pass, secret.key, `, 1<<14)
	for name, text := range map[string]string{"lookalikes": clean.String(), "secrets": dense.String(), "words": words} {
		b.Run(name, func(b *testing.B) {
			before := storetest.CPU(b)
			for b.Loop() {
				r.Document().Text(text)
			}
			used := storetest.CPU(b) - before
			b.ReportMetric(float64(len(text))*float64(b.N)/used.Seconds()/1e6, "MB/cpu-s")
		})
	}
}
