package catalog

import (
	"context"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/freshness"
	"sesskeep/internal/money"
	"sesskeep/internal/stamp"
)

// Session is one transcript as every front shows it: a session, or an agent of
// any layout.
type Session struct {
	ID                   string       `json:"id"`
	ProjectPath          string       `json:"projectPath"`
	Project              string       `json:"project,omitempty"` // short name
	DirName              string       `json:"dirName"`
	Root                 string       `json:"root"`
	Home                 string       `json:"home,omitempty"`    // what the home is called
	Machine              string       `json:"machine,omitempty"` // it is of
	Key                  sesskeep.Key `json:"key,omitzero"`
	Title                string       `json:"title,omitempty"`
	CustomTitle          string       `json:"customTitle,omitempty"`
	Source               ask.Source   `json:"source"`
	Started              ask.Started  `json:"started,omitempty"`
	Entrypoint           string       `json:"entrypoint,omitempty"`
	IsAgent              bool         `json:"isAgent,omitempty"`
	AgentID              string       `json:"agentId,omitempty"`
	AgentType            string       `json:"agentType,omitempty"`
	Description          string       `json:"description,omitempty"`
	LastUserMessage      string       `json:"lastUserMessage,omitempty"`
	LastAssistantMessage string       `json:"lastAssistantMessage,omitempty"`
	MessageCount         int          `json:"messageCount"`
	PromptCount          int          `json:"promptCount"`
	CreatedAt            stamp.Time   `json:"createdAt,omitzero"`
	LastActivityAt       stamp.Time   `json:"lastActivityAt"`
	ParentSessionID      string       `json:"parentSessionId,omitempty"`
	ForkedFrom           string       `json:"forkedFrom,omitempty"`
	ContinuedIn          string       `json:"continuedIn,omitempty"` // the session that the client went on in
	Model                string       `json:"model,omitempty"`
	Models               []string     `json:"models,omitempty"`
	GitBranch            string       `json:"gitBranch,omitempty"`
	ClientVersion        string       `json:"clientVersion,omitempty"`
	Slug                 string       `json:"slug,omitempty"`
	Tags                 []string     `json:"tags,omitempty"`    // the client's, then the user's
	OwnTags              []string     `json:"ownTags,omitempty"` // those of the user
	Note                 string       `json:"note,omitempty"`
	Starred              bool         `json:"starred,omitempty"`
	ArchivedAt           stamp.Time   `json:"archivedAt,omitzero"`
	AgentSessions        []string     `json:"agentSessions,omitempty"`
	ConversationCount    int          `json:"conversationCount"`
	FileSize             int64        `json:"fileSize"`
	Origin               string       `json:"origin"` // source: the file is there; copy: only our copy is
	Problems             int          `json:"problems"`

	// Usage and Cost are of the same messages: those that count here and in no
	// other file, without its agents'. Both are nil where nobody asked for them.
	Usage  *sesskeep.Usage `json:"usage,omitempty"`
	Cost   *money.Cost     `json:"cost,omitempty"`
	Agents *money.Spending `json:"agents,omitempty"` // what its agents spent
	// Context is how many tokens the model had before it at its last own answer.
	Context int64 `json:"contextTokens,omitempty"`
	// Window is how many it can have; 0 where that is not known.
	Window int64 `json:"contextWindow,omitempty"`

	State *ask.State `json:"state,omitempty"` // nil where nobody asked for it
	// ExpiresAt is when the client deletes it; zero where nobody asked for it.
	ExpiresAt stamp.Time `json:"expiresAt,omitzero"`

	// Shared tells that another home has a session of this id.
	Shared bool `json:"-"`
	// ClientTitle is the name that the client itself was given.
	ClientTitle string            `json:"-"`
	Ref         sesskeep.Ref      `json:"-"`
	Standing    sesskeep.Standing `json:"-"`
}

// OriginCopy is the Origin of a session whose transcript was deleted, and of which
// there is our copy.
const OriginCopy = "copy"

// Address is the shortest text that leads to the session and no other: its id,
// with the home where several have it.
func (s *Session) Address() string { return s.ID + s.Suffix() }

// Suffix is @HOME where several homes have a session of this id, else empty. It
// goes last in an address, behind a leaf or a message.
func (s *Session) Suffix() string {
	if !s.Shared || s.Home == "" {
		return ""
	}
	return "@" + s.Home
}

