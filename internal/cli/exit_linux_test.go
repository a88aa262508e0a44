package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"
)

var ttyVars = map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}

// evilHome has a session whose record has an id, and a model a name, that a
// terminal would obey.
func evilHome(t *testing.T) string {
	t.Helper()
	return storetest.Home(t, `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"\u001b]52;c;aGFja2Vk\u0007\u202eid","parentUuid":null,"timestamp":"2026-10-01T10:00:00.000Z","cwd":"/w","message":{"role":"user","content":"a needle"}}
{"type":"assistant","uuid":"a1","parentUuid":null,"timestamp":"2026-10-01T10:00:01.000Z","cwd":"/w","message":{"id":"m1","role":"assistant","model":"\u001b]0;owned\u0007\u001b[31mmodel","content":[{"type":"text","text":"an answer"}],"usage":{"input_tokens":1,"output_tokens":2}}}
{"type":"user","uuid":"00000000-0000-4000-8000-000000000003","parentUuid":"a1","timestamp":"2026-10-01T10:00:02.000Z","cwd":"/w","message":{"role":"user","content":[{"type":"text","text":"needle \u001b[31m"},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODdhAQABABtbMzFt"}}]}}
`)
}

func TestSearchShowsAnIDAsText(t *testing.T) {
	out := runOnTTY(t, evilHome(t), ttyVars, "search", `"a needle"`)
	checkTTY(t, []string{"search"}, out)
	if !strings.Contains(out, "#␛]52;c;a") {
		t.Errorf("the id is not shown: %q", out)
	}
}

func TestStatsShowsAModelAsText(t *testing.T) {
	out := runOnTTY(t, evilHome(t), ttyVars, "stats")
	checkTTY(t, []string{"stats"}, out)
	if !strings.Contains(out, "unpriced (100 % of tokens): ␛]0;owned␇") {
		t.Errorf("the model is not shown: %q", out)
	}
}

// Transcripts and blobs come over the API as they are. A terminal gets the text
// of them, and nothing else.
func TestAPIShowsATranscriptAsText(t *testing.T) {
	home := evilHome(t)
	serveHome(t, home)
	for _, path := range []string{"/sessions/11111111/export?format=markdown", "/sessions/11111111/export?format=jsonl", "/search?q=needle"} {
		out := runOnTTY(t, home, ttyVars, "api", path)
		checkTTY(t, []string{"api", path}, out)
		if !strings.Contains(out, "needle") {
			t.Errorf("%s: got %q", path, out)
		}
	}
	const blobs = "/sessions/11111111/blobs/00000000-0000-4000-8000-000000000003."
	if out := runOnTTY(t, home, ttyVars, "api", blobs+"1"); !strings.Contains(out, "needle ␛[31m") {
		t.Errorf("a text: got %q", out)
	}
	if out := runOnTTY(t, home, ttyVars, "api", blobs+"2"); !strings.Contains(out, "the answer is image/gif") || strings.Contains(out, "GIF87a") {
		t.Errorf("an image: got %q", out)
	}
	if got := runOver(t, home, "api", blobs+"2"); got.stdout != "GIF87a\x01\x00\x01\x00\x1b[31m" {
		t.Errorf("an image to a pipe: got %q %s", got.stdout, got.stderr)
	}
}

// Marks in answers of the server are escaped as JSON has it, and mean the same.
func TestAPIShowsJSONAsJSON(t *testing.T) {
	home := evilHome(t)
	serveHome(t, home)
	if out := runOnTTY(t, home, ttyVars, "api", "/search?q=needle"); !strings.Contains(out, `\u001b]52;c;aGFja2Vk\u0007\u202eid`) {
		t.Errorf("got %q", out)
	}
}

// A colour that is forced into a pipe is the colour of a terminal.
func TestColourInAPipe(t *testing.T) {
	var out bytes.Buffer
	exit := Main([]string{"--claude-dir", evilHome(t), "ls", "--all", "--format", "table"}, shell.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Dir: "/", Home: t.TempDir(), Now: time.Now,
		Lookup: func(name string) (string, bool) {
			v, ok := map[string]string{"CLICOLOR_FORCE": "1"}[name]
			return v, ok
		},
	})
	if got := out.String(); exit != 0 || !strings.Contains(got, "\x1b[2m") || storetest.Terminal(got, storetest.Colours) != nil {
		t.Errorf("exit code %d: %q", exit, got)
	}
}

// serveHome serves a home until the test ends, for the user who runs commands on it.
func serveHome(t *testing.T, home string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	said := &screen{}
	env := shell.Env{
		Stdin: strings.NewReader(""), Stdout: said, Stderr: said, Dir: "/", Home: home + "-user",
		Lookup: func(string) (string, bool) { return "", false }, Now: time.Now,
	}
	done := make(chan int, 1)
	go func() {
		done <- execute(ctx, []string{"serve", "--claude-dir", home, "--listen", "127.0.0.1:0", "--max-runs", "1"}, env)
	}()
	t.Cleanup(func() { cancel(); <-done })
	said.await(t, "serving at http")
}
