package search_test

import (
	"slices"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/index/search"
	"sesskeep/internal/storetest"
)

// A Skim finds in every line what Decode and Values do.
func TestSkim(t *testing.T) {
	lines := []string{
		`{"uuid":"a","type":"user","message":{"content":[{"type":"text","text":"x\ny"},{"signature":"s"}]}}`,
		`{"type":"user","data":{"uuid":"inner"},"uuid":"outer","n":-1.5e3,"ok":true}`,
		`{"type":"user","uuid":"outer","data":{"uuid":"inner"}}`,
		`{"uuid":"first","uuid" : "last" , "x":null } `,
		`{"uuid":["deep"],"type":{"a":"b"}}`,
		`{"uuid":"a\u0062","x":"\\\""}`,
		`{"x":"\"uuid\":\"no\""}`,
		`{}`, `{"a":1}`, `{"uuid":"` + strings.Repeat("long", 1000) + `"}`,
	}
	c, err := storetest.Make(t.TempDir(), storetest.S.Scale(0.1), 5)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sesskeep.Open(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		raw, err := store.Files().ReadFile(f.Name, 64<<20)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Split(strings.TrimSpace(string(raw)), "\n")...)
	}
	var s search.Skim
	for _, line := range lines {
		e, failed := sesskeep.Decode([]byte(line))
		var want, got []string
		for v := range search.Values(&e) {
			want = append(want, v.Text)
		}
		err := s.Read([]byte(line), func(text []byte) bool {
			got = append(got, string(text))
			return true
		})
		if (err == nil) != (failed == nil) {
			t.Fatalf("%.200s: %v, want %v", line, err, failed)
		}
		if err != nil {
			continue
		}
		if !slices.Equal(got, want) || s.Kind != e.Kind || string(s.UUID) != e.UUID {
			t.Fatalf("%.200s: got %s %s %.300q, want %s %s %.300q", line, s.Kind, s.UUID, got, e.Kind, e.UUID, want)
		}
		for n := range min(len(want), 5) {
			left := n
			if err := s.Read([]byte(line), func([]byte) bool { left--; return left > 0 }); err != nil || string(s.UUID) != e.UUID || n > 0 && left != 0 {
				t.Fatalf("%.200s: after %d strings %v, %q", line, n, err, s.UUID)
			}
		}
		if uuid, err := s.UUIDOf([]byte(line)); err != nil || string(uuid) != e.UUID {
			t.Fatalf("%.200s: uuid %q, %v", line, uuid, err)
		}
	}
	if len(lines) < 100 {
		t.Fatalf("only %d lines", len(lines))
	}
}
