package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"
)

// oneOfTwo is a home of which two are made that share every UUID: what was said
// and what was paid differs. {H} is the home's name, {N} its number.
const oneOfTwo = `
-- projects/-w/c9cf1234-0000-4000-8000-000000000001.jsonl --
{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/w","slug":"calm-sea","sessionId":"c9cf1234-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:00.000Z","version":"2.1.325","message":{"role":"user","content":"prompt of {H}"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","cwd":"/w","sessionId":"c9cf1234-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:05.000Z","version":"2.1.325","message":{"id":"msg_1{H}","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[{"type":"text","text":"needle of {H}"},{"type":"tool_use","id":"toolu_1{H}","name":"Task","input":{"subagent_type":"Explore","description":"look at {H}","prompt":"go {H}"}}],"usage":{"input_tokens":{N}000,"output_tokens":{N}00}}}
{"type":"user","uuid":"u3","parentUuid":"u2","cwd":"/w","sessionId":"c9cf1234-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:06.000Z","version":"2.1.325","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1{H}","content":"done"}]},"toolUseResult":{"agentId":"a0000000000000001"}}
{"type":"assistant","uuid":"u4","parentUuid":"u3","cwd":"/w","sessionId":"c9cf1234-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:07.000Z","version":"2.1.325","message":{"id":"msg_2{H}","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[{"type":"tool_use","id":"toolu_2{H}","name":"Write","input":{"file_path":"/w/{H}.txt","content":"x"}}],"usage":{"input_tokens":{N}000,"output_tokens":{N}00}}}
{"type":"user","uuid":"u5","parentUuid":"u4","cwd":"/w","sessionId":"c9cf1234-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:08.000Z","version":"2.1.325","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2{H}","content":"ok"}]},"toolUseResult":{"type":"create","filePath":"/w/{H}.txt","content":"x","structuredPatch":[]}}
{"type":"user","uuid":"u6","parentUuid":"u1","cwd":"/w","sessionId":"c9cf1234-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:09.000Z","version":"2.1.325","message":{"role":"user","content":"retry of {H}"}}
-- projects/-w/c9cf1234-0000-4000-8000-000000000001/subagents/agent-a0000000000000001.jsonl --
{"type":"user","uuid":"a1","parentUuid":null,"isSidechain":true,"agentId":"a0000000000000001","cwd":"/w","sessionId":"c9cf1234-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:05.500Z","version":"2.1.325","message":{"role":"user","content":"go {H}"}}
{"type":"assistant","uuid":"a2","parentUuid":"a1","isSidechain":true,"agentId":"a0000000000000001","cwd":"/w","sessionId":"c9cf1234-0000-4000-8000-000000000001","timestamp":"2026-11-15T10:00:05.900Z","version":"2.1.325","message":{"id":"msg_3{H}","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[{"type":"text","text":"needle of the agent of {H}"}],"usage":{"input_tokens":{N}000,"output_tokens":{N}00}}}
-- projects/-w/d0cf1234-0000-4000-8000-000000000002.jsonl --
{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/w","sessionId":"d0cf1234-0000-4000-8000-000000000002","timestamp":"2026-11-15T10:00:00.000Z","version":"2.1.325","forkedFrom":{"sessionId":"c9cf1234-0000-4000-8000-000000000001","messageUuid":"u1"},"message":{"role":"user","content":"prompt of {H}"}}
{"type":"user","uuid":"f2","parentUuid":"u1","cwd":"/w","sessionId":"d0cf1234-0000-4000-8000-000000000002","timestamp":"2026-11-15T11:00:00.000Z","version":"2.1.325","message":{"role":"user","content":"needle of the fork of {H}"}}
-- history.jsonl --
{"display":"typed in {H}","pastedContents":{},"timestamp":1794650400000,"project":"/w","sessionId":"c9cf1234-0000-4000-8000-000000000001"}
-- commands/same.md --
---
description: of {H}
---
do it
`

// twins is a user with two homes that share every UUID.
type twins struct {
	t    *testing.T
	dir  string
	user string
}

