package settings

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Our hooks are known by their command, wherever the program lies: its path and
// "hook report" or "hook keep", and nothing else. What people made of it, with
// something before or behind, is theirs: it does the same, and is neither changed
// nor taken out.
var (
	programPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^sesskeep([-_.]?v?[0-9][\w.+-]*|[-_](dev|linux|darwin|macos|windows)[\w.+-]*)?(\.exe)?$`)
	})
	runsPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(^|[/\\\\\\s'\"`;&|(={])[^/\\\\\\s'\"]*sesskeep[^/\\\\\\s'\"]*['\"]?\\s+hook\\s+(report|keep)($|[\\s;&|)'\"`}])")
	})
)

// isOurs reports whether a command is one that we write.
func (h Hooks) isOurs(command string) bool {
	words, ok := plainWords(command)
	if !ok || len(words) != 3 || words[1] != "hook" || words[2] != h.verb {
		return false
	}
	program := words[0]
	return programPattern().MatchString(program[strings.LastIndexAny(program, `/\`)+1:])
}

// CheckCommand refuses a command that would not be known again as ours.
func (h Hooks) CheckCommand(command string) error {
	if !h.isOurs(command) {
		return fmt.Errorf("%q would not be known again: the program must be named sesskeep", command)
	}
	return nil
}

// runs reports whether a command runs ours somewhere.
func (h Hooks) runs(command string) bool {
	for _, found := range runsPattern().FindAllStringSubmatch(command, -1) {
		if found[2] == h.verb {
			return true
		}
	}
	return false
}

// plainWords parts a command as a shell does. It is not ok if a shell would do
// more than run the first word with the others as its arguments.
func plainWords(command string) (words []string, ok bool) {
	var word strings.Builder
	inWord := false
	var quote byte
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			if quote == '"' && (c == '$' || c == '`') {
				return nil, false
			}
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		case c == '\\' && i+1 < len(command) && strings.IndexByte(`'" `, command[i+1]) >= 0:
			i++
			word.WriteByte(command[i])
			inWord = true
		case strings.IndexByte("\r\n;&|<>(){}$`*?[]#!", c) >= 0:
			return nil, false
		case c == '=' && len(words) == 0 && !strings.ContainsAny(word.String(), `/\`):
			return nil, false // a variable for the command behind it
		default: // a backslash too: in paths of Windows it is one
			word.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, quote == 0
}
