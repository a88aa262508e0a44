package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"sesskeep/internal/storetest"
)

// bench measures on one corpus.
type bench struct {
	dir, home       string
	binary, ccusage string
	cache           string // of ours, and the directory commands run in
	files           []string
	bytes           int64
	repeat          int
	needles         []storetest.Needle
	asked           int // of the needles

	names []string
	costs map[string]cost
}

func newBench(dir, binary, ccusage string, repeat int) (*bench, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir, home: filepath.Join(dir, "home"), binary: binary, ccusage: ccusage, repeat: repeat, costs: map[string]cost{}}
	c, err := storetest.Load(filepath.Join(dir, "corpus.json"))
	if err != nil {
		return nil, err
	}
	b.needles = c.Needles
	if b.files, b.bytes, err = transcripts(b.home); err != nil {
		return nil, err
	}
	b.cache, err = os.MkdirTemp("", "sesskeep-bench")
	return b, err
}

func (b *bench) run() {
	defer os.RemoveAll(b.cache)
	fmt.Printf("\n%s: %d transcripts, %.0f MB, best of %d runs\n\n", b.dir, len(b.files), float64(b.bytes)/1e6, b.repeat)
	fmt.Printf("%-44s %8s %8s %8s %8s\n", "", "CPU s", "wall s", "MB", "CPU s/GB")
	b.others()
	b.cold("ls, no index", "ls")
	b.cold("usage, no index", "usage")
	b.cold("search, no index: the first index", "search", "zzqqxxyy")
	b.secondIndex()
	fmt.Printf("%-44s %8.1f MB, %.1f %% of the files\n", "index on disk", float64(b.indexSize())/1e6, 100*float64(b.indexSize())/float64(b.bytes))
	b.warm("version (start of the process)", "version")
	b.warm("ls", "ls")
	b.warm("ls --all, 50 rows", "ls", "--all", "-n", "50")
	b.warm("project ls", "project", "ls")
	b.warm("usage", "usage")
	b.warm("doctor", "doctor")
	b.searches()
	b.appended()
	largest := slices.MaxFunc(b.files, func(x, y string) int { return cmp.Compare(size(x), size(y)) })
	b.warm("show (the largest)", "show", strings.TrimSuffix(filepath.Base(largest), ".jsonl"))
	b.work()
	b.acts()
	b.copies()
	b.documents()
	b.find("needles found with their line")
	defer busy()()
	b.find("the same while two busy loops run")
}

// others are the tools that do less.
func (b *bench) others() {
	self, err := os.Executable()
	if err != nil {
		return
	}
	b.show("cat", func() []*exec.Cmd { return inChunks(b.files, "cat") })
	b.show("encoding/json, every line", func() []*exec.Cmd { return []*exec.Cmd{exec.Command(self, "-json-pass", b.home)} })
	words := storetest.Words()
	rg := func(name, pattern string) {
		b.show("rg: "+name, func() []*exec.Cmd {
			return []*exec.Cmd{exec.Command("rg", "-ic", "--no-messages", pattern, filepath.Join(b.home, "projects"))}
		})
	}
	rg("not there", "zzqqxxyy")
	rg("lines with a common word", words[0])
	rg("lines with two rare letters", "zq")
	rg("lines with two common letters", "qu")
	rg("lines with an alternation", alternation)
	b.show("ccusage", func() []*exec.Cmd { return b.inHome(b.ccusage, "daily", "--json", "--offline") })
}

const alternation = `timeout|retr(y|ies)`

// inHome is a command that finds the home and nothing else.
func (b *bench) inHome(program string, args ...string) []*exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = b.cache
	cmd.Env = append(os.Environ(), "HOME="+b.cache, "CLAUDE_CONFIG_DIR="+b.home, "XDG_CACHE_HOME="+filepath.Join(b.cache, "cache"))
	return []*exec.Cmd{cmd}
}

func (b *bench) command(args ...string) []*exec.Cmd { return b.inHome(b.binary, args...) }

