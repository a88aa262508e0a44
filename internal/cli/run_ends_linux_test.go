package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/cli/run"
	"sesskeep/internal/holder"

	"golang.org/x/sys/unix"
)

// runEnd is a way in which a message, or the run, can come to its end.
type runEnd struct {
	name    string
	flags   []string // of run start
	message string
	does    func(h *household, run *holder.Record) // while it works; nil: nothing
	exit    int
	outcome string
	error   string // a pattern
	text    string // the answer
	ends    string // the state of the run afterwards
	apart   bool   // only of a run that was left running: the holder is a process of its own
}

const firstAnswer = "the first answer"

// runEnds are all ends there are.
var runEnds = []runEnd{
	{name: "answered", message: "[text:the second answer]", outcome: "answered", error: "^$", text: "the second answer", ends: "your turn"},
	{name: "API refuses", message: "[error:529]", exit: 1, outcome: "failed", error: `^API Error: 529 \(status 529\)$`, ends: "your turn"},
	{name: "time limit", flags: []string{"--timeout", "8s"}, message: "[hang]", exit: 8, outcome: "limit",
		error: "^the time limit of the run is reached$", ends: "ended"},
	{name: "silent client", flags: []string{"--quiet-limit", "2s"}, message: "[hang]", exit: 8, outcome: "limit",
		error: "^interrupted: no output for 4s$", ends: "your turn"},
	{name: "budget", flags: []string{"--budget", "0.004"}, message: "[text:more than was to be spent]", exit: 1, outcome: "budget",
		error: "^the budget is spent$", text: "more than was to be spent", ends: "ended"},
	{name: "interrupted", message: "[hang]", exit: 1, outcome: "interrupted", does: func(h *household, run *holder.Record) {
		h.sesskeep("run", "interrupt", run.ID)
	}, error: "^interrupted$", ends: "your turn"},
	{name: "stopped", message: "[hang]", exit: 1, outcome: "stopped", does: stopRun, error: "^stopped by cli", ends: "ended"},
	{name: "client ends", message: "[exit:0]", exit: 1, outcome: "client died", error: "^claude ended before it answered$", ends: "ended"},
	{name: "client fails", message: "[exit:3]", exit: 1, outcome: "client died", error: "^claude ended with exit code 3$", ends: "ended"},
	{name: "client killed", message: "[hang]", exit: 1, outcome: "client died", does: killClient,
		error: "^claude was ended by the signal killed$", ends: "ended"},
	{name: "holder killed", message: "[hang]", exit: 1, outcome: "holder died", does: killHolder,
		error: "^its holder was killed$", ends: "unclean", apart: true},
	{name: "no space", message: "[hang]", exit: 1, outcome: "no space", does: fillDisk,
		error: "^its log cannot be written: .*file too large$", ends: "ended", apart: true},
}

func stopRun(h *household, run *holder.Record) { h.sesskeep("run", "stop", run.ID) }

func killHolder(h *household, run *holder.Record) {
	if err := syscall.Kill(run.PID, syscall.SIGKILL); err != nil {
		h.t.Error(err)
	}
}

// killClient kills the only child of a holder.
func killClient(h *household, run *holder.Record) {
	children, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", run.PID))
	var pids []string
	for _, file := range children {
		data, _ := os.ReadFile(file) // a thread may be gone
		pids = append(pids, strings.Fields(string(data))...)
	}
	if err != nil || len(pids) != 1 {
		h.t.Errorf("children of %d: %v, %v", run.PID, pids, err)
		return
	}
	pid, _ := strconv.Atoi(pids[0])
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		h.t.Error(err)
	}
}

// fillDisk lets no file of a holder grow beyond what its log has, and then has the
// client say something.
func fillDisk(h *household, run *holder.Record) {
	limit := unix.Rlimit{Cur: uint64(run.LogSize), Max: uint64(run.LogSize)}
	if err := unix.Prlimit(run.PID, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
		h.t.Error(err)
	}
	h.sesskeep("run", "interrupt", run.ID)
}

// A wait answers for its own message or fails: whatever ends a message, its exit
// code, its error and its answer are those of that message, "run show" says the same,
// and so does the API.
func TestRunEnds(t *testing.T) {
	h := newHousehold(t)
	h.serve()
	t.Run("send", func(t *testing.T) {
		for _, end := range runEnds {
			t.Run(end.name, func(t *testing.T) {
				t.Parallel()
				h.in(t).waitForSent(&end)
			})
		}
	})
	t.Run("start", func(t *testing.T) {
		for _, end := range runEnds {
			if end.apart {
				continue
			}
			t.Run(end.name, func(t *testing.T) {
				t.Parallel()
				h.in(t).waitForStarted(&end)
			})
		}
	})
}

