package launch

import (
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/stamp"
)

// Facts are what is known about a run.
type Facts struct {
	Session   string  `json:"sessionId"`
	Model     string  `json:"model,omitempty"`
	Mode      Mode    `json:"permissionMode,omitempty"`
	Version   string  `json:"clientVersion,omitempty"`
	Turns     int     `json:"turns"`
	Steps     int     `json:"steps" doc:"Messages of the model"`
	Cost      Cost    `json:"cost"`
	Millis    int64   `json:"durationMs"`
	API       int64   `json:"durationApiMs"`
	Text      string  `json:"text,omitempty" doc:"Final text of the last turn"`
	Error     string  `json:"error,omitempty" doc:"Why the last turn, or the run, failed"`
	Outcome   Outcome `json:"outcome,omitempty" enum:"answered,failed,limit,budget,interrupted,stopped,client died,holder died,no space" doc:"How the last turn, or the run, ended"`
	Lines     int     `json:"lines" doc:"Lines of output"`
	Malformed int     `json:"malformed" doc:"Lines of output that are not JSON or are malformed"`
	Unknown   int     `json:"unknown" doc:"Lines of an unknown type"`
	Exit      Exit    `json:"exit,omitzero"`
}

// Cost is what a run cost, according to the client.
type Cost struct {
	USD Dollar `json:"usd"`
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
	Code   int    `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"`
	Stderr string `json:"stderr,omitempty" doc:"The end of its standard error"`
	// Launch is why the client could not be started.
	Launch string `json:"launch,omitempty"`
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
	State State      `json:"state" enum:"queued,starting,working,needs you,your turn,ended,unclean"`
	Since stamp.Time `json:"since"`
	Why   string     `json:"why,omitempty"`
	Facts
	Prompts []Prompt `json:"prompts,omitempty" doc:"Open prompts, oldest first"`
}

// Status returns the current status of the run.
func (m *Machine) Status() Status {
	return Status{State: m.state, Since: stamp.Time{Time: m.since}, Why: m.why, Facts: m.facts, Prompts: m.Prompts()}
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

// Event is a line of the lifecycle log. It contains no text of prompts or answers:
// those are in the transcript.
type Event struct {
	Time     stamp.Time `json:"timestamp"`
	Event    EventName  `json:"event"`
	Why      string     `json:"why,omitempty"`
	Session  string     `json:"sessionId,omitempty"`
	Model    string     `json:"model,omitempty"`
	Mode     Mode       `json:"permissionMode,omitempty"`
	Message  string     `json:"messageId,omitempty"`
	Bytes    int        `json:"bytes,omitempty"`
	Prompt   string     `json:"promptId,omitempty"`
	Tool     string     `json:"tool,omitempty"`
	Hash     string     `json:"inputHash,omitempty"`
	Behavior string     `json:"behavior,omitempty"`
	Scope    Scope      `json:"scope,omitempty"`
	Changed  bool       `json:"changedInput,omitempty"`
	By       string     `json:"by,omitempty"`
	Cost     Cost       `json:"cost,omitzero"`
	Millis   int64      `json:"durationMs,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	Error    string     `json:"error,omitempty"`
	Next     stamp.Time `json:"next,omitzero"` // when a turn is retried
}

func stampAt(t time.Time) stamp.Time { return stamp.Time{Time: t} }
