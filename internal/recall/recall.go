// Package recall answers questions that a model asks about sessions: in short, dated texts with
// addresses for further questions.
//
// A Caller says what may be asked about: everything, some projects, or the project of a
// directory. Answers mention nothing outside of that. Each answer has a budget of tokens and, if
// it does not fit, a cursor of its next part.
//
// An answer separates what we say from what transcripts say. Ours is the first paragraph and
// the last line: counts, dates, what the answer lacks, how to continue. Everything that people,
// models and tools wrote stands between two marks and behind a bar on every line, see [Frame]. The
// marks have a number that follows from all that is quoted, so that no transcript can know it,
// close the frame and continue in our name. Secrets are replaced by what [redact] puts in their place.
package recall

import (
	"errors"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/board"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/money"
	"sesskeep/internal/query"
	"sesskeep/internal/talk"
)

// Options configure a Recall.
type Options struct {
	Catalog *catalog.Catalog
	Talk    *talk.Talk
	Live    *board.Live
	Prices  *money.Prices    // nil: those built in
	Now     func() time.Time // nil: time.Now
}

// Recall answers questions.
type Recall struct{ Options }

// New makes a Recall. It reads nothing before it is asked.
func New(o Options) *Recall {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Recall{o}
}

// Paging is part of every question whose answer can be long.
type Paging struct {
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"About how many tokens the answer may have. Default 2000, at most 25000"`
	Cursor    string `json:"cursor,omitempty" jsonschema:"Continues an answer: the cursor it ended with, with the same arguments"`
}

// Answer is an answer as a text.
type Answer struct {
	Text string
	Next string // cursor of what follows; empty: nothing does
	ask.Covered
}

// The limits of an answer in tokens, and the bytes that a token stands for.
const (
	usualTokens = 2000
	LeastTokens = 500
	MostTokens  = 25000
	tokenBytes  = 4
)

// size is how many bytes an answer may have.
func (p *Paging) size() int {
	if p.MaxTokens == 0 {
		return usualTokens * tokenBytes
	}
	return min(max(p.MaxTokens, LeastTokens), MostTokens) * tokenBytes
}

// invalid is the error of a question that makes no sense.
func invalid(text string) error { return errcode.New(errcode.Invalid, errors.New(text)) }

// parse reads a query of the search language.
func (r *Recall) parse(text string) (query.Q, error) {
	q, err := query.Parse(text, r.Now())
	var bad *query.Error
	if errors.As(err, &bad) {
		text := bad.Error()
		if bad.Hint != "" {
			text += ": " + bad.Hint
		}
		return q, invalid(text)
	}
	return q, err
}

// since reads a time as the search language takes it; empty is none.
func (r *Recall) since(text string) (t time.Time, err error) {
	if text == "" {
		return t, nil
	}
	t, ok := query.ParseTime(text, r.Now())
	if !ok {
		return t, invalid("since: write a date such as 2026-11-03, or how long ago: 7d, 12h")
	}
	return t, nil
}

// start starts the answer to a question.
func (r *Recall) start(tool string, size int) (*answer, error) {
	rules, err := r.Talk.Rules()
	if err != nil {
		return nil, err
	}
	return newAnswer(tool, size, rules.Document().Text, r.Now()), nil
}
