package query_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"sesskeep/internal/query"
)

// Text made to be slow to search takes time in proportion to its length: with
// a square in it this test would take hours.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it is concurrent")
	}
	size := tries(2 << 20)
	for _, piece := range []string{`\`, `\\`, `\u`, `\u005c`, `\u00`, `"`, `\"`, "a", "ſ", "aaaab", "\x00", "\xff", "\n"} {
		text := strings.Repeat(piece, size/len(piece))
		for _, needle := range []string{`\\\`, `"\\`, `\\"`, `\\u`, `a\\\`, "aaac", "baaa", strings.Repeat("a", 60) + "c", "sss", "\n\n\n", "\x00\x00\x01"} {
			q := query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: needle}}}}}
			m := q.Matcher()
			m.Needles()[0][0].Find([]byte(text))
			m.Line(slices.Values([]string{text}))
			m.Spans(text, 100)
		}
	}
	long := strings.Repeat("foo bar\n", size/8)
	for _, pattern := range []string{`/fo+ baz/`, `/(foo|qux).*z/`, `/foo\s+z/`} {
		if m := mustParse(t, pattern).Matcher(); m.Line(slices.Values([]string{long})) {
			t.Errorf("%s matches", pattern)
		}
	}
}

func TestConcurrent(t *testing.T) {
	m := mustParse(t, `/fo+\s\w/ bar OR baz -gone`).Matcher()
	block := []byte("{\"a\":\"foo Bar\"}\n{\"a\":\"foo\"}\n")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				lines := 0
				for range m.Candidates(block) {
					lines++
				}
				if spans := m.Spans("foo Bar", 9); lines != 1 || len(spans) != 1 || !m.Line(slices.Values([]string{"x", "Foo bar"})) {
					t.Error("one matcher, several answers")
				}
			}
		})
	}
	all.Wait()
}
