// Package term is the only way text of a transcript reaches a terminal.
//
// Text comes from models, tools and file names, so it may hold anything: cursor
// movement, clipboard writes, window titles, letters that run backwards. Clean
// and Line turn all of that into visible marks; a Screen says what the output
// can show; Table, Wrap and Progress lay text out in cells. All of it leaves the
// program through an Exit, which lets only the control functions of this package
// pass: colours, the bell, the start of a line and of the screen.
//
// Promise: what Clean and Line return is valid UTF-8 without any control but
// newline and tab (Line: neither), and cleaning it again changes nothing.
package term
