package talk

import (
	"errors"

	"sesskeep"
	"sesskeep/internal/index"
	"sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// The index knows which calls changed files and where their lines lie. What it does not
// know of them is read from these lines alone. Where a transcript is not as the index
// describes it, or the index is not sure, the transcript is read instead.

// errUnsure is the reason to read a transcript.
var errUnsure = errors.New("only the transcript has the answer")

// location is where a transcript lies.
type location struct{ root, file string }

// regular reports whether a call is all that there is to know: it is the only one with its
// id, and it answers a prompt. One that an agent inside of a session's file made has none.
func regular(c *index.Call) bool { return c.Counted && c.Line.Length > 0 && c.Prompt.Length > 0 }

// readCall reads the part that a call is shown as.
func readCall(lines *reading.Lines, c *index.Call) (part view.Part, err error) {
	entries := make([]sesskeep.Entry, 1, 2)
	if entries[0], err = lines.At(c.Line.Number, c.Line.Offset, c.Line.Length); err != nil {
		return part, err
	}
	if c.Result.Length > 0 {
		result, err := lines.At(c.Result.Number, c.Result.Offset, c.Result.Length)
		if err != nil {
			return part, err
		}
		entries = append(entries, result)
	}
	for _, part := range view.Turn(entries, view.Options{}) {
		if part.Kind == view.CallPart && index.LineID(part.Call.ID) == c.ID {
			return part, nil
		}
	}
	return part, errUnsure
}

// promptOf reads the prompt that led to a call.
func promptOf(lines *reading.Lines, c *index.Call) (string, error) {
	e, err := lines.At(c.Prompt.Number, c.Prompt.Offset, c.Prompt.Length)
	e.Queued = e.Kind == sesskeep.KindQueueOp
	return promptText(&e), err
}

// promptText is a prompt as lists show it.
func promptText(e *sesskeep.Entry) string {
	l := e.Link()
	return sesskeep.OneLine(l.Text)
}
