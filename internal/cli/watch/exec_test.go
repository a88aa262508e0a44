package watch

import (
	"slices"
	"testing"

	"sesskeep"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
)

func TestSplitCommand(t *testing.T) {
	for _, test := range []struct {
		command string
		want    []string // nil: wrong
	}{
		{"say done", []string{"say", "done"}},
		{"  say\t done \n", []string{"say", "done"}},
		{`say 'it is' "your turn"`, []string{"say", "it is", "your turn"}},
		{`say it' is'`, []string{"say", "it is"}},
		{`say a\ b \"c\"`, []string{"say", "a b", `"c"`}},
		{`say "a \" b"`, []string{"say", `a " b`}},
		{`say 'a \ b'`, []string{"say", `a \ b`}},
		{`say ''`, []string{"say", ""}},
		{`say $HOME;ls`, []string{"say", "$HOME;ls"}},
		{`say "`, nil}, {`say \`, nil}, {"", nil}, {"  ", nil},
	} {
		got, err := splitCommand(test.command)
		if (err != nil) != (test.want == nil) || !slices.Equal(got, test.want) {
			t.Errorf("%q: %q %v, want %q", test.command, got, err, test.want)
		}
	}
}

// TestNotification holds what a desktop shows to the title and the state, as
// arguments that are no options and no markup.
func TestNotification(t *testing.T) {
	title := `-x <b>"; do shell script`
	for _, system := range []string{"linux", "darwin"} {
		argv := notification(system, "needs you", title)
		for i, arg := range argv[len(argv)-2:] {
			if arg[0] == '-' {
				t.Errorf("%s: argument %d is %q", system, i, arg)
			}
		}
		for _, arg := range argv[:len(argv)-2] {
			if arg == title {
				t.Errorf("%s: the title is part of the program", system)
			}
		}
	}
	argv := notification("linux", "needs you", title)
	if got, want := argv[len(argv)-1], `Claude Code: -x &lt;b&gt;"; do shell script`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestExecEnv keeps what a transcript says from being more than one value.
func TestExecEnv(t *testing.T) {
	m := follow.Event{Session: "s", Title: "a\nPATH=/evil\x00b", State: &live.State{Word: "idle"}}
	for _, v := range execEnv(&m) {
		for _, r := range v {
			if r < ' ' {
				t.Errorf("%q has a control character", v)
			}
		}
	}
}

func TestChangedSince(t *testing.T) {
	known := map[string]string{}
	process := func(id, word string) follow.Process {
		p := follow.Process{Session: sesskeep.SessionID(id), Root: "/h"}
		p.State.Word = live.Word(word)
		return p
	}
	for _, test := range []struct {
		now  []follow.Process
		want []string
	}{
		{[]follow.Process{process("a", "working"), process("b", "idle")}, []string{"a working", "b idle"}},
		{[]follow.Process{process("a", "working"), process("b", "idle")}, nil},
		{[]follow.Process{process("a", "needs you"), process("b", "idle")}, []string{"a needs you"}},
		{[]follow.Process{process("b", "idle")}, []string{"a ended"}},
		{[]follow.Process{process("b", "idle")}, nil},
	} {
		var got []string
		for _, p := range changedSince(known, follow.ProcessPage{Sessions: test.now}).Sessions {
			got = append(got, string(p.Session)+" "+string(p.State.Word))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
