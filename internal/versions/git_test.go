package versions_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/errcode"
	"sesskeep/internal/versions"
)

// repository makes one in the project, of which every part that can start a program does.
func (s *script) repository() (git func(args ...string) string, marker string) {
	if _, err := exec.LookPath("git"); err != nil {
		s.t.Skip("git is not installed")
	}
	marker = filepath.Join(s.t.TempDir(), "started")
	git = func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = s.work
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
		out, err := cmd.CombinedOutput()
		if err != nil {
			s.t.Fatalf("git %s: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	return git, marker
}

// hostile lets the repository start a program wherever it can.
func hostile(git func(args ...string) string, marker string) {
	touch := "touch " + marker + "; cat"
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean", "filter.x.smudge", "filter.x.process", "gpg.program", "core.editor", "core.askPass", "credential.helper"} {
		git("config", key, touch)
	}
}

// Git's own blame says which commit each line came with, and that leads to the session that made it; a repository
// starts nothing.
func TestBlameCommits(t *testing.T) {
	s := &script{t: t, home: t.TempDir(), files: map[string]*truth{}}
	s.r = newRand(1)
	s.work = filepath.Join(t.TempDir(), "app")
	s.must(os.MkdirAll(s.work, 0o755))
	git, marker := s.repository()
	name := filepath.Join(s.work, "a.go")
	one, two := &scripted{id: s.id(), tracked: map[string]int{}}, &scripted{id: s.id(), tracked: map[string]int{}}
	s.session = append(s.session, one, two)
	commit := func(c *scripted, text string) string {
		s.must(os.WriteFile(name, []byte(text), 0o644))
		git("add", "a.go")
		git("commit", "-qm", "work")
		hash := git("rev-parse", "HEAD")
		use := "toolu_" + hash
		c.line(s, "assistant", object{"message": object{"id": "m" + use, "role": "assistant", "content": []any{
			object{"type": "tool_use", "id": use, "name": "Bash", "input": object{"command": "git commit -m work"}}}}})
		c.line(s, "user", object{"message": object{"role": "user", "content": []any{
			object{"type": "tool_result", "tool_use_id": use, "content": "[main " + hash[:7] + "] work"}}}})
		return hash
	}
	one.ask(s)
	one.call(s, "Write", object{"file_path": name, "content": "a\n"}, object{"type": "create", "filePath": name, "content": "a\n", "originalFile": nil, "structuredPatch": []any{}}, false)
	first := commit(one, "a\n")
	two.ask(s)
	second := commit(two, "a\nby the shell\n")
	s.must(os.WriteFile(filepath.Join(s.work, ".gitattributes"), []byte("* filter=x diff=x\n"), 0o644))
	git("add", ".gitattributes")
	git("commit", "-qm", "attributes")
	s.must(os.WriteFile(name, []byte("new\na\nby the shell\n"), 0o644))
	hostile(git, marker)
	s.store()
	a := s.open()
	page, err := a.Versions.Blame(t.Context(), versions.BlameRequest{Path: name, Named: true, Commits: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ origin, commit, session string }{{versions.FromOutside, "", ""}, {versions.FromSession, first, one.id}, {versions.FromOutside, second, two.id}}
	for i, l := range page.Lines {
		if l.Origin != want[i].origin || l.Commit != want[i].commit {
			t.Errorf("line %d is from %s with %q, want %+v", l.Number, l.Origin, l.Commit, want[i])
		}
		for _, c := range page.Commits {
			if c.ID == l.Commit && (len(c.Sessions) != 1 || c.Sessions[0].Address != want[i].session || c.Summary != "work" || c.Author != "A" || c.Time.IsZero()) {
				t.Errorf("commit %+v, want one of %s", c, want[i].session)
			}
		}
	}
	if len(page.Lines) != 3 || len(page.Commits) != 2 {
		t.Errorf("%d lines, %d commits", len(page.Lines), len(page.Commits))
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the repository started a program")
	}
	if _, err := a.Versions.Blame(t.Context(), versions.BlameRequest{Path: name, Named: true, Commits: true, At: one.id}); errcode.Of(err) != errcode.Invalid {
		t.Errorf("an earlier version: %v", err)
	}
	s.must(os.RemoveAll(filepath.Join(s.work, ".git")))
	if _, err := a.Versions.Blame(t.Context(), versions.BlameRequest{Path: name, Named: true, Commits: true}); errcode.Of(err) != errcode.Invalid || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("no repository: %v", err)
	}
}
