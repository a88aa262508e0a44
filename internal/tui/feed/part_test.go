package feed

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pagetest"
	"sesskeep/internal/view"
)

// clock is a time on the day of the sample.
func clock(hour, minute int) time.Time { return time.Date(2026, 11, 14, hour, minute, 0, 0, time.UTC) }

// sample has one of everything that is drawn.
func sample() []view.Part {
	edit := &view.Call{Tool: "Edit", Short: "edit", Summary: "parser.go", Outcome: "+2 −1", State: view.OK, Added: 2, Removed: 1,
		Diff: []view.Hunk{{OldStart: 41, NewStart: 41, Lines: []string{
			" func (p *parser) next() {", "-\tline, _ := r.ReadString('\\n')", "+\tline, err := r.ReadString('\\n')", "+\tif err != nil {"}}}}
	large := &view.Call{Tool: "Write", Short: "write", Summary: "internal/a/table/that/does/not/fit/tables.go", Outcome: "+1200 −0",
		State: view.OK, Added: 1200, Diff: []view.Hunk{{Lines: make([]string, 40)}}}
	wrong := &view.Call{Tool: "Bash", Short: "bash", Summary: "run the parser tests", Command: "go test ./parser", Outcome: "exit 1",
		State: view.Failed, Duration: 12 * time.Second, Output: "Exit code 1\n", Reason: strings.Repeat("--- FAIL: TestHalfLine\n", 9)}
	agent := &view.Call{Tool: "Task", Short: "task", Summary: "Explore “find every ReadString”", Outcome: "14 calls", State: view.OK,
		Duration: 38 * time.Second, Agent: "a6061d6", Prompt: "Find every ReadString."}
	plan := &view.Call{Tool: "ExitPlanMode", Short: "plan", Summary: "Fix the reader", Outcome: "approved", State: view.OK, Plan: "# Fix the reader\n1. keep half lines"}
	return []view.Part{
		{Kind: view.PromptPart, Time: clock(17, 6), Text: "The parser test fails about 1 in 40 runs on CI. Find out why, and write down what you find:\n\n  - the cause\n  - the fix"},
		{Kind: view.MetaPart, Time: clock(17, 6), Label: "environment", Text: "linux"},
		{Kind: view.ImagePart, Time: clock(17, 6), Media: &view.Media{Type: "png", Bytes: 34000}},
		{Kind: view.ThinkingPart, Time: clock(17, 6), Took: 4200 * time.Millisecond, Text: "The failure is a race. " + strings.Repeat("So it goes on and on. ", 20)},
		{Kind: view.ThinkingPart, Time: clock(17, 6), Withheld: 1200},
		{Kind: view.TextPart, Time: clock(17, 6), Text: "The reader drops its error. **Fixing** it:"},
		{Kind: view.CallPart, Time: clock(17, 6), Call: edit},
		{Kind: view.CallPart, Time: clock(17, 6), Call: large},
		{Kind: view.CallPart, Time: clock(17, 7), Call: wrong},
		{Kind: view.CallPart, Time: clock(17, 7), Call: agent},
		{Kind: view.CallPart, Time: clock(17, 8), Call: plan},
		{Kind: view.NoticePart, Time: clock(17, 9), Label: "stopped", Text: "Request interrupted by user", Failed: true},
		{Kind: view.BoundaryPart, Time: clock(17, 9), Shift: &view.Compaction{Trigger: "auto", Before: 142_000, After: 9_000}},
		{Kind: view.NoticePart, Time: clock(17, 9), Label: "summary", Text: strings.Repeat("This session goes on from another one.\n", 9)},
		{Kind: view.PromptPart, Time: clock(17, 10), Text: "修复解析器在持续集成中的不稳定测试，并说明为什么读取器会看到半行，谢谢。"},
		{Kind: view.UnknownPart, Label: "from-the-future", Text: `{"type":"from-the-future"}`},
		{Kind: view.TextPart, Time: clock(17, 11), Text: "The reader dropped its err", Aborted: true},
	}
}

// everyMode is every way to draw a block.
func everyMode() (all []partOptions) {
	for _, thinking := range []string{"hide", "peek", "full"} {
		for _, tools := range []string{"line", "card", "full"} {
			for _, f := range []fold{asModes, closed, opened} {
				all = append(all, partOptions{thinking: thinking, tools: tools, fold: f, where: time.UTC},
					partOptions{thinking: thinking, tools: tools, fold: f, meta: true, where: time.UTC})
			}
		}
	}
	return all
}

