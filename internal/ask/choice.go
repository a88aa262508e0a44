package ask

import (
	"slices"
	"strings"

	"sesskeep/internal/query"
)

// Choice is how sessions are chosen by a field. A front that has no name for it does not
// offer it.
type Choice struct {
	Match Match
	Word  string // key of the search language
	Flag  string // of commands that list sessions
	Param string // of the API

	Help    string   // which sessions are chosen: it completes "only sessions"
	Value   string   // stands for a value in the help of a flag
	Example string   // a value
	Words   []string // the values there are; nil: any

	FlagHelp, ParamHelp string // where a front has something else to say
}

// Match says how a value chooses.
type Match int

const (
	MatchSame  Match = iota // the field is the value; a search word in any case
	MatchPart               // the field contains the value
	MatchRange              // the field is a number in a range such as >10, <=500k or 1..5
	MatchName               // the field is the value, or that of a family: sdk is sdk-cli, vscode is claude-vscode
	MatchHash               // the field, or one of its agents', has a hash that begins with the value, or that the value begins with
	MatchLink               // the field, or one of its agents', has an address with the value in it, or with the number at its end
	MatchOwn                // the engine has a rule of its own
)

// Plain reports whether the engine chooses by the table alone, so that fronts hand on what
// they were given in [Filter.Fields].
func (c *Choice) Plain() bool { return c.Match != MatchOwn }

// Check refuses a value, or one of several with commas between, that the choice does not
// take. What is the name of the value in the front that was asked.
func (c *Choice) Check(what, value string) error {
	for word := range strings.SplitSeq(value, ",") {
		if _, _, ok := query.ParseRange(word); c.Match == MatchRange && !ok {
			return &WordError{What: what, Word: word, Words: []string{">10", "<=500k", "1M..5M"}}
		}
		if c.Words != nil && !slices.Contains(c.Words, word) {
			return &WordError{What: what, Word: word, Words: c.Words}
		}
	}
	return nil
}

// FlagText describes the flag.
func (c *Choice) FlagText() string {
	if c.FlagHelp != "" {
		return c.FlagHelp
	}
	return "only sessions " + c.Help + c.listed()
}

// ParamText describes the parameter.
func (c *Choice) ParamText() string {
	if c.ParamHelp != "" {
		return c.ParamHelp
	}
	return "Only sessions " + c.Help + c.listed() + "; several with commas between."
}

func (c *Choice) listed() string {
	if c.Words == nil {
		return ""
	}
	return ": " + either(c.Words)
}

// either lists alternatives: a, b or c.
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Chosen are the fields that sessions are chosen by in a front: which gives its name for
// the choice, empty for none.
func Chosen(name func(*Choice) string) (list []*Field) {
	for i := range Fields {
		if f := &Fields[i]; f.Choice != nil && name(f.Choice) != "" {
			list = append(list, f)
		}
	}
	return list
}

// ByWord finds the field of a key of the search language; nil: it is about lines.
func ByWord(key query.Key) *Field {
	for i := range Fields {
		if f := &Fields[i]; f.Choice != nil && f.Choice.Word == string(key) {
			return f
		}
	}
	return nil
}

// The search language knows the words of the table: a program that reads queries about
// sessions has this package.
func init() {
	for _, f := range Chosen(func(c *Choice) string { return c.Word }) {
		c := f.Choice
		query.Define(query.KeyInfo{
			Key: query.Key(c.Word), Help: c.Help, Example: c.Word + ":" + c.Example, Values: c.Words, Range: c.Match == MatchRange,
		})
	}
}
