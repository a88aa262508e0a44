package show

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// at is a time on the first of two days.
func at(hour, minute int) time.Time {
	return time.Date(2026, 11, 14, hour, minute, 0, 0, time.UTC)
}

// conversation has one of everything that is drawn.
func conversation() []view.Part {
	edit := &view.Call{Tool: "Edit", Short: "edit", Summary: "parser.go", Outcome: "+2 −1", State: view.OK, Added: 2, Removed: 1,
		Diff: []view.Hunk{{OldStart: 41, NewStart: 41, Lines: []string{
			" func (p *parser) next() {", "-\tline, _ := r.ReadString('\\n')", "+\tline, err := r.ReadString('\\n')", "+\tif err != nil {"}}}}
	large := &view.Call{Tool: "Write", Short: "write", Summary: "internal/long/path/to/a/generated/table/that/does/not/fit/tables.go",
		Outcome: "+1200 −0", State: view.OK, Added: 1200, Diff: []view.Hunk{{Lines: make([]string, 1200)}}}
	failed := &view.Call{Tool: "Bash", Short: "bash", Summary: "run the parser tests", Command: "go test ./parser", Outcome: "exit 1",
		State: view.Failed, Duration: 12 * time.Second, Output: "Exit code 1\n" + strings.Repeat("--- FAIL: TestHalfLine\n", 9)}
	failed.Reason = strings.TrimPrefix(failed.Output, "Exit code 1\n")
	shell := &view.Call{Tool: "Bash", Short: "bash", Summary: "list", Command: "ls", Outcome: "2 lines", State: view.OK, Output: "\x1b[1ma.go\x1b[0m\nb.go"}
	agent := &view.Call{Tool: "Task", Short: "task", Summary: "Explore “find every ReadString”", Outcome: "14 calls", State: view.OK,
		Duration: 38 * time.Second, Agent: "a6061d6", Prompt: "Find every ReadString."}
	launched := &view.Call{Tool: "Agent", Short: "agent", Summary: "reviewer “look at it”", Outcome: "launched", State: view.Launched, Agent: "a52f0c63d3b0e7de6"}
	denied := &view.Call{Tool: "Write", Short: "write", Summary: "notes.txt", Outcome: "denied", State: view.Denied, Reason: "use another name",
		Added: 1, Diff: []view.Hunk{{OldStart: 1, NewStart: 1, Lines: []string{"+remember"}}}}
	todo := &view.Call{Tool: "TodoWrite", Short: "todo", Summary: "1/3 → fix the reader", State: view.OK}
	plan := &view.Call{Tool: "ExitPlanMode", Short: "plan", Summary: "Fix the reader", Outcome: "approved", State: view.OK, Plan: "# Fix the reader\n1. keep half lines"}
	read := &view.Call{Tool: "Read", Short: "read", Summary: "shot.png", Outcome: "34 kB", State: view.OK, Images: 1}
	mcp := &view.Call{Tool: "create_issue", Server: "github", Short: "mcp", Summary: "github·create_issue Half lines", Outcome: "no result", State: view.Missing}
	return []view.Part{
		{Kind: view.PromptPart, Time: at(17, 6), Text: "The parser test fails about 1 in 40 runs on CI. Find out why, and write down what you find:\n\n  - the cause\n  - the fix"},
		{Kind: view.MetaPart, Time: at(17, 6), Label: "environment", Text: "linux"},
		{Kind: view.ImagePart, Time: at(17, 6), Media: &view.Media{Type: "png", Bytes: 34000}},
		{Kind: view.ThinkingPart, Time: at(17, 6), Took: 4200 * time.Millisecond, Text: "The failure is a race: the reader sees a half line because the append is split in two. " + strings.Repeat("So it goes on and on. ", 12)},
		{Kind: view.ThinkingPart, Time: at(17, 6), Withheld: 1200},
		{Kind: view.TextPart, Time: at(17, 6), Text: "The reader drops its error. **Fixing** it:"},
		{Kind: view.CallPart, Time: at(17, 6), Call: edit},
		{Kind: view.CallPart, Time: at(17, 6), Call: large},
		{Kind: view.CallPart, Time: at(17, 7), Call: failed},
		{Kind: view.CallPart, Time: at(17, 7), Call: shell},
		{Kind: view.CallPart, Time: at(17, 7), Call: agent},
		{Kind: view.CallPart, Time: at(17, 7), Call: launched},
		{Kind: view.CallPart, Time: at(17, 8), Call: denied},
		{Kind: view.CallPart, Time: at(17, 8), Call: todo},
		{Kind: view.CallPart, Time: at(17, 8), Call: plan},
		{Kind: view.CallPart, Time: at(17, 8), Call: read},
		{Kind: view.CallPart, Time: at(17, 8), Call: mcp},
		{Kind: view.TextPart, Time: at(17, 8), Text: "The reader dropped its err", Aborted: true},
		{Kind: view.NoticePart, Time: at(17, 9), Label: "stopped", Text: "Request interrupted by user", Failed: true},
		{Kind: view.NoticePart, Time: at(17, 9), Label: "task", Text: "Agent \"look at it\" finished\nIt is fine.", Agent: "a52f0c63d3b0e7de6"},
		{Kind: view.BoundaryPart, Time: at(23, 59), Shift: &view.Compaction{Trigger: "auto", Before: 142_000, After: 9_000}},
		{Kind: view.NoticePart, Time: at(23, 59), Label: "summary", Text: strings.Repeat("This session goes on from another one.\n", 9)},
		{Kind: view.MetaPart, Label: "empty"},
		{Kind: view.PromptPart, Time: at(24, 1), Text: "修复解析器在持续集成中的不稳定测试，并说明为什么读取器会看到半行，谢谢。"},
		{Kind: view.NoticePart, Time: at(24, 1), Label: "bash", Text: "git status"},
		{Kind: view.NoticePart, Time: at(24, 1), Label: "error", Text: "API Error: 500", Failed: true},
		{Kind: view.UnknownPart, Label: "from-the-future", Text: `{"type":"from-the-future"}`},
		{Kind: view.TextPart, Time: at(24, 2), Text: "Done."},
	}
}

