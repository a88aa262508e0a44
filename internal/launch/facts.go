package launch

import (
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/stamp"
)

// Facts are what is known about a run.
type Facts struct {
	Session   string  `json:"sessionId"`                // session id, as the client reports it
	Model     string  `json:"model,omitempty"`          // model, as the client reports it
	Mode      Mode    `json:"permissionMode,omitempty"` // permission mode, as the client reports it
	Version   string  `json:"clientVersion,omitempty"`  // version of the client
	Turns     int     `json:"turns"`                    // number of turns
	Steps     int     `json:"steps" doc:"Number of messages of the model"`
	Cost      Cost    `json:"cost"`          // cost of the run so far
	Millis    int64   `json:"durationMs"`    // duration of all turns in milliseconds
	API       int64   `json:"durationApiMs"` // milliseconds of these spent waiting for the API
	Text      string  `json:"text,omitempty" doc:"Last text of the last turn"`
	Error     string  `json:"error,omitempty" doc:"Why the last turn, or the run, failed"`
	Outcome   Outcome `json:"outcome,omitempty" doc:"How the last turn, or the run, ended"`
	Lines     int     `json:"lines" doc:"Lines of output"`
	Malformed int     `json:"malformed" doc:"Lines of output that are not JSON or lack required fields"`
	Unknown   int     `json:"unknown" doc:"Lines of output of an unknown type"`
	Exit      Exit    `json:"exit,omitzero"` // how the client exited
}

// Cost is what a run cost, according to the client.
type Cost struct {
	USD Dollar `json:"usd"` // US dollars, as the client computes them
}

func (f *Facts) turn(t *Turn) {
	f.Turns++
	f.Steps += t.Steps
	if t.Spent >= 0 {
		f.Cost.USD += t.Spent
	} else {
		f.Cost.USD = max(f.Cost.USD, t.Cost)
	}
	f.API = max(f.API, t.API)
	f.Millis += t.Millis
	f.Text, f.Error = t.Text, ""
	if !t.Failed {
		return
	}
	switch {
	case t.aborted():
		f.Error = "interrupted"
	case t.Text != "":
		f.Error = t.Text
	case len(t.Errors) > 0:
		f.Error = strings.Join(t.Errors, "; ")
	case t.Reason != "":
		f.Error = t.Reason
	default:
		f.Error = t.Subtype
	}
	if t.Status != 0 {
		f.Error = fmt.Sprintf("%s (status %d)", f.Error, t.Status)
	}
}

// Exit describes how the client ended.
type Exit struct {
	Code   int    `json:"code,omitempty"`   // exit code of the client
	Signal string `json:"signal,omitempty"` // signal that ended the client
	Stderr string `json:"stderr,omitempty" doc:"The end of the client's error output"`
	Launch string `json:"launch,omitempty"` // why the client could not be started
}

// fault describes an abnormal exit; without words: the exit was normal.
func (e Exit) fault() reason {
	said := strings.TrimSpace(e.Stderr)
	switch {
	case e.Launch != "":
		return reason{Failed, e.Launch}
	case e.Signal != "":
		return reason{ClientDied, "claude was ended by the signal " + e.Signal}
	case e.Code != 0 && said != "":
		return reason{ClientDied, fmt.Sprintf("claude ended with exit code %d: %s", e.Code, said)}
	case e.Code != 0:
		return reason{ClientDied, fmt.Sprintf("claude ended with exit code %d", e.Code)}
	}
	return reason{outcome: ClientDied}
}

// Status is the state of a run with its facts.
type Status struct {
	State State      `json:"state" doc:"State of the run"`
	Since stamp.Time `json:"since"`         // when the state started
	Why   string     `json:"why,omitempty"` // reason for the state
	Facts
	Prompts []Prompt `json:"prompts,omitempty" doc:"Open questions, oldest first"`
	Waiting []string `json:"queuedMessages,omitempty" doc:"IDs of the messages that wait for the end of the turn, next first"`
}

// Status returns the current status of the run.
func (m *Machine) Status() Status {
	return Status{State: m.state, Since: stamp.Time{Time: m.since}, Why: m.why, Facts: m.facts, Prompts: m.Prompts(), Waiting: m.Waiting()}
}

// State returns the current state of the run.
func (m *Machine) State() State { return m.state }

// EventName names a kind of event.
type EventName string

// The events of a run.
const (
	EventQueued      EventName = "queued"
	EventStarted     EventName = "started"
	EventReady       EventName = "ready" // the client reported its session and model
	EventMessage     EventName = "message"
	EventTurn        EventName = "turn" // a turn ended
	EventWaiting     EventName = "waiting"
	EventAnswered    EventName = "answered"
	EventWithdrawn   EventName = "withdrawn"
	EventInterrupted EventName = "interrupted"
	EventChanged     EventName = "changed"
	EventQuiet       EventName = "quiet"
	EventBudget      EventName = "budget" // 80 % of the budget is spent
	EventLater       EventName = "later"  // a failed turn will be retried
	EventStopping    EventName = "stopping"
	EventEnded       EventName = "ended"
	EventTrouble     EventName = "trouble" // an error that is not the client's
)

// EventNames are all of them.
var EventNames = []EventName{
	EventQueued, EventStarted, EventReady, EventMessage, EventTurn, EventWaiting, EventAnswered, EventWithdrawn, EventInterrupted,
	EventChanged, EventQuiet, EventBudget, EventLater, EventStopping, EventEnded, EventTrouble,
}

// Event is a line of the lifecycle log. It contains no text of prompts or answers:
// those are in the transcript.
type Event struct {
	Time     stamp.Time `json:"timestamp"`                // when it happened
	Event    EventName  `json:"event"`                    // what happened
	Why      string     `json:"why,omitempty"`            // reason
	Session  string     `json:"sessionId,omitempty"`      // id of the session
	Model    string     `json:"model,omitempty"`          // model that the run uses
	Mode     Mode       `json:"permissionMode,omitempty"` // permission mode that the run uses
	Message  string     `json:"messageId,omitempty"`      // uuid of the message
	Bytes    int        `json:"bytes,omitempty"`          // length of the message in bytes
	Prompt   string     `json:"promptId,omitempty"`       // id of the question
	Tool     string     `json:"tool,omitempty"`           // tool that the question is about
	Hash     string     `json:"inputHash,omitempty"`      // hash of the tool's input
	Behavior Behavior   `json:"behavior,omitempty"`       // allow or deny
	Scope    Scope      `json:"scope,omitempty"`          // how long the permission holds: once, run or always
	Changed  bool       `json:"changedInput,omitempty"`   // true if the answer changed the input
	By       string     `json:"by,omitempty"`             // who answered or stopped the run
	Cost     Cost       `json:"cost,omitzero"`            // cost of the run so far
	Millis   int64      `json:"durationMs,omitempty"`     // duration in milliseconds
	Reason   string     `json:"reason,omitempty"`         // why the tool was denied, or the run ended
	Error    string     `json:"error,omitempty"`          // what went wrong
	Next     stamp.Time `json:"next,omitzero"`            // when the turn is tried again
}

func stampAt(t time.Time) stamp.Time { return stamp.Time{Time: t} }
