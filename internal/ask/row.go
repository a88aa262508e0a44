package ask

import (
	"sesskeep"
	"sesskeep/internal/stamp"
)

// Row is one transcript in a list: a session, or an agent of any layout. Its tags and
// comments are what every front says of its fields; Fields says how each is kept,
// listed, sorted and asked for.
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
	// Commits are the hashes of the commits that git said it made or pushed in the session,
	// as it printed them.
	Commits []string `json:"commits,omitempty"`
	// PullRequests are the addresses of the pull requests that the session is linked with,
	// or REPOSITORY#NUMBER where no address is known.
	PullRequests []string `json:"pullRequests,omitempty"`
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
	// Shared is true if another home has a row of this id.
	Shared   bool              `json:"-"`
	Ref      sesskeep.Ref      `json:"-"`
	Standing sesskeep.Standing `json:"-"`
}

// Fields is the table of all fields of a session: those of Row, and those that rooms add
// to it. Lists offer sorts and columns in this order.
var Fields = []Field{
	{Name: "lastActivityAt", Column: "active", Title: "active", Sort: "activity"},
	{Name: "createdAt", Column: "created", Sort: "created"},
	{Name: "messageCount", Column: "messages", Title: "msgs", Sort: "messages"},
	{Name: "promptCount", Column: "prompts", Sort: "prompts"},
	{Name: "conversationCount", Column: "branches", Title: "convs", Sort: "branches"},
	{Name: "fileSize", Column: "size", Title: "size", Sort: "size", Choice: bySize},
	{Name: "title", SetBy: SetByFiles, Column: "title", Title: "title", Sort: "title"},
	{Name: "cost", SetBy: SetByRoom, Title: "cost", Sort: "cost"},
	{Name: "contextTokens", SetBy: SetByRoom, Title: "context"},

	{Name: "id", Column: "id", Title: "id", Choice: byID},
	{Name: "projectPath", SetBy: SetByFiles},
	{Name: "project", SetBy: SetByFiles, Title: "project", Choice: byProject},
	{Name: "dirName"},
	{Name: "root"},
	{Name: "home", SetBy: SetByHome},
	{Name: "machine", SetBy: SetByHome},
	{Name: "key", SetBy: SetByHome},
	{Name: "customTitle"},
	{Name: "gitBranch", Column: "branch", Title: "branch", Choice: byBranch},
	{Name: "commits", Column: "commits", Title: "commits", Choice: byCommit},
	{Name: "pullRequests", Column: "prs", Title: "prs", Choice: byPR},
	{Name: "model"},
	{Name: "models", Column: "models", Choice: byModel},
	{Name: "tags", Column: "tags", Title: "tags", Choice: byTag},
	{Name: "ownTags", SetBy: SetByUser},
	{Name: "source", Column: "source", Choice: bySource},
	{Name: "started", Column: "started", Choice: byStarted},
	{Name: "entrypoint", Title: "entrypoint", Choice: byEntrypoint},
	{Name: "clientVersion"},
	{Name: "state", SetBy: SetByRoom, Title: "state", Choice: byState},
	{Name: "note", SetBy: SetByUser, Title: "note"},
	{Name: "starred", SetBy: SetByUser, Title: "starred", Choice: byStar},
	{Name: "archivedAt", SetBy: SetByUser, Title: "archived", Choice: byArchived},
	{Name: "expiresAt", SetBy: SetByRoom, Title: "expires"},
	{Name: "unreadable", SetBy: SetByRoom},
	{Name: "origin", Title: "origin"},
	{Name: "problems", Column: "damage"},
	{Name: "isAgent"},
	{Name: "agentId"},
	{Name: "agentType", Column: "agent"},
	{Name: "description"},
	{Name: "parentSessionId", Column: "parent", Choice: byParent},
	{Name: "forkedFrom", SetBy: SetByFiles, Column: "fork", Choice: byFork},
	{Name: "continuedIn"},
	{Name: "agentSessions", SetBy: SetByFiles, Column: "agents", Title: "agents"},
	{Name: "slug", Column: "slug"},
	{Name: "lastUserMessage"},
	{Name: "lastAssistantMessage"},
	{Name: "usage", SetBy: SetByRoom},
	{Name: "agents", SetBy: SetByRoom},
	{Name: "contextWindow", SetBy: SetByRoom},
}

