package launch

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Kind says what a line is for.
type Kind int

// The kinds of lines.
const (
	Malformed Kind = iota // not a JSON object
	Unknown               // a type we have not seen
	Other                 // a known type that needs no handling
	Init                  // system/init: a turn starts
	Assistant             //
	User                  // a prompt that the client accepted, or the result of a tool
	Partial               // a piece of a message that is being written
	Result                // a turn ended
	Asks                  // a control request of the client
	Withdraws             // the client cancels a control request
	Replies               // a control response to a request of ours
	Lifecycle             // the new state of a prompt of ours
)

// others are the known types that need no handling. Lines of type system are known
// whatever their subtype.
var others = map[string]bool{
	"system": true, "tool_progress": true, "tool_use_summary": true, "rate_limit_event": true, "auth_status": true,
	"prompt_suggestion": true, "conversation_reset": true, "keep_alive": true, "transcript_mirror": true, "summary": true,
}

// Line is a line that the client wrote. Fields that do not belong to its Kind are empty.
type Line struct {
	Kind    Kind
	Type    string // as written; with subtype, "system/init"
	Session string
	UUID    string
	Raw     []byte

	Request string       // id of a control request
	Ask     *Ask         // of Asks; nil if it cannot be decoded
	Fault   string       // of Replies: why it was refused
	Turn    *Turn        // of Result
	Model   string       // of Init
	Mode    Mode         // of Init, and of a change
	Version string       // of Init: the client's
	Replay  bool         // of User: the client accepted a prompt of ours
	Command string       // of Lifecycle: UUID of a prompt
	State   CommandState // of Lifecycle
	Limit   *Limit       // of a line about the limits of the plan
}

// Limit is the state of a limit of the plan, as the client reports it.
type Limit struct {
	Status string `json:"status"`   // allowed, allowed_warning, rejected
	Resets int64  `json:"resetsAt"` // in seconds since 1970
}

// until returns when the plan can be used again; zero: now.
func (l *Limit) until() time.Time {
	if l.Status != "rejected" || l.Resets <= 0 {
		return time.Time{}
	}
	return time.Unix(l.Resets, 0)
}

// CommandState is the state of a prompt.
type CommandState string

// The states of prompts that are not answered yet.
const (
	CommandQueued  CommandState = "queued"
	CommandStarted CommandState = "started"
)

// Turn is the client's report at the end of a turn. API time is that of the process
// so far; fields without a comment are about the turn.
type Turn struct {
	Subtype string
	Text    string
	Failed  bool // also where the subtype is "success"
	Errors  []string
	Reason  string // terminal_reason
	Status  int    // of the API, if it refused
	Steps   int    // num_turns
	Cost    Dollar // of the session so far, also before this process
	Spent   Dollar // since the previous turn; negative: unknown
	Millis  int64
	API     int64 // milliseconds
	Queued  int   // waiting prompts
}

// aborted reports whether somebody interrupted the turn.
func (t *Turn) aborted() bool { return t.Failed && strings.HasPrefix(t.Reason, "aborted") }

// wire is a line as JSON. Fields that we need from different types have different names.
type wire struct {
	Type        string          `json:"type"`
	Subtype     string          `json:"subtype"`
	SessionID   string          `json:"session_id"`
	UUID        string          `json:"uuid"`
	Model       string          `json:"model"`
	Mode        Mode            `json:"permissionMode"`
	Version     string          `json:"claude_code_version"`
	IsReplay    bool            `json:"isReplay"`
	RequestID   string          `json:"request_id"`
	Request     json.RawMessage `json:"request"`
	Response    json.RawMessage `json:"response"`
	CommandUUID string          `json:"command_uuid"`
	State       CommandState    `json:"state"`
	IsError     bool            `json:"is_error"`
	Result      string          `json:"result"`
	Errors      []string        `json:"errors"`
	Reason      string          `json:"terminal_reason"`
	Status      int             `json:"api_error_status"`
	NumTurns    int             `json:"num_turns"`
	Cost        Dollar          `json:"total_cost_usd"`
	Since       map[string]struct {
		CostUSD Dollar `json:"costUSD"`
	} `json:"model_usage_since_last_result"`
	Millis int64  `json:"duration_ms"`
	API    int64  `json:"duration_api_ms"`
	Queued int    `json:"queued_turn_count"`
	Limit  *Limit `json:"rate_limit_info"`
}

