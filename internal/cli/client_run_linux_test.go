package cli

import (
	"bytes"
	"encoding/json"
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
	"sesskeep/internal/storetest/mockapi"
)

// TestRealRuns lets the real client do what users do with runs, against a mock of
// the API: what it writes into its transcript is what it said to us.
func TestRealRuns(t *testing.T) {
	path := os.Getenv("SESSKEEP_CLAUDE")
	if path == "" {
		t.Skip("SESSKEEP_CLAUDE does not name a client: no run of a real one is tried")
	}
	h := newHousehold(t)
	h.client, h.env = path, mockapi.New(t).Environ()
	version, err := exec.Command(path, "--version").Output()
	t.Logf("client %s, %v", bytes.TrimSpace(version), err)
	file := func(name string) string { return filepath.Join(h.dir, "work", name) }

	if got := h.sesskeep("run", "start", "[text:first words]"); got != "first words" {
		t.Errorf("create: %q", got)
	}
	both := h.sesskeep("run", "start", "--detach", "[text:one]")
	h.state(both, "your turn")
	if got := h.sesskeep("run", "send", both, "--wait", "[text:two]"); got != "two" {
		t.Errorf("two turns: %q", got)
	}
	t.Run("permission", func(t *testing.T) {
		allowed := h.sesskeep("run", "start", "--detach", "[write:"+file("a.txt")+"]")
		denied := h.sesskeep("run", "start", "--detach", "[write:"+file("b.txt")+"]")
		h.state(allowed, "needs you")
		h.state(denied, "needs you")
		h.answerRun(allowed, "allow")
		h.answerRun(denied, "deny", "--message", "not that")
		h.state(allowed, "your turn")
		h.state(denied, "your turn")
		if _, err := os.Stat(file("a.txt")); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(file("b.txt")); err == nil {
			t.Error("what was denied was written")
		}
		h.stop(allowed)
		h.stop(denied)
	})
	t.Run("question", func(t *testing.T) {
		id := h.sesskeep("run", "start", "--detach", "[ask]")
		h.state(id, "needs you")
		h.answerRun(id, "allow", "--answer", "Blue")
		run := h.state(id, "your turn")
		if log := h.log(&run); !strings.Contains(log, `\"Which colour?\"=\"Blue\"`) {
			t.Errorf("the model was not told: %s", log)
		}
		h.stop(id)
	})
	t.Run("interrupt", func(t *testing.T) {
		id := h.sesskeep("run", "start", "--detach", "[slow:3000]")
		h.state(id, "working")
		h.sesskeep("run", "interrupt", id)
		if run := h.state(id, "your turn"); run.Error != "interrupted" {
			t.Errorf("%+v", run.Status)
		}
		if got := h.sesskeep("run", "send", id, "--wait", "[text:after]"); got != "after" {
			t.Errorf("after an interrupt: %q", got)
		}
		h.stop(id)
	})
	t.Run("resume and fork", func(t *testing.T) {
		run := h.stop(both)
		if got := h.sesskeep("run", "start", "--resume", run.SessionID, "[text:three]"); got != "three" {
			t.Errorf("resume: %q", got)
		}
		if got := h.sesskeep("run", "fork", run.SessionID, "[text:other]"); got != "other" {
			t.Errorf("fork: %q", got)
		}
		prompts := h.sesskeep("ls", "--all", "--jq", fmt.Sprintf(`.sessions[] | select(.id == %q) | .promptCount`, run.SessionID))
		if prompts != "3" {
			t.Errorf("the session has %s prompts", prompts)
		}
	})
	t.Run("killed", func(t *testing.T) {
		id := h.sesskeep("run", "start", "--detach", "[slow:3000]")
		run := h.state(id, "working")
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end) && len(h.transcripts(&run)) == 0; { // it is written late
			time.Sleep(50 * time.Millisecond)
		}
		if err := syscall.Kill(run.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		h.state(id, "unclean")
		if got := h.sesskeep("run", "start", "--yes", "--resume", run.SessionID, "[text:again]"); got != "again" {
			t.Errorf("after its holder was killed: %q", got)
		}
	})
	t.Run("errors", func(t *testing.T) {
		for _, status := range []string{"429", "500", "529"} {
			if _, err := h.try("run", "start", "[status:"+status+"]"); err == nil || !strings.Contains(err.Error(), status) {
				t.Errorf("status %s: %v", status, err)
			}
		}
	})
	list := h.sesskeep("run", "ls", "--ended", "--json")
	var page runs.RunPage
	if err := json.Unmarshal([]byte(list), &page); err != nil {
		t.Fatal(err)
	}
	for i := range page.Runs {
		h.equal(&page.Runs[i])
	}
}

// state waits for a state of a run, without a server.
func (h *household) state(id, state string) (run holder.Record) {
	h.t.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if err := json.Unmarshal([]byte(h.sesskeep("run", "show", id, "--json")), &run); err != nil {
			h.t.Fatal(err)
		}
		if string(run.State) == state {
			return run
		}
		if time.Now().After(end) {
			h.t.Fatalf("run %s is %s, and never %s: %+v", id, run.State, state, run.Status)
		}
	}
}

func (h *household) stop(id string) holder.Record {
	h.t.Helper()
	h.sesskeep("run", "stop", id)
	return h.state(id, "ended")
}

// answerRun answers what a run asks.
func (h *household) answerRun(id, verb string, flags ...string) {
	h.t.Helper()
	prompt := h.sesskeep("inbox", "ls", "--jq", fmt.Sprintf(`.prompts[] | select(.runId == %q) | .id`, id))
	if verb == "allow" {
		flags = append(flags, "--yes")
	}
	h.sesskeep(append([]string{"inbox", verb, prompt}, flags...)...)
}

func (h *household) log(run *holder.Record) string {
	h.t.Helper()
	data, err := os.ReadFile(filepath.Join(h.dir, ".local/share/sesskeep/runs", run.ID, "log.jsonl"))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}

// transcripts are the files of a run's session.
func (h *household) transcripts(run *holder.Record) []string {
	files, err := filepath.Glob(filepath.Join(h.dir, ".claude/projects/*", run.SessionID+".jsonl"))
	if err != nil {
		h.t.Fatal(err)
	}
	return files
}

// equal compares what a run said with its transcript: every message it told of is
// there, with the same id and tokens.
func (h *household) equal(run *holder.Record) {
	h.t.Helper()
	files := h.transcripts(run)
	if len(files) != 1 {
		h.t.Errorf("%s: transcripts %v", run.ID, files)
		return
	}
	transcript, err := os.ReadFile(files[0])
	if err != nil {
		h.t.Fatal(err)
	}
	kept := messagesOf(string(transcript))
	for id, said := range messagesOf(h.log(run)) {
		if kept[id] != said {
			h.t.Errorf("%s (%s): it said %s %+v, the transcript has %+v", run.ID, run.Title, id, said, kept[id])
		}
	}
}

// saidMessage is what is compared of a message.
type saidMessage struct {
	kind, id string
	input    int
}

func messagesOf(lines string) map[string]saidMessage {
	found := map[string]saidMessage{}
	for line := range strings.Lines(lines) {
		var e struct {
			Type, UUID string
			Message    struct {
				ID    string
				Usage struct {
					Input int `json:"input_tokens"`
				}
			}
		}
		if json.Unmarshal([]byte(line), &e) == nil && (e.Type == "assistant" || e.Type == "user") {
			found[e.UUID] = saidMessage{e.Type, e.Message.ID, e.Message.Usage.Input}
		}
	}
	return found
}
