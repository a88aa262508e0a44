package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/storetest"
)

// Files come and go in any order: after every step the index must answer as one
// that never knew another state.
func TestVanish(t *testing.T) {
	home := t.TempDir()
	if _, err := storetest.Make(home, storetest.Size{Sessions: 14, Agents: 12, Projects: 4, Bytes: 512 << 10}, 7); err != nil {
		t.Fatal(err)
	}
	writeKin(t, home)
	dir := t.TempDir()
	x := openAt(t, dir)
	defer x.Close()
	v := &vanisher{t: t, home: home, attic: t.TempDir(), rng: rand.New(rand.NewPCG(3, number(t, "SESSKEEP_SEED", 1)))}
	refreshAll(t, x, home)
	compareAnswers(t, "at first", mustAnswer(t, x, home), freshAnswers(t, home))
	for i := range number(t, "SESSKEEP_VANISH", 30) {
		var did []string
		for range 1 + v.rng.IntN(4) {
			did = append(did, v.step())
		}
		if v.rng.IntN(10) == 0 {
			x.Close()
			x = openAt(t, dir)
			defer x.Close()
		}
		for v.rng.IntN(3) == 0 { // lists first, the rest when it is asked for
			refreshWith(t, x, home, Options{RowsOnly: true})
		}
		refreshAll(t, x, home)
		compareAnswers(t, fmt.Sprintf("step %d: %s", i, strings.Join(did, ", ")), mustAnswer(t, x, home), freshAnswers(t, home))
	}
	v.restoreAll()
	refreshAll(t, x, home)
	compareAnswers(t, "all back", mustAnswer(t, x, home), freshAnswers(t, home))
}

