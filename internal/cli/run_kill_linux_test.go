package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/holder"
	"sesskeep/internal/runs"
	"sesskeep/internal/storetest"
)

// household is a user whose programs are real processes.
type household struct {
	t      *testing.T
	dir    string
	client string   // empty: the fake one
	env    []string // more of the environment
}

func newHousehold(t *testing.T) *household {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &household{t: t, dir: dir}
	for _, name := range []string{"work", ".claude/projects"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(h.stopAll)
	return h
}

func (h *household) command(args ...string) *exec.Cmd {
	cmd := exec.Command("sesskeep", args...) // testscript has put it into PATH
	cmd.Dir = filepath.Join(h.dir, "work")
	client := h.client
	if client == "" {
		client = storetest.FakeClaude(h.t)
	}
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.dir, "SESSKEEP_CLAUDE=" + client}, h.env...)
	return cmd
}

func (h *household) try(args ...string) (string, error) {
	cmd := h.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%q: %w: %s", args, err, &errs)
	}
	return strings.TrimSpace(out.String()), nil
}

func (h *household) sesskeep(args ...string) string {
	h.t.Helper()
	out, err := h.try(args...)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// serve starts a server and waits until it answers.
func (h *household) serve() *exec.Cmd {
	h.t.Helper()
	cmd := h.command("serve", "--listen", "127.0.0.1:0", "--allow-root", filepath.Join(h.dir, "work"))
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // it may have been killed
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if _, err := h.try("api", "/healthz"); err == nil {
			return cmd
		} else if time.Now().After(end) {
			h.t.Fatal(err)
		}
	}
}

// api asks the server and decodes the answer.
func (h *household) api(value any, args ...string) {
	h.t.Helper()
	if err := json.Unmarshal([]byte(h.sesskeep(append([]string{"api"}, args...)...)), value); err != nil {
		h.t.Fatal(err)
	}
}

// until waits for a state of a run.
func (h *household) until(id, state string) (run holder.Record) {
	h.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(30 * time.Millisecond) {
		if h.api(&run, "/runs/"+id); string(run.State) == state && run.Version != "" {
			return run
		}
		if time.Now().After(end) {
			h.t.Fatalf("run %s is %s, and never %s: %+v", id, run.State, state, run.Status)
		}
	}
}

func (h *household) stopAll() {
	for range 200 {
		out, err := h.try("run", "ls", "--jq", ".runs[].id")
		if err != nil {
			h.t.Error(err)
		}
		if err != nil || out == "" {
			return
		}
		for _, id := range strings.Fields(out) {
			_, _ = h.try("run", "stop", id) // it may have ended
		}
		time.Sleep(50 * time.Millisecond)
	}
	h.t.Error("runs do not end")
}

// G-53: a server that is killed with eight runs in the middle of something ends
// none of them, and none loses a line; the next server shows and answers them.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	first := h.serve()
	states := map[string]string{}
	var holders []int
	for i, prompt := range []string{
		"[slow:100000]", "[slow:100000]", "[slow:100000]", "[sleep:1000000]", "[sleep:1000000]", "[write:a.txt]", "[write:b.txt]", "[ask]",
	} {
		var run holder.Record
		h.api(&run, "POST", "/runs", "--data", fmt.Sprintf(`{"cwd":%q,"prompt":%q}`, filepath.Join(h.dir, "work"), prompt))
		states[run.ID] = "working"
		if i >= 5 {
			states[run.ID] = "needs you"
		}
		holders = append(holders, run.PID)
	}
	for id, state := range states {
		h.until(id, state)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait() // it was killed
	for _, pid := range holders {
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("the holder %d is gone: %v", pid, err)
		}
	}
	h.serve()
	for id, state := range states {
		h.until(id, state)
	}
	var inbox runs.InboxPage
	h.api(&inbox, "/inbox")
	if inbox.Total != 3 {
		t.Fatalf("%+v", inbox)
	}
	for _, p := range inbox.Prompts {
		body := fmt.Sprintf(`{"behavior":"allow","inputHash":%q}`, p.Hash)
		if p.Kind == "question" {
			body = fmt.Sprintf(`{"behavior":"allow","inputHash":%q,"answers":{"Which colour?":"Red"}}`, p.Hash)
		}
		h.api(&holder.Record{}, "POST", "/inbox/"+p.ID, "--data", body)
	}
	for id, state := range states {
		want := ""
		if state == "working" {
			h.api(&holder.Record{}, "POST", "/runs/"+id+"/interrupt")
			want = "interrupted"
		}
		run := h.until(id, "your turn")
		if run.Turns != 1 || run.Error != want || run.Malformed != 0 {
			t.Errorf("%s: %+v", id, run.Status)
		}
		h.whole(&run)
	}
	for _, pid := range holders {
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || strings.Contains(string(stat), ") Z ") {
			t.Errorf("holder %d: %s, %v", pid, stat, err)
		}
	}
	h.stopAll()
	for _, pid := range holders {
		for end := time.Now().Add(time.Minute); !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && !orphan(pid); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("holder %d goes on", pid)
			}
		}
	}
}

// orphan reports whether a process has ended and waits for a parent that is none of
// ours: the one of the server that was killed.
func orphan(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// whole checks that the log of a run has what its transcript has: no line was
// lost while nobody listened.
func (h *household) whole(run *holder.Record) {
	h.t.Helper()
	log, err := os.ReadFile(filepath.Join(h.dir, ".local/share/sesskeep/runs", run.ID, "log.jsonl"))
	if err != nil {
		h.t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(h.dir, ".claude/projects/*", run.SessionID+".jsonl"))
	if err != nil || len(files) != 1 {
		h.t.Fatal(files, err)
	}
	transcript, err := os.ReadFile(files[0])
	if err != nil {
		h.t.Fatal(err)
	}
	ids := func(data []byte) map[string]bool {
		found := map[string]bool{}
		for line := range bytes.Lines(data) {
			var e struct{ Type, UUID string }
			if json.Unmarshal(line, &e) == nil && (e.Type == "assistant" || e.Type == "user") {
				found[e.UUID] = true
			}
		}
		return found
	}
	said, kept := ids(log), ids(transcript)
	for id := range kept {
		if !said[id] {
			h.t.Errorf("%s: the message %s is in the transcript, and not in the log", run.ID, id)
		}
	}
	if len(said) != len(kept) || len(kept) < 1 {
		h.t.Errorf("%s: %d messages in the log, %d in the transcript", run.ID, len(said), len(kept))
	}
}
