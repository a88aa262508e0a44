package sesskeep

import (
	"encoding/json"
	"time"
)

// Body decodes what an entry holds beyond the fields of Entry: one of the
// structs below for the kinds that have one, a *Label for titles, summaries,
// tags, names and modes, and the raw JSON for everything else. Fields of an
// unexpected type are left empty.
func (e *Entry) Body() any {
	made, ok := bodies[e.Kind]
	if !ok {
		return json.RawMessage(e.Raw)
	}
	body := made()
	_ = json.Unmarshal(e.Raw, body) // what fits is in it
	if label, ok := body.(*Label); ok {
		label.Text, label.Leaf = e.Text, e.Leaf
	}
	return body
}

var bodies = map[Kind]func() any{
	System:        func() any { return new(Notice) },
	Attachment:    func() any { return new(Attached) },
	Progress:      func() any { return new(Step) },
	Summary:       func() any { return new(Label) },
	CustomTitle:   func() any { return new(Label) },
	AITitle:       func() any { return new(Label) },
	AgentName:     func() any { return new(Label) },
	Tag:           func() any { return new(Label) },
	LastPrompt:    func() any { return new(Label) },
	QueueOp:       func() any { return new(Queued) },
	WorktreeState: func() any { return new(WorktreeBody) },
	Relocated:     func() any { return new(Moved) },
	CostState:     func() any { return new(Cost) },
	FileSnapshot:  func() any { return new(Snapshot) },
	FileDelta:     func() any { return new(Delta) },
	SessionOwner:  func() any { return new(Owner) },
	ContinuedIn:   func() any { return new(Continued) },
	PRLink:        func() any { return new(PullRequest) },
	"mode":        func() any { return new(Setting) },
	"agent-color": func() any { return new(Setting) },

	"permission-mode":   func() any { return new(Setting) },
	"agent-setting":     func() any { return new(Setting) },
	"tools-used":        func() any { return new(ToolsUsed) },
	"frame-link":        func() any { return new(Artifact) },
	"bridge-session":    func() any { return new(Bridge) },
	"api-request":       func() any { return new(Request) },
	"api-request-shape": func() any { return new(RequestShape) },
	"api-request-blob":  func() any { return new(RequestBlob) },
}

// Label is an entry that says one thing: a title, a summary, a tag, a name.
type Label struct {
	Text     string `json:"-"`
	Leaf     string `json:"-"`
	Explicit bool   `json:"explicit"`
}

// Setting is how the client was set when the entry was written.
type Setting struct {
	Mode           string `json:"mode"`
	PermissionMode string `json:"permissionMode"`
	AgentColor     string `json:"agentColor"`
	AgentSetting   string `json:"agentSetting"`
}

// Notice is a system entry.
type Notice struct {
	Subtype     string          `json:"subtype"`
	Level       string          `json:"level"`
	Content     string          `json:"content"`
	Call        string          `json:"toolUseID"`
	DurationMs  int64           `json:"durationMs"`
	Error       json.RawMessage `json:"error"`
	RetryInMs   float64         `json:"retryInMs"`
	Attempt     int             `json:"retryAttempt"`
	MaxAttempts int             `json:"maxRetries"`
	Compaction  *Compaction     `json:"compactMetadata"`
	HookCount   int             `json:"hookCount"`
	HookErrors  []string        `json:"hookErrors"`
	Prevented   bool            `json:"preventedContinuation"`
}

// Compaction tells how much of a conversation a summary replaced. Preserved
// lines stay where they are in the file but belong after the summary.
type Compaction struct {
	Trigger    string `json:"trigger"` // auto or manual
	PreTokens  int64  `json:"preTokens"`
	PostTokens int64  `json:"postTokens"`
	DurationMs int64  `json:"durationMs"`
	Summarized int    `json:"messagesSummarized"`
	Segment    struct {
		Head   string `json:"headUuid"`
		Anchor string `json:"anchorUuid"`
		Tail   string `json:"tailUuid"`
	} `json:"preservedSegment"`
	Preserved struct {
		Anchor string   `json:"anchorUuid"`
		UUIDs  []string `json:"uuids"`
	} `json:"preservedMessages"`
}

// Attached is context the client put into the conversation. Fields holds all
// of it, by name.
type Attached struct {
	Fields map[string]json.RawMessage `json:"attachment"`
	Role   string                     `json:"renderedRole"`
}

