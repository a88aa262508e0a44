package pages

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Rested reads what is wanted beside a list, when the list has stood still for a
// moment, and one thing at a time: scrolling through a list reads
// nothing. Only the answer to the last request counts.
type Rested[T any] struct {
	want int  // counts the wishes
	busy bool // something is being read
	due  bool // something else has to be read after it
	has  int  // the wish that got answers
	Got  T
}

// RestDue says that a list has stood still since a wish.
type RestDue struct{ want int }

// RestMsg is the answer to a wish.
type RestMsg[T any] struct {
	want int
	got  T
}

const restTime = 120 * time.Millisecond

// Wish wants something new.
func (r *Rested[T]) Wish() tea.Cmd {
	r.want++
	due := RestDue{r.want}
	return tea.Tick(restTime, func(time.Time) tea.Msg { return due })
}

// Waits reports whether the last wish has no answer yet.
func (r *Rested[T]) Waits() bool { return r.has != r.want }

// Update takes the messages that a wish brings. It reports whether there is a new
// answer. Reader makes the function that reads what is wanted now.
func (r *Rested[T]) Update(msg tea.Msg, reader func() func() T) (cmd tea.Cmd, fresh bool) {
	switch msg := msg.(type) {
	case RestDue:
		if msg.want == r.want {
			cmd = r.read(reader)
		}
	case RestMsg[T]:
		r.busy = false
		if fresh = msg.want == r.want; fresh {
			r.Got, r.has = msg.got, msg.want
		}
		if r.due {
			cmd = r.read(reader)
		}
	}
	return cmd, fresh
}

func (r *Rested[T]) read(reader func() func() T) tea.Cmd {
	if r.due = r.busy; r.busy {
		return nil
	}
	r.busy = true
	want, read := r.want, reader()
	return func() tea.Msg { return RestMsg[T]{want, read()} }
}

// QueryBudget is how much text is read for a query once the page is full.
const QueryBudget = 2 << 30

// PreviewFrom is how many columns are enough for a list and a preview.
const PreviewFrom = 110

const (
	PreviewPrompts = 2  // prompts whose answers are shown
	PreviewTurns   = 12 // at most: one prompt can take hundreds
)
