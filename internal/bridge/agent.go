package bridge

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/stamp"
)

// How much a client that reconnects gets at most: more than that it reads from the
// history, which has pages.
const (
	maxReplay      = 2000
	maxReplayBytes = 8 << 20
)

// agent is the run that a socket is attached to. One goroutine follows it.
type agent struct {
	id     string // of the run
	run    [6]byte
	send   func(event) error
	now    func() time.Time
	cursor *cursor
	asked  string // the id of the last message that the client has; empty: it did not say

	reader  *reader
	next    int64 // offset of the next line
	serial  int   // of the messages that are in no line
	missed  []streamEvent
	size    int // bytes of missed
	evicted bool
	live    bool // the log was read once
	pending *holder.Record

	state   stateMessage
	model   string
	mode    launch.Mode
	waiting int
	prompts map[string]bool // questions that were sent
}

func newAgent(run *holder.Record, c *cursor, send func(event) error, now func() time.Time) *agent {
	return &agent{
		id: run.ID, run: runHash(&run.Run), send: send, now: now, cursor: c, reader: newReader(),
		model: run.Model, mode: run.Mode, prompts: map[string]bool{},
	}
}

// pauseAfterLoss is the time before a run is followed again whose holder dropped us.
const pauseAfterLoss = 100 * time.Millisecond

// follow sends what the run says until it has ended, ctx ends or send fails. It reports
// whether the run has ended.
func (a *agent) follow(ctx context.Context, lines func(ctx context.Context, run string, from int64, give func(holder.Frame) error) error) (ended bool, err error) {
	for {
		err := lines(ctx, a.id, a.next, func(f holder.Frame) error {
			if f.Record == nil {
				err := a.line(&f)
				if err == nil {
					err = a.catchUp()
				}
				return err
			}
			ended, a.pending = !f.Record.Living(), f.Record
			return a.catchUp()
		})
		if err != nil || ended {
			return ended, err
		}
		select { // the holder lives, and found us too slow
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(pauseAfterLoss):
		}
	}
}

// catchUp handles the latest state of the run once all lines came that it is made of, so
// that a state never stands before what led to it.
func (a *agent) catchUp() error {
	run := a.pending
	if run == nil || run.Living() && a.next < run.LogSize {
		return nil
	}
	a.pending = nil
	return a.record(run)
}

// line handles a line of the log.
func (a *agent) line(f *holder.Frame) error {
	start := a.next
	a.cursor.startLine(start)
	a.next = f.Next
	var l logLine
	if f.Line == nil || json.Unmarshal(f.Line, &l) != nil {
		return nil
	}
	for i, e := range a.reader.read(&l) {
		p := position{offset: start, index: i}
		if !a.cursor.pass(p, e) {
			continue
		}
		if err := a.deliver(streamEvent{ID: p.id(a.run), Timestamp: a.timeOf(&l), Message: inner{e}}, len(f.Line)); err != nil {
			return err
		}
	}
	a.cursor.endLine(&l)
	if l.Type == "user" && l.Replay { // clients think that the agent works since they sent it
		a.state = stateMessage{}
	}
	if !a.live {
		return nil
	}
	if l.Type == "control_response" && l.Response.Subtype == "error" {
		return a.send(fault(codeRefused, "the client refused: "+l.Response.Error))
	}
	return nil
}

// timeOf returns when a line was written; most lines do not say.
func (a *agent) timeOf(l *logLine) stamp.Time {
	if l.Timestamp.IsZero() {
		return stamp.Time{Time: a.now()}
	}
	return stamp.Time{Time: l.Timestamp}
}

// deliver sends a message, or keeps it until all that was missed is known.
func (a *agent) deliver(m streamEvent, size int) error {
	if a.live {
		return a.send(m)
	}
	if a.size += size; len(a.missed) >= maxReplay || a.size > maxReplayBytes {
		a.evicted, a.missed = true, nil
	}
	if !a.evicted {
		a.missed = append(a.missed, m)
	}
	return nil
}

// record handles the state of the run. The first one comes after all lines of the log.
func (a *agent) record(run *holder.Record) error {
	if !a.live {
		a.cursor.startLine(a.next)
		if err := a.replay(); err != nil {
			return err
		}
		a.live = true
	}
	if err := a.changes(run); err != nil {
		return err
	}
	if err := a.questions(run); err != nil {
		return err
	}
	return a.announceState(run)
}

// replay sends what the client missed, and how that went.
func (a *agent) replay() error {
	missed := a.missed
	a.missed = nil
	switch {
	case !a.cursor.found:
		a.cursor.found = true // what comes from now on is sent
		return a.send(cursorInvalid{a.asked, "full_resync"})
	case a.evicted:
		return a.send(cursorEvicted{a.asked, "fetch_from_rest"})
	}
	for _, m := range missed {
		if err := a.send(m); err != nil {
			return err
		}
	}
	if a.asked == "" {
		return nil
	}
	return a.send(reconnectComplete{MissedCount: len(missed), FromMessageID: a.asked})
}

// changes sends what is different about the run.
func (a *agent) changes(run *holder.Record) error {
	if run.Model != "" && run.Model != a.model {
		m := modelChanged{Model: run.Model, PreviousModel: ModelName(a.model)}
		a.model = run.Model
		if err := a.send(m); err != nil {
			return err
		}
	}
	if run.Mode != a.mode {
		a.mode = run.Mode
		if err := a.send(modeChanged{Mode: ModeName(run.Mode)}); err != nil {
			return err
		}
	}
	waits := len(run.Waiting)
	if waits == a.waiting {
		return nil
	}
	a.waiting = waits
	if waits == 0 {
		return a.send(queueCleared{})
	}
	return a.send(queuedEvent{Position: waits})
}

// defaultModel stands for the model of the client's settings, until the client says which it is.
const defaultModel = "default"

// ModelName returns the name of a model, or default if none is known.
func ModelName(model string) string {
	if model == "" {
		return defaultModel
	}
	return model
}

// ModeName returns a mode in the words of the protocol, which has three. The others ask
// no less than the default.
func ModeName(m launch.Mode) string {
	switch m {
	case launch.AcceptEdit, launch.Bypass:
		return string(m)
	}
	return string(launch.AskFirst)
}

// questions sends the open questions that the client does not have yet.
func (a *agent) questions(run *holder.Record) error {
	open := map[string]bool{}
	for i := range run.Prompts {
		p := &run.Prompts[i]
		id := promptID(run.ID, p)
		open[id] = true
		if a.prompts[id] {
			continue
		}
		if err := a.send(promptEvent(run.ID, p)); err != nil {
			return err
		}
	}
	a.prompts = open
	return nil
}

// announceState sends the state of the agent if it changed.
func (a *agent) announceState(run *holder.Record) error {
	if !run.Living() {
		return nil // the end follows
	}
	now := a.reader.stateOf(&run.Status)
	if now == a.state {
		return nil
	}
	a.state = now
	p := position{offset: a.next, index: a.serial & maxIndex, before: true}
	a.serial++
	return a.send(streamEvent{ID: p.id(a.run), Timestamp: stamp.Time{Time: a.now()}, Message: inner{now}})
}

// stopReason returns why a run ended, in the words of the protocol.
func stopReason(run *holder.Record) string {
	switch {
	case strings.HasPrefix(run.Why, holder.StoppedBy):
		return "user"
	case run.Outcome == launch.Limited:
		return "timeout"
	case run.Outcome != "" && run.Outcome != launch.Answered && run.Outcome != launch.Interrupted && run.Outcome != launch.Stopped:
		return "error"
	case run.Why != "":
		return "timeout" // no message came
	}
	return "complete"
}
