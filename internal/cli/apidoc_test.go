package cli

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestAPIDocCommands runs the command blocks of docs/api.md as one script, on the
// sample home: what a line keeps in a variable the next ones use.
func TestAPIDocCommands(t *testing.T) {
	for _, program := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s to run the commands of docs/api.md with", program)
		}
	}
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	for _, name := range []string{"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, "")
	}
	address := freeAddress(t)
	script := "set -eu\n"
	commands := 0
	for _, block := range blocksOf(t, "../../docs/api.md", "sh") {
		for line := range strings.Lines(block) {
			commands++
			line = strings.TrimSpace(strings.ReplaceAll(line, "127.0.0.1:7717", address))
			script += fmt.Sprintf("echo '%s' >&2\n%s\n", strings.ReplaceAll(line, "'", ""), onDemo(line, address))
		}
	}
	if commands < 20 {
		t.Errorf("docs/api.md shows only %d commands", commands)
	}
	out, err := exec.Command("sh", "-c", script).CombinedOutput()
	if err != nil {
		t.Errorf("%v after\n%s", err, out[max(0, len(out)-2000):])
	}
}

// onDemo is a command as it is run on the sample home. A server is waited for, and
// goes when the script does.
func onDemo(line, address string) string {
	line = regexp.MustCompile(`\bsesskeep (api|serve|token)`).ReplaceAllString(line, "sesskeep --demo $1")
	before, serves := strings.CutSuffix(line, "serve &")
	if !serves {
		return line
	}
	return before + "serve --listen " + address + ` >/dev/null 2>&1 &
SERVER=$!
trap 'kill $SERVER; wait $SERVER || true' EXIT
while ! sesskeep --demo api /healthz >/dev/null 2>&1; do kill -0 $SERVER; sleep 0.1; done`
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestAPIDocCode holds the Go code of docs/api.md to the example of the client, which
// is compiled.
func TestAPIDocCode(t *testing.T) {
	example, err := os.ReadFile("../../client/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := blocksOf(t, "../../docs/api.md", "go")
	if len(blocks) == 0 {
		t.Error("docs/api.md shows no Go code")
	}
	for _, block := range blocks {
		if !strings.Contains(string(example), indented(block)) {
			t.Errorf("not in example_test.go:\n%s", block)
		}
	}
}
