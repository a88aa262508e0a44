//go:build linux && (amd64 || arm64)

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/lock"
	"sesskeep/internal/storetest"
)

// uncovered are the commands whose JSON has no coverage though it can differ, each with
// the reason.
var uncovered = map[string]string{
	"project memory":    "it is about one project, and says which files it cannot read",
	"doctor --settings": "--settings is about settings; the report itself is covered",
	"keep status":       "it lists what cannot be read as unread",
	"keep verify":       "it reports damage",
	"keep retention":    "it lists settings that cannot be read as problems",
	"trash ls":          "it lists what cannot be read as problems",
	"command ls":        "it lists what cannot be read as problems",
	"log":               "the journal is read whole, or the command fails",
	"undo":              "the journal is read whole, or the command fails",
	"version":           "it says which homes there are",
}

// stayers are the commands that are not walked, because they stay or are about a server.
var stayers = []string{"api", "mcp", "watch", "run attach", "serve", "serve stop"}

// No command gives a part as the whole: whatever it prints that differs from its answer over
// everything says what is missing, in words and as data, and nothing says so over everything.
// The commands are those of the program, with the arguments of the read faults, which every
// command must have.
func TestNoCommandGivesAPartAsTheWhole(t *testing.T) {
	t.Parallel()
	if !storetest.AsPlain(t) {
		return
	}
	w := &partWorld{faultWorld: newFaultWorld(t, t.TempDir())}
	half := w.readHalf(t)
	w.cache = t.TempDir()
	w.answer(t, wholeIndex)
	whole := w.walk(t, 4)
	for line, got := range whole {
		if why := givenAsPart(got); why != "" {
			t.Errorf("over everything sesskeep %s: %s\n%s%s", line, why, got.stdout, got.stderr)
		}
	}
	searches := 0
	for path, c := range commandTree() {
		if f := c.Flags().Lookup("budget"); f != nil && f.Value.Type() == new(shell.SizeFlag).Type() {
			w.spendBudget(t, strings.TrimPrefix(path, "sesskeep "))
			searches++
		}
	}
	if searches == 0 {
		t.Error("no command has the budget of a search")
	}
	w.compare(t, "half of the homes was read", whole, "another sesskeep is writing the index", func(t *testing.T) int {
		w.cache = half
		l, err := lock.Acquire(filepath.Join(half, "sesskeep", "index.lock"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Release() })
		return 16 // each waits for the lock
	})
	for _, dir := range []string{".claude/projects", ".claude-work/projects", ".claude"} {
		w.compare(t, dir+" cannot be read", whole, "permission denied", func(t *testing.T) int {
			w.cache = t.TempDir()
			w.deny(t, filepath.Join(w.root, "home", dir))
			w.answer(t, wholeIndex)
			return 4
		})
	}
}

// spendBudget runs a command that searches with a budget that is spent at once.
func (w *partWorld) spendBudget(t *testing.T, command string) {
	t.Helper()
	for _, line := range []string{command + " the --all --limit 1 --budget 1 -q", command + " the --all --limit 1 --budget 1 --json"} {
		got := w.answer(t, line)
		if why := givenAsWhole(line, got, "not looked at"); why != "" {
			t.Errorf("sesskeep %s: %s\n%s%s", line, why, got.stdout, got.stderr)
		}
	}
}

// wholeIndex is a command that reads everything there is.
const wholeIndex = "search lighthouses --all"

// A partWorld is the world of the read faults, where a command answers from a part.
type partWorld struct {
	*faultWorld
	cache string
}

// A partAnswer is what a command line printed.
type partAnswer struct {
	exit           int
	stdout, stderr string
}

// compare walks all commands in a state, and compares what they print with whole answers. What
// makes the state returns how many command lines may run at the same time.
func (w *partWorld) compare(t *testing.T, name string, whole map[string]partAnswer, words string, state func(t *testing.T) int) {
	t.Run(name, func(t *testing.T) {
		parallel := state(t)
		parts := 0
		for line, got := range w.walk(t, parallel) {
			if steady(got.stdout) == steady(whole[line].stdout) {
				continue
			}
			parts++
			if why := givenAsWhole(line, got, words); why != "" {
				t.Errorf("sesskeep %s: %s\n%s%s", line, why, got.stdout, got.stderr)
			}
		}
		if parts < 40 {
			t.Errorf("only %d answers are of a part: what does not differ is not tried", parts)
		}
	})
}

