package cli

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// notRun marks the lines of the README's command blocks that a test cannot
// run: they never end by themselves, or they run the tests.
var notRun = []string{"sesskeep watch", "make test"}

// TestReadmeCommands runs every other line of the README's command blocks in a
// shell, on the sample home.
func TestReadmeCommands(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh to run the README's commands in")
	}
	t.Setenv("HOME", t.TempDir())
	for _, name := range []string{"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "")
	}
	program := regexp.MustCompile(`\b(go run \./cmd/)?sesskeep( --demo)?\b`)
	ran := 0
	for _, block := range readmeBlocks(t, "sh") {
		for line := range strings.Lines(block) {
			line = strings.TrimSpace(line)
			if line == "" || containsAny(line, notRun) {
				continue
			}
			ran++
			line = program.ReplaceAllString(line, "sesskeep --demo")
			if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
	if ran < 5 {
		t.Errorf("only %d commands of the README were run", ran)
	}
}

// TestReadmeCode holds the README's Go code to the text of the root package's
// example, which is compiled and run.
func TestReadmeCode(t *testing.T) {
	example, err := os.ReadFile("../../example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := readmeBlocks(t, "go")
	if len(blocks) == 0 {
		t.Error("the README shows no Go code")
	}
	for _, block := range blocks {
		indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(block, "\t$1")
		if !strings.Contains(string(example), indented) {
			t.Errorf("not in example_test.go:\n%s", block)
		}
	}
}

// readmeBlocks gives the README's code blocks of a language.
func readmeBlocks(t *testing.T, language string) []string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	fence := regexp.MustCompile("(?ms)^```" + language + "\r?\n(.*?)^```")
	for _, m := range fence.FindAllStringSubmatch(string(readme), -1) {
		blocks = append(blocks, strings.ReplaceAll(m[1], "\r\n", "\n"))
	}
	return blocks
}

func containsAny(s string, words []string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}
