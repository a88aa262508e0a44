package search_test

import (
	"slices"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/gram"
	"sesskeep/internal/index/search"
	"sesskeep/internal/query"
	"sesskeep/internal/storetest"
)

// A Skim finds in every line what Decode and Values do.
func TestSkim(t *testing.T) {
	lines := []string{
		`{"uuid":"a","type":"user","message":{"content":[{"type":"text","text":"x\ny"},{"signature":"s"}]}}`,
		`{"type":"user","data":{"uuid":"inner"},"uuid":"outer","n":-1.5e3,"ok":true}`,
		`{"type":"user","uuid":"outer","data":{"uuid":"inner"}}`,
		`{"uuid":"first","uuid" : "last" , "x":null } `,
		`{"uuid":"first","message":{"a":"b"},"result":{"n":[1]}}`, `{"uuid":"first","uu\u0069d":"last","result":{}}`,
		`{"uuid":"first","result":{},"uuid":"last","more":{}}`, `{"uuid":"first","result":{"uuid":"inner"}}`, `{"data":{"uuid":"inner"},"result":{}}`,
		`{"uuid":["deep"],"type":{"a":"b"}}`,
		`{"uuid":"a\u0062","x":"\\\""}`,
		`{"x":"\"uuid\":\"no\""}`,
		`{"x":"say \"uuid\": \"no\"","y":"\"uuid","uuid" : "yes","z":{"a":1}}`, `{"type":"uuid","x":"uuid","uuid":"yes","z":{}}`,
		`{"uuid":"a\\b","z":{}}`, `{"uuid":"first","uu\u0069d":"first","z":{}}`, `{"uu\u0069d":"last","z":{}}`, `{"uuid":7,"z":{}}`, `{"uuid":"","z":{"a":"uuid"}}`,
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
	owned := 0
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
		for _, plain := range []bool{false, !query.EscapesPrintable([]byte(line))} {
			if uuid, err := s.UUIDOf([]byte(line), plain, false); err != nil || string(uuid) != e.UUID {
				t.Fatalf("%.200s: uuid %q, %v", line, uuid, err)
			}
		}
		var b gram.Builder
		b.Add([]byte(line))
		if own := b.Own(e.UUID); own {
			owned++
			if uuid, err := s.UUIDOf([]byte(line), true, true); err != nil || string(uuid) != e.UUID {
				t.Fatalf("%.200s: the only uuid is %q, %v", line, uuid, err)
			}
		}
	}
	if len(lines) < 100 || owned < len(lines)*9/10 {
		t.Fatalf("only %d lines, %d with no other uuid", len(lines), owned)
	}
}
