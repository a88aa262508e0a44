package index

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/storetest"
)

// TestChild is not a test: it is the process that other tests start and kill.
// It refreshes an index again and again, and reports every step on its output.
func TestChild(t *testing.T) {
	dir, home := os.Getenv("SESSKEEP_TEST_INDEX"), os.Getenv("SESSKEEP_TEST_HOME")
	if dir == "" {
		t.Skip("started by other tests")
	}
	report := func(step string) {
		os.Stdout.WriteString("step " + step + "\n")
		if step == os.Getenv("SESSKEEP_TEST_STOP") {
			stopHere()
		}
		if step == os.Getenv("SESSKEEP_TEST_PAUSE") {
			io.Copy(io.Discard, os.Stdin)
		}
	}
	db.OnStep = report
	store, err := sesskeep.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(dir)
	if err != nil || x.Degraded() != nil {
		t.Fatal(err, x.Degraded())
	}
	report("open")
	o := Options{RowsOnly: os.Getenv("SESSKEEP_TEST_ROWS") != ""}
	r, err := x.Walk(context.Background(), []ask.Home{{Store: store}}, o)
	if err != nil {
		t.Fatal(err)
	}
	report(fmt.Sprintf("done behind=%v read=%d", r.Behind, r.Read))
	if os.Getenv("SESSKEEP_TEST_STAY") != "" {
		io.Copy(io.Discard, os.Stdin)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

// child is a process that runs TestChild.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	steps chan string  // closed when its output ends
	other bytes.Buffer // of its output, to be read after that
	fault bytes.Buffer // to be read after it ended
}

func startChild(t *testing.T, dir, home string, env ...string) *child {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("kills processes as Unix does")
	}
	c := &child{cmd: exec.Command(os.Args[0], "-test.run=^TestChild$"), steps: make(chan string, 10000)}
	c.cmd.Env = append(append(os.Environ(), "SESSKEEP_TEST_INDEX="+dir, "SESSKEEP_TEST_HOME="+home), env...)
	c.cmd.Stderr = &c.fault
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.steps)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if step, ok := strings.CutPrefix(lines.Text(), "step "); ok {
				c.steps <- step
			} else {
				fmt.Fprintln(&c.other, lines.Text())
			}
		}
	}()
	t.Cleanup(func() { c.cmd.Process.Kill() })
	return c
}

// await waits for a step, and gives false if the child ends without it.
func (c *child) await(step string) bool {
	for s := range c.steps {
		if s == step {
			return true
		}
	}
	return false
}

// kill ends the child at once, and returns what it was at: the steps it reported,
// and whether it was still running.
func (c *child) kill() (last []string, killed bool) {
	c.cmd.Process.Kill()
	last, _ = c.wait()
	return last, !c.cmd.ProcessState.Exited()
}

// wait waits for its end, and returns what it did until then.
func (c *child) wait() (last []string, err error) {
	for s := range c.steps {
		last = append(last, s)
	}
	if err := c.cmd.Wait(); err != nil {
		return last, fmt.Errorf("%w: %s%s", err, c.other.String(), c.fault.String())
	}
	return last, nil
}

// crashes counts where the kills came.
type crashes struct {
	kills     int
	inTx      int // with a transaction open
	inFold    int // while the log was folded in
	sealed    int // the index was judged intact by its seal only
	doubtful  int // it had to be read
	rebuilt   int // it was rebuilt: right, but not what we want
	completed int // the child was done before
}

// A process that refreshes is killed again and again, while the home changes in
// between. What it leaves must be as good as an index without any kill.
func TestCrash(t *testing.T) {
	home := os.Getenv("SESSKEEP_CORPUS")
	if home == "" {
		home = t.TempDir()
		if _, err := storetest.Make(home, storetest.Size{Sessions: 150, Agents: 160, Projects: 12, Bytes: 6 << 20}, 5); err != nil {
			t.Fatal(err)
		}
	} else {
		home = copyHome(t, home)
	}
	writeKin(t, home)
	attic, dir := copyHome(t, home), t.TempDir()
	rng := rand.New(rand.NewPCG(11, number(t, "SESSKEEP_SEED", 1)))
	want := int(number(t, "SESSKEEP_CRASH", 12))
	// Where a kill comes is chance, and a busy machine has worse chances: it goes
	// on until enough of them met a transaction.
	inTx, limit := want/2, 10*want
	var n crashes
	for n.kills < want || n.inTx < inTx {
		if n.kills+n.completed == limit {
			t.Fatalf("of %d rounds %d were killed, %d of them in a transaction; want %d and %d", limit, n.kills, n.inTx, want, inTx)
		}
		mutate(t, rng, home, n.kills)
		restoreSome(t, rng, attic, home)
		n.round(t, rng, dir, home)
		if rng.IntN(8) == 0 {
			lookAt(t, dir, home)
		}
	}
	t.Logf("%d kills: %d in a transaction, %d while folding; then %d intact by their seals, %d read and good, %d rebuilt; %d were done before",
		n.kills, n.inTx, n.inFold, n.sealed, n.doubtful, n.rebuilt, n.completed)
	if n.rebuilt > 0 {
		t.Errorf("%d indexes were rebuilt after a kill", n.rebuilt)
	}
	x := openAt(t, dir)
	defer x.Close()
	refreshAll(t, x, home)
	compareAnswers(t, "after the kills", mustAnswer(t, x, home), freshAnswers(t, home))
	if r := refreshAll(t, x, home); r.Read != 0 || r.Removed != 0 {
		t.Errorf("nothing changed, but %+v", r)
	}
}

