package pages

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep"
)

// Prompt is a line that is typed for an act, such as a new title. The frame shows
// it in its foot and gives it the keys; the page stays as it is.
type Prompt struct {
	Label string // what is asked for
	Enter string // what Enter does, in a word
	Input Input
	// Row is the session in whose row a list shows the line instead; nil: none.
	Row *sesskeep.Key
	// Words are what can be completed, the likeliest first.
	Words []string
	// Done takes the text.
	Done func(text string) tea.Cmd
}

// PromptMsg asks for a line.
type PromptMsg struct{ Prompt *Prompt }

// Ask asks for a line.
func Ask(p *Prompt) tea.Cmd { return Send(PromptMsg{p}) }

// Hints are the keys while the line is typed.
func (p *Prompt) Hints() []Hint {
	list := []Hint{{Key: "enter", Word: p.Enter}, {Key: "esc", Word: "cancel"}}
	if found := p.Completions(); len(found) > 0 {
		list = append(list, Hint{Key: "tab", Word: strings.Join(found[:min(len(found), mostCompletions)], "  ")})
	}
	return list
}

// mostCompletions is how many words are offered at once.
const mostCompletions = 6

// Completions are the words that the one being typed can become, without those
// that are there already.
func (p *Prompt) Completions() []string {
	text := string(p.Input.Before)
	start := strings.LastIndexAny(text, " ,") + 1
	typed, there := strings.ToLower(text[start:]), map[string]bool{}
	for _, word := range SplitWords(text[:start] + " " + string(p.Input.After)) {
		there[strings.ToLower(word)] = true
	}
	var found []string
	for _, word := range p.Words {
		if low := strings.ToLower(word); strings.HasPrefix(low, typed) && low != typed && !there[low] {
			found = append(found, word)
		}
	}
	return found
}

// Complete makes the word being typed the likeliest that it can become.
func (p *Prompt) Complete() {
	found := p.Completions()
	if len(found) == 0 {
		return
	}
	text := string(p.Input.Before)
	start := strings.LastIndexAny(text, " ,") + 1
	p.Input.Before = []rune(text[:start] + found[0] + " ")
}

// SplitWords splits a text at spaces and commas.
func SplitWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
}