func render(t testing.TB, screen term.Screen, parts []view.Part, o renderOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := renderParts(&b, screen, parts, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// SESSKEEP_UPDATE=1 writes the file anew; read it before you keep it.
func TestRenderGolden(t *testing.T) {
	got := render(t, term.Screen{TTY: true, Width: 80}, conversation(), renderOptions{})
	path := filepath.Join("testdata", "render.golden")
	if os.Getenv("SESSKEEP_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("differs from %s:\n%s", path, got)
	}
}

var painted = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Colour adds nothing but colour.
func TestRenderColour(t *testing.T) {
	for _, o := range everyOption() {
		plain := render(t, term.Screen{TTY: true, Width: 80}, conversation(), o)
		coloured := render(t, term.Screen{TTY: true, Width: 80, Color: true}, conversation(), o)
		if coloured == plain || painted.ReplaceAllString(coloured, "") != plain {
			t.Errorf("%+v: colours change the text", o)
		}
	}
}

func everyOption() []renderOptions {
	var all []renderOptions
	for _, thinking := range []string{"", "hide", "full"} {
		for _, tools := range []string{"", "line", "full"} {
			all = append(all,
				renderOptions{Thinking: thinking, Tools: tools},
				renderOptions{Thinking: thinking, Tools: tools, Everything: true},
				renderOptions{Thinking: thinking, Tools: tools, Focused: true})
		}
	}
	return all
}

// No line is wider than the screen, however narrow.
func TestRenderWidth(t *testing.T) {
	for _, width := range []int{20, 40, 49, 50, 80, 200} {
		for _, o := range everyOption() {
			for line := range strings.Lines(render(t, term.Screen{TTY: true, Width: width}, conversation(), o)) {
				head := strings.HasPrefix(line, "──") || strings.Contains(line, " ── ") || strings.HasPrefix(strings.TrimSpace(line), "…")
				if line = strings.TrimSuffix(line, "\n"); term.Width(line) > width && !head {
					t.Errorf("%d %+v: %d cells: %s", width, o, term.Width(line), line)
				}
			}
		}
	}
}

func TestRenderPipe(t *testing.T) {
	got := render(t, term.Screen{}, conversation(), renderOptions{})
	for _, want := range []string{
		"17:06 ▌write     internal/long/path/to/a/generated/table/that/does/not/fit/tables.go  +1200 −0  ok\n",
		"17:07 ▸task      Explore “find every ReadString”  14 calls  38s  ok  a6061d6\n",
		"17:06 ▌you       The parser test fails about 1 in 40 runs on CI. Find out why, and write down what you find:\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in:\n%s", want, got)
		}
	}
}

func TestRenderASCII(t *testing.T) {
	var parts []view.Part
	for _, p := range conversation() {
		if !strings.Contains(p.Text, "修") {
			parts = append(parts, p)
		}
	}
	for _, o := range everyOption() {
		got := render(t, term.Screen{TTY: true, Width: 60, ASCII: true}, parts, o)
		if i := strings.IndexFunc(got, func(r rune) bool { return r > 126 }); i >= 0 {
			t.Errorf("%+v: %q", o, got[max(i-20, 0):min(i+20, len(got))])
		}
	}
}