// round starts a refresh and kills it somewhere.
func (n *crashes) round(t *testing.T, rng *rand.Rand, dir, home string) {
	t.Helper()
	var env []string
	if rng.IntN(6) == 0 {
		env = append(env, "SESSKEEP_TEST_ROWS=1")
	}
	c := startChild(t, dir, home, env...)
	target := []string{"begin", "begin", "begin", "begin", "begin", "begin", "folding", "clean"}[rng.IntN(8)]
	var steps []string
	if target == "begin" {
		// Most refreshes have one transaction: who waits for another sees the end.
		for more := true; more && c.await("begin"); more = rng.IntN(4) == 0 {
		}
		steps = []string{"begin"}
		time.Sleep(time.Duration(rng.Int64N(int64(10 * time.Millisecond))))
	} else {
		c.await(target)
		steps = []string{target}
		time.Sleep(time.Duration(rng.Int64N(int64(3 * time.Millisecond))))
	}
	after, killed := c.kill()
	if !killed {
		if c.cmd.ProcessState.ExitCode() != 0 {
			t.Fatalf("a refresh went wrong: %s%s", c.other.String(), c.fault.String())
		}
		n.completed++
		return
	}
	n.kills++
	n.count(append(steps, after...))
	n.judge(t, dir)
}

// count notes what a child was at when it was killed.
func (n *crashes) count(steps []string) {
	inTx, inFold := false, false
	for _, s := range steps {
		switch s {
		case "begin":
			inTx = true
		case "end":
			inTx = false
		case "folding", "clean", "writing":
			inFold = s == "folding"
		}
	}
	if inTx {
		n.inTx++
	}
	if inFold {
		n.inFold++
	}
}

// judge notes what the next process will find.
func (n *crashes) judge(t *testing.T, dir string) {
	t.Helper()
	found, err := db.Inspect(dir)
	if err != nil {
		t.Fatal(err)
	}
	switch found {
	case db.Intact:
		n.sealed++
	case db.Doubtful:
		before := stampOf(t, db.Path(dir)).Inode
		y := openAt(t, dir)
		if err := y.Close(); err != nil {
			t.Fatal(err)
		}
		if stampOf(t, db.Path(dir)).Inode == before {
			n.doubtful++
			return
		}
		n.rebuilt++
	case db.Damaged:
		n.rebuilt++
	case db.Missing: // killed before it had one
	}
}

// lookAt opens what a killed process left, without refreshing it.
func lookAt(t *testing.T, dir, home string) {
	t.Helper()
	x := openAt(t, dir)
	defer x.Close()
	if x.Degraded() != nil {
		t.Fatal(x.Degraded())
	}
	if _, err := x.List(t.Context(), ask.Filter{Source: "all", Homes: []ask.Home{homeAt(t, home)}}); err != nil {
		t.Fatal(err)
	}
	if err := check(t.Context(), x.db); err != nil {
		t.Fatal(err)
	}
}

// mutate changes a home between two refreshes: enough that they take a while.
func mutate(t *testing.T, rng *rand.Rand, home string, round int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "projects", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	if round%3 == 0 {
		rewriteSome(t, rng, files, len(files)/2)
	}
	for range 20 {
		path := files[rng.IntN(len(files))]
		switch n := rng.IntN(20); {
		case n < 12:
			appendTo(t, path, fmt.Sprintf(`{"type":"user","uuid":"%x","sessionId":"s","timestamp":"2026-11-02T00:00:00.000Z","message":{"role":"user","content":"zqadded%x"}}`, rng.Uint64(), rng.Uint64()))
		case n < 14:
			appendTo(t, path, `{"type":"user","half`)
		case n < 18:
			rewriteSome(t, rng, files, 1)
		case n < 19 && round%5 == 0:
			os.RemoveAll(filepath.Dir(path))
		default:
			os.Remove(path)
		}
	}
	if round%4 == 1 { // a project that goes as soon as it was read
		gone := filepath.Join(home, "projects", "-w-short")
		if os.RemoveAll(gone) == nil && round%8 == 1 {
			os.MkdirAll(gone, 0o755)
			for i := range 5 {
				copyFile(t, files[i%len(files)], filepath.Join(gone, fmt.Sprintf("0000000%d-0000-4000-8000-00000000000%d.jsonl", i, i)))
			}
		}
	}
}

// restoreSome brings back files that are gone.
func restoreSome(t *testing.T, rng *rand.Rand, attic, home string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(attic, "projects", "*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range files {
		to := filepath.Join(home, from[len(attic):])
		if _, err := os.Lstat(to); err == nil || rng.IntN(3) == 0 {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		copyFile(t, from, to)
	}
}

// appendTo adds to a file, if it is still there.
func appendTo(t *testing.T, path, line string) {
	if _, err := os.Stat(path); err == nil {
		storetest.AppendBytes(t, path, []byte(line+"\n"))
	}
}

// rewriteSome replaces files by others of the same lines, but for one.
func rewriteSome(t *testing.T, rng *rand.Rand, files []string, n int) {
	t.Helper()
	for range n {
		path := files[rng.IntN(len(files))]
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if i := bytes.IndexByte(data, '\n'); rng.IntN(2) == 0 && i > 0 && bytes.Count(data, []byte("\n")) > 4 {
			data = data[i+1:]
		}
		if err := os.WriteFile(path+".tmp", data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".tmp", path); err != nil {
			t.Fatal(err)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		return
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// copyHome copies a corpus: the test changes it.
func copyHome(t *testing.T, home string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "home")
	if err := os.CopyFS(to, os.DirFS(home)); err != nil {
		t.Fatal(err)
	}
	return to
}
