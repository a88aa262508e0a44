package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
)

// user is somebody who has nothing yet, and uses the sample home.
type user struct {
	t   *testing.T
	dir string
}

func (u user) env(in io.Reader, out io.Writer) shell.Env {
	vars := map[string]string{"HOME": u.dir}
	return shell.Env{
		Stdin: in, Stdout: out, Stderr: out, Home: u.dir, Dir: u.dir, Host: "host", Now: time.Now,
		Lookup:  func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
		Program: func() (string, error) { return "/opt/my programs/sesskeep", nil },
	}
}

func (u user) run(args ...string) (string, int) {
	var out bytes.Buffer
	code := Main(append([]string{"--demo"}, args...), u.env(strings.NewReader(""), &out))
	return out.String(), code
}

// serve runs a server until the function it returns is called, which returns the exit
// code.
func (u user) serve(flags ...string) (stop func() int) {
	u.t.Helper()
	_, stop = u.serveSaying(flags...)
	return stop
}

// serveSaying is serve with what the server says to its terminal.
func (u user) serveSaying(flags ...string) (said *screen, stop func() int) {
	u.t.Helper()
	ctx, cancel := context.WithCancel(u.t.Context())
	done := make(chan int, 1)
	said = &screen{}
	args := append([]string{"--demo", "serve", "--listen", "127.0.0.1:0", "--max-runs", "1"}, flags...)
	go func() { done <- execute(ctx, args, u.env(strings.NewReader(""), said)) }()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		out, code := u.run("api", "/healthz")
		if code == 0 {
			return said, func() int { cancel(); return <-done }
		}
		if time.Now().After(end) {
			cancel()
			u.t.Fatalf("the server does not answer: %d %s; it said: %s", code, out, said)
		}
	}
}

// A server that runs is asked from the shell, a second one is refused, and both
// say what to do.
func TestServe(t *testing.T) {
	u := user{t, t.TempDir()}
	run := u.run
	if out, code := run("api", "/healthz"); code != 3 || !strings.Contains(out, "no server is running") {
		t.Fatalf("without a server: %d %s", code, out)
	}
	if out, code := run("serve", "--print-unit", "--listen", "127.0.0.1:9000"); code != 0 || !strings.Contains(out, `sesskeep`) || !strings.Contains(out, "127.0.0.1:9000") {
		t.Errorf("its unit: %d %s", code, out)
	}
	for _, wrong := range [][]string{
		{"--listen", "0.0.0.0:0"}, {"--listen", "192.168.1.5:0"}, {"--listen", "nowhere"}, {"--trust", "0.0.0.0/0"}, {"--trust", "8.8.8.0/24"},
		{"--trust", "192.168.1.0/24=root"}, {"--tls-cert", "x"},
	} {
		if out, code := run(append([]string{"serve"}, wrong...)...); code != 2 {
			t.Errorf("serve %v: %d %s", wrong, code, out)
		}
	}
	stop := u.serve()
	note := filepath.Join(u.dir, ".cache", "sesskeep", "demo", "state", "serve.json")
	if _, err := os.Stat(note); err != nil {
		t.Error("it does not say that it is there:", err)
	}
	out, code := run("api", "/sessions/count")
	if code != 0 || !strings.Contains(out, `"user":`) {
		t.Errorf("a count: %d %s", code, out)
	}
	for args, want := range map[string]int{"GET /sessions/ffffffff": 3, "GET /sessions?limit=x": 2, "OPTIONS /sessions": 2, "sessions": 2} {
		if out, code := run(append([]string{"api"}, strings.Fields(args)...)...); code != want {
			t.Errorf("api %s: %d %s", args, code, out)
		}
	}
	if out, code := run("serve", "--listen", "127.0.0.1:0"); code != 5 || !strings.Contains(out, "another server is running at http://127.0.0.1:") {
		t.Errorf("a second server: %d %s", code, out)
	}
	var there struct{ URL string }
	if data, err := os.ReadFile(note); err != nil || json.Unmarshal(data, &there) != nil {
		t.Fatalf("%s: %v", data, err)
	}
	other := user{t, t.TempDir()}
	if out, code := other.run("serve", "--listen", strings.TrimPrefix(there.URL, "http://")); code != 1 || !strings.Contains(out, "--listen 127.0.0.1:0 takes a free one") {
		t.Errorf("an address that is taken: %d %s", code, out)
	}
	if code := stop(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
	if _, err := os.Stat(note); err == nil {
		t.Error("it says that it is there, and is not")
	}
}

// Who lets all users of the machine in is told so, at the start and by the check-up.
func TestServeSaysWhoNeedsNoToken(t *testing.T) {
	u := user{t, t.TempDir()}
	if out, _ := u.run("doctor"); strings.Contains(out, "serving at") {
		t.Errorf("without a server: %s", out)
	}
	stop := u.serve()
	if out, _ := u.run("doctor"); !strings.Contains(out, "to those with a token") {
		t.Errorf("with a usual server: %s", out)
	}
	stop()
	said, stop := u.serveSaying("--trust", "127.0.0.0/8=operate")
	defer stop()
	const want = "all users and programs of this machine may read, change and purge everything, and start sessions, without a token (--trust 127.0.0.0/8=operate)"
	if !strings.Contains(said.String(), "warning: "+want) {
		t.Errorf("at the start it says: %s", said)
	}
	if out, _ := u.run("doctor"); !strings.Contains(out, want) {
		t.Errorf("the check-up says: %s", out)
	}
	var health struct {
		Server struct{ Trust []string }
	}
	out, _ := u.run("doctor", "--json")
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&health); err != nil || len(health.Server.Trust) != 1 || health.Server.Trust[0] != want {
		t.Errorf("the check-up writes %+v, %v", health, err)
	}
}
