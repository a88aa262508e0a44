package vault

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
)

// gone reports whether a line is one that is taken out.
func gone(line []byte) bool { return bytes.Contains(line, []byte("gone-")) }

// prompts is a history.jsonl of n lines, of which every third goes.
func prompts(rnd *rand.Rand, n int) (all, left string) {
	var a, l strings.Builder
	for i := range n {
		word := "kept"
		if i%3 == 0 {
			word = "gone"
		}
		line := fmt.Sprintf(`{"display":"%s-%x","project":"/w"}`+"\n", word, rnd.Uint64())
		if i == 7 {
			line = `{"display":"kept-` + strings.Repeat("long", 700<<10) + `"}` + "\n"
		}
		if a.WriteString(line); !gone([]byte(line)) {
			l.WriteString(line)
		}
	}
	return a.String(), l.String()
}

// contents reads all versions of a file that belongs to no session.
func (w *world) contents(name string) (all []string) {
	w.t.Helper()
	members, err := w.home().Rest()
	w.check(err)
	for _, m := range members {
		if m.Name != name {
			continue
		}
		for _, v := range m.Versions {
			f, err := m.OpenVersion(v.Number)
			w.check(err)
			text, err := io.ReadAll(io.NewSectionReader(f, 0, v.Size))
			w.check(err)
			w.check(f.Close())
			all = append(all, string(text))
		}
	}
	return all
}

// Lines leave every version of history.jsonl, wherever the frames of it end, and the copy goes
// on with the file that was filtered too.
func TestDropLines(t *testing.T) {
	w := newWorld(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	old, oldLeft := prompts(rnd, 40_000)
	w.write("history.jsonl", old)
	w.sweep()
	now, nowLeft := prompts(rnd, 100)
	w.write("history.jsonl", now)
	w.write("paste-cache/aaaa.txt", "gone-paste")
	w.write("paste-cache/bbbb.txt", "kept paste")
	w.write("plans/gone.md", "gone-plan")
	w.sweep()
	h := w.home()
	lines, versions, err := h.CountLines("history.jsonl", gone)
	if err != nil || lines != 34 || versions != 2 {
		t.Errorf("counted: %d lines in %d versions, %v", lines, versions, err)
	}
	w.check(h.Remover.DropLines(context.Background(), "history.jsonl", gone))
	w.check(h.Remover.DropFiles(context.Background(), func(name string) bool { return name == "paste-cache/aaaa.txt" || name == "plans/gone.md" }))
	if got := w.contents("history.jsonl"); len(got) != 2 || got[0] != nowLeft || got[1] != oldLeft {
		t.Errorf("%d versions of %d and %d bytes, want %d and %d", len(got), len(got[0]), len(got[1]), len(nowLeft), len(oldLeft))
	}
	if got := w.contents("paste-cache/bbbb.txt"); len(got) != 1 {
		t.Errorf("the other paste: %q", got)
	}
	w.check(filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("gone")) {
				t.Errorf("%s has %d bytes with it", path, len(text))
			}
		}
		return err
	}))
	flaws, err := w.home().Checker.Verify(context.Background(), nil)
	if err != nil || len(flaws.Flaws) > 0 {
		t.Errorf("verified: %+v, %v", flaws, err)
	}
	// The source is filtered likewise, and grows: no version more.
	more := `{"display":"kept more"}` + "\n"
	w.write("history.jsonl", nowLeft+more)
	w.check(os.Remove(w.path("paste-cache/aaaa.txt")))
	w.check(os.Remove(w.path("plans/gone.md")))
	w.sweep()
	if got := w.contents("history.jsonl"); len(got) != 2 || got[0] != nowLeft+more {
		t.Errorf("after it grew: %d versions", len(got))
	}
	if n, versions, err := w.home().CountLines("history.jsonl", gone); n+versions > 0 || err != nil {
		t.Errorf("counted again: %d, %d, %v", n, versions, err)
	}
}

// The directory of a project goes with the last of its boxes, and not before.
func TestDropFolders(t *testing.T) {
	w := forked(t)
	w.sweep()
	folder := filepath.Join(w.home().layout.projects(), "-w")
	keys, err := w.home().layout.keysIn("-w")
	w.check(err)
	for _, key := range keys {
		w.check(w.home().Remover.DropFolders(context.Background()))
		if _, err := os.Stat(folder); err != nil {
			t.Fatalf("it went before %s: %v", key.session, err)
		}
		w.check(w.home().Remover.Drop(context.Background(), key.session))
	}
	w.check(w.home().Remover.DropFolders(context.Background()))
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("it is there: %v", err)
	}
	w.check(w.home().Checker.ForgetHealth(context.Background(), func(sesskeep.SessionID) bool { return true }))
}
