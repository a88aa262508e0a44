package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWatchLatency measures the time from an append to the line on a pipe, in
// one session among all those of a large home: SESSKEEP_LATENCY names what
// makecorpus wrote. Its files are linked, but for the one that grows.
func TestWatchLatency(t *testing.T) {
	corpus := os.Getenv("SESSKEEP_LATENCY")
	if corpus == "" {
		t.Skip("SESSKEEP_LATENCY names no corpus")
	}
	home, file, files := linkedHome(t, filepath.Join(corpus, "home"))
	lines, stop := watching(t, home)
	defer stop()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var took []time.Duration
	for i := range 110 {
		// The first ones find the file unread. Appends are apart as lines of a
		// model are, so that each is alone.
		mark := fmt.Sprintf("latency-%04d", i)
		line := fmt.Sprintf(`{"type":"user","uuid":%q,"timestamp":"2026-11-15T08:00:00Z","message":{"role":"user","content":%q}}`+"\n", mark, mark)
		began := time.Now()
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
		waitLine(t, lines, mark)
		if i >= 10 {
			took = append(took, time.Since(began))
		}
		time.Sleep(time.Duration(20+i%7*13) * time.Millisecond)
	}
	slices.Sort(took)
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	t.Logf("%d transcripts: append to line p50 %v, p99 %v, max %v", files, p50, p99, took[len(took)-1])
	if p99 > 50*time.Millisecond {
		t.Errorf("p99 is %v, more than 50 ms", p99)
	}
}

// linkedHome is a home with the same files, and one of them that may grow.
func linkedHome(t *testing.T, from string) (home, grows string, files int) {
	t.Helper()
	home = t.TempDir()
	err := filepath.WalkDir(filepath.Join(from, "projects"), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.Join(home, strings.TrimPrefix(path, from))
		if e.IsDir() {
			return os.MkdirAll(name, 0o755)
		}
		if filepath.Ext(path) == ".jsonl" {
			files++
		}
		if grows == "" && filepath.Ext(path) == ".jsonl" && !strings.HasPrefix(e.Name(), "agent-") && len(e.Name()) == 36+len(".jsonl") {
			grows = name
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(name, append(bytes.TrimRight(data, "\n"), '\n'), 0o600)
		}
		if os.Link(path, name) == nil {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(name, data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return home, grows, files
}

// watching runs sesskeep watch --all --json and gives its lines.
func watching(t *testing.T, home string) (<-chan string, func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "--claude-dir", home, "watch", "--all", "--json")
	cmd.Args[0] = "sesskeep"
	dir := t.TempDir()
	cmd.Env = []string{"HOME=" + dir, "XDG_CACHE_HOME=" + dir, "XDG_STATE_HOME=" + dir, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if !bufio.NewScanner(stderr).Scan() {
		t.Fatal("it does not say that it watches")
	}
	t.Logf("watches after %v", time.Since(began).Round(time.Millisecond))
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(stdout)
		in.Buffer(nil, 1<<24)
		for in.Scan() {
			lines <- in.Text()
		}
		if err := in.Err(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("reading what it says: %v", err)
		}
	}()
	return lines, func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

func waitLine(t *testing.T, lines <-chan string, mark string) {
	t.Helper()
	timeout := time.After(scriptPatience)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatal("it ended")
			}
			if strings.Contains(line, mark) {
				return
			}
		case <-timeout:
			t.Fatalf("%s never came", mark)
		}
	}
}
