package main

import (
	"io"
	"os"
	"slices"
	"testing"
)

// Of the refusals of the sample, tests miss those that they meet and assert.
func TestTry(t *testing.T) {
	root, list := sample(t)
	b, err := newBench(root, []line{{"testdata/sample", []string{"testdata/sample"}}}, list, 2, io.Discard)
	if b != nil {
		t.Cleanup(b.close)
	}
	if err != nil {
		t.Fatal(err)
	}
	survived, err := b.try(list)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range survived {
		got = append(got, r.text)
	}
	want := []string{`name == ""`, "err == nil && n < 0", `err := check(n, "."); err != nil`, "all != nil", `return fail("not found")`}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("survived: %q\nwanted: %q", got, want)
	}
}

func TestSubtests(t *testing.T) {
	got := subtests("TestA", "=== RUN   TestA\n=== RUN   TestA/one\n    --- x\n=== RUN   TestA/one/deep\n=== RUN   TestAB/other\n=== RUN   TestA/b.c\n")
	if !slices.Equal(got, []string{"one", "b.c"}) {
		t.Errorf("%q", got)
	}
}

// A row has a reason, and stands for one refusal.
func TestKnown(t *testing.T) {
	file := t.TempDir() + "/known.md"
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# Title\n\n| refusal | why |\n|---|---|\n| `a.go f: x \\|\\| y` | it is asked again |\n")
	list, err := readKnown(file)
	if err != nil || list["a.go f: x || y"] != "it is asked again" {
		t.Errorf("%q, %v", list, err)
	}
	r := &refusal{file: "a.go", in: "f", text: "x || y"}
	other := &refusal{file: "a.go", in: "g", text: "x"}
	one, both := []*refusal{r}, []*refusal{r, other}
	for name, test := range map[string]struct {
		all, tried, survived []*refusal
		good                 bool
	}{
		"what is listed survives":     {both, one, one, true},
		"something else is tried":     {both, both[1:], nil, true},
		"what is listed is missed":    {both, one, nil, false},
		"what is not listed survives": {both, both, both, false},
		"what is listed is not there": {both[1:], both[1:], nil, false},
	} {
		if list.explain(io.Discard, test.all, test.tried, test.survived) != test.good {
			t.Errorf("%s: it is explained: %v", name, !test.good)
		}
	}
	write("| `a.go f: x` | |\n")
	if _, err := readKnown(file); err == nil {
		t.Error("a row without a reason is taken")
	}
}
