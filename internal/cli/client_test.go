package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
)

// realClient is the client itself, in a home of its own, with a mock of the API on
// this machine. It reaches nothing else.
type realClient struct {
	t    *testing.T
	path string
	dir  string // of the user: home, project and our data
	api  *httptest.Server

	mu   sync.Mutex
	last string // messages of the last request, as JSON
}

// newRealClient starts the mock, or skips.
func newRealClient(t *testing.T) *realClient {
	t.Helper()
	path := os.Getenv("SESSKEEP_CLAUDE")
	if path == "" {
		t.Skip("SESSKEEP_CLAUDE does not name a client: nothing is resumed with a real one")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &realClient{t: t, path: path, dir: dir}
	for _, name := range []string{"home", "work"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.api = httptest.NewServer(http.HandlerFunc(c.answer))
	t.Cleanup(c.api.Close)
	return c
}

// answer answers every question with the same words.
func (c *realClient) answer(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/v1/messages") {
		http.NotFound(w, r)
		return
	}
	var question struct {
		Model    string
		Stream   bool
		Messages json.RawMessage
	}
	data, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(data, &question)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	c.last = string(question.Messages)
	c.mu.Unlock()
	const usage = `{"input_tokens":10,"output_tokens":5}`
	text := func(content, stop string) string {
		return fmt.Sprintf(`{"id":"msg_mock","type":"message","role":"assistant","model":%q,"content":[%s],"stop_reason":%s,"stop_sequence":null,"usage":%s}`,
			question.Model, content, stop, usage)
	}
	if !question.Stream {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, text(`{"type":"text","text":"Here I am."}`, `"end_turn"`))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range []string{
		`{"type":"message_start","message":` + text("", "null") + `}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Here I am."}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}`,
		`{"type":"message_stop"}`,
	} {
		kind, _, _ := strings.Cut(strings.TrimPrefix(event, `{"type":"`), `"`)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, event)
	}
}

// ask sends a prompt, and returns what the client answered and what the model was
// told.
func (c *realClient) ask(home, prompt string, args ...string) (answer, told string) {
	c.t.Helper()
	answer, told, err := c.try(home, prompt, args...)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer, told
}

// try is ask for what may fail.
func (c *realClient) try(home, prompt string, args ...string) (answer, told string, err error) {
	cmd := exec.Command(c.path, append([]string{"-p", prompt, "--output-format", "json"}, args...)...)
	cmd.Dir = filepath.Join(c.dir, "work")
	cmd.Env = []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + c.dir, "CLAUDE_CONFIG_DIR=" + filepath.Join(c.dir, home), "LANG=C.UTF-8", "SHELL=/bin/sh",
		"ANTHROPIC_BASE_URL=" + c.api.URL, "ANTHROPIC_API_KEY=dummy", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "CLAUDE_CODE_MAX_RETRIES=1", "IS_SANDBOX=1",
	}
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var result struct{ Result string }
	if err != nil || json.Unmarshal(stdout.Bytes(), &result) != nil {
		return "", "", fmt.Errorf("the client, asked %q %q: %v: %s%s", prompt, args, err, &stdout, &stderr)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return result.Result, c.last, nil
}

// resumes checks that the client goes on with a session and tells the model some
// words of it, and others not.
func (c *realClient) resumes(what, home, session string, words, others []string) {
	c.t.Helper()
	answer, told := c.ask(home, "And now?", "--resume", session)
	if answer != "Here I am." {
		c.t.Errorf("%s: it answered %q", what, answer)
	}
	for _, word := range append(words, "And now?") {
		if !strings.Contains(told, word) {
			c.t.Errorf("%s: the model was not told %q", what, word)
		}
	}
	for _, word := range others {
		if strings.Contains(told, word) {
			c.t.Errorf("%s: the model was told %q", what, word)
		}
	}
	c.t.Logf("%s: %s answered %q", what, session, answer)
}

// sesskeep runs a command of ours over a home.
func (c *realClient) sesskeep(home string, args ...string) string {
	c.t.Helper()
	var stdout, stderr bytes.Buffer
	exit := Main(append([]string{"--claude-dir", filepath.Join(c.dir, home)}, args...), shell.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: c.dir, Home: c.dir, Host: "here",
		Lookup: func(string) (string, bool) { return "", false }, Now: time.Now,
	})
	if exit != 0 {
		c.t.Fatalf("%q: exit code %d: %s", args, exit, &stderr)
	}
	return strings.TrimSpace(stdout.String())
}

// session makes a session of two prompts, and returns its transcript.
func (c *realClient) session(id string) string {
	c.t.Helper()
	c.ask("home", "Think of Alpha.", "--session-id", id)
	c.ask("home", "Think of Beta.", "--resume", id)
	found, err := filepath.Glob(filepath.Join(c.dir, "home", "projects", "*", id+".jsonl"))
	if err != nil || len(found) != 1 {
		c.t.Fatal(found, err)
	}
	return found[0]
}

