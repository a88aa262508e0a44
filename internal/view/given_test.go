package view_test

import (
	"strings"
	"testing"

	"sesskeep/internal/view"
)

func TestGiven(t *testing.T) {
	for _, tt := range []struct{ input, want string }{
		{``, ``},
		{`{}`, ``},
		{`{"command":"ls\n-l","timeout":5,"on":true,"off":null}`, "command=ls\n-l timeout=5 on=true off=null"},
		{`{"edits":[{"old":"a"},{"old":"b","new":""}]}`, `edits[1].old=a edits[2].old=b edits[2].new=`},
		{`["a",["b"]]`, `[1]=a [2][1]=b`},
		{`"just words"`, `input=just words`},
		{`{"cut`, `input={"cut`},
		{`{"big":123456789012345678901}`, `big=123456789012345678901`},
	} {
		var list []string
		c := view.Call{Input: []byte(tt.input)}
		for _, f := range c.Given() {
			list = append(list, f.Name+"="+f.Text)
		}
		if got := strings.Join(list, " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.input, got, tt.want)
		}
	}
}

// Names do not grow with the depth of an input.
func TestGivenDeep(t *testing.T) {
	const depth = 2000
	input := strings.Repeat(`{"abcdefgh":`, depth) + `"x"` + strings.Repeat(`,"k":"v"}`, depth)
	c := view.Call{Input: []byte(input)}
	size := 0
	for _, f := range c.Given() {
		size += len(f.Name)
	}
	if size > 100*depth {
		t.Errorf("%d bytes of names", size)
	}
}
