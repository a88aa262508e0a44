package cli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/storetest"
)

// What a home of a million files may take until it is of use, and in memory until
// all of it is read.
const (
	crowdWait   = 5 * time.Second
	crowdMemory = 1 << 20 // KiB
)

// TestCrowd lists a home of very many files that was never read: the first page
// comes soon and says that it is not all, and memory stays bounded. Once it was
// read, the next commands answer as soon. It runs by "make crowd".
func TestCrowd(t *testing.T) {
	dir := os.Getenv("SESSKEEP_CROWD")
	if dir == "" {
		t.Skip("SESSKEEP_CROWD is not set: a million files are not looked at")
	}
	files, err := strconv.Atoi(os.Getenv("SESSKEEP_CROWD_FILES"))
	if err != nil {
		t.Fatal(err)
	}
	home, err := storetest.Crowd(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	c := &crowd{home: home, user: t.TempDir()}
	list := []string{"ls", "--all", "-n", "50"}
	first := c.soon(t, list...)
	if first.rows < 50 || first.partial == 0 {
		t.Errorf("%d rows, and a first page that says it is one after %v", first.rows, first.partial)
	}
	again := c.soon(t, list...)
	if again.rows < 50 {
		t.Errorf("%d rows when it was listed again", again.rows)
	}
	c.soon(t, "ps")
	needle := []string{"search", `"Question ` + strconv.Itoa(files/3) + ` of the crowd"`}
	c.run(t, needle...) // reads every text
	if found := c.soon(t, needle...); found.rows == 0 {
		t.Error("nothing is found")
	}
}

// crowd is a home of very many files, and the user who looks at it.
type crowd struct{ home, user string }

// crowdAnswer is what a command said of sessions, and when.
type crowdAnswer struct {
	rows    int
	partial time.Duration // until a page came that says it is not all; 0: none did
	whole   time.Duration
}

// soon runs a command of which something of use has to be there soon.
func (c *crowd) soon(t *testing.T, args ...string) crowdAnswer {
	t.Helper()
	a := c.run(t, args...)
	if a.partial > crowdWait || a.partial == 0 && a.whole > crowdWait {
		t.Errorf("%s is of use after %v, want at most %v", args[0], max(a.partial, a.whole), crowdWait)
	}
	return a
}

// run runs a command, which may not take more memory than there is for it.
func (c *crowd) run(t *testing.T, args ...string) (a crowdAnswer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append(args, "--format", "table", "--no-pager", "--claude-dir", c.home)...)
	cmd.Args[0] = "sesskeep"
	cmd.Env = []string{"HOME=" + c.user, "XDG_CACHE_HOME=" + filepath.Join(c.user, "cache")}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch text := lines.Text(); {
		case strings.Contains(text, "the whole list follows"):
			a.partial = time.Since(start)
			t.Logf("%s: %d rows after %v: %s", args[0], a.rows, a.partial.Round(time.Millisecond), text)
		case strings.Contains(text, "of the crowd"):
			a.rows++
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	a.whole = time.Since(start)
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	t.Logf("%s: all after %v, %v of processor time, %d MiB", args[0], a.whole.Round(time.Millisecond),
		(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Millisecond), used.Maxrss>>10)
	if used.Maxrss > crowdMemory {
		t.Errorf("%s: %d KiB, want at most %d", args[0], used.Maxrss, crowdMemory)
	}
	return a
}
