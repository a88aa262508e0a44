// Package timeline follows the content of one file through what is known of it.
//
// An Event is one thing that is known: that a tool wrote the file or changed a piece of it, that
// somebody read it, that a copy was made. Follow puts them in a row and gives a State after
// each: the content, how sure that is, and who wrote each line.
//
// A line is written By the event that brought it into the file, and stays so while it is not
// changed, wherever it moves to by changes around it. Two origins are no events: a line is
// from Outside if it came while nothing was known to write the file, and Unknown if an event
// may have written it that cannot be replayed.
//
// Between two events others can have changed the file. Where an event finds another content than the one
// before left, that is a Gap. Nothing is guessed across it: what an event says it found counts,
// and an edit that does not fit what was found makes the content unknown until it is seen again.
//
// Texts have the line ends that the client records, LF. A copy has its bytes; a file whose last
// copy has CRLF gets them back.
package timeline

import (
	"slices"
	"strings"
	"time"
)

// Event is something that is known of a file.
type Event struct {
	At   time.Time
	Kind Kind
	// Text is the content that was seen or written; nil: there is no file.
	Text *string
	// Before is the content that a Wrote or an Edited found; nil: it is not recorded.
	Before  *string
	Created bool     // a Wrote or an Edited found no file
	Swaps   []Swap   // of an Edited, one after another
	Patch   []Region // what a Wrote or an Edited reports as its change; nil: it reports none
	Start   int      // of a SawPart: the number of its first line, from 1
	Total   int      // of a SawPart: how many lines the file has, as the client counts
}

// Kind says what an event is.
type Kind int

// The kinds of events.
const (
	Saw     Kind = iota // the whole content was recorded
	Copied              // the same, byte for byte
	SawPart             // some lines were recorded
	Wrote               // the file got a new content
	Edited              // a piece was replaced
	Changed             // it was changed in a way that cannot be replayed
	Removed             // there is no file any more
)

// Swap replaces a text by another one.
type Swap struct {
	Old, New string
	All      bool // everywhere, else at the only place
}

// Region is a place of the file as a patch shows it: its lines begin with a space, + or -.
// The client may have changed their indentation.
type Region struct {
	OldStart, NewStart int // line numbers, from 1
	Lines              []string
}

// The origins of lines that are no events.
const (
	Outside = -1
	Unknown = -2
)

// Line is a line of a file, with its end, and the index of the event that wrote it.
type Line struct {
	Text string
	By   int
}

// Sure says how a content is known.
type Sure string

// How a content is known.
const (
	Exact    Sure = "exact"    // it was recorded as a whole
	Replayed Sure = "replayed" // it follows from what was recorded before
	Lost     Sure = "unknown"  // an event cannot be replayed; the lines are those before it
)

// Gap is a time in which others changed the file, or, where it has no From, may have changed it: nothing
// is known of the file before To.
type Gap struct{ From, To time.Time }

// State is a file after an event, or as the event found it.
type State struct {
	At    time.Time
	Event int  // index of the event
	Found bool // what the event found, before its own change
	// Absent: there is no file.
	Absent bool
	Sure   Sure
	Gap    *Gap // between the state before and this one; nil: none
	Lines  []Line
	crlf   bool
	copied *string // the bytes of a copy
}

// Text returns the content.
func (s *State) Text() string {
	if s.copied != nil {
		return *s.copied
	}
	var b strings.Builder
	for i := range s.Lines {
		b.WriteString(s.Lines[i].Text)
	}
	if s.crlf {
		return strings.ReplaceAll(b.String(), "\n", "\r\n")
	}
	return b.String()
}

// Follow sorts events by time and calls visit with each state, until it returns false. A State
// belongs to the caller.
func Follow(events []Event, visit func(s State) bool) {
	order := make([]int, len(events))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return events[a].At.Compare(events[b].At) })
	f := &follower{visit: visit, earlier: map[string][]Line{}}
	for _, i := range order {
		if f.step(&events[i], i); f.stopped {
			return
		}
	}
}

// follower has the file as it is after the last event.
type follower struct {
	visit   func(s State) bool
	stopped bool
	seen    bool // something is known of the file
	now     State
	earlier map[string][]Line // contents that the file had
}

// maxEarlier bounds how many contents are remembered.
const maxEarlier = 500

func (f *follower) step(e *Event, i int) {
	switch e.Kind {
	case Saw, Copied:
		f.find(e, i, e.Text)
		if f.now.copied = nil; e.Kind == Copied && e.Text != nil {
			f.now.crlf = strings.Contains(*e.Text, "\r\n")
			f.now.copied = e.Text
		}
		f.now.Found = false
		f.give(e, i, Exact)
	case SawPart:
		f.comparePart(e, i)
	case Wrote:
		f.before(e, i)
		f.change(lines(*e.Text), i)
		f.now.Absent = false
		f.give(e, i, Exact)
	case Edited:
		f.edit(e, i)
	case Changed:
		f.lose(e, i)
	case Removed:
		f.seen, f.now.Absent, f.now.Lines, f.now.copied = true, true, nil, nil
		f.give(e, i, Replayed)
	}
}

// give gives the state after an event.
func (f *follower) give(e *Event, i int, sure Sure) {
	f.now.At, f.now.Event, f.now.Sure = e.At, i, sure
	if sure != Lost && !f.now.Absent && len(f.earlier) < maxEarlier {
		f.earlier[textOf(f.now.Lines)] = f.now.Lines
	}
	if !f.stopped {
		f.stopped = !f.visit(f.now)
	}
	f.now.Gap, f.now.Found = nil, false
}

