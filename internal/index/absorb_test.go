package index

import (
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/storetest"
)

// After any sequence of what can happen to a home, reported by name or found by a
// walk, by one process or two that stay, the index says what a fresh one says.
func TestAbsorbLaw(t *testing.T) {
	home := t.TempDir()
	if _, err := storetest.Make(home, storetest.Size{Sessions: 12, Agents: 10, Projects: 3, Bytes: 512 << 10}, 9); err != nil {
		t.Fatal(err)
	}
	writeKin(t, home)
	dir := t.TempDir()
	var stay []*Index
	for range 2 {
		x := openAt(t, dir)
		defer x.Close()
		stay = append(stay, x)
	}
	h := homeAt(t, home)
	refreshAll(t, stay[0], home)
	defer sameIndex(t, stay[0])()
	seed := number(t, "SESSKEEP_SEED", 1)
	v := &vanisher{t: t, home: home, attic: t.TempDir(), rng: rand.New(rand.NewPCG(5, seed))}
	g := &grower{vanisher: v}
	for i := range number(t, "SESSKEEP_ABSORB", 30) {
		var did []string
		var changes []Change
		for range 1 + v.rng.IntN(4) {
			name, what := g.step()
			did = append(did, what)
			if name != "" {
				changes = append(changes, Change{h, name})
			}
		}
		x := stay[v.rng.IntN(2)]
		for v.rng.IntN(4) == 0 { // lists first, the rest when it is asked for
			refreshWith(t, stay[v.rng.IntN(2)], home, Options{RowsOnly: true})
		}
		switch v.rng.IntN(6) {
		case 0:
			did = append(did, "walk")
			refreshAll(t, x, home)
		case 1:
			did = append(did, "two absorb")
			var both sync.WaitGroup
			for _, x := range stay {
				both.Go(func() { absorb(t, x, changes) })
			}
			both.Wait()
		default:
			did = append(did, "absorb")
			absorb(t, x, changes)
		}
		compareAnswers(t, fmt.Sprintf("step %d: %s", i, strings.Join(did, ", ")), mustAnswer(t, x, home), freshAnswers(t, home))
		if v.rng.IntN(8) == 0 {
			if r := refreshAll(t, x, home); r.Changed() {
				t.Errorf("step %d: a walk finds more: %+v", i, r)
			}
			must(t, check(t.Context(), x.db))
		}
	}
}

// sameIndex remembers an index, and gives what checks that it was not rebuilt:
// that gives the right answers too, for the price of everything.
func sameIndex(t *testing.T, x *Index) func() {
	t.Helper()
	before, err := db.Birth(t.Context(), x.db)
	must(t, err)
	return func() {
		if now, err := db.Birth(t.Context(), x.db); err != nil || now != before {
			t.Errorf("the index was rebuilt (%v)", err)
		}
	}
}

func absorb(t *testing.T, x *Index, changes []Change) Report {
	t.Helper()
	r, err := x.Absorb(t.Context(), changes, Options{Patience: time.Minute})
	if err != nil || r.Behind {
		t.Errorf("%+v, %v", r, err)
	}
	return r
}

// grower lets transcripts grow as clients do, and sometimes otherwise.
type grower struct {
	*vanisher
	n int
}

// step changes something, and returns the name to report.
func (g *grower) step() (name, what string) {
	files := append(g.list(filepath.Join(g.home, "projects", "*", "*.jsonl")),
		g.list(filepath.Join(g.home, "projects", "*", "*", "subagents", "*.jsonl"))...)
	if len(files) == 0 || g.rng.IntN(8) == 0 {
		return "projects", g.vanisher.step()
	}
	path := g.pick(files)
	if g.rng.IntN(6) == 0 {
		return g.output(path)
	}
	if g.rng.IntN(2) == 0 {
		path = files[0] // one of them grows all the time
	}
	rel, err := filepath.Rel(g.home, path)
	g.must(err)
	return filepath.ToSlash(rel), g.change(path)
}

