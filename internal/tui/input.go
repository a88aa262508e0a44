package tui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/term"
)

// input is one line of text that is typed.
type input struct {
	before, after []rune // the cursor
}

func (in *input) text() string { return string(in.before) + string(in.after) }

func (in *input) set(text string) { in.before, in.after = []rune(text), nil }

// update takes keys and pasted text. It reports whether the text changed.
func (in *input) update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		return in.insert(msg.Content)
	case tea.KeyPressMsg:
		if msg.Text != "" && msg.Mod&^tea.ModShift == 0 {
			return in.insert(msg.Text)
		}
		return in.edit(msg.String())
	}
	return false
}

// insert adds text at the cursor. What is kept is clean and one line.
func (in *input) insert(text string) bool {
	text = oneLine.Replace(term.Clean(text))
	in.before = append(in.before, []rune(text)...)
	return text != ""
}

var oneLine = strings.NewReplacer("\n", " ", "\t", " ")

func (in *input) edit(key string) bool {
	n, m := len(in.before), len(in.after)
	switch key {
	case "left":
		in.move(n - 1)
	case "right":
		in.move(n + 1)
	case "home", "ctrl+a":
		in.move(0)
	case "end", "ctrl+e":
		in.move(n + m)
	case "backspace", "ctrl+h":
		in.before = in.before[:max(0, n-1)]
	case "delete":
		in.after = in.after[min(1, m):]
	case "ctrl+u":
		in.before = nil
	case "ctrl+w":
		in.before = in.before[:lastWord(in.before)]
	}
	return len(in.before)+len(in.after) != n+m
}

func (in *input) move(at int) {
	all := []rune(in.text())
	at = max(0, min(at, len(all)))
	in.before, in.after = all[:at:at], all[at:]
}

// lastWord is where the last word begins.
func lastWord(text []rune) int {
	n := len(text)
	for n > 0 && unicode.IsSpace(text[n-1]) {
		n--
	}
	for n > 0 && !unicode.IsSpace(text[n-1]) {
		n--
	}
	return n
}

// view draws the text with a cursor in it. Of text that is too long the part
// around the cursor is shown.
func (in *input) view(sc term.Screen, width int) string {
	before := string(in.before)
	room := max(1, width-1)
	for term.Width(before) > room {
		before = string([]rune(before)[1:])
	}
	return before + sc.Paint(term.Bold, glyphsOf(sc).cursor) + cut(sc, string(in.after), room-term.Width(before))
}
