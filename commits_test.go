package sesskeep_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sesskeep"
)

// What git and gh print says which commits and pull requests a session is linked with, and what others
// print does not.
func TestLinks(t *testing.T) {
	for name, c := range map[string]struct {
		command, output string
		failed          bool
		more            string // of toolUseResult
		commits, prs    string
	}{
		"a commit":                         {"git commit -m 'fix'", "[main 90f3c1d] fix\n 1 file changed", false, "", "90f3c1d", ""},
		"the first one":                    {"cd x && git -C . commit -m x", "[main (root-commit) 90f3c1d] fix", false, "", "90f3c1d", ""},
		"on no branch":                     {"git rebase main", "[detached HEAD 90f3c1d] one\n[detached HEAD 80f3c1d] two", false, "", "90f3c1d 80f3c1d", ""},
		"picked":                           {"git cherry-pick abc", "[feat/a b 90f3c1d] one", false, "", "90f3c1d", ""},
		"the push failed":                  {"git commit -m x && git push", "Exit code 1\n[main 90f3c1d] x\nrejected", true, "", "90f3c1d", ""},
		"quiet, and shown":                 {"git commit -qm x && git log --oneline -2", "90f3c1d x\n80f3c1d older", false, "", "90f3c1d", ""},
		"quiet, and its full hash":         {"git commit -qm x; git rev-parse HEAD", strings.Repeat("90f3c1d012", 4), false, "", strings.Repeat("90f3c1d012", 4), ""},
		"shown before":                     {"git log --oneline -1; git commit -qm x", "80f3c1d older", false, "", "", ""},
		"a number is no hash":              {"git commit -qm x; git log -1 --format=%at", "1763590000", false, "", "", ""},
		"only shown":                       {"git log --oneline", "90f3c1d x", false, "", "", ""},
		"printed by others":                {"cat notes # git log", "[main 90f3c1d] x", false, "", "", ""},
		"pushed":                           {"git push", "To x\n   80f3c1d..90f3c1d  main -> main", false, "", "90f3c1d", ""},
		"forced":                           {"git push -f", " + 80f3c1d...90f3c1d main -> main (forced update)", false, "", "90f3c1d", ""},
		"fetched":                          {"git pull && git push", "   80f3c1d..90f3c1d  main -> origin/main", false, "", "", ""},
		"the client says it":               {"git commit -qm x", "", false, `{"gitOperation":{"commit":{"sha":"90f3c1d","kind":"committed"}}}`, "90f3c1d", ""},
		"the client says something else":   {"git commit -qm x", "", false, `{"gitOperation":{"commit":"yes","pr":7}}`, "", ""},
		"a pull request":                   {"gh pr create --fill", "https://github.com/a/b/pull/12\n", false, "", "", "https://github.com/a/b/pull/12"},
		"merged":                           {"gh pr merge 12", "✓ Squashed and merged pull request a/b#12 (title)", false, "", "", "a/b#12"},
		"read about":                       {"gh pr list; gh pr view 3", "https://github.com/a/b/pull/12\n", false, "", "", ""},
		"the client says that it is there": {"gh pr create", "", false, `{"gitOperation":{"pr":{"number":4,"url":"https://x.org/a/b/pull/4","action":"created"}}}`, "", "https://x.org/a/b/pull/4"},
	} {
		lines := asked("toolu_1", c.command) + answered("toolu_1", c.output, c.failed, c.more)
		d := digestOf(t, lines)
		if got := strings.Join(d.Commits, " "); got != c.commits {
			t.Errorf("%s: commits %q, want %q", name, got, c.commits)
		}
		if got := strings.Join(d.PullRequests, " "); got != c.prs {
			t.Errorf("%s: pull requests %q, want %q", name, got, c.prs)
		}
		if len(d.GitCalls) > 0 {
			t.Errorf("%s: the call is open: %v", name, d.GitCalls)
		}
	}
}

// A commit counts once, by its longest hash, and a pull request once, by its address.
func TestLinksOnce(t *testing.T) {
	d := digestOf(t, asked("1", "git commit -m x")+answered("1", "[main 90f3c1d] x", false, "")+
		asked("2", "git commit -m y; git rev-parse HEAD")+answered("2", "[main 90f3c1d0124] x", false, "")+
		`{"type":"pr-link","prNumber":12,"prUrl":"https://github.com/a/b/pull/12","prRepository":"a/b"}`+"\n"+
		`{"type":"pr-link","prNumber":13,"prUrl":"javascript:alert(1)","prRepository":"a/b"}`+"\n"+
		asked("3", "gh pr merge 12")+answered("3", "✓ Merged pull request a/b#12 (t)", false, ""))
	if want := []string{"90f3c1d0124"}; !reflect.DeepEqual(d.Commits, want) {
		t.Errorf("commits %q, want %q", d.Commits, want)
	}
	if want := []string{"https://github.com/a/b/pull/12", "a/b#13"}; !reflect.DeepEqual(d.PullRequests, want) {
		t.Errorf("pull requests %q, want %q", d.PullRequests, want)
	}
}

func asked(id, command string) string {
	input, _ := json.Marshal(command)
	return fmt.Sprintf(`{"type":"assistant","uuid":"a%s","timestamp":"2026-11-14T09:00:00.000Z","message":{"id":"m%s","role":"assistant","content":[{"type":"tool_use","id":"%s","name":"Bash","input":{"command":%s}}]}}`+"\n", id, id, id, input)
}

func answered(id, output string, failed bool, more string) string {
	text, _ := json.Marshal(output)
	if more == "" {
		more = "{}"
	}
	return fmt.Sprintf(`{"type":"user","uuid":"b%s","parentUuid":"a%s","timestamp":"2026-11-14T09:00:01.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":%s,"is_error":%v}]},"toolUseResult":%s}`+"\n", id, id, id, text, failed, more)
}

func digestOf(t *testing.T, lines string) *sesskeep.Digest {
	t.Helper()
	d := &sesskeep.Digest{}
	for line := range strings.Lines(lines) {
		e, err := sesskeep.Decode([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		d.Add(&e)
	}
	return d
}
