package claudehome_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sesskeep/claudehome"
)

func TestCommands(t *testing.T) {
	s := openHome(t, `
-- commands/greet.md --
---
description: Greets
argument-hint: [who]
allowed-tools: Read, Bash(git log:*)
---
Greet $ARGUMENTS.
-- commands/git/flow/commit.md --
<!--| file : git/commit.md -->

## Commit it
Body
-- commands/git/notes.txt --
-- commands/empty.md --
-- agents/reviewer.md --
---
name: code-reviewer
description: >
  Reviews
  code
---
-- agents/team/plain.md --
Plain agent
-- skills/shiny/SKILL.md --
---
name: Shiny one
description: A shiny skill
---
Do it.
-- skills/shiny/reference.md --
Not a skill
-- skills/README.md --
`)
	commands, problems := claudehome.Commands(s, claudehome.ScopeUser)
	if len(problems) != 0 {
		t.Errorf("problems %v", problems)
	}
	var got []string
	for _, c := range commands {
		got = append(got, strings.Join([]string{string(c.Kind), c.Name, c.Category, c.Description, c.File}, "|"))
		if c.Scope != claudehome.ScopeUser {
			t.Errorf("%s: scope %q", c.Name, c.Scope)
		}
	}
	want := []string{
		"agent|code-reviewer||Reviews code|agents/reviewer.md",
		"agent|plain|team|Plain agent|agents/team/plain.md",
		"command|empty|||commands/empty.md",
		"command|git:flow:commit|git/flow|Commit it|commands/git/flow/commit.md",
		"command|greet||Greets|commands/greet.md",
		"skill|shiny||A shiny skill|skills/shiny/SKILL.md",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if c := commands[4]; c.Body != "Greet $ARGUMENTS.\n" || c.Meta.Text("argument-hint") != "[who]" {
		t.Errorf("greet: %+v", c)
	}
}

func TestCommandsRefused(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.WriteFile(outside, []byte("hush"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openHome(t, "-- .credentials.json --\nhush\n-- commands/ok.md --\nFine\n-- skills/.keep --\n-- commands/loop/.keep --\n")
	if err := os.WriteFile(s.Path("commands/huge.md"), make([]byte, 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"commands/out.md":      outside,
		"commands/in.md":       "../.credentials.json",
		"commands/loop/self":   "..",
		"skills/linked":        filepath.Dir(outside),
		"commands/dangling.md": "nowhere",
	} {
		if err := os.Symlink(target, s.Path(name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	commands, problems := claudehome.Commands(s, claudehome.ScopeProject)
	if len(commands) != 1 || commands[0].Name != "ok" {
		t.Errorf("got %+v", commands)
	}
	var bad []string
	for _, p := range problems {
		bad = append(bad, p.File)
	}
	want := []string{"commands/dangling.md", "commands/huge.md", "commands/in.md", "commands/out.md", "skills/linked"}
	if !reflect.DeepEqual(bad, want) {
		t.Errorf("problems with %q, want %q", bad, want)
	}
}

func TestRealCommands(t *testing.T) {
	for name, s := range realHomes(t, "p10-slash/.claude") {
		commands, problems := claudehome.Commands(s, claudehome.ScopeUser)
		var got []string
		for _, c := range commands {
			got = append(got, c.Name+": "+c.Description)
		}
		want := []string{"greet: Greets", "ns:deep: Deep command $1 [s:cmd]", "shiny: A shiny skill"}
		if len(problems) != 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, problems %v", name, got, problems)
		}
	}
}
