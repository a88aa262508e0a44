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

// TestReadmeNames finds every command that the README names, also where several are
// named at once: `sesskeep session tree · branches`.
func TestReadmeNames(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := commandTree()
	named := 0
	for _, m := range regexp.MustCompile("`sesskeep ([a-z][a-z ·]*[a-z])").FindAllStringSubmatch(string(readme), -1) {
		first, others, _ := strings.Cut(m[1], " · ")
		words := strings.Fields(first)
		group := words[:len(words)-1]
		for name := range strings.SplitSeq(strings.Join(append(words[len(words)-1:], strings.Split(others, " · ")...), " "), " ") {
			if name == "" {
				continue
			}
			named++
			if path := strings.Join(append([]string{"sesskeep"}, append(group, name)...), " "); commands[path] == nil {
				t.Errorf("%q: there is no command %q", m[0], path)
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d commands are named", named)
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
		if !strings.Contains(string(example), indented(block)) {
			t.Errorf("not in example_test.go:\n%s", block)
		}
	}
}

// indented is code as it stands in a function.
func indented(code string) string {
	return regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(code, "\t$1")
}

// readmeBlocks gives the README's code blocks of a language.
func readmeBlocks(t *testing.T, language string) []string {
	t.Helper()
	return blocksOf(t, "../../README.md", language)
}

// blocksOf gives the code blocks of a language in a document.
func blocksOf(t *testing.T, file, language string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	fence := regexp.MustCompile("(?ms)^```" + language + "\r?\n(.*?)^```")
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
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