func newTwins(t *testing.T) *twins {
	w := &twins{t, t.TempDir(), t.TempDir()}
	for i, name := range []string{"one", "two"} {
		text := strings.NewReplacer("{H}", name, "{N}", string(rune('1'+i))).Replace(oneOfTwo)
		if err := storetest.Write(filepath.Join(w.dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// run runs a command over some of the homes.
func (w *twins) run(homes string, args ...string) string {
	w.t.Helper()
	out, exit := w.answer(homes, args...)
	if exit != 0 {
		w.t.Fatalf("%q over %s: exit code %d: %s", args, homes, exit, out)
	}
	return out
}

// try is run for what may fail.
func (w *twins) try(homes string, args ...string) string {
	w.t.Helper()
	out, _ := w.answer(homes, args...)
	return out
}

// answer gives what a command writes, with what it says where it fails.
func (w *twins) answer(homes string, args ...string) (string, int) {
	w.t.Helper()
	for _, name := range strings.Fields(homes) {
		args = append(args, "--claude-dir", name+"="+filepath.Join(w.dir, name))
	}
	var stdout, stderr bytes.Buffer
	exit := Main(args, shell.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: "/", Home: w.user, Host: "here",
		Lookup:  func(string) (string, bool) { return "", false },
		Now:     func() time.Time { return testNow },
		Program: func() (string, error) { return "sesskeep", nil },
	})
	if exit != 0 {
		return stdout.String() + stderr.String(), exit
	}
	return stdout.String(), exit
}

// value runs a command with --json. What depends on the moment is left out.
func (w *twins) value(homes string, args ...string) map[string]any {
	w.t.Helper()
	var v map[string]any
	text := w.run(homes, append(args, "--json")...)
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		w.t.Fatalf("%q: %v: %s", args, err, text)
	}
	return timeless(v).(map[string]any)
}

func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{"score", "durationMs"} {
			delete(v, name)
		}
		for name := range v {
			v[name] = timeless(v[name])
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	}
	return v
}

// items are the parts of a list, each as text.
func (w *twins) items(v map[string]any, name string) []string {
	w.t.Helper()
	list, ok := v[name].([]any)
	if !ok {
		w.t.Fatalf("no list %q in %v", name, v)
	}
	var texts []string
	for _, item := range list {
		text, err := json.Marshal(item)
		if err != nil {
			w.t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	slices.Sort(texts)
	return texts
}

// twoHomes says for every command what two homes with the same UUIDs are to it.
var twoHomes = struct {
	lists     map[string]string   // command and the list whose items are those of both homes
	addresses map[string][]string // command and the addresses it is asked for
	texts     map[string][]string // the same, for those that write no JSON document
	neither   string              // commands that tell nothing of sessions, or that take one home
}{
	lists: map[string]string{
		"ls --all --source all": "sessions", "session ls --all --source all": "sessions", "search needle": "results",
		"usage session": "rows", "usage project": "rows", "usage ledger": "rows", "stats": "longest",
		"digest --since 2026-01-01": "projects",
		"history":                   "prompts", "project ls": "projects", "ps --all": "sessions",
		"storage": "homes", "doctor": "roots", "command ls": "commands",
		"keep expiring --days 0": "sessions", "keep retention": "homes",
	},
	addresses: map[string][]string{
		"show":                  {"c9cf", "c9cf:u5", "c9cf#u2", "c9cf/a000", "calm-sea", "@last", "agent-a0000000000000001"},
		"session conversations": {"c9cf", "calm-sea", "@last"},
		"session tree":          {"c9cf", "calm-sea", "@last", "agent-a0000000000000001"},
		"session agents":        {"c9cf", "calm-sea"},
		"session files":         {"c9cf", "calm-sea"},
		"session usage":         {"c9cf", "c9cf:u5", "calm-sea", "agent-a0000000000000001"},
		"usage ledger":          {"c9cf", "calm-sea", "agent-a0000000000000001"},
		"ls --parent":           {"c9cf", "calm-sea"},
		"check":                 {"c9cf", "calm-sea", "agent-a0000000000000001"},
		"share --dry-run":       {"c9cf", "c9cf:u5", "calm-sea", "@last"},
		"scan":                  {"c9cf", "calm-sea", "agent-a0000000000000001"},
		"repair --dry-run":      {"c9cf", "calm-sea"},
	},
	texts: map[string][]string{
		"context":                             {"c9cf", "c9cf:u5", "@last"},
		"session health --json":               {"c9cf", "calm-sea"},
		"session context --json":              {"c9cf", "c9cf:u5", "calm-sea"},
		"export --to text":                    {"c9cf", "c9cf:u5", "@last"},
		"session show":                        {"c9cf", "c9cf:u5", "@last"},
		"resume --yes --print-command":        {"c9cf", "c9cf:u6", "@last"},
		"watch --since-start --until unclean": {"c9cf", "c9cf/a000", "@last"},
		"session star --dry-run":              {"c9cf", "calm-sea", "@last"},
		"session unstar --dry-run":            {"c9cf"},
		"session note --text x --dry-run":     {"c9cf"},
		"session rename --clear --dry-run":    {"c9cf"},
		"session tag add later --dry-run":     {"c9cf"},
		"session unarchive --dry-run":         {"c9cf"},
		"session trash --force --dry-run":     {"c9cf", "calm-sea"},
		"session tag rm later --dry-run":      {"c9cf"},
	},
	neither: `todo "todo ls" "usage statusline install" "usage statusline uninstall" sesskeep config "config show" "config edit" "config path" help completion version command project session usage mcp "mcp install" "mcp plugin" hook "hook report" undo "hook install"
		"hook uninstall" "hook status" serve "serve stop" ui pair api token "token create" "token ls" "token revoke" "share ls" "share revoke" "command show" "usage statusline"
		backup "backup ls" "backup verify" "backup restore" "project show" "project memory" "project conversations" "history projects" "history timeline" log file "file log" "file show" "file diff" "file restore" blame
		"session tag" "session fork" "session mv" "session archive" "session source" "session purge" clean "project mv" "project purge" mask trash "trash ls" "trash restore"
		"trash purge" keep "keep export" "keep import" "hook keep" "hook ask" "keep on" "keep off" "keep now" "keep status" "keep gone" "keep place" "keep place add" "keep place ls" "keep place remove" "keep place sync" sql insights
		"keep restore" "keep verify" "keep retention set" "session diff" run "run start" "run fork" "run send" "run ls" "run show" "run attach"
		"run set" "run interrupt" "run stop" "run rm" "run hold" "run standin" inbox "inbox ls" "inbox allow" "inbox deny" "inbox watch"`,
}

// Whatever two homes share, a list over both has exactly the items of each.
func TestTwoHomes(t *testing.T) {
	w := newTwins(t)
	for command, name := range twoHomes.lists {
		args := strings.Fields(command)
		one, two := w.items(w.value("one", args...), name), w.items(w.value("two", args...), name)
		if len(one) == 0 || len(two) == 0 {
			t.Errorf("%s has nothing to join", command)
		}
		want := slices.Concat(one, two)
		slices.Sort(want)
		if got := w.items(w.value("one two", args...), name); !slices.Equal(got, want) {
			t.Errorf("%s over both homes:\n%s\nwant\n%s", command, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// An address that names a home leads to what it leads to where there is no other.
func TestTwoHomesAddresses(t *testing.T) {
	w := newTwins(t)
	for command, addresses := range twoHomes.addresses {
		for _, address := range addresses {
			for _, home := range []string{"one", "two"} {
				args := strings.Fields(command)
				want, err := json.Marshal(w.value(home, append(args, address)...))
				if err != nil {
					t.Fatal(err)
				}
				for _, at := range []string{"@" + home, "@" + home + ".here"} {
					got, err := json.Marshal(w.value("one two", append(args, address+at)...))
					if err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s %s%s:\n%s\nwant\n%s", command, address, at, got, want)
					}
				}
			}
		}
	}
}

func TestTwoHomesTexts(t *testing.T) {
	w := newTwins(t)
	for command, addresses := range twoHomes.texts {
		for _, address := range addresses {
			for _, home := range []string{"one", "two"} {
				args := strings.Fields(command)
				at := "@" + home
				want := quotationMark.ReplaceAllString(w.run(home, append(args, address)...), "MARK")
				got := strings.ReplaceAll(w.run("one two", append(args, address+at)...), at, "")
				if got = quotationMark.ReplaceAllString(got, "MARK"); got != want || !strings.Contains(got, home) {
					t.Errorf("%s %s%s:\n%s\nwant\n%s", command, address, at, got, want)
				}
			}
		}
	}
}

// quotationMark is the number around a quotation. It follows from what is quoted, also from
// the home in an address.
var quotationMark = regexp.MustCompile(`\b[0-9a-f]{16}\b`)

// What a list prints to be typed leads back to its row.
func TestTwoHomesAddressesPrinted(t *testing.T) {
	w := newTwins(t)
	for _, command := range []string{"ls --all --source all", "usage session", "session branches c9cf@two", "stats"} {
		found := 0
		for line := range strings.Lines(w.run("one two", strings.Fields(command)...)) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			at := slices.IndexFunc(fields, func(f string) bool { return strings.Contains(f, "@") })
			if at < 0 {
				continue
			}
			found++
			_, home, _ := strings.Cut(fields[at], "@")
			var shown struct {
				Root string
			}
			if err := json.Unmarshal([]byte(w.run("one two", "show", fields[at], "--json")), &shown); err != nil {
				t.Fatal(err)
			}
			if filepath.Base(shown.Root) != home {
				t.Errorf("%s: %s leads to %s", command, fields[at], shown.Root)
			}
		}
		if found < 2 {
			t.Errorf("%s prints %d addresses with their home", command, found)
		}
		if text := w.run("two", strings.Fields(command)...); strings.Contains(text, "@") {
			t.Errorf("%s over one home names it:\n%s", command, text)
		}
	}
}

// The key of a row leads to it, and to no other.
func TestTwoHomesKeys(t *testing.T) {
	w := newTwins(t)
	seen := map[string]bool{}
	for _, item := range w.value("one two", "ls", "--all", "--source", "all")["sessions"].([]any) {
		row := item.(map[string]any)
		key := row["key"].(string)
		shown := w.value("one two", "show", key)
		if seen[key] || shown["root"] != row["root"] || row["isAgent"] == true && shown["agentId"] != row["agentId"] {
			t.Errorf("%s of %v leads to %v of %v", key, row["root"], shown["sessionId"], shown["root"])
		}
		seen[key] = true
	}
	if len(seen) != 6 {
		t.Errorf("%d keys: %v", len(seen), seen)
	}
}

// Messages count once. Two homes with different ones cost what both cost, and a
// copy of a home costs nothing more.
func TestTwoHomesCost(t *testing.T) {
	w := newTwins(t)
	cost := func(homes string) float64 {
		total := w.value(homes, "usage")["totals"].(map[string]any)
		return total["cost"].(map[string]any)["usd"].(float64)
	}
	one, two := cost("one"), cost("two")
	if both := cost("one two"); one == 0 || two == one || both != one+two {
		t.Errorf("one costs %v, the other %v, both %v", one, two, both)
	}
	if err := os.CopyFS(filepath.Join(w.dir, "copy"), os.DirFS(filepath.Join(w.dir, "one"))); err != nil {
		t.Fatal(err)
	}
	if both, alone := cost("one copy"), cost("copy"); both != one || alone != one {
		t.Errorf("a home costs %v, with its copy %v, the copy %v", one, both, alone)
	}
}

// A command that is new has to say what two homes are to it.
func TestTwoHomesEveryCommand(t *testing.T) {
	known := map[string]bool{}
	quoted := strings.Split(twoHomes.neither, `"`)
	for i, text := range quoted {
		if i%2 == 1 {
			known[text] = true
			continue
		}
		for _, word := range strings.Fields(text) {
			known[word] = true
		}
	}
	for command := range twoHomes.lists {
		known[strings.TrimSpace(strings.Split(command, "-")[0])] = true
	}
	for command := range twoHomes.texts {
		known[strings.TrimSpace(strings.Split(command, "-")[0])] = true
	}
	for command := range twoHomes.addresses {
		known[strings.TrimSpace(strings.Split(command, "-")[0])] = true
	}
	for command := range known { // without the words that it is given
		for _, word := range []string{" needle", " later"} {
			known[strings.TrimSuffix(command, word)] = true
		}
	}
	for path := range commandTree() {
		if name := strings.TrimPrefix(path, "sesskeep "); !known[name] {
			t.Errorf("%q is not in the table of two homes", name)
		}
	}
}

// A hard link to the secret of another home is nowhere: not shown, found, exported or
// copied, whether that home is read too, or was read before, or is the usual one.
func TestSecretOfAnotherHome(t *testing.T) {
	const id = "5ec7e700-0000-4000-8000-000000000001"
	const secret = `{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/w","sessionId":"` + id + `","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"hush hush"}}` + "\n"
	for name, test := range map[string]struct{ before, homes string }{
		"both are read": {"", "one two"}, "it was read before": {"one", "two"}, "it is the usual one": {"", "two"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTwins(t)
			home := filepath.Join(w.dir, "one")
			if name == "it is the usual one" {
				home = filepath.Join(w.user, ".claude")
			}
			file := filepath.Join(home, ".credentials.json")
			must(t, os.MkdirAll(home, 0o700))
			must(t, os.WriteFile(file, []byte(secret), 0o600))
			if err := os.Link(file, filepath.Join(w.dir, "two", "projects", "-w", id+".jsonl")); err != nil {
				t.Skip(err)
			}
			must(t, os.Link(file, filepath.Join(w.dir, "two", "commands", "hush.md")))
			if test.before != "" {
				w.run(test.before, "ls")
			}
			for _, args := range [][]string{{"ls", "--source", "all", "--json"}, {"search", "needle"}, {"search", "hush", "--json"}, {"show", id}, {"export", id}, {"commands", "show", "hush"}, {"keep", "on"}, {"keep", "now"}, {"doctor", "--details"}} {
				if out := w.try(test.homes, args...); strings.Contains(out, "hush hush") {
					t.Errorf("%q lets it out: %s", args, out)
				}
			}
			must(t, filepath.WalkDir(w.user, func(path string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() || path == file {
					return err
				}
				data, err := os.ReadFile(path)
				if strings.Contains(string(data), "hush hush") || strings.Contains(path, id) {
					t.Errorf("it is in %s", path)
				}
				return err
			}))
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
