package claudehome_test

import (
	"fmt"
	"strings"
	"testing"

	"sesskeep/claudehome"
)

// showMatter writes a front matter in one line: key=value, and {items} of a list.
func showMatter(m claudehome.FrontMatter) string {
	var parts []string
	for _, p := range m {
		part := fmt.Sprintf("%s=%q", p.Key, p.Value)
		if p.List != nil {
			part += "{" + strings.Join(p.List, "|") + "}"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

func TestFrontMatter(t *testing.T) {
	for _, tt := range []struct {
		name, yaml, want string
	}{
		{"scalars", "a: one\nb:   two words  \nc:", `a="one" b="two words" c=""`},
		{"colons in a value", "a: Use this: now\nb: http://x/y", `a="Use this: now" b="http://x/y"`},
		{"quotes", `a: "x: \"y\"\tz"` + "\nb: 'it''s'\n\"c d\": e", `a="x: \"y\"\tz" b="it's" c d="e"`},
		{"quotes that are part of the text", "a: \"x\" or \"y\"\nb: 'tis\nc: 'a' and 'b'", `a="\"x\" or \"y\"" b="'tis" c="'a' and 'b'"`},
		{"unknown escape", `a: "C:\q"`, `a="C:\\q"`},
		{"comments", "# top\na: one # two\nb: \"# in\" # out\nc: x#y\n  # deep\nd: # nothing", `a="one" b="# in" c="x#y" d=""`},
		{"flow list", `a: [x, "y, z", Bash(git a, b)]` + "\nb: []", `a="[x, \"y, z\", Bash(git a, b)]"{x|y, z|Bash(git a, b)} b="[]"{}`},
		{"flow list over lines", "a: [\n  x,\n  y\n]\nb: 1", `a="[ x, y ]"{x|y} b="1"`},
		{"no flow list", "a: [x] [y]\nb: [x", `a="[x] [y]" b="[x"`},
		{"block list", "a:\n  - x\n  - 'y z' # c\n# between\n  - more\n    of it\nb: 1", `a="x, y z, more of it"{x|y z|more of it} b="1"`},
		{"block list at the edge", "a:\n- x\n- y\nb: 1", `a="x, y"{x|y} b="1"`},
		{"literal", "a: |\n  one\n\n    two\n  three\n\nb: 1", `a="one\n\n  two\nthree" b="1"`},
		{"folded", "a: >-\n  one\n  two\n\n  three\n    four\n  five\nb: 1", `a="one two\nthree\n  four\nfive" b="1"`},
		{"continued", "a: one\n  two\n\n  three\nb: 1", `a="one two three" b="1"`},
		{"quoted over lines", "a: \"one\n  two\"\nb: 1", `a="one two" b="1"`},
		{"deeper", "a:\n  b:\n    - c: 1\nd: 2", `a="b:\n  - c: 1" d="2"`},
		{"no key", "just words\n- item: x\n  lost\na: 1", `="just words" ="- item: x" ="lost" a="1"`},
		{"open quote", "a: \"one\nb: 1", `a="\"one" b="1"`},
		{"tabs", "a:\tone\nb:\n\t- x", `a="one" b="x"{x}`},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			text := strings.ReplaceAll("\ufeff---\n"+tt.yaml+"\n--- \nBody\n", "\n", end)
			m, body := claudehome.ParseFrontMatter(text)
			if got := showMatter(m); got != tt.want || body != "Body\n" {
				t.Errorf("%s with %q:\ngot  %s\nwant %s\nbody %q", tt.name, end, got, tt.want, body)
			}
		}
	}
}

func TestFrontMatterAbsent(t *testing.T) {
	for _, text := range []string{"", "Body\n", "\n---\na: 1\n---\n", "---\na: 1\n", "----\n", "---"} {
		if m, body := claudehome.ParseFrontMatter(text); m != nil || body != text {
			t.Errorf("%q: got %v, body %q", text, m, body)
		}
	}
	if m, body := claudehome.ParseFrontMatter("---\n---\nBody"); len(m) != 0 || body != "Body" {
		t.Errorf("empty one: got %v, body %q", m, body)
	}
}

func TestFrontMatterText(t *testing.T) {
	m, _ := claudehome.ParseFrontMatter("---\na: Read, Bash(git log:*, x)\nb: [x]\nc:\n---\n")
	for key, want := range map[string]string{"a": "Read, Bash(git log:*, x)", "b": "[x]", "c": "", "none": ""} {
		if got := m.Text(key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

func FuzzFrontMatter(f *testing.F) {
	for _, seed := range []string{
		"---\na: 1\n---\n", "---\na:\n- x\n-\n  y\n---\n", "---\na: >\n\n x\n---\n", "---\na: [\n]\n---", "---\n: x\n-\n---\n",
		"---\n\": \"\n'\n---\n", "---\na: \"\n---\n", "---\na: '#\n---\n", "---\n- a\n  b: 1\n---\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, body := claudehome.ParseFrontMatter(text)
		if m == nil && len(body) > len(text) {
			t.Errorf("body of %q is %q", text, body)
		}
		for _, p := range m {
			if len(p.Value) > 2*len(text) {
				t.Errorf("value of %q is %q", text, p.Value)
			}
		}
	})
}
