package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"sesskeep/internal/storetest"
)

// acts changes sessions that are named one by one, other ones every time.
func (b *bench) acts() {
	ids := b.sessionIDs()
	next, tag := 0, 0
	for _, n := range []int{1, 100, 1000} {
		b.show(fmt.Sprintf("tag add: %d named sessions, or all", n), func() []*exec.Cmd {
			tag++
			args := []string{"session", "tag", "add", "bench" + strconv.Itoa(tag)}
			for range min(n, len(ids)) {
				args = append(args, ids[next%len(ids)])
				next++
			}
			return b.command(args...)
		})
	}
}

// sessionIDs lists the sessions of the corpus, without agents.
func (b *bench) sessionIDs() (ids []string) {
	for _, name := range b.files {
		inside, err := filepath.Rel(filepath.Join(b.home, "projects"), name)
		if id := strings.TrimSuffix(filepath.Base(name), ".jsonl"); err == nil && strings.Count(inside, string(filepath.Separator)) == 1 && len(id) == len("0b160000-0000-4000-8000-000000000001") {
			ids = append(ids, id)
		}
	}
	return ids
}

// work asks what was done in the last thirty days of the corpus, and who changed a file.
func (b *bench) work() {
	until := storetest.Until
	span := []string{"--since", until.AddDate(0, 0, -30).Format("2006-01-02"), "--until", until.Format("2006-01-02")}
	digest := append([]string{"digest"}, span...)
	b.warm("digest of 30 days", digest...)
	b.warm("file log", "file", "log", b.changedFile(digest))
}

// changedFile is the file that was changed most often.
func (b *bench) changedFile(digest []string) string {
	var work struct {
		Projects []struct {
			Files []struct {
				Path  string
				Edits int `json:"editCount"`
			}
		}
	}
	out, err := b.command(append(digest, "--json")...)[0].Output()
	if err == nil {
		err = json.Unmarshal(out, &work)
	}
	path, most := "parser.go", 0
	for _, p := range work.Projects {
		for _, f := range p.Files {
			if f.Edits > most {
				path, most = f.Path, f.Edits
			}
		}
	}
	if err != nil {
		fmt.Printf("%-44s %v\n", "which file changed most", err)
	}
	return path
}

// copies keeps everything for the first time and once more, and checks all there is.
func (b *bench) copies() {
	data := filepath.Join(b.cache, ".local", "share")
	b.show("keep now, the first", func() []*exec.Cmd {
		os.RemoveAll(data)
		if out, err := b.command("keep", "on", "--no-hook")[0].CombinedOutput(); err != nil {
			fmt.Printf("keep on: %v: %s\n", err, out)
		}
		return b.command("keep", "now")
	})
	b.warm("keep now, nothing changed", "keep", "now")
	b.warm("check --all, with the copies", "check", "--all")
	os.RemoveAll(data)
	b.warm("check --all", "check", "--all")
}

// largest bounds the session that documents are made of. It is as large as the corpus.
const largest = 1 << 30

// documents makes documents of one large session, with its index.
func (b *bench) documents() {
	dir := filepath.Join(b.cache, "one")
	c, err := storetest.Make(dir, storetest.Size{Sessions: 1, Projects: 1, Bytes: min(b.bytes, largest)}, 3)
	if err != nil {
		fmt.Printf("%-44s %v\n", "one large session", err)
		return
	}
	one := *b
	one.home, one.bytes, one.cache = c.Dir, c.Bytes, filepath.Join(b.cache, "ofone")
	defer func() { b.names = one.names }() // its costs are b's
	defer os.RemoveAll(dir)
	defer os.RemoveAll(one.cache)
	if err := os.MkdirAll(one.cache, 0o700); err != nil {
		fmt.Printf("%-44s %v\n", "one large session", err)
		return
	}
	if one.files, _, err = transcripts(c.Dir); err != nil {
		fmt.Printf("%-44s %v\n", "one large session", err)
		return
	}
	id := one.sessionIDs()[0]
	one.show("one session: cat", func() []*exec.Cmd { return inChunks(one.files, "cat") })
	one.cold("one session: the first index", "search", "zzqqxxyy")
	one.warm("one session: session usage", "session", "usage", id)
	one.warm("one session: show", "show", id)
	for _, format := range []string{"markdown", "json", "text", "html"} {
		one.warm("one session: export as "+format, "export", id, "--no-redact", "--to", format)
	}
}
