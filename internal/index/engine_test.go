package index_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// BenchmarkSearch asks the index of a corpus inside one process, where the walk and
// the start are not counted. Every question is asked for the first time: needles
// are of the corpus, and nothing keeps answers.
//
//	SESSKEEP_CORPUS=DIR go test -run '^$' -bench Search ./internal/index
func BenchmarkSearch(b *testing.B) {
	dir := os.Getenv("SESSKEEP_CORPUS")
	if dir == "" {
		b.Skip("SESSKEEP_CORPUS names no corpus")
	}
	c, err := storetest.Load(filepath.Join(dir, "corpus.json"))
	if err != nil {
		b.Fatal(err)
	}
	cache := os.Getenv("SESSKEEP_CORPUS_INDEX")
	if cache == "" {
		cache = b.TempDir()
	}
	x, h := open(b, cache, filepath.Join(dir, "home"), index.Options{})
	words := storetest.Words()
	measure := func(name string, texts []string, s ask.Search) {
		b.Run(name, func(b *testing.B) {
			start, n := storetest.CPU(b), 0
			for b.Loop() {
				s.Query = phrase(b, texts[n%len(texts)])
				search(b, x, h, s)
				n++
			}
			b.ReportMetric(float64(storetest.CPU(b)-start)/float64(time.Millisecond)/float64(n), "cpu-ms/op")
		})
	}
	var needles, parts []string
	for _, n := range c.Needles {
		needles = append(needles, n.Text)
		if r := []rune(n.Text); len(r) > 8 {
			parts = append(parts, string(r[2:8]))
		}
	}
	page := ask.Search{Limit: 20, Budget: 16 << 20}
	measure("needle", needles, page)
	measure("identifier", parts, page)
	measure("word", drawn(200, func(r *rand.Rand) string { return words[200+r.IntN(len(words)-200)] }), page)
	measure("phrase", drawn(200, func(r *rand.Rand) string { return words[r.IntN(100)] + " " + words[r.IntN(100)] }), page)
	measure("chinese", []string{"请检查配置文件", "缓存已过期", "検索結果"}, page)
	measure("nothing", []string{"zzqqxxyy", "zzqqxxyz"}, page)
	measure("common", []string{words[0], words[1], words[4]}, page)
	page.Limit = 200
	measure("common, 200 results", []string{words[0], words[1], words[4]}, page)
	count := ask.Search{Count: true}
	measure("count, common", words[:5], count)
	measure("count, qu", []string{"qu"}, count)
	measure("count, word", words[1000:1020], count)
}

// drawn are texts drawn at random, the same ones every time.
func drawn(n int, text func(r *rand.Rand) string) (list []string) {
	r := rand.New(rand.NewPCG(26, 3))
	for range n {
		list = append(list, text(r))
	}
	return list
}
