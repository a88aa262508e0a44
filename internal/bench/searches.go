package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"sesskeep/internal/storetest"
)

// secondIndex measures a command that finds no index while another one makes it.
func (b *bench) secondIndex() {
	var first *exec.Cmd
	wait := func() {
		if first != nil {
			_ = first.Wait() // has a row of its own
		}
	}
	b.show("the second of two first indexes at once", func() []*exec.Cmd {
		wait()
		cache := filepath.Join(b.cache, "cache")
		os.RemoveAll(cache)
		if first = b.command("search", "zzqqxxyy")[0]; first.Start() != nil {
			first = nil
		}
		for range 1000 { // until it reads
			if _, err := os.Stat(filepath.Join(cache, "sesskeep", "reading.lock")); err == nil || first == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		return b.command("search", "zzqqxxyz")
	})
	wait()
}

// dictionaryWord is one drawn at random that is neither rare nor common.
func dictionaryWord() string {
	words := storetest.Words()[200:]
	return words[rand.IntN(len(words))]
}

// commonPhrase is made of two of the most frequent words, drawn at random.
func commonPhrase() string {
	words := storetest.Words()[:100]
	return words[rand.IntN(len(words))] + " " + words[rand.IntN(len(words))]
}
