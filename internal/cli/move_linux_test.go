package cli

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/storetest"
)

// TestMoveKilled moves a session around two projects of two homes, and kills the command at
// random instants. Nothing of it is ever lost: the same command again brings all of it there,
// and after each round trip every file is what it was.
func TestMoveKilled(t *testing.T) {
	t.Parallel()
	rounds := 8
	if os.Getenv("SESSKEEP_CRASH") != "" {
		rounds = 100
	}
	h := newHousehold(t)
	rnd := rand.New(rand.NewPCG(storetest.Seed(t), 5))
	const id = "11111111-0000-4000-8000-000000000001"
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var flags []string
	for _, home := range []string{"a", "b"} {
		must(os.MkdirAll(filepath.Join(h.dir, home, "projects"), 0o700))
		flags = append(flags, "--claude-dir", filepath.Join(h.dir, home))
	}
	for _, project := range []string{"one", "two"} {
		must(os.Mkdir(filepath.Join(h.dir, project), 0o700))
	}
	one := filepath.Join(h.dir, "one")
	folder := filepath.Join(h.dir, "a", "projects", string(sesskeep.DirName(one)))
	write := func(name string, lines int) {
		must(os.MkdirAll(filepath.Dir(name), 0o700))
		var text strings.Builder
		for n := range lines {
			fmt.Fprintf(&text, `{"type":"user","uuid":"%d","cwd":"%s","sessionId":"%s","message":{"role":"user","content":"%x"}}`+"\n", n, one, id, rnd.Uint64())
		}
		must(os.WriteFile(name, []byte(text.String()), 0o600))
	}
	write(filepath.Join(folder, id+".jsonl"), 4000)
	for n := range 5 {
		write(filepath.Join(folder, id, "subagents", fmt.Sprintf("agent-a%d.jsonl", n)), 200)
		write(filepath.Join(folder, id, "tool-results", fmt.Sprintf("r%d.txt", n)), 50)
		write(filepath.Join(h.dir, "a", "file-history", id, fmt.Sprintf("%016x@v1", n)), 10)
	}
	all := func() map[string]string {
		list := files(t, filepath.Join(h.dir, "a"))
		for name, text := range files(t, filepath.Join(h.dir, "b")) {
			list["../b/"+name] = text
		}
		return list
	}
	before := all()
	moves := []struct{ from, to string }{{"a", "two"}, {"a", "b"}, {"b", "one"}, {"b", "a"}}
	took, killed := time.Second, 0
	for round := range rounds {
		m := moves[round%len(moves)]
		args := append(flags[:len(flags):len(flags)], "session", "mv", id+"@"+m.from, "--force", "--to", filepath.Join(h.dir, m.to))
		cmd := h.command(args...)
		start := time.Now()
		must(cmd.Start())
		timer := time.AfterFunc(time.Duration(rnd.Int64N(int64(took)*5/4)), func() { _ = cmd.Process.Kill() })
		if cmd.Wait() != nil {
			killed++
		} else {
			took = time.Since(start)
		}
		timer.Stop()
		if said, err := h.try(args...); err != nil { // it is there already, and so not here
			t.Logf("round %d, %s %s: %v %s", round, m.from, m.to, err, said)
			if out, err := h.try(append(flags[:len(flags):len(flags)], "project", "purge", "--continue")...); err != nil { // which finishes what was begun
				t.Fatalf("%s: %v", out, err)
			}
		}
		if round%len(moves) == len(moves)-1 {
			if now := all(); !maps.Equal(before, now) {
				for name, text := range before {
					if now[name] != text {
						t.Errorf("%s had %d bytes, now %d", name, len(text), len(now[name]))
					}
				}
				for name := range now {
					if _, was := before[name]; !was {
						t.Errorf("%s is new", name)
					}
				}
				t.Fatalf("round %d: %d files are not what they were, %d now", round, len(before), len(now))
			}
		}
	}
	t.Logf("%d of %d were killed", killed, rounds)
}
