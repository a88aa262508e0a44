package vault

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sesskeep"
)

// TestChild is not a test: it is the process that TestKill starts and kills. It
// copies for ever, and says after each sweep how much it has.
func TestChild(t *testing.T) {
	root, dir := os.Getenv("SESSKEEP_TEST_HOME"), os.Getenv("SESSKEEP_TEST_DIR")
	if root == "" {
		t.Skip("started by other tests")
	}
	store, err := sesskeep.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		v := New(dir, Options{frame: 4096, Rest: time.Duration(1+n%2) * time.Millisecond})
		if _, err := v.Home("h").Keeper.Sweep(context.Background(), store, SweepOptions{}); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			fmt.Println("ready")
		}
	}
}

// Whenever the process is killed while a client writes, what was kept stays, every
// copy is a beginning of its source, and the next sweep has everything.
func TestKill(t *testing.T) {
	rounds := 12
	if os.Getenv("SESSKEEP_CRASH") != "" {
		rounds = 400
	}
	w := newWorld(t)
	w.o.frame = 4096
	rnd := rand.New(rand.NewPCG(2, 9))
	before := map[string]string{}
	for round := range rounds {
		w.killWhileWriting(rnd)
		now := w.files()
		h := w.home()
		for name, text := range now {
			got := readCopy(t, h, name)
			if got == "(none)" {
				got = ""
			}
			if !strings.HasPrefix(text, got) || !strings.HasPrefix(got, before[name]) {
				t.Fatalf("round %d: the copy of %s is %s, was %s, and the source is %s", round, name, short(got), short(before[name]), short(text))
			}
		}
		w.sweep()
		w.compare(now)
		maps.Copy(before, now)
	}
}

// killWhileWriting lets a process copy while lines are written in pieces, and
// kills it at a random moment.
func (w *world) killWhileWriting(rnd *rand.Rand) {
	w.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), "SESSKEEP_TEST_HOME="+w.root, "SESSKEEP_TEST_DIR="+w.dir)
	out, err := cmd.StdoutPipe()
	w.check(err)
	w.check(cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		w.t.Fatalf("the process that copies said %q (%v)", line, err)
	}
	end := time.Now().Add(time.Duration(10+rnd.IntN(150)) * time.Millisecond)
	for time.Now().Before(end) {
		text := lines(rnd, 1+rnd.IntN(5000))
		cut := rnd.IntN(len(text) + 1)
		w.append(mainA, text[:cut])
		w.append(mainA, text[cut:])
		w.append("history.jsonl", fmt.Sprintf(`{"display":"%d"}`+"\n", rnd.Uint64()))
		time.Sleep(time.Millisecond)
	}
	w.check(cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
}
