package term_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"rsc.io/qr"

	"sesskeep/internal/term"
)

// What is drawn is the code: each module where it belongs, with a light margin.
func TestQR(t *testing.T) {
	text := "https://192.168.100.100:7718/ui/pair#" + strings.Repeat("aB3-", 6) + "." + strings.Repeat("x", 43)
	want, err := qr.Encode(text, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := term.QR(term.Screen{ASCII: true}, text)
	if err != nil {
		t.Fatal(err)
	}
	halves, err := term.QR(term.Screen{}, text)
	if err != nil {
		t.Fatal(err)
	}
	rows, lines := strings.Split(plain, "\n"), strings.Split(halves, "\n")
	for y := -2; y < want.Size+2; y++ {
		line := []rune(lines[(y+2)/2])
		for x := -2; x < want.Size+2; x++ {
			dark := rows[y+2][2*(x+2)] == ' '
			light := map[rune][2]bool{' ': {}, '▀': {true, false}, '▄': {false, true}, '█': {true, true}}[line[x+2]]
			if dark != want.Black(x, y) || light[(y+2)%2] == want.Black(x, y) {
				t.Fatalf("module %d,%d is wrong", x, y)
			}
		}
	}
	if width := utf8.RuneCountInString(lines[0]); width > 60 || len(lines) > 31 {
		t.Errorf("it takes %d columns and %d lines", width, len(lines))
	}
	colored, err := term.QR(term.Screen{Color: true}, text)
	if err != nil || strings.Count(sent(t, colored), "\x1b[0m") != len(lines)-1 {
		t.Errorf("a line of colour goes on into the next: %v", err)
	}
}