// show runs something and prints what it cost.
func (b *bench) show(name string, commands func() []*exec.Cmd) {
	c, err := measure{name, commands}.best(b.repeat)
	b.names = append(b.names, name)
	b.costs[name] = c
	if err != nil {
		fmt.Printf("%-44s %v\n", name, err)
		return
	}
	fmt.Printf("%-44s %8.3f %8.3f %8.0f %8.2f\n", name, c.cpu.Seconds(), c.wall.Seconds(), float64(c.memory)/1e6, c.cpu.Seconds()*1e9/float64(b.bytes))
}

// cold measures a command that finds no index.
func (b *bench) cold(name string, args ...string) {
	b.show(name, func() []*exec.Cmd {
		os.RemoveAll(filepath.Join(b.cache, "cache"))
		return b.command(args...)
	})
}

// warm measures a command that finds an index that is up to date.
func (b *bench) warm(name string, args ...string) {
	b.show(name, func() []*exec.Cmd { return b.command(args...) })
}

func (b *bench) indexSize() int64 {
	var sum int64
	files, _ := filepath.Glob(filepath.Join(b.cache, "cache", "sesskeep", "index*"))
	for _, f := range files {
		sum += size(f)
	}
	return sum
}

// searches asks for what is rare and what is common.
func (b *bench) searches() {
	words := storetest.Words()
	b.show("search: a needle never asked for", func() []*exec.Cmd { return b.command("search", b.needle(0)) })
	b.show("search: six characters of one", func() []*exec.Cmd { return b.command("search", b.needle(6)) })
	b.warm("search: not there", "search", "zzqqxxyz")
	b.show("search: a phrase of common words", func() []*exec.Cmd { return b.command("search", quoted(commonPhrase())) })
	b.show("search: a dictionary word", func() []*exec.Cmd { return b.command("search", dictionaryWord()) })
	b.warm("search: Chinese", "search", "缓存已过期")
	b.warm("search: a common word", "search", words[0])
	b.warm("search: a common word, 220 results", "search", words[0], "-n", "220")
	b.warm("search --count: a common word", "search", words[0], "--count")
	b.warm("search -l: a common word", "search", words[0], "-l")
	b.warm("search --count: two rare letters", "search", "zq", "--count")
	b.warm("search --count: two common letters", "search", "qu", "--count")
	b.warm("search --count: an alternation", "search", "/"+alternation+"/", "--count")
	b.warm("search: what tools did to a file", "search", "file:parser.go")
	b.warm("search: calls that failed", "search", "tool:Bash is:error")
}

// needle is another one every time, or the middle of it.
func (b *bench) needle(length int) string {
	text := []rune(b.needles[b.asked%len(b.needles)].Text)
	b.asked++
	if length > 0 && len(text) > length+2 {
		text = text[2 : 2+length]
	}
	return quoted(string(text))
}

func quoted(text string) string {
	return "\"" + strings.NewReplacer("\\", "\\\\", "\"", "\\\"").Replace(text) + "\""
}

// appended measures a search behind a line that was just appended. The file is as
// it was afterwards.
func (b *bench) appended() {
	name := b.files[len(b.files)/2]
	info, err := os.Stat(name)
	if err != nil {
		return
	}
	defer os.Chtimes(name, info.ModTime(), info.ModTime())
	defer os.Truncate(name, info.Size())
	b.show("search behind an appended line", func() []*exec.Cmd {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			fmt.Fprintf(f, `{"type":"user","uuid":"bench-%d","message":{"role":"user","content":"appended"}}`+"\n", b.asked)
			f.Close()
		}
		return b.command("search", b.needle(0))
	})
}

// find looks for every needle.
func (b *bench) find(name string) {
	found := 0
	for _, n := range b.needles {
		out, err := b.command("search", quoted(n.Text), "--jq", ".results[].snippets[] | \"\\(.file):\\(.line)\"")[0].Output()
		if err == nil && strings.Contains(string(out), fmt.Sprintf("%s:%d", n.File, n.Line)) {
			found++
		}
	}
	fmt.Printf("%-44s %8d of %d\n", name, found, len(b.needles))
}

// busy keeps all processors busy until its result is called.
func busy() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range max(2, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for ctx.Err() == nil {
			}
		})
	}
	return func() {
		cancel()
		wg.Wait()
	}
}
