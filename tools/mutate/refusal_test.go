package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func sample(t *testing.T) (root string, list []*refusal) {
	t.Helper()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	list, err = load(root, []string{"./testdata/sample"})
	if err != nil {
		t.Fatal(err)
	}
	return root, list
}

// The comments of the sample say which refusals it has.
func TestRefusals(t *testing.T) {
	_, list := sample(t)
	text, err := os.ReadFile("testdata/sample/sample.go")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i, line := range strings.Split(string(text), "\n") {
		if _, said, ok := strings.Cut(line, "// refusal: "); ok {
			want = append(want, said)
			if !slices.ContainsFunc(list, func(r *refusal) bool { return r.line == i+1 }) {
				t.Errorf("line %d is not found: %s", i+1, line)
			}
		}
	}
	for _, r := range list {
		got = append(got, r.text)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What is rewritten is Go, and has the same lines.
func TestRewrite(t *testing.T) {
	_, list := sample(t)
	source, err := os.ReadFile(list[0].file)
	if err != nil {
		t.Fatal(err)
	}
	out := string(rewrite(source, list))
	if _, err := parser.ParseFile(token.NewFileSet(), "sample.go", out, 0); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(out, "\n"), strings.Count(string(source), "\n"); got != want {
		t.Errorf("%d lines have become %d", want, got)
	}
	for _, want := range []string{
		"if (n > 10) && refusalKept(",
		`; (err != nil) && refusalKept(`,
		`case (name == "secret") && refusalKept(`,
		`, (name == "private") && refusalKept(`,
		`, fail("not found"))`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// Two refusals of one text in one function have two names.
func TestNames(t *testing.T) {
	list := []*refusal{{file: "a.go", in: "f", text: "x"}, {file: "a.go", in: "f", text: "x"}, {file: "a.go", in: "g", text: "x"}}
	number(list)
	if a, b, c := list[0].name(), list[1].name(), list[2].name(); a != "a.go f: x" || b != "a.go f: x (2)" || c != "a.go g: x" {
		t.Errorf("%q, %q, %q", a, b, c)
	}
}
