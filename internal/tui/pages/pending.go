package pages

import (
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// PendingIn returns the function that describes the open calls of a session in this
// state: they run, or wait for an answer. It is nil where the session does neither.
func PendingIn(s *ask.State, now time.Time) func(*view.Part) string {
	switch s.Word {
	case Working:
		return func(p *view.Part) string { return "running " + Elapsed(now.Sub(p.Time)) }
	case NeedsYou:
		what, _, _ := strings.Cut(s.Waiting, ": ")
		if what == "" {
			what = "an answer"
		}
		return func(*view.Part) string { return "waits for " + what }
	}
	return nil
}

// QueuedLine is a prompt that waits until the model can take it.
func QueuedLine(sc term.Screen, text string, width int) string {
	return Cut(sc, sc.Paint(term.Bold|term.Cyan, draw.GlyphsOf(sc).Bar+"queued")+"  "+term.Line(text), width)
}

// OpenCalls are the calls at the end that have no result.
func OpenCalls(parts []view.Part) []*view.Part {
	var list []*view.Part
	for i := range parts {
		switch part := &parts[i]; {
		case part.Kind == view.PromptPart:
			list = nil // those of a turn before were given up
		case IsOpen(part):
			list = append(list, part)
		}
	}
	return list
}

func IsOpen(p *view.Part) bool {
	return p.Kind == view.CallPart && p.Call != nil && p.Call.State == view.Missing
}

// Withheld says that a thought is not to be had.
func Withheld(part *view.Part) string {
	return fmt.Sprintf("withheld (encrypted, %s)", term.Bytes(int64(part.Withheld)))
}