// How sessions are chosen by fields.
var (
	byID = &Choice{Match: MatchOwn, Word: "session", Help: "in this session: id or the beginning of it", Example: "3987"}

	byProject = &Choice{Match: MatchOwn, Word: "project", Help: "in this project: name, path or part of it", Example: "my-app"}

	byBranch = &Choice{Match: MatchOwn, Word: "branch", Flag: "branch", Param: "gitBranch",
		Help: "on this git branch", Value: "BRANCH", Example: "feat/watch"}

	byCommit = &Choice{Match: MatchHash, Word: "commit", Flag: "commit", Param: "commit",
		Help: "that made or pushed this commit, or whose agent did", Value: "HASH", Example: "90f3c1d"}

	byPR = &Choice{Match: MatchLink, Word: "pr", Param: "pullRequest",
		Help: "of this pull request: its number or part of its address", Example: "123"}

	byModel = &Choice{Match: MatchOwn, Word: "model", Flag: "model", Param: "model",
		Help: "answered by a model whose name contains this", Value: "TEXT", Example: "opus"}

	bySize = &Choice{Match: MatchRange, Word: "size", Help: "size of the transcript", Example: ">10M"}

	byTag = &Choice{Match: MatchOwn, Word: "tag", Param: "tag", Help: "with this tag, yours or the client's", Example: "later",
		ParamHelp: "Only sessions with this tag, yours or the client's."}

	bySource = &Choice{Match: MatchOwn, Word: "source", Flag: "source", Param: "source",
		Help: "of this source; all takes in agents and helpers", Value: "SOURCE", Example: "all", Words: SourceWords,
		FlagHelp:  "only sessions of this source: " + either(SourceWords) + "; " + string(FromDuplicate) + ": duplicates that lists leave out",
		ParamHelp: "Only sessions of this source: " + either(SourceWords) + "; several with commas between. Lists default to user, counts to all."}

	byStarted = &Choice{Word: "started", Flag: "started", Param: "started",
		Help: "started by a person, who types prompts, or by a program, which sends them", Value: "WHO", Example: "person", Words: StartedWords}

	byEntrypoint = &Choice{Match: MatchName, Word: "entrypoint", Flag: "entrypoint", Param: "entrypoint",
		Help:  "started in this way: cli, vscode, desktop, sdk, or a word of the client",
		Value: "WAY", Example: "vscode"}

	byState = &Choice{Match: MatchOwn, Word: "state", Flag: "state", Param: "state",
		Help: "in this state", Value: "STATE", Example: "needs-you", Words: Dashed(StateWords),
		FlagHelp:  "only sessions in this state: " + either(Dashed(States)) + "; several with commas between",
		ParamHelp: "Only sessions in this state: " + either(StateWords) + "; several with commas between."}

	byStar = &Choice{Match: MatchOwn, Param: "starred", Help: "with a star", ParamHelp: "Only sessions with a star."}

	byArchived = &Choice{Match: MatchOwn, Word: "archived",
		Help: "archived or not; without it, only what is not", Example: "yes", Words: []string{"yes", "no"}}

	byParent = &Choice{Match: MatchOwn, Word: "parent", Flag: "parent", Param: "parentSessionId",
		Help: "that are agents of this session, or forks of it", Value: "ADDRESS", Example: "3987",
		FlagHelp: "only agents of the session at this address", ParamHelp: "Only agents of this session."}

	byFork = &Choice{Match: MatchOwn, Param: "forkedFrom", Help: "forked from this session", ParamHelp: "Only forks of this session."}
)
