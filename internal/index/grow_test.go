package index

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/storetest"
)

// talk is a long session that is written line by line: a prompt, four calls
// with their results, an answer, and so on.
type talk struct{ n int }

func (k *talk) line(text string) string {
	head := fmt.Sprintf(`"uuid":"%08d-0000-4000-8000-000000000000","timestamp":%q,"cwd":"/w/long","version":"2.1.150"`,
		k.n, time.Unix(1_790_000_000+int64(k.n), 0).UTC().Format(time.RFC3339))
	if k.n > 0 {
		head += fmt.Sprintf(`,"parentUuid":"%08d-0000-4000-8000-000000000000"`, k.n-1)
	}
	k.n++
	usage := `"usage":{"input_tokens":3,"output_tokens":9}`
	switch i := (k.n - 1) % 10; {
	case i == 0:
		return fmt.Sprintf(`{"type":"user",%s,"message":{"role":"user","content":"prompt %d %s"}}`, head, k.n, text)
	case i == 9:
		return fmt.Sprintf(`{"type":"assistant",%s,"message":{"id":"m%d","model":"claude-x","role":"assistant","content":[{"type":"text","text":"%s"}],%s}}`, head, k.n, text, usage)
	case i%2 == 1:
		return fmt.Sprintf(`{"type":"assistant",%s,"message":{"id":"m%d","model":"claude-x","role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"Bash","input":{"command":"%s"}}],%s}}`, head, k.n, k.n, text, usage)
	}
	return fmt.Sprintf(`{"type":"user",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"%s"}]}}`, head, k.n-1, text)
}

const longName = "projects/-w-long/00000001-0000-4000-8000-000000000000.jsonl"

// writeLong writes a session of n lines.
func writeLong(tb testing.TB, path string, n int, text string) *talk {
	tb.Helper()
	var k talk
	var data bytes.Buffer
	for k.n < n {
		data.WriteString(k.line(text) + "\n")
	}
	must(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	must(tb, os.WriteFile(path, data.Bytes(), 0o600))
	return &k
}

// What a fold says it takes is an estimate, but one to rely on.
func TestFoldSize(t *testing.T) {
	const lines = 20_000
	home := t.TempDir()
	path := filepath.Join(home, filepath.FromSlash(longName))
	writeLong(t, path, lines, "some words")
	x := openAt(t, t.TempDir())
	defer x.Close()
	h := homeAt(t, home)
	refreshAll(t, x, home)
	before := storetest.Heap()
	storetest.AppendBytes(t, path, []byte("\n"))
	absorb(t, x, []Change{{h, longName}})
	held := storetest.Heap() - before
	if size := x.folds.bytes; size < held/2 || size > held*2 {
		t.Errorf("it has %d bytes and reports %d", held, size)
	}
	t.Logf("%d bytes a line, %d reported", held/lines, x.folds.bytes/lines)
}

// BenchmarkAbsorb absorbs lines that are appended to a session of 90 MB, and the
// first of them by a process that has read nothing of it yet.
func BenchmarkAbsorb(b *testing.B) {
	home, dir := b.TempDir(), b.TempDir()
	path := filepath.Join(home, filepath.FromSlash(longName))
	k := writeLong(b, path, 41_000, strings.Repeat("words of it, ", 150))
	h := homeAt(b, home)
	x := openAt(b, dir)
	refreshAll(b, x, home)
	must(b, x.Close())

	next := func(b *testing.B) time.Duration {
		storetest.Append(b, path, k.line("more"))
		before := storetest.CPU(b)
		r, err := x.Absorb(b.Context(), []Change{{h, longName}}, Options{Patience: time.Minute})
		if err != nil || r.Read != 1 {
			b.Fatal(r, err)
		}
		return storetest.CPU(b) - before
	}
	measure := func(b *testing.B, next func() time.Duration) {
		used := time.Duration(0)
		for b.Loop() {
			used += next()
		}
		b.ReportMetric(float64(used.Microseconds())/1000/float64(b.N), "cpu-ms/op")
	}
	b.Run("first", func(b *testing.B) {
		measure(b, func() time.Duration {
			x = openAt(b, dir)
			defer x.Close()
			return next(b)
		})
	})
	b.Run("line", func(b *testing.B) {
		x = openAt(b, dir)
		defer x.Close()
		next(b)
		measure(b, func() time.Duration { return next(b) })
	})
}