func TestRenderOptions(t *testing.T) {
	tests := []struct {
		name     string
		o        renderOptions
		has, not []string
	}{
		{"card", renderOptions{}, []string{"… 2 meta entries hidden (--everything) · 1 output hidden (--tools full)", "1,200 changed lines (--tools full)", "4 more lines (--tools full)", "list  2 lines  ok\n      $ ls\n"}, []string{"a.go", "environment"}},
		{"line", renderOptions{Tools: "line"}, []string{"parser.go  +2 −1"}, []string{"+\tline", "--- FAIL", "use another"}},
		{"full", renderOptions{Tools: "full"}, []string{"      $ ls\n      a.go\n      b.go\n", "$ go test ./parser", "Find every ReadString."}, []string{"more lines (--tools"}},
		{"thinking hidden", renderOptions{Thinking: "hide"}, []string{"2 thoughts hidden (--thinking peek)"}, []string{"▌thinking"}},
		{"thinking full", renderOptions{Thinking: "full"}, []string{"withheld (1.2 kB signature)", "4.2s  The failure"}, []string{"--thinking full"}},
		{"everything", renderOptions{Everything: true, Tools: "full"}, []string{"▌meta      environment  linux"}, []string{"hidden"}},
		{"focused", renderOptions{Focused: true}, []string{"▌you", "dropped its err", "Done.", "steps hidden"}, []string{"▌edit", "drops its error", "compacted"}},
		{"other zone", renderOptions{Location: time.FixedZone("", 2*3600)}, []string{"19:06 ▌you", "── 2026-11-15 Sunday ──\n01:59 ──"}, nil},
	}
	for _, tt := range tests {
		got := render(t, term.Screen{TTY: true, Width: 80}, conversation(), tt.o)
		for _, want := range tt.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: missing %q in:\n%s", tt.name, want, got)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: has %q", tt.name, not)
			}
		}
	}
}

// Whatever a transcript holds, a terminal sees nothing but text and our colours.
func TestRenderHostile(t *testing.T) {
	const evil = "a\x1b]0;pwned\a\x1b[2J\x1b\x1b[1m[3Jb\x9bc\u009b31m\r\x00\u202eabc\u2066\x7f\xff\x1b]52;c;AAAA\x1b\\z\u200b\n17:06 ▌you forged"
	c := &view.Call{ID: evil, Tool: evil, Server: evil, Short: evil, Summary: evil, Outcome: evil, State: view.Failed, Reason: evil,
		Duration: time.Hour, Input: []byte(`{"x":` + fmt.Sprintf("%q", evil) + `}`), Output: evil, Images: 2, Diff: []view.Hunk{{Lines: []string{"+" + evil, "-" + evil, evil, "\x1b[2J"}}},
		Added: 1, Command: evil, Prompt: evil, Plan: evil, Agent: evil, Persisted: evil,
		Questions: []view.Question{{Text: evil, Options: []string{evil}, Answer: evil}}}
	var parts []view.Part
	for _, kind := range []view.PartKind{view.PromptPart, view.TextPart, view.ThinkingPart, view.CallPart, view.NoticePart, view.BoundaryPart,
		view.ImagePart, view.DocumentPart, view.MetaPart, view.UnknownPart, evil} {
		parts = append(parts, view.Part{Kind: kind, Label: evil, Text: evil, Model: evil, Call: c, Agent: evil,
			Media: &view.Media{Type: evil, URL: evil, Bytes: 1}, Shift: &view.Compaction{Trigger: evil, Before: 1}})
	}
	for _, o := range everyOption() {
		for _, screen := range []term.Screen{{}, {TTY: true, Width: 80, Color: true}, {TTY: true, Width: 30, ASCII: true}} {
			got := painted.ReplaceAllString(render(t, screen, parts, o), "")
			if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }); i >= 0 {
				t.Fatalf("%+v %+v: %q", screen, o, got[max(i-30, 0):min(i+30, len(got))])
			}
			for line := range strings.Lines(got) {
				if strings.HasPrefix(line, "17:06") {
					t.Fatalf("%+v: a text poses as a line of ours: %s", o, line)
				}
			}
		}
	}
}

// Parts that come one by one look the same as all at once.
func TestRenderInGoes(t *testing.T) {
	screen := term.Screen{TTY: true, Width: 80}
	for _, o := range everyOption() {
		var b bytes.Buffer
		r := newRenderer(&b, screen, o)
		for _, p := range conversation() {
			r.show([]view.Part{p})
		}
		r.tally()
		if err := r.out.Flush(); err != nil {
			t.Fatal(err)
		}
		if want := render(t, screen, conversation(), o); b.String() != want {
			t.Errorf("%+v:\n got %s\nwant %s", o, b.String(), want)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRenderError(t *testing.T) {
	if err := renderParts(full{}, term.Screen{}, conversation(), renderOptions{}); err == nil {
		t.Error("the error of the writer was lost")
	}
}

// renderParts writes a conversation the way `sesskeep show` does.
func renderParts(w io.Writer, screen term.Screen, parts []view.Part, o renderOptions) error {
	r := newRenderer(w, screen, o)
	r.show(parts)
	r.tally()
	return r.out.Flush()
}
