// Command bench measures sesskeep on a corpus, beside the tools that do less:
// cat, which only reads; rg, which only searches; and encoding/json, which only
// parses. All run on the same files in the same run, because machines differ
// from hour to hour and only ratios inside one run mean something.
//
//	go run ./internal/bench -corpus DIR -sesskeep bin/sesskeep
//
// DIR is what makecorpus wrote. CPU seconds are user and system time of the
// process and its children; memory is the largest process.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	corpus := flag.String("corpus", "", "corpus made by makecorpus")
	binary := flag.String("sesskeep", "bin/sesskeep", "the program to measure")
	repeat := flag.Int("n", 3, "runs of each; the best counts")
	pass := flag.Bool("json-pass", false, "parse all files with encoding/json and exit")
	flag.Parse()
	if err := run(*corpus, *binary, *repeat, *pass); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(corpus, binary string, repeat int, pass bool) error {
	if corpus == "" {
		return errors.New("-corpus is missing")
	}
	home := filepath.Join(corpus, "home")
	files, bytes, err := transcripts(home)
	if err != nil {
		return err
	}
	if pass {
		return parseAll(files)
	}
	binary, err = filepath.Abs(binary)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%d transcripts, %.0f MB, best of %d runs\n\n", len(files), float64(bytes)/1e6, repeat)
	fmt.Printf("%-44s %8s %8s %8s %8s\n", "", "CPU s", "wall s", "MB", "GB/CPU s")
	b := &bench{home: home, binary: binary, bytes: bytes, repeat: repeat, cache: filepath.Join(os.TempDir(), "sesskeep-bench")}
	defer os.RemoveAll(b.cache)
	b.show("cat", func() []*exec.Cmd { return inChunks(files, "cat") })
	b.show("rg -F (a word that is not there)", func() []*exec.Cmd { return inChunks(files, "rg", "-F", "--no-messages", "zzqqxxyy") })
	b.show("encoding/json, every line", func() []*exec.Cmd {
		return []*exec.Cmd{exec.Command(self, "-json-pass", "-corpus", corpus)}
	})
	b.cold("sesskeep ls, no index", "ls", "-n", "50")
	b.cold("sesskeep search, no index: the first index", "search", "zzqqxxyy")
	fmt.Printf("%-44s %8.1f MB, %.1f %% of the files\n", "index on disk", float64(b.indexSize())/1e6, 100*float64(b.indexSize())/float64(bytes))
	b.warm("sesskeep version (start of the process)", "version")
	b.warm("sesskeep ls", "ls", "-n", "50")
	b.warm("sesskeep project ls", "project", "ls")
	b.warm("sesskeep doctor", "doctor")
	b.searches(corpus)
	b.warm("sesskeep usage", "usage")
	largest := slices.MaxFunc(files, func(x, y string) int { return cmp.Compare(size(x), size(y)) })
	address := strings.TrimSuffix(filepath.Base(largest), ".jsonl")
	b.warm(fmt.Sprintf("sesskeep show (largest, %.1f MB)", float64(size(largest))/1e6), "show", address)
	b.warm("sesskeep session tree (the same)", "session", "tree", address)
	return nil
}

// transcripts lists the files below projects/ and their size.
func transcripts(home string) ([]string, int64, error) {
	var files []string
	var bytes int64
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		files = append(files, path)
		bytes += size(path)
		return nil
	})
	if err == nil && len(files) == 0 {
		err = errors.New(home + " has no transcripts")
	}
	return files, bytes, err
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// parseAll is what a reader without a scanner of its own does.
func parseAll(files []string) error {
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var v map[string]json.RawMessage
			_ = json.Unmarshal(lines.Bytes(), &v) // damaged lines are part of the corpus
		}
		f.Close()
		if err := lines.Err(); err != nil {
			return err
		}
	}
	return nil
}
