// Command bench measures sesskeep on corpora, beside the tools that do less: cat,
// which only reads; rg, which only searches; ccusage, which only adds up; and
// encoding/json, which only parses. All run on the same files in the same run,
// because machines differ from hour to hour and only ratios inside one run mean
// something.
//
//	go run ./internal/bench -sesskeep bin/sesskeep DIR…
//	go run ./internal/bench -api -sesskeep bin/sesskeep DIR…
//
// A DIR is what makecorpus wrote. Commands are whole processes with the flags that
// a user types. CPU seconds are user and system time of the process and its
// children; memory is the largest process. For several corpora a table at the end
// shows what grows with what.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	binary := flag.String("sesskeep", "bin/sesskeep", "the program to measure")
	repeat := flag.Int("n", 3, "runs of each; the best counts")
	ccusage := flag.String("ccusage", "ccusage", "the program of that name, if it is there")
	overHTTP := flag.Bool("api", false, "measure answers over HTTP instead")
	pass := flag.String("json-pass", "", "parse all files of this home with encoding/json and exit")
	flag.Parse()
	if err := run(*binary, *ccusage, *repeat, *pass, *overHTTP, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(binary, ccusage string, repeat int, pass string, overHTTP bool, corpora []string) error {
	if pass != "" {
		return parseAll(pass)
	}
	if len(corpora) == 0 {
		return errors.New("which corpus?")
	}
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	var all []*bench
	for _, dir := range corpora {
		b, err := newBench(dir, binary, ccusage, repeat)
		if err != nil {
			return err
		}
		if overHTTP {
			if err := b.api(); err != nil {
				return err
			}
			continue
		}
		b.run()
		all = append(all, b)
	}
	if len(all) > 1 {
		growth(all)
	}
	return nil
}

// growth prints what everything took on every corpus.
func growth(all []*bench) {
	fmt.Printf("\n%-44s", "CPU s")
	for _, b := range all {
		fmt.Printf(" %8s", filepath.Base(b.dir))
	}
	fmt.Printf("\n%-44s", "GB")
	for _, b := range all {
		fmt.Printf(" %8.2f", float64(b.bytes)/1e9)
	}
	fmt.Printf("\n%-44s", "transcripts")
	for _, b := range all {
		fmt.Printf(" %8d", len(b.files))
	}
	fmt.Println()
	for _, name := range all[0].names {
		fmt.Printf("%-44s", name)
		for _, b := range all {
			fmt.Printf(" %8.3f", b.costs[name].cpu.Seconds())
		}
		fmt.Println()
	}
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
func parseAll(home string) error {
	files, _, err := transcripts(home)
	if err != nil {
		return err
	}
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
