package draw

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"sesskeep/internal/term"
)

// Smells are phrases that often come before something goes wrong. What matches
// is pointed out and counted.
type Smells struct{ phrases []smell }

type smell struct {
	phrase string
	match  *regexp.Regexp
	least  int // how often it has to come in one text
}

// usualSmells are those of people who have watched a model for long.
var usualSmells = sync.OnceValue(func() []smell {
	return []smell{
		newSmell("let me mock", 1),
		newSmell("simpler approach", 1),
		newSmell("unrelated to my changes", 1),
		newSmell("actually", 5),
	}
})

func newSmell(phrase string, least int) smell {
	words := strings.Fields(phrase)
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	return smell{phrase, regexp.MustCompile(`(?i)` + strings.Join(words, `[\s\x{a0}]+`)), least}
}

// NewSmells takes phrases of a user instead of the usual ones.
func NewSmells(phrases []string) Smells {
	if len(phrases) == 0 {
		return Smells{usualSmells()}
	}
	var s Smells
	for _, p := range phrases {
		if strings.TrimSpace(p) != "" {
			s.phrases = append(s.phrases, newSmell(p, 1))
		}
	}
	return s
}

// In names the phrases that a text has, once for each time.
func (s Smells) In(text string) []string {
	var found []string
	for _, p := range s.phrases {
		if n := len(p.match.FindAllStringIndex(text, -1)); n >= p.least {
			found = append(found, slices.Repeat([]string{p.phrase}, n)...)
		}
	}
	return found
}

// nbsp stands for the spaces of a phrase that must not be broken over lines.
const nbsp = "\u00a0"

// Unbroken takes back what Mark did to spaces, where nothing is painted.
func Unbroken(text string) string { return strings.ReplaceAll(text, nbsp, " ") }

// Mark points out the phrases in a clean text. Where there are colours it only
// keeps each phrase on one line, and Paint does the rest.
func (s Smells) Mark(text string, found []string, color bool) string {
	for _, p := range s.named(found) {
		text = p.match.ReplaceAllStringFunc(text, func(hit string) string {
			hit = strings.Join(strings.Fields(hit), nbsp)
			if color {
				return hit
			}
			return "«" + hit + "»"
		})
	}
	return text
}

// Paint colours the phrases in one line of marked text.
func (s Smells) Paint(screen term.Screen, style term.Style, line string, found []string) string {
	if screen.Color {
		for _, p := range s.named(found) {
			line = p.match.ReplaceAllStringFunc(line, func(hit string) string {
				return edge + hit + edge
			})
		}
	}
	parts := strings.Split(line, edge)
	for i := range parts {
		part := Unbroken(parts[i])
		if i%2 == 1 {
			parts[i] = screen.Paint(term.Bold|term.Red, part)
		} else {
			parts[i] = screen.Paint(style, part)
		}
	}
	return strings.Join(parts, "")
}

// edge is no text: clean text has no controls.
const edge = "\x00"

// named are the phrases by name.
func (s Smells) named(names []string) []smell {
	var list []smell
	for _, p := range s.phrases {
		if slices.Contains(names, p.phrase) {
			list = append(list, p)
		}
	}
	return list
}