// Step is a progress entry: news of a tool that is still running.
type Step struct {
	Call       string `json:"toolUseID"`
	ParentCall string `json:"parentToolUseID"`
	Data       struct {
		Type  string  `json:"type"`
		Agent AgentID `json:"agentId"`
	} `json:"data"`
}

// Queued is what happened to a prompt that was typed while the model worked.
type Queued struct {
	Operation string          `json:"operation"` // enqueue, dequeue, remove, popAll
	Content   json.RawMessage `json:"content"`   // a string or blocks
	Reason    string          `json:"reason"`
	Time      time.Time       `json:"timestamp"`
}

// Cost is the client's own running total. It goes on over resumes, a fork
// inherits it, and after a kill it can be missing: never sum it over sessions.
type Cost struct {
	USD          float64 `json:"totalCostUSD"`
	APIMs        int64   `json:"totalAPIDuration"`
	ToolMs       int64   `json:"totalToolDuration"`
	TotalMs      int64   `json:"totalDuration"`
	LinesAdded   int64   `json:"totalLinesAdded"`
	LinesRemoved int64   `json:"totalLinesRemoved"`
	StartMs      int64   `json:"startTime"`
	UnknownModel bool    `json:"hasUnknownModelCost"`
	Models       map[string]struct {
		Input      int64   `json:"inputTokens"`
		Output     int64   `json:"outputTokens"`
		CacheRead  int64   `json:"cacheReadInputTokens"`
		CacheWrite int64   `json:"cacheCreationInputTokens"`
		USD        float64 `json:"costUSD"`
	} `json:"modelUsage"`
}

// Backup is a kept version of a file. Without a name the file did not exist.
type Backup struct {
	Name    string    `json:"backupFileName"`
	Version int       `json:"version"`
	Time    time.Time `json:"backupTime"`
	Dir     string    `json:"realParentDir"`
}

// Snapshot names the versions of files that belong to a prompt, so that a
// rewind can bring them back.
type Snapshot struct {
	Message string `json:"messageId"` // uuid of the prompt
	Update  bool   `json:"isSnapshotUpdate"`
	State   struct {
		Files map[string]Backup `json:"trackedFileBackups"`
		Time  time.Time         `json:"timestamp"`
	} `json:"snapshot"`
}

// Delta adds one file to the Snapshot of a prompt.
type Delta struct {
	Message  string    `json:"messageId"`
	Snapshot string    `json:"snapshotMessageId"`
	Path     string    `json:"trackingPath"`
	Backup   Backup    `json:"backup"`
	Time     time.Time `json:"timestamp"`
}

// WorktreeBody is the git worktree a session works in, if it does.
type WorktreeBody struct {
	Session *struct {
		OriginalCwd    string `json:"originalCwd"`
		Path           string `json:"worktreePath"`
		Name           string `json:"worktreeName"`
		Branch         string `json:"worktreeBranch"`
		OriginalBranch string `json:"originalBranch"`
	} `json:"worktreeSession"`
}

// Moved says where a session went when its directory was changed.
type Moved struct {
	Cwd string `json:"relocatedCwd"`
}

// Continued says which session went on from this one.
type Continued struct {
	Session SessionID `json:"continuedInSessionId"`
}

// Owner is an entry about the user's account. Nothing of it is decoded.
type Owner struct{}

// PullRequest is one the session is about.
type PullRequest struct {
	Number     int    `json:"prNumber"`
	URL        string `json:"prUrl"`
	Repository string `json:"prRepository"`
}

// Artifact is a page the session made.
type Artifact struct {
	Path  string `json:"path"`
	URL   string `json:"frameUrl"`
	Title string `json:"title"`
}

// Bridge is a remote control of the session.
type Bridge struct {
	ID  string `json:"bridgeSessionId"`
	Seq int64  `json:"lastSequenceNum"`
}

// ToolsUsed lists the tools a session has called so far.
type ToolsUsed struct {
	Tools []string `json:"tools"`
}

// Request is a record of a request to the API.
type Request struct {
	ID     string    `json:"id"`
	Source string    `json:"querySource"`
	Shape  string    `json:"shapeHash"`
	Time   time.Time `json:"timestamp"`
	Params struct {
		Model string `json:"model"`
	} `json:"params"`
}

// RequestShape is the system prompt and the tools that requests share.
type RequestShape struct {
	Hash  string          `json:"shapeHash"`
	Shape json.RawMessage `json:"shape"`
}

// RequestBlob is a message that requests share.
type RequestBlob struct {
	Hash    string          `json:"hash"`
	Message json.RawMessage `json:"message"`
}