// find records a content that was there before an event; nil: there was no file. Where it is not what
// the event before left, others changed it.
func (f *follower) find(e *Event, i int, text *string) {
	var found []Line
	if text != nil {
		found = lines(strings.ReplaceAll(*text, "\r\n", "\n"))
	}
	same := f.seen && f.now.Sure != Lost && f.now.Absent == (text == nil) && textOf(f.now.Lines) == textOf(found)
	if same {
		return
	}
	origin := Outside
	switch {
	case f.seen && f.now.Sure == Lost:
		origin = Unknown
		fallthrough
	case f.seen:
		f.now.Gap = &Gap{f.now.At, e.At}
	}
	if old, ok := f.earlier[textOf(found)]; ok && text != nil {
		f.now.Lines = old
	} else {
		f.now.Lines = carry(f.now.Lines, found, origin)
	}
	f.seen, f.now.Absent, f.now.copied, f.now.Found = true, text == nil, nil, true
}

// before records what a change found, and gives it as a state where it is new.
func (f *follower) before(e *Event, i int) {
	switch {
	case e.Created:
		f.find(e, i, nil)
	case e.Before != nil:
		f.find(e, i, e.Before)
	case e.Kind == Wrote && e.Patch != nil:
		if text, ok := unpatch(*e.Text, e.Patch); ok {
			f.find(e, i, &text)
		} else if !f.seen {
			f.now.Lines, f.now.Sure = nil, Lost
		}
	case !f.seen: // it may have been anything
		f.now.Sure = Lost
	}
	if f.now.Found && !f.now.Absent {
		f.give(e, i, Exact)
	}
	f.now.Found, f.now.copied = false, nil
}

// change gives the file a new content by an event.
func (f *follower) change(after []Line, i int) {
	origin := i
	if !f.seen || f.now.Sure == Lost && !f.now.Absent {
		origin = Unknown // a line of it may have been there before
	}
	f.now.Lines = carry(f.now.Lines, after, origin)
	f.seen, f.now.copied = true, nil
}

// edit replays an edit.
func (f *follower) edit(e *Event, i int) {
	f.before(e, i)
	if !f.seen || f.now.Sure == Lost && e.Before == nil && !e.Created {
		f.lose(e, i)
		return
	}
	before := f.now.Lines
	if e.Before == nil && !fits(before, e.Patch) {
		f.now.Gap = &Gap{f.now.At, e.At}
		f.lose(e, i)
		return
	}
	for _, after := range replays(before, e, i) {
		if shows(after, e.Patch) {
			f.now.Lines, f.now.Absent = after, false
			f.give(e, i, Replayed)
			return
		}
	}
	if text, ok := patch(textOf(before), e.Patch); ok {
		f.now.Lines, f.now.Absent = carry(before, lines(text), i), false
		f.give(e, i, Replayed)
		return
	}
	f.lose(e, i)
}

// lose notes that the content is not known any more. The lines stay, to compare with.
func (f *follower) lose(e *Event, i int) {
	f.seen, f.now.Absent, f.now.copied = true, false, nil
	f.give(e, i, Lost)
}

// comparePart compares lines that a call has read with the known content, which is lost if they
// differ.
func (f *follower) comparePart(e *Event, i int) {
	if !f.seen || f.now.Sure == Lost {
		return
	}
	part := lines(*e.Text)
	from := e.Start - 1
	all := len(f.now.Lines)
	if n := all; n == 0 || strings.HasSuffix(f.now.Lines[n-1].Text, "\n") {
		all++ // the client counts what follows the last line end
	}
	same := !f.now.Absent && (e.Total == 0 || e.Total == all) && from >= 0 && from+len(part) <= len(f.now.Lines) &&
		slices.EqualFunc(part, f.now.Lines[from:min(len(f.now.Lines), from+len(part))], func(a, b Line) bool { return bare(a.Text) == bare(b.Text) })
	if same {
		return
	}
	f.now.Gap = &Gap{f.now.At, e.At}
	f.lose(e, i)
}

// At returns the state of a file at a time, and the gap in which the time lies: others changed
// the file within it, and nothing says when. Before the first event a file is what that event
// found, as likely as not: the gap up to there has no beginning. At reports false if nothing is known
// of the file until then.
func At(events []Event, at time.Time) (found State, gap *Gap, ok bool) {
	Follow(events, func(s State) bool {
		if !s.At.After(at) {
			found, ok = s, true
			return true
		}
		if ok {
			gap = s.Gap
		} else if s.Found {
			found, gap, ok = s, &Gap{To: s.At}, true
		}
		return false
	})
	return found, gap, ok
}

// lines splits a text, with the ends of its lines.
func lines(text string) []Line {
	list := make([]Line, 0, strings.Count(text, "\n")+1)
	for line := range strings.Lines(text) {
		list = append(list, Line{Text: line, By: Unknown})
	}
	return list
}

func textOf(list []Line) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].Text)
	}
	return b.String()
}

// bare is a line without its end.
func bare(line string) string { return strings.TrimSuffix(line, "\n") }

// carry gives lines the origins of those of the text before that they are, and an origin to
// the new ones.
func carry(before, after []Line, origin int) []Line {
	from := Match(before, after)
	for i := range after {
		switch at := from[i]; {
		case at >= 0:
			after[i].By = before[at].By
		case at == doubtful:
			after[i].By = Unknown
		default:
			after[i].By = origin
		}
	}
	return after
}
