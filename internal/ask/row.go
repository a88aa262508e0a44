package ask

import (
	"sesskeep"
	"sesskeep/internal/stamp"
)

// Row is what the index keeps of one transcript: a session, or an agent of any
// layout. Its JSON is for the index alone.
type Row struct {
	ID                   string     `json:"id,omitempty"`
	ProjectPath          string     `json:"projectPath,omitempty"`
	Project              string     `json:"project,omitempty"` // short name
	DirName              string     `json:"dirName,omitempty"`
	Root                 string     `json:"root,omitempty"`
	Title                string     `json:"title,omitempty"`
	CustomTitle          string     `json:"customTitle,omitempty"`
	Source               Source     `json:"source,omitempty"`
	Started              Started    `json:"started,omitempty"`
	Entrypoint           string     `json:"entrypoint,omitempty"`
	IsAgent              bool       `json:"isAgent,omitempty"`
	AgentID              string     `json:"agentId,omitempty"`
	AgentType            string     `json:"agentType,omitempty"`
	Description          string     `json:"description,omitempty"`
	LastUserMessage      string     `json:"lastUserMessage,omitempty"`
	LastAssistantMessage string     `json:"lastAssistantMessage,omitempty"`
	MessageCount         int        `json:"messageCount,omitempty"`
	PromptCount          int        `json:"promptCount,omitempty"`
	CreatedAt            stamp.Time `json:"createdAt,omitzero"`
	LastActivityAt       stamp.Time `json:"lastActivityAt,omitzero"`
	ParentSessionID      string     `json:"parentSessionId,omitempty"`
	ForkedFrom           string     `json:"forkedFrom,omitempty"`
	ContinuedIn          string     `json:"continuedIn,omitempty"`
	Model                string     `json:"model,omitempty"`
	Models               []string   `json:"models,omitempty"`
	GitBranch            string     `json:"gitBranch,omitempty"`
	ClientVersion        string     `json:"clientVersion,omitempty"`
	Slug                 string     `json:"slug,omitempty"`
	Tags                 []string   `json:"tags,omitempty"`          // the client's, then the user's
	AgentSessions        []string   `json:"agentSessions,omitempty"` // in facts only those inside the file itself
	ConversationCount    int        `json:"conversationCount,omitempty"`
	FileSize             int64      `json:"fileSize,omitempty"`
	Origin               string     `json:"origin,omitempty"` // source: the file is there
	Problems             int        `json:"problems,omitempty"`
	// What the user added: see Label.
	OwnTags    []string   `json:"-"`
	Note       string     `json:"-"`
	Starred    bool       `json:"-"`
	ArchivedAt stamp.Time `json:"-"`
	// ClientTitle is the name that the client itself was given.
	ClientTitle string `json:"-"`
	// Shared tells that another home has a row of this id.
	Shared   bool              `json:"-"`
	Ref      sesskeep.Ref      `json:"-"`
	Standing sesskeep.Standing `json:"-"`
}

// Source says who a transcript is for.
type Source string

// The sources, in the order they are decided.
const (
	FromHelper Source = "helper" // the client's own errands
	FromAgent  Source = "agent"
	FromUser   Source = "user"
)

// FromTwin is in lists the source of a file whose key another file has too, with
// a later line. What the file itself says of its source is one of the others.
const FromTwin Source = "twin"

// Started says who began a session.
type Started string

// A person types prompts; a program sends them with -p or through the SDK.
const (
	ByPerson  Started = "person"
	ByProgram Started = "program"
)
