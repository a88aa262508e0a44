package sesskeep

import (
	"slices"
	"strconv"
	"strings"
)

// Waiting is a prompt that was typed while the model worked, from the line that queues it
// until later lines show what became of it.
//
// Clients before 2.1.98 recorded such a prompt only in the queue: a line "remove" says
// that the model received it. Later clients add a queued_command attachment, which is
// then the prompt.
type Waiting struct {
	Link     Link `json:"link"`            // as the prompt it may become; without a text if the user did not type it
	Repeated bool `json:"said,omitempty"`  // another line repeats it
	Received bool `json:"taken,omitempty"` // the model has received it, as its next answer proves
}

// maxQueued bounds the queue. People put a few prompts into it.
const maxQueued = 64

// The operations on the queue. A dequeued prompt gets a user line of its own; all
// of them are taken back at once when somebody goes back to edit them.
const (
	enqueue = "enqueue"
	dequeue = "dequeue"
	remove  = "remove"
	popAll  = "popAll"
)

// Queued reports whether the line is a prompt that stands only in the queue. It
// has no uuid and belongs to the turn before it in the file.
func (l *Link) Queued() bool { return l.Role == RolePrompt && l.UUID == "" && !l.Spoken }

// Unsent lists the prompts that still wait in the queue, the oldest first.
func (d *Digest) Unsent() []string {
	var list []string
	for _, q := range d.Queue {
		if q.Link.Text != "" && !q.Repeated && !q.Received {
			list = append(list, q.Link.Text)
		}
	}
	return list
}

// queue folds in an operation on the queue.
func (d *Digest) queue(e *Entry) {
	switch e.Subtype {
	case enqueue:
		if len(d.Queue) < maxQueued {
			d.Queue = append(d.Queue, Waiting{Link: e.queuedLink()})
		}
	case dequeue, remove:
		i := d.queuedFor(e)
		if i < 0 {
			return
		}
		q := &d.Queue[i]
		if e.Subtype == remove && q.Link.Text != "" && !q.Repeated && beforeVersion(d.Version, 2, 1, 98) {
			q.Received = true
			return
		}
		d.Queue = slices.Delete(d.Queue, i, i+1)
	case popAll:
		d.Queue = slices.DeleteFunc(d.Queue, func(q Waiting) bool { return !q.Received })
	}
}

// queuedFor is the one an operation is about: that with its text where it has
// one. A remove that names none is of what a person typed, wherever a notice
// waits beside it (2.1.49, 2.1.50); else it is the oldest.
func (d *Digest) queuedFor(e *Entry) int {
	text := e.PromptText(labelSize)
	i := d.waiting(func(q *Waiting) bool { return text != "" && q.Link.Text == text })
	if i < 0 && e.Subtype == remove {
		i = d.waiting(func(q *Waiting) bool { return q.Link.Text != "" })
	}
	if i < 0 {
		i = d.waiting(func(*Waiting) bool { return true })
	}
	return i
}

// waiting is the oldest of those that still wait and that fits, or -1.
func (d *Digest) waiting(fits func(*Waiting) bool) int {
	return slices.IndexFunc(d.Queue, func(q Waiting) bool { return !q.Received && fits(&q) })
}

// queuedLink is the line of an enqueue as a prompt. Notices of tasks pass through
// the queue too.
func (e *Entry) queuedLink() Link {
	l := Link{Role: RolePrompt, Offset: e.Offset, Length: len(e.Raw), Line: e.Line}
	if !e.Time.IsZero() {
		l.Time = e.Time.UnixMilli()
	}
	if text := e.PromptText(labelSize); !injected([]byte(text)) && !strings.HasPrefix(text, `{"task_id"`) {
		l.Text = text
	}
	return l
}

// repeated notes that a line of the talk says what is in the queue.
func (d *Digest) repeated(text string) {
	i := slices.IndexFunc(d.Queue, func(q Waiting) bool { return !q.Repeated && q.Link.Text == text })
	switch {
	case i < 0:
	case d.Queue[i].Received:
		d.Queue = slices.Delete(d.Queue, i, i+1)
	default:
		d.Queue[i].Repeated = true
	}
}

// absorb makes prompts of what the model had got before it gave an answer.
func (d *Digest) absorb() {
	d.Queue = slices.DeleteFunc(d.Queue, func(q Waiting) bool {
		if q.Received {
			d.Chain = append(d.Chain, q.Link)
			d.LastPrompt = q.Link.Text
		}
		return q.Received
	})
}

// beforeVersion reports whether a client is older than the one named. One that
// does not say is not.
func beforeVersion(version string, than ...int) bool {
	parts := strings.Split(version, ".")
	if len(parts) != len(than) {
		return false
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n > than[i] {
			return false
		}
		if n < than[i] {
			return true
		}
	}
	return false
}
