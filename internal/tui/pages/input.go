package pages

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/term"
)

// Input is one line of text that is typed.
type Input struct {
	Before, After []rune // the cursor
}

func (in *Input) Text() string { return string(in.Before) + string(in.After) }

func (in *Input) Set(text string) { in.Before, in.After = []rune(text), nil }

// Update takes keys and pasted text. It reports whether the text changed.
func (in *Input) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		return in.Insert(msg.Content)
	case tea.KeyPressMsg:
		if msg.Text != "" && msg.Mod&^tea.ModShift == 0 {
			return in.Insert(msg.Text)
		}
		return in.edit(msg.String())
	}
	return false
}

// Insert adds text at the cursor. What is kept is clean and one line.
func (in *Input) Insert(text string) bool {
	text = oneLine.Replace(term.Clean(text))
	in.Before = append(in.Before, []rune(text)...)
	return text != ""
}

var oneLine = strings.NewReplacer("\n", " ", "\t", " ")

func (in *Input) edit(key string) bool {
	n, m := len(in.Before), len(in.After)
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
		in.Before = in.Before[:max(0, n-1)]
	case "delete":
		in.After = in.After[min(1, m):]
	case "ctrl+u":
		in.Before = nil
	case "ctrl+w":
		in.Before = in.Before[:lastWord(in.Before)]
	}
	return len(in.Before)+len(in.After) != n+m
}

func (in *Input) move(at int) {
	all := []rune(in.Text())
	at = max(0, min(at, len(all)))
	in.Before, in.After = all[:at:at], all[at:]
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

// View draws the text with a cursor in it. Of text that is too long the part
// around the cursor is shown.
func (in *Input) View(sc term.Screen, width int) string {
	before := string(in.Before)
	room := max(1, width-1)
	for term.Width(before) > room {
		before = string([]rune(before)[1:])
	}
	if before != string(in.Before) {
		before = strings.TrimLeftFunc(before, func(r rune) bool { return term.Width(string(r)) == 0 }) // of a letter that is cut
	}
	return before + sc.Paint(term.Bold, GlyphsOf(sc).cursor) + Cut(sc, string(in.After), room-term.Width(before))
}
