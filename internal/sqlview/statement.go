package sqlview

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Refused is the error for a statement that is not run.
type Refused struct{ Reason string }

func (e *Refused) Error() string { return e.Reason }

// begins are the words with which a statement that reads can begin.
var begins = []string{"select", "with", "values"}

// never are names that no statement may have, not even in quotes: what loads code or reads pages
// of a database. Names
// that begin with pragma_ are tables that run pragmas.
var never = []string{"load_extension", "fts3_tokenizer", "sqlite_dbpage", module}

// Check reports why a statement is not run; nil: it is.
func Check(statement string) error {
	words, err := wordsOf(statement)
	switch {
	case err != nil:
		return &Refused{err.Error()}
	case len(words) == 0:
		return &Refused{"there is no statement"}
	case words[0].quoted || !slices.Contains(begins, words[0].text):
		return &Refused{"only SELECT statements are run"}
	}
	for i, w := range words {
		switch {
		case w.text == ";" && !w.quoted && i < len(words)-1:
			return &Refused{"only one statement is run"}
		case slices.Contains(never, w.text), strings.HasPrefix(w.text, "pragma_"):
			return &Refused{fmt.Sprintf("%q is not allowed", w.text)}
		}
	}
	return nil
}

// word is a word of a statement in lower case, or a semicolon.
type word struct {
	text   string
	quoted bool
}

// wordsOf splits a statement as SQLite does: names, bare or quoted, and semicolons. Texts
// count as words too, because SQLite takes one for a name where no text can be.
func wordsOf(statement string) (words []word, err error) {
	for s := statement; s != ""; {
		c := s[0]
		switch {
		case c == 0:
			return nil, errors.New("the statement has a NUL character")
		case strings.HasPrefix(s, "--"):
			_, s, _ = strings.Cut(s, "\n")
		case strings.HasPrefix(s, "/*"):
			_, s, _ = strings.Cut(s[2:], "*/")
		case c == '\'' || c == '"' || c == '`' || c == '[':
			text, rest, ok := unquote(s)
			if !ok {
				return nil, errors.New("a quote of the statement does not end")
			}
			words, s = append(words, word{strings.ToLower(text), true}), rest
		case c == ';':
			words, s = append(words, word{text: ";"}), s[1:]
		case inWord(c):
			n := 1
			for n < len(s) && inWord(s[n]) {
				n++
			}
			words, s = append(words, word{text: strings.ToLower(s[:n])}), s[n:]
		default:
			s = s[1:]
		}
	}
	return words, nil
}

func inWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// unquote takes the quoted text that s begins with. A quote inside is written twice.
func unquote(s string) (text, rest string, ok bool) {
	quote := s[0]
	if quote == '[' {
		text, rest, ok = strings.Cut(s[1:], "]")
		return text, rest, ok
	}
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			i++
			continue
		}
		return strings.ReplaceAll(s[1:i], string([]byte{quote, quote}), string(quote)), s[i+1:], true
	}
	return "", "", false
}