// walk runs every command line that reads, some at the same time.
func (w *partWorld) walk(t *testing.T, parallel int) map[string]partAnswer {
	t.Helper()
	answers := map[string]partAnswer{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan bool, parallel)
	for _, line := range partLines() {
		slots <- true
		wg.Go(func() {
			got := w.answer(t, line)
			mu.Lock()
			answers[line] = got
			mu.Unlock()
			<-slots
		})
	}
	wg.Wait()
	return answers
}

// partLines are the command lines that read, quietly as text, and as JSON.
func partLines() (list []string) {
	for command, lines := range faultReads {
		if slices.Contains(stayers, command) {
			continue
		}
		for _, args := range lines {
			line := strings.TrimSuffix(strings.TrimSpace(command+" "+args), " --json")
			list = append(list, line+" -q", line+" --json")
		}
	}
	for path, c := range commandTree() {
		if c.Flags().Lookup("dry-run") != nil && c.Flags().Lookup("filter") != nil {
			command := strings.TrimPrefix(path, "sesskeep ")
			line := strings.TrimSpace(command+" "+partActs[command]) + " --all --source all --dry-run"
			list = append(list, line+" -q", line+" --json")
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// partActs are what acts on chosen sessions take besides.
var partActs = map[string]string{
	"session tag add": "boat", "session tag rm": "coast", "session source": "helper", "session note": "--text paint",
	"session rename": "Colours", "session mv": "--to WORLD/work", "clean": "--older-than 1d",
}

// answer runs a command line in this process.
func (w *partWorld) answer(t *testing.T, line string) partAnswer {
	t.Helper()
	var stdout, stderr bytes.Buffer
	home := filepath.Join(w.root, "home")
	vars := map[string]string{"HOME": home, "CLAUDE_CONFIG_DIR": home + "/.claude," + home + "/.claude-work", "XDG_CACHE_HOME": w.cache}
	env := shell.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: filepath.Join(w.root, "app"), Home: home,
		Lookup:  func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
		Now:     func() time.Time { return time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC) },
		Program: func() (string, error) { return w.program, nil },
	}
	exit := Main(strings.Fields(w.place(line)), env)
	return partAnswer{exit, w.unplaced(stdout.String()), w.unplaced(stderr.String())}
}

// readHalf makes an index of half of the files, and returns the directory it is in.
func (w *partWorld) readHalf(t *testing.T) string {
	t.Helper()
	w.cache = t.TempDir()
	away := []string{w.root + "/home/.local/share/sesskeep/vault"} // copies would stand for them
	for path := range w.list(t) {
		if strings.HasPrefix(path, "/home/.claude") && strings.HasSuffix(path, ".jsonl") && strings.ContainsAny(filepath.Base(path)[:1], "2378") {
			away = append(away, w.root+path)
		}
	}
	for _, path := range away {
		rename(t, path, path+".away")
	}
	w.answer(t, wholeIndex)
	for _, path := range away {
		rename(t, path+".away", path)
	}
	return w.cache
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// deny makes a directory unreadable until the test ends.
func (w *partWorld) deny(t *testing.T, dir string) {
	t.Helper()
	chmod := func(mode os.FileMode) {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
	}
	chmod(0)
	t.Cleanup(func() { chmod(0o700) })
}

// givenAsWhole says how a command hides that its answer is of a part; "": it does not.
func givenAsWhole(line string, got partAnswer, words string) string {
	if !strings.Contains(got.stdout+got.stderr, words) {
		return "it does not say what is missing"
	}
	command, json := strings.CutSuffix(line, " --json")
	if !json || got.stdout == "" {
		return ""
	}
	for name := range uncovered {
		if command == name || strings.HasPrefix(command, name+" ") {
			return ""
		}
	}
	if complete, known := completeness(got.stdout); complete || !known {
		return "its JSON has no coverage that is incomplete"
	}
	return ""
}

// givenAsPart says how an answer over everything says that it is none; "": it does not.
func givenAsPart(got partAnswer) string {
	if complete, known := completeness(got.stdout); known && !complete {
		return "its coverage is incomplete"
	}
	if strings.Contains(got.stderr, "missing here") {
		return "it says that something is missing"
	}
	return ""
}

// completeness reports whether an answer is complete by its coverage, and whether it has one.
func completeness(stdout string) (complete, known bool) {
	var answer struct {
		Coverage *struct{ Complete *bool }
	}
	if json.Unmarshal([]byte(stdout), &answer) != nil || answer.Coverage == nil || answer.Coverage.Complete == nil {
		return false, false
	}
	return *answer.Coverage.Complete, true
}
