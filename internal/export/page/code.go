package page

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// language is what the colouring of code needs to know about its language.
type language struct {
	words   map[string]bool // its keywords
	line    []string        // what starts a comment to the end of the line
	block   [2]string       // what starts and ends a comment of several lines
	quotes  string          // characters that start and end strings
	anyCase bool            // the case of keywords does not matter
}

// Language returns the language of a fence's name or a file's extension, or "" if it is not
// coloured.
func Language(name string) string {
	name = strings.ToLower(name)
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	if alias, ok := aliases[name]; ok {
		name = alias
	}
	if _, ok := keywords[name]; !ok {
		return ""
	}
	return name
}

var aliases = map[string]string{
	"golang": "go", "javascript": "ts", "typescript": "ts", "js": "ts", "jsx": "ts", "tsx": "ts", "mjs": "ts", "cjs": "ts", "svelte": "ts", "vue": "ts",
	"python": "py", "pyi": "py", "rs": "rust", "c": "cpp", "h": "cpp", "hpp": "cpp", "cc": "cpp", "c++": "cpp", "objc": "cpp", "m": "cpp",
	"cs": "java", "csharp": "java", "kt": "java", "kotlin": "java", "scala": "java", "dart": "java", "groovy": "java", "swift": "swift", "php": "php",
	"bash": "sh", "shell": "sh", "zsh": "sh", "console": "sh", "dockerfile": "sh", "makefile": "sh", "fish": "sh", "ruby": "rb", "yml": "yaml",
	"jsonc": "json", "json5": "json", "ini": "toml", "conf": "toml", "scss": "css", "less": "css", "postgresql": "sql", "mysql": "sql", "sqlite": "sql",
}

// keywords has the keywords of each language; see languageOf.
var keywords = map[string]string{
	"go":    "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota",
	"ts":    "abstract as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private protected public readonly return set static super switch this throw true try type typeof undefined var void while with yield",
	"py":    "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match case None nonlocal not or pass raise return self True try while with yield",
	"rust":  "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
	"cpp":   "auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false float for friend if inline int long namespace new nullptr NULL operator private protected public return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while",
	"java":  "abstract as async await bool boolean break byte case catch char class companion const continue data default do double else enum extends false final finally float for fun if implements import in int interface internal is long namespace new null object open override package private protected public readonly return sealed short static string super switch this throw true try typeof using val var void when where while",
	"swift": "actor as associatedtype async await break case catch class continue default defer do else enum extension false fileprivate for func guard if import in init inout internal is let nil open override private protocol public return self Self static struct super switch throw throws true try var where while",
	"php":   "abstract and array as break case catch class const continue default do echo else elseif extends false final finally fn for foreach function global if implements include instanceof interface match namespace new null or private protected public require return static switch this throw trait true try use var while yield",
	"sh":    "case do done elif else esac exit export fi for function if in local readonly return set shift then trap unset until while FROM RUN COPY ADD ENV WORKDIR ENTRYPOINT CMD EXPOSE",
	"rb":    "alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield",
	"lua":   "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
	"sql":   "add all alter and as asc begin between by case check column commit conflict constraint create cross default delete desc distinct do drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction true union unique update using values view when where with",
	"yaml":  "true false null yes no",
	"toml":  "true false",
	"json":  "true false null",
	"css":   "important inherit initial none auto media supports import keyframes from to",
}

var languages sync.Map // the languages made so far, by name

// languageOf returns a language, which it makes of its keywords on first use.
func languageOf(name string) *language {
	if known, ok := languages.Load(name); ok {
		return known.(*language)
	}
	l := newLanguage(name)
	languages.Store(name, l)
	return l
}

func newLanguage(name string) *language {
	l := &language{words: map[string]bool{}, line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`}
	for word := range strings.FieldsSeq(keywords[name]) {
		l.words[word] = true
	}
	switch name {
	case "go", "ts":
		l.quotes = "\"'`"
	case "rust": // ' is a lifetime more often than a character
		l.quotes = `"`
	case "py", "sh", "rb", "yaml", "toml":
		l.line, l.block = []string{"#"}, [2]string{}
	case "php":
		l.line = []string{"//", "#"}
	case "lua":
		l.line, l.block = []string{"--"}, [2]string{"--[[", "]]"}
	case "sql":
		l.line, l.anyCase = []string{"--"}, true
	case "css":
		l.line = nil
	case "json":
		l.quotes = `"`
	}
	return l
}

// maxCode is the longest code that is coloured. Longer text is data.
const maxCode = 256 << 10

// Code appends code in the colours of a language that [Language] returned.
func Code(dst []byte, name, code string) []byte {
	if name == "" || len(code) > maxCode {
		return Text(dst, code)
	}
	l := languageOf(name)
	for len(code) > 0 {
		class, n := l.token(code)
		dst = span(dst, class, code[:n])
		code = code[n:]
	}
	return dst
}

func span(dst []byte, class, text string) []byte {
	if class == "" {
		return Text(dst, text)
	}
	dst = append(dst, `<span class="`+class+`">`...)
	dst = Text(dst, text)
	return append(dst, "</span>"...)
}

// token returns the class and the length of the first token of the code.
func (l *language) token(code string) (class string, n int) {
	if l.block[0] != "" && strings.HasPrefix(code, l.block[0]) {
		if end := strings.Index(code[len(l.block[0]):], l.block[1]); end >= 0 {
			return "c", len(l.block[0]) + end + len(l.block[1])
		}
		return "c", len(code)
	}
	for _, start := range l.line {
		if strings.HasPrefix(code, start) {
			return "c", lineEnd(code)
		}
	}
	r, size := utf8.DecodeRuneInString(code)
	switch {
	case r == '[' && markLength(code) > 0:
		return "", markLength(code)
	case strings.ContainsRune(l.quotes, r):
		return "s", quotedEnd(code)
	case r >= '0' && r <= '9':
		return "n", numberEnd(code)
	case r == '_' || r == '$' || unicode.IsLetter(r):
		return l.word(code)
	}
	return "", size
}

func lineEnd(code string) int {
	if i := strings.IndexByte(code, '\n'); i >= 0 {
		return i
	}
	return len(code)
}

// quotedEnd returns where a string ends: at its closing quote, or at the end of its line unless
// the quote is `.
func quotedEnd(code string) int {
	for i := 1; i < len(code); i++ {
		switch {
		case code[i] == code[0]:
			return i + 1
		case code[i] == '\\' && code[0] != '`':
			i++
		case code[i] == '\n' && code[0] != '`':
			return i
		}
	}
	return len(code)
}

func numberEnd(code string) int {
	for i, r := range code {
		if r != '.' && r != '_' && !unicode.IsDigit(r) && !unicode.IsLetter(r) {
			return i
		}
	}
	return len(code)
}

func (l *language) word(code string) (class string, n int) {
	n = strings.IndexFunc(code, func(r rune) bool {
		return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if n < 0 {
		n = len(code)
	}
	word := code[:n]
	switch {
	case l.words[word], l.anyCase && l.words[strings.ToLower(word)]:
		return "k", n
	case strings.HasPrefix(code[n:], "("):
		return "f", n
	case word[0] >= 'A' && word[0] <= 'Z' && strings.ToUpper(word) != word:
		return "t", n
	}
	return "", n
}
