// Code generated from the OpenAPI document by internal/clientgen; "make client-go" regenerates it. DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Filter selects sessions by all of its non-empty fields.
type Filter struct {
	Commit          string // Only sessions that made or pushed this commit, or whose agent did; several with commas between.
	PullRequest     string // Only sessions of this pull request: its number or part of its address; several with commas between.
	Started         string // Only sessions started by a person, who types prompts, or by a program, which sends them: person or program; several with commas between.
	Entrypoint      string // Only sessions started in this way: cli, vscode, desktop, sdk, or a word of the client; several with commas between.
	Source          string // Only sessions of this source: user, agent, helper or all; several with commas between. Lists default to user, counts to all.
	State           string // Only sessions in this state: needs you, working, your turn, idle, unclean, ended, copy only or damaged; several with commas between.
	GitBranch       string // Only sessions on this git branch; several with commas between.
	Model           string // Only sessions answered by a model whose name contains this; several with commas between.
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Only agents of this session.
	ForkedFrom      string // Only forks of this session.
	Tag             string // Only sessions with this tag, yours or the client's.
	Starred         bool   // Only sessions with a star.
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Project         string // Of all projects only these: any of their names, several with commas between
	Root            string // The directory of one home, where there are several
	Has             string // Comma-separated; sessions have to have all of them: agents, branches, note, error, image, thinking, diff, plan, pr
}

