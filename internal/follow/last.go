package follow

import (
	"context"
	"strings"
	"time"

	"sesskeep"
)

// lastSaid is what the end of a transcript tells.
type lastSaid struct {
	text    string // of an answer, else of a prompt
	prompt  string
	model   string
	context int64
	written time.Time
}

// readLast reads the end of a transcript, as much of it as it takes to find an
// answer.
func readLast(ctx context.Context, s *sesskeep.Store, name string) lastSaid {
	var last lastSaid
	err := readEnd(ctx, s, name, func(t *sesskeep.Tail) bool {
		last = lastSaid{}
		for e, ok := t.Next(); ok; e, ok = t.Next() {
			last.add(e)
		}
		return last.context > 0
	})
	if err != nil {
		return lastSaid{}
	}
	return last
}

func (l *lastSaid) add(e *sesskeep.Entry) {
	switch {
	case e.Kind == sesskeep.KindAssistant && e.Message != nil && !e.Sidechain:
		if e.Message.Model != sesskeep.SyntheticModel && e.Message.Usage.Context() > 0 {
			l.model, l.context = e.Message.Model, e.Message.Usage.Context()
		}
		for _, b := range e.Blocks() {
			if b.Kind == sesskeep.BlockText && strings.TrimSpace(b.Text) != "" {
				l.text = sesskeep.OneLine(b.Text)
			}
		}
	case e.IsPrompt():
		if text := promptText(e); text != "" {
			l.text, l.prompt = text, text
		}
	}
}

// Windows of the models: what they take unless their name says more.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// windowOf is how many tokens a model can have before it. A transcript names the
// large window only by "[1m]" behind the model, and not always: more tokens than
// the usual one holds prove it.
func windowOf(model string, context int64) int64 {
	if strings.Contains(model, "[1m]") || context > usualWindow {
		return largeWindow
	}
	return usualWindow
}