func drawAll(sc term.Screen, parts []view.Part, o partOptions, width int) string {
	var b strings.Builder
	for i := range parts {
		for _, line := range drawPart(sc, &parts[i], o, width) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// SESSKEEP_UPDATE=1 writes the files anew; read them before you keep them.
func TestPartGolden(t *testing.T) {
	o := partOptions{thinking: "peek", tools: "card", where: time.UTC}
	for _, width := range []int{40, 80, 120} {
		for name, sc := range map[string]term.Screen{"": {TTY: true}, "-colour": {TTY: true, Color: true}, "-ascii": {TTY: true, ASCII: true}} {
			got := term.Frame(drawAll(sc, sample(), o, width))
			path := filepath.Join("testdata", fmt.Sprintf("part-%d%s.golden", width, name))
			if os.Getenv("SESSKEEP_UPDATE") != "" {
				os.MkdirAll("testdata", 0o755)
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
	}
}

var (
	sgrOfOurs  = regexp.MustCompile("\x1b\\[[0-9;]*m")
	beforeDots = regexp.MustCompile(" *…") // a cut leaves a space before a colour
)

// In every mode: no line is too wide, colour adds only colour, ASCII is ASCII.
func TestPartModes(t *testing.T) {
	for _, o := range everyMode() {
		for _, width := range []int{1, 12, 40, 49, 80, 120} {
			plain := drawAll(term.Screen{}, sample(), o, width)
			for line := range strings.Lines(plain) {
				if w := term.Width(strings.TrimSuffix(line, "\n")); w > width && width > 1 { // a wide letter needs two
					t.Fatalf("%+v: %d cells in %d: %s", o, w, width, line)
				}
			}
			coloured := sgrOfOurs.ReplaceAllString(drawAll(term.Screen{Color: true}, sample(), o, width), "")
			if beforeDots.ReplaceAllString(coloured, "…") != beforeDots.ReplaceAllString(plain, "…") {
				t.Errorf("%+v at %d: colours change the text", o, width)
			}
		}
		for i, p := range sample() {
			if i == 14 {
				continue // Chinese
			}
			for _, line := range drawPart(term.Screen{ASCII: true}, &p, o, 80) {
				if j := strings.IndexFunc(line, func(r rune) bool { return r > '~' }); j >= 0 {
					t.Errorf("%+v: not ASCII: %s", o, line)
				}
			}
		}
	}
}

// What folding shows: all, the first line, or what the modes say.
func TestPartFold(t *testing.T) {
	o := partOptions{thinking: "peek", tools: "card", where: time.UTC}
	thought, text, meta := sample()[3], sample()[0], sample()[1]
	if to := o.toggled(term.Screen{}, &thought, 80); to != opened {
		t.Errorf("a thought that is cut opens: got %v", to)
	}
	if to := o.toggled(term.Screen{}, &text, 80); to != closed {
		t.Errorf("a text that is whole closes: got %v", to)
	}
	o.fold = closed
	if got := drawPart(term.Screen{}, &text, o, 80); len(got) != 2 || !strings.Contains(got[1], "4 lines (space)") {
		t.Errorf("closed: got %q", got)
	}
	if to := o.toggled(term.Screen{}, &text, 80); to != asModes {
		t.Errorf("a closed one goes back: got %v", to)
	}
	if got := drawPart(term.Screen{}, &meta, o, 80); got != nil {
		t.Errorf("meta is hidden: got %q", got)
	}
	o.fold = opened
	if got := drawPart(term.Screen{}, &meta, o, 80); len(got) != 1 {
		t.Errorf("meta that was opened is shown: got %q", got)
	}
}

func TestPartHostile(t *testing.T) {
	evil := "\x1b]0;owned\x07a\x1b[1m[3Jb\x9bc\u009b31m\r\x00\u202eabc\u2066\x7f\xff\x1b]52;c;AAAA\x1b\\z\u200b\n17:06 ▌you forged"
	c := &view.Call{ID: evil, Tool: evil, Short: evil, Summary: evil, Outcome: evil, State: view.Failed, Reason: evil, Output: evil,
		Input: []byte(fmt.Sprintf("%q", evil)), Diff: []view.Hunk{{Lines: []string{"+" + evil, evil}}}, Added: 1, Command: evil, Plan: evil, Agent: sesskeep.AgentID(evil), Persisted: evil}
	for _, kind := range append([]view.PartKind{view.PromptPart, view.ImagePart, view.UnknownPart, "\x1b[2J"}, partKinds...) {
		p := view.Part{Kind: kind, Label: evil, Text: evil, Call: c, Agent: sesskeep.AgentID(evil), Media: &view.Media{Type: evil, URL: evil}, Shift: &view.Compaction{Trigger: evil}}
		for _, o := range everyMode() {
			for _, width := range []int{20, 80} {
				pagetest.WantClean(t, string(kind), drawAll(term.Screen{Color: true}, []view.Part{p}, o, width))
			}
		}
	}
}
