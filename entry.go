package sesskeep

import (
	"bytes"
	"slices"
	"time"
)

// Entry is one line of a transcript.
//
// Chain entries (user, assistant, system, attachment, progress) have a UUID and
// point to their Parent; together they are a forest. All others are metadata of
// the session, and of most kinds the last one counts.
type Entry struct {
	Kind    Kind
	Subtype string // of a system, attachment or progress entry, or a queue operation

	UUID    string
	Parent  string
	Logical string // on a compact boundary: the entry it continues
	Source  string // on a tool result: the assistant entry that holds the call

	Session SessionID // as written; the file name decides
	Agent   AgentID
	Time    time.Time

	Sidechain      bool // written by a sub-agent
	Meta           bool // put in by the client, not said by anyone
	Queued         bool // a prompt that is only in the queue; later lines decide, so Decode leaves it false
	CompactSummary bool
	APIError       bool // an answer that is an error message
	Aborted        bool // an answer that was interrupted

	Cwd         string
	GitBranch   string
	Version     string // of the client
	Entrypoint  string // how the client was started: cli, sdk-cli, …
	SessionKind string // "bg" in a background session
	Slug        string // three words shared by a family

	PromptSource string // typed, sdk, queued, system, …
	TurnOrigin   string
	Origin       string // origin.kind
	Human        bool   // a queued command that a person typed
	Mode         string // commandMode of a queued command: prompt, task-notification, …

	ForkedFrom SessionID // the session a copied entry was taken from

	Message *Message // of user and assistant entries
	// Content is the raw content of a system entry, a queue operation, or the
	// prompt of a queued command.
	Content []byte
	// Result is the raw toolUseResult: what the tool gave the client, often
	// more than the model saw.
	Result []byte

	// Text is what a metadata entry says: the title, summary, tag, name, last
	// prompt or the session it is continued in.
	Text string
	Leaf string // leafUuid of a summary or last-prompt entry

	Unknown []string // top-level fields that this version does not know

	Raw    []byte // the whole line
	Offset int64  // where Raw starts in its file
	Line   int    // counting from 1
}

// Chain reports whether the entry is a node of the tree. An entry of an
// unknown kind that has a UUID counts as one, because later lines may have it
// as their parent.
func (e *Entry) Chain() bool {
	return e.UUID != "" && (e.Kind.chain() || !e.Kind.Known())
}

// Spoken reports whether the entry is a user or assistant entry: one that a
// reader of the conversation must be able to reach.
func (e *Entry) Spoken() bool { return e.Kind == KindUser || e.Kind == KindAssistant }

// branch returns the git branch of the entry. The client writes HEAD where none is checked
// out.
func (e *Entry) branch() string {
	if e.GitBranch == "HEAD" {
		return ""
	}
	return e.GitBranch
}

// Blocks decodes the content of a message, a system entry or a queued command.
func (e *Entry) Blocks() []Block {
	if e.Message != nil {
		return blocksOf(e.Message.Content)
	}
	return blocksOf(e.Content)
}

// Clone returns a copy that stays valid when the reader that returned the
// entry moves on to the next line.
func (e *Entry) Clone() Entry {
	c := *e
	c.Raw = bytes.Clone(e.Raw)
	c.Content = bytes.Clone(e.Content)
	c.Result = bytes.Clone(e.Result)
	c.Unknown = slices.Clone(e.Unknown)
	if e.Message != nil {
		m := *e.Message
		m.Content = bytes.Clone(m.Content)
		c.Message = &m
	}
	return c
}
