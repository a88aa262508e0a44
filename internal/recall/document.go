package recall

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sesskeep/internal/talk"
	"sesskeep/internal/term"
)

// mostDocument is the largest size of a session as a document, in bytes.
const mostDocument = 1 << 20

// Document returns a session as Markdown, in the frame of an answer.
func (r *Recall) Document(ctx context.Context, who Caller, text string) (Answer, error) {
	a, s, err := r.prepare(ctx, who, "session", &Paging{})
	if err != nil {
		return Answer{}, err
	}
	t, _, err := r.find(ctx, &s, text)
	if err != nil {
		return Answer{}, err
	}
	var b limited
	var o talk.ExportOptions
	o.NoThinking = true
	if o.Format, err = talk.ParseFormat("markdown"); err != nil {
		return Answer{}, err
	}
	err = r.Talk.Export(ctx, &b, t, o)
	if err != nil && !errors.Is(err, errLimited) {
		return Answer{}, stated(err)
	}
	a.say("a session as Markdown")
	if err != nil {
		a.say("NOT COMPLETE: only the first %d bytes, read_session reads the rest", mostDocument)
	}
	a.cover(r.Catalog.CoverageOfFiles())
	for line := range strings.Lines(term.Clean(whole(b.String(), mostDocument))) {
		a.put(strings.TrimRight(line, "\n"))
	}
	return a.finish(""), nil
}

// errLimited ends a document that is too large.
var errLimited = errors.New("the document is too large")

// limited is a buffer that returns errLimited once the document is too large.
type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	n, _ := l.Builder.Write(p)
	if l.Len() > mostDocument {
		return n, fmt.Errorf("write: %w", errLimited)
	}
	return n, nil
}