// damageHard does to a transcript what crashes and tools do: it glues lines, writes
// NULs, cuts a record off, and takes a record away that others hang on.
func damageHard(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	beta := slices.IndexFunc(lines, func(l string) bool {
		return strings.Contains(l, `"type":"user"`) && strings.Contains(l, "Think of Beta.")
	})
	if beta < 1 {
		t.Fatal("no second prompt")
	}
	lines[beta-1] = strings.TrimSuffix(lines[beta-1], "\n") // the prompt is glued on
	lines = slices.Insert(lines, beta+1, strings.Repeat("\x00", 300)+"\n", "garbage\n")
	first := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"type":"attachment"`) })
	lines = slices.Delete(lines, first, first+1) // the next one hangs on it
	text := strings.Join(lines, "") + `{"type":"user","message":{"role":"us`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestRealClient lets the client itself go on with what we repaired, branched,
// imported and restored: it has to answer, and to tell the model what was said.
func TestRealClient(t *testing.T) {
	c := newRealClient(t)
	version, err := exec.Command(c.path, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("client %s", bytes.TrimSpace(version))

	t.Run("repaired", func(t *testing.T) {
		c := newRealClient(t)
		const id = "00000000-0000-4000-8000-00000000000a"
		damageHard(t, c.session(id))
		if v := c.sesskeep("home", "repair", id, "--dry-run", "--jq", ".verdict.resumes"); v != "partly" {
			t.Errorf("before the repair it resumes: %s", v)
		}
		c.sesskeep("home", "repair", id)
		c.sesskeep("home", "check", id)
		c.resumes("repaired", "home", id, []string{"Think of Alpha.", "Think of Beta."}, nil)
		c.sesskeep("home", "check", id)
	})
	t.Run("branched", func(t *testing.T) {
		c := newRealClient(t)
		const id = "00000000-0000-4000-8000-00000000000b"
		left := c.abandon(c.session(id))
		branch := c.sesskeep("home", "session", "branch", id+":"+left, "--jq", ".sessionId")
		c.resumes("branched", "home", branch, []string{"Think of Alpha.", "Think of Beta."}, []string{"Think of Gamma."})
		c.resumes("the session it is from", "home", id, []string{"Think of Alpha.", "Think of Gamma."}, []string{"Think of Beta."})
	})
	t.Run("imported", func(t *testing.T) {
		c := newRealClient(t)
		const id = "00000000-0000-4000-8000-00000000000c"
		c.session(id)
		c.sesskeep("home", "keep", "export", id, "s.bundle")
		if err := os.MkdirAll(filepath.Join(c.dir, "other", "projects"), 0o755); err != nil {
			t.Fatal(err)
		}
		c.sesskeep("other", "keep", "import", "s.bundle", "--project", filepath.Join(c.dir, "work"))
		c.resumes("imported", "other", id, []string{"Think of Alpha.", "Think of Beta."}, nil)
	})
	t.Run("backed up", func(t *testing.T) {
		c, other := newRealClient(t), newRealClient(t) // another user, with another home and another project
		const id, second = "00000000-0000-4000-8000-00000000000f", "00000000-0000-4000-8000-000000000010"
		c.session(id)
		c.ask("second", "Think of Delta.", "--session-id", second)
		c.sesskeep("home", "--claude-dir", filepath.Join(c.dir, "second"), "backup", "all.tar")
		if err := os.RemoveAll(filepath.Join(other.dir, "home")); err != nil {
			t.Fatal(err)
		}
		other.sesskeep("home", "backup", "restore", filepath.Join(c.dir, "all.tar"), "--map", c.dir+"="+other.dir)
		other.resumes("backed up", "home", id, []string{"Think of Alpha.", "Think of Beta."}, nil)
		other.resumes("backed up, second home", "second", second, []string{"Think of Delta."}, nil)
	})
	t.Run("second place", func(t *testing.T) {
		c := newRealClient(t)
		const id = "00000000-0000-4000-8000-000000000011"
		file := c.session(id)
		usb := t.TempDir()
		c.sesskeep("home", "keep", "on", "--no-hook")
		c.sesskeep("home", "keep", "now")
		c.sesskeep("home", "keep", "place", "add", usb)
		vault := filepath.Join(c.dir, ".local", "share", "sesskeep", "vault")
		if err := errors.Join(os.Remove(file), os.RemoveAll(vault)); err != nil {
			t.Fatal(err)
		}
		c.sesskeep("home", "keep", "place", "sync")
		c.sesskeep("home", "keep", "restore", id)
		c.resumes("from the second place", "home", id, []string{"Think of Alpha.", "Think of Beta."}, nil)
	})
	t.Run("masked", testMasked)
	t.Run("restored", func(t *testing.T) {
		c := newRealClient(t)
		const id = "00000000-0000-4000-8000-00000000000e"
		file := c.session(id)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c.sesskeep("home", "keep", "on", "--no-hook")
		c.sesskeep("home", "keep", "now")
		if err := errors.Join(os.Remove(file), os.RemoveAll(strings.TrimSuffix(file, ".jsonl"))); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.try("home", "And now?", "--resume", id); err == nil {
			t.Error("the client resumes a session that is gone")
		}
		c.sesskeep("home", "keep", "restore", id)
		if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, before) {
			t.Errorf("it was not put back as it was: %v", err)
		}
		c.resumes("restored", "home", id, []string{"Think of Alpha.", "Think of Beta."}, nil)
	})
}

// TestRealVerdicts damages a session in many ways, and compares what a check says
// of each with what the client does.
func TestRealVerdicts(t *testing.T) {
	c := newRealClient(t)
	const id = "00000000-0000-4000-8000-00000000000d"
	file := c.session(id)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	at := func(kind, text string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"type":"`+kind+`"`) && strings.Contains(l, text) })
	}
	alpha, beta, last := at("user", "Think of Alpha."), at("user", "Think of Beta."), len(lines)-1
	for last > 0 && !strings.Contains(lines[last], `"type":"assistant"`) {
		last--
	}
	edit := func(i int, f func(string) string) string {
		changed := slices.Clone(lines)
		changed[i] = f(changed[i])
		return strings.Join(changed, "")
	}
	untimed := func(l string) string { return strings.Replace(l, `"timestamp":"2`, `"timestamp":"x`, 1) }
	n := 0
	for what, text := range map[string]string{
		"nothing":             strings.Join(lines, ""),
		"no bytes":            "",
		"garbage":             "garbage\n",
		"a prompt glued on":   edit(beta-1, func(l string) string { return strings.TrimSuffix(l, "\n") }),
		"NULs before":         edit(beta, func(l string) string { return "\x00\x00" + l }),
		"NULs behind":         edit(beta, func(l string) string { return strings.TrimSuffix(l, "\n") + "\x00\x00\n" }),
		"a mark before":       edit(beta, func(l string) string { return "\ufeff" + l }),
		"a prompt gone":       edit(beta, func(string) string { return "" }),
		"a prompt cut":        edit(beta, func(l string) string { return l[:80] + "\n" }),
		"over several lines":  edit(beta, func(l string) string { return strings.ReplaceAll(l, `,"`, ",\n\"") }),
		"no time at the end":  edit(last, untimed),
		"no time before":      edit(beta, untimed),
		"doubled":             edit(alpha, func(l string) string { return l + l }),
		"a half line":         strings.Join(lines, "") + `{"type":"user","mess`,
		"only the first line": lines[alpha],
	} {
		n++
		session := fmt.Sprintf("00000000-0000-4000-8000-0000000001%02x", n)
		copied := filepath.Join(filepath.Dir(file), session+".jsonl")
		if err := os.WriteFile(copied, []byte(strings.ReplaceAll(text, id, session)), 0o600); err != nil {
			t.Fatal(err)
		}
		verdict := c.verdict(session)
		_, told, err := c.try("home", "And now?", "--resume", session)
		want := "yes"
		switch both := strings.Contains(told, "Think of Alpha.") && strings.Contains(told, "Think of Beta."); {
		case err != nil:
			want = "no"
		case !both && what != "only the first line": // there nothing is missing
			want = "partly"
		}
		if verdict != want {
			t.Errorf("%s: the check says %s, the client %s (%v)", what, verdict, want, err)
		}
	}
}

