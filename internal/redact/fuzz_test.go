package redact_test

import (
	"encoding/json"
	"testing"

	"sesskeep/internal/redact"
	"sesskeep/internal/storetest/planted"
)

// Whatever the text is, secrets lie in it, in order and apart, and JSON stays JSON.
func FuzzRedact(f *testing.F) {
	r := rules(f, redact.Options{Words: []string{"Bluebird"}, Emails: []string{"*"}, Home: "/home/mara"})
	m := planted.New(1)
	for _, s := range append(m.Formed(1), m.Framed(1)...) {
		f.Add(s.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range r.Find(text) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) || s.Family == "" {
				t.Fatalf("%+v after %d of %d", s, last, len(text))
			}
			last = s.End
		}
		line, err := json.Marshal(map[string]string{"password": text, "b": text})
		if err != nil {
			t.Skip()
		}
		if got := r.Document().JSON(line); !json.Valid(got) {
			t.Fatalf("%s\nbecomes %s", line, got)
		}
	})
}
