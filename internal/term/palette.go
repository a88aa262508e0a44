package term

import (
	"slices"
	"strconv"
)

// Palette says which colours of the terminal stand for the six that we draw with. The
// zero value draws them as they are.
type Palette [Cyan + 1]uint8 // SGR codes; 0: the colour itself

// colorNames are the colours that a terminal has, in the order of their codes from 30 on.
var colorNames = []string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// Draw draws one colour as another: red, bright-red, or default, which is that of text.
// Names that are none change nothing.
func (p *Palette) Draw(name, as string) {
	at := slices.Index(colorNames, name)
	code := sgr(as)
	if at < int(Red) || at > int(Cyan) || code == 0 {
		return
	}
	p[at] = code
}

// sgr is the code of a colour; 0: there is no such.
func sgr(name string) uint8 {
	if name == "default" {
		return 39
	}
	base := 30
	if len(name) > 7 && name[:7] == "bright-" {
		name, base = name[7:], 90
	}
	if at := slices.Index(colorNames, name); at >= 0 {
		return uint8(base + at)
	}
	return 0
}

// code is the SGR code of a colour.
func (p Palette) code(c Style) string {
	if p[c] != 0 {
		return strconv.Itoa(int(p[c]))
	}
	return strconv.Itoa(30 + int(c))
}
