package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
)

// manyRows is a list as a home of several years has it.
const manyRows = 10_000

// BenchmarkList lists 10,000 sessions: all that is known of each, as --json needs it,
// and as much as a table shows.
func BenchmarkList(b *testing.B) {
	home := b.TempDir()
	for n := range manyRows {
		writeListed(b, home, n)
	}
	x, h := open(b, b.TempDir(), home, index.Options{})
	for name, brief := range map[string]bool{"whole": false, "brief": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if page := list(b, x, ask.Filter{Homes: []ask.Home{h}, Brief: brief}); len(page.Sessions) != manyRows {
					b.Fatalf("%d rows, want %d", len(page.Sessions), manyRows)
				}
			}
		})
	}
}

// writeListed writes a session with a value in most fields of its row.
func writeListed(b *testing.B, home string, n int) {
	b.Helper()
	id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", n)
	dir := filepath.Join(home, "projects", fmt.Sprintf("-w-%d", n%50))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	text := fmt.Sprintf(`{"type":"user","uuid":"u%[2]d","parentUuid":null,"sessionId":%[1]q,"cwd":"/w/%[3]d","version":"2.1.100","gitBranch":"feature/%[3]d","slug":"calm-river-%[2]d","entrypoint":"cli","timestamp":"2026-11-%02[4]dT10:00:00.000Z","message":{"role":"user","content":"Please explain how the parser reads half a line %[2]d"}}
{"type":"assistant","uuid":"a%[2]d","parentUuid":"u%[2]d","sessionId":%[1]q,"cwd":"/w/%[3]d","version":"2.1.100","gitBranch":"feature/%[3]d","timestamp":"2026-11-%02[4]dT10:00:05.000Z","message":{"id":"m%[2]d","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"It waits for the rest of the line, and reads it then."}],"usage":{"input_tokens":10,"output_tokens":20}}}
`, id, n, n%50, 1+n%28)
	if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}
