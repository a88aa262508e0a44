package board

import (
	"context"
	"encoding/json"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/freshness"
	"sesskeep/internal/jobs"
	"sesskeep/internal/live"
	"sesskeep/internal/stamp"
)

// EventOptions say which events are wanted. The zero value is everything that
// happens from now on, without what was said.
type EventOptions struct {
	After    string         // ID of the last event that is known; empty: none is
	Sessions []sesskeep.Key // see Keys; empty: all
	Lines    bool           // with what was said
	// Begun is called once no later event can be missed; it may be nil.
	Begun func()
}

// Event is something that happened in a session. Fields that do not go with its
// Kind are empty.
type Event struct {
	ID        string         `json:"id,omitempty" doc:"Send as Last-Event-ID to resume after this event"`
	Kind      live.Kind      `json:"kind"`                // what happened
	Time      stamp.Time     `json:"timestamp"`           // when it happened
	SessionID string         `json:"sessionId,omitempty"` // session that the event is about
	AgentID   string         `json:"agentId,omitempty"`   // agent that the event is about
	Root      string         `json:"root,omitempty"`      // directory of the home
	File      string         `json:"file,omitempty" doc:"Path of the transcript inside the home"`
	From      *live.Position `json:"from,omitempty" doc:"Position of the first new line in the file"`
	To        *live.Position `json:"to,omitempty" doc:"Position after the last new line"`
	Entries   []EventEntry   `json:"entries,omitempty"` // lines that were written
	State     *ask.State     `json:"state,omitempty"`   // state of the session after the event
	Was       *ask.State     `json:"was,omitempty"`     // state of the session before the event
	Next      string         `json:"nextSessionId,omitempty" doc:"Session in which the client continues"`
	Job       *jobs.Job      `json:"job,omitempty" doc:"The job, without its result"`
}

// JobChanged is the Kind of an Event that says how far a job is. It has no ID: a client
// that connects again gets all jobs.
const JobChanged live.Kind = "job"

// EventKinds are the kinds of events that programs get, each with what it means.
func EventKinds() (kinds []live.Kind, means []string) {
	for _, k := range live.KindTable {
		if !k.Inner {
			kinds, means = append(kinds, k.Kind), append(means, k.Means)
		}
	}
	return append(kinds, JobChanged), append(means, "how far a job is")
}

// EventEntry is a line of a transcript.
type EventEntry struct {
	Line int             `json:"line"`                // line number, from 1
	UUID string          `json:"messageId,omitempty"` // uuid of the line
	Kind sesskeep.Kind   `json:"type,omitempty"`      // type of the line
	Size int             `json:"fileSize"`            // length of the line in bytes
	Raw  json.RawMessage `json:"raw,omitempty" doc:"The line as it was written; left out if it is long"`
}

// maxRaw is the largest line that an event carries.
const maxRaw = 4 << 10

// Events gives what happens until the context ends, give fails, or the receiver
// is too slow: then the last Event is a Reset.
func (lv *Live) Events(ctx context.Context, o EventOptions, give func(*Event) error) error {
	interest := live.Interest{Lines: o.Lines, Ranges: !o.Lines, After: o.After, Sessions: o.Sessions}
	return lv.opts.Index.UseHub(ctx, func(ctx context.Context, hub *live.Hub) error {
		sub := hub.Subscribe(interest)
		defer sub.Close()
		jobs := lv.opts.Jobs.Listen()
		defer lv.opts.Jobs.Leave(jobs)
		if o.Begun != nil {
			o.Begun()
		}
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-jobs.Changed:
				if err := lv.reportJobs(jobs, &o, give); err != nil {
					return err
				}
			case ev, ok := <-sub.Events():
				if !ok {
					return nil
				}
				if ev.Kind == live.Touched {
					continue
				}
				if err := give(newEvent(&ev)); err != nil {
					return err
				}
			}
		}
	})
}

// reportJobs reports what is new about jobs, unless only some sessions are wanted.
func (lv *Live) reportJobs(l *jobs.Listener, o *EventOptions, give func(*Event) error) error {
	for _, j := range lv.opts.Jobs.Changes(l) {
		if len(o.Sessions) > 0 {
			continue
		}
		if err := give(&Event{Kind: JobChanged, Time: stamp.Time{Time: lv.opts.Now().UTC()}, Job: &j}); err != nil {
			return err
		}
	}
	return nil
}

func newEvent(ev *live.Event) *Event {
	e := &Event{
		ID: ev.ID, Kind: ev.Kind, Time: stamp.Time{Time: ev.Time}, SessionID: string(ev.Key.Session), AgentID: string(ev.Agent),
		Root: ev.Root, File: ev.File, Next: string(ev.Next.Session), State: freshness.NewState(ev.State), Was: freshness.NewState(ev.Was),
	}
	if ev.Kind == live.Lines {
		e.From, e.To = &ev.From, &ev.To
	}
	for i := range ev.Entries {
		entry := &ev.Entries[i]
		line := EventEntry{Line: entry.Line, UUID: entry.UUID, Kind: entry.Kind, Size: len(entry.Raw)}
		if len(entry.Raw) <= maxRaw && json.Valid(entry.Raw) {
			line.Raw = entry.Raw
		}
		e.Entries = append(e.Entries, line)
	}
	return e
}