// output saves an output of a session, names one, or takes one away.
func (g *grower) output(transcript string) (name, what string) {
	dir, _, ofAgent := strings.Cut(strings.TrimSuffix(transcript, ".jsonl"), string(filepath.Separator)+"subagents")
	if ofAgent {
		transcript = dir + ".jsonl"
	}
	g.n++
	dir = filepath.Join(dir, "tool-results")
	line := fmt.Sprintf(`{"type":"user","uuid":"g%d","timestamp":"2026-11-02T00:%02d:%02d.000Z","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"<persisted-output>\nOutput too large (1KB). Full output saved to: /h/tool-results/b%d.txt\n\nPreview"}]}}`+"\n",
		g.n, g.n/60%60, g.n%60, g.n%8)
	outputs := g.list(filepath.Join(g.home, "projects", "*", "*", "tool-results", "*"))
	switch n := g.rng.IntN(6); {
	case n == 0 && len(outputs) > 0:
		path := g.pick(outputs)
		g.must(os.Remove(path))
		return g.named(path), "remove " + path[len(g.home):]
	case n == 1 && len(outputs) > 0:
		path := g.pick(outputs)
		storetest.AppendBytes(g.t, path, fmt.Appendf(nil, "more zq%d", g.n))
		return g.named(path), "append to " + path[len(g.home):]
	case n == 2:
		storetest.AppendBytes(g.t, transcript, []byte(line))
		return g.named(transcript), "name an output in " + transcript[len(g.home):]
	}
	g.must(os.MkdirAll(dir, 0o700))
	path := filepath.Join(dir, fmt.Sprintf("b%d.txt", g.n%8))
	g.must(os.WriteFile(path, fmt.Appendf(nil, "output %d\nof zqoutput%d\n", g.n, g.n), 0o600))
	if g.rng.IntN(2) == 0 {
		return g.named(path), "save an output in " + path[len(g.home):]
	}
	storetest.AppendBytes(g.t, transcript, []byte(line))
	return g.named(filepath.Dir(path)), "save and name an output in " + path[len(g.home):]
}

// named is a path as a name in the home.
func (g *grower) named(path string) string {
	rel, err := filepath.Rel(g.home, path)
	g.must(err)
	return filepath.ToSlash(rel)
}

func (g *grower) change(path string) string {
	g.n++
	switch n := g.rng.IntN(20); {
	case n < 12:
		storetest.AppendBytes(g.t, path, []byte(g.line()+"\n"))
		return "append to " + path[len(g.home):]
	case n < 14:
		line := g.line()
		storetest.AppendBytes(g.t, path, []byte(line[:g.rng.IntN(len(line))]))
		return "half a line to " + path[len(g.home):]
	case n < 15:
		storetest.AppendBytes(g.t, path, []byte(g.line()))
		return "a line without its end to " + path[len(g.home):]
	case n < 16:
		data, err := os.ReadFile(path)
		g.must(err)
		if i := bytes.LastIndexByte(data, '\n'); i >= 0 {
			data = data[:i+1]
		}
		g.must(os.WriteFile(path, data, 0o600))
		return "cut the last half line of " + path[len(g.home):]
	case n < 17:
		info, err := os.Stat(path)
		g.must(err)
		g.must(os.Truncate(path, g.rng.Int64N(info.Size()+1)))
		return "truncate " + path[len(g.home):]
	case n < 18:
		data, err := os.ReadFile(path)
		g.must(err)
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			data = data[i+1:]
		}
		g.must(os.WriteFile(path+".tmp", data, 0o600))
		g.must(os.Rename(path+".tmp", path))
		return "rewrite " + path[len(g.home):]
	case n < 19 && strings.Contains(path, "subagents"):
		g.must(os.WriteFile(strings.TrimSuffix(path, ".jsonl")+".meta.json", fmt.Appendf(nil, `{"agentType":"T%d","description":"d%d"}`, g.n, g.n), 0o600))
		return "meta of " + path[len(g.home):]
	}
	g.must(os.Remove(path))
	return "remove " + path[len(g.home):]
}

// line is a line of some kind; some repeat what others have.
func (g *grower) line() string {
	head := fmt.Sprintf(`"uuid":"g%d","parentUuid":"g%d","timestamp":"2026-11-02T00:%02d:%02d.000Z","cwd":"/w/kin"`, g.n, g.n-1, g.n/60%60, g.n%60)
	switch n := g.rng.IntN(10); {
	case n < 3:
		return fmt.Sprintf(`{"type":"user",%s,"message":{"role":"user","content":"zqword%d"}}`, head, g.n)
	case n < 6:
		return fmt.Sprintf(`{"type":"assistant",%s,"message":{"id":"m%d","model":"claude-x","role":"assistant","content":[{"type":"text","text":"zqsay%d"},{"type":"tool_use","id":"t%d","name":"Bash","input":{}}],"usage":{"input_tokens":3,"output_tokens":%d}}}`,
			head, g.n/(1+g.rng.IntN(3)), g.n, g.n/2, g.rng.IntN(50))
	case n < 7:
		return fmt.Sprintf(`{"type":"user",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":true,"content":"no"}]}}`, head, g.n/2)
	case n < 8:
		return fmt.Sprintf(`{"type":"summary","summary":"summary %d","leafUuid":"g%d"}`, g.n, max(0, g.n-g.rng.IntN(20)))
	case n < 9:
		return fmt.Sprintf(`{"type":"assistant",%s,"message":{"id":"s%d","model":"<synthetic>","role":"assistant","content":[]}}`, head, g.n)
	}
	return fmt.Sprintf(`{"type":"custom-title","customTitle":"title %d","sessionId":"x"}`, g.n)
}