func (o Filter) set(q url.Values) {
	if o.Commit != "" {
		q.Set("commit", o.Commit)
	}
	if o.PullRequest != "" {
		q.Set("pullRequest", o.PullRequest)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.State != "" {
		q.Set("state", o.State)
	}
	if o.GitBranch != "" {
		q.Set("gitBranch", o.GitBranch)
	}
	if o.Model != "" {
		q.Set("model", o.Model)
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.MinSize != 0 {
		q.Set("minSize", strconv.Itoa(o.MinSize))
	}
	if o.ParentSessionID != "" {
		q.Set("parentSessionId", o.ParentSessionID)
	}
	if o.ForkedFrom != "" {
		q.Set("forkedFrom", o.ForkedFrom)
	}
	if o.Tag != "" {
		q.Set("tag", o.Tag)
	}
	if o.Starred {
		q.Set("starred", "true")
	}
	if o.IncludeArchived {
		q.Set("includeArchived", "true")
	}
	if o.ArchivedOnly {
		q.Set("archivedOnly", "true")
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Has != "" {
		q.Set("has", o.Has)
	}
}

// Paging selects a page of a list: by Cursor, the Next of the previous page, or by Offset.
type Paging struct {
	Limit  int    // Rows on a page, at most 500
	Offset int    // Number of rows to skip
	Cursor string // The previous page's next, or a row offset
}

func (o Paging) set(q url.Values) {
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	if o.Offset != 0 {
		q.Set("offset", strconv.Itoa(o.Offset))
	}
	if o.Cursor != "" {
		q.Set("cursor", o.Cursor)
	}
}

// Alive checks that the server is running.
func (c *Client) Alive(ctx context.Context) (*Alive, error) {
	return ask[Alive](ctx, c, http.MethodGet, "/healthz", nil, nil)
}

// AnswerPrompt answers a question of a running session.
func (c *Client) AnswerPrompt(ctx context.Context, id string, body Decision) (*Run, error) {
	return ask[Run](ctx, c, http.MethodPost, "/inbox/"+url.PathEscape(id), nil, body)
}

// ArchiveSessionOptions has the parameters of ArchiveSession. Empty fields are not sent.
type ArchiveSessionOptions struct {
	Root   string // Directory of the session's home, if several homes have it
	DryRun bool   // Only report what would be done, and change nothing
}

func (o ArchiveSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// ArchiveSession archives a session.
func (c *Client) ArchiveSession(ctx context.Context, project string, id string, o ArchiveSessionOptions) (*Session, error) {
	return ask[Session](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/archive", o.values(), nil)
}

// BeginPairing starts a pairing: creates a code that a device can use once, within two minutes.
func (c *Client) BeginPairing(ctx context.Context, body PairingRequest) (*PairingRow, error) {
	return ask[PairingRow](ctx, c, http.MethodPost, "/pairings", nil, body)
}

// BlameOptions has the parameters of Blame. Empty fields are not sent.
type BlameOptions struct {
	Path    string // Path of the file, or the end of one
	At      string // A time, the id of a prompt (before its changes) or of a change (after it), or the address of a session (its end). Default: the last content that is known
	From    *int   // First line, from 1. Default: all lines
	To      int    // Last line. Default: the first one
	Commits bool   // Add the commit that each line came with, as git's own blame says, and the sessions that made it. Only for a file on the disk, in a repository, without at
}

func (o BlameOptions) values() url.Values {
	q := url.Values{}
	if o.Path != "" {
		q.Set("path", o.Path)
	}
	if o.At != "" {
		q.Set("at", o.At)
	}
	if o.From != nil {
		q.Set("from", strconv.Itoa(*o.From))
	}
	if o.To != 0 {
		q.Set("to", strconv.Itoa(o.To))
	}
	if o.Commits {
		q.Set("commits", "true")
	}
	return q
}

// Blame returns who wrote each line of a file.
//
// The file is the one on the disk if it lies in the directory of a project that changed it; otherwise, the last content that is known.
func (c *Client) Blame(ctx context.Context, o BlameOptions) (*BlamePage, error) {
	return ask[BlamePage](ctx, c, http.MethodGet, "/files/blame", o.values(), nil)
}

// BlobOptions has the parameters of Blob. Empty fields are not sent.
type BlobOptions struct {
	Root     string // Directory of the home, if several have the session
	Download bool   // Always send as a download
	Ticket   string // Ticket from createTicket for this path, instead of a token
}

func (o BlobOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Download {
		q.Set("download", "true")
	}
	if o.Ticket != "" {
		q.Set("ticket", o.Ticket)
	}
	return q
}

// Blob downloads an image, a document or a long text of a session.
//
// The first bytes decide the content type. Browsers show text, and png, jpeg, gif and webp of at most 50 million pixels; everything else is a download.
func (c *Client) Blob(ctx context.Context, project string, id string, ref string, o BlobOptions) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/blobs/"+url.PathEscape(ref), o.values())
}

// BlocksOptions has the parameters of Blocks. Empty fields are not sent.
type BlocksOptions struct {
	Root     string // Directory of the session's home, if several homes have it
	Leaf     string // Conversation, by the uuid of its last line. Default: the active one
	Around   string // Message whose turn is the centre; start is the first turn, end the last. Default: end
	Above    string // Only turns before this message: prev of the current page
	Below    string // Only turns after this message: next of the current page
	From     *int   // Number of the first turn, from 0, instead of a message; the page has it and the following turns, as many as after
	Before   *int   // Number of turns before it, at most 500. Default: 20
	After    *int   // Number of turns after it, at most 500. Default: 20
	Thinking string // false leaves out thinking
	Tools    string // false leaves out tool calls
	Meta     string // false leaves out what the client inserted for the model
	Count    bool   // Also number the blocks and count those of the conversation. The first such request reads all of it
}

func (o BlocksOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Leaf != "" {
		q.Set("leaf", o.Leaf)
	}
	if o.Around != "" {
		q.Set("around", o.Around)
	}
	if o.Above != "" {
		q.Set("above", o.Above)
	}
	if o.Below != "" {
		q.Set("below", o.Below)
	}
	if o.From != nil {
		q.Set("from", strconv.Itoa(*o.From))
	}
	if o.Before != nil {
		q.Set("before", strconv.Itoa(*o.Before))
	}
	if o.After != nil {
		q.Set("after", strconv.Itoa(*o.After))
	}
	if o.Thinking != "" {
		q.Set("thinking", o.Thinking)
	}
	if o.Tools != "" {
		q.Set("tools", o.Tools)
	}
	if o.Meta != "" {
		q.Set("meta", o.Meta)
	}
	if o.Count {
		q.Set("count", "true")
	}
	return q
}

// Blocks reads some turns of a conversation.
//
// Returns whole turns: a prompt, or an answer with the results of its calls. Without around, returns the end of the conversation; above=prev and below=next continue in either direction. Long texts are cut, and truncated has the references to the whole texts. Images and documents are never part of the answer.
func (c *Client) Blocks(ctx context.Context, project string, id string, o BlocksOptions) (*BlockPage, error) {
	return ask[BlockPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/blocks", o.values(), nil)
}

// BranchSessionOptions has the parameters of BranchSession. Empty fields are not sent.
type BranchSessionOptions struct {
	Root   string // Directory of the session's home, if several homes have it
	DryRun bool   // Only report what would be done, and change nothing
}

func (o BranchSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// BranchSession copies a conversation to a session of its own.
//
// The original session does not change.
func (c *Client) BranchSession(ctx context.Context, project string, id string, o BranchSessionOptions, body BranchRequest) (*Branched, error) {
	return ask[Branched](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/branch", o.values(), body)
}

// Bulk changes many sessions; a failure does not stop the others.
func (c *Client) Bulk(ctx context.Context, project string, body BulkRequest) (*Bulk, error) {
	return ask[Bulk](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/bulk", nil, body)
}

// BulkJob starts Bulk as a job and returns at once; Wait waits for the job. The result
// of the finished job is what Bulk returns.
func (c *Client) BulkJob(ctx context.Context, project string, body BulkRequest) (*Job, error) {
	return ask[Job](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/bulk", asJob(nil), body)
}

// CancelJob cancels a job, or removes one that has ended.
//
// Changes that it has made stay, and can be undone.
func (c *Client) CancelJob(ctx context.Context, job string) (*Job, error) {
	return ask[Job](ctx, c, http.MethodDelete, "/jobs/"+url.PathEscape(job), nil, nil)
}

// CheckOptions has the parameters of Check. Empty fields are not sent.
type CheckOptions struct {
	Project string // Only sessions of this project
	Session string // Only this session
	Root    string // Directory of the session's home, if several homes have it
}

func (o CheckOptions) values() url.Values {
	q := url.Values{}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.Session != "" {
		q.Set("session", o.Session)
	}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// Check checks for damage, and whether the client would resume each session.
//
// Checks everything, the sessions of one project, or one session, and changes nothing. It reads all transcripts: use CheckJob if there are many.
func (c *Client) Check(ctx context.Context, o CheckOptions) (*CheckPage, error) {
	return ask[CheckPage](ctx, c, http.MethodGet, "/check", o.values(), nil)
}

// CheckJob starts Check as a job and returns at once; Wait waits for the job. The result
// of the finished job is what Check returns.
func (c *Client) CheckJob(ctx context.Context, o CheckOptions) (*Job, error) {
	return ask[Job](ctx, c, http.MethodGet, "/check", asJob(o.values()), nil)
}

// Clean moves old sessions and unneeded files to the trash.
//
// GET /clean lists what there is. Sessions must meet all conditions in sessions, and are copied first. Archived, starred and active sessions are skipped.
func (c *Client) Clean(ctx context.Context, body CleanRequest) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodPost, "/clean", nil, body)
}

// CleanJob starts Clean as a job and returns at once; Wait waits for the job. The result
// of the finished job is what Clean returns.
func (c *Client) CleanJob(ctx context.Context, body CleanRequest) (*Job, error) {
	return ask[Job](ctx, c, http.MethodPost, "/clean", asJob(nil), body)
}

// CleanMap lists what can be cleaned up, and why that is safe.
func (c *Client) CleanMap(ctx context.Context) (*CleanPage, error) {
	return ask[CleanPage](ctx, c, http.MethodGet, "/clean", nil, nil)
}

// CommandsOptions has the parameters of Commands. Empty fields are not sent.
type CommandsOptions struct {
	Paging  Paging
	Kind    string // Only commands, agents or skills
	Scope   string // Only those of the user's home, or of the project
	Project string // Include this project's. Default: only the homes'
}

func (o CommandsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Kind != "" {
		q.Set("kind", o.Kind)
	}
	if o.Scope != "" {
		q.Set("scope", o.Scope)
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	return q
}

// Commands lists command files, agents and skills.
func (c *Client) Commands(ctx context.Context, o CommandsOptions) (*CommandPage, error) {
	return ask[CommandPage](ctx, c, http.MethodGet, "/commands", o.values(), nil)
}

// CompareConversationsOptions has the parameters of CompareConversations. Empty fields are not sent.
type CompareConversationsOptions struct {
	Root  string // Directory of the session's home, if several homes have it
	A     string // Leaf of the first conversation
	B     string // Leaf of the second conversation; SESSION:LEAF for one of another session, such as a fork
	Limit int    // Turns of each conversation, at most 500. Default: 20
}

func (o CompareConversationsOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.A != "" {
		q.Set("a", o.A)
	}
	if o.B != "" {
		q.Set("b", o.B)
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	return q
}

// CompareConversations compares two conversations of a session after their fork.
func (c *Client) CompareConversations(ctx context.Context, project string, id string, o CompareConversationsOptions) (*Comparison, error) {
	return ask[Comparison](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/compare", o.values(), nil)
}

// CompareFileOptions has the parameters of CompareFile. Empty fields are not sent.
type CompareFileOptions struct {
	Path string // Path of the file, or the end of one
	A    string // The version before, as at of fileVersion
	B    string // The version after. Default: the last content that is known
}

func (o CompareFileOptions) values() url.Values {
	q := url.Values{}
	if o.Path != "" {
		q.Set("path", o.Path)
	}
	if o.A != "" {
		q.Set("a", o.A)
	}
	if o.B != "" {
		q.Set("b", o.B)
	}
	return q
}

// CompareFile compares two versions of a file.
func (c *Client) CompareFile(ctx context.Context, o CompareFileOptions) (*FileComparison, error) {
	return ask[FileComparison](ctx, c, http.MethodGet, "/files/compare", o.values(), nil)
}

// ConfirmPairing confirms that the device shows the same number.
func (c *Client) ConfirmPairing(ctx context.Context, id string) (*PairingRow, error) {
	return ask[PairingRow](ctx, c, http.MethodPost, "/pairings/"+url.PathEscape(id)+"/confirm", nil, nil)
}

// CountSessionsOptions has the parameters of CountSessions. Empty fields are not sent.
type CountSessionsOptions struct {
	Filter Filter
	Q      string // Only sessions that match this search, themselves or in an agent; at most the latest 10000. complete reports whether the search read everything
}

func (o CountSessionsOptions) values() url.Values {
	q := url.Values{}
	o.Filter.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	return q
}

// CountSessions counts sessions.
func (c *Client) CountSessions(ctx context.Context, project string, o CountSessionsOptions) (*Count, error) {
	return ask[Count](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/count", o.values(), nil)
}

// CreateAgent starts or resumes a session, as an agent of cli-bridge.
func (c *Client) CreateAgent(ctx context.Context, body NewLiveAgent) (*LiveAgent, error) {
	return ask[LiveAgent](ctx, c, http.MethodPost, "/agents", nil, body)
}

// CreateCode creates a code that can be exchanged for a token once, within a minute.
func (c *Client) CreateCode(ctx context.Context, body GrantRequest) (*NewCode, error) {
	return ask[NewCode](ctx, c, http.MethodPost, "/codes", nil, body)
}

// CreateLinkOptions has the parameters of CreateLink. Empty fields are not sent.
type CreateLinkOptions struct {
	Root string // Directory of the session's home, if several homes have it
}

func (o CreateLinkOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// CreateLink shares a session by a link; only this response has its address.
//
// The redacted page is frozen in a file. Anyone with the link can read it without a token until it expires or is revoked. Refused unless the server was started with --share-links.
func (c *Client) CreateLink(ctx context.Context, project string, id string, o CreateLinkOptions, body LinkRequest) (*NewLink, error) {
	return ask[NewLink](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/links", o.values(), body)
}

// CreateTicket creates a ticket for one download.
//
// A ticket is valid once, for one minute, and only for the requested path: a document or a blob of a session, with its parameters. url is that path with the ticket added.
func (c *Client) CreateTicket(ctx context.Context, body TicketRequest) (*NewTicket, error) {
	return ask[NewTicket](ctx, c, http.MethodPost, "/tickets", nil, body)
}

// CreateToken creates a token; only this response has its secret.
func (c *Client) CreateToken(ctx context.Context, body GrantRequest) (*NewToken, error) {
	return ask[NewToken](ctx, c, http.MethodPost, "/tokens", nil, body)
}

// DeleteAgent stops an agent; its run and its session stay.
func (c *Client) DeleteAgent(ctx context.Context, agent string) (*DeletedLiveAgent, error) {
	return ask[DeletedLiveAgent](ctx, c, http.MethodDelete, "/agents/"+url.PathEscape(agent), nil, nil)
}

// DeleteSessionOptions has the parameters of DeleteSession. Empty fields are not sent.
type DeleteSessionOptions struct {
	Root      string // Directory of the session's home, if several homes have it
	DryRun    bool   // Only report what would be done, and change nothing
	Permanent bool   // Delete permanently; needs the role operate
	Force     bool   // Even if the session is in use
}

func (o DeleteSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	if o.Permanent {
		q.Set("permanent", "true")
	}
	if o.Force {
		q.Set("force", "true")
	}
	return q
}

// DeleteSession moves a session to the trash.
func (c *Client) DeleteSession(ctx context.Context, project string, id string, o DeleteSessionOptions) (*Deleted, error) {
	return ask[Deleted](ctx, c, http.MethodDelete, inProject(project)+"/sessions"+"/"+url.PathEscape(id), o.values(), nil)
}

// DeleteSessionsOptions has the parameters of DeleteSessions. Empty fields are not sent.
type DeleteSessionsOptions struct {
	DryRun bool   // Only report what would be done, and change nothing
	Filter string // Kind of filter
	Days   int    // For older_than: minimum days since the last activity
	Hours  int    // For agent_older_than: minimum hours since the last activity
	Source string // For source: the source. Agents move only with their session
}

func (o DeleteSessionsOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	if o.Filter != "" {
		q.Set("filter", o.Filter)
	}
	if o.Days != 0 {
		q.Set("days", strconv.Itoa(o.Days))
	}
	if o.Hours != 0 {
		q.Set("hours", strconv.Itoa(o.Hours))
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	return q
}

// DeleteSessions moves the sessions that match a filter to the trash.
func (c *Client) DeleteSessions(ctx context.Context, project string, o DeleteSessionsOptions) (*DeletedSessions, error) {
	return ask[DeletedSessions](ctx, c, http.MethodDelete, inProject(project)+"/sessions", o.values(), nil)
}

// DeleteSessionsJob starts DeleteSessions as a job and returns at once; Wait waits for the job. The result
// of the finished job is what DeleteSessions returns.
func (c *Client) DeleteSessionsJob(ctx context.Context, project string, o DeleteSessionsOptions) (*Job, error) {
	return ask[Job](ctx, c, http.MethodDelete, inProject(project)+"/sessions", asJob(o.values()), nil)
}

// Doctor diagnoses problems of the homes.
func (c *Client) Doctor(ctx context.Context) (*Health, error) {
	return ask[Health](ctx, c, http.MethodGet, "/doctor", nil, nil)
}

// EventsOptions has the parameters of Events. Empty fields are not sent.
type EventsOptions struct {
	Session string // Only these sessions, by id; id@HOME is the one in that home
	Lines   string // false leaves out the written lines
}

func (o EventsOptions) values() url.Values {
	q := url.Values{}
	if o.Session != "" {
		q.Set("session", o.Session)
	}
	if o.Lines != "" {
		q.Set("lines", o.Lines)
	}
	return q
}

// Events streams events as server-sent events.
//
// Each event has an id and a kind. The header Last-Event-ID resumes after an event; if that is not exactly possible, the stream starts with one event reset. Events run and inbox have no id: they carry the state of every run and the open questions, at the start and after every change.
func (c *Client) Events(ctx context.Context, o EventsOptions) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, "/events", o.values())
}

// ExportSessionOptions has the parameters of ExportSession. Empty fields are not sent.
type ExportSessionOptions struct {
	Root                     string // Directory of the home, if several have the session
	Format                   string // markdown, html (one file that loads nothing), text, json or jsonl (the original file). Default: markdown
	Leaf                     string // Conversation, by the uuid of its last line. Default: the active one
	From                     string // Message that the document begins with. Default: the first
	To                       string // Message that the document ends with. Default: the last
	All                      bool   // All conversations
	Agents                   bool   // Include sub-agents
	ExcludeThinking          bool   // Leave out thinking
	ExcludeTools             bool   // Leave out tool calls
	IncludeStructuredContent bool   // Include the content blocks of messages (json only)
	Replay                   bool   // Add controls that play the session on its time axis (html only)
	Redact                   bool   // false leaves secrets in the document, which needs the role operate. Default: marks stand in their place, except in jsonl
	Ticket                   string // Ticket from createTicket for this path, instead of a token
}

func (o ExportSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Format != "" {
		q.Set("format", o.Format)
	}
	if o.Leaf != "" {
		q.Set("leaf", o.Leaf)
	}
	if o.From != "" {
		q.Set("from", o.From)
	}
	if o.To != "" {
		q.Set("to", o.To)
	}
	if o.All {
		q.Set("all", "true")
	}
	if o.Agents {
		q.Set("agents", "true")
	}
	if o.ExcludeThinking {
		q.Set("excludeThinking", "true")
	}
	if o.ExcludeTools {
		q.Set("excludeTools", "true")
	}
	if o.IncludeStructuredContent {
		q.Set("includeStructuredContent", "true")
	}
	if o.Replay {
		q.Set("replay", "true")
	}
	if o.Redact {
		q.Set("redact", "true")
	}
	if o.Ticket != "" {
		q.Set("ticket", o.Ticket)
	}
	return q
}

// ExportSession exports a session as a document.
//
// Marks such as [github-token:1] stand in the place of what looks like a secret, as the header X-Redacted says. That is best effort. jsonl is the file itself, with all secrets in it.
func (c *Client) ExportSession(ctx context.Context, project string, id string, o ExportSessionOptions) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/export", o.values())
}

// FacetsOptions has the parameters of Facets. Empty fields are not sent.
type FacetsOptions struct {
	Filter Filter
	Q      string // Only sessions that match this search, themselves or in an agent; at most the latest 10000. complete reports whether the search read everything
}

func (o FacetsOptions) values() url.Values {
	q := url.Values{}
	o.Filter.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	return q
}

// Facets counts sessions by what they have in common.
//
// Facets are source, state, started, project, gitBranch, model, tag, has, starred and archived. A count is the total that the list would have if the request chose that value of the facet. Values without sessions are left out.
func (c *Client) Facets(ctx context.Context, project string, o FacetsOptions) (*FacetPage, error) {
	return ask[FacetPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/facets", o.values(), nil)
}

// FileLogOptions has the parameters of FileLog. Empty fields are not sent.
type FileLogOptions struct {
	Path  string // Path of the file, or the end of one. Default: all files
	Limit int    // Changes at most, up to 500
}

func (o FileLogOptions) values() url.Values {
	q := url.Values{}
	if o.Path != "" {
		q.Set("path", o.Path)
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	return q
}

// FileLog lists the changes that sessions made to a file, newest first.
//
// Without a path it lists the latest changes of all files. A path that is not absolute is the end of one.
func (c *Client) FileLog(ctx context.Context, o FileLogOptions) (*FileLog, error) {
	return ask[FileLog](ctx, c, http.MethodGet, "/files/log", o.values(), nil)
}

// FileVersionOptions has the parameters of FileVersion. Empty fields are not sent.
type FileVersionOptions struct {
	Path string // Path of the file, or the end of one
	At   string // A time, the id of a prompt (before its changes) or of a change (after it), or the address of a session (its end). Default: the last content that is known
}

func (o FileVersionOptions) values() url.Values {
	q := url.Values{}
	if o.Path != "" {
		q.Set("path", o.Path)
	}
	if o.At != "" {
		q.Set("at", o.At)
	}
	return q
}

// FileVersion returns a file as it was at a time, before a prompt, or at the end of a session.
//
// sure says how the content is known: exact, replayed or unknown. outside is the time in which others changed the file, if that is when the version is from. If a path means several files, the status is 409 and candidates lists them.
func (c *Client) FileVersion(ctx context.Context, o FileVersionOptions) (*FileVersion, error) {
	return ask[FileVersion](ctx, c, http.MethodGet, "/files/version", o.values(), nil)
}

// FilesAtOptions has the parameters of FilesAt. Empty fields are not sent.
type FilesAtOptions struct {
	Root string // Directory of the session's home, if several homes have it
	At   string // A time, or the id of a prompt: before its changes
}

func (o FilesAtOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.At != "" {
		q.Set("at", o.At)
	}
	return q
}

// FilesAt lists what the files of a session were at a time.
func (c *Client) FilesAt(ctx context.Context, project string, id string, o FilesAtOptions) (*FileTree, error) {
	return ask[FileTree](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/files/at", o.values(), nil)
}

// GetAgent shows a run as an agent of cli-bridge.
func (c *Client) GetAgent(ctx context.Context, agent string) (*AgentDetail, error) {
	return ask[AgentDetail](ctx, c, http.MethodGet, "/agents/"+url.PathEscape(agent), nil, nil)
}

// GetJob shows the progress and the result of a job.
//
// Once the job is done, result is the response that the request would have had without async=true.
func (c *Client) GetJob(ctx context.Context, job string) (*Job, error) {
	return ask[Job](ctx, c, http.MethodGet, "/jobs/"+url.PathEscape(job), nil, nil)
}

// GetProject shows a project.
func (c *Client) GetProject(ctx context.Context, project string) (*OnePricedProject, error) {
	return ask[OnePricedProject](ctx, c, http.MethodGet, "/projects/"+url.PathEscape(project), nil, nil)
}

// GetRun shows a run and its events.
func (c *Client) GetRun(ctx context.Context, run string) (*RunDetails, error) {
	return ask[RunDetails](ctx, c, http.MethodGet, "/runs/"+url.PathEscape(run), nil, nil)
}

// GetSessionOptions has the parameters of GetSession. Empty fields are not sent.
type GetSessionOptions struct {
	Root string // Directory of the session's home, if several homes have it
}

func (o GetSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// GetSession shows a session.
func (c *Client) GetSession(ctx context.Context, project string, id string, o GetSessionOptions) (*Session, error) {
	return ask[Session](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id), o.values(), nil)
}

// Health reports the health of the server.
func (c *Client) Health(ctx context.Context) (*ServerHealth, error) {
	return ask[ServerHealth](ctx, c, http.MethodGet, "/health", nil, nil)
}

// HistoryOptions has the parameters of History. Empty fields are not sent.
type HistoryOptions struct {
	Paging  Paging
	Q       string // Only prompts that contain this text
	Project string // Only prompts typed in or below this directory, or in this project
	Pastes  bool   // Search pasted text too
	Full    bool   // Include the text with its pastes filled in
	Since   string // Typed at or after this time: RFC 3339 or a date
	Until   string // Typed before this time: RFC 3339 or a date
	TZ      string // Time zone of days. Default: the server's
}

func (o HistoryOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.Pastes {
		q.Set("pastes", "true")
	}
	if o.Full {
		q.Set("full", "true")
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	return q
}

// History lists typed prompts, newest first.
func (c *Client) History(ctx context.Context, o HistoryOptions) (*PromptPage, error) {
	return ask[PromptPage](ctx, c, http.MethodGet, "/history", o.values(), nil)
}

// HistoryProjectsOptions has the parameters of HistoryProjects. Empty fields are not sent.
type HistoryProjectsOptions struct {
	Paging  Paging
	Q       string // Only prompts that contain this text
	Project string // Only prompts typed in or below this directory, or in this project
	Pastes  bool   // Search pasted text too
	Full    bool   // Include the text with its pastes filled in
	Since   string // Typed at or after this time: RFC 3339 or a date
	Until   string // Typed before this time: RFC 3339 or a date
	TZ      string // Time zone of days. Default: the server's
}

func (o HistoryProjectsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.Pastes {
		q.Set("pastes", "true")
	}
	if o.Full {
		q.Set("full", "true")
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	return q
}

// HistoryProjects lists the directories with typed prompts.
func (c *Client) HistoryProjects(ctx context.Context, o HistoryProjectsOptions) (*ProjectUsePage, error) {
	return ask[ProjectUsePage](ctx, c, http.MethodGet, "/history/projects", o.values(), nil)
}

// HistoryTimelineOptions has the parameters of HistoryTimeline. Empty fields are not sent.
type HistoryTimelineOptions struct {
	Paging  Paging
	Q       string // Only prompts that contain this text
	Project string // Only prompts typed in or below this directory, or in this project
	Pastes  bool   // Search pasted text too
	Full    bool   // Include the text with its pastes filled in
	Since   string // Typed at or after this time: RFC 3339 or a date
	Until   string // Typed before this time: RFC 3339 or a date
	TZ      string // Time zone of days. Default: the server's
}

func (o HistoryTimelineOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.Pastes {
		q.Set("pastes", "true")
	}
	if o.Full {
		q.Set("full", "true")
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	return q
}

// HistoryTimeline counts prompts by day.
func (c *Client) HistoryTimeline(ctx context.Context, o HistoryTimelineOptions) (*Timeline, error) {
	return ask[Timeline](ctx, c, http.MethodGet, "/history/timeline", o.values(), nil)
}

// InsightsOptions has the parameters of Insights. Empty fields are not sent.
type InsightsOptions struct {
	Commit          string // Only sessions that made or pushed this commit, or whose agent did; several with commas between.
	PullRequest     string // Only sessions of this pull request: its number or part of its address; several with commas between.
	Started         string // Only sessions started by a person, who types prompts, or by a program, which sends them: person or program; several with commas between.
	Entrypoint      string // Only sessions started in this way: cli, vscode, desktop, sdk, or a word of the client; several with commas between.
	Limit           int    // Number of messages named behind each figure, at most 500. Default: 20
	Project         string // Only this project: its path, or any of its names
	TZ              string // Time zone of days. Default: the server's
	Listed          bool   // Only what lists show: no archived sessions, and none in the trash. What was spent there counts otherwise
	Source          string // Only sessions of this source: user, agent, helper or all; several with commas between. Lists default to user, counts to all.
	State           string // Only sessions in this state: needs you, working, your turn, idle, unclean, ended, copy only or damaged; several with commas between.
	GitBranch       string // Only sessions on this git branch; several with commas between.
	Model           string // Only sessions answered by a model whose name contains this; several with commas between.
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Only agents of this session.
	ForkedFrom      string // Only forks of this session.
	Tag             string // Only sessions with this tag, yours or the client's.
	Starred         bool   // Only sessions with a star.
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Root            string // The directory of one home, where there are several
}

func (o InsightsOptions) values() url.Values {
	q := url.Values{}
	if o.Commit != "" {
		q.Set("commit", o.Commit)
	}
	if o.PullRequest != "" {
		q.Set("pullRequest", o.PullRequest)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	if o.Listed {
		q.Set("listed", "true")
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.State != "" {
		q.Set("state", o.State)
	}
	if o.GitBranch != "" {
		q.Set("gitBranch", o.GitBranch)
	}
	if o.Model != "" {
		q.Set("model", o.Model)
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.MinSize != 0 {
		q.Set("minSize", strconv.Itoa(o.MinSize))
	}
	if o.ParentSessionID != "" {
		q.Set("parentSessionId", o.ParentSessionID)
	}
	if o.ForkedFrom != "" {
		q.Set("forkedFrom", o.ForkedFrom)
	}
	if o.Tag != "" {
		q.Set("tag", o.Tag)
	}
	if o.Starred {
		q.Set("starred", "true")
	}
	if o.IncludeArchived {
		q.Set("includeArchived", "true")
	}
	if o.ArchivedOnly {
		q.Set("archivedOnly", "true")
	}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// Insights reports where time and money went, and what went wrong.
//
// docs/insights.md defines the rule of each figure and says what it cannot see. Each figure names the messages behind it.
func (c *Client) Insights(ctx context.Context, o InsightsOptions) (*Insights, error) {
	return ask[Insights](ctx, c, http.MethodGet, "/insights", o.values(), nil)
}

// InterruptRun interrupts the current turn of a run.
func (c *Client) InterruptRun(ctx context.Context, run string) (*Run, error) {
	return ask[Run](ctx, c, http.MethodPost, "/runs/"+url.PathEscape(run)+"/interrupt", nil, nil)
}

// KeepExpiringOptions has the parameters of KeepExpiring. Empty fields are not sent.
type KeepExpiringOptions struct {
	Paging Paging
	Days   int // Only sessions that expire within this many days
}

func (o KeepExpiringOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Days != 0 {
		q.Set("days", strconv.Itoa(o.Days))
	}
	return q
}

// KeepExpiring lists sessions that the client will delete.
func (c *Client) KeepExpiring(ctx context.Context, o KeepExpiringOptions) (*ExpiringPage, error) {
	return ask[ExpiringPage](ctx, c, http.MethodGet, "/keep/expiring", o.values(), nil)
}

// KeepGoneOptions has the parameters of KeepGone. Empty fields are not sent.
type KeepGoneOptions struct {
	Paging Paging
}

func (o KeepGoneOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// KeepGone lists deleted sessions that have a copy.
func (c *Client) KeepGone(ctx context.Context, o KeepGoneOptions) (*GonePage, error) {
	return ask[GonePage](ctx, c, http.MethodGet, "/keep/gone", o.values(), nil)
}

// KeepNowOptions has the parameters of KeepNow. Empty fields are not sent.
type KeepNowOptions struct {
	DryRun bool // Only report what would be done, and change nothing
}

func (o KeepNowOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// KeepNow copies everything that is not kept yet.
//
// A dry run reports how many sessions, and how many of their bytes, are not kept yet.
func (c *Client) KeepNow(ctx context.Context, o KeepNowOptions) (*KeptNow, error) {
	return ask[KeptNow](ctx, c, http.MethodPost, "/keep/now", o.values(), nil)
}

// KeepNowJob starts KeepNow as a job and returns at once; Wait waits for the job. The result
// of the finished job is what KeepNow returns.
func (c *Client) KeepNowJob(ctx context.Context, o KeepNowOptions) (*Job, error) {
	return ask[Job](ctx, c, http.MethodPost, "/keep/now", asJob(o.values()), nil)
}

// KeepRestoreOptions has the parameters of KeepRestore. Empty fields are not sent.
type KeepRestoreOptions struct {
	DryRun bool // Only report what would be done, and change nothing
}

func (o KeepRestoreOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// KeepRestore restores deleted files, byte for byte.
func (c *Client) KeepRestore(ctx context.Context, id string, o KeepRestoreOptions) (*Restored, error) {
	return ask[Restored](ctx, c, http.MethodPost, "/keep/"+url.PathEscape(id)+"/restore", o.values(), nil)
}

// KeepStatus reports what is kept, and what is not.
func (c *Client) KeepStatus(ctx context.Context) (*KeepStatus, error) {
	return ask[KeepStatus](ctx, c, http.MethodGet, "/keep", nil, nil)
}

// KeepVerify verifies all copies against their checksums.
//
// Use KeepVerifyJob if there are many. flaws lists the damaged copies.
func (c *Client) KeepVerify(ctx context.Context) (*KeepVerified, error) {
	return ask[KeepVerified](ctx, c, http.MethodGet, "/keep/verify", nil, nil)
}

// KeepVerifyJob starts KeepVerify as a job and returns at once; Wait waits for the job. The result
// of the finished job is what KeepVerify returns.
func (c *Client) KeepVerifyJob(ctx context.Context) (*Job, error) {
	return ask[Job](ctx, c, http.MethodGet, "/keep/verify", asJob(nil), nil)
}

// LedgerOptions has the parameters of Ledger. Empty fields are not sent.
type LedgerOptions struct {
	Paging          Paging
	Commit          string // Only sessions that made or pushed this commit, or whose agent did; several with commas between.
	PullRequest     string // Only sessions of this pull request: its number or part of its address; several with commas between.
	Started         string // Only sessions started by a person, who types prompts, or by a program, which sends them: person or program; several with commas between.
	Entrypoint      string // Only sessions started in this way: cli, vscode, desktop, sdk, or a word of the client; several with commas between.
	Session         string // Only this session with its agents, or only this agent
	Dropped         bool   // Only rows that do not count
	Project         string // Only this project: its path, or any of its names
	TZ              string // Time zone of days. Default: the server's
	Listed          bool   // Only what lists show: no archived sessions, and none in the trash. What was spent there counts otherwise
	Source          string // Only sessions of this source: user, agent, helper or all; several with commas between. Lists default to user, counts to all.
	State           string // Only sessions in this state: needs you, working, your turn, idle, unclean, ended, copy only or damaged; several with commas between.
	GitBranch       string // Only sessions on this git branch; several with commas between.
	Model           string // Only sessions answered by a model whose name contains this; several with commas between.
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Only agents of this session.
	ForkedFrom      string // Only forks of this session.
	Tag             string // Only sessions with this tag, yours or the client's.
	Starred         bool   // Only sessions with a star.
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Root            string // The directory of one home, where there are several
}

func (o LedgerOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Commit != "" {
		q.Set("commit", o.Commit)
	}
	if o.PullRequest != "" {
		q.Set("pullRequest", o.PullRequest)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
	}
	if o.Session != "" {
		q.Set("session", o.Session)
	}
	if o.Dropped {
		q.Set("dropped", "true")
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	if o.Listed {
		q.Set("listed", "true")
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.State != "" {
		q.Set("state", o.State)
	}
	if o.GitBranch != "" {
		q.Set("gitBranch", o.GitBranch)
	}
	if o.Model != "" {
		q.Set("model", o.Model)
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.MinSize != 0 {
		q.Set("minSize", strconv.Itoa(o.MinSize))
	}
	if o.ParentSessionID != "" {
		q.Set("parentSessionId", o.ParentSessionID)
	}
	if o.ForkedFrom != "" {
		q.Set("forkedFrom", o.ForkedFrom)
	}
	if o.Tag != "" {
		q.Set("tag", o.Tag)
	}
	if o.Starred {
		q.Set("starred", "true")
	}
	if o.IncludeArchived {
		q.Set("includeArchived", "true")
	}
	if o.ArchivedOnly {
		q.Set("archivedOnly", "true")
	}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// Ledger lists the messages behind a total, and why each counts or does not.
func (c *Client) Ledger(ctx context.Context, o LedgerOptions) (*Ledger, error) {
	return ask[Ledger](ctx, c, http.MethodGet, "/usage/ledger", o.values(), nil)
}

// ListActivityOptions has the parameters of ListActivity. Empty fields are not sent.
type ListActivityOptions struct {
	Paging  Paging
	Session string // Only acts on the session whose id starts with this
	Before  *int   // Only acts with a smaller number
}

func (o ListActivityOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Session != "" {
		q.Set("session", o.Session)
	}
	if o.Before != nil {
		q.Set("before", strconv.Itoa(*o.Before))
	}
	return q
}

// ListActivity lists changes made by sesskeep, newest first.
//
// The list includes logins and exports.
func (c *Client) ListActivity(ctx context.Context, o ListActivityOptions) (*ActPage, error) {
	return ask[ActPage](ctx, c, http.MethodGet, "/activity", o.values(), nil)
}

// ListAgentsOptions has the parameters of ListAgents. Empty fields are not sent.
type ListAgentsOptions struct {
	Paging Paging
	Root   string // Directory of the session's home, if several homes have it
}

func (o ListAgentsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// ListAgents lists the agents of a session, each following the one that started it.
func (c *Client) ListAgents(ctx context.Context, project string, id string, o ListAgentsOptions) (*AgentPage, error) {
	return ask[AgentPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/agents", o.values(), nil)
}

// ListChildrenOptions has the parameters of ListChildren. Empty fields are not sent.
type ListChildrenOptions struct {
	Paging Paging
	Root   string // Directory of the session's home, if several homes have it
}

func (o ListChildrenOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// ListChildren lists the agents of a session.
func (c *Client) ListChildren(ctx context.Context, project string, id string, o ListChildrenOptions) (*Page, error) {
	return ask[Page](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/children", o.values(), nil)
}

// ListConversationsOptions has the parameters of ListConversations. Empty fields are not sent.
type ListConversationsOptions struct {
	Paging Paging
	Root   string // Directory of the session's home, if several homes have it
}

func (o ListConversationsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// ListConversations lists the conversations of a session, newest first.
func (c *Client) ListConversations(ctx context.Context, project string, id string, o ListConversationsOptions) (*ConversationPage, error) {
	return ask[ConversationPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/conversations", o.values(), nil)
}

// ListFilesOptions has the parameters of ListFiles. Empty fields are not sent.
type ListFilesOptions struct {
	Paging Paging
	Root   string // Directory of the session's home, if several homes have it
	Patch  bool   // Include the patches
}

func (o ListFilesOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Patch {
		q.Set("patch", "true")
	}
	return q
}

// ListFiles lists the files that a session changed.
func (c *Client) ListFiles(ctx context.Context, project string, id string, o ListFilesOptions) (*FilePage, error) {
	return ask[FilePage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/files", o.values(), nil)
}

// ListImages lists the images that were uploaded for an agent.
func (c *Client) ListImages(ctx context.Context, agent string) (*ImageList, error) {
	return ask[ImageList](ctx, c, http.MethodGet, "/agents/"+url.PathEscape(agent)+"/images", nil, nil)
}

// ListInboxOptions has the parameters of ListInbox. Empty fields are not sent.
type ListInboxOptions struct {
	Paging Paging
}

func (o ListInboxOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListInbox lists the open questions of running sessions.
func (c *Client) ListInbox(ctx context.Context, o ListInboxOptions) (*InboxPage, error) {
	return ask[InboxPage](ctx, c, http.MethodGet, "/inbox", o.values(), nil)
}

// ListJobsOptions has the parameters of ListJobs. Empty fields are not sent.
type ListJobsOptions struct {
	Paging Paging
}

func (o ListJobsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListJobs lists jobs, newest first.
//
// With async=true, long operations run as jobs. The server remembers the last 64. This list leaves out their results.
func (c *Client) ListJobs(ctx context.Context, o ListJobsOptions) (*JobPage, error) {
	return ask[JobPage](ctx, c, http.MethodGet, "/jobs", o.values(), nil)
}

// ListLinksOptions has the parameters of ListLinks. Empty fields are not sent.
type ListLinksOptions struct {
	Paging Paging
}

func (o ListLinksOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListLinks lists links to shared pages, without their addresses.
func (c *Client) ListLinks(ctx context.Context, o ListLinksOptions) (*LinkPage, error) {
	return ask[LinkPage](ctx, c, http.MethodGet, "/links", o.values(), nil)
}

// ListMessagesOptions has the parameters of ListMessages. Empty fields are not sent.
type ListMessagesOptions struct {
	Root              string // Directory of the session's home, if several homes have it
	Limit             int    // Messages on a page, at most 100. Default: 25
	Offset            int    // Number of messages to skip, in the order of the page
	Before            string // Only messages older than this one
	After             string // Only messages newer than this one
	Types             string // Comma-separated: user, assistant, thinking, tool_use, tool_result, system
	Order             string // desc (newest first) or asc. Default: desc
	IncludeRawContent bool   // Include the content blocks of each message
	Leaf              string // Conversation, by the uuid of its last line. Default: the active one
	Denormalize       bool   // Accepted and ignored: a result is always part of its call
}

func (o ListMessagesOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	if o.Offset != 0 {
		q.Set("offset", strconv.Itoa(o.Offset))
	}
	if o.Before != "" {
		q.Set("before", o.Before)
	}
	if o.After != "" {
		q.Set("after", o.After)
	}
	if o.Types != "" {
		q.Set("types", o.Types)
	}
	if o.Order != "" {
		q.Set("order", o.Order)
	}
	if o.IncludeRawContent {
		q.Set("includeRawContent", "true")
	}
	if o.Leaf != "" {
		q.Set("leaf", o.Leaf)
	}
	if o.Denormalize {
		q.Set("denormalize", "true")
	}
	return q
}

// ListMessages lists the messages of a conversation, newest first.
//
// total counts the messages of all pages. Pass nextCursor as before, and prevCursor as after. error is set if a cursor names no message of the conversation.
func (c *Client) ListMessages(ctx context.Context, project string, id string, o ListMessagesOptions) (*MessagePage, error) {
	return ask[MessagePage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/messages", o.values(), nil)
}

// ListProjectConversationsOptions has the parameters of ListProjectConversations. Empty fields are not sent.
type ListProjectConversationsOptions struct {
	Paging Paging
}

func (o ListProjectConversationsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListProjectConversations lists all conversations of a project.
func (c *Client) ListProjectConversations(ctx context.Context, project string, o ListProjectConversationsOptions) (*ConversationPage, error) {
	return ask[ConversationPage](ctx, c, http.MethodGet, "/projects/"+url.PathEscape(project)+"/conversations", o.values(), nil)
}

// ListProjectsOptions has the parameters of ListProjects. Empty fields are not sent.
type ListProjectsOptions struct {
	Paging Paging
}

func (o ListProjectsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListProjects lists projects, most recently active first.
//
// Without a limit, lists all of them. sessionCount is the total of the list by the path with a dash for every slash, with source=all: projects that share that form count together. counts are those of the project alone.
func (c *Client) ListProjects(ctx context.Context, o ListProjectsOptions) (*PricedProjectPage, error) {
	return ask[PricedProjectPage](ctx, c, http.MethodGet, "/projects", o.values(), nil)
}

// ListRunningAgents lists the runs that have not ended, as agents of cli-bridge.
func (c *Client) ListRunningAgents(ctx context.Context) (*Agents, error) {
	return ask[Agents](ctx, c, http.MethodGet, "/agents", nil, nil)
}

// ListRunsOptions has the parameters of ListRuns. Empty fields are not sent.
type ListRunsOptions struct {
	Paging    Paging
	Living    bool   // Only runs that have not ended
	SessionID string // Only runs of this session
}

func (o ListRunsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Living {
		q.Set("living", "true")
	}
	if o.SessionID != "" {
		q.Set("sessionId", o.SessionID)
	}
	return q
}

// ListRuns lists runs, newest first.
func (c *Client) ListRuns(ctx context.Context, o ListRunsOptions) (*RunPage, error) {
	return ask[RunPage](ctx, c, http.MethodGet, "/runs", o.values(), nil)
}

// ListSessionsOptions has the parameters of ListSessions. Empty fields are not sent.
type ListSessionsOptions struct {
	Filter Filter
	Paging Paging
	Q      string // Only sessions that match this search, themselves or in an agent; at most the latest 10000. complete reports whether the search read everything
	Sort   string // The order: activity, created, messages, prompts, branches, size or title; with - in front it is reversed.
}

func (o ListSessionsOptions) values() url.Values {
	q := url.Values{}
	o.Filter.set(q)
	o.Paging.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	if o.Sort != "" {
		q.Set("sort", o.Sort)
	}
	return q
}

// ListSessions lists sessions, most recently active first.
//
// total counts all matching rows; hidden counts, by source, the rows that only the source excludes.
func (c *Client) ListSessions(ctx context.Context, project string, o ListSessionsOptions) (*Page, error) {
	return ask[Page](ctx, c, http.MethodGet, inProject(project)+"/sessions", o.values(), nil)
}

// ListTokensOptions has the parameters of ListTokens. Empty fields are not sent.
type ListTokensOptions struct {
	Paging Paging
}

func (o ListTokensOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListTokens lists tokens, without their secrets.
func (c *Client) ListTokens(ctx context.Context, o ListTokensOptions) (*TokenPage, error) {
	return ask[TokenPage](ctx, c, http.MethodGet, "/tokens", o.values(), nil)
}

// ListTrashOptions has the parameters of ListTrash. Empty fields are not sent.
type ListTrashOptions struct {
	Paging Paging
}

func (o ListTrashOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListTrash lists the trash.
func (c *Client) ListTrash(ctx context.Context, o ListTrashOptions) (*TrashPage, error) {
	return ask[TrashPage](ctx, c, http.MethodGet, "/trash", o.values(), nil)
}

// Login exchanges a one-time code for a token.
func (c *Client) Login(ctx context.Context, body LoginRequest) (*NewToken, error) {
	return ask[NewToken](ctx, c, http.MethodPost, "/login", nil, body)
}

// Metrics reports metrics for Prometheus.
func (c *Client) Metrics(ctx context.Context) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, "/metrics", nil)
}

// MoveProject updates a project whose folder was moved.
//
// Changes the path in the project's sessions, its memory, the prompt history and its entry in .claude.json. The folder itself is not touched. Fails while a client of the home is running.
func (c *Client) MoveProject(ctx context.Context, project string, body MoveRequest) (*Moved, error) {
	return ask[Moved](ctx, c, http.MethodPost, "/projects/"+url.PathEscape(project)+"/move", nil, body)
}

// MoveProjectJob starts MoveProject as a job and returns at once; Wait waits for the job. The result
// of the finished job is what MoveProject returns.
func (c *Client) MoveProjectJob(ctx context.Context, project string, body MoveRequest) (*Job, error) {
	return ask[Job](ctx, c, http.MethodPost, "/projects/"+url.PathEscape(project)+"/move", asJob(nil), body)
}

// OutlineOptions has the parameters of Outline. Empty fields are not sent.
type OutlineOptions struct {
	Root string // Directory of the session's home, if several homes have it
	Leaf string // Conversation, by the uuid of its last line. Default: the active one
	All  bool   // Include plans and errors, which means reading the whole conversation
}

func (o OutlineOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Leaf != "" {
		q.Set("leaf", o.Leaf)
	}
	if o.All {
		q.Set("all", "true")
	}
	return q
}

// Outline outlines a conversation: its prompts, compactions and forks.
func (c *Client) Outline(ctx context.Context, project string, id string, o OutlineOptions) (*Outline, error) {
	return ask[Outline](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/outline", o.values(), nil)
}

// Pair claims a pairing by its code, then collects the token.
//
// A device first sends the code and receives a claim and a number. It shows the number and repeats the request with the claim until a person has compared the numbers; then the response has its token. Five wrong codes close a pairing.
func (c *Client) Pair(ctx context.Context, body PairRequest) (*Paired, error) {
	return ask[Paired](ctx, c, http.MethodPost, "/pair", nil, body)
}

// Pairing shows the status of a pairing, and the number that the device shows.
func (c *Client) Pairing(ctx context.Context, id string) (*PairingRow, error) {
	return ask[PairingRow](ctx, c, http.MethodGet, "/pairings/"+url.PathEscape(id), nil, nil)
}

// PreviewDocumentOptions has the parameters of PreviewDocument. Empty fields are not sent.
type PreviewDocumentOptions struct {
	Root            string // Directory of the session's home, if several homes have it
	Leaf            string // Conversation, by the uuid of its last line. Default: the active one
	From            string // Message that the document begins with. Default: the first
	To              string // Message that the document ends with. Default: the last
	All             bool   // All conversations
	Agents          bool   // Include sub-agents
	ExcludeThinking bool   // Leave out thinking
	ExcludeTools    bool   // Leave out tool calls
	Replay          bool   // Add controls that play the session on its time axis (html only)
	Format          string // Format of the document. Default: html
}

func (o PreviewDocumentOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Leaf != "" {
		q.Set("leaf", o.Leaf)
	}
	if o.From != "" {
		q.Set("from", o.From)
	}
	if o.To != "" {
		q.Set("to", o.To)
	}
	if o.All {
		q.Set("all", "true")
	}
	if o.Agents {
		q.Set("agents", "true")
	}
	if o.ExcludeThinking {
		q.Set("excludeThinking", "true")
	}
	if o.ExcludeTools {
		q.Set("excludeTools", "true")
	}
	if o.Replay {
		q.Set("replay", "true")
	}
	if o.Format != "" {
		q.Set("format", o.Format)
	}
	return q
}

// PreviewDocument shows what a document would hide, and where.
//
// Counts secrets by family and names the messages that have marks in their place; never a secret itself. The parameters are those of exportSession.
func (c *Client) PreviewDocument(ctx context.Context, project string, id string, o PreviewDocumentOptions) (*Hidden, error) {
	return ask[Hidden](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/hidden", o.values(), nil)
}

// PurgeTrashOptions has the parameters of PurgeTrash. Empty fields are not sent.
type PurgeTrashOptions struct {
	DryRun bool // Only report what would be done, and change nothing
}

func (o PurgeTrashOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// PurgeTrash permanently deletes an item of the trash and its copies.
func (c *Client) PurgeTrash(ctx context.Context, id string, o PurgeTrashOptions) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodDelete, "/trash/"+url.PathEscape(id), o.values(), nil)
}

// RawLinesOptions has the parameters of RawLines. Empty fields are not sent.
type RawLinesOptions struct {
	Root  string // Directory of the session's home, if several homes have it
	Line  int    // Number of the first line, from 1
	Limit int    // Number of lines, at most 500
}

func (o RawLinesOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Line != 0 {
		q.Set("line", strconv.Itoa(o.Line))
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	return q
}

// RawLines shows the original lines of a transcript.
func (c *Client) RawLines(ctx context.Context, project string, id string, o RawLinesOptions) (*RawPage, error) {
	return ask[RawPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/raw", o.values(), nil)
}

// RecentSessionsOptions has the parameters of RecentSessions. Empty fields are not sent.
type RecentSessionsOptions struct {
	Filter Filter
	Paging Paging
	Q      string // Only sessions that match this search, themselves or in an agent; at most the latest 10000. complete reports whether the search read everything
}

func (o RecentSessionsOptions) values() url.Values {
	q := url.Values{}
	o.Filter.set(q)
	o.Paging.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	return q
}

// RecentSessions lists sessions of all projects, most recently active first.
func (c *Client) RecentSessions(ctx context.Context, o RecentSessionsOptions) (*Page, error) {
	return ask[Page](ctx, c, http.MethodGet, "/sessions/recent", o.values(), nil)
}

// RefreshProjects rescans all homes and lists projects.
func (c *Client) RefreshProjects(ctx context.Context) (*PricedProjectPage, error) {
	return ask[PricedProjectPage](ctx, c, http.MethodPost, "/projects/refresh", nil, nil)
}

// RefusePairing rejects a pairing: the device gets no token.
func (c *Client) RefusePairing(ctx context.Context, id string) (*PairingRow, error) {
	return ask[PairingRow](ctx, c, http.MethodDelete, "/pairings/"+url.PathEscape(id), nil, nil)
}

// RemoveRunOptions has the parameters of RemoveRun. Empty fields are not sent.
type RemoveRunOptions struct {
	DryRun bool // Only report what would be done, and change nothing
}

func (o RemoveRunOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RemoveRun removes a run that has ended; its session stays.
func (c *Client) RemoveRun(ctx context.Context, run string, o RemoveRunOptions) (*Run, error) {
	return ask[Run](ctx, c, http.MethodDelete, "/runs/"+url.PathEscape(run), o.values(), nil)
}

// RepairSessionOptions has the parameters of RepairSession. Empty fields are not sent.
type RepairSessionOptions struct {
	Root   string // Directory of the session's home, if several homes have it
	DryRun bool   // Only report what would be done, and change nothing
}

func (o RepairSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RepairSession repairs the transcripts of a session.
//
// Each transcript is replaced as a whole; undo restores the old one. left lists the findings that cannot be repaired.
func (c *Client) RepairSession(ctx context.Context, project string, id string, o RepairSessionOptions) (*Repaired, error) {
	return ask[Repaired](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/repair", o.values(), nil)
}

// RestoreFileOptions has the parameters of RestoreFile. Empty fields are not sent.
type RestoreFileOptions struct {
	DryRun bool // Only report what would be done, and change nothing
}

func (o RestoreFileOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RestoreFile restores an earlier version of a file.
//
// Only below the directory of a project whose session changed the file, through no link that leads out of it, unless to names another file. dryRun returns the difference.
func (c *Client) RestoreFile(ctx context.Context, o RestoreFileOptions, body RestoreFileRequest) (*FileRestoration, error) {
	return ask[FileRestoration](ctx, c, http.MethodPost, "/files/restore", o.values(), body)
}

// RestoreTrashOptions has the parameters of RestoreTrash. Empty fields are not sent.
type RestoreTrashOptions struct {
	DryRun bool // Only report what would be done, and change nothing
}

func (o RestoreTrashOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RestoreTrash restores an item from the trash.
func (c *Client) RestoreTrash(ctx context.Context, id string, o RestoreTrashOptions) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodPost, "/trash/"+url.PathEscape(id)+"/restore", o.values(), nil)
}

// Retention shows how many days the client keeps sessions, and which file sets it.
//
// problems lists unreadable settings files, which are ignored.
func (c *Client) Retention(ctx context.Context) (*RetentionPage, error) {
	return ask[RetentionPage](ctx, c, http.MethodGet, "/keep/retention", nil, nil)
}

// RevokeLinkOptions has the parameters of RevokeLink. Empty fields are not sent.
type RevokeLinkOptions struct {
	DryRun bool // Only report what would be done, and change nothing
}

func (o RevokeLinkOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RevokeLink revokes a link and deletes its page.
func (c *Client) RevokeLink(ctx context.Context, id string, o RevokeLinkOptions) (*Link, error) {
	return ask[Link](ctx, c, http.MethodDelete, "/links/"+url.PathEscape(id), o.values(), nil)
}

// RevokeTokenOptions has the parameters of RevokeToken. Empty fields are not sent.
type RevokeTokenOptions struct {
	DryRun bool // Only report what would be done, and change nothing
}

func (o RevokeTokenOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RevokeToken revokes a token and ends its streams.
func (c *Client) RevokeToken(ctx context.Context, id string, o RevokeTokenOptions) (*TokenRow, error) {
	return ask[TokenRow](ctx, c, http.MethodDelete, "/tokens/"+url.PathEscape(id), o.values(), nil)
}

// RunOutput streams the output of a run as server-sent events.
//
// Events are line, a line of the client's output; piece, a part of a message that is being written; run, the state of the run; and end. An id is a byte offset in the log, and Last-Event-ID resumes there.
func (c *Client) RunOutput(ctx context.Context, run string) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, "/runs/"+url.PathEscape(run)+"/output", nil)
}

// SearchOptions has the parameters of Search. Empty fields are not sent.
type SearchOptions struct {
	Paging          Paging
	Commit          string // Only sessions that made or pushed this commit, or whose agent did; several with commas between.
	PullRequest     string // Only sessions of this pull request: its number or part of its address; several with commas between.
	Started         string // Only sessions started by a person, who types prompts, or by a program, which sends them: person or program; several with commas between.
	Entrypoint      string // Only sessions started in this way: cli, vscode, desktop, sdk, or a word of the client; several with commas between.
	Q               string // Words, "phrases", -not, OR, /regular expressions/ and keys such as tool:Bash
	In              string // Comma-separated kinds of text: prompts, answers, thinking, titles, input, output, notes
	Sort            string // Best match first, or latest hit first. Default: relevance
	Exact           bool   // Read everything, so that total is exact. Default: stop once the page is full and the budget is spent
	Hits            int    // Hits to show of each session, at most 2000. Default: 3
	Source          string // Only sessions of this source: user, agent, helper or all; several with commas between. Lists default to user, counts to all.
	State           string // Only sessions in this state: needs you, working, your turn, idle, unclean, ended, copy only or damaged; several with commas between.
	GitBranch       string // Only sessions on this git branch; several with commas between.
	Model           string // Only sessions answered by a model whose name contains this; several with commas between.
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Only agents of this session.
	ForkedFrom      string // Only forks of this session.
	Tag             string // Only sessions with this tag, yours or the client's.
	Starred         bool   // Only sessions with a star.
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Project         string // Of all projects only these: any of their names, several with commas between
	Root            string // The directory of one home, where there are several
}

func (o SearchOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Commit != "" {
		q.Set("commit", o.Commit)
	}
	if o.PullRequest != "" {
		q.Set("pullRequest", o.PullRequest)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
	}
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	if o.In != "" {
		q.Set("in", o.In)
	}
	if o.Sort != "" {
		q.Set("sort", o.Sort)
	}
	if o.Exact {
		q.Set("exact", "true")
	}
	if o.Hits != 0 {
		q.Set("hits", strconv.Itoa(o.Hits))
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.State != "" {
		q.Set("state", o.State)
	}
	if o.GitBranch != "" {
		q.Set("gitBranch", o.GitBranch)
	}
	if o.Model != "" {
		q.Set("model", o.Model)
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.MinSize != 0 {
		q.Set("minSize", strconv.Itoa(o.MinSize))
	}
	if o.ParentSessionID != "" {
		q.Set("parentSessionId", o.ParentSessionID)
	}
	if o.ForkedFrom != "" {
		q.Set("forkedFrom", o.ForkedFrom)
	}
	if o.Tag != "" {
		q.Set("tag", o.Tag)
	}
	if o.Starred {
		q.Set("starred", "true")
	}
	if o.IncludeArchived {
		q.Set("includeArchived", "true")
	}
	if o.ArchivedOnly {
		q.Set("archivedOnly", "true")
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// Search searches for text in sessions.
//
// complete reports whether the search read everything: it stops when the page is full and the budget is spent. exact=true reads everything before it responds, async=true does so as a job.
func (c *Client) Search(ctx context.Context, project string, o SearchOptions) (*Found, error) {
	return ask[Found](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/search", o.values(), nil)
}

// SearchJob starts Search as a job and returns at once; Wait waits for the job. The result
// of the finished job is what Search returns.
func (c *Client) SearchJob(ctx context.Context, project string, o SearchOptions) (*Job, error) {
	return ask[Job](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/search", asJob(o.values()), nil)
}

// SendToRun sends a message to a run.
func (c *Client) SendToRun(ctx context.Context, run string, body RunMessage) (*Run, error) {
	return ask[Run](ctx, c, http.MethodPost, "/runs/"+url.PathEscape(run)+"/messages", nil, body)
}

// SessionContextOptions has the parameters of SessionContext. Empty fields are not sent.
type SessionContextOptions struct {
	Root   string // Directory of the session's home, if several homes have it
	Leaf   string // Conversation, by the uuid of its last line. Default: the active one
	Around string // Message: at is about the answer that has it or follows it
	At     int    // Number of the answer that at is about, from 1. Default: the last one
	Points int    // Number of answers in points. Default: 1000
	Limit  int    // Number of items, tools and files, at most 500. Default: 20
}

func (o SessionContextOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Leaf != "" {
		q.Set("leaf", o.Leaf)
	}
	if o.Around != "" {
		q.Set("around", o.Around)
	}
	if o.At != 0 {
		q.Set("at", strconv.Itoa(o.At))
	}
	if o.Points != 0 {
		q.Set("points", strconv.Itoa(o.Points))
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	return q
}

// SessionContext reports what fills the context of a conversation, answer by answer.
//
// Totals are what the API counted. Kinds, tools, files and items are estimated by length; docs/insights.md says how.
func (c *Client) SessionContext(ctx context.Context, project string, id string, o SessionContextOptions) (*ContextUse, error) {
	return ask[ContextUse](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/context", o.values(), nil)
}

// SessionHealthOptions has the parameters of SessionHealth. Empty fields are not sent.
type SessionHealthOptions struct {
	Root  string // Directory of the session's home, if several homes have it
	Limit int    // Number of messages named behind each figure, at most 500. Default: 20
	TZ    string // Time zone of days and hours. Default: the server's
}

func (o SessionHealthOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	return q
}

// SessionHealth reports where time and money went in a session, and what went wrong.
//
// docs/insights.md defines the rule of each figure and says what it cannot see. Each figure names the messages behind it.
func (c *Client) SessionHealth(ctx context.Context, project string, id string, o SessionHealthOptions) (*Insights, error) {
	return ask[Insights](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/health", o.values(), nil)
}

// SetRetention sets how many days the client keeps sessions.
//
// Sets cleanupPeriodDays in settings.json and leaves every other byte of the file unchanged.
func (c *Client) SetRetention(ctx context.Context, body RetentionRequest) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodPut, "/keep/retention", nil, body)
}

// SetRun changes the model or the permission mode of a run.
func (c *Client) SetRun(ctx context.Context, run string, body RunChange) (*Run, error) {
	return ask[Run](ctx, c, http.MethodPatch, "/runs/"+url.PathEscape(run), nil, body)
}

// Sql runs a SELECT statement over all sessions.
//
// Nothing can be written, attached or loaded, and no file can be read. A statement is stopped after 30 seconds.
func (c *Client) Sql(ctx context.Context, body Statement) (*Selection, error) {
	return ask[Selection](ctx, c, http.MethodPost, "/sql", nil, body)
}

// SqlTables lists the tables of SQL statements with their columns.
func (c *Client) SqlTables(ctx context.Context) (*Contract, error) {
	return ask[Contract](ctx, c, http.MethodGet, "/sql", nil, nil)
}

// StartRun starts or resumes a session.
func (c *Client) StartRun(ctx context.Context, body NewRun) (*Run, error) {
	return ask[Run](ctx, c, http.MethodPost, "/runs", nil, body)
}

// StatsOptions has the parameters of Stats. Empty fields are not sent.
type StatsOptions struct {
	Commit          string // Only sessions that made or pushed this commit, or whose agent did; several with commas between.
	PullRequest     string // Only sessions of this pull request: its number or part of its address; several with commas between.
	Started         string // Only sessions started by a person, who types prompts, or by a program, which sends them: person or program; several with commas between.
	Entrypoint      string // Only sessions started in this way: cli, vscode, desktop, sdk, or a word of the client; several with commas between.
	Project         string // Only this project: its path, or any of its names
	TZ              string // Time zone of days. Default: the server's
	Listed          bool   // Only what lists show: no archived sessions, and none in the trash. What was spent there counts otherwise
	Source          string // Only sessions of this source: user, agent, helper or all; several with commas between. Lists default to user, counts to all.
	State           string // Only sessions in this state: needs you, working, your turn, idle, unclean, ended, copy only or damaged; several with commas between.
	GitBranch       string // Only sessions on this git branch; several with commas between.
	Model           string // Only sessions answered by a model whose name contains this; several with commas between.
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Only agents of this session.
	ForkedFrom      string // Only forks of this session.
	Tag             string // Only sessions with this tag, yours or the client's.
	Starred         bool   // Only sessions with a star.
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Root            string // The directory of one home, where there are several
}

func (o StatsOptions) values() url.Values {
	q := url.Values{}
	if o.Commit != "" {
		q.Set("commit", o.Commit)
	}
	if o.PullRequest != "" {
		q.Set("pullRequest", o.PullRequest)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	if o.Listed {
		q.Set("listed", "true")
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.State != "" {
		q.Set("state", o.State)
	}
	if o.GitBranch != "" {
		q.Set("gitBranch", o.GitBranch)
	}
	if o.Model != "" {
		q.Set("model", o.Model)
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.MinSize != 0 {
		q.Set("minSize", strconv.Itoa(o.MinSize))
	}
	if o.ParentSessionID != "" {
		q.Set("parentSessionId", o.ParentSessionID)
	}
	if o.ForkedFrom != "" {
		q.Set("forkedFrom", o.ForkedFrom)
	}
	if o.Tag != "" {
		q.Set("tag", o.Tag)
	}
	if o.Starred {
		q.Set("starred", "true")
	}
	if o.IncludeArchived {
		q.Set("includeArchived", "true")
	}
	if o.ArchivedOnly {
		q.Set("archivedOnly", "true")
	}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// Stats reports statistics of all sessions.
func (c *Client) Stats(ctx context.Context, o StatsOptions) (*Stats, error) {
	return ask[Stats](ctx, c, http.MethodGet, "/stats", o.values(), nil)
}

// StopRun stops a run.
func (c *Client) StopRun(ctx context.Context, run string) (*Run, error) {
	return ask[Run](ctx, c, http.MethodPost, "/runs/"+url.PathEscape(run)+"/stop", nil, nil)
}

// StopServer stops the server after its current requests.
func (c *Client) StopServer(ctx context.Context) (*Stopping, error) {
	return ask[Stopping](ctx, c, http.MethodPost, "/stop", nil, nil)
}

// Storage reports the disk usage of Claude's homes.
func (c *Client) Storage(ctx context.Context) (*StoragePage, error) {
	return ask[StoragePage](ctx, c, http.MethodGet, "/storage", nil, nil)
}

// TreeOptions has the parameters of Tree. Empty fields are not sent.
type TreeOptions struct {
	Root string // Directory of the session's home, if several homes have it
}

func (o TreeOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// Tree shows the tree of a session's turns.
func (c *Client) Tree(ctx context.Context, project string, id string, o TreeOptions) (*TreePage, error) {
	return ask[TreePage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/tree", o.values(), nil)
}

// TurnUsageOptions has the parameters of TurnUsage. Empty fields are not sent.
type TurnUsageOptions struct {
	Root string // Directory of the session's home, if several homes have it
}

func (o TurnUsageOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// TurnUsage shows the cost of each prompt of a session.
func (c *Client) TurnUsage(ctx context.Context, project string, id string, o TurnUsageOptions) (*TurnUsagePage, error) {
	return ask[TurnUsagePage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/usage", o.values(), nil)
}

// UnarchiveSessionOptions has the parameters of UnarchiveSession. Empty fields are not sent.
type UnarchiveSessionOptions struct {
	Root   string // Directory of the session's home, if several homes have it
	DryRun bool   // Only report what would be done, and change nothing
}

func (o UnarchiveSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// UnarchiveSession unarchives a session.
func (c *Client) UnarchiveSession(ctx context.Context, project string, id string, o UnarchiveSessionOptions) (*Session, error) {
	return ask[Session](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/unarchive", o.values(), nil)
}

// UndoOptions has the parameters of Undo. Empty fields are not sent.
type UndoOptions struct {
	ID       int  // Number of the act. Default: the last one
	Together bool // With id: reverse all acts of the same request or command
	DryRun   bool // Only report what would be done, and change nothing
}

func (o UndoOptions) values() url.Values {
	q := url.Values{}
	if o.ID != 0 {
		q.Set("id", strconv.Itoa(o.ID))
	}
	if o.Together {
		q.Set("together", "true")
	}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// Undo undoes the last change, or the one with the given number.
//
// Without an id, reverses everything that the last request or command did. Changes that others made since are never overwritten.
func (c *Client) Undo(ctx context.Context, o UndoOptions) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodPost, "/undo", o.values(), nil)
}

// UpdateSessionOptions has the parameters of UpdateSession. Empty fields are not sent.
type UpdateSessionOptions struct {
	Root   string // Directory of the session's home, if several homes have it
	DryRun bool   // Only report what would be done, and change nothing
}

func (o UpdateSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// UpdateSession sets a session's title, tags, note, star or source.
func (c *Client) UpdateSession(ctx context.Context, project string, id string, o UpdateSessionOptions, body Update) (*Session, error) {
	return ask[Session](ctx, c, http.MethodPut, inProject(project)+"/sessions"+"/"+url.PathEscape(id), o.values(), body)
}

// UploadImage uploads an image, so that messages to an agent can name it.
//
// The body is multipart/form-data with a file named image, the image itself as image/*, or JSON with data in base64. Images are PNG, JPEG, GIF or WebP of at most 5 MB, and are deleted with the run.
func (c *Client) UploadImage(ctx context.Context, agent string) (*UploadedImage, error) {
	return ask[UploadedImage](ctx, c, http.MethodPost, "/agents/"+url.PathEscape(agent)+"/upload", nil, nil)
}

// UsageOptions has the parameters of Usage. Empty fields are not sent.
type UsageOptions struct {
	Commit          string // Only sessions that made or pushed this commit, or whose agent did; several with commas between.
	PullRequest     string // Only sessions of this pull request: its number or part of its address; several with commas between.
	Started         string // Only sessions started by a person, who types prompts, or by a program, which sends them: person or program; several with commas between.
	Entrypoint      string // Only sessions started in this way: cli, vscode, desktop, sdk, or a word of the client; several with commas between.
	By              string // What the rows group by: a period of time, or something else with the highest cost first. branch is an alias of gitBranch
	Limit           int    // Number of rows, at most 500. Default: all
	Project         string // Only this project: its path, or any of its names
	TZ              string // Time zone of days. Default: the server's
	Listed          bool   // Only what lists show: no archived sessions, and none in the trash. What was spent there counts otherwise
	Source          string // Only sessions of this source: user, agent, helper or all; several with commas between. Lists default to user, counts to all.
	State           string // Only sessions in this state: needs you, working, your turn, idle, unclean, ended, copy only or damaged; several with commas between.
	GitBranch       string // Only sessions on this git branch; several with commas between.
	Model           string // Only sessions answered by a model whose name contains this; several with commas between.
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Only agents of this session.
	ForkedFrom      string // Only forks of this session.
	Tag             string // Only sessions with this tag, yours or the client's.
	Starred         bool   // Only sessions with a star.
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Root            string // The directory of one home, where there are several
}

func (o UsageOptions) values() url.Values {
	q := url.Values{}
	if o.Commit != "" {
		q.Set("commit", o.Commit)
	}
	if o.PullRequest != "" {
		q.Set("pullRequest", o.PullRequest)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
	}
	if o.By != "" {
		q.Set("by", o.By)
	}
	if o.Limit != 0 {
		q.Set("limit", strconv.Itoa(o.Limit))
	}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	if o.Listed {
		q.Set("listed", "true")
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.State != "" {
		q.Set("state", o.State)
	}
	if o.GitBranch != "" {
		q.Set("gitBranch", o.GitBranch)
	}
	if o.Model != "" {
		q.Set("model", o.Model)
	}
	if o.Since != "" {
		q.Set("since", o.Since)
	}
	if o.Until != "" {
		q.Set("until", o.Until)
	}
	if o.MinSize != 0 {
		q.Set("minSize", strconv.Itoa(o.MinSize))
	}
	if o.ParentSessionID != "" {
		q.Set("parentSessionId", o.ParentSessionID)
	}
	if o.ForkedFrom != "" {
		q.Set("forkedFrom", o.ForkedFrom)
	}
	if o.Tag != "" {
		q.Set("tag", o.Tag)
	}
	if o.Starred {
		q.Set("starred", "true")
	}
	if o.IncludeArchived {
		q.Set("includeArchived", "true")
	}
	if o.ArchivedOnly {
		q.Set("archivedOnly", "true")
	}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// Usage reports token usage and cost.
//
// Every message counts once over all files, and the rows add up to the totals.
func (c *Client) Usage(ctx context.Context, o UsageOptions) (*UsageReport, error) {
	return ask[UsageReport](ctx, c, http.MethodGet, "/usage", o.values(), nil)
}

// ActPage is a page of acts.
type ActPage struct {
	Acts    []ActRow `json:"acts"`           // Acts, newest first
	HasMore bool     `json:"hasMore"`        // True if there are more pages
	Next    string   `json:"next,omitempty"` // Cursor of the next page
	Total   int64    `json:"total"`          // Number of items on all pages
}

// ActRow is an act without its steps, as lists show it.
type ActRow struct {
	Actor     Actor     `json:"actor"`               // Who asked for the act, and from where
	Batch     string    `json:"batch,omitempty"`     // Shared by all acts of one command or request
	Files     []string  `json:"files"`               // Files that were changed
	ID        int64     `json:"id"`                  // Number of the act, for undo
	Problem   string    `json:"problem,omitempty"`   // What went wrong
	Root      string    `json:"root"`                // Directory of the home that was changed
	SessionID string    `json:"sessionId,omitempty"` // Session that was changed
	State     ActState  `json:"state"`               // Begun, done, undone, dropped, unclear or noted
	Tag       string    `json:"tag,omitempty"`       // Part of the names of the files that the act writes beside those it changes
	Timestamp time.Time `json:"timestamp"`           // When the act was made
	Undoes    int64     `json:"undoes,omitempty"`    // For an undo: number of the act that it reverses
	Verb      string    `json:"verb"`                // What was done: trash, archive, label, …
	What      string    `json:"what,omitempty"`      // What changed, in words
}

// AgeShare is the part of a home that was written within some days.
type AgeShare struct {
	Days      int64     `json:"days"`              // Upper bound of the age in days; 0 means no bound
	FileCount int64     `json:"fileCount"`         // Number of files
	FileSize  int64     `json:"fileSize"`          // Total size of the files in bytes
	NewestAt  time.Time `json:"newestAt,omitzero"` // Modification time of the newest file
	OldestAt  time.Time `json:"oldestAt,omitzero"` // Modification time of the oldest file
}

// Agent is a sub-agent of a session, wherever it was written.
type Agent struct {
	AgentType      string     `json:"agentType,omitempty"`     // Type of the agent, as the client calls it
	CallCount      int64      `json:"callCount"`               // Number of tool calls
	CallMessageID  string     `json:"callMessageId,omitempty"` // Uuid of the line with that tool call
	Cost           *Cost      `json:"cost,omitempty"`          // Cost of these tokens; unknown for inline agents
	CreatedAt      time.Time  `json:"createdAt,omitzero"`      // Time of its first line
	Depth          int64      `json:"depth"`                   // Depth below the session, from 1
	Description    string     `json:"description,omitempty"`   // What it was started for
	DurationMs     int64      `json:"durationMs,omitempty"`    // Milliseconds from the first line to the last
	File           string     `json:"file,omitempty"`          // Path of its transcript inside the home
	Finished       bool       `json:"finished,omitempty"`      // True if the client recorded the end. Older clients record none.
	Helper         bool       `json:"helper,omitempty"`        // True if the client runs it for itself
	ID             string     `json:"id"`                      // Id of the agent; inline-N if its lines are in the session's file
	LastActivityAt time.Time  `json:"lastActivityAt,omitzero"` // Time of its last line
	Layout         string     `json:"layout"`                  // Where its lines are: flat, nested, workflow or inline
	MessageCount   int64      `json:"messageCount"`            // Number of user and assistant lines
	Model          string     `json:"model,omitempty"`         // Model that answered last
	ParentAgentID  string     `json:"parentAgentId,omitempty"` // Agent that started it
	RootMessageID  string     `json:"rootMessageId,omitempty"` // For an inline agent: uuid of its first line
	SessionID      string     `json:"sessionId"`               // Session whose directory has the transcript
	ToolUseID      string     `json:"toolUseId,omitempty"`     // Id of the tool call that started it
	Usage          TokenUsage `json:"usage"`                   // Tokens that it used
	Workflow       string     `json:"workflow,omitempty"`      // Workflow that it is part of
}

// AgentFigure counts sub-agents, and names those that cost more than they returned.
type AgentFigure struct {
	AgentCount  int64      `json:"agentCount"`           // Number of agents
	Cost        Cost       `json:"cost"`                 // Cost of these tokens
	Count       int64      `json:"count"`                // How many there are
	Messages    []Evidence `json:"messages"`             // The most expensive of them, or the latest
	SilentCount int64      `json:"silentCount"`          // Number of those that returned nothing
	TokenCount  int64      `json:"tokenCount,omitempty"` // Tokens of the messages behind it
}

// AgentPage is a page of agents.
type AgentPage struct {
	Agents  []Agent `json:"agents"`         // Agents, each following the one that started it
	HasMore bool    `json:"hasMore"`        // True if there are more pages
	Next    string  `json:"next,omitempty"` // Cursor of the next page
	Total   int64   `json:"total"`          // Number of items on all pages
}

// Alive confirms that a server is running.
type Alive struct {
	Status string `json:"status"` // Always ok
}

// Amount is how much space some files take.
type Amount struct {
	FileCount int64     `json:"fileCount"`         // Number of files
	FileSize  int64     `json:"fileSize"`          // Total size of the files in bytes
	NewestAt  time.Time `json:"newestAt,omitzero"` // Modification time of the newest file
	OldestAt  time.Time `json:"oldestAt,omitzero"` // Modification time of the oldest file
}

// AtOnce is how long a number of sessions worked at once.
type AtOnce struct {
	DurationMs   int64 `json:"durationMs"`   // Milliseconds
	SessionCount int64 `json:"sessionCount"` // Number of sessions
}

// BlameCommit is a commit that a line of a file came with, as git's own blame says.
type BlameCommit struct {
	Author    string          `json:"author"`             // Name of its author
	ID        string          `json:"id"`                 // Full hash
	Sessions  []CommitSession `json:"sessions"`           // Sessions that made or pushed it
	Summary   string          `json:"summary"`            // First line of its message
	Timestamp time.Time       `json:"timestamp,omitzero"` // When it was written
}

// BlameLine is a line of a file and who wrote it.
type BlameLine struct {
	ChangeIndex int64  `json:"changeIndex"`      // Index in changes; -1 where no session wrote the line
	Commit      string `json:"commit,omitempty"` // The id in commits of the commit that the line came with. It is missing where the last commit does not have the line.
	Number      int64  `json:"number"`           // From 1
	Origin      string `json:"origin"`           // Session, outside (no session wrote it with its tools) or unknown (a change that cannot be replayed may have written it).
	Text        string `json:"text"`             // Without its end
}

// BlamePage says who wrote each line of a file.
type BlamePage struct {
	AtLeast   bool          `json:"atLeast,omitempty"`  // True if totals and sums are lower bounds, because the answer was made from a part.
	Changes   []Writer      `json:"changes"`            // The changes that wrote these lines, oldest first
	Commits   []BlameCommit `json:"commits,omitzero"`   // Those that the lines came with, as git's own blame says. They are there if they were asked for.
	Coverage  Coverage      `json:"coverage"`           // How much the answer was made from
	Lines     []BlameLine   `json:"lines"`              // Lines that were asked for
	Path      string        `json:"path"`               // Path of the file
	Present   bool          `json:"present"`            // The content is that on the disk now; else the last that is known
	Timestamp time.Time     `json:"timestamp,omitzero"` // Time of the content
	Total     int64         `json:"total"`              // Number of lines of the file
}

// Block is one thing that a reader of a conversation sees, for other programs: a view.Part of bounded size, with its position.
type Block struct {
	Aborted      bool                  `json:"aborted,omitempty"`      // True if the answer was interrupted
	AgentID      string                `json:"agentId,omitempty"`      // Agent that a notice is about
	Also         []string              `json:"also,omitzero"`          // uuids of the other lines that the block represents: the result of a call, copies of a line
	Call         *BlockCall            `json:"call,omitempty"`         // For a call: the call with its result
	Compaction   *ViewCompaction       `json:"compaction,omitempty"`   // For a boundary: the tokens before and after it
	DurationMs   int64                 `json:"durationMs,omitempty"`   // Milliseconds spent thinking
	Failed       bool                  `json:"failed,omitempty"`       // True if the notice reports a failure
	Index        int64                 `json:"index,omitempty"`        // Number of the block in the conversation, from 0; with count=true
	Kind         BlockKind             `json:"kind"`                   // What the block is
	Label        string                `json:"label,omitempty"`        // Distinguishes blocks of one kind: the topic of a notice, queued or task for a prompt, the original type for meta and unknown blocks
	Line         int64                 `json:"line,omitempty"`         // Number of that line, from 1
	Media        *BlockMedia           `json:"media,omitempty"`        // For an image or document: the file
	MessageID    string                `json:"messageId,omitempty"`    // uuid of the line that the block comes from
	Model        string                `json:"model,omitempty"`        // Model that answered
	Text         string                `json:"text,omitempty"`         // Text of the block
	Timestamp    time.Time             `json:"timestamp,omitzero"`     // When it was written
	Truncated    map[string]Truncation `json:"truncated,omitempty"`    // Texts that were cut, by field, with a reference to the whole text
	Turn         int64                 `json:"turn"`                   // Number of the turn in the conversation, from 0
	WithheldSize int64                 `json:"withheldSize,omitempty"` // Bytes of the signature that replaces a withheld thought
}

// BlockCall is a tool call with its result.
type BlockCall struct {
	Added          int64           `json:"added,omitempty"`          // Lines added
	AgentID        string          `json:"agentId,omitempty"`        // Agent that the call started
	AgentSessionID string          `json:"agentSessionId,omitempty"` // Session id of that agent, to read its blocks
	Command        string          `json:"command,omitempty"`        // Command of a shell call
	Diff           []Hunk          `json:"diff,omitzero"`            // What an edit changed, or tried to change; left out if it is long
	DurationMs     int64           `json:"durationMs,omitempty"`     // Milliseconds until the result
	File           string          `json:"file,omitempty"`           // File that the call reads or changes, as the model named it
	ID             string          `json:"id,omitempty"`             // Id of the call
	Input          json.RawMessage `json:"input,omitempty"`          // Input of the tool; left out if it is long
	Media          []BlockMedia    `json:"media,omitzero"`           // Images in the result
	Outcome        string          `json:"outcome,omitempty"`        // The most informative fact about the result: +2 −1, exit 1, 214 lines
	Output         string          `json:"output,omitempty"`         // Output as the model saw it, without the client's tags
	Plan           string          `json:"plan,omitempty"`           // Plan that the call proposes
	Prompt         string          `json:"prompt,omitempty"`         // Prompt for the agent that the call starts
	Questions      []AskedQuestion `json:"questions,omitzero"`       // Questions to the user, with their answers
	Reason         string          `json:"reason,omitempty"`         // Why the call failed or was denied, if that is known
	Removed        int64           `json:"removed,omitempty"`        // Lines removed
	Server         string          `json:"server,omitempty"`         // MCP server of the tool
	Short          string          `json:"short"`                    // The tool in one short lower-case word
	State          CallState       `json:"state"`                    // How the call ended
	Summary        string          `json:"summary,omitempty"`        // The most informative input, on one line
	Todos          []Todo          `json:"todos,omitzero"`           // Items of the to-do list
	Tool           string          `json:"tool"`                     // Name of the tool, without the prefix of its MCP server
}

// BlockMedia is an image or a document by reference.
type BlockMedia struct {
	FileSize int64  `json:"fileSize,omitempty"` // Size in bytes; 0 if the file is not in the transcript
	Height   int64  `json:"height,omitempty"`   // Height in pixels
	Ref      string `json:"ref,omitempty"`      // Reference for /sessions/{id}/blobs/{ref}
	Type     string `json:"type,omitempty"`     // png, pdf, …; empty if unknown
	URL      string `json:"url,omitempty"`      // Address that the file came from. Nothing is ever loaded from it
	Width    int64  `json:"width,omitempty"`    // Width in pixels of an image that a browser can show
}

// BlockPage is a range of turns of a conversation.
type BlockPage struct {
	AgentID     string      `json:"agentId,omitempty"` // Id of the agent, if it is one
	Blocks      []Block     `json:"blocks"`            // All blocks of these turns, in the order of the conversation
	Leaf        string      `json:"leaf,omitempty"`    // Conversation, by the uuid of its last line
	Next        string      `json:"next,omitempty"`    // below=NEXT returns the turns after these
	Prev        string      `json:"prev,omitempty"`    // above=PREV returns the turns before these
	Root        string      `json:"root"`              // Directory of the home
	SessionID   string      `json:"sessionId"`         // Id of the session
	Title       string      `json:"title,omitempty"`   // Title of the session
	Total       int64       `json:"total,omitempty"`   // Number of blocks in the conversation; with count=true
	TurnCount   int64       `json:"turnCount"`         // Number of turns in the conversation
	Turns       []BlockTurn `json:"turns"`             // Turns that the blocks belong to
	TurnsAfter  int64       `json:"turnsAfter"`        // Number of turns after the last of these
	TurnsBefore int64       `json:"turnsBefore"`       // Number of turns before the first of these
}

// BlockTurn is a turn of a conversation.
type BlockTurn struct {
	Compacted     bool      `json:"compacted,omitempty"`     // True if the conversation was compacted just before this turn
	ContextTokens int64     `json:"contextTokens,omitempty"` // Input tokens of the model
	ID            string    `json:"id"`                      // uuid of its first line
	Index         int64     `json:"index"`                   // Number of the turn in the conversation, from 0
	Model         string    `json:"model,omitempty"`         // Model that answered
	OutputTokens  int64     `json:"outputTokens,omitempty"`  // Output tokens of the model
	Role          TurnRole  `json:"role"`                    // Prompt, answer or notes
	Siblings      *Siblings `json:"siblings,omitempty"`      // At a fork: the other turns that follow the same turn
	Timestamp     time.Time `json:"timestamp,omitzero"`      // Time of its first line
}

// BranchRequest is the body of BranchSession.
type BranchRequest struct {
	Leaf  string `json:"leaf"`            // Conversation, by the uuid of its last line
	Title string `json:"title,omitempty"` // Title of the new session
}

// Branched is a conversation that was copied to a session of its own.
type Branched struct {
	ActID       int64  `json:"actId,omitempty"` // Number of the act, for undo
	DryRun      bool   `json:"dryRun"`          // True if nothing was changed
	File        string `json:"file"`            // Path of the new transcript inside the home
	ForkedFrom  string `json:"forkedFrom"`      // Session that the lines are copied from
	Leaf        string `json:"leaf"`            // Conversation that is copied
	PromptCount int64  `json:"promptCount"`     // Number of prompts
	RecordCount int64  `json:"recordCount"`     // Number of records
	Root        string `json:"root"`            // Directory of the home
	SessionID   string `json:"sessionId"`       // Id of the new session
}

// Bulk is the result of a bulk request, by the ids of the request.
type Bulk struct {
	ActID      int64     `json:"actId,omitempty"`    // Number of the last act; undo with this id and together=true reverses all of them
	AgentCount int64     `json:"agentCount"`         // Number of agents that move with their sessions
	Changed    int64     `json:"changed"`            // Number of sessions that changed; the others were already as requested
	Coverage   *Coverage `json:"coverage,omitempty"` // How much of what there is the filter chose from: more may match where it is not complete
	DryRun     bool      `json:"dryRun"`             // True if nothing was changed
	Failed     []Failed  `json:"failed"`             // Sessions that failed, by the ids of the request
	FileSize   int64     `json:"fileSize"`           // Bytes of the files that are moved
	Success    []string  `json:"success"`            // Sessions that succeeded, by the ids of the request
}

// BulkFilter has the parameters of a list and means the sessions of all its pages.
type BulkFilter struct {
	ArchivedOnly    bool   `json:"archivedOnly,omitempty"`    // Archived ones alone
	Commit          string `json:"commit,omitempty"`          // Only sessions that made or pushed this commit, or whose agent did; several with commas between.
	Entrypoint      string `json:"entrypoint,omitempty"`      // Only sessions started in this way: cli, vscode, desktop, sdk, or a word of the client; several with commas between.
	ForkedFrom      string `json:"forkedFrom,omitempty"`      // Only forks of this session.
	GitBranch       string `json:"gitBranch,omitempty"`       // Only sessions on this git branch; several with commas between.
	Has             string `json:"has,omitempty"`             // Comma-separated; sessions have to have all of them: agents, branches, note, error, image, thinking, diff, plan, pr
	IncludeArchived bool   `json:"includeArchived,omitempty"` // Archived ones too
	MinSize         int64  `json:"minSize,omitempty"`         // Bytes
	Model           string `json:"model,omitempty"`           // Only sessions answered by a model whose name contains this; several with commas between.
	ParentSessionID string `json:"parentSessionId,omitempty"` // Only agents of this session.
	Project         string `json:"project,omitempty"`         // Of all projects only these: any of their names, several with commas between
	PullRequest     string `json:"pullRequest,omitempty"`     // Only sessions of this pull request: its number or part of its address; several with commas between.
	Q               string `json:"q,omitempty"`               // Only sessions that match this search, themselves or in an agent; at most the latest 10000. complete reports whether the search read everything
	Root            string `json:"root,omitempty"`            // The directory of one home, where there are several
	Since           string `json:"since,omitempty"`           // Active from then on: RFC 3339 or a date
	Source          string `json:"source,omitempty"`          // Only sessions of this source: user, agent, helper or all; several with commas between. Lists default to user, counts to all.
	Starred         bool   `json:"starred,omitempty"`         // Only sessions with a star.
	Started         string `json:"started,omitempty"`         // Only sessions started by a person, who types prompts, or by a program, which sends them: person or program; several with commas between.
	State           string `json:"state,omitempty"`           // Only sessions in this state: needs you, working, your turn, idle, unclean, ended, copy only or damaged; several with commas between.
	Tag             string `json:"tag,omitempty"`             // Only sessions with this tag, yours or the client's.
	Until           string `json:"until,omitempty"`           // Active before then: RFC 3339 or a date
}

// BulkRequest is the body of Bulk.
type BulkRequest struct {
	DryRun     bool        `json:"dryRun,omitempty"`    // Only report what would be done
	Filter     *BulkFilter `json:"filter,omitempty"`    // Instead of sessionIds: all sessions that a list with these parameters has
	Operation  Operation   `json:"operation"`           // What to do with each session
	SessionIDs []string    `json:"sessionIds,omitzero"` // IDs of the sessions, at most 1000
}

// CacheCause is a cause of cache misses.
type CacheCause struct {
	Cause      string  `json:"cause"`      // Idle5m or idle1h: so long after the answer before; model: another model; other: what was before it in the context changed
	Count      int64   `json:"count"`      // Number of misses
	TokenCount int64   `json:"tokenCount"` // Tokens that were sent again
	USD        float64 `json:"usd"`        // What they cost beyond reading them from the cache
}

// CacheMisses are answers whose context was in the cache before, and had to be sent again.
type CacheMisses struct {
	Causes     []CacheCause `json:"causes"`               // By cause
	Cost       Cost         `json:"cost"`                 // Cost of these tokens
	Count      int64        `json:"count"`                // How many there are
	Messages   []Evidence   `json:"messages"`             // The most expensive of them, or the latest
	TokenCount int64        `json:"tokenCount,omitempty"` // Tokens of the messages behind it
}

// ChangedFile is a file that a session changed.
type ChangedFile struct {
	Added       int64       `json:"added"`            // Lines added
	EditCount   int64       `json:"editCount"`        // Number of edits that succeeded
	FailedCount int64       `json:"failedCount"`      // Number of edits that failed or were denied
	FirstAt     time.Time   `json:"firstAt,omitzero"` // Time of the first edit
	LastAt      time.Time   `json:"lastAt,omitzero"`  // Time of the last edit
	Patches     []FilePatch `json:"patches,omitzero"` // The edits one by one
	Path        string      `json:"path"`             // Path of the file
	Removed     int64       `json:"removed"`          // Lines removed
}

// CheckChange is one sort of change that a repair makes, and why.
type CheckChange struct {
	Code  string `json:"code"`            // Finding that the change repairs
	Count int64  `json:"count"`           // Number of lines that change
	Field string `json:"field,omitempty"` // Field of the records that gets another value
	Line  int64  `json:"line"`            // Number of the first changed line
	What  string `json:"what"`            // What the repair does
}

// CheckFinding is one thing that is wrong, or odd.
type CheckFinding struct {
	Code    string `json:"code"`             // Kind of the finding, for programs
	Count   int64  `json:"count"`            // Number of occurrences from this line to the end of the file
	File    string `json:"file"`             // Path inside the home
	Length  int64  `json:"length,omitempty"` // Number of bytes concerned
	Line    int64  `json:"line,omitempty"`   // Line number from 1; 0 if the finding concerns the whole file
	Meaning string `json:"meaning"`          // Explanation for people
	Name    string `json:"name,omitempty"`   // Name of what is missing: a uuid, an agent, a file
	Offset  int64  `json:"offset,omitempty"` // Byte offset in the file
	UUID    string `json:"uuid,omitempty"`   // Uuid of the record
}

// CheckPage is the result of a check.
type CheckPage struct {
	AtLeast      bool             `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	CheckedCount int64            `json:"checkedCount"`      // Number of sessions checked
	Coverage     Coverage         `json:"coverage"`          // How much the answer was made from
	DamagedCount int64            `json:"damagedCount"`      // Number of damaged sessions
	FileSize     int64            `json:"fileSize"`          // Bytes checked
	Homes        []CheckedHome    `json:"homes"`             // Findings that belong to no session
	Resumes      ResumeCounts     `json:"resumes"`           // Sessions by whether the client would resume them
	Sessions     []CheckedSession `json:"sessions"`          // Sessions with findings or notes, or all that were asked for
}

// CheckRepair is a planned repair of one transcript.
type CheckRepair struct {
	Changes     []CheckChange `json:"changes"`     // Changes to the file, by kind
	DroppedSize int64         `json:"droppedSize"` // Bytes that are not a record, which the repaired file omits
	File        string        `json:"file"`        // Path inside the home
	RecordCount int64         `json:"recordCount"` // Records in the repaired file: all there are
}

// CheckVerdict is whether "claude --resume" would work, and why.
type CheckVerdict struct {
	Resumes Resumes `json:"resumes"` // Whether the client would resume it
	Why     string  `json:"why"`     // Reason for the verdict
}

// CheckedHome has the findings beside sessions: left by clients, in the index, in our own stores. Its Root is empty for the stores, which belong to no home.
type CheckedHome struct {
	Findings []CheckFinding `json:"findings"`       // Damage
	Notes    []CheckFinding `json:"notes"`          // Harmless oddities
	Root     string         `json:"root,omitempty"` // Directory of the home; empty for sesskeep's own stores
}

// CheckedSession is the result for one session.
type CheckedSession struct {
	File        string         `json:"file"`        // Main transcript, inside the home
	FileCount   int64          `json:"fileCount"`   // Number of files checked
	FileSize    int64          `json:"fileSize"`    // Bytes checked
	Findings    []CheckFinding `json:"findings"`    // Damage
	Notes       []CheckFinding `json:"notes"`       // Harmless oddities
	RecordCount int64          `json:"recordCount"` // Number of records checked
	Repairable  bool           `json:"repairable"`  // True if repair can mend at least one finding
	Root        string         `json:"root"`        // Directory of the session's home
	SessionID   string         `json:"sessionId"`   // Id of the session
	Verdict     CheckVerdict   `json:"verdict"`     // Whether the client would resume the session
}

// CleanRequest is the body of Clean.
type CleanRequest struct {
	DryRun    bool           `json:"dryRun,omitempty"`    // Only report what would be done
	Force     bool           `json:"force,omitempty"`     // Include sessions that are in use
	QuietDays int64          `json:"quietDays,omitempty"` // Minimum days since the last write to unneeded files. Default: 1
	Sessions  *CleanSessions `json:"sessions,omitempty"`  // Sessions to clean up. Default: none
	Unneeded  []string       `json:"unneeded,omitzero"`   // Kinds of unneeded files, as GET /clean names them, or all
}

// CleanPage is a map of what could be cleaned up.
type CleanPage struct {
	AtLeast  bool         `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage Coverage     `json:"coverage"`          // How much the answer was made from
	FileSize int64        `json:"fileSize"`          // Bytes of the unneeded files
	Sessions []OldSession `json:"sessions"`          // Sessions that could be moved to the trash, by age
	Unneeded []Unneeded   `json:"unneeded"`          // Files that nothing needs any more, by home and kind
}

// Column is a column of a table.
type Column struct {
	About string `json:"about"` // What it holds
	Name  string `json:"name"`  // Name of the column
	Type  string `json:"type"`  // Text, integer or real
}

// Command is a command file in a list.
type Command struct {
	Category    string       `json:"category,omitempty"`    // Directory that it is in
	Description string       `json:"description,omitempty"` // Description in the file
	File        string       `json:"file"`                  // Path of the file
	Kind        CommandKind  `json:"kind"`                  // Command, agent or skill
	Name        string       `json:"name"`                  // Name, as a user types it
	Scope       CommandScope `json:"scope"`                 // Where it applies: user or project
}

// CommandPage is a list of commands.
type CommandPage struct {
	Commands []Command     `json:"commands"`       // Commands, agents and skills
	HasMore  bool          `json:"hasMore"`        // True if there are more pages
	Next     string        `json:"next,omitempty"` // Cursor of the next page
	Problems []LineProblem `json:"problems"`       // Files that could not be read, by absolute path
	Total    int64         `json:"total"`          // Number of matches on all pages
}

// CommitSession is a session that made or pushed a commit.
type CommitSession struct {
	Address string `json:"address"` // Address of the session or agent
	Title   string `json:"title"`   // Its title
}

// Compacted are compactions and what they lost.
type Compacted struct {
	Compactions []Compaction `json:"compactions"` // Those that lost most
	Count       int64        `json:"count"`       // Number of compactions
	LostCount   int64        `json:"lostCount"`   // Number of those whose summary does not name something
}

// Compaction is a compaction, with what was done since the one before and is not named in its summary.
type Compaction struct {
	Address       string    `json:"address"`                 // Address of the message, for "sesskeep show"
	Commands      []string  `json:"commands"`                // Commands that were run
	Files         []string  `json:"files"`                   // Files that were changed
	PreTokenCount int64     `json:"preTokenCount,omitempty"` // Tokens before it, as the client counted them
	Project       string    `json:"project,omitempty"`       // Short name of the project
	SessionID     string    `json:"sessionId"`               // Session that it is in
	Text          string    `json:"text,omitempty"`          // What it is about
	Timestamp     time.Time `json:"timestamp,omitzero"`      // When it was written
	Title         string    `json:"title,omitempty"`         // Title of the session
	TokenCount    int64     `json:"tokenCount,omitempty"`    // Tokens behind it
	USD           float64   `json:"usd,omitempty"`           // Cost of them in dollars
}

// Comparison is two conversations from where they diverge.
type Comparison struct {
	A           Side   `json:"a"`                   // The first conversation after the fork
	B           Side   `json:"b"`                   // The second conversation after the fork
	ForkPoint   string `json:"forkPoint,omitempty"` // Uuid of the last turn in common
	SharedTurns int64  `json:"sharedTurns"`         // Number of turns that both have in common
}

// ConfigNote says what is wrong with the configuration of sesskeep, which is not obeyed.
type ConfigNote struct {
	File     string          `json:"file"`     // Path of the configuration file
	Problems []ConfigProblem `json:"problems"` // What is wrong with it, in the order of the file
}

// ConfigProblem is one thing that is wrong with the configuration.
type ConfigProblem struct {
	Line    int64  `json:"line,omitempty"` // Line of the file; 0 means the whole file
	Message string `json:"message"`        // What is wrong, and what may have been meant
}

// ContextAgent is an agent of the session.
type ContextAgent struct {
	Address        string    `json:"address"`                 // Of the agent
	AgentType      string    `json:"agentType,omitempty"`     // Type of the agent
	CreatedAt      time.Time `json:"createdAt,omitzero"`      // When it started
	Description    string    `json:"description,omitempty"`   // What it was started for
	LastActivityAt time.Time `json:"lastActivityAt,omitzero"` // When it was active last
	USD            float64   `json:"usd"`                     // Cost in dollars
}

// ContextCompaction is a compaction of a conversation.
type ContextCompaction struct {
	Address        string    `json:"address"`                  // Of the line that says so
	AfterTokens    int64     `json:"afterTokens"`              // Context of the first answer after it; 0: there is none
	BeforeTokens   int64     `json:"beforeTokens"`             // Context of that answer and its own tokens, as the API counted them
	Number         int64     `json:"number"`                   // Number of the last answer before it; 0: there is none
	PostTokenCount int64     `json:"postTokenCount,omitempty"` // Tokens after it, as the client estimated them
	PreTokenCount  int64     `json:"preTokenCount,omitempty"`  // Tokens before it, as the client estimated them
	Timestamp      time.Time `json:"timestamp,omitzero"`       // When it was written
	Trigger        string    `json:"trigger,omitempty"`        // Auto or manual
}

// ContextItem is one thing in a context.
type ContextItem struct {
	Address     string          `json:"address,omitempty"`  // Of its message; missing: no line of its own
	AnswerCount int64           `json:"answerCount"`        // Answers that had it up to this one
	File        string          `json:"file,omitempty"`     // That it is about
	Kind        ContextItemKind `json:"kind"`               // As in kinds
	SinceNumber int64           `json:"sinceNumber"`        // Number of the first answer that had it
	Text        string          `json:"text,omitempty"`     // What it is, on one line
	Timestamp   time.Time       `json:"timestamp,omitzero"` // When it was written
	TokenCount  int64           `json:"tokenCount"`         // Estimated
	Tool        string          `json:"tool,omitempty"`     // Of a result or a call
}

// ContextKinds are tokens by kind.
type ContextKinds struct {
	Answers  int64 `json:"answers"`  // Texts and calls of the model
	Mcp      int64 `json:"mcp"`      // Descriptions of the tools of MCP servers
	Memory   int64 `json:"memory"`   // CLAUDE.md and other memory
	Prompts  int64 `json:"prompts"`  // What was sent, with its images
	Results  int64 `json:"results"`  // Results of tools
	Summary  int64 `json:"summary"`  // What stands for messages that were compacted
	System   int64 `json:"system"`   // System prompt, and what the client adds while the session runs
	Thinking int64 `json:"thinking"` // Thoughts of the model
	Tools    int64 `json:"tools"`    // Descriptions of tools, skills and agents
	Unknown  int64 `json:"unknown"`  // What the transcript does not have
}

// ContextPoint is the context before one answer.
type ContextPoint struct {
	Address       string         `json:"address"`                // Address of the answer
	ContextTokens int64          `json:"contextTokens"`          // Tokens before the answer, as the API counted them
	Kinds         ContextKinds   `json:"kinds"`                  // What they consist of: estimated, and adds up to contextTokens
	MessageNumber int64          `json:"messageNumber"`          // Prompts and answers up to it
	MissCause     string         `json:"missCause,omitempty"`    // Why, as in cacheMisses
	MissedTokens  int64          `json:"missedTokens,omitempty"` // Tokens that were not in the cache any more
	Model         string         `json:"model,omitempty"`        // Model that answered
	Number        int64          `json:"number"`                 // Of the answer, from 1
	OutputTokens  int64          `json:"outputTokens"`           // Tokens of the answer, as the API counted them
	Timestamp     time.Time      `json:"timestamp,omitzero"`     // When it was written
	Tools         []ContextShare `json:"tools"`                  // Results by tool, of kinds.results, largest first
	USD           float64        `json:"usd"`                    // Cost of the answer in dollars; 0 if its model has no known price
}

// ContextShare is what the results of a tool, or about a file, take.
type ContextShare struct {
	Count      int64  `json:"count"`      // Number of results
	Name       string `json:"name"`       // Tool or file
	TokenCount int64  `json:"tokenCount"` // Estimated
}

// ContextState is what filled the context before an answer.
type ContextState struct {
	Address       string         `json:"address,omitempty"`  // Address of the answer
	ContextTokens int64          `json:"contextTokens"`      // As the API counted them
	Files         []ContextShare `json:"files"`              // Results by file, largest first
	ItemCount     int64          `json:"itemCount"`          // Number of all items
	Items         []ContextItem  `json:"items"`              // Largest items
	Kinds         ContextKinds   `json:"kinds"`              // Estimated
	Number        int64          `json:"number"`             // Of the answer; 0: there is none
	Timestamp     time.Time      `json:"timestamp,omitzero"` // When it was written
	Tools         []ContextShare `json:"tools"`              // Results by tool, largest first
}

// ContextUse is what filled the context of a conversation, answer by answer. How many tokens there were is what the API counted. What they consist of is estimated by length.
type ContextUse struct {
	Address      string              `json:"address"`                // Address of the conversation
	Agents       []ContextAgent      `json:"agents"`                 // Agents of the session: what they used is not in its context
	AnswerCount  int64               `json:"answerCount"`            // Number of answers
	At           ContextState        `json:"at"`                     // What filled the context of one of them
	AtLeast      bool                `json:"atLeast,omitempty"`      // True if totals and sums are lower bounds, because the answer was made from a part.
	Compactions  []ContextCompaction `json:"compactions"`            // Compactions of the conversation
	Coverage     Coverage            `json:"coverage"`               // How much the answer was made from
	Model        string              `json:"model,omitempty"`        // Model of the last answer
	Points       []ContextPoint      `json:"points"`                 // Answers in order; some if there are more than were asked for
	Project      string              `json:"project,omitempty"`      // Short name of the project
	Reported     *ReportedContext    `json:"reported,omitempty"`     // What the client itself counted, where the command /context was used
	SessionID    string              `json:"sessionId"`              // Session, or that of the agent
	Title        string              `json:"title,omitempty"`        // Title of the session
	UnreadCount  int64               `json:"unreadCount,omitempty"`  // Lines that could not be read; what they hold counts as unknown
	WindowTokens int64               `json:"windowTokens,omitempty"` // How many tokens fit, as its client or the model's price list says; missing: unknown
}

// Contract is all tables with their columns.
type Contract struct {
	Tables []Table `json:"tables"` // Tables that a statement can name
}

// ConversationPage is a list of conversations.
type ConversationPage struct {
	AtLeast       bool           `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Conversations []Conversation `json:"conversations"`     // Conversations, newest first
	Coverage      Coverage       `json:"coverage"`          // How much the answer was made from
	HasMore       bool           `json:"hasMore"`           // True if there are more pages
	Next          string         `json:"next,omitempty"`    // Cursor of the next page
	Root          string         `json:"root,omitempty"`    // Directory of the home
	Total         int64          `json:"total"`             // Number of conversations on all pages
}

// Count is the number of sessions, by source.
type Count struct {
	Agent    int64    `json:"agent"`              // Agents
	AtLeast  bool     `json:"atLeast,omitempty"`  // True if totals and sums are lower bounds, because the answer was made from a part.
	Behind   bool     `json:"behind,omitempty"`   // True while the index has not read everything: there may be more
	Complete bool     `json:"complete,omitempty"` // With q: true if the search read everything
	Count    int64    `json:"count,omitempty"`    // With source: number of sessions of these sources
	Coverage Coverage `json:"coverage"`           // How much the answer was made from
	Helper   int64    `json:"helper"`             // Helpers of the client
	Source   string   `json:"source,omitempty"`   // Sources that count is about, as requested
	Total    int64    `json:"total"`              // Number of matching sessions of all sources
	User     int64    `json:"user"`               // Sessions of users
}

// DamagedFile sums up the problems of one file.
type DamagedFile struct {
	Area         string   `json:"area"`                 // Part of the home that the file belongs to
	File         string   `json:"file"`                 // Path inside the home
	LostCount    int64    `json:"lostCount"`            // Unreadable records; counted only in files that people wrote
	ProblemCount int64    `json:"problemCount"`         // Number of problems
	Reasons      []Reason `json:"reasons"`              // Problems by kind
	Root         string   `json:"root"`                 // Directory of the home
	Unreadable   bool     `json:"unreadable,omitempty"` // True if the file cannot be read: its lines may be intact.
}

// Day is what was typed on one day.
type Day struct {
	Day          string `json:"day"`          // Date, such as 2026-11-15
	ProjectCount int64  `json:"projectCount"` // Projects with a prompt on that day
	PromptCount  int64  `json:"promptCount"`  // Prompts typed on that day
	SessionCount int64  `json:"sessionCount"` // Sessions with a prompt on that day
}

// DayTime is where the time of a day went.
type DayTime struct {
	Date      string `json:"date"`      // The day
	IdleMs    int64  `json:"idleMs"`    // As in the sum
	WaitingMs int64  `json:"waitingMs"` // As in the sum
	Watched   bool   `json:"watched"`   // True if some of it was watched
	WorkingMs int64  `json:"workingMs"` // As in the sum
}

// Decision is the answer to a question of a session.
type Decision struct {
	Answers      map[string]string `json:"answers,omitempty"`      // Answers to the questions, by their text: the label of an option, several joined with a comma and a space, or any other text. Every question needs one
	Behavior     DecisionBehavior  `json:"behavior"`               // Whether the tool may run
	InputHash    string            `json:"inputHash"`              // inputHash of the question; allowing another input is refused, and the question stays open. Not compared if behavior is deny
	Message      string            `json:"message,omitempty"`      // Message to the model if the tool is denied
	Scope        DecisionScope     `json:"scope,omitempty"`        // How long an allowed tool stays allowed, by the rules of the question. Default: once
	UpdatedInput json.RawMessage   `json:"updatedInput,omitempty"` // Input to use instead
}

// Deleted is the result of deleting a session.
type Deleted struct {
	Deleted bool `json:"deleted"`          // False after a dry run
	DryRun  bool `json:"dryRun,omitempty"` // True if nothing was changed
}

// DeletedLiveAgent says whether an agent was stopped.
type DeletedLiveAgent struct {
	Deleted bool `json:"deleted"` // True if it was stopped; false if it had ended
}

// DeletedSessions are the sessions that a filter moved to the trash.
type DeletedSessions struct {
	Coverage   *Coverage `json:"coverage,omitempty"` // How much of what there is the filter chose from: more may match where it is not complete
	Deleted    int64     `json:"deleted"`            // Number of sessions moved to the trash
	DryRun     bool      `json:"dryRun"`             // True if nothing was changed
	Failed     []Failed  `json:"failed"`             // Sessions that could not be moved
	SessionIDs []string  `json:"sessionIds"`         // Ids of these sessions
}

// Duplicate is a duplicate transcript: another one of its session or agent has a later line.
type Duplicate struct {
	File      string `json:"file"`      // Path inside the home
	Root      string `json:"root"`      // Directory of the home
	SessionID string `json:"sessionId"` // Id of the session or agent
}

// Event is something that happened in a session. Fields that do not go with its Kind are empty.
type Event struct {
	AgentID       string       `json:"agentId,omitempty"`       // Agent that the event is about
	Entries       []EventEntry `json:"entries,omitzero"`        // Lines that were written
	File          string       `json:"file,omitempty"`          // Path of the transcript inside the home
	From          *Position    `json:"from,omitempty"`          // Position of the first new line in the file
	ID            string       `json:"id,omitempty"`            // Send as Last-Event-ID to resume after this event
	Job           *Job         `json:"job,omitempty"`           // The job, without its result
	Kind          EventKind    `json:"kind"`                    // `appeared`: a new transcript, or a client that has none yet. `lines`: lines were appended to a transcript. `state`: the state of a session changed. `replaced`: the file has other content: forget what it said; its lines follow. `gone`: the transcript was deleted. `finished`: the client noted that an agent is done. `moved`: the client continues in another session: /clear, /branch, the picker. `reset`: the subscriber was too slow: events are missing here. `job`: how far a job is.
	NextSessionID string       `json:"nextSessionId,omitempty"` // Session in which the client continues
	Root          string       `json:"root,omitempty"`          // Directory of the home
	SessionID     string       `json:"sessionId,omitempty"`     // Session that the event is about
	State         *State       `json:"state,omitempty"`         // State of the session after the event
	Timestamp     time.Time    `json:"timestamp"`               // When it happened
	To            *Position    `json:"to,omitempty"`            // Position after the last new line
	Was           *State       `json:"was,omitempty"`           // State of the session before the event

	// Run is set by an event of kind EventKindRun: the run that changed.
	Run *Run `json:"-"`
	// Inbox is set by an event of kind EventKindInbox: all open questions.
	Inbox *InboxPage `json:"-"`
}

// EventEntry is a line of a transcript.
type EventEntry struct {
	FileSize  int64           `json:"fileSize"`            // Length of the line in bytes
	Line      int64           `json:"line"`                // Line number, from 1
	MessageID string          `json:"messageId,omitempty"` // Uuid of the line
	Raw       json.RawMessage `json:"raw,omitempty"`       // The line as it was written; left out if it is long
	Type      string          `json:"type,omitempty"`      // Type of the line
}

// Evidence is a message behind a figure.
type Evidence struct {
	Address    string    `json:"address"`              // Address of the message, for "sesskeep show"
	Project    string    `json:"project,omitempty"`    // Short name of the project
	SessionID  string    `json:"sessionId"`            // Session that it is in
	Text       string    `json:"text,omitempty"`       // What it is about
	Timestamp  time.Time `json:"timestamp,omitzero"`   // When it was written
	Title      string    `json:"title,omitempty"`      // Title of the session
	TokenCount int64     `json:"tokenCount,omitempty"` // Tokens behind it
	USD        float64   `json:"usd,omitempty"`        // Cost of them in dollars
}

// Expiring is a session whose transcript will be deleted.
type Expiring struct {
	ExpiresAt time.Time `json:"expiresAt"`         // When the client deletes the transcript
	ID        string    `json:"id"`                // Id of the session
	Project   string    `json:"project,omitempty"` // Short name of the project
	Title     string    `json:"title,omitempty"`   // Title of the session
}

// ExpiringPage is a page of sessions that the client will delete.
type ExpiringPage struct {
	AtLeast  bool              `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage Coverage          `json:"coverage"`          // How much the answer was made from
	HasMore  bool              `json:"hasMore"`           // True if there are more pages
	Next     string            `json:"next,omitempty"`    // Cursor of the next page
	Sessions []ExpiringSession `json:"sessions"`          // Sessions that will be deleted, earliest first
	Total    int64             `json:"total"`             // Number of items on all pages
}

// ExpiringSession is a session that the client will delete.
type ExpiringSession struct {
	DaysLeft  int64     `json:"daysLeft"`          // Days until then; negative if the client can delete it any time
	ExpiresAt time.Time `json:"expiresAt"`         // When the client deletes the transcript
	FileSize  int64     `json:"fileSize"`          // Bytes of the transcript
	ID        string    `json:"id"`                // Id of the session
	Kept      bool      `json:"kept"`              // True if its copy is up to date
	Project   string    `json:"project,omitempty"` // Short name of the project
	Root      string    `json:"root"`              // Directory of the home
	Title     string    `json:"title,omitempty"`   // Title of the session
}

// FacetPage is what the sessions of a list have in common.
type FacetPage struct {
	AtLeast  bool                    `json:"atLeast,omitempty"`  // True if totals and sums are lower bounds, because the answer was made from a part.
	Complete bool                    `json:"complete,omitempty"` // With q: true if the search read everything
	Coverage Coverage                `json:"coverage"`           // How much the answer was made from
	Facets   map[string][]FacetValue `json:"facets"`             // Values of each facet, most sessions first
	More     map[string]int64        `json:"more,omitempty"`     // The number of values that were left out of each facet, those with the fewest sessions.
}

// Failed is a session that could not be changed.
type Failed struct {
	Code      string `json:"code,omitempty"` // Error code, for programs
	Err       string `json:"error"`          // Why it failed
	SessionID string `json:"sessionId"`      // Id of the session, as the request named it
}

// Figure is a count with the messages behind it.
type Figure struct {
	Cost       Cost       `json:"cost"`                 // Cost of these tokens
	Count      int64      `json:"count"`                // How many there are
	Messages   []Evidence `json:"messages"`             // The most expensive of them, or the latest
	TokenCount int64      `json:"tokenCount,omitempty"` // Tokens of the messages behind it
}

// FileChange is one change of a file, or an attempt at one.
type FileChange struct {
	Added     int64     `json:"added"`              // Lines added
	AgentID   string    `json:"agentId,omitempty"`  // Agent that made the change
	MessageID string    `json:"messageId"`          // Uuid of the line with the call
	Path      string    `json:"path"`               // Path of the file
	Project   string    `json:"project"`            // Short name of the project
	Prompt    string    `json:"prompt,omitempty"`   // Prompt that led to the change; for an agent its task
	Removed   int64     `json:"removed"`            // Lines removed
	Root      string    `json:"root"`               // Directory of the home
	SessionID string    `json:"sessionId"`          // Id of the session
	State     string    `json:"state"`              // How the call ended
	Timestamp time.Time `json:"timestamp,omitzero"` // When the change was made
	Title     string    `json:"title"`              // Title of the session, or of the agent
	Tool      string    `json:"tool"`               // Tool that made the change
}

// FileComparison is what changed in a file between two versions of it.
type FileComparison struct {
	After    FileVersion `json:"after"`             // Version after, without its text
	AtLeast  bool        `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Before   FileVersion `json:"before"`            // Version before, without its text
	Coverage Coverage    `json:"coverage"`          // How much the answer was made from
	Hunks    []Hunk      `json:"hunks"`             // Places that differ
	Path     string      `json:"path"`              // Path of the file
}

// FileLog lists every change that sessions made to a file.
type FileLog struct {
	AtLeast  bool         `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Changes  []FileChange `json:"changes"`           // Changes, newest first
	Coverage Coverage     `json:"coverage"`          // How much the answer was made from
	HasMore  bool         `json:"hasMore"`           // There are more changes
	Path     string       `json:"path"`              // Path that was asked for
	Total    int64        `json:"total"`             // Number of changes found
}

// FilePage is a page of changed files.
type FilePage struct {
	Files   []ChangedFile `json:"files"`          // Changed files, sorted by path
	HasMore bool          `json:"hasMore"`        // True if there are more pages
	Next    string        `json:"next,omitempty"` // Cursor of the next page
	Total   int64         `json:"total"`          // Number of items on all pages
}

// FilePatch is one change of a file.
type FilePatch struct {
	AgentID   string    `json:"agentId,omitempty"`  // Agent that made the edit
	Hunks     []Hunk    `json:"hunks"`              // Changed places of the file
	MessageID string    `json:"messageId"`          // Uuid of the line with the call
	State     string    `json:"state"`              // How the call ended
	Timestamp time.Time `json:"timestamp,omitzero"` // When the edit was made
}

// FileRestoration is a file that got an earlier content, or would.
type FileRestoration struct {
	ActID    int64       `json:"actId,omitempty"`   // Number of the act, for undo
	AtLeast  bool        `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Changed  bool        `json:"changed"`           // False if it has that content already
	Coverage Coverage    `json:"coverage"`          // How much the answer was made from
	DryRun   bool        `json:"dryRun"`            // True if nothing was written
	File     string      `json:"file"`              // File that got the content
	Hunks    []Hunk      `json:"hunks"`             // What changes in the file
	Version  FileVersion `json:"version"`           // Version that was restored, without its text
}

// FileTree is the files of a session as they were at one time.
type FileTree struct {
	At        string        `json:"at"`                // Time or prompt that was asked for
	AtLeast   bool          `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage  Coverage      `json:"coverage"`          // How much the answer was made from
	Files     []FileVersion `json:"files"`             // Without their texts; those of which nothing was known then are left out
	Root      string        `json:"root"`              // Directory of the home
	SessionID string        `json:"sessionId"`         // Id of the session
	Total     int64         `json:"total"`             // Number of files
}

// FileVersion is a file as it was at one time.
type FileVersion struct {
	Absent    bool            `json:"absent,omitempty"`   // There was no such file
	At        string          `json:"at,omitempty"`       // The time, prompt or session that was asked for
	AtLeast   bool            `json:"atLeast,omitempty"`  // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage  Coverage        `json:"coverage"`           // How much the answer was made from
	LineCount int64           `json:"lineCount"`          // Its lines
	Outside   *Interval       `json:"outside,omitempty"`  // Others changed the file at some time in it, so that this can be the content before or after; without a from, nothing is known of the file before it
	Path      string          `json:"path"`               // Path of the file
	Source    string          `json:"source"`             // Copy (the client's file history, byte for byte) or transcript
	Sure      FileVersionSure `json:"sure"`               // Exact (recorded as a whole), replayed (edit by edit), or unknown: an event after this content cannot be replayed
	Text      string          `json:"text"`               // The content
	Timestamp time.Time       `json:"timestamp,omitzero"` // Time of the event that the content is from
	Writer    *Writer         `json:"writer,omitempty"`   // The change that it is the result of; missing if it was only seen
}

// Finding is a problem and the part of the home it is in.
type Finding struct {
	Area   string `json:"area"`             // Part of the home that the file belongs to
	Code   string `json:"code"`             // Kind of the problem, for programs
	File   string `json:"file"`             // Path inside the home
	Length int64  `json:"length,omitempty"` // Length of the damage in bytes
	Line   int64  `json:"line,omitempty"`   // Line number from 1; 0 if the problem concerns the whole file
	Lost   bool   `json:"lost,omitempty"`   // True if the bytes could not be read as a record. Otherwise the record was recovered, and the Problem only describes the file.
	Offset int64  `json:"offset"`           // Byte offset of the damage in the file
	Reason string `json:"reason"`           // Explanation for people
	Root   string `json:"root"`             // Directory of the home
}

// Fork is a turn of a conversation that has siblings.
type Fork struct {
	MessageID string `json:"messageId"` // Uuid of the turn's first line
	Turn      int64  `json:"turn"`      // Number of the turn in the conversation, from 0
	Ways      []Way  `json:"ways"`      // The turns to choose from, in the order they were written
}

// Found is a page of search results.
type Found struct {
	AtLeast  bool           `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Behind   bool           `json:"behind,omitempty"`  // True while the index has not read everything: there may be more
	Complete bool           `json:"complete"`          // True if the search read everything
	Coverage Coverage       `json:"coverage"`          // How much the answer was made from
	HasMore  bool           `json:"hasMore"`           // True if there are more pages
	Hints    []string       `json:"hints,omitzero"`    // Parts of the query that may not mean what was intended
	HitCount int64          `json:"hitCount"`          // Number of matching lines; copies of a line count once
	Next     string         `json:"next,omitempty"`    // Cursor of the next page
	Query    string         `json:"query"`             // Query as it was understood
	Results  []FoundSession `json:"results"`           // Sessions with hits, in the requested order
	Total    int64          `json:"total"`             // Number of matching sessions; a lower bound if atLeast is true
}

// FoundSession is a session with the best of its hits.
type FoundSession struct {
	HitCount    int64     `json:"hitCount"`    // Number of matching lines of the session
	ProjectPath string    `json:"projectPath"` // Working directory of the project
	Root        string    `json:"root"`        // Directory of the home
	Score       float64   `json:"score"`       // Relevance; higher is better
	Session     Session   `json:"session"`     // The session, as lists have it
	SessionID   string    `json:"sessionId"`   // Id of the session or agent
	Snippets    []Snippet `json:"snippets"`    // Best hits of the session
	Timestamp   time.Time `json:"timestamp"`   // Time of the latest hit
}

// GonePage is a page of deleted sessions that have a copy.
type GonePage struct {
	AtLeast  bool          `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage Coverage      `json:"coverage"`          // How much the answer was made from
	HasMore  bool          `json:"hasMore"`           // True if there are more pages
	Next     string        `json:"next,omitempty"`    // Cursor of the next page
	Sessions []GoneSession `json:"sessions"`          // Deleted sessions that have a copy
	Total    int64         `json:"total"`             // Number of items on all pages
}

// GoneSession is a deleted session that has a copy.
type GoneSession struct {
	FileSize       int64     `json:"fileSize"`                // Bytes of the kept files
	ID             string    `json:"id"`                      // Id of the session
	LastActivityAt time.Time `json:"lastActivityAt,omitzero"` // Time of the last line
	ModifiedAt     time.Time `json:"modifiedAt"`              // Modification time of the transcript
	NoticedAt      time.Time `json:"noticedAt"`               // When sesskeep noticed the deletion
	Project        string    `json:"project,omitempty"`       // Short name of the project
	Root           string    `json:"root"`                    // Directory of the home
	Title          string    `json:"title,omitempty"`         // Title of the session
}

// GrantRequest is the body of CreateCode and CreateToken.
type GrantRequest struct {
	Days     int64    `json:"days,omitempty"`    // Days until the token expires. Default: never
	Name     string   `json:"name,omitempty"`    // Name of the token
	Projects []string `json:"projects,omitzero"` // Limit the token to questions about these projects, at /mcp: directories or short names. Default: it is not limited
	Role     Role     `json:"role,omitempty"`    // Role of the token. Default: read
}

// Health is the result of a check-up of the homes.
type Health struct {
	AtLeast      bool              `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Config       *ConfigNote       `json:"config,omitempty"`  // What is wrong with the configuration of sesskeep
	Copies       KeepHealth        `json:"copies"`            // State of the kept copies, from the last checks
	Coverage     Coverage          `json:"coverage"`          // How much the answer was made from
	Damaged      []DamagedFile     `json:"damaged"`           // Problems by file
	Leftovers    []Leftover        `json:"leftovers"`         // Registry entries of processes that no longer run
	LostCount    int64             `json:"lostCount"`         // Number of unreadable records
	Problems     []Finding         `json:"problems"`          // Problems one by one
	Retention    []RetentionHealth `json:"retention"`         // How long the client keeps transcripts, by home
	Roots        []RootHealth      `json:"roots"`             // Homes of Claude Code
	RunningCount int64             `json:"runningCount"`      // Number of running clients
	Server       *ServerNote       `json:"server,omitempty"`  // The running sesskeep server
	Twins        []Duplicate       `json:"twins"`             // Duplicate transcripts, which lists leave out
	Unknown      []Unfamiliar      `json:"unknown"`           // Parts of the format that this version does not know
}

// Hidden says what marks stand for in a document: how many secrets of each family, and where. It never has a secret.
type Hidden struct {
	FileSize   int64         `json:"fileSize"`             // Size of the document in bytes
	Marked     []MarkedPart  `json:"marked"`               // Where the marks stand, in the order of the document; the first 500
	MoreMarked int64         `json:"moreMarked,omitempty"` // Number of further places
	Secrets    []RedactCount `json:"secrets"`              // Secrets, by family
	Title      string        `json:"title,omitempty"`      // Title of the document
}

// HistoryMessage is a message of a MessagePage.
type HistoryMessage struct {
	ID         string        `json:"id"`                  // Id of the message
	Message    StreamMessage `json:"message"`             // The message
	RawContent []Content     `json:"rawContent,omitzero"` // Content blocks as the model's API has them
	Timestamp  time.Time     `json:"timestamp"`           // When it was written
}

// Run is a run with its current or final status.
type Run struct {
	Argv           []string   `json:"argv"`                    // Arguments of the program
	By             string     `json:"by,omitempty"`            // Who started the run
	Client         string     `json:"client"`                  // Program that was started
	ClientVersion  string     `json:"clientVersion,omitempty"` // Version of the client
	Cost           RunCost    `json:"cost"`                    // Cost of the run so far
	CreatedAt      time.Time  `json:"createdAt"`               // When the run was started
	Dir            string     `json:"dir"`                     // Working directory
	DurationAPIMs  int64      `json:"durationApiMs"`           // Milliseconds of these spent waiting for the API
	DurationMs     int64      `json:"durationMs"`              // Duration of all turns in milliseconds
	EndedAt        time.Time  `json:"endedAt,omitzero"`        // When the run ended
	Err            string     `json:"error,omitempty"`         // Why the last turn, or the run, failed
	Exit           *RunExit   `json:"exit,omitempty"`          // How the client exited
	Foreign        bool       `json:"foreign,omitempty"`       // True for a question of a client that sesskeep did not start.
	Forked         bool       `json:"forked,omitempty"`        // True if the run works in a copy of the session
	HolderPID      int64      `json:"holderPid"`               // Process id of the run's holder
	ID             string     `json:"id"`                      // Id of the run
	Lines          int64      `json:"lines"`                   // Lines of output
	LogSize        int64      `json:"logSize"`                 // Bytes of the run's log
	Malformed      int64      `json:"malformed"`               // Lines of output that are not JSON or lack required fields
	Model          string     `json:"model,omitempty"`         // Requested model
	Outcome        RunOutcome `json:"outcome,omitempty"`       // How the last turn, or the run, ended
	PermissionMode string     `json:"permissionMode"`          // Requested permission mode
	Prompts        []Question `json:"prompts,omitzero"`        // Open questions, oldest first
	Purpose        string     `json:"purpose,omitempty"`       // Purpose that the starter gave the run
	QueuedMessages []string   `json:"queuedMessages,omitzero"` // IDs of the messages that wait for the end of the turn, next first
	Resumed        string     `json:"resumed,omitempty"`       // Session that the run resumes or copies
	Role           string     `json:"role,omitempty"`          // Role that the starter gave the run
	Root           string     `json:"root,omitempty"`          // Home of the session
	SessionID      string     `json:"sessionId"`               // Session that the run started or resumed
	Since          time.Time  `json:"since"`                   // When the state started
	State          RunState   `json:"state"`                   // State of the run
	Steps          int64      `json:"steps"`                   // Number of messages of the model
	Text           string     `json:"text,omitempty"`          // Last text of the last turn
	Title          string     `json:"title,omitempty"`         // Start of the first message
	Turns          int64      `json:"turns"`                   // Number of turns
	Unknown        int64      `json:"unknown"`                 // Lines of output of an unknown type
	Why            string     `json:"why,omitempty"`           // Reason for the state
}

// HolderStoredImage is a picture that is stored with a run.
type HolderStoredImage struct {
	CreatedAt time.Time `json:"createdAt"` // When the image was uploaded
	ID        string    `json:"id"`        // ID of the image, by which messages name it
	MimeType  string    `json:"mimeType"`  // Type of the image, by its bytes
	Size      int64     `json:"size"`      // Size in bytes
}

// HomeStorage is what takes space in one home.
type HomeStorage struct {
	ByAge     []AgeShare    `json:"byAge"`     // By time since the last write
	ByKind    []Share       `json:"byKind"`    // By kind of file
	ByProject []Share       `json:"byProject"` // By project
	Items     []StorageItem `json:"items"`     // By session and kind, largest first
	Orphaned  Amount        `json:"orphaned"`  // Files of sessions without a transcript
	Problems  []LineProblem `json:"problems"`  // Directories and files that could not be read
	Root      string        `json:"root"`      // Directory of the home
	Totals    Amount        `json:"totals"`    // All files of the home
}

// ImageList are the images of an agent.
type ImageList struct {
	Images []HolderStoredImage `json:"images"` // Images, oldest first
}

// InboxItem is a prompt that waits for an answer.
type InboxItem struct {
	AgentID     string           `json:"agentId,omitempty"`     // Sub-agent that asks
	BlockedPath string           `json:"blockedPath,omitempty"` // Path that the permission is for
	Deadline    time.Time        `json:"deadline"`              // When the question is denied if there is no answer
	Description string           `json:"description,omitempty"` // What the tool call does, in the client's words
	Dir         string           `json:"dir"`                   // Working directory of the run
	Foreign     bool             `json:"foreign,omitempty"`     // True if sesskeep did not start the client that asks
	ID          string           `json:"id"`                    // Id of the question
	Input       json.RawMessage  `json:"input"`                 // Exact input of the tool
	InputHash   string           `json:"inputHash"`             // Hash of the input, which the answer must name
	Kind        QuestionKind     `json:"kind"`                  // Permission to use a tool, or a question with options
	Questions   []PromptQuestion `json:"questions,omitzero"`    // What the model asks, in order; each needs an answer. Only with the kind question
	Reason      string           `json:"reason,omitempty"`      // Why the client asks
	Root        string           `json:"root,omitempty"`        // Directory of the session's home
	Rules       []PermissionRule `json:"rules,omitzero"`        // Rules that an answer with the scope run or always would add
	RunID       string           `json:"runId"`                 // Id of the run
	SessionID   string           `json:"sessionId"`             // Id of the session
	Since       time.Time        `json:"since"`                 // When the question was asked
	Title       string           `json:"title,omitempty"`       // Title of the run
	Tool        string           `json:"tool"`                  // Name of the tool
	ToolUseID   string           `json:"toolUseId,omitempty"`   // Id of the tool call
}

// InboxPage is a page of open questions.
type InboxPage struct {
	HasMore bool        `json:"hasMore"`        // True if there are more pages
	Next    string      `json:"next,omitempty"` // Cursor of the next page
	Prompts []InboxItem `json:"prompts"`        // Open questions, oldest first
	Total   int64       `json:"total"`          // Number of items on all pages
}

// Behind says since when changes may be missing, and why.
type Behind struct {
	Reason string    `json:"reason"`         // Why they are missing
	Since  time.Time `json:"since,omitzero"` // When the first of them may have been made
}

// Conversation is one branch of a session in a list.
type Conversation struct {
	Active         bool      `json:"active"`                  // True for the conversation that a resume continues
	ForkPoint      string    `json:"forkPoint,omitempty"`     // Uuid of the last turn that it shares with another conversation
	Kind           string    `json:"kind"`                    // How it came about: main, retry, edit, rewind or compact
	LastActivityAt time.Time `json:"lastActivityAt,omitzero"` // Time of the last line
	Leaf           string    `json:"leaf"`                    // Uuid of the last line, which names the conversation
	MessageCount   int64     `json:"messageCount"`            // Number of user and assistant lines
	Name           string    `json:"name"`                    // Start of the prompt that makes the conversation differ
	PromptCount    int64     `json:"promptCount"`             // Number of prompts
	SessionID      string    `json:"sessionId"`               // Id of the session
}

// Counts are rows by source.
type Counts struct {
	Agent    int64 `json:"agent"`    // Agents
	Archived int64 `json:"archived"` // Archived counts the archived rows of all sources. The other counts leave them out.
	Helper   int64 `json:"helper"`   // Helpers of the client
	User     int64 `json:"user"`     // Sessions of users
}

// Coverage is how much of what there is an answer was made from. An answer from a part must say so: it looks like the whole otherwise.
type Coverage struct {
	Behind          *Behind      `json:"behind,omitempty"`          // Why changes may be missing though no reading is under way; nil: they are not.
	Complete        bool         `json:"complete"`                  // True if the answer was made from everything there is
	Reading         *Progress    `json:"reading,omitempty"`         // The progress of a reading under way, newest files first; nil: there is none.
	SearchStopped   bool         `json:"searchStopped,omitempty"`   // True if a search stopped at its budget: more may match.
	SkippedSize     int64        `json:"skippedSize,omitempty"`     // Bytes of text that the search did not read, if it counted them
	Unreadable      []Unreadable `json:"unreadable,omitzero"`       // What could not be read, at most 10 of it.
	UnreadableCount int64        `json:"unreadableCount,omitempty"` // Number of files and directories that could not be read
}

// FacetValue is how many rows a list would have if the value were asked for, in place of what its filter says of the facet.
type FacetValue struct {
	Count int64  `json:"count"`           // Number of rows that the list would have
	Label string `json:"label,omitempty"` // For a project: its path
	Value string `json:"value"`           // Value of the facet, as the filter accepts it
}

// Limit is how much of a plan's limit is used, as a client last reported it.
type Limit struct {
	FullAt         time.Time `json:"fullAt,omitzero"`          // When the limit is used up at this pace, if that is before it resets.
	Home           string    `json:"home,omitempty"`           // What that home is called
	Name           string    `json:"name"`                     // Name of the limit: five_hour, seven_day, …
	PercentPerHour float64   `json:"percentPerHour,omitempty"` // The percentage used in an hour since the window started; 0: it is not known.
	ResetsAt       time.Time `json:"resetsAt,omitzero"`        // When the limit resets
	Root           string    `json:"root"`                     // Home that is used with the plan
	SeenAt         time.Time `json:"seenAt"`                   // When a client reported it
	UsedPercent    float64   `json:"usedPercent"`              // Percentage used
}

// Damage is damage in one of the homes.
type Damage struct {
	Code   string `json:"code"`             // Kind of the problem, for programs
	File   string `json:"file"`             // Path inside the home
	Length int64  `json:"length,omitempty"` // Length of the damage in bytes
	Line   int64  `json:"line,omitempty"`   // Line number from 1; 0 if the problem concerns the whole file
	Lost   bool   `json:"lost,omitempty"`   // True if the bytes could not be read as a record. Otherwise the record was recovered, and the Problem only describes the file.
	Offset int64  `json:"offset"`           // Byte offset of the damage in the file
	Reason string `json:"reason"`           // Explanation for people
	Root   string `json:"root"`             // Directory of the home
}

// Progress is how far a reading is.
type Progress struct {
	Files int64 `json:"files"` // Number of files that were read
	Total int64 `json:"total"` // Number of files to read; 0 until they are counted
}

// State is what a session does now, in a word and with its reason.
type State struct {
	PID        int64        `json:"pid,omitempty"`        // Process id of the client
	Since      time.Time    `json:"since,omitzero"`       // When the state started
	WaitingFor string       `json:"waitingFor,omitempty"` // What the session waits for
	Why        string       `json:"why"`                  // Reason for the state
	Word       SessionState `json:"word"`                 // Working, needs you, your turn, idle, unclean or ended
}

// Unreadable is a file or a directory that could not be read.
type Unreadable struct {
	Path   string `json:"path,omitempty"` // Path of the file or directory
	Reason string `json:"reason"`         // Why it could not be read
}

// Insights are the figures.
type Insights struct {
	Agents       AgentFigure `json:"agents"`            // Sub-agents that cost more than they returned
	AtLeast      bool        `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	CacheMisses  CacheMisses `json:"cacheMisses"`       // Answers that had to be given their context again
	Compactions  Compacted   `json:"compactions"`       // Compactions and what they lost
	Corrections  Figure      `json:"corrections"`       // Sessions that were interrupted or refused several times
	Cost         Cost        `json:"cost"`              // Cost of all their messages, with those of agents
	Coverage     Coverage    `json:"coverage"`          // How much the answer was made from
	LoopCount    int64       `json:"loopCount"`         // Number of loops
	Loops        []Loop      `json:"loops"`             // Failing calls that were repeated
	Outcomes     Outcomes    `json:"outcomes"`          // How sessions ended
	SessionCount int64       `json:"sessionCount"`      // Number of sessions with something in that time
	Since        time.Time   `json:"since,omitzero"`    // Start of the time that is counted
	ThrownAway   Waste       `json:"thrownAway"`        // Work that was thrown away
	Time         TimeSpent   `json:"time"`              // Where the time went
	Tools        []ToolTimes `json:"tools"`             // Tools, most failures first
	TZ           string      `json:"tz"`                // Time zone of days and hours
	Until        time.Time   `json:"until,omitzero"`    // End of the time that is counted
	Waits        Waits       `json:"waits"`             // Questions about permissions
}

// Interval is a time in which others changed a file, or may have: before Until nothing is known of it if From is missing.
type Interval struct {
	From  time.Time `json:"from,omitzero"` // When the file was known last; missing: it was first seen at until
	Until time.Time `json:"until"`         // When it was known again, and other
}

// Job is work that takes long, which the caller does not wait for.
type Job struct {
	Actor      Actor           `json:"actor"`              // Who started the job
	Code       ErrorCode       `json:"code,omitempty"`     // Error code, for programs
	DoneCount  int64           `json:"doneCount"`          // Units of work done so far
	EndedAt    time.Time       `json:"endedAt,omitzero"`   // When the job ended
	Err        string          `json:"error,omitempty"`    // Why the job failed
	FileSize   int64           `json:"fileSize,omitempty"` // Bytes processed so far
	ID         string          `json:"id"`                 // Id of the job
	Kind       string          `json:"kind"`               // What the job does: bulk, delete, clean, keep, verify, check, move
	Result     json.RawMessage `json:"result,omitempty"`   // Once the job is done: the response that the request would have had without async=true
	StartedAt  time.Time       `json:"startedAt"`          // When the job started
	State      JobState        `json:"state"`              // State of the job
	TotalCount int64           `json:"totalCount"`         // Units of work in all; 0 while unknown
}

// JobPage is a page of jobs.
type JobPage struct {
	HasMore bool   `json:"hasMore"`        // True if there are more pages
	Jobs    []Job  `json:"jobs"`           // Jobs, newest first
	Next    string `json:"next,omitempty"` // Cursor of the next page
	Total   int64  `json:"total"`          // Number of items on all pages
}

// KeepFlaw is a part of the copies that differs from what was written.
type KeepFlaw struct {
	File   string `json:"file,omitempty"` // File that the copy was made of, if known
	Path   string `json:"path"`           // Path of the damaged copy
	Reason string `json:"reason"`         // What is wrong
}

// KeepHealth is the result of the last checks of the copies.
type KeepHealth struct {
	AllCheckedAt time.Time  `json:"allCheckedAt,omitzero"` // The time since which every copy has been checked; zero if some never were.
	CheckedAt    time.Time  `json:"checkedAt,omitzero"`    // When some of the copies were last checked; zero if never.
	Flaws        []KeepFlaw `json:"flaws"`                 // Known damage that is not repaired
}

// KeepProblem is a file that could not be copied.
type KeepProblem struct {
	File   string `json:"file"`   // File that could not be copied
	Reason string `json:"reason"` // Why it could not be copied
}

// KeepStatus describes what is kept.
type KeepStatus struct {
	AllCheckedAt    time.Time      `json:"allCheckedAt,omitzero"` // The time since which every copy has been checked; zero if some never were.
	AskedAt         time.Time      `json:"askedAt,omitzero"`      // When the user last turned keeping on or off
	BehindCount     int64          `json:"behindCount"`           // Sessions that changed since they were copied
	CheckedAt       time.Time      `json:"checkedAt,omitzero"`    // When some of the copies were last checked; zero if never.
	CopyOnlyCount   int64          `json:"copyOnlyCount"`         // Sessions with a copy whose transcript is gone
	CoveredCount    int64          `json:"coveredCount"`          // Sessions that are kept completely
	Dir             string         `json:"dir"`                   // Directory of the copies
	Exclude         []string       `json:"exclude"`               // Projects that are not kept
	FileSize        int64          `json:"fileSize"`              // Bytes of the copies
	Flaws           []KeepFlaw     `json:"flaws"`                 // Known damage that is not repaired
	FreeSize        int64          `json:"freeSize,omitempty"`    // Free bytes on the disk of the copies
	KeptCount       int64          `json:"keptCount"`             // Sessions with a copy
	LagSeconds      int64          `json:"lagSeconds"`            // Seconds since the oldest change that is not copied
	MissingSize     int64          `json:"missingSize"`           // Bytes of these that are not kept
	OldVersionCount int64          `json:"oldVersionCount"`       // Older versions of files
	On              bool           `json:"on"`                    // True if keeping is on
	Places          []MirrorStatus `json:"places"`                // The second places of the copies.
	Problem         string         `json:"problem,omitempty"`     // What is wrong with the configuration
	Quota           int64          `json:"quota,omitempty"`       // Limit for the size of the copies in bytes
	Ratio           float64        `json:"ratio"`                 // The number of source bytes that one byte of the copies represents.
	SessionCount    int64          `json:"sessionCount"`          // Sessions in the homes
	SourceSize      int64          `json:"sourceSize"`            // Bytes of all files to keep
	Stopped         string         `json:"stopped,omitempty"`     // Why keeping stopped
	Unread          []KeepProblem  `json:"unread"`                // The directories and files of the homes that could not be read. Their contents are not counted.
}

// KeepVerified is the result of a check of the copies.
type KeepVerified struct {
	Away          []string   `json:"away"`                    // Second places that could not be checked
	FileSize      int64      `json:"fileSize"`                // Bytes checked
	Flaws         []KeepFlaw `json:"flaws"`                   // Damage that remains
	RepairedCount int64      `json:"repairedCount,omitempty"` // Damaged copies that were repaired
	SessionCount  int64      `json:"sessionCount"`            // Sessions checked
	VersionCount  int64      `json:"versionCount"`            // Versions of files checked
}

// KeptNow is the result of copying.
type KeptNow struct {
	CopiedCount   int64          `json:"copiedCount"`             // Files that were copied, whole or in part
	CopiedSize    int64          `json:"copiedSize"`              // Bytes copied
	DryRun        bool           `json:"dryRun,omitempty"`        // True if nothing was copied
	FileCount     int64          `json:"fileCount"`               // Files that were checked
	GoneCount     int64          `json:"goneCount"`               // Files whose deletion was noticed now
	Places        []MirrorReport `json:"places"`                  // The second places, and what was copied there.
	Problems      []KeepProblem  `json:"problems"`                // Files that could not be copied
	RepairedCount int64          `json:"repairedCount,omitempty"` // Damaged copies that were made again from their sources
	SessionCount  int64          `json:"sessionCount"`            // Sessions that were checked
	Stopped       string         `json:"stopped,omitempty"`       // Why copying stopped early
}

// PromptQuestion is one question of the model. A prompt of the kind question has one or more of them, and every one needs an answer: labels of its options, or a text of one's own.
type PromptQuestion struct {
	Header      string         `json:"header,omitempty"`      // The question in a word or two
	MultiSelect bool           `json:"multiSelect,omitempty"` // True if several options may be chosen; an answer joins their labels with a comma and a space
	Options     []PromptOption `json:"options,omitzero"`      // What can be chosen; a text of one's own is always an answer too
	Question    string         `json:"question"`              // The question; an answer names it by this text
}

// RunCost is what a run cost, according to the client.
type RunCost struct {
	USD float64 `json:"usd"` // US dollars, as the client computes them
}

// RunEvent is a line of the lifecycle log. It contains no text of prompts or answers: those are in the transcript.
type RunEvent struct {
	Behavior       DecisionBehavior `json:"behavior,omitempty"`       // Allow or deny
	By             string           `json:"by,omitempty"`             // Who answered or stopped the run
	Bytes          int64            `json:"bytes,omitempty"`          // Length of the message in bytes
	ChangedInput   bool             `json:"changedInput,omitempty"`   // True if the answer changed the input
	Cost           *RunCost         `json:"cost,omitempty"`           // Cost of the run so far
	DurationMs     int64            `json:"durationMs,omitempty"`     // Duration in milliseconds
	Err            string           `json:"error,omitempty"`          // What went wrong
	Event          RunEventEvent    `json:"event"`                    // What happened
	InputHash      string           `json:"inputHash,omitempty"`      // Hash of the tool's input
	MessageID      string           `json:"messageId,omitempty"`      // Uuid of the message
	Model          string           `json:"model,omitempty"`          // Model that the run uses
	Next           time.Time        `json:"next,omitzero"`            // When the turn is tried again
	PermissionMode string           `json:"permissionMode,omitempty"` // Permission mode that the run uses
	PromptID       string           `json:"promptId,omitempty"`       // Id of the question
	Reason         string           `json:"reason,omitempty"`         // Why the tool was denied, or the run ended
	Scope          DecisionScope    `json:"scope,omitempty"`          // How long the permission holds: once, run or always
	SessionID      string           `json:"sessionId,omitempty"`      // Id of the session
	Timestamp      time.Time        `json:"timestamp"`                // When it happened
	Tool           string           `json:"tool,omitempty"`           // Tool that the question is about
	Why            string           `json:"why,omitempty"`            // Reason
}

// RunExit describes how the client ended.
type RunExit struct {
	Code   int64  `json:"code,omitempty"`   // Exit code of the client
	Launch string `json:"launch,omitempty"` // Why the client could not be started
	Signal string `json:"signal,omitempty"` // Signal that ended the client
	Stderr string `json:"stderr,omitempty"` // The end of the client's error output
}

// PromptOption is one answer that the model suggests.
type PromptOption struct {
	Description string `json:"description,omitempty"` // What the answer means
	Label       string `json:"label"`                 // The answer, as the model gets it
	Preview     string `json:"preview,omitempty"`     // What the answer would look like
}

// Question is a question of the client that waits for an answer.
type Question struct {
	AgentID     string           `json:"agentId,omitempty"`     // Sub-agent that asks
	BlockedPath string           `json:"blockedPath,omitempty"` // Path that the permission is for
	Deadline    time.Time        `json:"deadline"`              // When the question is denied if there is no answer
	Description string           `json:"description,omitempty"` // What the tool call does, in the client's words
	ID          string           `json:"id"`                    // Id of the question
	Input       json.RawMessage  `json:"input"`                 // Exact input of the tool
	InputHash   string           `json:"inputHash"`             // Hash of the input, which the answer must name
	Kind        QuestionKind     `json:"kind"`                  // Permission to use a tool, or a question with options
	Questions   []PromptQuestion `json:"questions,omitzero"`    // What the model asks, in order; each needs an answer. Only with the kind question
	Reason      string           `json:"reason,omitempty"`      // Why the client asks
	Rules       []PermissionRule `json:"rules,omitzero"`        // Rules that an answer with the scope run or always would add
	Since       time.Time        `json:"since"`                 // When the question was asked
	Tool        string           `json:"tool"`                  // Name of the tool
	ToolUseID   string           `json:"toolUseId,omitempty"`   // Id of the tool call
}

// PermissionRule is something that would be allowed from now on.
type PermissionRule struct {
	Destination string `json:"destination"` // The settings file that an answer with the scope always changes, by the client's name for it.
	Text        string `json:"text"`        // The rule as the client writes it into its settings
}

// Ledger breaks a total down, with what the addresses of its rows need.
type Ledger struct {
	AtLeast   bool         `json:"atLeast,omitempty"`   // True if totals and sums are lower bounds, because the answer was made from a part.
	Client    *ClientCost  `json:"client,omitempty"`    // Total that the client itself recorded
	Counts    LedgerCounts `json:"counts"`              // How many rows count, and how many do not
	Coverage  Coverage     `json:"coverage"`            // How much the answer was made from
	HasMore   bool         `json:"hasMore"`             // True if there are more pages
	Next      string       `json:"next,omitempty"`      // Cursor of the next page
	Prices    PriceList    `json:"prices"`              // Price list that was used
	Rows      []LedgerRow  `json:"rows"`                // Messages, newest first
	SessionID string       `json:"sessionId,omitempty"` // Session or agent that the ledger is limited to
	Sums      []LedgerSum  `json:"sums"`                // Arithmetic by price; adds up to totals
	Total     int64        `json:"total"`               // Number of rows on all pages
	Totals    Spending     `json:"totals"`              // Sum of the rows that count
	Unpriced  []Unpriced   `json:"unpriced"`            // Models without a price
}

// Leftover is the entry of a process that is registered and does not run here.
type Leftover struct {
	File      string    `json:"file"`               // Path of the registry entry inside the home
	PID       int64     `json:"pid"`                // Process id in the entry
	Root      string    `json:"root"`               // Directory of the home
	SessionID string    `json:"sessionId"`          // Session in the entry
	StartedAt time.Time `json:"startedAt,omitzero"` // When the process started
}

// Link is a link to a page as lists show it.
type Link struct {
	CreatedAt time.Time     `json:"createdAt,omitzero"` // When the link was created
	Expired   bool          `json:"expired,omitempty"`  // True if the link has expired
	ExpiresAt time.Time     `json:"expiresAt,omitzero"` // When the link expires
	FileSize  int64         `json:"fileSize"`           // Size of the page in bytes
	ID        string        `json:"id"`                 // Id of the link
	Problem   string        `json:"problem,omitempty"`  // Why the page cannot be shown
	Secrets   []RedactCount `json:"secrets"`            // What marks stand for in the page
	Session   string        `json:"session"`            // Id of the session or agent that the page shows
	Title     string        `json:"title,omitempty"`    // Title of the page
}

// LinkRequest is the body of CreateLink.
type LinkRequest struct {
	Agents          bool   `json:"agents,omitempty"`          // Include sub-agents
	All             bool   `json:"all,omitempty"`             // All conversations
	ExcludeThinking bool   `json:"excludeThinking,omitempty"` // Leave out thinking
	ExcludeTools    bool   `json:"excludeTools,omitempty"`    // Leave out tool calls
	From            string `json:"from,omitempty"`            // Message that the document begins with. Default: the first
	Hours           int64  `json:"hours,omitempty"`           // Hours until the link expires. Default: 168, a week
	Leaf            string `json:"leaf,omitempty"`            // Conversation, by the uuid of its last line. Default: the active one
	Replay          bool   `json:"replay,omitempty"`          // Add controls that play the session on its time axis (html only)
	To              string `json:"to,omitempty"`              // Message that the document ends with. Default: the last
}

// LinkPage is a page of links.
type LinkPage struct {
	Enabled bool   `json:"enabled"`        // True if the server shows shared pages
	HasMore bool   `json:"hasMore"`        // True if there are more pages
	Links   []Link `json:"links"`          // Links, the newest first
	Next    string `json:"next,omitempty"` // Cursor of the next page
	Total   int64  `json:"total"`          // Number of items on all pages
}

// LiveAgent is a run as clients of cli-bridge know it.
type LiveAgent struct {
	CreatedAt   time.Time      `json:"createdAt"`   // When the agent was started
	ID          string         `json:"id"`          // ID of the agent, which is that of its run
	IsHelper    bool           `json:"isHelper"`    // True if it was started as a helper
	Model       string         `json:"model"`       // Model; default if it is not known yet
	ProjectPath string         `json:"projectPath"` // Working directory
	SessionID   string         `json:"sessionId"`   // ID of the session
	State       LiveAgentState `json:"state"`       // State of the agent
}

// AgentDetail is an agent with what it waits for.
type AgentDetail struct {
	CreatedAt            time.Time                 `json:"createdAt"`            // When the agent was started
	HasPendingPermission bool                      `json:"hasPendingPermission"` // True if it waits for permission
	HasPendingQuestion   bool                      `json:"hasPendingQuestion"`   // True if it waits for the answer to a question
	HasQueuedInput       bool                      `json:"hasQueuedInput"`       // True if messages wait for the end of its turn
	ID                   string                    `json:"id"`                   // ID of the agent, which is that of its run
	IsHelper             bool                      `json:"isHelper"`             // True if it was started as a helper
	LastActivityAt       time.Time                 `json:"lastActivityAt"`       // When its state last changed
	Model                string                    `json:"model"`                // Model; default if it is not known yet
	PermissionMode       AgentDetailPermissionMode `json:"permissionMode"`       // How it asks for permission; default also for the modes that cli-bridge does not have
	ProjectPath          string                    `json:"projectPath"`          // Working directory
	SessionID            string                    `json:"sessionId"`            // ID of the session
	State                LiveAgentState            `json:"state"`                // State of the agent
}

// AgentRow is an agent in a list.
type AgentRow struct {
	CreatedAt           time.Time      `json:"createdAt"`           // When the agent was started
	HasActiveConnection bool           `json:"hasActiveConnection"` // True if a socket is connected that may steer it
	ID                  string         `json:"id"`                  // ID of the agent, which is that of its run
	IsHelper            bool           `json:"isHelper"`            // True if it was started as a helper
	LastActivityAt      time.Time      `json:"lastActivityAt"`      // When its state last changed
	Model               string         `json:"model"`               // Model; default if it is not known yet
	ProjectPath         string         `json:"projectPath"`         // Working directory
	SessionID           string         `json:"sessionId"`           // ID of the session
	State               LiveAgentState `json:"state"`               // State of the agent
}

// Agents are the agents that have not ended.
type Agents struct {
	Agents []AgentRow `json:"agents"`          // Agents, newest first
	Unread []string   `json:"unread,omitzero"` // Runs that could not be read, or not whole, with the reason
}

// Position is the start of a line in a file.
type Position struct {
	Line   int64 `json:"line"`   // Number of lines before it
	Offset int64 `json:"offset"` // Byte offset in the file
}

// LoginRequest is the body of Login.
type LoginRequest struct {
	Code   string `json:"code"`             // The one-time code
	Device string `json:"device,omitempty"` // Name that the browser gives itself, for a code without a name
}

// Loop is a failing call that was repeated.
type Loop struct {
	Count     int64      `json:"count"`             // How often it failed
	Messages  []Evidence `json:"messages"`          // The calls
	Project   string     `json:"project,omitempty"` // Short name of the project
	SessionID string     `json:"sessionId"`         // Session that it is in
	Text      string     `json:"text"`              // What it was called with
	Title     string     `json:"title,omitempty"`   // Title of the session
	Tool      string     `json:"tool"`              // Name of the tool
	USD       float64    `json:"usd"`               // Cost of the answers from the second call to the last one
}

// MarkedPart is a place in a document that has marks.
type MarkedPart struct {
	Address string   `json:"address"` // Address of the message, or of the session for the top of the document
	In      string   `json:"in"`      // What the marks stand in: head, prompt, text, thinking or another kind, or the name of a tool
	Marks   []string `json:"marks"`   // The marks, each once, such as github-token:1
}

// Member is a file of a family in the trash, as it was.
type Member struct {
	File       string    `json:"file"`             // Inside the home
	FileSize   int64     `json:"fileSize"`         // Bytes
	Mode       int64     `json:"mode"`             // Permission bits of the file
	ModifiedAt time.Time `json:"modifiedAt"`       // When the file was last modified
	Sum256     string    `json:"sum256,omitempty"` // SHA-256 of a transcript
}

// MessageCursorGone reports a cursor that names no message of the conversation.
type MessageCursorGone struct {
	Code     MessageCursorGoneCode `json:"code"`               // What went wrong, for programs
	CursorID string                `json:"cursorId,omitempty"` // Message that the cursor names
	Message  string                `json:"message,omitempty"`  // Explanation for people
}

// MessageFilters repeats the request. A result is always part of its call.
type MessageFilters struct {
	Denormalize bool                `json:"denormalize"` // Always true: a result is part of its call
	Order       MessageFiltersOrder `json:"order"`       // Order of the messages
	Types       []string            `json:"types"`       // Requested types of messages
}

// MessageIntegrity reports how much of the file could be read.
type MessageIntegrity struct {
	CorruptedLines   int64    `json:"corruptedLines"`   // Lines that could not be read
	CorruptedSamples []string `json:"corruptedSamples"` // What is wrong, and where; never the contents of the line
	TotalLines       int64    `json:"totalLines"`       // Lines of the file
	ValidLines       int64    `json:"validLines"`       // Lines that could be read
}

// MessagePage is a page of messages as clients of cli-bridge read it.
type MessagePage struct {
	APIVersion string             `json:"apiVersion"`      // Version of this format
	Err        *MessageCursorGone `json:"error,omitempty"` // Set if the cursor names no message
	Filters    MessageFilters     `json:"filters"`         // Filters of the request
	Integrity  MessageIntegrity   `json:"integrity"`       // How much of the file could be read
	Messages   []HistoryMessage   `json:"messages"`        // Messages in the requested order
	Pagination MessagePagination  `json:"pagination"`      // Which messages this page has
}

// MessagePagination describes the page. Total is the number of messages on all pages.
type MessagePagination struct {
	HasMore    bool   `json:"hasMore"`              // True if there are more pages
	Limit      int64  `json:"limit"`                // Maximum number of messages on a page
	NextCursor string `json:"nextCursor,omitempty"` // Pass as before to read older messages
	Offset     int64  `json:"offset"`               // Number of messages before this page
	PrevCursor string `json:"prevCursor,omitempty"` // Pass as after to read newer messages
	Total      int64  `json:"total"`                // Number of messages on all pages
}

// MirrorReport is what was done with a second place.
type MirrorReport struct {
	Away          string        `json:"away,omitempty"`    // Why it cannot be reached now
	BehindCount   int64         `json:"behindCount"`       // How many sessions have changed copies since then.
	ComparedCount int64         `json:"comparedCount"`     // Sessions that were compared
	CopiedCount   int64         `json:"copiedCount"`       // Of them, those that it lacked, wholly or in part
	CopiedSize    int64         `json:"copiedSize"`        // Bytes copied
	Dir           string        `json:"dir"`               // Directory that the user chose
	MendedCount   int64         `json:"mendedCount"`       // Of them, those that were damaged in one place
	Problems      []KeepProblem `json:"problems"`          // What could not be copied
	RestoredCount int64         `json:"restoredCount"`     // Of them, those that the first place had lost
	Stopped       string        `json:"stopped,omitempty"` // Why copying stopped early
	SyncedAt      time.Time     `json:"syncedAt,omitzero"` // When it last had every copy
	WaitingCount  int64         `json:"waitingCount"`      // How many removals of copies it has not caught up.
}

// MirrorStatus describes a second place with all copies.
type MirrorStatus struct {
	Away         string    `json:"away,omitempty"`    // Why it cannot be reached now
	BehindCount  int64     `json:"behindCount"`       // How many sessions have changed copies since then.
	Dir          string    `json:"dir"`               // Directory that the user chose
	SyncedAt     time.Time `json:"syncedAt,omitzero"` // When it last had every copy
	WaitingCount int64     `json:"waitingCount"`      // How many removals of copies it has not caught up.
}

// ClientCost is the total that the client itself recorded last in the file. It includes requests that no transcript has, continues over resumes, and a fork inherits it.
type ClientCost struct {
	UnknownModel bool    `json:"unknownModel,omitempty"` // True if the client had no price for some of the models
	USD          float64 `json:"usd"`                    // US dollars
}

// Cost is the cost of the tokens that have a price.
type Cost struct {
	UnpricedModels []string `json:"unpricedModels"` // Models without a price, which usd leaves out
	USD            float64  `json:"usd"`            // The amount in US dollars; nil if tokens were used and none of them has a price.
}

// LedgerCounts counts the rows by how they were used.
type LedgerCounts struct {
	Counted   int64 `json:"counted"`   // Messages that count
	Dropped   int64 `json:"dropped"`   // Messages that count in another file
	Merged    int64 `json:"merged"`    // Lines that repeat a message of the same file
	Rows      int64 `json:"rows"`      // Messages in all files
	Synthetic int64 `json:"synthetic"` // Answers that the client made up
}

// LedgerRow is a message as it is in one file.
type LedgerRow struct {
	AgentID     string         `json:"agentId,omitempty"`     // Agent that received the answer
	AnswerID    string         `json:"answerId"`              // Message id of the model's answer
	Call        string         `json:"call,omitempty"`        // Kind of the extra call made for the answer; empty for the answer itself
	Counted     bool           `json:"counted"`               // True if the message counts
	CountedFile string         `json:"countedFile,omitempty"` // File in which it counts instead
	CountedIn   string         `json:"countedIn,omitempty"`   // Session or agent in which it counts instead
	CountedRoot string         `json:"countedRoot,omitempty"` // Home in which it counts instead
	File        string         `json:"file"`                  // Path of the transcript inside the home
	LineCount   int64          `json:"lineCount"`             // Lines that repeat the message; each counter has their maximum
	Model       string         `json:"model"`                 // Model that answered
	Price       *Price         `json:"price,omitempty"`       // Price of the message
	Project     string         `json:"project"`               // Short name of the project
	Root        string         `json:"root"`                  // Directory of the home
	SessionID   string         `json:"sessionId"`             // Id of the session
	Sum         []PricedAmount `json:"sum,omitzero"`          // Arithmetic, counter by counter
	Timestamp   time.Time      `json:"timestamp,omitzero"`    // When the message was written
	Usage       TokenUsage     `json:"usage"`                 // Tokens of the message
	USD         float64        `json:"usd"`                   // US dollars; null if the message does not count or has no price
	Why         string         `json:"why,omitempty"`         // Why it does not count
}

// LedgerSum is the sum of all messages with one price.
type LedgerSum struct {
	MessageCount int64          `json:"messageCount"` // Number of messages
	Price        Price          `json:"price"`        // Price of the messages
	Sum          []PricedAmount `json:"sum"`          // Arithmetic, counter by counter
	USD          float64        `json:"usd"`          // US dollars
}

// ModelStats is the usage of one model.
type ModelStats struct {
	Cost         Cost       `json:"cost"`         // Cost of these tokens
	MessageCount int64      `json:"messageCount"` // Number of answers
	Model        string     `json:"model"`        // Id of the model
	Usage        TokenUsage `json:"usage"`        // Tokens
}

// PriceList describes the prices that a report used.
type PriceList struct {
	Date   string   `json:"date"`             // Date of the prices
	Own    []string `json:"own"`              // Models whose prices come from the user's file
	Source string   `json:"source,omitempty"` // Where the prices come from
}

// ProjectStats is what happened in a project.
type ProjectStats struct {
	Cost         Cost   `json:"cost"`         // Cost of all its sessions
	Project      string `json:"project"`      // Short name of the project
	ProjectPath  string `json:"projectPath"`  // Working directory of the project
	PromptCount  int64  `json:"promptCount"`  // Number of prompts
	SessionCount int64  `json:"sessionCount"` // Number of sessions
}

// Spending is an amount of tokens and what it cost.
type Spending struct {
	Cost         Cost       `json:"cost"`         // Cost of these tokens
	MessageCount int64      `json:"messageCount"` // Number of answers
	Usage        TokenUsage `json:"usage"`        // Tokens
}

// ToolStats counts the calls of a tool, and how many of them failed or were denied.
type ToolStats struct {
	CallCount  int64  `json:"callCount"`  // Number of calls
	ErrorCount int64  `json:"errorCount"` // Number of calls that failed or were denied
	Tool       string `json:"tool"`       // Name of the tool
}

// Unpriced is a model without a price, with its tokens.
type Unpriced struct {
	Model      string  `json:"model"`      // Id of the model
	Share      float64 `json:"share"`      // Their share of all tokens of the report, from 0 to 1
	TokenCount int64   `json:"tokenCount"` // Number of its tokens
}

// UsageTotal sums up everything that matches.
type UsageTotal struct {
	ArchivedCount int64      `json:"archivedCount"` // Number of these that are archived
	Cost          Cost       `json:"cost"`          // Cost of these tokens
	MessageCount  int64      `json:"messageCount"`  // Number of answers
	SessionCount  int64      `json:"sessionCount"`  // Number of sessions that took part
	TrashedCount  int64      `json:"trashedCount"`  // Number of these that lie in the trash: what was spent stays spent
	Usage         TokenUsage `json:"usage"`         // Tokens
}

// MoveRequest is the body of MoveProject.
type MoveRequest struct {
	DryRun bool   `json:"dryRun,omitempty"` // Only report what would be done
	To     string `json:"to"`               // New absolute path of the folder
}

// Moved is the result of moving a project.
type Moved struct {
	DryRun bool           `json:"dryRun"` // True if nothing was changed
	Homes  []MovedProject `json:"homes"`  // One for each home that has the project
}

// MovedDir is a directory below projects/ that goes to another one.
type MovedDir struct {
	FromDirName  string `json:"fromDirName"`      // Old directory below projects/
	Merged       bool   `json:"merged,omitempty"` // True if the new directory already exists
	Partly       bool   `json:"partly,omitempty"` // True if sessions of other projects stay behind
	ProjectPath  string `json:"projectPath"`      // New working directory
	SessionCount int64  `json:"sessionCount"`     // Number of sessions
	ToDirName    string `json:"toDirName"`        // New directory below projects/
}

// MovedProject is what a folder that was moved changes in one home.
type MovedProject struct {
	ActID            int64      `json:"actId,omitempty"`  // Number of the act, for undo
	Changed          bool       `json:"changed"`          // True if anything changed
	Directories      []MovedDir `json:"directories"`      // Directories below projects/ that move
	DryRun           bool       `json:"dryRun"`           // True if nothing was changed
	FromPath         string     `json:"fromPath"`         // Old path of the folder
	HistoryLineCount int64      `json:"historyLineCount"` // Changed lines of history.jsonl
	Notes            []string   `json:"notes"`            // Remarks for people
	Root             string     `json:"root"`             // Directory of the home
	StateKeyCount    int64      `json:"stateKeyCount"`    // Changed project entries in .claude.json
	ToPath           string     `json:"toPath"`           // New path of the folder
}

// NewCode is a code that can be used once.
type NewCode struct {
	Code      string    `json:"code"`      // The one-time code
	ExpiresAt time.Time `json:"expiresAt"` // When the code expires
}

// NewLink is a link with its address.
type NewLink struct {
	CreatedAt time.Time     `json:"createdAt,omitzero"` // When the link was created
	Expired   bool          `json:"expired,omitempty"`  // True if the link has expired
	ExpiresAt time.Time     `json:"expiresAt,omitzero"` // When the link expires
	FileSize  int64         `json:"fileSize"`           // Size of the page in bytes
	Hidden    Hidden        `json:"hidden"`             // What marks stand for in the page, and where
	ID        string        `json:"id"`                 // Id of the link
	Problem   string        `json:"problem,omitempty"`  // Why the page cannot be shown
	Secrets   []RedactCount `json:"secrets"`            // What marks stand for in the page
	Session   string        `json:"session"`            // Id of the session or agent that the page shows
	Title     string        `json:"title,omitempty"`    // Title of the page
	URL       string        `json:"url"`                // Address of the page; anyone with it can read the page
}

// NewLiveAgent is the request to start an agent.
type NewLiveAgent struct {
	Helper      bool   `json:"helper,omitempty"`    // Start it as a helper, which is a tag of the session
	Model       string `json:"model,omitempty"`     // Model to use; empty means the client's default
	ProjectPath string `json:"projectPath"`         // Directory to work in: that of a known project, or one below --allow-root
	SessionID   string `json:"sessionId,omitempty"` // Resume this session in its directory
}

// NewRun is the request to start a run.
type NewRun struct {
	AfterReset     bool    `json:"afterReset,omitempty"`     // When the plan's limit is reached, continue after it resets
	BudgetUSD      float64 `json:"budgetUsd,omitempty"`      // Stop the run when it has cost this much
	Cwd            string  `json:"cwd,omitempty"`            // Work in this directory: that of a known project, or one below --allow-root
	Fork           bool    `json:"fork,omitempty"`           // Resume a copy of the session instead
	Model          string  `json:"model,omitempty"`          // Model to use; empty means the client's default
	PermissionMode string  `json:"permissionMode,omitempty"` // ask, acceptEdits, plan, auto or dontAsk; bypassPermissions only from this machine, with --allow-bypass
	Project        string  `json:"project,omitempty"`        // Work in the directory of this project
	Prompt         string  `json:"prompt"`                   // The first prompt
	Purpose        string  `json:"purpose,omitempty"`        // Title for the session, unless it has one
	Resume         string  `json:"resume,omitempty"`         // Resume this session in its directory
	Retries        int64   `json:"retries,omitempty"`        // Retry a turn this many times when the API is overloaded
	Role           string  `json:"role,omitempty"`           // Tag for the session: what it is, in a word
	Timeout        int64   `json:"timeout,omitempty"`        // Stop the run after this many seconds
	Worktree       string  `json:"worktree,omitempty"`       // Create a git worktree of this name and work in it
}

// NewTicket is a ticket, which is returned only once.
type NewTicket struct {
	ExpiresAt time.Time `json:"expiresAt"` // When the ticket expires
	Ticket    string    `json:"ticket"`    // Value of the parameter ticket
	URL       string    `json:"url"`       // The path with the ticket as a parameter
}

// NewToken is a token with its secret.
type NewToken struct {
	CreatedAt  time.Time `json:"createdAt"`           // When the token was created
	Current    bool      `json:"current,omitempty"`   // True if this request carried the token
	Device     bool      `json:"device,omitempty"`    // True if the token belongs to a paired device
	ExpiresAt  time.Time `json:"expiresAt,omitzero"`  // When the token expires; missing if it never does
	ID         string    `json:"id"`                  // Id of the token
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"` // When the token was used last, to the minute; missing if it never was
	Name       string    `json:"name,omitempty"`      // Name that the user gave the token
	Projects   []string  `json:"projects,omitzero"`   // Projects that the token is limited to: it may only ask about them, at /mcp
	Role       Role      `json:"role"`                // What the token may do
	Token      string    `json:"token"`               // Secret of the token
}

// OldSession counts sessions that could be moved to the trash.
type OldSession struct {
	CopiedCount  int64 `json:"copiedCount"`     // How many of these have a copy
	Days         int64 `json:"days,omitempty"`  // Least number of days since the last activity
	Empty        bool  `json:"empty,omitempty"` // True for sessions without messages
	FileSize     int64 `json:"fileSize"`        // Bytes of the transcripts
	SessionCount int64 `json:"sessionCount"`    // Number of sessions
}

// OnePricedProject is a project with what was used in it lately.
type OnePricedProject struct {
	AtLeast          bool       `json:"atLeast,omitempty"`       // True if totals and sums are lower bounds, because the answer was made from a part.
	Cost30d          Cost       `json:"cost30d"`                 // Cost of these tokens
	Counts           Counts     `json:"counts"`                  // Rows by source
	Coverage         Coverage   `json:"coverage"`                // How much the answer was made from
	DirName          string     `json:"dirName"`                 // Directory below projects/ in the home
	FileSize         int64      `json:"fileSize"`                // Bytes of all transcripts
	ID               string     `json:"id"`                      // Short name, unique among all projects
	InlineAgentCount int64      `json:"inlineAgentCount"`        // Agents inside the files of their sessions (clients 1.0), which have no rows
	LastActivityAt   time.Time  `json:"lastActivityAt,omitzero"` // Time of the last line of any session
	LastUsed         time.Time  `json:"lastUsed,omitzero"`       // When the client last ran in the project
	Memory           bool       `json:"memory,omitempty"`        // True if the client keeps memory files for the project
	Name             string     `json:"name"`                    // Last element of the path
	Path             string     `json:"path"`                    // Working directory; the name of its directory below projects/ while no session says where it worked
	Repository       string     `json:"repository,omitempty"`    // For a git worktree: the repository
	Root             string     `json:"root"`                    // Directory of the home
	SessionCount     int64      `json:"sessionCount"`            // Rows that are not archived, as the list of the path with a dash for every slash has them: those of all projects with that form together
	Usage30d         TokenUsage `json:"usage30d"`                // Tokens of the last 30 days, agents included
}

// Operation is what a bulk request does to each session.
type Operation struct {
	Action      BulkAction `json:"action"`                // What to do with each session
	CustomTitle *string    `json:"customTitle,omitempty"` // update: new title; null or empty removes it
	Starred     *bool      `json:"starred,omitempty"`     // update: true adds a star, false removes it
	Tags        []string   `json:"tags,omitzero"`         // update: tags to add
	Untag       []string   `json:"untag,omitzero"`        // update: tags to remove
}

// Outcome is the result of a change of some sessions.
type Outcome struct {
	Changed  int64     `json:"changed"`            // Number of sessions that changed, or would change in a dry run
	Coverage *Coverage `json:"coverage,omitempty"` // How much of what there is the sessions were chosen from: more may match where it is not complete. nil: they were named.
	DryRun   bool      `json:"dryRun"`             // True if nothing was changed
	Failed   int64     `json:"failed"`             // Number of sessions that could not be changed
	FileSize int64     `json:"fileSize,omitempty"` // Bytes of the files that were moved
	Results  []Result  `json:"results"`            // One result for each session that was named
	Total    int64     `json:"total"`              // Number of results
	Verb     string    `json:"verb"`               // What was done: trash, archive, label, …
}

// Outcomes are how sessions ended. A session can have several.
type Outcomes struct {
	Abandoned    Figure `json:"abandoned"`    // Sessions that end with a prompt, a call or a result that was not answered, or with an interruption
	Committed    Figure `json:"committed"`    // Sessions in which git commit succeeded
	PullRequests Figure `json:"pullRequests"` // Sessions in which gh pr create succeeded
	TestsFailed  Figure `json:"testsFailed"`  // Sessions whose last test command failed
	TestsPassed  Figure `json:"testsPassed"`  // Sessions whose last test command succeeded
}

// Outline lists the landmarks of a conversation, in its order.
type Outline struct {
	AgentID   string        `json:"agentId,omitempty"`   // Id of the agent, if it is one
	Forks     []Fork        `json:"forks"`               // Turns with alternatives
	Items     []OutlineItem `json:"items"`               // Landmarks of the conversation, in order
	Leaf      string        `json:"leaf,omitempty"`      // Conversation, by the uuid of its last line
	MetaCount int64         `json:"metaCount,omitempty"` // Number of blocks that the client inserted; with all=true
	Root      string        `json:"root"`                // Directory of the home
	SessionID string        `json:"sessionId"`           // Id of the session
	Total     int64         `json:"total"`               // Number of items
	TurnCount int64         `json:"turnCount"`           // Number of turns in the conversation
}

// OutlineItem is a landmark of a conversation.
type OutlineItem struct {
	Compaction *ViewCompaction `json:"compaction,omitempty"` // For a compaction: the tokens before and after it
	Kind       OutlineItemKind `json:"kind"`                 // What the item is; plans and errors only with all=true
	MessageID  string          `json:"messageId"`            // uuid of its line
	Text       string          `json:"text,omitempty"`       // Start of its text, on one line
	Timestamp  time.Time       `json:"timestamp,omitzero"`   // When it was written
	Turn       int64           `json:"turn"`                 // Number of the turn in the conversation, from 0
}

// Page is a list of sessions with what it leaves out.
type Page struct {
	AtLeast  bool             `json:"atLeast,omitempty"`  // True if totals and sums are lower bounds, because the answer was made from a part.
	Behind   bool             `json:"behind,omitempty"`   // True while the index has not read everything: more sessions may match.
	Complete bool             `json:"complete,omitempty"` // Complete reports whether the search for a text read everything; nil without a text.
	Coverage Coverage         `json:"coverage"`           // How much the answer was made from
	HasMore  bool             `json:"hasMore"`            // True if there are more pages
	Hidden   map[string]int64 `json:"hidden"`             // Sessions that the list leaves out, by source or as archived
	Next     string           `json:"next,omitempty"`     // Cursor of the next page
	Sessions []Session        `json:"sessions"`           // Rows of this page, in the requested order
	Total    int64            `json:"total"`              // Number of matching sessions on all pages
}

// PairRequest is the body of Pair.
type PairRequest struct {
	Claim  string `json:"claim,omitempty"`  // Claim from the first response, to collect the token
	Code   string `json:"code,omitempty"`   // Code shown on the other screen
	Device string `json:"device,omitempty"` // Name that the device gives itself
}

// Paired is the state of a pairing as the device sees it.
type Paired struct {
	Claim  string       `json:"claim,omitempty"`  // Claim to send with the next request
	Number string       `json:"number,omitempty"` // Number to show, for comparison with the other screen
	Status PairedStatus `json:"status"`           // Paired once the numbers were compared
	Token  *NewToken    `json:"token,omitempty"`  // Once paired: the token, returned only once
}

// PairingRequest is the body of BeginPairing.
type PairingRequest struct {
	Days int64  `json:"days,omitempty"` // Days until the device's token expires. Default: never
	Name string `json:"name,omitempty"` // Name of the device. Default: the name it gives itself
	Role Role   `json:"role,omitempty"` // Role of the device. Default: manage
}

// PairingRow is a pairing as its initiator sees it.
type PairingRow struct {
	Code      string        `json:"code,omitempty"`    // Code to enter on the device; returned only once
	Device    string        `json:"device,omitempty"`  // Name that the device gives itself
	ExpiresAt time.Time     `json:"expiresAt"`         // When the pairing expires
	From      string        `json:"from,omitempty"`    // Address that the device connected from
	ID        string        `json:"id"`                // Id of the pairing
	Key       string        `json:"key,omitempty"`     // SHA-256 of the server's public key at that address (SubjectPublicKeyInfo), in URL-safe base64
	Number    string        `json:"number,omitempty"`  // Number that the device has to show
	Status    PairingStatus `json:"status"`            // State of the pairing
	TokenID   string        `json:"tokenId,omitempty"` // ID of the token that the device received
	URL       string        `json:"url,omitempty"`     // Address for devices; returned with the code
}

// PricedAmount is one kind of an amount: how many, at which rate, and the result.
type PricedAmount struct {
	Count int64            `json:"count"` // Number of tokens, or of searches
	Kind  PricedAmountKind `json:"kind"`  // What is counted
	Rate  float64          `json:"rate"`  // Price of a million tokens, or of a thousand searches, with the factors applied
	USD   float64          `json:"usd"`   // US dollars
}

// Price is the row that prices a request, and the factors applied to it.
type Price struct {
	Batch        float64 `json:"batch,omitempty"`  // Factor for batch requests; 0 if it was none
	CacheRead    float64 `json:"cacheRead"`        // US dollars for a million tokens read from the cache
	CacheWrite1h float64 `json:"cacheWrite1h"`     // US dollars for a million tokens written to the one-hour cache
	CacheWrite5m float64 `json:"cacheWrite5m"`     // US dollars for a million tokens written to the five-minute cache
	Date         string  `json:"date,omitempty"`   // Date of the table or file that has the row
	Fast         bool    `json:"fast,omitempty"`   // True for the price in fast mode
	Input        float64 `json:"input"`            // US dollars for a million input tokens
	Model        string  `json:"model"`            // Id of the model, as Normalize writes it
	Note         string  `json:"note,omitempty"`   // Remark of the table
	Output       float64 `json:"output"`           // US dollars for a million output tokens
	Over         int64   `json:"over,omitempty"`   // Valid for requests with more input tokens than this
	Since        string  `json:"since,omitempty"`  // First day on which the price is valid
	Source       string  `json:"source,omitempty"` // Where that table or file comes from
	UsOnly       float64 `json:"usOnly,omitempty"` // Factor for inference kept in the United States; 0 if it was not
	WebSearch    float64 `json:"webSearch"`        // Price of a thousand web searches
}

// PricedProject is a project as programs see it, with what was used in it lately. Path and SessionCount stand for those of the Project.
type PricedProject struct {
	Cost30d          Cost       `json:"cost30d"`                 // Cost of these tokens
	Counts           Counts     `json:"counts"`                  // Rows by source
	DirName          string     `json:"dirName"`                 // Directory below projects/ in the home
	FileSize         int64      `json:"fileSize"`                // Bytes of all transcripts
	ID               string     `json:"id"`                      // Short name, unique among all projects
	InlineAgentCount int64      `json:"inlineAgentCount"`        // Agents inside the files of their sessions (clients 1.0), which have no rows
	LastActivityAt   time.Time  `json:"lastActivityAt,omitzero"` // Time of the last line of any session
	LastUsed         time.Time  `json:"lastUsed,omitzero"`       // When the client last ran in the project
	Memory           bool       `json:"memory,omitempty"`        // True if the client keeps memory files for the project
	Name             string     `json:"name"`                    // Last element of the path
	Path             string     `json:"path"`                    // Working directory; the name of its directory below projects/ while no session says where it worked
	Repository       string     `json:"repository,omitempty"`    // For a git worktree: the repository
	Root             string     `json:"root"`                    // Directory of the home
	SessionCount     int64      `json:"sessionCount"`            // Rows that are not archived, as the list of the path with a dash for every slash has them: those of all projects with that form together
	Usage30d         TokenUsage `json:"usage30d"`                // Tokens of the last 30 days, agents included
}

// PricedProjectPage is a page of projects.
type PricedProjectPage struct {
	AtLeast  bool             `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Behind   bool             `json:"behind,omitempty"`  // True while the index has not read everything: there may be more
	Coverage Coverage         `json:"coverage"`          // How much the answer was made from
	HasMore  bool             `json:"hasMore"`           // True if there are more pages
	Hidden   map[string]int64 `json:"hidden"`            // Archived sessions of these projects, which sessionCount leaves out
	Next     string           `json:"next,omitempty"`    // Cursor of the next page
	Projects []PricedProject  `json:"projects"`          // Most recently active first
	Total    int64            `json:"total"`             // Number of projects on all pages
}

// Problem is an error in an answer: RFC 9457, with the additional fields of cli-bridge.
type Problem struct {
	Candidates []json.RawMessage `json:"candidates,omitzero"`  // Objects that the name could mean
	Code       string            `json:"code"`                 // What went wrong, for programs
	Coverage   *Coverage         `json:"coverage,omitempty"`   // How much was read, if what was not found may be in the rest
	Detail     string            `json:"detail"`               // What went wrong, for people
	Err        string            `json:"error"`                // Error code in the terms of cli-bridge
	Field      string            `json:"field,omitempty"`      // Parameter or field of the body that is wrong
	Hint       string            `json:"hint,omitempty"`       // How to fix it
	Message    string            `json:"message"`              // The same as detail, for clients of cli-bridge
	RetryAfter int64             `json:"retryAfter,omitempty"` // Seconds to wait before the next try
	Status     int64             `json:"status"`               // HTTP status
	Title      string            `json:"title"`                // Text of the HTTP status
}

// ProjectUse describes how a directory was used.
type ProjectUse struct {
	FirstAt      time.Time `json:"firstAt,omitzero"` // Time of the first prompt
	LastAt       time.Time `json:"lastAt,omitzero"`  // Time of the last prompt
	Name         string    `json:"name"`             // Last element of the path
	Path         string    `json:"path"`             // Working directory
	PromptCount  int64     `json:"promptCount"`      // Prompts typed in the directory
	SessionCount int64     `json:"sessionCount"`     // Sessions that the history names
}

// ProjectUsePage is a list of directories.
type ProjectUsePage struct {
	AtLeast  bool         `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage Coverage     `json:"coverage"`          // How much the answer was made from
	HasMore  bool         `json:"hasMore"`           // True if there are more pages
	Next     string       `json:"next,omitempty"`    // Cursor of the next page
	Projects []ProjectUse `json:"projects"`          // Directories, most recent prompt first
	Total    int64        `json:"total"`             // Number of directories on all pages
}

// Prompt is something a person typed into the client.
type Prompt struct {
	FullText          string        `json:"fullText,omitempty"`          // The prompt with its pastes filled in
	Line              int64         `json:"line,omitempty"`              // Line number in history.jsonl; 0 if the file was read from its end
	MissingPasteCount int64         `json:"missingPasteCount,omitempty"` // Pastes that fullText could not fill in
	Pastes            []PromptPaste `json:"pastes,omitzero"`             // What was pasted into the prompt
	ProjectPath       string        `json:"projectPath,omitempty"`       // Working directory
	Root              string        `json:"root"`                        // Directory of the home
	SessionID         string        `json:"sessionId,omitempty"`         // Id of the session; missing in entries of old clients
	Text              string        `json:"text"`                        // The prompt with a placeholder for each paste
	Timestamp         time.Time     `json:"timestamp,omitzero"`          // When the prompt was typed
}

// PromptPage is a list of prompts.
type PromptPage struct {
	AtLeast  bool     `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Complete bool     `json:"complete"`          // True if the whole history was read. Otherwise Total counts only what was read: a long history is read from its end until the page is full.
	Coverage Coverage `json:"coverage"`          // How much the answer was made from
	HasMore  bool     `json:"hasMore"`           // True if there are more pages
	Next     string   `json:"next,omitempty"`    // Cursor of the next page
	Prompts  []Prompt `json:"prompts"`           // Prompts, newest first
	Scope    string   `json:"scope,omitempty"`   // Directory that the list is limited to; empty means all
	Total    int64    `json:"total"`             // Number of matching prompts that were read
}

// PromptPaste describes a paste of a Prompt.
type PromptPaste struct {
	Filename  string `json:"filename,omitempty"`  // File name of an image
	ID        int64  `json:"id"`                  // Number of the paste in its placeholder
	MediaType string `json:"mediaType,omitempty"` // Media type of an image
	Type      string `json:"type,omitempty"`      // Text or image
}

// RawLine is a line of a transcript.
type RawLine struct {
	Line int64           `json:"line"`           // Line number, from 1
	Raw  json.RawMessage `json:"raw,omitempty"`  // The line, if it is JSON
	Text string          `json:"text,omitempty"` // The line, if it is not JSON
}

// RawPage is a page of the lines of a transcript.
type RawPage struct {
	File      string    `json:"file"`               // Path of the transcript inside the home
	Lines     []RawLine `json:"lines"`              // Lines of this page
	NextLine  int64     `json:"nextLine,omitempty"` // Number of the line that the next page starts with
	SessionID string    `json:"sessionId"`          // Id of the session
}

// Reason is a kind of damage and how often it was met.
type Reason struct {
	ProblemCount int64  `json:"problemCount"` // Number of problems of this kind
	Reason       string `json:"reason"`       // Kind of damage
}

// RedactCount is how many secrets of a family a document has.
type RedactCount struct {
	Family  string `json:"family"`  // Family of the secrets
	Matches int64  `json:"matches"` // How often one of them was found
	Values  int64  `json:"values"`  // Different secrets
}

// Repaired is the result of a repair.
type Repaired struct {
	ActID     int64          `json:"actId,omitempty"` // Number of the act, for undo
	DryRun    bool           `json:"dryRun"`          // True if nothing was changed
	Files     []CheckRepair  `json:"files"`           // Transcripts to repair
	Left      []CheckFinding `json:"left"`            // Findings that no repair can mend
	Root      string         `json:"root"`            // Directory of the home
	SessionID string         `json:"sessionId"`       // Id of the session
	Verdict   CheckVerdict   `json:"verdict"`         // Verdict before the repair
}

// ReportedCategory is a part of a context as the client names it.
type ReportedCategory struct {
	Kind       string `json:"kind,omitempty"` // Used, deferred (not sent), buffer or free
	Name       string `json:"name"`           // Name that the client gives it
	TokenCount int64  `json:"tokenCount"`     // Estimated by the client
}

// ReportedContext is what a client counted itself.
type ReportedContext struct {
	Categories    []ReportedCategory `json:"categories"`             // In the client's words and order
	ContextTokens int64              `json:"contextTokens"`          // Tokens in use
	Model         string             `json:"model,omitempty"`        // Model that it counted for
	Timestamp     time.Time          `json:"timestamp,omitzero"`     // When it did
	WindowTokens  int64              `json:"windowTokens,omitempty"` // How many fit
}

// RestoreFileRequest is the body of RestoreFile.
type RestoreFileRequest struct {
	At   string `json:"at"`           // The version, as at of fileVersion
	Path string `json:"path"`         // Path of the file, or the end of one
	To   string `json:"to,omitempty"` // Absolute path of the file that gets the content. Default: the path
}

// Restored is the result of a restore.
type Restored struct {
	ActID         int64          `json:"actId,omitempty"`     // Number of the act, for undo
	DryRun        bool           `json:"dryRun"`              // True if nothing was changed
	Files         []RestoredFile `json:"files"`               // Files to restore
	RestoredCount int64          `json:"restoredCount"`       // Number of files that were restored
	Root          string         `json:"root"`                // Directory of the home
	SessionID     string         `json:"sessionId,omitempty"` // Id of the session
}

// RestoredFile is a file of a session that is to be restored.
type RestoredFile struct {
	File     string            `json:"file"`               // Path inside the home
	FileSize int64             `json:"fileSize"`           // Size in bytes
	KeptAt   time.Time         `json:"keptAt"`             // When the copy was made
	LostSize int64             `json:"lostSize,omitempty"` // Bytes that are damaged in the copy
	State    RestoredFileState `json:"state"`              // What the restore does with the file
}

// Result is the result for one session.
type Result struct {
	ActID      int64     `json:"actId,omitempty"`      // Number of the act, for undo
	Address    string    `json:"address,omitempty"`    // Address by which the request named the session
	AgentCount int64     `json:"agentCount,omitempty"` // Number of agents that moved with the session
	Changed    bool      `json:"changed"`              // False if nothing had to change, or on failure
	Code       ErrorCode `json:"code,omitempty"`       // Error code, for programs
	Err        string    `json:"error,omitempty"`      // Why it failed
	FileCount  int64     `json:"fileCount,omitempty"`  // Number of files that were moved
	FileSize   int64     `json:"fileSize,omitempty"`   // Bytes of the files that were moved
	ID         string    `json:"id,omitempty"`         // Session id; the text of the request if no session matched it
	Key        string    `json:"key,omitempty"`        // Key of the session among all homes and machines
	Kind       string    `json:"kind,omitempty"`       // Kind of unneeded files, which have no session id
	Note       string    `json:"note,omitempty"`       // Remark for people
	Root       string    `json:"root,omitempty"`       // Directory of the session's home
	Title      string    `json:"title,omitempty"`      // Title of the session
}

// ResumeCounts counts sessions by whether the client would resume them.
type ResumeCounts struct {
	No     int64 `json:"no"`     // Sessions that the client would not resume
	Partly int64 `json:"partly"` // Sessions that the client would resume in part
	Yes    int64 `json:"yes"`    // Sessions that the client would resume completely
}

// Retention is how long the client keeps the transcripts of a home.
type Retention struct {
	Days        int64     `json:"days"`                 // Days after which the client deletes transcripts
	File        string    `json:"file,omitempty"`       // Settings file that sets it; empty means the client's default
	LastSweepAt time.Time `json:"lastSweepAt,omitzero"` // When the client last deleted old transcripts
	Root        string    `json:"root"`                 // Directory of the home
}

// RetentionHealth says how long the client keeps the transcripts of a home. Any session sweeps the whole home, so the shortest period counts that its settings, or those of a project, set.
type RetentionHealth struct {
	Days         int64      `json:"days"`                 // Days after which the client deletes transcripts
	Expiring     []Expiring `json:"expiring"`             // Sessions that expire soon, earliest first
	File         string     `json:"file,omitempty"`       // Settings file that sets it; empty means the client's default
	LastSweepAt  time.Time  `json:"lastSweepAt,omitzero"` // When the client last deleted old transcripts
	OverdueCount int64      `json:"overdueCount"`         // How many of these are past their time
	Root         string     `json:"root"`                 // Directory of the home
}

// RetentionRequest is the body of SetRetention.
type RetentionRequest struct {
	Days   int64  `json:"days"`             // Number of days; 3650 is practically never
	DryRun bool   `json:"dryRun,omitempty"` // Only report what would be done
	Root   string `json:"root,omitempty"`   // Directory of a home. Default: all homes
}

// RetentionPage says how long the client keeps transcripts, in every home.
type RetentionPage struct {
	Homes    []Retention `json:"homes"`    // One for each home
	Problems []Damage    `json:"problems"` // Unreadable settings files, which are ignored
	Total    int64       `json:"total"`    // Number of homes
}

// RootHealth is one home.
type RootHealth struct {
	Err               string `json:"error,omitempty"`   // Why the home could not be read
	FileCount         int64  `json:"fileCount"`         // Number of files
	FileSize          int64  `json:"fileSize"`          // Total size of the files in bytes
	Home              string `json:"home,omitempty"`    // Name of the home
	Machine           string `json:"machine,omitempty"` // Name of the machine that the home belongs to
	OrphanedFileCount int64  `json:"orphanedFileCount"` // Files of sessions without a transcript
	OrphanedFileSize  int64  `json:"orphanedFileSize"`  // Bytes of these files
	Root              string `json:"root"`              // Directory of the home
	TranscriptCount   int64  `json:"transcriptCount"`   // Number of transcripts
}

// RunChange are changes of an active run.
type RunChange struct {
	Model          string `json:"model,omitempty"`          // Model for the following turns
	PermissionMode string `json:"permissionMode,omitempty"` // Permission mode for the following turns
}

// RunDay is what the runs of a day cost, in dollars, according to their clients.
type RunDay struct {
	AtLeast     bool    `json:"atLeast,omitempty"`   // True if the cost is a lower bound, because a run cannot be read whole
	BudgetUSD   float64 `json:"budgetUsd,omitempty"` // Limit for the cost of all runs started here
	ForecastUSD float64 `json:"forecastUsd"`         // Expected cost by the next midnight, at the rate of the last hour
	USD         float64 `json:"usd"`                 // Cost since midnight
}

// RunMessage is a message to a run.
type RunMessage struct {
	MessageID string `json:"messageId,omitempty"` // A UUID; sending it again does not repeat the message
	Prompt    string `json:"prompt"`              // Text of the message
}

// RunPage is a page of runs.
type RunPage struct {
	HasMore bool     `json:"hasMore"`         // True if there are more pages
	Next    string   `json:"next,omitempty"`  // Cursor of the next page
	Runs    []Run    `json:"runs"`            // Runs, newest first
	Today   RunDay   `json:"today"`           // Cost of all runs since midnight
	Total   int64    `json:"total"`           // Number of items on all pages
	Unread  []string `json:"unread,omitzero"` // Runs that could not be read, or not whole, with the reason
}

// RunDetails is a run with its events.
type RunDetails struct {
	Argv           []string   `json:"argv"`                    // Arguments of the program
	By             string     `json:"by,omitempty"`            // Who started the run
	Client         string     `json:"client"`                  // Program that was started
	ClientVersion  string     `json:"clientVersion,omitempty"` // Version of the client
	Cost           RunCost    `json:"cost"`                    // Cost of the run so far
	CreatedAt      time.Time  `json:"createdAt"`               // When the run was started
	Dir            string     `json:"dir"`                     // Working directory
	DurationAPIMs  int64      `json:"durationApiMs"`           // Milliseconds of these spent waiting for the API
	DurationMs     int64      `json:"durationMs"`              // Duration of all turns in milliseconds
	EndedAt        time.Time  `json:"endedAt,omitzero"`        // When the run ended
	Err            string     `json:"error,omitempty"`         // Why the last turn, or the run, failed
	Events         []RunEvent `json:"events"`                  // Lifecycle of the run, oldest event first
	Exit           *RunExit   `json:"exit,omitempty"`          // How the client exited
	Foreign        bool       `json:"foreign,omitempty"`       // True for a question of a client that sesskeep did not start.
	Forked         bool       `json:"forked,omitempty"`        // True if the run works in a copy of the session
	HolderPID      int64      `json:"holderPid"`               // Process id of the run's holder
	ID             string     `json:"id"`                      // Id of the run
	Lines          int64      `json:"lines"`                   // Lines of output
	LogSize        int64      `json:"logSize"`                 // Bytes of the run's log
	Malformed      int64      `json:"malformed"`               // Lines of output that are not JSON or lack required fields
	Model          string     `json:"model,omitempty"`         // Requested model
	Outcome        RunOutcome `json:"outcome,omitempty"`       // How the last turn, or the run, ended
	PermissionMode string     `json:"permissionMode"`          // Requested permission mode
	Problem        string     `json:"problem,omitempty"`       // What of the run's files is damaged or missing
	Prompts        []Question `json:"prompts,omitzero"`        // Open questions, oldest first
	Purpose        string     `json:"purpose,omitempty"`       // Purpose that the starter gave the run
	QueuedMessages []string   `json:"queuedMessages,omitzero"` // IDs of the messages that wait for the end of the turn, next first
	Resumed        string     `json:"resumed,omitempty"`       // Session that the run resumes or copies
	Role           string     `json:"role,omitempty"`          // Role that the starter gave the run
	Root           string     `json:"root,omitempty"`          // Home of the session
	SessionID      string     `json:"sessionId"`               // Session that the run started or resumed
	Since          time.Time  `json:"since"`                   // When the state started
	State          RunState   `json:"state"`                   // State of the run
	Steps          int64      `json:"steps"`                   // Number of messages of the model
	Text           string     `json:"text,omitempty"`          // Last text of the last turn
	Title          string     `json:"title,omitempty"`         // Start of the first message
	Turns          int64      `json:"turns"`                   // Number of turns
	Unknown        int64      `json:"unknown"`                 // Lines of output of an unknown type
	Why            string     `json:"why,omitempty"`           // Reason for the state
}

// Selection is what a statement selected.
type Selection struct {
	AtLeast  bool                         `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Columns  []string                     `json:"columns"`           // Names of the columns, in their order; a name that comes again has a number behind it
	Coverage Coverage                     `json:"coverage"`          // How much the answer was made from
	HasMore  bool                         `json:"hasMore"`           // True if the limit cut rows off
	Rows     []map[string]json.RawMessage `json:"rows"`              // Rows, each an object with these names; null is NULL
}

// ServerHealth is the state of a server.
type ServerHealth struct {
	Agents  int64    `json:"agents"`  // Number of active runs
	Status  string   `json:"status"`  // Always ok
	Trouble []string `json:"trouble"` // What is wrong, in words: a home that is not there, an index that cannot be written, damaged copies; empty: nothing is known to be
	Uptime  int64    `json:"uptime"`  // Seconds since the server started
	Version string   `json:"version"` // Version of sesskeep
}

// ServerNote describes our running server.
type ServerNote struct {
	Trust []string `json:"trust,omitzero"` // Local users who need no token, and their roles
	URL   string   `json:"url,omitempty"`  // Address of the server
}

// Session is one transcript as every front shows it: a session, or an agent of any layout.
type Session struct {
	AgentID              string         `json:"agentId,omitempty"`              // The id of an agent, without agent- in front.
	AgentSessions        []string       `json:"agentSessions,omitzero"`         // The ids of the agents that the session started. Those inside its own file, as clients of 1.0 wrote them, are inline-N.
	AgentType            string         `json:"agentType,omitempty"`            // The type of an agent, where its meta file names one.
	Agents               *Spending      `json:"agents,omitempty"`               // What the agents of the session spent.
	ArchivedAt           time.Time      `json:"archivedAt,omitzero"`            // When you archived the session. Agents are archived with their session.
	ClientVersion        string         `json:"clientVersion,omitempty"`        // The version of the client that wrote the last line.
	Commits              []string       `json:"commits,omitzero"`               // The hashes of the commits that git said it made or pushed in the session, as it printed them.
	ContextTokens        int64          `json:"contextTokens,omitempty"`        // The number of tokens before the model at its last own answer.
	ContextWindow        int64          `json:"contextWindow,omitempty"`        // The number of tokens that the model can have before it, where that is known.
	ContinuedIn          string         `json:"continuedIn,omitempty"`          // The id of the session that the client continued in, as it wrote into this one.
	ConversationCount    int64          `json:"conversationCount"`              // The number of conversations, which are the real branches of the session.
	Cost                 *Cost          `json:"cost,omitempty"`                 // What the messages that count in this file cost.
	CreatedAt            time.Time      `json:"createdAt,omitzero"`             // The time of the first line of the conversation.
	CustomTitle          string         `json:"customTitle,omitempty"`          // The title that a user gave the session, here or in the client.
	Description          string         `json:"description,omitempty"`          // What an agent was started for.
	DirName              string         `json:"dirName"`                        // The directory of the transcript below projects/ in the home.
	Entrypoint           string         `json:"entrypoint,omitempty"`           // How the client was started, in its own word: cli, sdk-cli, …
	ExpiresAt            time.Time      `json:"expiresAt,omitzero"`             // When the client deletes the session.
	FileSize             int64          `json:"fileSize"`                       // The size of the transcript in bytes.
	ForkedFrom           string         `json:"forkedFrom,omitempty"`           // The id of the session that the first lines were copied from.
	GitBranch            string         `json:"gitBranch,omitempty"`            // The git branch that the session was last on.
	Home                 string         `json:"home,omitempty"`                 // The name of the Claude home.
	ID                   string         `json:"id"`                             // The UUID of the session, or agent-ID of an agent.
	IsAgent              bool           `json:"isAgent,omitempty"`              // True for an agent of a session.
	Key                  string         `json:"key,omitempty"`                  // SESSION@HOME.MACHINE or SESSION/AGENT@HOME.MACHINE, made of ids that stay. It names the row among those of all homes and works as an address.
	LastActivityAt       time.Time      `json:"lastActivityAt"`                 // The time of the last line of the conversation.
	LastAssistantMessage string         `json:"lastAssistantMessage,omitempty"` // How the last answer starts, at most 200 characters.
	LastUserMessage      string         `json:"lastUserMessage,omitempty"`      // How the last prompt starts, at most 200 characters.
	Machine              string         `json:"machine,omitempty"`              // The name of the machine that the home belongs to.
	MessageCount         int64          `json:"messageCount"`                   // The number of user and assistant lines.
	Model                string         `json:"model,omitempty"`                // The id of the model that answered last.
	Models               []string       `json:"models,omitzero"`                // The ids of all models that answered.
	Note                 string         `json:"note,omitempty"`                 // What you wrote about the session.
	Origin               SessionOrigin  `json:"origin"`                         // What is shown: the transcript itself, or the kept copy of one that was deleted.
	OwnTags              []string       `json:"ownTags,omitzero"`               // The tags that you added.
	ParentSessionID      string         `json:"parentSessionId,omitempty"`      // The id of the session that started the agent.
	Problems             int64          `json:"problems"`                       // The number of damaged places in the transcript.
	Project              string         `json:"project,omitempty"`              // The short name of the project.
	ProjectPath          string         `json:"projectPath"`                    // The working directory of the project.
	PromptCount          int64          `json:"promptCount"`                    // The number of prompts that were sent.
	PullRequests         []string       `json:"pullRequests,omitzero"`          // The addresses of the pull requests that the session is linked with, or REPOSITORY#NUMBER where no address is known.
	Root                 string         `json:"root"`                           // The directory of the Claude home that the transcript is in.
	Slug                 string         `json:"slug,omitempty"`                 // The name that the client made up for the session.
	Source               SessionSource  `json:"source"`                         // Who the session is for.
	Starred              bool           `json:"starred,omitempty"`              // True if you gave the session a star.
	Started              SessionStarted `json:"started,omitempty"`              // Who started the session: a person who types prompts, or a program that sends them with -p or through the SDK.
	State                *State         `json:"state,omitempty"`                // What the session does now. Agents have none.
	Tags                 []string       `json:"tags,omitzero"`                  // The client's tags, then those that you added.
	Title                string         `json:"title,omitempty"`                // The custom title, else the AI title, the summary, or the first real prompt.
	Unreadable           string         `json:"unreadable,omitempty"`           // Why the transcript, or the copy that stands for it, cannot be read: what it says is missing.
	Usage                *TokenUsage    `json:"usage,omitempty"`                // The tokens of the messages that count in this file and in no other. The agents of a session have their own.
}

// CleanSessions is the schema SessionsStruct of the API.
type CleanSessions struct {
	Empty         bool         `json:"empty,omitempty"`         // Only sessions without messages
	MinSize       int64        `json:"minSize,omitempty"`       // Minimum size of the transcript in bytes
	OlderThanDays int64        `json:"olderThanDays,omitempty"` // Minimum days since the last activity
	Project       string       `json:"project,omitempty"`       // Only sessions of this project
	Source        SourceFilter `json:"source,omitempty"`        // Default: user; all for empty sessions
}

// LineProblem is damage met while reading. It never stops the reading: everything whole around it is in the result.
type LineProblem struct {
	Code   string `json:"code"`             // Kind of the problem, for programs
	File   string `json:"file"`             // Path inside the home
	Length int64  `json:"length,omitempty"` // Length of the damage in bytes
	Line   int64  `json:"line,omitempty"`   // Line number from 1; 0 if the problem concerns the whole file
	Lost   bool   `json:"lost,omitempty"`   // True if the bytes could not be read as a record. Otherwise the record was recovered, and the Problem only describes the file.
	Offset int64  `json:"offset"`           // Byte offset of the damage in the file
	Reason string `json:"reason"`           // Explanation for people
}

// Unfamiliar counts something in the format that this version does not know.
type Unfamiliar struct {
	Count   int64  `json:"count"`             // Number of occurrences
	Name    string `json:"name"`              // Name as the file spells it
	Version string `json:"version,omitempty"` // Version of the client that wrote it
	What    string `json:"what"`              // What is unknown: "type", "block", "field", "attachment" (its type), "subtype" (of a system entry) or "iteration" (a kind of call)
}

// TokenUsage is what one answer of the model consumed, in tokens. Input leaves out both cache counters.
type TokenUsage struct {
	Batch        bool  `json:"batch,omitempty"`       // Requested as a batch, which is cheaper
	CacheRead    int64 `json:"cacheRead"`             // Tokens read from the prompt cache
	CacheWrite1h int64 `json:"cacheWrite1h"`          // Tokens written to the one-hour prompt cache
	CacheWrite5m int64 `json:"cacheWrite5m"`          // Tokens written to the five-minute prompt cache
	Fast         bool  `json:"fast,omitempty"`        // Fast mode, which has its own prices
	Input        int64 `json:"input"`                 // Input tokens, without those of the caches
	Output       int64 `json:"output"`                // Output tokens
	UsOnly       bool  `json:"usOnly,omitempty"`      // Inference kept in the United States
	WebSearches  int64 `json:"webSearches,omitempty"` // Number of web searches
}

// Share is the part of a home with one name.
type Share struct {
	FileCount int64     `json:"fileCount"`         // Number of files
	FileSize  int64     `json:"fileSize"`          // Total size of the files in bytes
	Name      string    `json:"name"`              // Name of the kind or of the project
	NewestAt  time.Time `json:"newestAt,omitzero"` // Modification time of the newest file
	OldestAt  time.Time `json:"oldestAt,omitzero"` // Modification time of the oldest file
}

// Actor says who asked for an act, and from where.
type Actor struct {
	From  string `json:"from,omitempty"`  // Front that was used: cli, tui or api
	Token string `json:"token,omitempty"` // For the API: name of the token
	User  string `json:"user,omitempty"`  // Name of the user
}

// Sibling is one of several turns that follow another.
type Sibling struct {
	ID        string    `json:"id"`                 // uuid of its first line
	Leaf      string    `json:"leaf"`               // Conversation that shows the turn
	Role      TurnRole  `json:"role"`               // Prompt, answer or notes
	Text      string    `json:"text,omitempty"`     // Start of its text
	Timestamp time.Time `json:"timestamp,omitzero"` // Time of its first line
	TurnCount int64     `json:"turnCount"`          // Number of turns from this one to the end of that conversation
}

// Siblings are the turns that follow one turn.
type Siblings struct {
	Step  int64     `json:"step"`  // Number of the one in this conversation, from 1
	Total int64     `json:"total"` // Number of siblings
	Turns []Sibling `json:"turns"` // The nearest siblings, at most 50
}

// Side is one of two compared conversations.
type Side struct {
	Blocks      []Part `json:"blocks"`               // What a reader sees after the fork
	Leaf        string `json:"leaf,omitempty"`       // Uuid of the last line of the conversation
	Name        string `json:"name,omitempty"`       // Name of the conversation
	PromptCount int64  `json:"promptCount"`          // Number of prompts after the fork
	Root        string `json:"root"`                 // Directory of the home
	SessionID   string `json:"sessionId"`            // Id of the session
	TurnCount   int64  `json:"turnCount"`            // Number of turns after the fork
	TurnsAfter  int64  `json:"turnsAfter,omitempty"` // Number of turns that were left out
}

// Snippet is the text around a match. MatchStart and MatchLength count characters as a reader sees them (grapheme clusters, as Swift does), Marks code points.
type Snippet struct {
	AgentID     string    `json:"agentId,omitempty"`   // Agent that wrote the line
	Kind        string    `json:"kind"`                // Kind of text: prompt, answer, thinking, title, input, output, note, …
	Leaf        string    `json:"leaf,omitempty"`      // Conversation of the line, if it is not the active one
	Line        int64     `json:"line"`                // Line number, from 1
	Marks       [][]int64 `json:"marks"`               // Start and length of every match, in code points
	MatchLength int64     `json:"matchLength"`         // Length of the first match, in characters as a reader sees them
	MatchStart  int64     `json:"matchStart"`          // Position of the first match in text, in characters as a reader sees them
	MessageID   string    `json:"messageId,omitempty"` // Uuid of the line
	Text        string    `json:"text"`                // Text around the match
	Timestamp   time.Time `json:"timestamp,omitzero"`  // When the line was written
	Type        string    `json:"type"`                // Type of the line, as cli-bridge calls it
}

// Statement is the request to run a statement.
type Statement struct {
	Limit int64  `json:"limit,omitempty"` // Number of rows at most. Default: 1000
	Sql   string `json:"sql"`             // One SELECT statement, in the dialect of SQLite
	TZ    string `json:"tz,omitempty"`    // Time zone of days. Default: the server's
}

// Stats are the figures of all sessions.
type Stats struct {
	ActiveDayCount int64          `json:"activeDayCount"`    // Days with at least one answer
	AnswerCount    int64          `json:"answerCount"`       // Number of answers of the model
	AtLeast        bool           `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Counts         Counts         `json:"counts"`            // Transcripts by source
	Coverage       Coverage       `json:"coverage"`          // How much the answer was made from
	FileSize       int64          `json:"fileSize"`          // Bytes of all transcripts
	FirstAt        time.Time      `json:"firstAt,omitzero"`  // Time of the first answer
	HourOfWeek     [][]int64      `json:"hourOfWeek"`        // Answers by weekday, starting on Monday, and hour
	Hours          []int64        `json:"hours"`             // Answers by hour of the day
	LastAt         time.Time      `json:"lastAt,omitzero"`   // Time of the last answer
	Longest        []Session      `json:"longest"`           // Sessions with the most messages
	MessageCount   int64          `json:"messageCount"`      // Number of user and assistant lines
	Models         []ModelStats   `json:"models"`            // By model
	Prices         PriceList      `json:"prices"`            // Price list that was used
	Projects       []ProjectStats `json:"projects"`          // By project
	PromptCount    int64          `json:"promptCount"`       // Number of prompts
	Tools          []ToolStats    `json:"tools"`             // By tool, most calls first
	Totals         Spending       `json:"totals"`            // Sum of all tokens, with their cost
	TZ             string         `json:"tz"`                // Time zone of days and hours
	Unpriced       []Unpriced     `json:"unpriced"`          // Models without a price
	Weekdays       []int64        `json:"weekdays"`          // Answers by weekday, starting on Monday
}

// Stopping confirms that a server will stop.
type Stopping struct {
	Status string `json:"status"` // Always stopping
}

// StorageItem is the files of one kind of one session.
type StorageItem struct {
	FileCount int64     `json:"fileCount"`           // Number of files
	FileSize  int64     `json:"fileSize"`            // Total size of the files in bytes
	Kind      string    `json:"kind"`                // Kind of file
	NewestAt  time.Time `json:"newestAt,omitzero"`   // Modification time of the newest file
	OldestAt  time.Time `json:"oldestAt,omitzero"`   // Modification time of the oldest file
	Orphan    bool      `json:"orphan"`              // True if the session has no transcript
	Project   string    `json:"project,omitempty"`   // Directory below projects/ in the home
	SessionID string    `json:"sessionId,omitempty"` // Id of the session
}

// StoragePage is what takes space in all homes.
type StoragePage struct {
	AtLeast  bool          `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage Coverage      `json:"coverage"`          // How much the answer was made from
	Homes    []HomeStorage `json:"homes"`             // One for each home
	Total    int64         `json:"total"`             // Number of homes
}

// StreamMessage is a message as clients of cli-bridge read it. Its fields depend on its type.
type StreamMessage struct {
	Content          string            `json:"content,omitempty"`          // Text of the message
	ID               string            `json:"id,omitempty"`               // Id of the call, for a call and for a result without one
	Input            json.RawMessage   `json:"input,omitempty"`            // For a call: input of the tool
	InputDescription string            `json:"inputDescription,omitempty"` // For a call: its input in one line
	IsError          bool              `json:"isError,omitempty"`          // For a result without its call: true if the tool failed
	Name             string            `json:"name,omitempty"`             // For a call: name of the tool
	Output           string            `json:"output,omitempty"`           // For a result without its call: output of the tool
	Result           *StreamResult     `json:"result,omitempty"`           // For a call: its result
	Success          bool              `json:"success,omitempty"`          // For a result without its call: true if the tool succeeded
	Tool             string            `json:"tool,omitempty"`             // For a result without its call: name of the tool
	Type             StreamMessageType `json:"type"`                       // Type of the message
}

// StreamResult is the result of a call.
type StreamResult struct {
	IsError bool   `json:"isError"` // True if the tool failed
	Output  string `json:"output"`  // Output of the tool
	Success bool   `json:"success"` // True if the tool succeeded
}

// Table is a table of the contract.
type Table struct {
	About   string   `json:"about"`   // What a row of it is
	Columns []Column `json:"columns"` // Its columns, in their order
	Name    string   `json:"name"`    // Name of the table
}

// TicketRequest is the body of CreateTicket.
type TicketRequest struct {
	Path string `json:"path"` // Path to download, with its parameters: …/sessions/{id}/export or …/sessions/{id}/blobs/{ref}
}

// TimeSpent says where the time of sessions went.
type TimeSpent struct {
	Concurrency []AtOnce  `json:"concurrency"`          // How long so many worked at once
	Days        []DayTime `json:"days"`                 // By day
	HourOfWeek  [][]int64 `json:"hourOfWeek"`           // Minutes of work by weekday, from Monday on, and hour
	IdleMs      int64     `json:"idleMs"`               // Milliseconds before your next prompt, at most an hour each
	MostAt      time.Time `json:"mostAt,omitzero"`      // When that was
	MostAtOnce  int64     `json:"mostAtOnce"`           // Most sessions that worked at the same time
	WaitingMs   int64     `json:"waitingMs"`            // Milliseconds in which a session waited for you with a question; known only where it was watched
	WatchedFrom time.Time `json:"watchedFrom,omitzero"` // When the log of watched sessions starts; before that all is from timestamps
	WatchedMs   int64     `json:"watchedMs"`            // Milliseconds of these that were watched
	WorkingMs   int64     `json:"workingMs"`            // Milliseconds in which the model and its tools worked
}

// Timeline is a list of days, the first of them first.
type Timeline struct {
	AtLeast        bool     `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage       Coverage `json:"coverage"`          // How much the answer was made from
	Days           []Day    `json:"days"`              // Days with prompts, oldest first
	HasMore        bool     `json:"hasMore"`           // True if there are earlier days
	MaxPromptCount int64    `json:"maxPromptCount"`    // Largest number of prompts on one of these days
	Scope          string   `json:"scope,omitempty"`   // Directory that the list is limited to; empty means all
	Total          int64    `json:"total"`             // Number of days with prompts
}

// TokenPage is a page of tokens.
type TokenPage struct {
	HasMore bool       `json:"hasMore"`        // True if there are more pages
	Next    string     `json:"next,omitempty"` // Cursor of the next page
	Tokens  []TokenRow `json:"tokens"`         // Tokens, oldest first
	Total   int64      `json:"total"`          // Number of items on all pages
}

// TokenRow is a token without its secret.
type TokenRow struct {
	CreatedAt  time.Time `json:"createdAt"`           // When the token was created
	Current    bool      `json:"current,omitempty"`   // True if this request carried the token
	Device     bool      `json:"device,omitempty"`    // True if the token belongs to a paired device
	ExpiresAt  time.Time `json:"expiresAt,omitzero"`  // When the token expires; missing if it never does
	ID         string    `json:"id"`                  // Id of the token
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"` // When the token was used last, to the minute; missing if it never was
	Name       string    `json:"name,omitempty"`      // Name that the user gave the token
	Projects   []string  `json:"projects,omitzero"`   // Projects that the token is limited to: it may only ask about them, at /mcp
	Role       Role      `json:"role"`                // What the token may do
}

// ToolTimes is how often a tool failed, and how long it took.
type ToolTimes struct {
	CallCount  int64      `json:"callCount"`  // Number of calls
	ErrorCount int64      `json:"errorCount"` // Number of calls that failed or were refused
	Messages   []Evidence `json:"messages"`   // The latest failed ones
	P50Ms      int64      `json:"p50Ms"`      // Half of its answered calls took at most so many milliseconds
	P95Ms      int64      `json:"p95Ms"`      // 95 of 100 took at most so many milliseconds
	Query      string     `json:"query"`      // Search that finds the failed ones
	Tool       string     `json:"tool"`       // Name of the tool
}

// TrashPage is a page of the trash.
type TrashPage struct {
	FileSize int64         `json:"fileSize"`       // Of all of it
	HasMore  bool          `json:"hasMore"`        // More entries follow this page
	Next     string        `json:"next,omitempty"` // Cursor of the next page
	Problems []LineProblem `json:"problems"`       // What could not be read, and what an interrupted change left
	Total    int64         `json:"total"`          // Entries in all
	Trash    []Trashed     `json:"trash"`          // Contents of the trash, newest first
}

// Trashed is a family in the trash. Its own file there, the manifest, has all that is needed to put it back.
type Trashed struct {
	Actor        Actor     `json:"actor"`                  // Who trashed it
	AgentCount   int64     `json:"agentCount"`             // Sub-agents of the session
	FileCount    int64     `json:"fileCount"`              // That lie there
	FileSize     int64     `json:"fileSize"`               // Of them
	ID           string    `json:"id,omitempty"`           // Of the session
	Key          string    `json:"key,omitempty"`          // Key of the session
	Kind         string    `json:"kind,omitempty"`         // Of what is unneeded, of several sessions
	Members      []Member  `json:"members"`                // The files that were moved
	MissingCount int64     `json:"missingCount,omitempty"` // Files that were moved, and are not there
	Name         string    `json:"name"`                   // Of its directory in the trash
	ProjectPath  string    `json:"projectPath,omitempty"`  // Working directory of the session
	Root         string    `json:"root"`                   // The home it lay in
	Slug         string    `json:"slug,omitempty"`         // Slug of the session
	Title        string    `json:"title,omitempty"`        // Title of the session
	TrashedAt    time.Time `json:"trashedAt"`              // When it was trashed
	Units        []string  `json:"units"`                  // What was moved: files, and directories with all they hold
}

// TreePage is a transcript's tree for other programs.
type TreePage struct {
	Conversations    []Conversation `json:"conversations"`    // All conversations
	Detached         []string       `json:"detached"`         // Positions of lines without a uuid
	DuplicateCount   int64          `json:"duplicateCount"`   // Number of lines that repeat another one
	InlineAgentCount int64          `json:"inlineAgentCount"` // Number of inline agents
	Repaired         []string       `json:"repaired"`         // Uuids of lines whose parent was guessed
	Root             string         `json:"root,omitempty"`   // Directory of the home
	SessionID        string         `json:"sessionId"`        // Id of the session
	Turns            []TreeTurn     `json:"turns"`            // All turns
}

// TreeTurn is a prompt or an answer and its parent.
type TreeTurn struct {
	Active     bool      `json:"active,omitempty"`    // True if the active conversation has it
	Compacted  bool      `json:"compacted,omitempty"` // True if the conversation was compacted just before it
	ID         string    `json:"id"`                  // Uuid of its first line
	MessageIDs []string  `json:"messageIds"`          // Uuids of all its lines
	ParentID   string    `json:"parentId,omitempty"`  // Id of the turn that it follows
	Role       TurnRole  `json:"role"`                // Whose turn it is
	Text       string    `json:"text,omitempty"`      // Start of its text
	Timestamp  time.Time `json:"timestamp,omitzero"`  // Time of its first line
}

// Truncation describes a text that is too long for a list.
type Truncation struct {
	FileSize int64  `json:"fileSize,omitempty"` // Bytes of the whole text; 0 if unknown
	Ref      string `json:"ref"`                // Reference for /sessions/{id}/blobs/{ref}
}

// TurnUsage is what a prompt and everything that answers it used.
type TurnUsage struct {
	Active          bool       `json:"active"`                    // True if the active conversation has the turn
	Agents          *Spending  `json:"agents,omitempty"`          // Spending of the agents started in the turn; nil without agents
	CompactionCount int64      `json:"compactionCount,omitempty"` // The number of compactions since the previous prompt, this turn included.
	ContextTokens   int64      `json:"contextTokens,omitempty"`   // The number of input tokens of the last answer; 0 without an answer.
	ContextWindow   int64      `json:"contextWindow,omitempty"`   // Context window of that model
	Cost            Cost       `json:"cost"`                      // Cost of these tokens
	ElsewhereCount  int64      `json:"elsewhereCount,omitempty"`  // Messages that count in another session
	ID              string     `json:"id"`                        // Uuid of the prompt's first line
	MessageCount    int64      `json:"messageCount"`              // Number of answers
	Model           string     `json:"model,omitempty"`           // Model of the last answer
	Text            string     `json:"text,omitempty"`            // Start of the prompt; empty if the answers follow no prompt
	Timestamp       time.Time  `json:"timestamp,omitzero"`        // When the prompt was sent
	Usage           TokenUsage `json:"usage"`                     // Tokens
}

// TurnUsagePage lists the usage of a session by turn.
type TurnUsagePage struct {
	AgentID   string      `json:"agentId,omitempty"` // Id of the agent, if it is one
	AtLeast   bool        `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	Coverage  Coverage    `json:"coverage"`          // How much the answer was made from
	Leaf      string      `json:"leaf,omitempty"`    // Requested conversation; empty means all
	Prices    PriceList   `json:"prices"`            // Price list that was used
	Root      string      `json:"root"`              // Directory of the home
	SessionID string      `json:"sessionId"`         // Id of the session
	Total     int64       `json:"total"`             // Number of turns
	Totals    Spending    `json:"totals"`            // Sum of all turns, agents included
	Turns     []TurnUsage `json:"turns"`             // Turns, oldest first
}

// Unneeded is what one home has of one kind that nothing needs any more.
type Unneeded struct {
	FileCount int64  `json:"fileCount"` // Number of files
	FileSize  int64  `json:"fileSize"`  // Size in bytes
	Kind      string `json:"kind"`      // Kind of files, as clean accepts it
	Root      string `json:"root"`      // Directory of the home
	UnitCount int64  `json:"unitCount"` // Number of items
	What      string `json:"what"`      // Description of the kind
	Why       string `json:"why"`       // Why it is safe to remove them
}

// Update are the changes of a session. Missing fields stay as they are, except that an empty body removes the title.
type Update struct {
	CustomTitle *string  `json:"customTitle,omitempty"` // The same as title, for clients of cli-bridge
	Note        *string  `json:"note,omitempty"`        // An empty text removes the note
	Source      *string  `json:"source,omitempty"`      // user, agent or helper; an empty text restores the detected source
	Starred     *bool    `json:"starred,omitempty"`     // True adds a star, false removes it
	Tags        []string `json:"tags,omitzero"`         // Replaces all tags
	Title       *string  `json:"title,omitempty"`       // New title; null or an empty body removes it
}

// UploadedImage is an image that messages can name.
type UploadedImage struct {
	AgentID  string `json:"agentId"`  // ID of the agent
	ID       string `json:"id"`       // ID of the image, by which messages name it
	MimeType string `json:"mimeType"` // Type of the image, by its bytes
	Size     int64  `json:"size"`     // Size in bytes
}

// UsageReport is what was used, with what only the homes know of it.
type UsageReport struct {
	AtLeast  bool       `json:"atLeast,omitempty"` // True if totals and sums are lower bounds, because the answer was made from a part.
	By       string     `json:"by"`                // What the rows group by
	Coverage Coverage   `json:"coverage"`          // How much the answer was made from
	HasMore  bool       `json:"hasMore"`           // True if a limit left rows out
	Limits   []Limit    `json:"limits,omitzero"`   // Limits of the plan, in a report by window
	Prices   PriceList  `json:"prices"`            // Price list that was used
	Rows     []UsageRow `json:"rows"`              // Rows of the report
	Since    time.Time  `json:"since,omitzero"`    // Start of the report
	Total    int64      `json:"total"`             // Number of rows, before a limit
	Totals   UsageTotal `json:"totals"`            // Sum of everything that matches
	TZ       string     `json:"tz"`                // Time zone of days
	Unpriced []Unpriced `json:"unpriced"`          // Models without a price
	Until    time.Time  `json:"until,omitzero"`    // End of the report
}

// UsageRow is one line of a report.
type UsageRow struct {
	Active       bool       `json:"active,omitempty"`      // For a window: true if it has not ended
	Agents       *Spending  `json:"agents,omitempty"`      // For a session: the part that its agents spent
	Cost         Cost       `json:"cost"`                  // Cost of these tokens
	From         time.Time  `json:"from,omitzero"`         // Start of the day, week, month or window
	Group        string     `json:"group"`                 // What the row groups by: a date, a model, a session, …
	Machine      string     `json:"machine,omitempty"`     // For a session: the machine of its home
	MessageCount int64      `json:"messageCount"`          // Number of answers
	Project      string     `json:"project,omitempty"`     // Short name of the project
	ProjectPath  string     `json:"projectPath,omitempty"` // Working directory of the project
	Root         string     `json:"root,omitempty"`        // For a session: the directory of its home
	SessionCount int64      `json:"sessionCount"`          // Sessions that took part, agents under their session
	SessionID    string     `json:"sessionId,omitempty"`   // For a session: its id
	Title        string     `json:"title,omitempty"`       // For a session: its title
	To           time.Time  `json:"to,omitzero"`           // End of the day, week, month or window
	Trashed      bool       `json:"trashed,omitempty"`     // For a session: true if it lies in the trash
	Usage        TokenUsage `json:"usage"`                 // Tokens
}

// Call is a tool call with its result.
type Call struct {
	Added      int64           `json:"added,omitempty"`      // Lines added
	AgentID    string          `json:"agentId,omitempty"`    // Agent that the call started
	Command    string          `json:"command,omitempty"`    // Whole command of a shell call
	Diff       []Hunk          `json:"diff,omitzero"`        // What an edit changed, or tried to change
	DurationMs int64           `json:"durationMs,omitempty"` // Milliseconds until the result
	File       string          `json:"file,omitempty"`       // File that the call reads or changes, as the model named it
	ID         string          `json:"id,omitempty"`         // Id of the call
	ImageCount int64           `json:"imageCount,omitempty"` // Number of images in the result
	Input      json.RawMessage `json:"input,omitempty"`      // Input of the tool
	Media      []Media         `json:"media,omitzero"`       // Images in the result
	Outcome    string          `json:"outcome,omitempty"`    // The most informative fact about the result: +2 −1, exit 1, 214 lines
	Output     string          `json:"output,omitempty"`     // Output as the model saw it, without the client's tags
	Persisted  string          `json:"persisted,omitempty"`  // The base name of the file in the session's tool-results directory that has an output too large for the transcript.
	Plan       string          `json:"plan,omitempty"`       // Plan that the call proposes
	Prompt     string          `json:"prompt,omitempty"`     // Prompt for the agent that the call starts
	Questions  []AskedQuestion `json:"questions,omitzero"`   // Questions to the user, with their answers
	Reason     string          `json:"reason,omitempty"`     // Why the call failed or was denied, in the words of the tool or of the person who answered.
	Removed    int64           `json:"removed,omitempty"`    // Lines removed
	Server     string          `json:"server,omitempty"`     // MCP server of the tool
	Short      string          `json:"short"`                // The tool in one short lower-case word: edit, bash, mcp
	State      CallState       `json:"state"`                // How the call ended
	Summary    string          `json:"summary,omitempty"`    // The most informative input, on one line
	Todos      []Todo          `json:"todos,omitzero"`       // Items of the to-do list
	Tool       string          `json:"tool"`                 // Name of the tool, without the prefix of its MCP server
}

// ViewCompaction describes a boundary.
type ViewCompaction struct {
	AfterTokens  int64  `json:"afterTokens,omitempty"`  // Tokens after the compaction; 0 if unknown
	BeforeTokens int64  `json:"beforeTokens,omitempty"` // Tokens before the compaction; 0 if unknown
	Trigger      string `json:"trigger,omitempty"`      // Auto or manual
}

// Content is a block of a message as in the API of the model. There are four types: text, thinking, tool_use and tool_result.
type Content struct {
	Content   string          `json:"content,omitempty"`     // For tool_result: output of the tool
	ID        string          `json:"id,omitempty"`          // For tool_use: id of the call
	Input     json.RawMessage `json:"input,omitempty"`       // For tool_use: input of the tool, an object
	IsError   bool            `json:"is_error,omitempty"`    // For tool_result: true if the tool failed
	Name      string          `json:"name,omitempty"`        // For tool_use: name of the tool
	Text      string          `json:"text,omitempty"`        // For text: the text
	Thinking  string          `json:"thinking,omitempty"`    // For thinking: the thought
	ToolUseID string          `json:"tool_use_id,omitempty"` // For tool_result: id of the call
	Type      string          `json:"type"`                  // Text, thinking, tool_use or tool_result
}

// Hunk is one region of a file that a call changed.
type Hunk struct {
	Lines    []string `json:"lines"`              // Lines, each starting with a space, + or -
	NewStart int64    `json:"newStart,omitempty"` // First line after the change, from 1; 0 if unknown
	OldStart int64    `json:"oldStart,omitempty"` // First line before the change, from 1; 0 if unknown
}

// Media is an image or a document without its bytes.
type Media struct {
	FileSize int64  `json:"fileSize,omitempty"` // Decoded size; 0 if the file is not in the transcript
	Height   int64  `json:"height,omitempty"`   // Height in pixels, like Width
	Type     string `json:"type,omitempty"`     // Png, pdf, …; empty if unknown
	URL      string `json:"url,omitempty"`      // Address that the file came from
	Width    int64  `json:"width,omitempty"`    // The width in pixels of a png, jpeg, gif or webp, read from its first bytes; 0 for other types.
}

// Part is one thing a reader sees. Which fields are set depends on Kind.
type Part struct {
	Aborted      bool            `json:"aborted,omitempty"`      // True if the answer was interrupted
	AgentID      string          `json:"agentId,omitempty"`      // Agent that a notice is about
	Also         []string        `json:"also,omitzero"`          // The uuids of the other entries that the part represents: the result of a call, copies of a line that the client wrote twice.
	Call         *Call           `json:"call,omitempty"`         // For a call, or a result without its call
	Compaction   *ViewCompaction `json:"compaction,omitempty"`   // For a boundary: the tokens before and after it
	DurationMs   int64           `json:"durationMs,omitempty"`   // Milliseconds spent thinking
	Failed       bool            `json:"failed,omitempty"`       // True if the notice reports a failure
	Kind         BlockKind       `json:"kind"`                   // What the part is
	Label        string          `json:"label,omitempty"`        // Label distinguishes parts of one kind, in a word or two: the topic of a notice (command, output, bash, task, stopped, summary, error, result, …), "queued" for a prompt that was typed while the model worked and "task" for one given to a sub-agent, the original type for meta and unknown parts.
	Line         int64           `json:"line,omitempty"`         // Number of that entry's line, from 1
	Media        *Media          `json:"media,omitempty"`        // For an image or document: the file
	MessageID    string          `json:"messageId,omitempty"`    // Uuid of the entry that the part comes from
	Model        string          `json:"model,omitempty"`        // Model that answered; empty if the client made up the answer
	Text         string          `json:"text,omitempty"`         // Text of the part
	Timestamp    time.Time       `json:"timestamp,omitzero"`     // When it was written
	WithheldSize int64           `json:"withheldSize,omitempty"` // Bytes of the signature that replaces a withheld thought
}

// AskedQuestion is a question of the model, with its answer.
type AskedQuestion struct {
	Answer  string   `json:"answer,omitempty"` // Answer of the user
	Options []string `json:"options,omitzero"` // Options to choose from
	Text    string   `json:"text"`             // The question
}

// Todo is an item of a check list.
type Todo struct {
	Status string `json:"status"` // Pending, in_progress or completed
	Text   string `json:"text"`   // Text of the item
}

// WaitRule is a rule for permissions, with the questions it would have answered.
type WaitRule struct {
	AskedCount  int64      `json:"askedCount"`  // Questions that were watched or refused
	DeniedCount int64      `json:"deniedCount"` // Calls that were refused
	Messages    []Evidence `json:"messages"`    // The latest of the calls
	Rule        string     `json:"rule"`        // The rule, as settings write it
	WaitedMs    int64      `json:"waitedMs"`    // Milliseconds that watched questions were open
}

// Waits are questions whether a tool may run.
type Waits struct {
	AskedCount  int64      `json:"askedCount"`  // Questions that were watched or refused
	DeniedCount int64      `json:"deniedCount"` // Calls that were refused
	Rules       []WaitRule `json:"rules"`       // By the rule that would have answered them
	WaitedMs    int64      `json:"waitedMs"`    // Milliseconds that watched questions were open
}

// Waste is work that was thrown away. A message counts once, as one of an abandoned conversation where it is both.
type Waste struct {
	Conversations  Figure   `json:"conversations"`  // Conversations that were left for another one
	Interrupted    Figure   `json:"interrupted"`    // Turns that were interrupted
	TokenCount     int64    `json:"tokenCount"`     // Tokens of all of it
	UnpricedModels []string `json:"unpricedModels"` // Models without a price, which usd leaves out
	USD            float64  `json:"usd"`            // The amount in US dollars; nil if tokens were used and none of them has a price.
}

// Way is one of the turns to choose from at a fork, with the subtree that starts there.
type Way struct {
	ConversationCount int64     `json:"conversationCount"`  // Number of conversations that have it
	Here              bool      `json:"here,omitempty"`     // True for the turn of this conversation
	Leaf              string    `json:"leaf"`               // Conversation that shows the turn
	MessageID         string    `json:"messageId"`          // Uuid of the turn's first line
	Text              string    `json:"text,omitempty"`     // Start of its text
	Timestamp         time.Time `json:"timestamp,omitzero"` // Time of its first line
	TurnCount         int64     `json:"turnCount"`          // Number of turns from this one down
}

// Writer is who changed a file, and when.
type Writer struct {
	Address     string    `json:"address"`            // Address of that line
	AgentID     string    `json:"agentId,omitempty"`  // Agent that made the change
	MessageID   string    `json:"messageId"`          // Uuid of the line with the call
	Path        string    `json:"path"`               // Path that the file had then
	Project     string    `json:"project"`            // Short name of the project
	ProjectPath string    `json:"projectPath"`        // Working directory of the project
	Prompt      string    `json:"prompt,omitempty"`   // Start of that prompt; for an agent its task
	PromptID    string    `json:"promptId,omitempty"` // Uuid of the prompt that led to it
	Root        string    `json:"root"`               // Directory of the home
	SessionID   string    `json:"sessionId"`          // Id of the session
	Timestamp   time.Time `json:"timestamp,omitzero"` // When the change was made
	Title       string    `json:"title"`              // Title of the session, or of the agent
	Tool        string    `json:"tool"`               // Tool that made the change
}

// ActState is one of the constants below. A newer server may send other values.
type ActState string

// The values of ActState.
const (
	ActStateBegun   ActState = "begun"
	ActStateDone    ActState = "done"
	ActStateUndone  ActState = "undone"
	ActStateDropped ActState = "dropped"
	ActStateUnclear ActState = "unclear"
	ActStateNoted   ActState = "noted"
)

// AgentDetailPermissionMode is one of the constants below. A newer server may send other values.
type AgentDetailPermissionMode string

// The values of AgentDetailPermissionMode.
const (
	AgentDetailPermissionModeDefault           AgentDetailPermissionMode = "default"
	AgentDetailPermissionModeAcceptEdits       AgentDetailPermissionMode = "acceptEdits"
	AgentDetailPermissionModeBypassPermissions AgentDetailPermissionMode = "bypassPermissions"
)

// BlockKind is one of the constants below. A newer server may send other values.
type BlockKind string

// The values of BlockKind.
const (
	BlockKindPrompt   BlockKind = "prompt"
	BlockKindText     BlockKind = "text"
	BlockKindThinking BlockKind = "thinking"
	BlockKindCall     BlockKind = "call"
	BlockKindNotice   BlockKind = "notice"
	BlockKindBoundary BlockKind = "boundary"
	BlockKindImage    BlockKind = "image"
	BlockKindDocument BlockKind = "document"
	BlockKindMeta     BlockKind = "meta"
	BlockKindUnknown  BlockKind = "unknown"
)

// BulkAction is one of the constants below. A newer server may send other values.
type BulkAction string

// The values of BulkAction.
const (
	BulkActionArchive   BulkAction = "archive"
	BulkActionUnarchive BulkAction = "unarchive"
	BulkActionDelete    BulkAction = "delete"
	BulkActionUpdate    BulkAction = "update"
)

// CallState is one of the constants below. A newer server may send other values.
type CallState string

// The values of CallState.
const (
	CallStateOk          CallState = "ok"
	CallStateFailed      CallState = "failed"
	CallStateDenied      CallState = "denied"
	CallStateInterrupted CallState = "interrupted"
	CallStateNoResult    CallState = "no result"
	CallStateLaunched    CallState = "launched"
)

// CommandKind is one of the constants below. A newer server may send other values.
type CommandKind string

// The values of CommandKind.
const (
	CommandKindCommand CommandKind = "command"
	CommandKindSkill   CommandKind = "skill"
	CommandKindAgent   CommandKind = "agent"
)

// CommandScope is one of the constants below. A newer server may send other values.
type CommandScope string

// The values of CommandScope.
const (
	CommandScopeUser    CommandScope = "user"
	CommandScopeProject CommandScope = "project"
)

// ContextItemKind is one of the constants below. A newer server may send other values.
type ContextItemKind string

// The values of ContextItemKind.
const (
	ContextItemKindSystem   ContextItemKind = "system"
	ContextItemKindMemory   ContextItemKind = "memory"
	ContextItemKindTools    ContextItemKind = "tools"
	ContextItemKindMcp      ContextItemKind = "mcp"
	ContextItemKindPrompts  ContextItemKind = "prompts"
	ContextItemKindSummary  ContextItemKind = "summary"
	ContextItemKindAnswers  ContextItemKind = "answers"
	ContextItemKindThinking ContextItemKind = "thinking"
	ContextItemKindResults  ContextItemKind = "results"
	ContextItemKindUnknown  ContextItemKind = "unknown"
)

// DecisionBehavior is one of the constants below. A newer server may send other values.
type DecisionBehavior string

// The values of DecisionBehavior.
const (
	DecisionBehaviorAllow DecisionBehavior = "allow"
	DecisionBehaviorDeny  DecisionBehavior = "deny"
)

// DecisionScope is one of the constants below. A newer server may send other values.
type DecisionScope string

// The values of DecisionScope.
const (
	DecisionScopeOnce   DecisionScope = "once"
	DecisionScopeRun    DecisionScope = "run"
	DecisionScopeAlways DecisionScope = "always"
)

// ErrorCode is one of the constants below. A newer server may send other values.
type ErrorCode string

// The values of ErrorCode.
const (
	ErrorCodeInvalid    ErrorCode = "invalid"
	ErrorCodeNotFound   ErrorCode = "not_found"
	ErrorCodeNoProject  ErrorCode = "no_project"
	ErrorCodeNoHome     ErrorCode = "no_home"
	ErrorCodeAmbiguous  ErrorCode = "ambiguous"
	ErrorCodeConflict   ErrorCode = "conflict"
	ErrorCodeDenied     ErrorCode = "denied"
	ErrorCodeHeld       ErrorCode = "held"
	ErrorCodeChanged    ErrorCode = "changed"
	ErrorCodeCanceled   ErrorCode = "canceled"
	ErrorCodeTimeout    ErrorCode = "timeout"
	ErrorCodeDamaged    ErrorCode = "damaged"
	ErrorCodeIncomplete ErrorCode = "incomplete"
	ErrorCodeNoSpace    ErrorCode = "no_space"
	ErrorCodeFailed     ErrorCode = "failed"
)

// EventKind is one of the constants below. A newer server may send other values.
type EventKind string

// The values of EventKind.
const (
	EventKindAppeared EventKind = "appeared"
	EventKindLines    EventKind = "lines"
	EventKindState    EventKind = "state"
	EventKindReplaced EventKind = "replaced"
	EventKindGone     EventKind = "gone"
	EventKindFinished EventKind = "finished"
	EventKindMoved    EventKind = "moved"
	EventKindReset    EventKind = "reset"
	EventKindJob      EventKind = "job"
)

// FileVersionSure is one of the constants below. A newer server may send other values.
type FileVersionSure string

// The values of FileVersionSure.
const (
	FileVersionSureExact    FileVersionSure = "exact"
	FileVersionSureReplayed FileVersionSure = "replayed"
	FileVersionSureUnknown  FileVersionSure = "unknown"
)

// JobState is one of the constants below. A newer server may send other values.
type JobState string

// The values of JobState.
const (
	JobStateRunning   JobState = "running"
	JobStateDone      JobState = "done"
	JobStateFailed    JobState = "failed"
	JobStateCancelled JobState = "cancelled"
)

// LiveAgentState is one of the constants below. A newer server may send other values.
type LiveAgentState string

// The values of LiveAgentState.
const (
	LiveAgentStateStarting          LiveAgentState = "starting"
	LiveAgentStateIdle              LiveAgentState = "idle"
	LiveAgentStateRunning           LiveAgentState = "running"
	LiveAgentStateWaitingPermission LiveAgentState = "waiting_permission"
	LiveAgentStateWaitingInput      LiveAgentState = "waiting_input"
	LiveAgentStateRecovering        LiveAgentState = "recovering"
	LiveAgentStateStopped           LiveAgentState = "stopped"
)

// MessageCursorGoneCode is one of the constants below. A newer server may send other values.
type MessageCursorGoneCode string

// The values of MessageCursorGoneCode.
const (
	MessageCursorGoneCodeCURSORNOTFOUND MessageCursorGoneCode = "CURSOR_NOT_FOUND"
	MessageCursorGoneCodeCURSOREXPIRED  MessageCursorGoneCode = "CURSOR_EXPIRED"
	MessageCursorGoneCodeINVALIDPARAMS  MessageCursorGoneCode = "INVALID_PARAMS"
)

// MessageFiltersOrder is one of the constants below. A newer server may send other values.
type MessageFiltersOrder string

// The values of MessageFiltersOrder.
const (
	MessageFiltersOrderAsc  MessageFiltersOrder = "asc"
	MessageFiltersOrderDesc MessageFiltersOrder = "desc"
)

// OutlineItemKind is one of the constants below. A newer server may send other values.
type OutlineItemKind string

// The values of OutlineItemKind.
const (
	OutlineItemKindPrompt     OutlineItemKind = "prompt"
	OutlineItemKindCompaction OutlineItemKind = "compaction"
	OutlineItemKindPlan       OutlineItemKind = "plan"
	OutlineItemKindError      OutlineItemKind = "error"
)

// PairedStatus is one of the constants below. A newer server may send other values.
type PairedStatus string

// The values of PairedStatus.
const (
	PairedStatusClaimed PairedStatus = "claimed"
	PairedStatusPaired  PairedStatus = "paired"
)

// PairingStatus is one of the constants below. A newer server may send other values.
type PairingStatus string

// The values of PairingStatus.
const (
	PairingStatusWaiting   PairingStatus = "waiting"
	PairingStatusClaimed   PairingStatus = "claimed"
	PairingStatusConfirmed PairingStatus = "confirmed"
	PairingStatusPaired    PairingStatus = "paired"
	PairingStatusClosed    PairingStatus = "closed"
)

// PricedAmountKind is one of the constants below. A newer server may send other values.
type PricedAmountKind string

// The values of PricedAmountKind.
const (
	PricedAmountKindInput        PricedAmountKind = "input"
	PricedAmountKindOutput       PricedAmountKind = "output"
	PricedAmountKindCacheWrite5m PricedAmountKind = "cache write 5m"
	PricedAmountKindCacheWrite1h PricedAmountKind = "cache write 1h"
	PricedAmountKindCacheRead    PricedAmountKind = "cache read"
	PricedAmountKindWebSearch    PricedAmountKind = "web search"
)

// QuestionKind is one of the constants below. A newer server may send other values.
type QuestionKind string

// The values of QuestionKind.
const (
	QuestionKindPermission QuestionKind = "permission"
	QuestionKindQuestion   QuestionKind = "question"
)

// RestoredFileState is one of the constants below. A newer server may send other values.
type RestoredFileState string

// The values of RestoredFileState.
const (
	RestoredFileStateGone     RestoredFileState = "gone"
	RestoredFileStateThere    RestoredFileState = "there"
	RestoredFileStateConflict RestoredFileState = "conflict"
	RestoredFileStatePart     RestoredFileState = "part"
	RestoredFileStateLost     RestoredFileState = "lost"
)

// Resumes is one of the constants below. A newer server may send other values.
type Resumes string

// The values of Resumes.
const (
	ResumesYes    Resumes = "yes"
	ResumesPartly Resumes = "partly"
	ResumesNo     Resumes = "no"
)

// Role is one of the constants below. A newer server may send other values.
type Role string

// The values of Role.
const (
	RoleRead    Role = "read"
	RoleApprove Role = "approve"
	RoleManage  Role = "manage"
	RoleOperate Role = "operate"
)

// RunEventEvent is one of the constants below. A newer server may send other values.
type RunEventEvent string

// The values of RunEventEvent.
const (
	RunEventEventQueued      RunEventEvent = "queued"
	RunEventEventStarted     RunEventEvent = "started"
	RunEventEventReady       RunEventEvent = "ready"
	RunEventEventMessage     RunEventEvent = "message"
	RunEventEventTurn        RunEventEvent = "turn"
	RunEventEventWaiting     RunEventEvent = "waiting"
	RunEventEventAnswered    RunEventEvent = "answered"
	RunEventEventWithdrawn   RunEventEvent = "withdrawn"
	RunEventEventInterrupted RunEventEvent = "interrupted"
	RunEventEventChanged     RunEventEvent = "changed"
	RunEventEventQuiet       RunEventEvent = "quiet"
	RunEventEventBudget      RunEventEvent = "budget"
	RunEventEventLater       RunEventEvent = "later"
	RunEventEventStopping    RunEventEvent = "stopping"
	RunEventEventEnded       RunEventEvent = "ended"
	RunEventEventTrouble     RunEventEvent = "trouble"
)

// RunOutcome is one of the constants below. A newer server may send other values.
type RunOutcome string

// The values of RunOutcome.
const (
	RunOutcomeAnswered    RunOutcome = "answered"
	RunOutcomeFailed      RunOutcome = "failed"
	RunOutcomeLimit       RunOutcome = "limit"
	RunOutcomeBudget      RunOutcome = "budget"
	RunOutcomeInterrupted RunOutcome = "interrupted"
	RunOutcomeStopped     RunOutcome = "stopped"
	RunOutcomeClientDied  RunOutcome = "client died"
	RunOutcomeHolderDied  RunOutcome = "holder died"
	RunOutcomeNoSpace     RunOutcome = "no space"
)

// RunState is one of the constants below. A newer server may send other values.
type RunState string

// The values of RunState.
const (
	RunStateQueued   RunState = "queued"
	RunStateStarting RunState = "starting"
	RunStateWorking  RunState = "working"
	RunStateNeedsYou RunState = "needs you"
	RunStateYourTurn RunState = "your turn"
	RunStateEnded    RunState = "ended"
	RunStateUnclean  RunState = "unclean"
)

// SessionOrigin is one of the constants below. A newer server may send other values.
type SessionOrigin string

// The values of SessionOrigin.
const (
	SessionOriginSource SessionOrigin = "source"
	SessionOriginCopy   SessionOrigin = "copy"
)

// SessionSource is one of the constants below. A newer server may send other values.
type SessionSource string

// The values of SessionSource.
const (
	SessionSourceUser   SessionSource = "user"
	SessionSourceAgent  SessionSource = "agent"
	SessionSourceHelper SessionSource = "helper"
	SessionSourceTwin   SessionSource = "twin"
)

// SessionStarted is one of the constants below. A newer server may send other values.
type SessionStarted string

// The values of SessionStarted.
const (
	SessionStartedPerson  SessionStarted = "person"
	SessionStartedProgram SessionStarted = "program"
)

// SessionState is one of the constants below. A newer server may send other values.
type SessionState string

// The values of SessionState.
const (
	SessionStateNeedsYou SessionState = "needs you"
	SessionStateWorking  SessionState = "working"
	SessionStateYourTurn SessionState = "your turn"
	SessionStateIdle     SessionState = "idle"
	SessionStateUnclean  SessionState = "unclean"
	SessionStateEnded    SessionState = "ended"
)

// SourceFilter is one of the constants below. A newer server may send other values.
type SourceFilter string

// The values of SourceFilter.
const (
	SourceFilterUser   SourceFilter = "user"
	SourceFilterAgent  SourceFilter = "agent"
	SourceFilterHelper SourceFilter = "helper"
	SourceFilterAll    SourceFilter = "all"
)

// StreamMessageType is one of the constants below. A newer server may send other values.
type StreamMessageType string

// The values of StreamMessageType.
const (
	StreamMessageTypeUser       StreamMessageType = "user"
	StreamMessageTypeAssistant  StreamMessageType = "assistant"
	StreamMessageTypeThinking   StreamMessageType = "thinking"
	StreamMessageTypeToolUse    StreamMessageType = "tool_use"
	StreamMessageTypeToolResult StreamMessageType = "tool_result"
	StreamMessageTypeSystem     StreamMessageType = "system"
)

// TurnRole is one of the constants below. A newer server may send other values.
type TurnRole string

// The values of TurnRole.
const (
	TurnRolePrompt TurnRole = "prompt"
	TurnRoleAnswer TurnRole = "answer"
	TurnRoleNotes  TurnRole = "notes"
)
