package app

import (
	"bytes"
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

// How much of the end of a transcript is read, at first and at most.
const (
	firstEnd = 128 << 10
	mostEnd  = 16 << 20
)

// readLast reads the end of a transcript, as much of it as it takes to find an
// answer.
func readLast(s *sesskeep.Store, name string) lastSaid {
	f, err := s.Open(name)
	if err != nil {
		return lastSaid{}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return lastSaid{}
	}
	for size := int64(firstEnd); ; size *= 4 {
		at := max(0, info.Size()-size)
		last := readFrom(s, name, lineStart(f, at))
		if last.context > 0 || at == 0 || size >= mostEnd {
			return last
		}
	}
}

// lineStart is the start of the first line behind at, or at itself at the start.
func lineStart(f sesskeep.File, at int64) int64 {
	if at == 0 {
		return 0
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := f.ReadAt(buffer, at)
		if i := bytes.IndexByte(buffer[:n], '\n'); i >= 0 {
			return at + int64(i) + 1
		}
		if at += int64(n); err != nil {
			return at
		}
	}
}

func readFrom(s *sesskeep.Store, name string, at int64) lastSaid {
	var last lastSaid
	t, err := s.TailFrom(name, at, 0)
	if err != nil {
		return last
	}
	defer t.Close()
	for e, ok := t.Next(); ok; e, ok = t.Next() {
		last.add(e)
	}
	return last
}

func (l *lastSaid) add(e *sesskeep.Entry) {
	switch {
	case e.Kind == sesskeep.Assistant && e.Message != nil && !e.Sidechain:
		if e.Message.Model != sesskeep.SyntheticModel && e.Message.Usage.Context() > 0 {
			l.model, l.context = e.Message.Model, e.Message.Usage.Context()
		}
		for _, b := range e.Blocks() {
			if b.Kind == sesskeep.TextBlock && strings.TrimSpace(b.Text) != "" {
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