// countFS counts what is asked of a home.
type countFS struct {
	homefs.FS
	mu    sync.Mutex
	asked map[string]int
}

func (f *countFS) count(what, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked == nil {
		f.asked = map[string]int{}
	}
	f.asked[what+" "+name]++
}

func (f *countFS) ReadDir(name string) ([]fs.DirEntry, error) {
	f.count("list", name)
	return f.FS.ReadDir(name)
}

func (f *countFS) Stat(name string) (fs.FileInfo, error) {
	f.count("stat", name)
	return f.FS.Stat(name)
}

func (f *countFS) Open(name string) (homefs.File, error) {
	f.count("open", name)
	return f.FS.Open(name)
}

// What one appended line makes the index look at: that file, and nothing else.
func TestAbsorbLooksAtOneFile(t *testing.T) {
	home := damageHome(t)
	x := openAt(t, t.TempDir())
	defer x.Close()
	refreshAll(t, x, home)
	fsys := &countFS{FS: homeFS{homeAt(t, home).Store.Files()}}
	h := ask.Home{Store: sesskeep.New(homefs.New(home, fsys))}
	const name = "projects/-w-kin/00000001-0000-4000-8000-000000000000.jsonl"
	for i := range 3 {
		storetest.Append(t, filepath.Join(home, filepath.FromSlash(name)), fmt.Sprintf(`{"type":"user","uuid":"n%d","message":{"role":"user","content":"more"}}`, i))
		fsys.asked = nil
		if r := absorb(t, x, []Change{{h, name}}); r.Read != 1 {
			t.Errorf("%+v", r)
		}
		for what, n := range fsys.asked {
			if !strings.HasSuffix(what, " "+name) || strings.HasPrefix(what, "list") {
				t.Errorf("line %d: %s, %d times", i, what, n)
			}
		}
	}
	compareAnswers(t, "after all", mustAnswer(t, x, home), freshAnswers(t, home))
}

// A reader that keeps its view open for long delays no writer, and the log
// stays short.
func TestReaderInTheWay(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	x := openAt(t, dir)
	defer x.Close()
	refreshAll(t, x, home)
	must(t, x.db.View(t.Context(), func(tx *sql.Tx) error {
		writeBeside(t, x, home, dir, tx)
		return nil
	}))
}

// writeBeside absorbs lines while a view is held.
func writeBeside(t *testing.T, x *Index, home, dir string, tx *sql.Tx) {
	t.Helper()
	h := homeAt(t, home)
	var before, after int
	must(t, tx.QueryRow("SELECT sum(messages) FROM row").Scan(&before))
	const name = "projects/-w-kin/00000001-0000-4000-8000-000000000000.jsonl"
	var waited time.Duration
	for i := range 100 {
		storetest.Append(t, filepath.Join(home, filepath.FromSlash(name)), fmt.Sprintf(`{"type":"user","uuid":"n%d","message":{"role":"user","content":"more"}}`, i))
		start := time.Now()
		absorb(t, x, []Change{{h, name}})
		waited = max(waited, time.Since(start))
	}
	log := size(t, db.Path(dir)+"-wal")
	t.Logf("the slowest line took %v, the log has %d KB", waited, log>>10)
	if log > 100*64<<10 {
		t.Errorf("the log has %d bytes after 100 lines", log)
	}
	must(t, tx.QueryRow("SELECT sum(messages) FROM row").Scan(&after))
	if after != before {
		t.Error("the view changed")
	}
}

// A walk that is young enough is not made again, until somebody doubts it.
func TestYoungWalk(t *testing.T) {
	home := damageHome(t)
	x := openAt(t, t.TempDir())
	defer x.Close()
	fsys := &countFS{FS: homeFS{homeAt(t, home).Store.Files()}}
	h := ask.Home{Store: sesskeep.New(homefs.New(home, fsys))}
	looked := func(o Options) bool {
		t.Helper()
		fsys.asked = nil
		_, err := x.Walk(t.Context(), []ask.Home{h}, o)
		must(t, err)
		return len(fsys.asked) > 0
	}
	young := Options{MaxAge: time.Hour}
	if !looked(Options{RowsOnly: true, MaxAge: time.Hour}) || looked(Options{RowsOnly: true, MaxAge: time.Hour}) {
		t.Error("the first walk is made, and no second")
	}
	if !looked(young) || looked(young) || looked(Options{RowsOnly: true, MaxAge: time.Hour}) {
		t.Error("who wants more walks once more")
	}
	if !looked(Options{}) {
		t.Error("a command does not look")
	}
	x.Doubt(h)
	if !looked(young) || looked(young) {
		t.Error("a doubt is for one walk")
	}
	must(t, x.Rebuild(t.Context()))
	if !looked(young) {
		t.Error("a new index is not filled")
	}
}
