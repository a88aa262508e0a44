package term

import (
	"io"
	"os"
	"strconv"
	"strings"

	xterm "golang.org/x/term"
)

// Screen says what the output can show. The zero value is a pipe.
type Screen struct {
	Width int  // in cells; 0 is unlimited
	Color bool // callers clear it for --no-color
	TTY   bool
	ASCII bool // what we draw ourselves (bars, ellipses) has to be ASCII
	// Palette is how colours are drawn.
	Palette Palette
}

// Detect finds out what w can show. NO_COLOR wins over CLICOLOR_FORCE, which wins
// over CLICOLOR=0 and TERM=dumb. COLUMNS counts only on a terminal: exported by
// accident, it must not change what a script reads from a pipe.
func Detect(w io.Writer, getenv func(string) string) Screen {
	s := Screen{ASCII: asciiLocale(getenv)}
	if e, ok := w.(*Exit); ok {
		w = e.w
	}
	if f, ok := w.(*os.File); ok {
		s.TTY = xterm.IsTerminal(int(f.Fd()))
		if s.TTY {
			s.Width = columns(f, getenv)
		}
	}
	s.Color = colored(s.TTY, getenv)
	return s
}

func columns(f *os.File, getenv func(string) string) int {
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := xterm.GetSize(int(f.Fd())); err == nil && n > 0 {
		return n
	}
	return 80
}

func colored(tty bool, getenv func(string) string) bool {
	force := getenv("CLICOLOR_FORCE")
	switch {
	case getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return tty && getenv("TERM") != "dumb" && getenv("CLICOLOR") != "0"
}

// asciiLocale reports whether the locale names an encoding other than UTF-8.
// Where none is set, as on Windows and over bare ssh, UTF-8 is the better guess.
func asciiLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

func (s Screen) ellipsis() string {
	if s.ASCII {
		return "..."
	}
	return "…"
}

// Style is how text is painted: at most one colour, with any of Bold, Dim and
// Italic, as in Bold|Cyan. Only the 16 colours every terminal theme defines.
type Style int

const (
	Plain Style = iota
	Red
	Green
	Yellow
	Blue
	Magenta
	Cyan

	Bold   Style = 1 << 4
	Dim    Style = 1 << 5
	Italic Style = 1 << 6

	colorMask Style = 1<<4 - 1
)

// Paint colours clean text, if the screen has colours, for an [Exit]. Every line ends with a
// reset, because pagers draw lines one by one. It does not nest: the reset of an
// inner text ends the outer style too.
func (s Screen) Paint(st Style, text string) string {
	if !s.Color || st == Plain || text == "" {
		return text
	}
	var codes []string
	if st&Bold != 0 {
		codes = append(codes, "1")
	}
	if st&Dim != 0 {
		codes = append(codes, "2")
	}
	if st&Italic != 0 {
		codes = append(codes, "3")
	}
	if c := st & colorMask; c != 0 && c <= Cyan {
		codes = append(codes, s.Palette.code(c))
	}
	start := colourToken(strings.Join(codes, ";"))
	return start + strings.ReplaceAll(text, "\n", reset+"\n"+start) + reset
}

// Redraw returns what clears a terminal and moves to its top left, so that a list can
// be shown again. It is empty if the screen cannot do that.
func (s Screen) Redraw() string {
	if !s.TTY {
		return ""
	}
	return redraw
}

// Invert swaps the colours of a part of clean text, painted or not.
func (s Screen) Invert(text string) string {
	if !s.Color || text == "" {
		return text
	}
	return colourToken("7") + text + colourToken("27")
}
