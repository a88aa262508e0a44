package term_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
)

// sent is text as a pipe gets it: with our own control functions, and nothing
// else changed.
func sent(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	exit := term.NewExit(&out)
	if _, err := io.WriteString(exit, text); err != nil {
		t.Fatal(err)
	}
	if err := exit.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFrame(t *testing.T) {
	paint := term.Screen{Color: true}.Paint
	for _, c := range []struct{ name, in, want string }{
		{"plain", "a\tb\n日本 👩\u200d👧 e\u0301", "a\tb\n日本 👩\u200d👧 e\u0301"},
		{"ours", paint(term.Bold|term.Cyan, "x") + term.Bell, "\x1b[1;36mx\x1b[0m\a"},
		{"colour of others", "\x1b[1;36mx\x1b[0m", "␛[1;36mx␛[0m"},
		{"one inside of ours", paint(term.Red, "a\x1b[0mb"), "\x1b[31ma␛[0mb\x1b[0m"},
		{"number of another process", "\x1b[00000000000000000001;31mx", "␛[00000000000000000001;31mx"},
		{"clipboard", "\x1b]52;c;eA==\a", "␛]52;c;eA==␇"},
		{"C1", "\u009b31m\x9b31m", "⟨U+009B⟩31m�31m"},
		{"lines", "a\r\nb\rc\r", "a\nb␍c␍"},
		{"direction", "\u202eab\u2066\u200f", "⟨U+202E⟩ab⟨U+2066⟩⟨U+200F⟩"},
		{"invisible", "a\u200bb\ufeffc\U000e0041", "a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+E0041⟩"},
		{"half a rune", "a\xe6\x97", "a��"},
		{"empty", "", ""},
	} {
		if got := term.Frame(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What Clean, Line, Wrap, Truncate and a Table give passes as it is.
func TestCleanTextPasses(t *testing.T) {
	for _, s := range []string{"می\u200cخواهم र\u200d्य क्\u200dष", "葛\U000e0100 👍🏽 🇩🇪 ❤\ufe0f 1\ufe0f\u20e3", "␛⟨U+202E⟩�", "\x1b[31m\u202e\x9b"} {
		for _, clean := range []string{term.Clean(s), term.Line(s), term.Wrap(term.Clean(s), 3, " "), term.Truncate(term.Line(s), 4)} {
			if got := term.Frame(clean); got != clean {
				t.Errorf("%q becomes %q", clean, got)
			}
		}
	}
}

// FuzzExit writes any text in any pieces: a pipe gets it as it is, a terminal none
// of its control functions, and both get ours.
func FuzzExit(f *testing.F) {
	f.Add("a\x1b[31m\r\n\u202e\xe6\x97\xa5\x1b]52;c;eA==\a", "日本", uint64(1))
	f.Add("\r", "\x1b", uint64(2))
	f.Fuzz(func(t *testing.T, before, after string, seed uint64) {
		paint := term.Screen{Color: true}.Paint
		text := before + paint(term.Bold, "ours") + after
		if want := before + "\x1b[1mours\x1b[0m" + after; pieces(t, text, seed, term.NewExit) != want {
			t.Errorf("to a pipe: %q, want %q", pieces(t, text, seed, term.NewExit), want)
		}
		shown := pieces(t, text, seed, term.ToTerminal)
		if whole := term.Frame(text); shown != whole {
			t.Errorf("in pieces %q, at once %q", shown, whole)
		}
		var controls []string
		err := storetest.Terminal(shown, func(control string) bool {
			controls = append(controls, control)
			return len(controls) <= 2
		})
		if got := strings.Join(controls, ""); err != nil || got != "\x1b[1m\x1b[0m" {
			t.Errorf("%v, control functions %q: %q", err, got, shown)
		}
	})
}

// pieces writes a text as a bufio.Writer or a slow pipe cuts it.
func pieces(t *testing.T, text string, seed uint64, exit func(io.Writer) *term.Exit) string {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	var out bytes.Buffer
	e := exit(&out)
	for text != "" {
		n := 1 + random.IntN(min(len(text), 9))
		if wrote, err := io.WriteString(e, text[:n]); err != nil || wrote != n {
			t.Fatalf("wrote %d of %d: %v", wrote, n, err)
		}
		text = text[n:]
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestExitSaysWhatItCannotWrite(t *testing.T) {
	r, w := io.Pipe()
	_ = r.Close()
	for name, e := range map[string]*term.Exit{"pipe": term.NewExit(w), "terminal": term.ToTerminal(w)} {
		if _, err := io.WriteString(e, "x"); err != io.ErrClosedPipe {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkExit(b *testing.B) {
	paint := term.Screen{Color: true}.Paint
	for name, s := range map[string]string{
		"ascii":   strings.Repeat("the reader sees a half line\n", 1000),
		"mixed":   strings.Repeat("the reader — “sees” a half line…\n", 1000),
		"chinese": strings.Repeat("修复解析器的不稳定测试\n", 1000),
		"painted": strings.Repeat(paint(term.Dim, "10:04")+" the reader sees a half line\n", 1000),
		"hostile": strings.Repeat("\x1b[31m\u202ex\x9b", 1000),
	} {
		for to, exit := range map[string]*term.Exit{"terminal": term.ToTerminal(io.Discard), "pipe": term.NewExit(io.Discard)} {
			b.Run(name+"/"+to, func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					_, _ = exit.Write([]byte(s))
				}
			})
		}
	}
}
