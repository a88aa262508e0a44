package term

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strings"
)

// Our own control functions are written as tokens: \x1b[, a number that this
// process has drawn, and what is meant. An Exit turns tokens into what a terminal
// understands, and every other escape into a mark, so that text that was not
// cleaned cannot even set a colour: it does not know the number.
//
// A token of a colour has the form of a colour, \x1b[NUMBER;1;36m.
var token = "\x1b[" + drawn()

func drawn() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return fmt.Sprintf("%020d", binary.LittleEndian.Uint64(b[:]))
}

// colourToken sets the style that SGR codes name, as in "1;36".
func colourToken(codes string) string { return token + ";" + codes + "m" }

var (
	reset = colourToken("0")
	// Bell rings. It is for an Exit, as all that this package paints.
	Bell = token + "a"

	toStart = token + "r" // of the line
	redraw  = token + "j"
)

// controls are what tokens that are no colours become.
var controls = map[byte]string{'a': "\a", 'r': "\r", 'j': "\x1b[H\x1b[J"}

// ours is the token that s begins with, and what a terminal has to get for it;
// both are empty if it does not begin with one.
func ours[T string | []byte](s T) (length int, control string) {
	if len(s) <= len(token) || string(s[:len(token)]) != token {
		return 0, ""
	}
	kind := s[len(token)]
	if kind != ';' {
		return len(token) + 1, controls[kind]
	}
	end := len(token) + 1
	for end < len(s) && (s[end] == ';' || '0' <= s[end] && s[end] <= '9') {
		end++
	}
	if end == len(s) || s[end] != 'm' {
		return 0, ""
	}
	return end + 1, "\x1b[" + string(s[len(token)+1:end+1])
}

// isColourPrefix reports whether s may be the first part of a token.
func isColourPrefix(s []byte) bool {
	if len(s) <= len(token) {
		return strings.HasPrefix(token, string(s))
	}
	if string(s[:len(token)]) != token || s[len(token)] != ';' {
		return false
	}
	for _, c := range s[len(token)+1:] {
		if c != ';' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// Notification rings, and makes a terminal that supports it (OSC 9) notify its user.
// It is for a terminal itself, not for an Exit.
func Notification(text string) string { return "\x1b]9;" + Line(text) + "\x1b\\\a" }
