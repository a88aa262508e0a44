package bridge

import (
	"bytes"
	"encoding/json"

	"sesskeep/internal/stamp"
	"sesskeep/internal/talk"
)

// ProtocolVersion is the version of the protocol that clients compare with theirs.
const ProtocolVersion = "1.0"

// event is a message of the server, or the message inside a stream.
type event interface {
	// kind is the type of the message.
	kind() string
}

// encode returns an event as JSON, with its type.
func encode(e event) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, err
	}
	fields := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	text := append([]byte(`{"type":"`+e.kind()+`",`), fields[1:]...)
	if string(fields) == "{}" {
		text = append(text[:len(text)-2], '}')
	}
	return text, nil
}

// connectedEvent answers start and reconnect.
type connectedEvent struct {
	AgentID         string `json:"agentId"`
	SessionID       string `json:"sessionId"`
	Model           string `json:"model"`
	ModelAlias      string `json:"modelAlias,omitempty"`
	Version         string `json:"version"`
	ProtocolVersion string `json:"protocolVersion"`
}

func (connectedEvent) kind() string { return "connected" }

// streamEvent is one thing that happened in the session.
type streamEvent struct {
	ID        string     `json:"id"`
	Timestamp stamp.Time `json:"timestamp"`
	Message   inner      `json:"message"`
}

func (streamEvent) kind() string { return "stream" }

// inner is an event inside another one.
type inner struct{ event }

func (i inner) MarshalJSON() ([]byte, error) { return encode(i.event) }

// Choice is an answer to a request for permission.
type Choice string

// The choices.
const (
	allow  Choice = "allow"
	deny   Choice = "deny"
	always Choice = "always"
)

type permissionEvent struct {
	ID      string          `json:"id"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Options []Choice        `json:"options"`
}

func (permissionEvent) kind() string { return "permission" }

type questionEvent struct {
	ID        string     `json:"id"`
	Questions []question `json:"questions"`
}

func (questionEvent) kind() string { return "question" }

type question struct {
	Question    string   `json:"question"`
	Header      string   `json:"header"`
	Options     []option `json:"options"`
	MultiSelect bool     `json:"multiSelect"`
}

type option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// SessionEvent says that a session changed.
type SessionEvent struct {
	Action      string    `json:"action"` // created, updated or deleted
	ProjectPath string    `json:"projectPath"`
	SessionID   string    `json:"sessionId"`
	Metadata    *Metadata `json:"metadata,omitempty"`
}

func (SessionEvent) kind() string { return "session_event" }

// Metadata is what lists know of a session.
type Metadata struct {
	ID              string     `json:"id"`
	ProjectPath     string     `json:"projectPath"`
	Source          string     `json:"source"`
	CreatedAt       stamp.Time `json:"createdAt,omitzero"`
	LastActivityAt  stamp.Time `json:"lastActivityAt"`
	MessageCount    int        `json:"messageCount"`
	Title           string     `json:"title,omitempty"`
	CustomTitle     string     `json:"customTitle,omitempty"`
	Model           string     `json:"model,omitempty"`
	ArchivedAt      stamp.Time `json:"archivedAt,omitzero"`
	ParentSessionID string     `json:"parentSessionId,omitempty"`
}

// History is what a resumed session said, oldest message first.
type History struct {
	Messages []talk.StreamMessage `json:"messages"`
	HasMore  bool                 `json:"hasMore"`
	// Cursor is the id of the oldest message: older ones are those before it.
	Cursor string `json:"cursor,omitempty"`
}

func (History) kind() string { return "history" }

type modelChanged struct {
	Model         string `json:"model"`
	PreviousModel string `json:"previousModel"`
}

func (modelChanged) kind() string { return "model_changed" }

type modeChanged struct {
	Mode string `json:"mode"`
}

func (modeChanged) kind() string { return "permission_mode_changed" }

type queuedEvent struct {
	Position int `json:"position"`
}

func (queuedEvent) kind() string { return "queued" }

type queueCleared struct{}

func (queueCleared) kind() string { return "queue_cleared" }

type interruptedEvent struct{}

func (interruptedEvent) kind() string { return "interrupted" }

type stoppedEvent struct {
	Reason string `json:"reason"` // user, complete, error or timeout
}

func (stoppedEvent) kind() string { return "stopped" }

type pingEvent struct {
	ServerTime int64 `json:"serverTime"` // in milliseconds
}

func (pingEvent) kind() string { return "ping" }

type pongEvent pingEvent

func (pongEvent) kind() string { return "pong" }

type cursorEvicted struct {
	LastMessageID  string `json:"lastMessageId"`
	Recommendation string `json:"recommendation"`
}

func (cursorEvicted) kind() string { return "cursor_evicted" }

type cursorInvalid cursorEvicted

func (cursorInvalid) kind() string { return "cursor_invalid" }

type reconnectComplete struct {
	MissedCount   int    `json:"missedCount"`
	FromMessageID string `json:"fromMessageId"`
}

func (reconnectComplete) kind() string { return "reconnect_complete" }

// The messages inside a stream.

type assistantMessage struct {
	Content string `json:"content"`
}

func (assistantMessage) kind() string { return "assistant" }

type userMessage struct {
	Content string `json:"content"`
}

func (userMessage) kind() string { return "user" }

type systemMessage struct {
	Content string `json:"content"`
	Subtype string `json:"subtype,omitempty"` // init, result or progress
}

func (systemMessage) kind() string { return "system" }

type thinkingMessage struct {
	Content  string `json:"content"`
	Thinking string `json:"thinking"`
}

func (thinkingMessage) kind() string { return "thinking" }

type toolUse struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

func (toolUse) kind() string { return "tool_use" }

type toolResult struct {
	ID      string `json:"id"`
	Tool    string `json:"tool"`
	Output  string `json:"output"`
	Success bool   `json:"success"`
	IsError bool   `json:"isError"`
}

func (toolResult) kind() string { return "tool_result" }

type progressMessage struct {
	ID      string  `json:"id"`
	Tool    string  `json:"tool"`
	Elapsed float64 `json:"elapsed"` // in seconds
}

func (progressMessage) kind() string { return "progress" }

type usageMessage struct {
	InputTokens       int64   `json:"inputTokens"`
	OutputTokens      int64   `json:"outputTokens"`
	CacheReadTokens   int64   `json:"cacheReadTokens,omitempty"`
	CacheCreateTokens int64   `json:"cacheCreateTokens,omitempty"`
	TotalCost         float64 `json:"totalCost,omitempty"` // in dollars
	ContextUsed       int64   `json:"contextUsed,omitempty"`
	ContextLimit      int64   `json:"contextLimit,omitempty"`
}

func (usageMessage) kind() string { return "usage" }

type stateMessage struct {
	State string `json:"state"`
	Tool  string `json:"tool,omitempty"`
}

func (stateMessage) kind() string { return "state" }

type subagentStart struct {
	ID          string `json:"id"`
	Description string `json:"description"`
}

func (subagentStart) kind() string { return "subagent_start" }

type subagentComplete struct {
	ID      string `json:"id"`
	Summary string `json:"summary,omitempty"`
}

func (subagentComplete) kind() string { return "subagent_complete" }
