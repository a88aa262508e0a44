package term

import "io"

// A test has no terminal, which Page asks for before it uses these.
var (
	StartPager   = startPager
	PagerCommand = pagerCommand
)

// ToTerminal is an Exit to what is taken for a terminal.
func ToTerminal(w io.Writer) *Exit { return &Exit{w: w, tty: true} }
