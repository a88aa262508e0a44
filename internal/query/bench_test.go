package query_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"sesskeep/internal/query"
)

// corpus is 100 MB of made-up transcript: prose, code, paths, escapes of every
// sort and the envelope around them. "xylograph" is in it once in 10,000 lines.
var corpus = sync.OnceValue(func() []byte {
	random := rand.New(rand.NewPCG(7, 8))
	words := strings.Fields(`the to a of and is in it for that this with file test error line value code
		function return string reader parser buffer offset index session message handler because
		half line append split newline token branch commit context package import struct`)
	for range 3000 {
		b := make([]byte, 3+random.IntN(8))
		for i := range b {
			b[i] = "etaoinshrdlcumwfgypbvk"[min(random.IntN(22), random.IntN(22))]
		}
		words = append(words, string(b))
	}
	signs := []string{" ", " ", " ", " ", " ", " ", ", ", ". ", "\n", "\n\t", "(", ") ", "\"", "/", "_", ".", ": ", " = "}
	odd := []string{"\x1b[31m", " é", " — ", " <b>", "\x1b[0m"}
	var out []byte
	for n := 0; len(out) < 100<<20; n++ {
		var text strings.Builder
		for range 20 + random.IntN(400) {
			text.WriteString(words[min(random.IntN(len(words)), random.IntN(len(words)))])
			if random.IntN(200) == 0 {
				text.WriteString(odd[random.IntN(len(odd))])
			}
			text.WriteString(signs[random.IntN(len(signs))])
		}
		if n%10000 == 5000 {
			text.WriteString("Xylograph")
		}
		quoted, _ := json.Marshal(text.String())
		out = fmt.Appendf(out, `{"parentUuid":"%08x-1c7e-4b6e-9d55-%012x","isSidechain":false,"type":"user","message":{"role":"user","content":%s},"uuid":"%016x","timestamp":"2026-11-14T17:06:%02d.%03dZ"}`+"\n",
			random.Uint32(), random.Uint64N(1<<48), quoted, random.Uint64(), n%60, n%1000)
	}
	return out
})

func BenchmarkRaw(b *testing.B) {
	for _, c := range []struct{ name, query string }{
		{"miss", "watcher_resume"}, {"miss short", "mirror"}, {"miss of common letters", "tonsiltea"}, {"miss with s and k", "kiosks"},
		{"miss phrase", `"half lines of"`}, {"miss Cyrillic", "привет"}, {"miss Chinese", "日本語"},
		{"rare", "xylograph"}, {"common", "parser"}, {"two words", "xylograph parser"}, {"regexp", `/xylo(graph|phone)\w*/`},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := corpus()
			m := mustParse(b, c.query).Matcher()
			b.SetBytes(int64(len(text)))
			lines := 0
			for b.Loop() {
				lines = 0
				for range m.Candidates(text) {
					lines++
				}
			}
			b.ReportMetric(float64(lines), "lines")
		})
	}
}

func BenchmarkLine(b *testing.B) {
	var values []string
	size := 0
	for _, line := range strings.SplitN(string(corpus()[:1<<20]), "\n", 500) {
		var entry struct {
			UUID, Timestamp, Type string
			Message               struct{ Role, Content string }
		}
		if json.Unmarshal([]byte(line), &entry) == nil {
			values = append(values, entry.UUID, entry.Timestamp, entry.Type, entry.Message.Role, entry.Message.Content)
			size += len(entry.Message.Content)
		}
	}
	for _, text := range []string{"xylograph", "parser -the", `/xylo\w+/`, `/pars(er|ing)\W+\w+/ xylo`} {
		b.Run(text, func(b *testing.B) {
			q, err := query.Parse(text, now)
			if err != nil {
				b.Fatal(err)
			}
			m := q.Matcher()
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				m.Line(slices.Values(values))
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := query.Parse(`half "line end" a OR b -retry tool:Bash,Edit size:>10M after:2d`, now); err != nil {
			b.Fatal(err)
		}
	}
}

// Coloured terminal output has an escape every few words, and text written by
// an ASCII-only encoder has nothing else: the dear cases of a search.
func BenchmarkEscapes(b *testing.B) {
	for name, piece := range map[string]string{
		"coloured": `\u001b[32mok\u001b[0m the parser reads a line from the buffer and returns it, with the offset of the next one, to whoever asked for it, and then waits for more text\n`,
		"all":      `\u043f\u0440\u0438\u0432\u0435\u0442`,
	} {
		text := []byte(strings.Repeat(piece, 32<<20/len(piece)))
		for _, word := range []string{"watcher_resume", "прибой"} {
			b.Run(name+" "+word, func(b *testing.B) {
				needle := mustParse(b, word).Matcher().Needles()[0][0]
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if needle.Find(text) {
						b.Fatal("found")
					}
				}
			})
		}
	}
}
