package term

import (
	"strings"

	"rsc.io/qr"
)

// quiet is the margin of a QR code, in modules: what cameras need around it.
const quiet = 2

// QR draws a text as a code that cameras read: dark on light, whatever the colours
// of the terminal, where it has any; else light on what is taken for dark.
func QR(s Screen, text string) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if s.ASCII {
		for y := -quiet; y < code.Size+quiet; y++ {
			for x := -quiet; x < code.Size+quiet; x++ {
				out.WriteString(module(code.Black(x, y), "  ", "##"))
			}
			out.WriteByte('\n')
		}
		return out.String(), nil
	}
	start, end := "", ""
	if s.Color {
		start, end = colourToken("38;5;231;48;5;16"), reset
	}
	for y := -quiet; y < code.Size+quiet; y += 2 { // two rows a line
		out.WriteString(start)
		for x := -quiet; x < code.Size+quiet; x++ {
			upper, lower := code.Black(x, y), code.Black(x, y+1) || y+1 >= code.Size+quiet
			out.WriteString(module(upper, module(lower, " ", "▄"), module(lower, "▀", "█")))
		}
		out.WriteString(end + "\n")
	}
	return out.String(), nil
}

func module(dark bool, ifDark, ifLight string) string {
	if dark {
		return ifDark
	}
	return ifLight
}
