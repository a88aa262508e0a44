package follow

import (
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/view"
)

// queue is what was typed into a session while the model worked, according
// to its lines. Every prompt of a program passes through it too, and leaves it at once.
type queue struct {
	digest   sesskeep.Digest // of the lines of the queue alone
	fresh    []waiting       // put in since drainNew was called
	dequeued bool            // a prompt was taken out, and its own line has not come yet
}

// waiting is a prompt in the queue.
type waiting struct {
	line int
	time time.Time
	text string
}

func (q *queue) add(e *sesskeep.Entry) {
	before := len(q.digest.Queue)
	q.digest.Add(e)
	switch now := len(q.digest.Queue); {
	case now < before:
		q.dequeued = true
	case now > before && q.digest.Queue[now-1].Link.Text != "": // somebody typed it
		var texts []string
		for _, p := range view.Turn([]sesskeep.Entry{*e}, view.Options{}) {
			texts = append(texts, p.Text)
		}
		q.fresh = append(q.fresh, waiting{e.Line, e.Time, strings.Join(texts, "\n")})
	}
}

// said notes that a line of the talk says what is in the queue, even if the
// lines of the queue do not say so.
func (q *queue) said(e *sesskeep.Entry) {
	q.dequeued = false
	if len(q.digest.Queue) == 0 || !e.IsPrompt() {
		return
	}
	text := e.Link().Text
	i := slices.IndexFunc(q.digest.Queue, func(w sesskeep.Waiting) bool { return w.Link.Text == text })
	if i >= 0 {
		q.digest.Queue = slices.Delete(q.digest.Queue, i, i+1)
	}
}

func (q *queue) empty() bool { return len(q.digest.Queue) == 0 && !q.dequeued }

// drainNew returns the prompts that were put in since it was called last and are
// still there.
func (q *queue) drainNew() (list []waiting) {
	there := map[int]bool{}
	for _, w := range q.digest.Queue {
		there[w.Link.Line] = true
	}
	for _, w := range q.fresh {
		if there[w.line] {
			list = append(list, w)
		}
	}
	q.fresh = nil
	return list
}
