// Command capture draws the output of a terminal program as an SVG picture for
// the documentation. It reads text with colours from standard input:
//
//	CLICOLOR_FORCE=1 COLUMNS=100 sesskeep --demo ls --format table |
//	    go run ./internal/capture -title 'sesskeep ls' > docs/img/ls.svg
//
// screens.sh does the same for every page of the terminal interface.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"html"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"sesskeep/internal/term"
)

const (
	cellWidth  = 8.4
	lineHeight = 19
	margin     = 16
	barHeight  = 34
)

func main() {
	title := flag.String("title", "", "what is shown in the window's bar")
	rows := flag.Int("rows", 40, "most lines to draw")
	flag.Parse()
	if err := draw(os.Stdout, os.Stdin, *title, *rows); err != nil {
		fmt.Fprintln(os.Stderr, "capture:", err)
		os.Exit(1)
	}
}

// span is a run of text in one style.
type span struct {
	text  string
	style style
}

// style is what an SGR sequence sets.
type style struct {
	color string
	bold  bool
	dim   bool
}

var colors = map[int]string{
	31: "#ff8a9a", 32: "#8fce6a", 33: "#e0af68", 34: "#7aa2f7", 35: "#c0a7f5", 36: "#7dcfff",
}

var sgr = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// split takes a line apart at its colours.
func split(line string) []span {
	var spans []span
	var now style
	for {
		at := sgr.FindStringSubmatchIndex(line)
		if at == nil {
			return append(spans, span{line, now})
		}
		spans = append(spans, span{line[:at[0]], now})
		now = now.set(line[at[2]:at[3]])
		line = line[at[1]:]
	}
}

func (s style) set(codes string) style {
	for _, code := range strings.Split(codes, ";") {
		n, _ := strconv.Atoi(code)
		switch {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 39:
			s.color = ""
		case colors[n] != "":
			s.color = colors[n]
		}
	}
	return s
}

func (s style) attributes() string {
	color, extra := "#e6e8ec", ""
	if s.color != "" {
		color = s.color
	}
	if s.dim {
		color = "#a3aab8"
	}
	if s.bold {
		extra = ` font-weight="bold"`
	}
	return fmt.Sprintf(` fill="%s"%s`, color, extra)
}

func draw(w io.Writer, r io.Reader, title string, most int) error {
	var lines []string
	width := 60
	scan := bufio.NewScanner(r)
	for scan.Scan() && len(lines) < most {
		lines = append(lines, scan.Text())
		width = max(width, term.Width(sgr.ReplaceAllString(scan.Text(), "")))
	}
	if err := scan.Err(); err != nil {
		return err
	}
	x, y := float64(width)*cellWidth+2*margin, len(lines)*lineHeight+barHeight+margin
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`+"\n", x, y)
	fmt.Fprintf(out, `<rect width="100%%" height="100%%" rx="8" fill="#0f1115"/>`+"\n")
	for i, color := range []string{"#ff8a9a", "#e0af68", "#8fce6a"} {
		fmt.Fprintf(out, `<circle cx="%d" cy="17" r="5" fill="%s"/>`+"\n", margin+4+i*18, color)
	}
	fmt.Fprintf(out, `<text x="%.0f" y="22" text-anchor="middle" fill="#a3aab8">%s</text>`+"\n", x/2, html.EscapeString(title))
	for i, line := range lines {
		drawLine(out, line, barHeight+(i+1)*lineHeight-5)
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

// drawLine places every run of text at its own cell, so that no font can move
// the columns.
func drawLine(out io.Writer, line string, y int) {
	cell := 0
	for _, s := range split(line) {
		if strings.TrimSpace(s.text) != "" {
			lead := len(s.text) - len(strings.TrimLeft(s.text, " "))
			text := strings.TrimSpace(s.text)
			fmt.Fprintf(out, `<text xml:space="preserve" x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
				margin+float64(cell+lead)*cellWidth, y, float64(term.Width(text))*cellWidth, s.style.attributes(), html.EscapeString(text))
		}
		cell += term.Width(s.text)
	}
}