// newSession is a row of the index without what only a home can tell.
func newSession(r *ask.Row) Session {
	return Session{
		ID: r.ID, ProjectPath: r.ProjectPath, Project: r.Project, DirName: r.DirName, Root: r.Root,
		Title: r.Title, CustomTitle: r.CustomTitle, Source: r.Source, Started: r.Started, Entrypoint: r.Entrypoint,
		IsAgent: r.IsAgent, AgentID: r.AgentID, AgentType: r.AgentType, Description: r.Description,
		LastUserMessage: r.LastUserMessage, LastAssistantMessage: r.LastAssistantMessage,
		MessageCount: r.MessageCount, PromptCount: r.PromptCount, CreatedAt: r.CreatedAt, LastActivityAt: r.LastActivityAt,
		ParentSessionID: r.ParentSessionID, ForkedFrom: r.ForkedFrom, ContinuedIn: r.ContinuedIn, Model: r.Model, Models: r.Models,
		GitBranch: r.GitBranch, ClientVersion: r.ClientVersion, Slug: r.Slug, Tags: r.Tags, OwnTags: r.OwnTags, Note: r.Note, Starred: r.Starred, ArchivedAt: r.ArchivedAt, AgentSessions: r.AgentSessions,
		ConversationCount: r.ConversationCount, FileSize: r.FileSize, Origin: r.Origin, Problems: r.Problems,
		Shared: r.Shared, ClientTitle: r.ClientTitle, Ref: r.Ref, Standing: r.Standing,
	}
}

// session is a row of the index as fronts show it.
func (c *Catalog) session(r *ask.Row) Session {
	s := newSession(r)
	if h := c.homes.At(r.Root); h != nil {
		s.Home, s.Machine = h.Is.Name, h.Is.MachineName
		s.Key, _ = h.Store.Key(r.Ref)
		if r.Ref.File != "" && h.Store.Copied(r.Ref.File) {
			s.Origin = OriginCopy
		}
	}
	return s
}

// SessionOf is the session of which this is the state; nil where there is no
// transcript yet.
func SessionOf(s *freshness.SessionState) *Session {
	if s.Row == nil {
		return nil
	}
	is := newSession(s.Row)
	is.Key = s.Key
	return &is
}

// AddCosts tells what each of the sessions used and what that cost.
func (c *Catalog) AddCosts(ctx context.Context, sessions []Session, prices *money.Prices) error {
	ids := make([]string, len(sessions))
	for i := range sessions {
		ids[i] = sessions[i].ID
	}
	costs, err := c.SessionCosts(ctx, ids, prices)
	if err != nil {
		return err
	}
	for i := range sessions {
		s := &sessions[i]
		if s.Source == ask.FromTwin {
			continue // its messages count in the other file
		}
		cost, ok := costs[s.Key]
		if !ok {
			cost.Own = money.Nothing()
		}
		s.Usage, s.Cost, s.Context = &cost.Own.Usage, &cost.Own.Cost, cost.Context
		if cost.Context > 0 {
			s.Window = c.Window(s.Root, s.ID, s.Model, cost.Context, money.Window(s.Model, cost.Context))
		}
		if cost.Agents.Messages > 0 {
			s.Agents = &cost.Agents
		}
	}
	return nil
}

// Spent is what the session and its agents cost, once AddCosts was asked.
func (s *Session) Spent() (cost money.Cost, known bool) {
	if s.Cost == nil {
		return cost, false
	}
	cost = *s.Cost
	if s.Agents != nil {
		cost = cost.Add(s.Agents.Cost)
	}
	return cost, true
}

// Page is a list of sessions with what it leaves out.
type Page struct {
	Sessions []Session      `json:"sessions"`       // rows of this page, in the requested order
	Total    int            `json:"total"`          // number of matching sessions on all pages
	HasMore  bool           `json:"hasMore"`        // true if there are more pages
	Next     string         `json:"next,omitempty"` // cursor of the next page
	Hidden   map[string]int `json:"hidden"`         // sessions that the list leaves out, by source or as archived
	// Complete reports whether the search for a text read everything; nil without a text.
	Complete *bool `json:"complete,omitempty"`
	// Behind is true while the index has not read everything: more sessions may match.
	Behind bool `json:"behind,omitempty"`

	Fresh ask.Freshness `json:"-"`
}

// Window is how many tokens the model of a session can have before it: what its
// client told, if that can be, else what is known of the model; 0: neither.
func (c *Catalog) Window(root, session, model string, used, known int64) int64 {
	if told := c.opts.Book.Window(root, session, model); told >= used && used > 0 {
		return max(told, known)
	}
	return known
}
