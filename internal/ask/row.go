package ask

import (
	"sesskeep"
	"sesskeep/internal/stamp"
)

// Row is one transcript in a list: a session, or an agent of any layout. Its tags and
// comments are what every front says of its fields.
type Row struct {
	// ID is the UUID of the session, or agent-ID of an agent.
	ID string `json:"id"`
	// ProjectPath is the working directory of the project.
	ProjectPath string `json:"projectPath"`
	// Project is the short name of the project.
	Project string `json:"project,omitempty"`
	// DirName is the directory of the transcript below projects/ in the home.
	DirName string `json:"dirName"`
	// Root is the directory of the Claude home that the transcript is in.
	Root string `json:"root"`
	// Home is the name of the Claude home.
	Home string `json:"home,omitempty"`
	// Machine is the name of the machine that the home belongs to.
	Machine string `json:"machine,omitempty"`
	// Key is SESSION@HOME.MACHINE or SESSION/AGENT@HOME.MACHINE, made of ids that stay. It
	// names the row among those of all homes and works as an address.
	Key sesskeep.Key `json:"key,omitzero"`
	// Title is the custom title, else the AI title, the summary, or the first real prompt.
	Title string `json:"title,omitempty"`
	// CustomTitle is the title that a user gave the session, here or in the client.
	CustomTitle string `json:"customTitle,omitempty"`
	// Source is who the session is for.
	Source Source `json:"source"`
	// Started is who started the session: a person who types prompts, or a program that
	// sends them with -p or through the SDK.
	Started Started `json:"started,omitempty"`
	// Entrypoint is how the client was started, in its own word: cli, sdk-cli, …
	Entrypoint string `json:"entrypoint,omitempty"`
	// IsAgent is true for an agent of a session.
	IsAgent bool `json:"isAgent,omitempty"`
	// AgentID is the id of an agent, without agent- in front.
	AgentID string `json:"agentId,omitempty"`
	// AgentType is the type of an agent, where its meta file names one.
	AgentType string `json:"agentType,omitempty"`
	// Description is what an agent was started for.
	Description string `json:"description,omitempty"`
	// LastUserMessage is how the last prompt starts, at most 200 characters.
	LastUserMessage string `json:"lastUserMessage,omitempty"`
	// LastAssistantMessage is how the last answer starts, at most 200 characters.
	LastAssistantMessage string `json:"lastAssistantMessage,omitempty"`
	// MessageCount is the number of user and assistant lines.
	MessageCount int `json:"messageCount"`
	// PromptCount is the number of prompts that were sent.
	PromptCount int `json:"promptCount"`
	// CreatedAt is the time of the first line of the conversation.
	CreatedAt stamp.Time `json:"createdAt,omitzero"`
	// LastActivityAt is the time of the last line of the conversation.
	LastActivityAt stamp.Time `json:"lastActivityAt"`
	// ParentSessionID is the id of the session that started the agent.
	ParentSessionID string `json:"parentSessionId,omitempty"`
	// ForkedFrom is the id of the session that the first lines were copied from.
	ForkedFrom string `json:"forkedFrom,omitempty"`
	// ContinuedIn is the id of the session that the client continued in, as it wrote into
	// this one.
	ContinuedIn string `json:"continuedIn,omitempty"`
	// Model is the id of the model that answered last.
	Model string `json:"model,omitempty"`
	// Models are the ids of all models that answered.
	Models []string `json:"models,omitempty"`
	// GitBranch is the git branch that the session was last on.
	GitBranch string `json:"gitBranch,omitempty"`
	// ClientVersion is the version of the client that wrote the last line.
	ClientVersion string `json:"clientVersion,omitempty"`
	// Slug is the name that the client made up for the session.
	Slug string `json:"slug,omitempty"`
	// Tags are the client's tags, then those that you added.
	Tags []string `json:"tags,omitempty"`
	// OwnTags are the tags that you added.
	OwnTags []string `json:"ownTags,omitempty"`
	// Note is what you wrote about the session.
	Note string `json:"note,omitempty"`
	// Starred is true if you gave the session a star.
	Starred bool `json:"starred,omitempty"`
	// ArchivedAt is when you archived the session. Agents are archived with their session.
	ArchivedAt stamp.Time `json:"archivedAt,omitzero"`
	// AgentSessions are the ids of the agents that the session started. Those inside its
	// own file, as clients of 1.0 wrote them, are inline-N.
	AgentSessions []string `json:"agentSessions,omitempty"`
	// ConversationCount is the number of conversations, which are the real branches of the
	// session.
	ConversationCount int `json:"conversationCount"`
	// FileSize is the size of the transcript in bytes.
	FileSize int64 `json:"fileSize"`
	// Origin is what is shown: the transcript itself, or the kept copy of one that was
	// deleted.
	Origin Origin `json:"origin"`
	// Problems is the number of damaged places in the transcript.
	Problems int `json:"problems"`

	// ClientTitle is the name that the client itself was given.
	ClientTitle string `json:"-"`
	// Shared tells that another home has a row of this id.
	Shared   bool              `json:"-"`
	Ref      sesskeep.Ref      `json:"-"`
	Standing sesskeep.Standing `json:"-"`
}