// Decode decodes a line. It never fails: a line that it cannot decode is Malformed
// or Unknown, and keeps its bytes.
func Decode(raw []byte) Line {
	l := Line{Raw: raw}
	var w wire
	err := json.Unmarshal(raw, &w)
	var shape *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &shape) || w.Type == "" {
		return l // a field of an unexpected type alone does not make the line malformed
	}
	l.Type, l.Session, l.UUID = w.Type, w.SessionID, w.UUID
	if w.Subtype != "" && w.Type == "system" {
		l.Type += "/" + w.Subtype
	}
	l.kind(&w)
	return l
}

func (l *Line) kind(w *wire) {
	switch w.Type {
	case "system":
		l.Kind, l.Mode = Other, w.Mode
		if w.Subtype == "init" {
			l.Kind, l.Model, l.Version = Init, w.Model, w.Version
		}
	case "assistant":
		l.Kind = Assistant
	case "user":
		l.Kind, l.Replay = User, w.IsReplay
	case "stream_event":
		l.Kind = Partial
	case "result":
		l.Kind, l.Turn = Result, w.turn()
	case "control_request":
		l.Kind, l.Request, l.Ask = Asks, w.RequestID, decodeAsk(w.Request)
	case "control_cancel_request":
		l.Kind, l.Request = Withdraws, w.RequestID
	case "control_response":
		l.Kind = Replies
		l.Request, l.Fault = decodeReply(w.Response)
	case "command_lifecycle":
		l.Kind, l.Command, l.State = Lifecycle, w.CommandUUID, w.State
	default:
		l.Kind = Unknown
		if others[w.Type] {
			l.Kind, l.Limit = Other, w.Limit
		}
	}
}

func (w *wire) turn() *Turn {
	spent := Dollar(-1)
	if w.Since != nil {
		spent = 0
		for _, model := range w.Since {
			spent += model.CostUSD
		}
	}
	return &Turn{
		Spent:   spent,
		Subtype: w.Subtype, Text: w.Result, Failed: w.IsError || w.Subtype != "success", Errors: w.Errors, Reason: w.Reason,
		Status: w.Status, Steps: w.NumTurns, Cost: w.Cost, Millis: w.Millis, API: w.API, Queued: w.Queued,
	}
}

// Ask is a request of the client that it waits for.
type Ask struct {
	Subtype     string            `json:"subtype"`
	Tool        string            `json:"tool_name"`
	Display     string            `json:"display_name"`
	Description string            `json:"description"`
	Input       json.RawMessage   `json:"input"`
	Suggestions []json.RawMessage `json:"permission_suggestions"` // changes of permissions that the client proposes
	Blocked     string            `json:"blocked_path"`
	Reason      string            `json:"decision_reason"`
	Use         string            `json:"tool_use_id"`
	Agent       string            `json:"agent_id"`
}

// decodeAsk decodes a request; nil if it is malformed.
func decodeAsk(raw json.RawMessage) *Ask {
	var a Ask
	if json.Unmarshal(raw, &a) != nil || a.Subtype == "" {
		return nil
	}
	return &a
}

// object reports whether raw is a JSON object.
func object(raw json.RawMessage) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == '{' && json.Valid(raw)
}

func decodeReply(raw json.RawMessage) (request, fault string) {
	var r struct {
		Subtype   string `json:"subtype"`
		RequestID string `json:"request_id"`
		Error     string `json:"error"`
	}
	_ = json.Unmarshal(raw, &r) // missing fields stay empty
	if r.Subtype != "success" && r.Error == "" {
		r.Error = "refused"
	}
	return r.RequestID, r.Error
}
