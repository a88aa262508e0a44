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
// comes soon and says that it is not all, and memory stays bounded. It runs by
// "make crowd".
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
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	user := t.TempDir()
	list := func() (partial, whole time.Duration, memory int64) {
		cmd := exec.Command(self, "ls", "--all", "-n", "50", "--format", "table", "--no-pager", "--claude-dir", home)
		cmd.Args[0] = "sesskeep"
		cmd.Env = []string{"HOME=" + user, "XDG_CACHE_HOME=" + filepath.Join(user, "cache")}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		rows := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			switch text := lines.Text(); {
			case strings.Contains(text, "still to be read"):
				partial = time.Since(start)
				t.Logf("%d rows after %v: %s", rows, partial.Round(time.Millisecond), text)
			case strings.Contains(text, "of the crowd"):
				rows++
			}
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		if rows < 50 {
			t.Errorf("%d rows", rows)
		}
		return partial, time.Since(start), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	}
	partial, whole, memory := list()
	t.Logf("first: all %d files after %v with %d MiB", files, whole.Round(time.Millisecond), memory>>10)
	if partial == 0 || partial > crowdWait {
		t.Errorf("a first page, marked as such, came after %v, want at most %v", partial, crowdWait)
	}
	if memory > crowdMemory {
		t.Errorf("%d KiB, want at most %d", memory, crowdMemory)
	}
	_, whole, memory = list()
	t.Logf("again: %v with %d MiB", whole.Round(time.Millisecond), memory>>10)
	if memory > crowdMemory {
		t.Errorf("%d KiB, want at most %d", memory, crowdMemory)
	}
}
