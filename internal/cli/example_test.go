package cli

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
)

// inSample puts things of the sample home in the place of those that examples
// name and that are elsewhere on every machine.
var inSample = strings.NewReplacer("~/src/my-app", "my-app", `"$PWD/README.md"`, "README.md")

// readers are the commands that change nothing and end by themselves: their
// examples can be run.
var readers = strings.Split("ls,session ls,show,session show,session tree,session branches,session agents,session files,session usage,search,"+
	"usage,usage ledger,stats,digest,sql,insights,session health,session context,file log,project ls,project show,project memory,project conversations,ps,history,history projects,"+
	"history timeline,command ls,command show,storage,doctor,hook status,check,version", ",")

// goOn are flags with which they do not end, or want a log of what happened.
var goOn = regexp.MustCompile(`--(watch|follow|sessions)\b`)

// Every example of theirs in a help text works as it stands. What chooses fields or
// filters JSON finds something in the sample home; nothing runs there.
func TestExamples(t *testing.T) {
	home := demoHome(t)
	ran := 0
	for path, c := range commandTree() {
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			words := exampleWords(inSample.Replace(line))
			if len(words) < 2 || words[0] != "sesskeep" || goOn.MatchString(line) {
				continue
			}
			words = words[1:]
			used, _, err := c.Root().Find(words)
			if err != nil || !slices.Contains(readers, strings.TrimPrefix(used.CommandPath(), "sesskeep ")) {
				continue
			}
			ran++
			var stdout, stderr bytes.Buffer
			exit := Main(append(words, "--claude-dir", home.root), shell.Env{
				Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: "/home/ada/src/parser", Home: home.root + "-user",
				Lookup:  func(string) (string, bool) { return "", false },
				Now:     func() time.Time { return testNow },
				Program: func() (string, error) { return "sesskeep", nil },
			})
			out := stdout.String()
			if exit != 0 && exit != 7 {
				t.Errorf("%s: %q: exit code %d: %s", path, line, exit, &stderr)
			} else if asks := path != "sesskeep ps" && (strings.Contains(line, "--jq") || strings.Contains(line, "--json=")); asks && (strings.TrimSpace(out) == "" || strings.Contains(out, "null")) {
				t.Errorf("%s: %q finds nothing: %q", path, line, out)
			} else if out == "" && slices.Contains([]string{"search", "history"}, words[0]) {
				t.Errorf("%s: %q finds nothing", path, line)
			}
		}
	}
	if ran < 60 {
		t.Errorf("only %d examples were run", ran)
	}
}

// exampleWords splits an example as a shell does, up to a pipe or a remark, which
// follows after several blanks.
func exampleWords(line string) (words []string) {
	var word strings.Builder
	quote, begun := rune(0), false
	for i, r := range line {
		switch {
		case quote == 0 && (strings.HasPrefix(line[i:], "  ") || strings.HasPrefix(line[i:], " | ") || strings.HasPrefix(line[i:], " > ")):
			return append(words, word.String())
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case r == quote:
			quote = 0
		case quote == 0 && r == ' ':
			words = append(words, word.String())
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}
