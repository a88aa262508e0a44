package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
)

// textKinds are the words that say in which kinds of text to search.
var textKinds = map[string][]ask.TextKind{
	"prompts":  {ask.TextPrompt},
	"answers":  {ask.TextAnswer},
	"thinking": {ask.TextThinking},
	"titles":   {ask.TextTitle},
	"input":    {ask.TextInput},
	"output":   {ask.TextOutput},
	"notes":    {ask.TextNote, ask.TextOther},
}

// TextKindWords are the words that TextKinds takes.
func TextKindWords() []string { return slices.Sorted(maps.Keys(textKinds)) }

// TextKinds reads words with commas between; none means every kind. One that is
// none of TextKindWords is [errcode.Invalid].
func TextKinds(words string) (kinds []ask.TextKind, err error) {
	if words == "" {
		return nil, nil
	}
	for _, word := range strings.Split(words, ",") {
		some, ok := textKinds[word]
		if !ok {
			return nil, errcode.New(errcode.Invalid, fmt.Errorf("unknown kind of text %q: use one of %s", word, strings.Join(TextKindWords(), ", ")))
		}
		kinds = append(kinds, some...)
	}
	return kinds, nil
}

// SearchBudget is the default of [Search.Budget]: the bytes that a search can read in about
// 10 ms.
const SearchBudget = 16 << 20