// writeKin adds sessions that know of each other, over projects: copies of the
// same messages, and summaries that name the lines of others.
func writeKin(t *testing.T, home string) {
	t.Helper()
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	talk := func(session, copies int) []string {
		var lines []string
		parent := "null"
		for i := range 6 {
			owner := session
			if i < 4 && copies > 0 {
				owner = copies
			}
			uuid := fmt.Sprintf("%s-%d", id(owner)[:8], i)
			stamp := fmt.Sprintf("2026-03-%02dT10:0%d:00.000Z", owner, i)
			head := fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/w/kin","sessionId":%q,"uuid":%q,"timestamp":%q,`, parent, id(session), uuid, stamp)
			if i%2 == 0 {
				lines = append(lines, head+fmt.Sprintf(`"type":"user","message":{"role":"user","content":"ask %s"}}`, uuid))
			} else {
				lines = append(lines, head+fmt.Sprintf(`"type":"assistant","message":{"id":"msg_%s","model":"claude-x","role":"assistant","content":[{"type":"text","text":"say %s"}],"usage":{"input_tokens":%d,"output_tokens":%d}}}`, uuid, uuid, 10+session, 20))
			}
			if copies == 0 && i == 2 {
				lines = append(lines, `{"type":"file-history-snapshot","messageId":"x","snapshot":{},"isSnapshotUpdate":false}`)
			}
			parent = fmt.Sprintf("%q", uuid)
		}
		return lines
	}
	summary := func(session, line int) string {
		return fmt.Sprintf(`{"type":"summary","summary":"summary of %d","leafUuid":"%s-%d"}`, session, id(session)[:8], line)
	}
	put := func(dir string, session int, lines ...string) {
		path := filepath.Join(home, "projects", dir)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		storetest.Append(t, filepath.Join(path, id(session)+".jsonl"), lines...)
	}
	put("-w-kin", 1, talk(1, 0)...)
	put("-w-kin", 2, talk(2, 1)...)
	put("-w-kin", 3, append(talk(3, 1), summary(1, 5), summary(2, 5))...)
	put("-w-kin", 4, summary(3, 5), summary(1, 3))
	put("-w-other", 5, talk(5, 1)...)
	put("-w-kin", 9, talk(9, 0)...)
	put("-w-kin", 7, talk(7, 9)...) // a fork before its origin
	put("-w-other", 6, append(talk(6, 5), summary(1, 5), summary(5, 5))...)
	put("-w-third", 7, talk(7, 1)...)
	if err := os.MkdirAll(filepath.Join(home, "projects", "-w-third", "memory"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// vanisher hides what is in a home, moves it and brings it back.
type vanisher struct {
	t           *testing.T
	home, attic string
	rng         *rand.Rand
	hidden      []string // paths below the home; their files are in the attic
}

func (v *vanisher) step() string {
	projects := v.list(filepath.Join(v.home, "projects", "*"))
	files := append(v.list(filepath.Join(v.home, "projects", "*", "*.jsonl")),
		v.list(filepath.Join(v.home, "projects", "*", "*", "subagents", "*.jsonl"))...)
	switch n := v.rng.IntN(12); {
	case n < 3 && len(files) > 0:
		return v.hide(v.pick(files))
	case n < 5 && len(projects) > 1:
		return v.hide(v.pick(projects))
	case n < 9 && len(v.hidden) > 0:
		return v.restore(v.rng.IntN(len(v.hidden)))
	case n < 10 && len(files) > 0 && len(projects) > 0:
		return v.move(v.pick(files), filepath.Join(v.pick(projects), "moved"+fmt.Sprint(v.rng.IntN(1000))))
	case n < 11 && len(projects) > 0:
		from := v.pick(projects)
		return v.move(from, from+"-x")
	case len(files) > 1:
		return v.swap(v.pick(files), v.pick(files))
	}
	return "nothing"
}

func (v *vanisher) list(pattern string) []string {
	list, err := filepath.Glob(pattern)
	if err != nil {
		v.t.Fatal(err)
	}
	return list
}

func (v *vanisher) pick(list []string) string { return list[v.rng.IntN(len(list))] }

func (v *vanisher) must(err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
}

func (v *vanisher) hide(path string) string {
	rel, err := filepath.Rel(v.home, path)
	v.must(err)
	to := filepath.Join(v.attic, rel)
	if _, err := os.Lstat(to); err == nil {
		return "nothing"
	}
	v.must(os.MkdirAll(filepath.Dir(to), 0o755))
	v.must(os.Rename(path, to))
	v.hidden = append(v.hidden, rel)
	return "hide " + rel
}

func (v *vanisher) restore(i int) string {
	rel := v.hidden[i]
	to := filepath.Join(v.home, rel)
	if _, err := os.Lstat(to); err == nil {
		return "nothing"
	}
	v.hidden = slices.Delete(v.hidden, i, i+1)
	v.must(os.MkdirAll(filepath.Dir(to), 0o755))
	v.must(os.Rename(filepath.Join(v.attic, rel), to))
	return "restore " + rel
}

func (v *vanisher) restoreAll() {
	for again := true; again; {
		again = false
		for i := len(v.hidden) - 1; i >= 0; i-- {
			again = v.restore(i) != "nothing" || again
		}
	}
}

// move renames a project, or a file into another project.
func (v *vanisher) move(from, to string) string {
	if strings.HasSuffix(from, ".jsonl") {
		v.must(os.MkdirAll(to[:strings.LastIndexByte(to, filepath.Separator)], 0o755))
		to = filepath.Join(filepath.Dir(to), filepath.Base(from))
	}
	if _, err := os.Lstat(to); err == nil {
		return "nothing"
	}
	v.must(os.Rename(from, to))
	return "move " + from[len(v.home):] + " to " + to[len(v.home):]
}

// swap gives two files each other's names.
func (v *vanisher) swap(a, b string) string {
	if a == b {
		return "nothing"
	}
	v.must(os.Rename(a, a+".tmp"))
	v.must(os.Rename(b, a))
	v.must(os.Rename(a+".tmp", b))
	return "swap " + a[len(v.home):] + " and " + b[len(v.home):]
}