// A disk on which there is no room is reported at once, and nothing was started.
func TestNoRoom(t *testing.T) {
	for name, full := range map[string]string{
		"file size":  `ulimit -f 64; exec "$@"`,
		"small disk": `mount -t tmpfs -o size=16k tmpfs "$HOME/.local/share" && exec "$@"`,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHousehold(t)
			if err := os.MkdirAll(filepath.Join(h.dir, ".local/share"), 0o700); err != nil {
				t.Fatal(err)
			}
			argv := []string{"sh", "-c", full, "sh"}
			if name == "small disk" {
				argv = append([]string{"unshare", "--user", "--map-root-user", "--mount"}, argv...)
				if out, err := exec.Command(argv[0], "--user", "--map-root-user", "--mount", "true").CombinedOutput(); err != nil {
					t.Skipf("no file system can be mounted here: %v: %s", err, out)
				}
			}
			for _, flags := range [][]string{nil, {"--detach"}} {
				cmd := h.command(append([]string{"run", "start", "hello"}, flags...)...)
				cmd.Args = append(argv[:len(argv):len(argv)], cmd.Args...)
				cmd.Path, cmd.Err = exec.LookPath(argv[0])
				out, err := cmd.CombinedOutput()
				if exitOf(err) != 1 || !strings.Contains(string(out), "no room for a run in "+h.dir) || !strings.Contains(string(out), "hint: make room") {
					t.Errorf("%q: %v: %s", flags, err, out)
				}
			}
			if out := h.sesskeep("run", "ls", "--ended"); out != "" {
				t.Errorf("there are runs: %s", out)
			}
			if out := h.sesskeep("log"); strings.Contains(out, "run start") {
				t.Errorf("it is noted as started: %s", out)
			}
		})
	}
}

// in is the same household, in a test of its own.
func (h *household) in(t *testing.T) *household {
	other := *h
	other.t = t
	return &other
}

// waitForSent waits for the second message of a run.
func (h *household) waitForSent(end *runEnd) {
	id := h.sesskeep(append([]string{"run", "start", "--detach", "[text:" + firstAnswer + "]"}, end.flags...)...)
	h.t.Cleanup(func() { _, _ = h.try("run", "stop", id) }) // it may have ended; others wait for its place
	before := h.untilShown(id, "your turn")
	cmd := h.command("run", "send", id, "--wait", end.message)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	if end.does != nil {
		end.does(h, h.untilSaid(id, before.Lines))
	}
	err := cmd.Wait()
	run := h.untilShown(id, end.ends)
	if code := exitOf(err); code != end.exit {
		h.t.Errorf("exit code %d, want %d: %s", code, end.exit, &errs)
	}
	if got := strings.TrimSuffix(out.String(), "\n"); got != end.text {
		h.t.Errorf("answered %q, want %q", got, end.text)
	}
	h.same(end, run)
	if end.exit != 0 && !strings.Contains(errs.String(), run.Error) {
		h.t.Errorf("said %q, and not %q", errs.String(), run.Error)
	}
}

// waitForStarted waits for a run that is held by the command itself.
func (h *household) waitForStarted(end *runEnd) {
	cmd := h.command(append([]string{"run", "start", "--json", "--purpose", h.t.Name(), end.message}, end.flags...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		h.t.Fatal(err)
	}
	lines := json.NewDecoder(pipe)
	var who, last run.Result
	if err := lines.Decode(&who); err != nil {
		h.t.Fatal(err, errs.String())
	}
	if end.does != nil {
		end.does(h, h.untilSaid(who.ID, 0))
	}
	if err := lines.Decode(&last); err != nil {
		h.t.Error(err, errs.String())
	}
	code := exitOf(cmd.Wait())
	if code != end.exit || last.Text != end.text || string(last.Outcome) != end.outcome || !regexp.MustCompile(end.error).MatchString(last.Error) {
		h.t.Errorf("exit code %d, %+v, want %d, %+v: %s", code, last, end.exit, end, &errs)
	}
	h.same(end, h.untilShown(who.ID, "ended"))
}

// same checks that a run is shown as it ended, here and by the server.
func (h *household) same(end *runEnd, shown holder.Record) {
	h.t.Helper()
	var served holder.Record
	h.api(&served, "/runs/"+shown.ID)
	for where, run := range map[string]*holder.Record{"run show": &shown, "GET /runs": &served} {
		if string(run.Outcome) != end.outcome || !regexp.MustCompile(end.error).MatchString(run.Error) {
			h.t.Errorf("%s: outcome %q, error %q, want %q, %q", where, run.Outcome, run.Error, end.outcome, end.error)
		}
	}
}

// untilShown waits until a run is in a state.
func (h *household) untilShown(id, state string) (run holder.Record) {
	h.t.Helper()
	return h.untilRun(id, state, func(r *holder.Record) bool { return string(r.State) == state })
}

// untilSaid waits until the client has begun with a message, after so many lines.
func (h *household) untilSaid(id string, before int) *holder.Record {
	h.t.Helper()
	run := h.untilRun(id, "working", func(r *holder.Record) bool { return r.State == "working" && r.Lines >= before+3 })
	return &run
}

func (h *household) untilRun(id, what string, is func(*holder.Record) bool) (run holder.Record) {
	h.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(30 * time.Millisecond) {
		run = holder.Record{}
		if err := json.Unmarshal([]byte(h.sesskeep("run", "show", id, "--json")), &run); err != nil {
			h.t.Fatal(err)
		}
		if is(&run) {
			return run
		}
		if time.Now().After(end) {
			h.t.Fatalf("run %s is %s, and never %s: %+v", id, run.State, what, run.Status)
		}
	}
}

func exitOf(err error) int {
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return failed.ExitCode()
	}
	return -1
}
