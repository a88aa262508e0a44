package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sesskeep/internal/storetest"
)

// bench measures sesskeep on one home.
type bench struct {
	home, binary, cache string
	bytes               int64
	repeat              int
}

func (b *bench) command(args ...string) []*exec.Cmd {
	cmd := exec.Command(b.binary, append([]string{"--claude-dir", b.home, "--all"}, args...)...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+b.cache)
	return []*exec.Cmd{cmd}
}

// show runs something and prints what it cost.
func (b *bench) show(name string, commands func() []*exec.Cmd) {
	c, err := measure{name, commands}.best(b.repeat)
	if err != nil {
		fmt.Printf("%-44s %v\n", name, err)
		return
	}
	fmt.Printf("%-44s %8.3f %8.3f %8.0f %8.2f\n", name, c.cpu.Seconds(), c.wall.Seconds(), float64(c.memory)/1e6, float64(b.bytes)/1e9/c.cpu.Seconds())
}

// cold measures a command that finds no index.
func (b *bench) cold(name string, args ...string) {
	b.show(name, func() []*exec.Cmd {
		os.RemoveAll(b.cache)
		return b.command(args...)
	})
}

// warm measures a command that finds an index that is up to date.
func (b *bench) warm(name string, args ...string) {
	b.show(name, func() []*exec.Cmd { return b.command(args...) })
}

func (b *bench) indexSize() int64 {
	var sum int64
	files, _ := filepath.Glob(filepath.Join(b.cache, "sesskeep", "index*"))
	for _, f := range files {
		sum += size(f)
	}
	return sum
}

// searches asks for what is rare, what is common, and for every needle.
func (b *bench) searches(dir string) {
	c, err := storetest.Load(filepath.Join(dir, "corpus.json"))
	if err != nil {
		fmt.Printf("%-44s %v\n", "sesskeep search", err)
		return
	}
	words := storetest.Words()
	needle := c.Needles[0].Text
	b.warm("sesskeep search: a rare string", "search", "\""+needle+"\"")
	b.warm("sesskeep search: a common word", "search", words[0])
	b.warm("sesskeep search: a common word, all of it", "search", words[0], "--count")
	b.warm("sesskeep search: a phrase", "search", "\""+words[60]+" "+words[61]+"\"")
	b.warm("sesskeep search: not there", "search", "zzqqxxyy")
	found := 0
	for _, n := range c.Needles {
		quoted := "\"" + strings.NewReplacer("\\", "\\\\", "\"", "\\\"").Replace(n.Text) + "\""
		out, err := b.command("search", quoted, "--jq", ".results[].snippets[] | \"\\(.file):\\(.line)\"")[0].Output()
		if err == nil && strings.Contains(string(out), fmt.Sprintf("%s:%d", n.File, n.Line)) {
			found++
		}
	}
	fmt.Printf("%-44s %8d of %d\n", "needles found with their line", found, len(c.Needles))
}