// verdict is what a check says of a session, whatever its exit code.
func (c *realClient) verdict(session string) string {
	var stdout bytes.Buffer
	Main([]string{"--claude-dir", filepath.Join(c.dir, "home"), "check", session, "--jq", ".sessions[0].verdict.resumes"}, shell.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: io.Discard, Dir: c.dir, Home: c.dir, Host: "here",
		Lookup: func(string) (string, bool) { return "", false }, Now: time.Now,
	})
	return strings.TrimSpace(stdout.String())
}

// abandon adds a conversation in which the second prompt was edited, and returns
// the leaf of the one that is left by that.
func (c *realClient) abandon(file string) (leaf string) {
	c.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		c.t.Fatal(err)
	}
	const gamma = "00000000-0000-4000-8000-0000000000ff"
	var edited string
	for line := range strings.Lines(string(data)) {
		var r struct {
			Type, UUID string
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			c.t.Fatal(err)
		}
		if r.Type == "assistant" {
			leaf = r.UUID
		}
		if r.Type == "user" && strings.Contains(line, "Think of Beta.") {
			edited = strings.ReplaceAll(strings.ReplaceAll(line, r.UUID, gamma), "Think of Beta.", "Think of Gamma.")
		}
	}
	id := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	edited += `{"type":"last-prompt","lastPrompt":"Think of Gamma.","leafUuid":"` + gamma + `","sessionId":"` + id + `"}` + "\n"
	if err := os.WriteFile(file, append(data, edited...), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return leaf
}
