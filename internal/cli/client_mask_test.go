package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"
	"sesskeep/internal/storetest/mockapi"
)

const maskedKey = "ghp_8dQz1kFvTb0LxYw3Rj7NcPs5HmGe2UaKoI9V"

// testMasked lets the client go on with a session that was masked between two signed
// thoughts, against a service that refuses thinking behind other words.
func testMasked(t *testing.T) {
	c := newRealClient(t)
	service := mockapi.New(t)
	c.api = service.Server
	const id = "00000000-0000-4000-8000-000000000011"
	c.ask("home", "[think:first]", "--session-id", id)
	c.ask("home", "[think:second] "+maskedKey, "--resume", id)
	c.ask("home", "[tool:echo "+maskedKey+"][think:third]", "--resume", id, "--dangerously-skip-permissions")
	found, err := filepath.Glob(filepath.Join(c.dir, "home", "projects", "*", id+".jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	before, err := os.ReadFile(found[0])
	storetest.Must(t, err)
	age(t, found[0])
	c.sesskeep("home", "mask", id)
	after, err := os.ReadFile(found[0])
	storetest.Must(t, err)
	if bytes.Contains(after, []byte(maskedKey)) || strings.Count(string(after), `"type":"thinking"`) != 1 || strings.Count(string(before), `"type":"thinking"`) != 3 {
		t.Fatalf("it is not masked:\n%s", after)
	}
	c.sesskeep("home", "check", id)
	for _, prompt := range []string{"[text:fourth]", "[think:fifth]", "[tool:echo sixth][text:sixth]"} {
		answer, _ := c.ask("home", prompt, "--resume", id, "--dangerously-skip-permissions")
		said := service.Last()
		if !strings.Contains(prompt, answer) || strings.Contains(said, maskedKey) || !strings.Contains(said, "[github-token:1]") || !strings.Contains(said, "[think:first]") {
			t.Errorf("%s: it answered %q; the model was told %s", prompt, answer, said)
		}
	}
	c.sesskeep("home", "check", id)
}

// age makes a file old enough to be changed.
func age(t *testing.T, file string) {
	t.Helper()
	info, err := os.Stat(file)
	storetest.Must(t, err)
	old := info.ModTime().Add(-2 * time.Minute)
	storetest.Must(t, os.Chtimes(file, old, old))
}

// A service that signs its thinking accepts a masked session from a client that sends all of
// its transcript back, and refuses it where only the words were changed. The real client
// leaves old thinking out when it resumes, so this one stands for those that do not.
func TestMaskedIsAccepted(t *testing.T) {
	service := mockapi.New(t)
	file := filepath.Join(t.TempDir(), "home", "projects", "-w", "00000000-0000-4000-8000-000000000012.jsonl")
	storetest.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	s := &sender{t: t, url: service.URL, file: file}
	for _, prompt := range []string{"[think:first]", "[think:second] " + maskedKey, "[think:third]"} {
		if code := s.say(prompt); code != http.StatusOK {
			t.Fatalf("%s: status %d", prompt, code)
		}
	}
	age(t, file)
	whole, err := os.ReadFile(file)
	storetest.Must(t, err)

	storetest.Must(t, os.WriteFile(file, bytes.ReplaceAll(whole, []byte(maskedKey), []byte("[github-token:1]")), 0o600))
	if code := s.say("[text:more]"); code != http.StatusBadRequest {
		t.Errorf("thinking behind changed words has status %d", code)
	}
	storetest.Must(t, os.WriteFile(file, whole, 0o600))
	age(t, file)
	home := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	var stderr bytes.Buffer
	env := shell.Env{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &stderr, Dir: home, Home: filepath.Dir(home), Host: "here",
		Lookup: func(string) (string, bool) { return "", false }, Now: time.Now}
	if exit := Main([]string{"--claude-dir", home, "mask", "@last"}, env); exit != 0 {
		t.Fatalf("exit code %d: %s", exit, &stderr)
	}
	if code := s.say("[text:more]"); code != http.StatusOK {
		t.Errorf("after mask the status is %d", code)
	}
	if said := service.Last(); strings.Contains(said, maskedKey) || strings.Count(said, `"signature"`) != 1 {
		t.Errorf("the service was told %s", said)
	}
}

// sender is a client that sends everything in its transcript.
type sender struct {
	t         *testing.T
	url, file string
	n         int
}

// record is a line of its transcript.
type record struct {
	Type      string  `json:"type"`
	UUID      string  `json:"uuid"`
	Parent    *string `json:"parentUuid"`
	Session   string  `json:"sessionId"`
	Cwd       string  `json:"cwd"`
	Timestamp string  `json:"timestamp"`
	Message   struct {
		ID      string          `json:"id,omitempty"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// say sends a prompt behind the transcript, and writes it and the answer down if it was accepted.
func (s *sender) say(prompt string) (status int) {
	s.t.Helper()
	text, _ := os.ReadFile(s.file)
	var messages []any
	for line := range strings.Lines(string(text)) {
		var r record
		storetest.Must(s.t, json.Unmarshal([]byte(line), &r))
		if string(r.Message.Content) != "[]" {
			messages = append(messages, map[string]any{"role": r.Message.Role, "content": r.Message.Content})
		}
	}
	messages = append(messages, map[string]any{"role": "user", "content": prompt})
	body, err := json.Marshal(map[string]any{"model": "claude-x", "messages": messages})
	storetest.Must(s.t, err)
	resp, err := http.Post(s.url+"/v1/messages", "application/json", bytes.NewReader(body))
	storetest.Must(s.t, err)
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		var answer struct {
			ID      string
			Content []json.RawMessage
		}
		storetest.Must(s.t, json.NewDecoder(resp.Body).Decode(&answer))
		said, _ := json.Marshal(prompt)
		content, _ := json.Marshal(answer.Content)
		s.write("user", "", said)
		s.write("assistant", answer.ID, content)
	}
	return resp.StatusCode
}

func (s *sender) write(kind, id string, content json.RawMessage) {
	s.t.Helper()
	r := record{Type: kind, UUID: "u" + string(rune('a'+s.n)), Session: strings.TrimSuffix(filepath.Base(s.file), ".jsonl"), Cwd: "/w", Timestamp: "2026-11-14T09:00:00Z"}
	if s.n > 0 {
		parent := "u" + string(rune('a'+s.n-1))
		r.Parent = &parent
	}
	s.n++
	r.Message.ID, r.Message.Role, r.Message.Content = id, kind, content
	line, err := json.Marshal(r)
	storetest.Must(s.t, err)
	f, err := os.OpenFile(s.file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	storetest.Must(s.t, err)
	_, err = f.Write(append(line, '\n'))
	storetest.Must(s.t, err)
	storetest.Must(s.t, f.Close())
}
