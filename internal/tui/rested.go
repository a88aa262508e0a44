package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// rested reads what is wanted beside a list, when the list has stood still for a
// moment, and one thing at a time: whoever runs through a list reads nothing.
// Only the answer to the last wish counts.
type rested[T any] struct {
	want int  // counts the wishes
	busy bool // something is being read
	due  bool // something else has to be read after it
	has  int  // the wish that got answers
	got  T
}

// restDue says that a list has stood still since a wish.
type restDue struct{ want int }

// restMsg is the answer to a wish.
type restMsg[T any] struct {
	want int
	got  T
}

const restTime = 120 * time.Millisecond

// wish wants something new.
func (r *rested[T]) wish() tea.Cmd {
	r.want++
	due := restDue{r.want}
	return tea.Tick(restTime, func(time.Time) tea.Msg { return due })
}

// waits reports whether the last wish has no answer yet.
func (r *rested[T]) waits() bool { return r.has != r.want }

// update takes the messages that a wish brings. It reports whether there is a new
// answer. Reader makes the function that reads what is wanted now.
func (r *rested[T]) update(msg tea.Msg, reader func() func() T) (cmd tea.Cmd, fresh bool) {
	switch msg := msg.(type) {
	case restDue:
		if msg.want == r.want {
			cmd = r.read(reader)
		}
	case restMsg[T]:
		r.busy = false
		if fresh = msg.want == r.want; fresh {
			r.got, r.has = msg.got, msg.want
		}
		if r.due {
			cmd = r.read(reader)
		}
	}
	return cmd, fresh
}

func (r *rested[T]) read(reader func() func() T) tea.Cmd {
	if r.due = r.busy; r.busy {
		return nil
	}
	r.busy = true
	want, read := r.want, reader()
	return func() tea.Msg { return restMsg[T]{want, read()} }
}

// queryBudget is how much text is read for a query once the page is full.
const queryBudget = 2 << 30

// previewFrom is how many columns are enough for a list and a preview.
const previewFrom = 110

const (
	previewPrompts = 2  // prompts of which the answers are shown
	previewTurns   = 12 // at most: one prompt can take hundreds
)
