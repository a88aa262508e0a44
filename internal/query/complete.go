package query

import "strings"

// Completion describes what is being typed at a position in a query.
type Completion struct {
	Kind    CompletionKind
	Key     Key      // of the value being typed
	From    int      // the bytes From to To are what the choice replaces
	To      int      //
	Prefix  string   // the typed part up to the cursor, without quotes
	Choices []string // keys with their colon, or values, that start with Prefix
}

// CompletionKind says what can be completed.
type CompletionKind int

const (
	NoCompletion CompletionKind = iota // inside quotes, a regular expression, or a word that is not a key
	KeyCompletion
	ValueCompletion // Choices are empty for a key that accepts any text
)

// Complete returns what is being typed at the byte offset cursor. The text need not
// be a valid query.
func Complete(text string, cursor int) Completion {
	cursor = max(0, min(cursor, len(text)))
	for _, t := range scan(text) {
		if t.pos > cursor {
			break
		}
		if cursor > t.end || cursor == t.end && t.kind == phraseTerm && !t.open {
			continue
		}
		return t.complete(text, cursor)
	}
	return completeKey(cursor, cursor, "")
}

func (t term) complete(text string, cursor int) Completion {
	start := t.pos
	if t.not {
		start++
	}
	switch {
	case cursor < start:
	case t.kind == wordTerm || t.kind == orTerm:
		if typed := text[start:cursor]; nameLen(typed) == len(typed) {
			return completeKey(start, start+nameLen(text[start:t.end]), typed)
		}
	case t.kind == keyTerm && cursor <= t.keyPos+len(t.key):
		return completeKey(t.keyPos, t.keyPos+len(t.key)+1, text[t.keyPos:cursor])
	case t.kind == keyTerm:
		return t.completeValue(cursor)
	}
	return Completion{From: cursor, To: cursor}
}

func completeKey(from, to int, prefix string) Completion {
	c := Completion{Kind: KeyCompletion, From: from, To: to, Prefix: prefix}
	for _, k := range Keys() {
		if strings.HasPrefix(string(k.Key), strings.ToLower(prefix)) {
			c.Choices = append(c.Choices, string(k.Key)+":")
		}
	}
	return c
}

func (t term) completeValue(cursor int) Completion {
	info, _ := keyOf(t.key)
	it := t.values[len(t.values)-1]
	for _, v := range t.values {
		if cursor <= v.end {
			it = v
			break
		}
	}
	c := Completion{Kind: ValueCompletion, Key: info.Key, From: it.pos, To: it.end, Prefix: it.text}
	if typed := cursor - it.pos; !it.quoted {
		c.Prefix = it.text[:typed]
	} else if cursor < it.end {
		// Escapes are rare; the text before the cursor is used unchanged.
		c.Prefix = it.text[:max(0, min(typed-1, len(it.text)))]
	}
	for _, v := range info.Values {
		if strings.HasPrefix(v, strings.ToLower(c.Prefix)) {
			c.Choices = append(c.Choices, v)
		}
	}
	return c
}
