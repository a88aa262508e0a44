package draw_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// answer draws what the model said, without the time and the speaker.
func answer(sc term.Screen, text string, o draw.Options) []string {
	lines := draw.New(sc, o).Part(&view.Part{Kind: view.TextPart, Text: text})
	for i, line := range lines {
		line = term.Frame(line)
		if i == 0 {
			line = strings.TrimLeft(line[strings.Index(line, "claude")+len("claude"):], " ")
			if strings.HasPrefix(line, "\x1b[0m") {
				line = strings.TrimLeft(strings.TrimPrefix(line, "\x1b[0m"), " ")
			}
		}
		lines[i] = strings.TrimPrefix(line, strings.Repeat(" ", 17))
	}
	return lines
}

// signs makes styles readable.
var signs = strings.NewReplacer("\x1b[1m", "<b>", "\x1b[3m", "<i>", "\x1b[36m", "<c>", "\x1b[2m", "<d>",
	"\x1b[1;36m", "<bc>", "\x1b[1;3m", "<bi>", "\x1b[0m", "</>")

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"heading", "## What failed", "<b>What failed</>"},
		{"bold", "a **bold word** here", "a <b>bold word</> here"},
		{"bold with underscores", "a __bold word__ here", "a <b>bold word</> here"},
		{"italic", "really *quite* so", "really <i>quite</> so"},
		{"code", "run `go test ./...` now", "run <c>go test ./...</> now"},
		{"code is not looked into", "`**not bold**`", "<c>**not bold**</>"},
		{"code in bold", "**use `x`**", "<b>use </><bc>x</>"},
		{"bold and italic", "***both***", "<bi>both</>"},
		{"list", "- one\n* two\n  + three\n1. four", "• one\n• two\n  • three\n1. four"},
		{"wrapped item", "- " + strings.Repeat("word ", 9) + "**end**", "• word word word word word word word word\n  word <b>end</>"},
		{"link", "see [the docs](https://a.org/a_b)", "see the docs<d> (https://a.org/a_b)</>"},
		{"quote", "> said", "<d>│ </><d>said</>"},
		{"rule", "---", "<d>────────</>"},
		{"fence", "```go\nfunc **main**() {}\n```\nafter", "<d>go</>\n  <c>func **main**() {}</>\nafter"},
		{"open fence", "so:\n```\nleft open", "so:\n  <c>left open</>"},
		{"table", "| file | lines |\n|---|--:|\n| a.go | **12** |\n| long.go | 3 |\n\nend",
			"<b>file</>     <b>lines</>\n<d>──────────────</>\na.go     <b>12</>\nlong.go  3\n\nend"},
		{"bar in a cell", "| a | b |\n|---|---|\n| `x|y` | z |", "<b>a</>    <b>b</>\n<d>──────</>\n<c>x|y</>  z"},

		{"names", "snake_case_name and a__b__c", "snake_case_name and a__b__c"},
		{"a product", "2 * 3 * 4", "2 * 3 * 4"},
		{"globs", "*.go and *.ts", "*.go and *.ts"},
		{"left open", "**bold and `code", "**bold and `code"},
		{"escaped", `\*no\* and \_no\_`, "*no* and _no_"},
		{"a box", "- [ ] todo [x] done", "• [ ] todo [x] done"},
		{"a number sign", "#3 is fixed", "#3 is fixed"},
		{"an option", "--- a.go", "--- a.go"},
		{"pipes", "a | b\nc | d", "a | b\nc | d"},
	} {
		sc := term.Screen{TTY: true, Color: true, Width: 60}
		if got := signs.Replace(strings.Join(answer(sc, tt.text, draw.Options{}), "\n")); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
		if got := strings.Join(answer(term.Screen{TTY: true, Color: true}, tt.text, draw.Options{Plain: true}), "\n"); got != tt.text {
			t.Errorf("%s: plain %q", tt.name, got)
		}
		if got := strings.Join(answer(term.Screen{Color: true}, tt.text, draw.Options{}), "\n"); got != tt.text {
			t.Errorf("%s: on a pipe %q", tt.name, got)
		}
	}
}

// However a text is shown, all its words are there, in their order, on lines that
// fit, and nothing that a terminal would obey but our own colours.
func TestMarkdownLaws(t *testing.T) {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"**", "*", "_", "__", "`", "``", "```", "~~~", "\n", "\n\n", "# ", "- ", "12. ", "> ", "|", "| a | b |\n|---|---|\n",
			"[", "](", ")", "\\", " ", "    ", "\t", "---", "\x1b[31m", "\x1b]0;title\x07", "\r", "日本", "é", "🎉"}),
		rapid.StringMatching(`[a-z0-9]{1,12}`),
	)
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 1, 60).Draw(rt, "text"), "")
		for _, sc := range []term.Screen{{TTY: true, Color: true, Width: 60}, {TTY: true, Width: 41, ASCII: true}, {TTY: true, Color: true}} {
			lines := draw.New(sc, draw.Options{}).Part(&view.Part{Kind: view.TextPart, Text: text})
			shown := colours.ReplaceAllString(strings.Join(lines, "\n"), "")
			for _, line := range lines {
				if sc.Width > 0 && term.Width(line) > sc.Width {
					rt.Fatalf("%q is %d cells wide", line, term.Width(line))
				}
			}
			if strings.ContainsFunc(shown, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
				rt.Fatalf("a control character is left in %q", shown)
			}
			_, shown, _ = strings.Cut(shown, "claude")
			plain := strings.Join(draw.New(sc, draw.Options{Plain: true}).Part(&view.Part{Kind: view.TextPart, Text: text}), "\n")
			_, plain, _ = strings.Cut(colours.ReplaceAllString(plain, ""), "claude")
			if got, want := words(shown), words(plain); got != want {
				rt.Fatalf("got %q\nwant %q\nof %q", got, want, text)
			}
		}
	})
}

// words are the letters and digits of a text.
func words(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// A text made to be hard costs about as much as its length.
func BenchmarkMarkdownHostile(b *testing.B) {
	line := strings.Repeat("*a [b `c __d ``e ", 4000/17)
	d := draw.New(term.Screen{TTY: true, Color: true, Width: 80}, draw.Options{})
	for b.Loop() {
		d.Part(&view.Part{Kind: view.TextPart, Text: strings.Repeat(line+"\n", 250)}) // 1 MB
	}
}

// A changed line that is wrapped has its sign on every line.
func TestWrappedDiff(t *testing.T) {
	c := &view.Call{Tool: "Edit", Short: "edit", State: view.OK, Diff: []view.Hunk{{Lines: []string{
		"-" + strings.Repeat("old words ", 12), "+" + strings.Repeat("new words ", 12), " " + strings.Repeat("same words ", 12), "+",
	}}}}
	lines := draw.New(term.Screen{Width: 60, TTY: true}, draw.Options{Tools: "full", Location: time.UTC}).Part(&view.Part{Kind: view.CallPart, Call: c})
	signs := map[string]int{}
	for _, line := range lines {
		text := strings.TrimSpace(line)
		for _, word := range []string{"old", "new"} {
			if strings.Contains(text, word) {
				signs[word+text[:1]]++
			}
		}
		if w := term.Width(line); w > 60 {
			t.Errorf("%d cells: %q", w, line)
		}
	}
	if len(signs) != 2 || signs["old-"] < 2 || signs["new+"] < 2 {
		t.Errorf("got %v in\n%s", signs, strings.Join(lines, "\n"))
	}
}
