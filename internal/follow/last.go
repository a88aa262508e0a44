package follow

import (
	"context"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/price"
)

// lastSaid is what the end of a transcript says.
type lastSaid struct {
	text    string // of an answer, else of a prompt
	prompt  string
	model   string
	context int64
	most    int64 // that the context ever was
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

// window is how many tokens the model can have before it; 0: not known.
func (l *lastSaid) window() int64 {
	if l.context == 0 {
		return 0
	}
	return price.Window(l.model, l.most)
}

func (l *lastSaid) add(e *sesskeep.Entry) {
	switch {
	case e.Kind == sesskeep.KindAssistant && e.Message != nil && !e.Sidechain:
		if e.Message.Model != sesskeep.SyntheticModel && e.Message.Usage.Context() > 0 {
			l.model, l.context = e.Message.Model, e.Message.Usage.Context()
			l.most = max(l.most, l.context)
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
