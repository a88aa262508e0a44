// Code generated from the OpenAPI document by internal/clientgen; "make client-go" does it again. DO NOT EDIT.

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

// Filter chooses among sessions; what is empty chooses nothing.
type Filter struct {
	Source          string // user, agent, helper, several with commas between, or all. Without it a list has those of users, and counts have all
	Started         string // Who started it
	Entrypoint      string // The client's own word for how it was started: cli, sdk-cli, …; several with commas between
	State           string // working, needs you, your turn, idle, unclean, ended; several with commas between
	GitBranch       string // The git branch it ended on, or several with commas between
	Model           string // Part of a model's name, or several with commas between
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Agents of this session
	ForkedFrom      string // Forks of this session
	Tag             string // With this tag, the client's or the user's
	Starred         bool   // Only those with a star
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Project         string // Of all projects only these: any of their names, several with commas between
	Root            string // The directory of one home, where there are several
	Has             string // agents, branches, note, error, image, thinking, diff, plan, pr; with commas between, all of them
}

func (o Filter) set(q url.Values) {
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
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

// Paging chooses a page of a list: by Cursor, which is the Next of the page before, or by Offset.
type Paging struct {
	Limit  int    // Rows on a page: at most 500
	Offset int    // Rows to skip
	Cursor string // next of the page before, or a number of rows to skip
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

// Alive: tell that the server is alive.
func (c *Client) Alive(ctx context.Context) (*Alive, error) {
	return ask[Alive](ctx, c, http.MethodGet, "/healthz", nil, nil)
}

// AnswerPrompt: answer what a running session asks.
func (c *Client) AnswerPrompt(ctx context.Context, id string, body Decision) (*HolderRecord, error) {
	return ask[HolderRecord](ctx, c, http.MethodPost, "/inbox/"+url.PathEscape(id), nil, body)
}

// ArchiveSessionOptions is what ArchiveSession may be asked for; what is empty is not sent.
type ArchiveSessionOptions struct {
	Root   string // The directory of one home, where there are several
	DryRun bool   // Only tell what would be done: nothing is changed
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

// ArchiveSession: put a session away, and keep it for ever.
func (c *Client) ArchiveSession(ctx context.Context, project string, id string, o ArchiveSessionOptions) (*Session, error) {
	return ask[Session](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/archive", o.values(), nil)
}

// BeginPairing: make a code by which a device can be paired, once, within two minutes.
func (c *Client) BeginPairing(ctx context.Context, body PairingInputBody) (*PairingRow, error) {
	return ask[PairingRow](ctx, c, http.MethodPost, "/pairings", nil, body)
}

// BlobOptions is what Blob may be asked for; what is empty is not sent.
type BlobOptions struct {
	Root     string // Home of the session, where several have it
	Download bool   // To be saved, whatever it is
	Ticket   string // Instead of a token: one that createTicket made for this address
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

// Blob: send one thing that a session holds: an image, a document, or all of a long text.
//
// It is sent as what its first bytes are. Only png, jpeg, gif and webp of at most 50 million pixels, and texts, are shown by a browser; everything else is a download.
func (c *Client) Blob(ctx context.Context, project string, id string, ref string, o BlobOptions) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/blobs/"+url.PathEscape(ref), o.values())
}

// BlocksOptions is what Blocks may be asked for; what is empty is not sent.
type BlocksOptions struct {
	Root     string // The directory of one home, where there are several
	Leaf     string // The conversation that ends so; without it the active one
	Around   string // A message: its turn and those beside it. start is the first turn, end the last; without it the end
	Above    string // Only turns before the one of this message: prev of the stretch that is there
	Below    string // Only turns after the one of this message: next of the stretch that is there
	From     *int   // Instead of a message: the number of a turn, counting from 0; it and After turns after it
	Before   *int   // Turns before it: 20, at most 500
	After    *int   // Turns after it: 20, at most 500
	Thinking string // false leaves thoughts out
	Tools    string // false leaves calls of tools out
	Meta     string // false leaves out what the client put in for the model
	Count    bool   // Also tell how many blocks the conversation has, and which of them each block is. The first time all of it is read
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

// Blocks: read a stretch of a conversation.
//
// Whole turns are read: a prompt, or an answer with the results of its calls. Without around it is the end of the conversation. above=prev and below=next go on in either direction. Long texts are cut, and truncated says where all of each is; images and documents are never part of the answer.
func (c *Client) Blocks(ctx context.Context, project string, id string, o BlocksOptions) (*BlockPage, error) {
	return ask[BlockPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/blocks", o.values(), nil)
}

// BranchSessionOptions is what BranchSession may be asked for; what is empty is not sent.
type BranchSessionOptions struct {
	Root   string // The directory of one home, where there are several
	DryRun bool   // Only tell what would be done: nothing is changed
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

// BranchSession: make a session of one conversation of a session.
//
// The session it is taken from stays as it is.
func (c *Client) BranchSession(ctx context.Context, project string, id string, o BranchSessionOptions, body BranchInputBody) (*Branched, error) {
	return ask[Branched](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/branch", o.values(), body)
}

// Bulk: do something to many sessions; one that fails stops none of the others.
func (c *Client) Bulk(ctx context.Context, project string, body BulkInputBody) (*Bulk, error) {
	return ask[Bulk](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/bulk", nil, body)
}

// BulkJob begins what Bulk does, and does not wait for it: see Wait. In the end the
// result of the job is what Bulk returns.
func (c *Client) BulkJob(ctx context.Context, project string, body BulkInputBody) (*Job, error) {
	return ask[Job](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/bulk", asJob(nil), body)
}

// CancelJob: end a job, or forget one that is over.
//
// What it did already stays done, and can be undone.
func (c *Client) CancelJob(ctx context.Context, job string) (*Job, error) {
	return ask[Job](ctx, c, http.MethodDelete, "/jobs/"+url.PathEscape(job), nil, nil)
}

// CheckOptions is what Check may be asked for; what is empty is not sent.
type CheckOptions struct {
	Project string // Only sessions of this project
	Session string // Only this session
	Root    string // The directory of its home, where there are several
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

// Check: look for damage, and tell which sessions the client would resume.
//
// All sessions and what is beside them, those of one project, or one session. Nothing is changed. All transcripts are read: ask for a job if there are many.
func (c *Client) Check(ctx context.Context, o CheckOptions) (*CheckPage, error) {
	return ask[CheckPage](ctx, c, http.MethodGet, "/check", o.values(), nil)
}

// CheckJob begins what Check does, and does not wait for it: see Wait. In the end the
// result of the job is what Check returns.
func (c *Client) CheckJob(ctx context.Context, o CheckOptions) (*Job, error) {
	return ask[Job](ctx, c, http.MethodGet, "/check", asJob(o.values()), nil)
}

// Clean: move old sessions, and what nothing needs any more, to the trash.
//
// GET /clean tells what there is. Sessions are those that everything in sessions describes; each is copied first. Those that are archived, starred or in use stay.
func (c *Client) Clean(ctx context.Context, body CleanInputBody) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodPost, "/clean", nil, body)
}

// CleanJob begins what Clean does, and does not wait for it: see Wait. In the end the
// result of the job is what Clean returns.
func (c *Client) CleanJob(ctx context.Context, body CleanInputBody) (*Job, error) {
	return ask[Job](ctx, c, http.MethodPost, "/clean", asJob(nil), body)
}

// CleanMap: tell what could be cleaned up, and why that is safe.
func (c *Client) CleanMap(ctx context.Context) (*CleanPage, error) {
	return ask[CleanPage](ctx, c, http.MethodGet, "/clean", nil, nil)
}

// CommandsOptions is what Commands may be asked for; what is empty is not sent.
type CommandsOptions struct {
	Paging  Paging
	Kind    string // Only these
	Scope   string // Only those of the home, or of projects
	Project string // With those of this project; without it, of the homes alone
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

// Commands: list command files, agents and skills.
func (c *Client) Commands(ctx context.Context, o CommandsOptions) (*CommandPage, error) {
	return ask[CommandPage](ctx, c, http.MethodGet, "/commands", o.values(), nil)
}

// CompareConversationsOptions is what CompareConversations may be asked for; what is empty is not sent.
type CompareConversationsOptions struct {
	Root  string // The directory of one home, where there are several
	A     string // The leaf of a conversation
	B     string // The leaf of another one; SESSION:LEAF is one of another session, such as a fork
	Limit int    // Turns of each: 20, at most 500
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

// CompareConversations: show two conversations of a session from where they part.
func (c *Client) CompareConversations(ctx context.Context, project string, id string, o CompareConversationsOptions) (*Comparison, error) {
	return ask[Comparison](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/compare", o.values(), nil)
}

// ConfirmPairing: let the device in: it shows the same number.
func (c *Client) ConfirmPairing(ctx context.Context, id string) (*PairingRow, error) {
	return ask[PairingRow](ctx, c, http.MethodPost, "/pairings/"+url.PathEscape(id)+"/confirm", nil, nil)
}

// CountSessionsOptions is what CountSessions may be asked for; what is empty is not sent.
type CountSessionsOptions struct {
	Filter Filter
	Q      string // Only sessions in which a search finds this, or in an agent of which: at most the latest 10000. complete then says whether all was looked at
}

func (o CountSessionsOptions) values() url.Values {
	q := url.Values{}
	o.Filter.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	return q
}

// CountSessions: count sessions.
func (c *Client) CountSessions(ctx context.Context, project string, o CountSessionsOptions) (*Count, error) {
	return ask[Count](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/count", o.values(), nil)
}

// CreateCode: make a code that can be changed into a token once, within a minute.
func (c *Client) CreateCode(ctx context.Context, body GrantInputBody) (*NewCode, error) {
	return ask[NewCode](ctx, c, http.MethodPost, "/codes", nil, body)
}

// CreateTicket: make a ticket for one download.
//
// It is good once, for a minute, and only for the address it was made for: a document or a blob of a session, with its parameters. url is that address with the ticket in it.
func (c *Client) CreateTicket(ctx context.Context, body TicketInputBody) (*NewTicket, error) {
	return ask[NewTicket](ctx, c, http.MethodPost, "/tickets", nil, body)
}

// CreateToken: make a token; its secret is told here and never again.
func (c *Client) CreateToken(ctx context.Context, body GrantInputBody) (*NewToken, error) {
	return ask[NewToken](ctx, c, http.MethodPost, "/tokens", nil, body)
}

// DeleteSessionOptions is what DeleteSession may be asked for; what is empty is not sent.
type DeleteSessionOptions struct {
	Root      string // The directory of one home, where there are several
	DryRun    bool   // Only tell what would be done: nothing is changed
	Permanent bool   // Delete it for ever, which needs the role operate
	Force     bool   // Even if it is being written
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

// DeleteSession: move a session to the trash.
func (c *Client) DeleteSession(ctx context.Context, project string, id string, o DeleteSessionOptions) (*Deleted, error) {
	return ask[Deleted](ctx, c, http.MethodDelete, inProject(project)+"/sessions"+"/"+url.PathEscape(id), o.values(), nil)
}

// DeleteSessionsOptions is what DeleteSessions may be asked for; what is empty is not sent.
type DeleteSessionsOptions struct {
	DryRun bool   // Only tell what would be done: nothing is changed
	Filter string // Which sessions
	Days   int    // older_than: nothing was said in them for so many days
	Hours  int    // agent_older_than: nothing was said in them for so many hours
	Source string // source: those of this source. Agents of a session go with it, never alone
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

// DeleteSessions: move the sessions that match a filter to the trash.
func (c *Client) DeleteSessions(ctx context.Context, project string, o DeleteSessionsOptions) (*DeletedSessions, error) {
	return ask[DeletedSessions](ctx, c, http.MethodDelete, inProject(project)+"/sessions", o.values(), nil)
}

// DeleteSessionsJob begins what DeleteSessions does, and does not wait for it: see Wait. In the end the
// result of the job is what DeleteSessions returns.
func (c *Client) DeleteSessionsJob(ctx context.Context, project string, o DeleteSessionsOptions) (*Job, error) {
	return ask[Job](ctx, c, http.MethodDelete, inProject(project)+"/sessions", asJob(o.values()), nil)
}

// Doctor: tell what is not as it should be.
func (c *Client) Doctor(ctx context.Context) (*Health, error) {
	return ask[Health](ctx, c, http.MethodGet, "/doctor", nil, nil)
}

// EventsOptions is what Events may be asked for; what is empty is not sent.
type EventsOptions struct {
	Session string // Only these sessions, by id; id@HOME is that of one home
	Lines   string // false leaves the lines out that were written
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

// Events: tell what happens, as server-sent events.
//
// Each event has its id and its kind. After a break the header Last-Event-ID goes on behind it; where that cannot be done exactly there is one event reset. Events run and inbox have no id: they tell where every run is, and what waits, at first and whenever that changes.
func (c *Client) Events(ctx context.Context, o EventsOptions) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, "/events", o.values())
}

// ExportSessionOptions is what ExportSession may be asked for; what is empty is not sent.
type ExportSessionOptions struct {
	Root                     string // Home of the session, where several have it
	Format                   string // markdown, text, json or jsonl, which is the file itself
	Leaf                     string // A conversation other than the active one
	All                      bool   // All conversations
	Agents                   bool   // With its sub-agents
	ExcludeThinking          bool   // Without thinking
	ExcludeTools             bool   // Without tools
	IncludeStructuredContent bool   // With the blocks of messages (json)
	Ticket                   string // Instead of a token: one that createTicket made for this address
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
	if o.Ticket != "" {
		q.Set("ticket", o.Ticket)
	}
	return q
}

// ExportSession: write a session as a document.
func (c *Client) ExportSession(ctx context.Context, project string, id string, o ExportSessionOptions) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/export", o.values())
}

// FacetsOptions is what Facets may be asked for; what is empty is not sent.
type FacetsOptions struct {
	Filter Filter
	Q      string // Only sessions in which a search finds this, or in an agent of which: at most the latest 10000. complete then says whether all was looked at
}

func (o FacetsOptions) values() url.Values {
	q := url.Values{}
	o.Filter.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	return q
}

// Facets: count sessions by what they have in common.
//
// By source, state, started, project, gitBranch, model, tag, has, starred and archived. A count is the total of the list with that value in place of what the request says of the facet; values that no session has are left out.
func (c *Client) Facets(ctx context.Context, project string, o FacetsOptions) (*FacetPage, error) {
	return ask[FacetPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/facets", o.values(), nil)
}

// GetJob: tell how far a job is, and what came of it.
//
// Once it is over, result is what the request would have been answered without async=true.
func (c *Client) GetJob(ctx context.Context, job string) (*Job, error) {
	return ask[Job](ctx, c, http.MethodGet, "/jobs/"+url.PathEscape(job), nil, nil)
}

// GetProject: show what is known of a project.
func (c *Client) GetProject(ctx context.Context, project string) (*PricedProject, error) {
	return ask[PricedProject](ctx, c, http.MethodGet, "/projects/"+url.PathEscape(project), nil, nil)
}

// GetRun: tell of one run, and what happened to it.
func (c *Client) GetRun(ctx context.Context, run string) (*RunShown, error) {
	return ask[RunShown](ctx, c, http.MethodGet, "/runs/"+url.PathEscape(run), nil, nil)
}

// GetSessionOptions is what GetSession may be asked for; what is empty is not sent.
type GetSessionOptions struct {
	Root string // The directory of one home, where there are several
}

func (o GetSessionOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// GetSession: show what is known of a session.
func (c *Client) GetSession(ctx context.Context, project string, id string, o GetSessionOptions) (*Session, error) {
	return ask[Session](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id), o.values(), nil)
}

// Health: tell how the server does.
func (c *Client) Health(ctx context.Context) (*ServerHealth, error) {
	return ask[ServerHealth](ctx, c, http.MethodGet, "/health", nil, nil)
}

// HistoryOptions is what History may be asked for; what is empty is not sent.
type HistoryOptions struct {
	Paging  Paging
	Q       string // Only prompts that hold this text
	Project string // Only those typed in or below this directory, or in this project
	Pastes  bool   // Look for the text in what was pasted too
	Full    bool   // With the pastes in their places
	Since   string // Typed from then on: RFC 3339 or a date
	Until   string // Typed before then: RFC 3339 or a date
	TZ      string // Days are those of this time zone; without it, of the machine's
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

// History: list prompts that were typed, the newest first.
func (c *Client) History(ctx context.Context, o HistoryOptions) (*PromptPage, error) {
	return ask[PromptPage](ctx, c, http.MethodGet, "/history", o.values(), nil)
}

// HistoryProjectsOptions is what HistoryProjects may be asked for; what is empty is not sent.
type HistoryProjectsOptions struct {
	Paging  Paging
	Q       string // Only prompts that hold this text
	Project string // Only those typed in or below this directory, or in this project
	Pastes  bool   // Look for the text in what was pasted too
	Full    bool   // With the pastes in their places
	Since   string // Typed from then on: RFC 3339 or a date
	Until   string // Typed before then: RFC 3339 or a date
	TZ      string // Days are those of this time zone; without it, of the machine's
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

// HistoryProjects: list the directories prompts were typed in.
func (c *Client) HistoryProjects(ctx context.Context, o HistoryProjectsOptions) (*ProjectUsePage, error) {
	return ask[ProjectUsePage](ctx, c, http.MethodGet, "/history/projects", o.values(), nil)
}

// HistoryTimelineOptions is what HistoryTimeline may be asked for; what is empty is not sent.
type HistoryTimelineOptions struct {
	Paging  Paging
	Q       string // Only prompts that hold this text
	Project string // Only those typed in or below this directory, or in this project
	Pastes  bool   // Look for the text in what was pasted too
	Full    bool   // With the pastes in their places
	Since   string // Typed from then on: RFC 3339 or a date
	Until   string // Typed before then: RFC 3339 or a date
	TZ      string // Days are those of this time zone; without it, of the machine's
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

// HistoryTimeline: count prompts by day.
func (c *Client) HistoryTimeline(ctx context.Context, o HistoryTimelineOptions) (*Timeline, error) {
	return ask[Timeline](ctx, c, http.MethodGet, "/history/timeline", o.values(), nil)
}

// InterruptRun: make a run stop what it does.
func (c *Client) InterruptRun(ctx context.Context, run string) (*HolderRecord, error) {
	return ask[HolderRecord](ctx, c, http.MethodPost, "/runs/"+url.PathEscape(run)+"/interrupt", nil, nil)
}

// KeepExpiringOptions is what KeepExpiring may be asked for; what is empty is not sent.
type KeepExpiringOptions struct {
	Paging Paging
	Days   int // Within so many days; without it all of them
}

func (o KeepExpiringOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Days != 0 {
		q.Set("days", strconv.Itoa(o.Days))
	}
	return q
}

// KeepExpiring: list sessions that the client will delete.
func (c *Client) KeepExpiring(ctx context.Context, o KeepExpiringOptions) (*ExpiringPage, error) {
	return ask[ExpiringPage](ctx, c, http.MethodGet, "/keep/expiring", o.values(), nil)
}

// KeepGoneOptions is what KeepGone may be asked for; what is empty is not sent.
type KeepGoneOptions struct {
	Paging Paging
}

func (o KeepGoneOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// KeepGone: list what was deleted and is kept.
func (c *Client) KeepGone(ctx context.Context, o KeepGoneOptions) (*GonePage, error) {
	return ask[GonePage](ctx, c, http.MethodGet, "/keep/gone", o.values(), nil)
}

// KeepNowOptions is what KeepNow may be asked for; what is empty is not sent.
type KeepNowOptions struct {
	DryRun bool // Only tell what would be done: nothing is changed
}

func (o KeepNowOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// KeepNow: copy everything that is not kept yet.
//
// A dry run tells how many sessions are not kept as they are now, and how many bytes of them are not.
func (c *Client) KeepNow(ctx context.Context, o KeepNowOptions) (*KeptNow, error) {
	return ask[KeptNow](ctx, c, http.MethodPost, "/keep/now", o.values(), nil)
}

// KeepNowJob begins what KeepNow does, and does not wait for it: see Wait. In the end the
// result of the job is what KeepNow returns.
func (c *Client) KeepNowJob(ctx context.Context, o KeepNowOptions) (*Job, error) {
	return ask[Job](ctx, c, http.MethodPost, "/keep/now", asJob(o.values()), nil)
}

// KeepRestoreOptions is what KeepRestore may be asked for; what is empty is not sent.
type KeepRestoreOptions struct {
	DryRun bool // Only tell what would be done: nothing is changed
}

func (o KeepRestoreOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// KeepRestore: put back what was deleted, byte for byte.
func (c *Client) KeepRestore(ctx context.Context, id string, o KeepRestoreOptions) (*Restored, error) {
	return ask[Restored](ctx, c, http.MethodPost, "/keep/"+url.PathEscape(id)+"/restore", o.values(), nil)
}

// KeepStatus: tell what is kept, and what is not.
func (c *Client) KeepStatus(ctx context.Context) (*KeepStatus, error) {
	return ask[KeepStatus](ctx, c, http.MethodGet, "/keep", nil, nil)
}

// KeepVerify: read all copies and compare them with their checksums.
//
// Ask for a job if there are many. flaws are copies that are not what was written.
func (c *Client) KeepVerify(ctx context.Context) (*KeepVerified, error) {
	return ask[KeepVerified](ctx, c, http.MethodGet, "/keep/verify", nil, nil)
}

// KeepVerifyJob begins what KeepVerify does, and does not wait for it: see Wait. In the end the
// result of the job is what KeepVerify returns.
func (c *Client) KeepVerifyJob(ctx context.Context) (*Job, error) {
	return ask[Job](ctx, c, http.MethodGet, "/keep/verify", asJob(nil), nil)
}

// LedgerOptions is what Ledger may be asked for; what is empty is not sent.
type LedgerOptions struct {
	Paging          Paging
	Session         string // Only of this session and its agents, or of this agent
	Dropped         bool   // Only rows that do not count
	Project         string // Only of this project: its path, or any of its names
	TZ              string // Days are those of this time zone; without it, of the machine's
	Source          string // user, agent, helper, several with commas between, or all. Without it a list has those of users, and counts have all
	Started         string // Who started it
	Entrypoint      string // The client's own word for how it was started: cli, sdk-cli, …; several with commas between
	State           string // working, needs you, your turn, idle, unclean, ended; several with commas between
	GitBranch       string // The git branch it ended on, or several with commas between
	Model           string // Part of a model's name, or several with commas between
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Agents of this session
	ForkedFrom      string // Forks of this session
	Tag             string // With this tag, the client's or the user's
	Starred         bool   // Only those with a star
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Root            string // The directory of one home, where there are several
}

func (o LedgerOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
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
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
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

// Ledger: list the messages behind a total, and why each counts or does not.
func (c *Client) Ledger(ctx context.Context, o LedgerOptions) (*MoneyLedger, error) {
	return ask[MoneyLedger](ctx, c, http.MethodGet, "/usage/ledger", o.values(), nil)
}

// ListActivityOptions is what ListActivity may be asked for; what is empty is not sent.
type ListActivityOptions struct {
	Paging  Paging
	Session string // Of one session: the beginning of its id
	Before  *int   // Only changes with smaller numbers
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

// ListActivity: list what sesskeep changed, the last change first.
//
// Who came in and what was exported is in it too.
func (c *Client) ListActivity(ctx context.Context, o ListActivityOptions) (*ActPage, error) {
	return ask[ActPage](ctx, c, http.MethodGet, "/activity", o.values(), nil)
}

// ListAgentsOptions is what ListAgents may be asked for; what is empty is not sent.
type ListAgentsOptions struct {
	Paging Paging
	Root   string // The directory of one home, where there are several
}

func (o ListAgentsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// ListAgents: list the agents of a session, each after the one that started it.
func (c *Client) ListAgents(ctx context.Context, project string, id string, o ListAgentsOptions) (*AgentPage, error) {
	return ask[AgentPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/agents", o.values(), nil)
}

// ListChildrenOptions is what ListChildren may be asked for; what is empty is not sent.
type ListChildrenOptions struct {
	Paging Paging
	Root   string // The directory of one home, where there are several
}

func (o ListChildrenOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// ListChildren: list the agents of a session.
func (c *Client) ListChildren(ctx context.Context, project string, id string, o ListChildrenOptions) (*Page, error) {
	return ask[Page](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/children", o.values(), nil)
}

// ListConversationsOptions is what ListConversations may be asked for; what is empty is not sent.
type ListConversationsOptions struct {
	Paging Paging
	Root   string // The directory of one home, where there are several
}

func (o ListConversationsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// ListConversations: list the conversations of a session, the newest first.
func (c *Client) ListConversations(ctx context.Context, project string, id string, o ListConversationsOptions) (*ConversationPage, error) {
	return ask[ConversationPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/conversations", o.values(), nil)
}

// ListFilesOptions is what ListFiles may be asked for; what is empty is not sent.
type ListFilesOptions struct {
	Paging Paging
	Root   string // The directory of one home, where there are several
	Patch  bool   // With every change
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

// ListFiles: list the files that a session changed.
func (c *Client) ListFiles(ctx context.Context, project string, id string, o ListFilesOptions) (*FilePage, error) {
	return ask[FilePage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/files", o.values(), nil)
}

// ListInboxOptions is what ListInbox may be asked for; what is empty is not sent.
type ListInboxOptions struct {
	Paging Paging
}

func (o ListInboxOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListInbox: list what running sessions ask.
func (c *Client) ListInbox(ctx context.Context, o ListInboxOptions) (*InboxPage, error) {
	return ask[InboxPage](ctx, c, http.MethodGet, "/inbox", o.values(), nil)
}

// ListJobsOptions is what ListJobs may be asked for; what is empty is not sent.
type ListJobsOptions struct {
	Paging Paging
}

func (o ListJobsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListJobs: list jobs, the last one first.
//
// Long actions are jobs when they are asked for with async=true. The last 64 are remembered, without their results in this list.
func (c *Client) ListJobs(ctx context.Context, o ListJobsOptions) (*JobPage, error) {
	return ask[JobPage](ctx, c, http.MethodGet, "/jobs", o.values(), nil)
}

// ListMessagesOptions is what ListMessages may be asked for; what is empty is not sent.
type ListMessagesOptions struct {
	Root              string // The directory of one home, where there are several
	Limit             int    // Messages on a page: 25, at most 100
	Offset            int    // Messages to skip, in the order of the page
	Before            string // Only messages older than this one
	After             string // Only messages newer than this one
	Types             string // user, assistant, thinking, tool_use, tool_result, system; several with commas between
	Order             string // desc: the newest first, or asc
	IncludeRawContent bool   // With the blocks of each message
	Leaf              string // The conversation that ends so; without it the active one
	Denormalize       bool   // A result is always part of its call
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

// ListMessages: read a page of the messages of a conversation, the newest first.
//
// total is what all pages together have. nextCursor goes with before, prevCursor with after; a cursor that is no message of the conversation is told in error.
func (c *Client) ListMessages(ctx context.Context, project string, id string, o ListMessagesOptions) (*MessagePage, error) {
	return ask[MessagePage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/messages", o.values(), nil)
}

// ListProjectConversationsOptions is what ListProjectConversations may be asked for; what is empty is not sent.
type ListProjectConversationsOptions struct {
	Paging Paging
}

func (o ListProjectConversationsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListProjectConversations: list all conversations of a project.
func (c *Client) ListProjectConversations(ctx context.Context, project string, o ListProjectConversationsOptions) (*ConversationPage, error) {
	return ask[ConversationPage](ctx, c, http.MethodGet, "/projects/"+url.PathEscape(project)+"/conversations", o.values(), nil)
}

// ListProjectsOptions is what ListProjects may be asked for; what is empty is not sent.
type ListProjectsOptions struct {
	Paging Paging
}

func (o ListProjectsOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListProjects: list projects, the one active last first.
//
// Without a limit all of them. sessionCount is the total of the project's sessions with source=all.
func (c *Client) ListProjects(ctx context.Context, o ListProjectsOptions) (*PricedProjectPage, error) {
	return ask[PricedProjectPage](ctx, c, http.MethodGet, "/projects", o.values(), nil)
}

// ListRunsOptions is what ListRuns may be asked for; what is empty is not sent.
type ListRunsOptions struct {
	Paging    Paging
	Living    bool   // Only those that have not ended
	SessionID string // Only those of this session
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

// ListRuns: list the sessions that sesskeep runs.
func (c *Client) ListRuns(ctx context.Context, o ListRunsOptions) (*RunPage, error) {
	return ask[RunPage](ctx, c, http.MethodGet, "/runs", o.values(), nil)
}

// ListSessionsOptions is what ListSessions may be asked for; what is empty is not sent.
type ListSessionsOptions struct {
	Filter Filter
	Paging Paging
	Q      string // Only sessions in which a search finds this, or in an agent of which: at most the latest 10000. complete then says whether all was looked at
	Sort   string // activity, created, messages, prompts, branches, size, title; with - before it the other way round
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

// ListSessions: list sessions, the one active last first.
//
// total counts all rows that match; hidden counts, by source, those that match but for it.
func (c *Client) ListSessions(ctx context.Context, project string, o ListSessionsOptions) (*Page, error) {
	return ask[Page](ctx, c, http.MethodGet, inProject(project)+"/sessions", o.values(), nil)
}

// ListTokensOptions is what ListTokens may be asked for; what is empty is not sent.
type ListTokensOptions struct {
	Paging Paging
}

func (o ListTokensOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListTokens: list tokens, without their secrets.
func (c *Client) ListTokens(ctx context.Context, o ListTokensOptions) (*TokenPage, error) {
	return ask[TokenPage](ctx, c, http.MethodGet, "/tokens", o.values(), nil)
}

// ListTrashOptions is what ListTrash may be asked for; what is empty is not sent.
type ListTrashOptions struct {
	Paging Paging
}

func (o ListTrashOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	return q
}

// ListTrash: list what is in the trash.
func (c *Client) ListTrash(ctx context.Context, o ListTrashOptions) (*TrashPage, error) {
	return ask[TrashPage](ctx, c, http.MethodGet, "/trash", o.values(), nil)
}

// Login: change a one-time code into a token.
func (c *Client) Login(ctx context.Context, body LoginInputBody) (*NewToken, error) {
	return ask[NewToken](ctx, c, http.MethodPost, "/login", nil, body)
}

// Metrics: tell counters, for Prometheus.
func (c *Client) Metrics(ctx context.Context) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, "/metrics", nil)
}

// MoveProject: follow a folder that was moved.
//
// Its sessions, their memory, the prompts in the history and the project's entry in .claude.json go to the new path. The folder itself is not touched. While a client of the home runs it is refused.
func (c *Client) MoveProject(ctx context.Context, project string, body MoveInputBody) (*Moved, error) {
	return ask[Moved](ctx, c, http.MethodPost, "/projects/"+url.PathEscape(project)+"/move", nil, body)
}

// MoveProjectJob begins what MoveProject does, and does not wait for it: see Wait. In the end the
// result of the job is what MoveProject returns.
func (c *Client) MoveProjectJob(ctx context.Context, project string, body MoveInputBody) (*Job, error) {
	return ask[Job](ctx, c, http.MethodPost, "/projects/"+url.PathEscape(project)+"/move", asJob(nil), body)
}

// OutlineOptions is what Outline may be asked for; what is empty is not sent.
type OutlineOptions struct {
	Root string // The directory of one home, where there are several
	Leaf string // The conversation that ends so; without it the active one
	All  bool   // Plans and errors too, for which all of it is read
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

// Outline: tell what is where in a conversation: its prompts, compactions and forks.
func (c *Client) Outline(ctx context.Context, project string, id string, o OutlineOptions) (*Outline, error) {
	return ask[Outline](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/outline", o.values(), nil)
}

// Pair: claim a pairing by its code, then collect the token that it gives.
//
// A device sends the code first, and gets a claim and a number. It shows the number, and asks again with the claim until a person has compared the numbers: then the answer has its token. Five wrong codes close a pairing.
func (c *Client) Pair(ctx context.Context, body PairInputBody) (*Paired, error) {
	return ask[Paired](ctx, c, http.MethodPost, "/pair", nil, body)
}

// Pairing: tell how far a pairing is, and the number that the device shows.
func (c *Client) Pairing(ctx context.Context, id string) (*PairingRow, error) {
	return ask[PairingRow](ctx, c, http.MethodGet, "/pairings/"+url.PathEscape(id), nil, nil)
}

// PurgeTrashOptions is what PurgeTrash may be asked for; what is empty is not sent.
type PurgeTrashOptions struct {
	DryRun bool // Only tell what would be done: nothing is changed
}

func (o PurgeTrashOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// PurgeTrash: delete something in the trash for ever, and our copies of it.
func (c *Client) PurgeTrash(ctx context.Context, id string, o PurgeTrashOptions) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodDelete, "/trash/"+url.PathEscape(id), o.values(), nil)
}

// RawLinesOptions is what RawLines may be asked for; what is empty is not sent.
type RawLinesOptions struct {
	Root  string // The directory of one home, where there are several
	Line  int    // The first line, counting from 1
	Limit int    // Lines: at most 500
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

// RawLines: show lines of the transcript as they were written.
func (c *Client) RawLines(ctx context.Context, project string, id string, o RawLinesOptions) (*RawPage, error) {
	return ask[RawPage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/raw", o.values(), nil)
}

// RecentSessionsOptions is what RecentSessions may be asked for; what is empty is not sent.
type RecentSessionsOptions struct {
	Filter Filter
	Paging Paging
	Q      string // Only sessions in which a search finds this, or in an agent of which: at most the latest 10000. complete then says whether all was looked at
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

// RecentSessions: list sessions of all projects, the one active last first.
func (c *Client) RecentSessions(ctx context.Context, o RecentSessionsOptions) (*Page, error) {
	return ask[Page](ctx, c, http.MethodGet, "/sessions/recent", o.values(), nil)
}

// RefreshProjects: look through all homes again, then list projects.
func (c *Client) RefreshProjects(ctx context.Context) (*PricedProjectPage, error) {
	return ask[PricedProjectPage](ctx, c, http.MethodPost, "/projects/refresh", nil, nil)
}

// RefusePairing: close a pairing: whoever claimed it gets nothing.
func (c *Client) RefusePairing(ctx context.Context, id string) (*PairingRow, error) {
	return ask[PairingRow](ctx, c, http.MethodDelete, "/pairings/"+url.PathEscape(id), nil, nil)
}

// RemoveRunOptions is what RemoveRun may be asked for; what is empty is not sent.
type RemoveRunOptions struct {
	DryRun bool // Only tell what would be done: nothing is changed
}

func (o RemoveRunOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RemoveRun: forget a run that has ended; its session stays.
func (c *Client) RemoveRun(ctx context.Context, run string, o RemoveRunOptions) (*HolderRecord, error) {
	return ask[HolderRecord](ctx, c, http.MethodDelete, "/runs/"+url.PathEscape(run), o.values(), nil)
}

// RepairSessionOptions is what RepairSession may be asked for; what is empty is not sent.
type RepairSessionOptions struct {
	Root   string // The directory of one home, where there are several
	DryRun bool   // Only tell what would be done: nothing is changed
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

// RepairSession: mend the transcripts of a session.
//
// Every transcript is replaced as a whole, and the old one is kept for undo. left are findings that nothing can mend.
func (c *Client) RepairSession(ctx context.Context, project string, id string, o RepairSessionOptions) (*Repaired, error) {
	return ask[Repaired](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/repair", o.values(), nil)
}

// RestoreTrashOptions is what RestoreTrash may be asked for; what is empty is not sent.
type RestoreTrashOptions struct {
	DryRun bool // Only tell what would be done: nothing is changed
}

func (o RestoreTrashOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RestoreTrash: put something back from the trash.
func (c *Client) RestoreTrash(ctx context.Context, id string, o RestoreTrashOptions) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodPost, "/trash/"+url.PathEscape(id)+"/restore", o.values(), nil)
}

// Retention: tell for how many days the client keeps sessions, and which file says so.
//
// problems are settings files that cannot be read, which do not count.
func (c *Client) Retention(ctx context.Context) (*RetentionPage, error) {
	return ask[RetentionPage](ctx, c, http.MethodGet, "/keep/retention", nil, nil)
}

// RevokeTokenOptions is what RevokeToken may be asked for; what is empty is not sent.
type RevokeTokenOptions struct {
	DryRun bool // Only tell what would be done: nothing is changed
}

func (o RevokeTokenOptions) values() url.Values {
	q := url.Values{}
	if o.DryRun {
		q.Set("dryRun", "true")
	}
	return q
}

// RevokeToken: end a token: whoever has it is refused from now on, and its streams end.
func (c *Client) RevokeToken(ctx context.Context, id string, o RevokeTokenOptions) (*TokenRow, error) {
	return ask[TokenRow](ctx, c, http.MethodDelete, "/tokens/"+url.PathEscape(id), o.values(), nil)
}

// RunOutput: tell what a run says, as server-sent events.
//
// Events are line, as the client wrote it; piece, a part of a message that is being written; run, where the run is; end. An id is a byte of the log: Last-Event-ID goes on there.
func (c *Client) RunOutput(ctx context.Context, run string) (io.ReadCloser, error) {
	return c.stream(ctx, http.MethodGet, "/runs/"+url.PathEscape(run)+"/output", nil)
}

// SearchOptions is what Search may be asked for; what is empty is not sent.
type SearchOptions struct {
	Paging          Paging
	Q               string // Words, "phrases", -not, OR, /regular expressions/ and keys such as tool:Bash
	In              string // Only in prompts, answers, thinking, titles, input, output, notes; several with commas between
	Sort            string // The best first, or the session with the latest hit; without it relevance
	Hits            int    // Shown of each session: 3 without it, at most 2000
	Source          string // user, agent, helper, several with commas between, or all. Without it a list has those of users, and counts have all
	Started         string // Who started it
	Entrypoint      string // The client's own word for how it was started: cli, sdk-cli, …; several with commas between
	State           string // working, needs you, your turn, idle, unclean, ended; several with commas between
	GitBranch       string // The git branch it ended on, or several with commas between
	Model           string // Part of a model's name, or several with commas between
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Agents of this session
	ForkedFrom      string // Forks of this session
	Tag             string // With this tag, the client's or the user's
	Starred         bool   // Only those with a star
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Project         string // Of all projects only these: any of their names, several with commas between
	Root            string // The directory of one home, where there are several
}

func (o SearchOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	if o.In != "" {
		q.Set("in", o.In)
	}
	if o.Sort != "" {
		q.Set("sort", o.Sort)
	}
	if o.Hits != 0 {
		q.Set("hits", strconv.Itoa(o.Hits))
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
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

// Search: search for text in all sessions.
//
// complete says whether everything was looked at: a page that is full ends a search that has read enough.
func (c *Client) Search(ctx context.Context, o SearchOptions) (*Found, error) {
	return ask[Found](ctx, c, http.MethodGet, "/search", o.values(), nil)
}

// SearchProjectOptions is what SearchProject may be asked for; what is empty is not sent.
type SearchProjectOptions struct {
	Paging          Paging
	Q               string // Words, "phrases", -not, OR, /regular expressions/ and keys such as tool:Bash
	In              string // Only in prompts, answers, thinking, titles, input, output, notes; several with commas between
	Sort            string // The best first, or the session with the latest hit; without it relevance
	Hits            int    // Shown of each session: 3 without it, at most 2000
	Source          string // user, agent, helper, several with commas between, or all. Without it a list has those of users, and counts have all
	Started         string // Who started it
	Entrypoint      string // The client's own word for how it was started: cli, sdk-cli, …; several with commas between
	State           string // working, needs you, your turn, idle, unclean, ended; several with commas between
	GitBranch       string // The git branch it ended on, or several with commas between
	Model           string // Part of a model's name, or several with commas between
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Agents of this session
	ForkedFrom      string // Forks of this session
	Tag             string // With this tag, the client's or the user's
	Starred         bool   // Only those with a star
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Project         string // Of all projects only these: any of their names, several with commas between
	Root            string // The directory of one home, where there are several
}

func (o SearchProjectOptions) values() url.Values {
	q := url.Values{}
	o.Paging.set(q)
	if o.Q != "" {
		q.Set("q", o.Q)
	}
	if o.In != "" {
		q.Set("in", o.In)
	}
	if o.Sort != "" {
		q.Set("sort", o.Sort)
	}
	if o.Hits != 0 {
		q.Set("hits", strconv.Itoa(o.Hits))
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
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

// SearchProject: search for text in the sessions of a project.
func (c *Client) SearchProject(ctx context.Context, project string, o SearchProjectOptions) (*Found, error) {
	return ask[Found](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/search", o.values(), nil)
}

// SendToRun: give a run another message.
func (c *Client) SendToRun(ctx context.Context, run string, body RunMessage) (*HolderRecord, error) {
	return ask[HolderRecord](ctx, c, http.MethodPost, "/runs/"+url.PathEscape(run)+"/messages", nil, body)
}

// SetRetention: let the client keep sessions for so many days.
//
// It is cleanupPeriodDays in settings.json. Everything else in the file keeps its bytes.
func (c *Client) SetRetention(ctx context.Context, body RetentionInputBody) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodPut, "/keep/retention", nil, body)
}

// SetRun: change the model or the permission mode of a run.
func (c *Client) SetRun(ctx context.Context, run string, body RunChange) (*HolderRecord, error) {
	return ask[HolderRecord](ctx, c, http.MethodPatch, "/runs/"+url.PathEscape(run), nil, body)
}

// StartRun: start a session, or go on with one.
func (c *Client) StartRun(ctx context.Context, body NewRun) (*HolderRecord, error) {
	return ask[HolderRecord](ctx, c, http.MethodPost, "/runs", nil, body)
}

// StatsOptions is what Stats may be asked for; what is empty is not sent.
type StatsOptions struct {
	Project         string // Only of this project: its path, or any of its names
	TZ              string // Days are those of this time zone; without it, of the machine's
	Source          string // user, agent, helper, several with commas between, or all. Without it a list has those of users, and counts have all
	Started         string // Who started it
	Entrypoint      string // The client's own word for how it was started: cli, sdk-cli, …; several with commas between
	State           string // working, needs you, your turn, idle, unclean, ended; several with commas between
	GitBranch       string // The git branch it ended on, or several with commas between
	Model           string // Part of a model's name, or several with commas between
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Agents of this session
	ForkedFrom      string // Forks of this session
	Tag             string // With this tag, the client's or the user's
	Starred         bool   // Only those with a star
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Root            string // The directory of one home, where there are several
}

func (o StatsOptions) values() url.Values {
	q := url.Values{}
	if o.Project != "" {
		q.Set("project", o.Project)
	}
	if o.TZ != "" {
		q.Set("tz", o.TZ)
	}
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
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

// Stats: tell figures about all sessions.
func (c *Client) Stats(ctx context.Context, o StatsOptions) (*Stats, error) {
	return ask[Stats](ctx, c, http.MethodGet, "/stats", o.values(), nil)
}

// StopRun: end a run.
func (c *Client) StopRun(ctx context.Context, run string) (*HolderRecord, error) {
	return ask[HolderRecord](ctx, c, http.MethodPost, "/runs/"+url.PathEscape(run)+"/stop", nil, nil)
}

// StopServer: end the server, when what it is doing is done.
func (c *Client) StopServer(ctx context.Context) (*Stopping, error) {
	return ask[Stopping](ctx, c, http.MethodPost, "/stop", nil, nil)
}

// Storage: tell what takes room in Claude's homes.
func (c *Client) Storage(ctx context.Context) (*StoragePage, error) {
	return ask[StoragePage](ctx, c, http.MethodGet, "/storage", nil, nil)
}

// TreeOptions is what Tree may be asked for; what is empty is not sent.
type TreeOptions struct {
	Root string // The directory of one home, where there are several
}

func (o TreeOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// Tree: show how the turns of a session hang together.
func (c *Client) Tree(ctx context.Context, project string, id string, o TreeOptions) (*TreePage, error) {
	return ask[TreePage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/tree", o.values(), nil)
}

// TurnUsageOptions is what TurnUsage may be asked for; what is empty is not sent.
type TurnUsageOptions struct {
	Root string // The directory of one home, where there are several
}

func (o TurnUsageOptions) values() url.Values {
	q := url.Values{}
	if o.Root != "" {
		q.Set("root", o.Root)
	}
	return q
}

// TurnUsage: tell what each prompt of a session cost.
func (c *Client) TurnUsage(ctx context.Context, project string, id string, o TurnUsageOptions) (*TurnUsagePage, error) {
	return ask[TurnUsagePage](ctx, c, http.MethodGet, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/usage", o.values(), nil)
}

// UnarchiveSessionOptions is what UnarchiveSession may be asked for; what is empty is not sent.
type UnarchiveSessionOptions struct {
	Root   string // The directory of one home, where there are several
	DryRun bool   // Only tell what would be done: nothing is changed
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

// UnarchiveSession: take a session out of the archive.
func (c *Client) UnarchiveSession(ctx context.Context, project string, id string, o UnarchiveSessionOptions) (*Session, error) {
	return ask[Session](ctx, c, http.MethodPost, inProject(project)+"/sessions"+"/"+url.PathEscape(id)+"/unarchive", o.values(), nil)
}

// UndoOptions is what Undo may be asked for; what is empty is not sent.
type UndoOptions struct {
	ID       int  // The number of a change; without it what was done last
	Together bool // With an id: all that was done by the request or command of that change
	DryRun   bool // Only tell what would be done: nothing is changed
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

// Undo: take back the last change, or the one with a number.
//
// Without an id it is all that the last request or command did. What others changed since is never overwritten.
func (c *Client) Undo(ctx context.Context, o UndoOptions) (*Outcome, error) {
	return ask[Outcome](ctx, c, http.MethodPost, "/undo", o.values(), nil)
}

// UpdateSessionOptions is what UpdateSession may be asked for; what is empty is not sent.
type UpdateSessionOptions struct {
	Root   string // The directory of one home, where there are several
	DryRun bool   // Only tell what would be done: nothing is changed
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

// UpdateSession: give a session a title, tags, a note or a star.
func (c *Client) UpdateSession(ctx context.Context, project string, id string, o UpdateSessionOptions, body Update) (*Session, error) {
	return ask[Session](ctx, c, http.MethodPut, inProject(project)+"/sessions"+"/"+url.PathEscape(id), o.values(), body)
}

// UsageOptions is what Usage may be asked for; what is empty is not sent.
type UsageOptions struct {
	By              string // What the rows are: stretches of time, or what was used by something, the most costly first; branch is another word for gitBranch
	Limit           int    // Rows: at most 500; without it all of them
	Project         string // Only of this project: its path, or any of its names
	TZ              string // Days are those of this time zone; without it, of the machine's
	Source          string // user, agent, helper, several with commas between, or all. Without it a list has those of users, and counts have all
	Started         string // Who started it
	Entrypoint      string // The client's own word for how it was started: cli, sdk-cli, …; several with commas between
	State           string // working, needs you, your turn, idle, unclean, ended; several with commas between
	GitBranch       string // The git branch it ended on, or several with commas between
	Model           string // Part of a model's name, or several with commas between
	Since           string // Active from then on: RFC 3339 or a date
	Until           string // Active before then: RFC 3339 or a date
	MinSize         int    // Bytes
	ParentSessionID string // Agents of this session
	ForkedFrom      string // Forks of this session
	Tag             string // With this tag, the client's or the user's
	Starred         bool   // Only those with a star
	IncludeArchived bool   // Archived ones too
	ArchivedOnly    bool   // Archived ones alone
	Root            string // The directory of one home, where there are several
}

func (o UsageOptions) values() url.Values {
	q := url.Values{}
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
	if o.Source != "" {
		q.Set("source", o.Source)
	}
	if o.Started != "" {
		q.Set("started", o.Started)
	}
	if o.Entrypoint != "" {
		q.Set("entrypoint", o.Entrypoint)
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

// Usage: tell what was used and what it cost.
//
// Every message counts once over all files, and the rows add up to totals.
func (c *Client) Usage(ctx context.Context, o UsageOptions) (*MoneyUsageReport, error) {
	return ask[MoneyUsageReport](ctx, c, http.MethodGet, "/usage", o.values(), nil)
}

// ActPage is an act page as the API writes it.
type ActPage struct {
	Acts    []ActRow `json:"acts"`           // The last one first
	HasMore bool     `json:"hasMore"`        // There are more behind this page
	Next    string   `json:"next,omitempty"` // For cursor, to go on
	Total   int64    `json:"total"`          // How many there are, on all pages
}

// ActRow is an act row as the API writes it.
type ActRow struct {
	Actor     ShelfActor `json:"actor"`               // Who did it, by which way
	Batch     string     `json:"batch,omitempty"`     // The same for all changes of one command
	Files     []string   `json:"files"`               // Files, by path
	ID        int64      `json:"id"`                  // The thing itself; names that end in Id refer to one
	Problem   string     `json:"problem,omitempty"`   // What went wrong
	Root      string     `json:"root"`                // Directory of the home that it is in
	SessionID string     `json:"sessionId,omitempty"` // The session it is of
	State     string     `json:"state"`               // What it does, or how far it is
	Tag       string     `json:"tag,omitempty"`       // Of its files beside those it changes
	Timestamp time.Time  `json:"timestamp"`           // When it was
	Undoes    int64      `json:"undoes,omitempty"`    // Of an undo: the act
	Verb      string     `json:"verb"`                // What was done
	What      string     `json:"what,omitempty"`      // It did to the session
}

// AgeShare is an age share as the API writes it.
type AgeShare struct {
	Days      int64     `json:"days"`              // How many days, or the days themselves
	FileCount int64     `json:"fileCount"`         // How many files
	FileSize  int64     `json:"fileSize"`          // Bytes
	NewestAt  time.Time `json:"newestAt,omitzero"` // When the newest of it was written
	OldestAt  time.Time `json:"oldestAt,omitzero"` // When the oldest of it was written
}

// Agent is an agent as the API writes it.
type Agent struct {
	AgentType      string        `json:"agentType,omitempty"`     // What kind of agent it is, as the client calls it
	CallCount      int64         `json:"callCount"`               // How often tools were called
	CallMessageID  string        `json:"callMessageId,omitempty"` // Of the line that holds the call
	Cost           *MoneyCost    `json:"cost,omitempty"`          // Nil where nobody asked, and of one inside the main file
	CreatedAt      time.Time     `json:"createdAt,omitzero"`      // When it began, or was made
	Depth          int64         `json:"depth"`                   // Below the session
	Description    string        `json:"description,omitempty"`   // What it is for, in the words of whoever made it
	DurationMs     int64         `json:"durationMs,omitempty"`    // How long it took, in milliseconds
	File           string        `json:"file,omitempty"`          // A file, below its home where it is one of a home
	Finished       bool          `json:"finished,omitempty"`      // What the client noted; older clients note nothing.
	Helper         bool          `json:"helper,omitempty"`        // Rows of what the client runs for itself
	ID             string        `json:"id"`                      // Inline-N for one inside the main file
	LastActivityAt time.Time     `json:"lastActivityAt,omitzero"` // When something was said in it last
	Layout         string        `json:"layout"`                  // Where its lines are: in a file of its own, or in that of its session
	MessageCount   int64         `json:"messageCount"`            // Lines of users and assistants, or answers that were paid for
	Model          string        `json:"model,omitempty"`         // The model, by its id
	ParentAgentID  string        `json:"parentAgentId,omitempty"` // The agent that started it
	RootMessageID  string        `json:"rootMessageId,omitempty"` // First line of one inside the main file, which names it
	SessionID      string        `json:"sessionId"`               // Whose directory it lies in
	ToolUseID      string        `json:"toolUseId,omitempty"`     // The call of the tool, by its id
	Usage          SesskeepUsage `json:"usage"`                   // Tokens
	Workflow       string        `json:"workflow,omitempty"`      // The workflow that it is part of
}

// AgentPage is an agent page as the API writes it.
type AgentPage struct {
	Agents  []Agent `json:"agents"`         // Each after the one that started it
	HasMore bool    `json:"hasMore"`        // There are more behind this page
	Next    string  `json:"next,omitempty"` // For cursor, to go on
	Total   int64   `json:"total"`          // How many there are, on all pages
}

// Alive is an alive as the API writes it.
type Alive struct {
	Status string `json:"status"` // How it is
}

// Amount is an amount as the API writes it.
type Amount struct {
	FileCount int64     `json:"fileCount"`         // How many files
	FileSize  int64     `json:"fileSize"`          // Bytes
	NewestAt  time.Time `json:"newestAt,omitzero"` // When the newest of it was written
	OldestAt  time.Time `json:"oldestAt,omitzero"` // When the oldest of it was written
}

// Block is a block as the API writes it.
type Block struct {
	Aborted      bool                  `json:"aborted,omitempty"`      // The answer was interrupted
	AgentID      string                `json:"agentId,omitempty"`      // The agent a notice is about
	Also         []string              `json:"also,omitzero"`          // uuids of other lines that it represents: the result of a call, copies of a line
	Call         *BlockCall            `json:"call,omitempty"`         // The call of a tool
	Compaction   *ViewCompaction       `json:"compaction,omitempty"`   // Tokens before and after a boundary
	DurationMs   int64                 `json:"durationMs,omitempty"`   // Time spent thinking
	Failed       bool                  `json:"failed,omitempty"`       // The notice is about a failure
	Index        int64                 `json:"index,omitempty"`        // Index of the block in the conversation, counting from 0; with count=true
	Kind         string                `json:"kind"`                   // Kind of the block
	Label        string                `json:"label,omitempty"`        // Distinguishes blocks of one kind: the subject of a notice, queued or task for a prompt, the type as written for meta and unknown blocks
	Line         int64                 `json:"line,omitempty"`         // Number of that line, counting from 1
	Media        *BlockMedia           `json:"media,omitempty"`        // An image or a document
	MessageID    string                `json:"messageId,omitempty"`    // uuid of the line it comes from
	Model        string                `json:"model,omitempty"`        // The model, by its id
	Text         string                `json:"text,omitempty"`         // The text
	Timestamp    time.Time             `json:"timestamp,omitzero"`     // When it was
	Truncated    map[string]Truncation `json:"truncated,omitempty"`    // Texts that are cut, by field, with a reference to the whole text
	Turn         int64                 `json:"turn"`                   // Index of its turn in the conversation, counting from 0
	WithheldSize int64                 `json:"withheldSize,omitempty"` // Bytes of the signature that is stored instead of a thought
}

// BlockCall is a block call as the API writes it.
type BlockCall struct {
	Added          int64           `json:"added,omitempty"`          // Lines
	AgentID        string          `json:"agentId,omitempty"`        // The agent it started
	AgentSessionID string          `json:"agentSessionId,omitempty"` // Session id of that agent, for its own blocks
	Command        string          `json:"command,omitempty"`        // Command of a shell call
	Diff           []ViewHunk      `json:"diff,omitzero"`            // What an edit changed, or tried to change; left out if it is long
	DurationMs     int64           `json:"durationMs,omitempty"`     // How long it took, in milliseconds
	File           string          `json:"file,omitempty"`           // The file it reads or changes, as the model named it
	ID             string          `json:"id,omitempty"`             // The thing itself; names that end in Id refer to one
	Input          json.RawMessage `json:"input,omitempty"`          // Input of the tool; left out if it is long
	Media          []BlockMedia    `json:"media,omitzero"`           // Images in the result
	Outcome        string          `json:"outcome,omitempty"`        // The most informative fact about the result: +2 −1, exit 1, 214 lines
	Output         string          `json:"output,omitempty"`         // Output that the model saw, without the client's tags
	Plan           string          `json:"plan,omitempty"`           // A plan that was proposed
	Prompt         string          `json:"prompt,omitempty"`         // Prompt of an agent
	Questions      []ViewQuestion  `json:"questions,omitzero"`       // What was asked
	Reason         string          `json:"reason,omitempty"`         // Why it failed or was denied, if known
	Removed        int64           `json:"removed,omitempty"`        // Lines
	Server         string          `json:"server,omitempty"`         // Server of an MCP tool
	Short          string          `json:"short"`                    // The tool in one short lower-case word
	State          string          `json:"state"`                    // How it ended
	Summary        string          `json:"summary,omitempty"`        // The most informative input, on one line
	Todos          []ViewTodo      `json:"todos,omitzero"`           // The list of things to do
	Tool           string          `json:"tool"`                     // Name of the tool, without the prefix of its server
}

// BlockMedia is a block media as the API writes it.
type BlockMedia struct {
	FileSize int64  `json:"fileSize,omitempty"` // Bytes; 0 if it is not in the transcript
	Height   int64  `json:"height,omitempty"`   // In pixels
	Ref      string `json:"ref,omitempty"`      // For /sessions/{id}/blobs/{ref}
	Type     string `json:"type,omitempty"`     // png, pdf, …; empty if unknown
	URL      string `json:"url,omitempty"`      // Its source; the server never loads it
	Width    int64  `json:"width,omitempty"`    // Width in pixels of an image that can be shown
}

// BlockPage is a block page as the API writes it.
type BlockPage struct {
	AgentID     string      `json:"agentId,omitempty"` // The agent it is of; without it the session itself
	Blocks      []Block     `json:"blocks"`            // All blocks of the turns, in conversation order
	Leaf        string      `json:"leaf,omitempty"`    // uuid of the conversation's last line
	Next        string      `json:"next,omitempty"`    // Pass as below to get the turns after the last one
	Prev        string      `json:"prev,omitempty"`    // Pass as above to get the turns before the first one
	Root        string      `json:"root"`              // The home
	SessionID   string      `json:"sessionId"`         // The session it is of
	Title       string      `json:"title,omitempty"`   // What it is called
	Total       int64       `json:"total,omitempty"`   // Number of blocks of the conversation; with count=true
	TurnCount   int64       `json:"turnCount"`         // Turns of the conversation
	Turns       []BlockTurn `json:"turns"`             // The turns of these blocks
	TurnsAfter  int64       `json:"turnsAfter"`        // Turns after the last of these
	TurnsBefore int64       `json:"turnsBefore"`       // Turns before the first of these
}

// BlockTurn is a block turn as the API writes it.
type BlockTurn struct {
	Compacted     bool      `json:"compacted,omitempty"`     // There is a compaction between the previous turn and this one
	ContextTokens int64     `json:"contextTokens,omitempty"` // Tokens in the model's context
	ID            string    `json:"id"`                      // uuid of its first line
	Index         int64     `json:"index"`                   // Index of the turn in the conversation, counting from 0
	Model         string    `json:"model,omitempty"`         // The model, by its id
	OutputTokens  int64     `json:"outputTokens,omitempty"`  // Tokens of the answer
	Role          string    `json:"role"`                    // Who speaks, or what the token may do
	Siblings      *Siblings `json:"siblings,omitempty"`      // All turns after the same parent, if there are several
	Timestamp     time.Time `json:"timestamp,omitzero"`      // When it was
}

// BranchInputBody is a branch input body as the API writes it.
type BranchInputBody struct {
	Leaf  string `json:"leaf"`            // The conversation, by its last line
	Title string `json:"title,omitempty"` // Of the new session
}

// Branched is a branched as the API writes it.
type Branched struct {
	ActID       int64  `json:"actId,omitempty"` // For undo
	DryRun      bool   `json:"dryRun"`          // Nothing was changed
	File        string `json:"file"`            // A file, below its home where it is one of a home
	ForkedFrom  string `json:"forkedFrom"`      // The session it is taken from
	Leaf        string `json:"leaf"`            // The conversation, by its last line
	PromptCount int64  `json:"promptCount"`     // Prompts that were sent
	RecordCount int64  `json:"recordCount"`     // Lines of the file
	Root        string `json:"root"`            // Directory of the home that it is in
	SessionID   string `json:"sessionId"`       // The session it is of
}

// Bulk is a bulk as the API writes it.
type Bulk struct {
	ActID      int64    `json:"actId,omitempty"` // Undo with this id and together takes all of it back
	AgentCount int64    `json:"agentCount"`      // Agents that go with them
	Changed    int64    `json:"changed"`         // The others were so already
	DryRun     bool     `json:"dryRun"`          // Nothing was changed: it only tells what would be
	Failed     []Failed `json:"failed"`          // What it could not be done to, or how many
	FileSize   int64    `json:"fileSize"`        // Bytes of what is moved
	Success    []string `json:"success"`         // What succeeded
}

// BulkFilter is a bulk filter as the API writes it.
type BulkFilter struct {
	ArchivedOnly    bool   `json:"archivedOnly,omitempty"`    // Archived ones alone
	Entrypoint      string `json:"entrypoint,omitempty"`      // The client's own word for how it was started: cli, sdk-cli, …; several with commas between
	ForkedFrom      string `json:"forkedFrom,omitempty"`      // Forks of this session
	GitBranch       string `json:"gitBranch,omitempty"`       // The git branch it ended on, or several with commas between
	Has             string `json:"has,omitempty"`             // agents, branches, note, error, image, thinking, diff, plan, pr; with commas between, all of them
	IncludeArchived bool   `json:"includeArchived,omitempty"` // Archived ones too
	MinSize         int64  `json:"minSize,omitempty"`         // Bytes
	Model           string `json:"model,omitempty"`           // Part of a model's name, or several with commas between
	ParentSessionID string `json:"parentSessionId,omitempty"` // Agents of this session
	Project         string `json:"project,omitempty"`         // Of all projects only these: any of their names, several with commas between
	Q               string `json:"q,omitempty"`               // Only sessions in which a search finds this, or in an agent of which: at most the latest 10000. complete then says whether all was looked at
	Root            string `json:"root,omitempty"`            // The directory of one home, where there are several
	Since           string `json:"since,omitempty"`           // Active from then on: RFC 3339 or a date
	Source          string `json:"source,omitempty"`          // user, agent, helper, several with commas between, or all. Without it a list has those of users, and counts have all
	Starred         bool   `json:"starred,omitempty"`         // Only those with a star
	Started         string `json:"started,omitempty"`         // Who started it
	State           string `json:"state,omitempty"`           // working, needs you, your turn, idle, unclean, ended; several with commas between
	Tag             string `json:"tag,omitempty"`             // With this tag, the client's or the user's
	Until           string `json:"until,omitempty"`           // Active before then: RFC 3339 or a date
}

// BulkInputBody is a bulk input body as the API writes it.
type BulkInputBody struct {
	DryRun     bool        `json:"dryRun,omitempty"`    // Only tell what would be done
	Filter     *BulkFilter `json:"filter,omitempty"`    // Instead of ids: all that a list with these parameters has
	Operation  Operation   `json:"operation"`           // What is done to each of them
	SessionIDs []string    `json:"sessionIds,omitzero"` // At most 1000
}

// ChangedFile is a changed file as the API writes it.
type ChangedFile struct {
	Added       int64       `json:"added"`            // Lines that were added
	EditCount   int64       `json:"editCount"`        // Successful ones
	FailedCount int64       `json:"failedCount"`      // Denied or failed ones
	FirstAt     time.Time   `json:"firstAt,omitzero"` // When it was first
	LastAt      time.Time   `json:"lastAt,omitzero"`  // When it was last
	Patches     []FilePatch `json:"patches,omitzero"` // The changes, one by one
	Path        string      `json:"path"`             // A path on the machine of the server
	Removed     int64       `json:"removed"`          // Lines that were removed
}

// CheckChange is a check change as the API writes it.
type CheckChange struct {
	Code  string `json:"code"`            // What it is, for programs
	Count int64  `json:"count"`           // How many
	Field string `json:"field,omitempty"` // Of the records, that gets another value
	Line  int64  `json:"line"`            // The line of the file, counting from 1
	What  string `json:"what"`            // It does about it
}

// CheckFinding is a check finding as the API writes it.
type CheckFinding struct {
	Code    string `json:"code"`             // What it is, for programs
	Count   int64  `json:"count"`            // How often, from this line on
	File    string `json:"file"`             // Path inside the home
	Length  int64  `json:"length,omitempty"` // Of the bytes that it is about
	Line    int64  `json:"line,omitempty"`   // Counting from 1; 0 if it is about the file
	Meaning string `json:"meaning"`          // What it means, for people
	Name    string `json:"name,omitempty"`   // Of what is missing: a uuid, an agent, a file
	Offset  int64  `json:"offset,omitempty"` // Where it begins, in bytes or rows
	UUID    string `json:"uuid,omitempty"`   // Of the record
}

// CheckPage is a check page as the API writes it.
type CheckPage struct {
	CheckedCount int64            `json:"checkedCount"` // Sessions that were looked at
	DamagedCount int64            `json:"damagedCount"` // Sessions that are damaged
	FileSize     int64            `json:"fileSize"`     // Bytes
	Homes        []CheckedHome    `json:"homes"`        // Findings that are not about one session
	Resumes      ResumeCounts     `json:"resumes"`      // Whether the client would resume it
	Sessions     []CheckedSession `json:"sessions"`     // Those with findings or notes, or all if they were named
}

// CheckRepair is a check repair as the API writes it.
type CheckRepair struct {
	Changes     []CheckChange `json:"changes"`     // What is changed
	DroppedSize int64         `json:"droppedSize"` // Bytes that are no record, which the new file lacks
	File        string        `json:"file"`        // A file, below its home where it is one of a home
	RecordCount int64         `json:"recordCount"` // That are kept: all of them
}

// CheckVerdict is a check verdict as the API writes it.
type CheckVerdict struct {
	Resumes string `json:"resumes"` // Whether the client would resume it
	Why     string `json:"why"`     // Why it is so
}

// CheckedHome is a checked home as the API writes it.
type CheckedHome struct {
	Findings []CheckFinding `json:"findings"`       // What is wrong
	Notes    []CheckFinding `json:"notes"`          // What is no damage, and good to know
	Root     string         `json:"root,omitempty"` // Directory of the home that it is in
}

// CheckedSession is a checked session as the API writes it.
type CheckedSession struct {
	File        string         `json:"file"`        // The main transcript, inside the home
	FileCount   int64          `json:"fileCount"`   // How many files
	FileSize    int64          `json:"fileSize"`    // Bytes
	Findings    []CheckFinding `json:"findings"`    // What is wrong
	Notes       []CheckFinding `json:"notes"`       // What is odd, and harmless
	RecordCount int64          `json:"recordCount"` // Lines of the file
	Repairable  bool           `json:"repairable"`  // What can be mended
	Root        string         `json:"root"`        // Directory of the home that it is in
	SessionID   string         `json:"sessionId"`   // The session it is of
	Verdict     CheckVerdict   `json:"verdict"`     // Whether the client would resume it, and why
}

// CleanInputBody is a clean input body as the API writes it.
type CleanInputBody struct {
	DryRun    bool            `json:"dryRun,omitempty"`    // Only tell what would be done
	Force     bool            `json:"force,omitempty"`     // Sessions that are in use too
	QuietDays int64           `json:"quietDays,omitempty"` // For what nothing needs: nothing of it was written for so many days; without it 1
	Sessions  *SessionsStruct `json:"sessions,omitempty"`  // Which sessions; without it none
	Unneeded  []string        `json:"unneeded,omitzero"`   // Kinds of what nothing needs any more, as GET /clean names them, or all
}

// CleanPage is a clean page as the API writes it.
type CleanPage struct {
	FileSize int64        `json:"fileSize"` // Of what is unneeded
	Sessions []OldSession `json:"sessions"` // Sessions, in the order that was asked for
	Unneeded []Unneeded   `json:"unneeded"` // What nothing needs any more
}

// Command is a command as the API writes it.
type Command struct {
	Category    string `json:"category,omitempty"`    // The folder that it is in
	Description string `json:"description,omitempty"` // What it is for, in the words of whoever made it
	File        string `json:"file"`                  // A file, below its home where it is one of a home
	Kind        string `json:"kind"`                  // Which kind it is of
	Name        string `json:"name"`                  // What it is called
	Scope       string `json:"scope"`                 // How far it goes
}

// CommandPage is a command page as the API writes it.
type CommandPage struct {
	Commands []Command         `json:"commands"`       // Command files, agents and skills
	HasMore  bool              `json:"hasMore"`        // There are more behind this page
	Next     string            `json:"next,omitempty"` // For cursor, to go on behind this page
	Problems []SesskeepProblem `json:"problems"`       // Files that could not be read, with their whole paths
	Total    int64             `json:"total"`          // How many match, on all pages
}

// Comparison is a comparison as the API writes it.
type Comparison struct {
	A           Side   `json:"a"`                   // One of the two conversations, from where they part
	B           Side   `json:"b"`                   // The other of the two conversations, from where they part
	ForkPoint   string `json:"forkPoint,omitempty"` // The last message that both have
	SharedTurns int64  `json:"sharedTurns"`         // Turns that both start with
}

// ConversationPage is a conversation page as the API writes it.
type ConversationPage struct {
	Conversations []IndexConversation `json:"conversations"`  // Conversations, the newest first
	HasMore       bool                `json:"hasMore"`        // There are more behind this page
	Next          string              `json:"next,omitempty"` // For cursor, to go on behind this page
	Root          string              `json:"root,omitempty"` // The home of all of them, if the caller did not name it
	Total         int64               `json:"total"`          // How many match, on all pages
}

// Count is a count as the API writes it.
type Count struct {
	Agent    int64  `json:"agent"`              // Rows of agents
	Behind   bool   `json:"behind,omitempty"`   // What was written is not all in the index yet: there may be more
	Complete bool   `json:"complete,omitempty"` // With q: everything was looked at
	Count    int64  `json:"count,omitempty"`    // With source: how many have it
	Helper   int64  `json:"helper"`             // Rows of what the client runs for itself
	Source   string `json:"source,omitempty"`   // Who it is for: user, agent or helper; or where something is from
	Total    int64  `json:"total"`              // How many match, on all pages
	User     int64  `json:"user"`               // Rows of users; or who it was
}

// DamagedFile is a damaged file as the API writes it.
type DamagedFile struct {
	Area         string   `json:"area"`         // The part of the home that it is in
	File         string   `json:"file"`         // A file, below its home where it is one of a home
	LostCount    int64    `json:"lostCount"`    // Records; 0 outside of what people wrote
	ProblemCount int64    `json:"problemCount"` // How many problems
	Reasons      []Reason `json:"reasons"`      // Why, with how often
	Root         string   `json:"root"`         // Directory of the home that it is in
}

// Day is a day as the API writes it.
type Day struct {
	Day          string `json:"day"`          // As in 2026-11-15
	ProjectCount int64  `json:"projectCount"` // How many projects
	PromptCount  int64  `json:"promptCount"`  // Prompts that were sent
	SessionCount int64  `json:"sessionCount"` // How many sessions
}

// Decision is a decision as the API writes it.
type Decision struct {
	Answers      map[string]string `json:"answers,omitempty"`      // To questions, by their text
	Behavior     string            `json:"behavior"`               // allow or deny
	InputHash    string            `json:"inputHash"`              // That of the prompt as it was shown; an answer to another input denies
	Message      string            `json:"message,omitempty"`      // To the model, where it is denied
	Scope        string            `json:"scope,omitempty"`        // For how long an allowed tool is; its rules are those of the prompt
	UpdatedInput json.RawMessage   `json:"updatedInput,omitempty"` // Use the tool with this instead
}

// Deleted is a deleted as the API writes it.
type Deleted struct {
	Deleted bool `json:"deleted"`          // false after a dry run: it is still there
	DryRun  bool `json:"dryRun,omitempty"` // Nothing was changed
}

// DeletedSessions is a deleted sessions as the API writes it.
type DeletedSessions struct {
	Deleted    int64    `json:"deleted"`    // What was moved to the trash, or how many
	DryRun     bool     `json:"dryRun"`     // Nothing was changed: it only tells what would be
	Failed     []Failed `json:"failed"`     // What it could not be done to, or how many
	SessionIDs []string `json:"sessionIds"` // The sessions, by id
}

// Event is an event as the API writes it.
type Event struct {
	AgentID       string        `json:"agentId,omitempty"`       // The agent it is of; without it the session itself
	Entries       []EventEntry  `json:"entries,omitzero"`        // The lines that were written
	File          string        `json:"file,omitempty"`          // Inside the home
	From          *LivePosition `json:"from,omitempty"`          // Where the lines begin in the file
	ID            string        `json:"id,omitempty"`            // To go on after it
	Job           *Job          `json:"job,omitempty"`           // Without its result
	Kind          string        `json:"kind"`                    // `appeared`: a new transcript, or a client that has none yet. `lines`: lines were appended to a transcript. `state`: the state of a session changed. `replaced`: the file has other content: forget what it said; its lines follow. `gone`: the transcript was deleted. `finished`: the client noted that an agent is done. `moved`: the client continues in another session: /clear, /branch, the picker. `reset`: the subscriber was too slow: events are missing here. `job`: how far a job is.
	NextSessionID string        `json:"nextSessionId,omitempty"` // Where the client goes on
	Root          string        `json:"root,omitempty"`          // Directory of the home that it is in
	SessionID     string        `json:"sessionId,omitempty"`     // The session it is of
	State         *IndexState   `json:"state,omitempty"`         // What it does, or how far it is
	Timestamp     time.Time     `json:"timestamp"`               // When it was
	To            *LivePosition `json:"to,omitempty"`            // Where they end
	Was           *IndexState   `json:"was,omitempty"`           // What it was before
}

// EventEntry is an event entry as the API writes it.
type EventEntry struct {
	FileSize  int64           `json:"fileSize"`            // Bytes
	Line      int64           `json:"line"`                // The line of the file, counting from 1
	MessageID string          `json:"messageId,omitempty"` // The message, by its id
	Raw       json.RawMessage `json:"raw,omitempty"`       // The line as it was written, if it is small
	Type      string          `json:"type,omitempty"`      // Which type it is of
}

// Expiring is an expiring as the API writes it.
type Expiring struct {
	ExpiresAt time.Time `json:"expiresAt"`         // When it is no longer good, or is deleted
	ID        string    `json:"id"`                // The thing itself; names that end in Id refer to one
	Project   string    `json:"project,omitempty"` // The project, by its short name
	Title     string    `json:"title,omitempty"`   // What it is called
}

// ExpiringPage is an expiring page as the API writes it.
type ExpiringPage struct {
	HasMore  bool              `json:"hasMore"`        // There are more behind this page
	Next     string            `json:"next,omitempty"` // For cursor, to go on
	Sessions []ExpiringSession `json:"sessions"`       // The one that goes first is first
	Total    int64             `json:"total"`          // How many there are, on all pages
}

// ExpiringSession is an expiring session as the API writes it.
type ExpiringSession struct {
	DaysLeft  int64     `json:"daysLeft"`          // Negative: it can be deleted any time
	ExpiresAt time.Time `json:"expiresAt"`         // When it is no longer good, or is deleted
	FileSize  int64     `json:"fileSize"`          // Bytes
	ID        string    `json:"id"`                // The thing itself; names that end in Id refer to one
	Kept      bool      `json:"kept"`              // Its current state is kept
	Project   string    `json:"project,omitempty"` // The project, by its short name
	Root      string    `json:"root"`              // Directory of the home that it is in
	Title     string    `json:"title,omitempty"`   // What it is called
}

// FacetPage is a facet page as the API writes it.
type FacetPage struct {
	Complete bool                         `json:"complete,omitempty"` // As in Page
	Facets   map[string][]IndexFacetValue `json:"facets"`             // By what they have in common, how many sessions have each value
	More     map[string]int64             `json:"more,omitempty"`     // How many values are left out of a facet: it has those of most sessions.
}

// Failed is a failed as the API writes it.
type Failed struct {
	Code      string `json:"code,omitempty"` // What it is, for programs
	Err       string `json:"error"`          // Why it failed, or what cli-bridge calls it
	SessionID string `json:"sessionId"`      // The session it is of
}

// FilePage is a file page as the API writes it.
type FilePage struct {
	Files   []ChangedFile `json:"files"`          // By path
	HasMore bool          `json:"hasMore"`        // There are more behind this page
	Next    string        `json:"next,omitempty"` // For cursor, to go on
	Total   int64         `json:"total"`          // How many there are, on all pages
}

// FilePatch is a file patch as the API writes it.
type FilePatch struct {
	AgentID   string     `json:"agentId,omitempty"`  // The agent it is of; without it the session itself
	Hunks     []ViewHunk `json:"hunks"`              // What changed, place by place
	MessageID string     `json:"messageId"`          // Of the line with the call
	State     string     `json:"state"`              // What it does, or how far it is
	Timestamp time.Time  `json:"timestamp,omitzero"` // When it was
}

// Finding is a finding as the API writes it.
type Finding struct {
	Area   string `json:"area"`             // The part of the home that it is in
	Code   string `json:"code"`             // What it is, for programs
	File   string `json:"file"`             // Path inside the home
	Length int64  `json:"length,omitempty"` // In bytes
	Line   int64  `json:"line,omitempty"`   // Counting from 1; 0 if it is about the file
	Lost   bool   `json:"lost,omitempty"`   // Lost says that the bytes could not be read as a record. Otherwise the record was recovered and the Problem only tells how the file looks.
	Offset int64  `json:"offset"`           // Where it begins, in bytes or rows
	Reason string `json:"reason"`           // Why
	Root   string `json:"root"`             // Directory of the home that it is in
}

// Fork is a fork as the API writes it.
type Fork struct {
	MessageID string `json:"messageId"` // The message, by its id
	Turn      int64  `json:"turn"`      // The number of the turn in its conversation, from 0
	Ways      []Way  `json:"ways"`      // In the order they were written
}

// Found is a found as the API writes it.
type Found struct {
	Behind   bool           `json:"behind,omitempty"` // What was written is not all in the index yet: there may be more
	Complete bool           `json:"complete"`         // Everything was looked at
	HasMore  bool           `json:"hasMore"`          // There are more behind this page
	Hints    []string       `json:"hints,omitzero"`   // What about the query may not be meant so
	HitCount int64          `json:"hitCount"`         // Lines, every copied one once
	Next     string         `json:"next,omitempty"`   // For cursor, to go on behind this page
	Query    string         `json:"query"`            // What was searched for, as it was understood
	Results  []FoundSession `json:"results"`          // What came of it, one by one
	Total    int64          `json:"total"`            // Sessions
}

// FoundSession is a found session as the API writes it.
type FoundSession struct {
	HitCount    int64     `json:"hitCount"`    // Lines that were found in it
	ProjectPath string    `json:"projectPath"` // Working directory of the project
	Root        string    `json:"root"`        // Directory of the home that it is in
	Score       float64   `json:"score"`       // How well it matches: more is better
	Session     Session   `json:"session"`     // The session, as a list has it
	SessionID   string    `json:"sessionId"`   // The session it is of
	Snippets    []Snippet `json:"snippets"`    // The best of its hits, with the text around each
	Timestamp   time.Time `json:"timestamp"`   // Of the latest hit
}

// GonePage is a gone page as the API writes it.
type GonePage struct {
	HasMore  bool          `json:"hasMore"`        // There are more behind this page
	Next     string        `json:"next,omitempty"` // For cursor, to go on
	Sessions []GoneSession `json:"sessions"`       // Those that the client or somebody else deleted
	Total    int64         `json:"total"`          // How many there are, on all pages
}

// GoneSession is a gone session as the API writes it.
type GoneSession struct {
	FileSize       int64     `json:"fileSize"`                // Bytes
	ID             string    `json:"id"`                      // The thing itself; names that end in Id refer to one
	LastActivityAt time.Time `json:"lastActivityAt,omitzero"` // When something was said in it last
	ModifiedAt     time.Time `json:"modifiedAt"`              // Last change of the transcript
	NoticedAt      time.Time `json:"noticedAt"`               // When its deletion was noticed
	Project        string    `json:"project,omitempty"`       // The project, by its short name
	Root           string    `json:"root"`                    // Directory of the home that it is in
	Title          string    `json:"title,omitempty"`         // What it is called
}

// GrantInputBody is a grant input body as the API writes it.
type GrantInputBody struct {
	Days int64  `json:"days,omitempty"` // How long the token is good; without it until it is revoked
	Name string `json:"name,omitempty"` // What it is called
	Role string `json:"role,omitempty"` // Without it read
}

// Health is a health as the API writes it.
type Health struct {
	Copies       KeepHealth           `json:"copies"`           // What the last checks of the copies found
	Damaged      []DamagedFile        `json:"damaged"`          // Problems by file
	Leftovers    []Leftover           `json:"leftovers"`        // What clients that ended left behind
	LostCount    int64                `json:"lostCount"`        // Records that cannot be read
	Problems     []Finding            `json:"problems"`         // What cannot be read, or how much of that there is
	Retention    []RetentionHealth    `json:"retention"`        // For how long the client keeps sessions
	Roots        []RootHealth         `json:"roots"`            // Homes of the client
	RunningCount int64                `json:"runningCount"`     // Clients
	Server       *ServerNote          `json:"server,omitempty"` // Our running server
	Twins        []Twin               `json:"twins"`            // Files that lists leave out
	Unknown      []SesskeepUnfamiliar `json:"unknown"`          // What this version does not know
}

// HistoryMessage is a history message as the API writes it.
type HistoryMessage struct {
	ID         string        `json:"id"`                  // The thing itself; names that end in Id refer to one
	Message    StreamMessage `json:"message"`             // What was said, or what went wrong
	RawContent []ViewContent `json:"rawContent,omitzero"` // The blocks of the message
	Timestamp  time.Time     `json:"timestamp"`           // When it was
}

// HolderRecord is a holder record as the API writes it.
type HolderRecord struct {
	Argv           []string       `json:"argv"`                    // Its arguments
	By             string         `json:"by,omitempty"`            // Who started it
	Client         string         `json:"client"`                  // Path of the client's program
	ClientVersion  string         `json:"clientVersion,omitempty"` // Version of the client that wrote it last
	Cost           LaunchCost     `json:"cost"`                    // What it cost
	CreatedAt      time.Time      `json:"createdAt"`               // When it began, or was made
	Dir            string         `json:"dir"`                     // A directory
	DurationAPIMs  int64          `json:"durationApiMs"`           // Milliseconds spent waiting for the model
	DurationMs     int64          `json:"durationMs"`              // How long it took, in milliseconds
	EndedAt        time.Time      `json:"endedAt,omitzero"`        // When it ended
	Err            string         `json:"error,omitempty"`         // Why the last turn, or the run, failed
	Exit           *LaunchExit    `json:"exit,omitempty"`          // How the process ended
	Foreign        bool           `json:"foreign,omitempty"`       // Foreign marks a question of a client that we did not start; it is not a run.
	Forked         bool           `json:"forked,omitempty"`        // It goes on in a copy of the session
	HolderPID      int64          `json:"holderPid"`               // Process id of its holder
	ID             string         `json:"id"`                      // The thing itself; names that end in Id refer to one
	Lines          int64          `json:"lines"`                   // Lines of output
	LogSize        int64          `json:"logSize"`                 // Bytes of its log
	Malformed      int64          `json:"malformed"`               // Lines of output that are not JSON or are malformed
	Model          string         `json:"model,omitempty"`         // The model, by its id
	Outcome        string         `json:"outcome,omitempty"`       // How the last turn, or the run, ended
	PermissionMode string         `json:"permissionMode"`          // What it may do without asking
	Prompts        []LaunchPrompt `json:"prompts,omitzero"`        // Open prompts, oldest first
	Purpose        string         `json:"purpose,omitempty"`       // What it is for, as whoever started it said
	Resumed        string         `json:"resumed,omitempty"`       // The session that it resumes or copies
	Role           string         `json:"role,omitempty"`          // Who speaks, or what the token may do
	Root           string         `json:"root,omitempty"`          // The home of its session
	SessionID      string         `json:"sessionId"`               // The session it is of
	Since          time.Time      `json:"since"`                   // From then on
	State          string         `json:"state"`                   // What it does, or how far it is
	Steps          int64          `json:"steps"`                   // Messages of the model
	Text           string         `json:"text,omitempty"`          // Final text of the last turn
	Title          string         `json:"title,omitempty"`         // The first line of the first message, shortened
	Turns          int64          `json:"turns"`                   // Turns: a prompt, or an answer with the results of its calls
	Unknown        int64          `json:"unknown"`                 // Lines of an unknown type
	Why            string         `json:"why,omitempty"`           // Why it is so
}

// HomeStorage is a home storage as the API writes it.
type HomeStorage struct {
	ByAge     []AgeShare        `json:"byAge"`     // By how long nothing was written
	ByKind    []Share           `json:"byKind"`    // By what it is
	ByProject []Share           `json:"byProject"` // By project
	Items     []StorageItem     `json:"items"`     // What there is, in order
	Orphaned  Amount            `json:"orphaned"`  // What nothing refers to
	Problems  []SesskeepProblem `json:"problems"`  // What cannot be read, or how much of that there is
	Root      string            `json:"root"`      // Directory of the home that it is in
	Totals    Amount            `json:"totals"`    // Sums over all rows
}

// InboxItem is an inbox item as the API writes it.
type InboxItem struct {
	AgentID     string          `json:"agentId,omitempty"`     // The sub-agent that asks
	BlockedPath string          `json:"blockedPath,omitempty"` // The path that the permission is asked for
	Deadline    time.Time       `json:"deadline"`              // When it is denied if there is no answer
	Description string          `json:"description,omitempty"` // What it is for, in the words of whoever made it
	Dir         string          `json:"dir"`                   // A directory
	Foreign     bool            `json:"foreign,omitempty"`     // The client that asks was not started by sesskeep
	ID          string          `json:"id"`                    // The thing itself; names that end in Id refer to one
	Input       json.RawMessage `json:"input"`                 // The exact input of the tool
	InputHash   string          `json:"inputHash"`             // Hash of the input; an answer must contain it
	Kind        string          `json:"kind"`                  // Which kind it is of
	Reason      string          `json:"reason,omitempty"`      // Why
	Root        string          `json:"root,omitempty"`        // Directory of the home that it is in
	Rules       []LaunchRule    `json:"rules,omitzero"`        // What an answer with scope run or always would allow
	RunID       string          `json:"runId"`                 // The run, by its id
	SessionID   string          `json:"sessionId"`             // The session it is of
	Since       time.Time       `json:"since"`                 // From then on
	Title       string          `json:"title,omitempty"`       // Title of the run
	Tool        string          `json:"tool"`                  // The tool, by its name
	ToolUseID   string          `json:"toolUseId,omitempty"`   // The call of the tool, by its id
}

// InboxPage is an inbox page as the API writes it.
type InboxPage struct {
	HasMore bool        `json:"hasMore"`        // There are more behind this page
	Next    string      `json:"next,omitempty"` // For cursor, to go on
	Prompts []InboxItem `json:"prompts"`        // The oldest first
	Total   int64       `json:"total"`          // How many there are, on all pages
}

// IndexConversation is an index conversation as the API writes it.
type IndexConversation struct {
	Active         bool      `json:"active"`                  // It is the one that the client would go on with
	ForkPoint      string    `json:"forkPoint,omitempty"`     // Uuid of the turn it parted at
	Kind           string    `json:"kind"`                    // Which kind it is of
	LastActivityAt time.Time `json:"lastActivityAt,omitzero"` // When something was said in it last
	Leaf           string    `json:"leaf"`                    // The conversation, by its last line
	MessageCount   int64     `json:"messageCount"`            // Lines of users and assistants, or answers that were paid for
	Name           string    `json:"name"`                    // What it is called
	PromptCount    int64     `json:"promptCount"`             // Prompts that were sent
	SessionID      string    `json:"sessionId"`               // The session it is of
}

// IndexCounts is an index counts as the API writes it.
type IndexCounts struct {
	Agent    int64 `json:"agent"`    // Rows of agents
	Archived int64 `json:"archived"` // Those that were put away, of any source; the others count none of them.
	Helper   int64 `json:"helper"`   // Rows of what the client runs for itself
	User     int64 `json:"user"`     // Rows of users; or who it was
}

// IndexFacetValue is an index facet value as the API writes it.
type IndexFacetValue struct {
	Count int64  `json:"count"`           // How many
	Label string `json:"label,omitempty"` // Of a project: its path
	Value string `json:"value"`           // One of the values
}

// IndexProblem is an index problem as the API writes it.
type IndexProblem struct {
	Code   string `json:"code"`             // What it is, for programs
	File   string `json:"file"`             // Path inside the home
	Length int64  `json:"length,omitempty"` // In bytes
	Line   int64  `json:"line,omitempty"`   // Counting from 1; 0 if it is about the file
	Lost   bool   `json:"lost,omitempty"`   // Lost says that the bytes could not be read as a record. Otherwise the record was recovered and the Problem only tells how the file looks.
	Offset int64  `json:"offset"`           // Where it begins, in bytes or rows
	Reason string `json:"reason"`           // Why
	Root   string `json:"root"`             // Directory of the home that it is in
}

// IndexState is an index state as the API writes it.
type IndexState struct {
	PID        int64     `json:"pid,omitempty"`        // The process
	Since      time.Time `json:"since,omitzero"`       // From then on
	WaitingFor string    `json:"waitingFor,omitempty"` // What it waits for
	Why        string    `json:"why"`                  // Why it is so
	Word       string    `json:"word"`                 // The state: working, needs you, your turn, idle, unclean or ended
}

// Job is a job as the API writes it.
type Job struct {
	Actor      ShelfActor      `json:"actor"`              // Who started it
	Code       string          `json:"code,omitempty"`     // What it is, for programs
	DoneCount  int64           `json:"doneCount"`          // How many items are done
	EndedAt    time.Time       `json:"endedAt,omitzero"`   // When it ended
	Err        string          `json:"error,omitempty"`    // Why it failed
	FileSize   int64           `json:"fileSize,omitempty"` // How many bytes were processed
	ID         string          `json:"id"`                 // The thing itself; names that end in Id refer to one
	Kind       string          `json:"kind"`               // Kind of work: bulk, delete, clean, keep, verify, check, move
	Result     json.RawMessage `json:"result,omitempty"`   // The answer that the request would have got without async=true, once the job is over
	StartedAt  time.Time       `json:"startedAt"`          // When it began
	State      string          `json:"state"`              // What it does, or how far it is
	TotalCount int64           `json:"totalCount"`         // How many items there are; 0: not known yet
}

// JobPage is a job page as the API writes it.
type JobPage struct {
	HasMore bool   `json:"hasMore"`        // There are more behind this page
	Jobs    []Job  `json:"jobs"`           // The last one first
	Next    string `json:"next,omitempty"` // For cursor, to go on
	Total   int64  `json:"total"`          // How many there are, on all pages
}

// KeepFlaw is a keep flaw as the API writes it.
type KeepFlaw struct {
	File   string `json:"file,omitempty"` // The file that was copied, if known
	Path   string `json:"path"`           // A path on the machine of the server
	Reason string `json:"reason"`         // Why
}

// KeepHealth is a keep health as the API writes it.
type KeepHealth struct {
	AllCheckedAt time.Time  `json:"allCheckedAt,omitzero"` // The time since which every copy has been checked; zero: not all have.
	CheckedAt    time.Time  `json:"checkedAt,omitzero"`    // When some of the copies were last checked; zero: never.
	Flaws        []KeepFlaw `json:"flaws"`                 // Known damage that is not repaired
}

// KeepProblem is a keep problem as the API writes it.
type KeepProblem struct {
	File   string `json:"file"`   // A file, below its home where it is one of a home
	Reason string `json:"reason"` // Why
}

// KeepStatus is a keep status as the API writes it.
type KeepStatus struct {
	AllCheckedAt    time.Time     `json:"allCheckedAt,omitzero"` // The time since which every copy has been checked; zero: not all have.
	AskedAt         time.Time     `json:"askedAt,omitzero"`      // When the user last turned keeping on or off
	BehindCount     int64         `json:"behindCount"`           // Those that changed since they were copied
	CheckedAt       time.Time     `json:"checkedAt,omitzero"`    // When some of the copies were last checked; zero: never.
	CopyOnlyCount   int64         `json:"copyOnlyCount"`         // Those whose transcript is gone
	CoveredCount    int64         `json:"coveredCount"`          // Those that are fully kept
	Dir             string        `json:"dir"`                   // A directory
	Exclude         []string      `json:"exclude"`               // Projects of which nothing is kept
	FileSize        int64         `json:"fileSize"`              // Bytes
	Flaws           []KeepFlaw    `json:"flaws"`                 // Known damage that is not repaired
	FreeSize        int64         `json:"freeSize,omitempty"`    // Free space on the disk of the copies
	KeptCount       int64         `json:"keptCount"`             // Sessions that have copies
	LagSeconds      int64         `json:"lagSeconds"`            // Age of the oldest change that is not copied
	MissingSize     int64         `json:"missingSize"`           // Bytes of them that are not kept
	OldVersionCount int64         `json:"oldVersionCount"`       // Versions of files that were replaced since
	On              bool          `json:"on"`                    // Copies are kept
	Problem         string        `json:"problem,omitempty"`     // What is wrong with the user's policy
	Quota           int64         `json:"quota,omitempty"`       // How much of the disk copies may take
	Ratio           float64       `json:"ratio"`                 // The size of the sources divided by the size of their copies.
	SessionCount    int64         `json:"sessionCount"`          // Sessions in the homes
	SourceSize      int64         `json:"sourceSize"`            // Of all files to keep
	Stopped         string        `json:"stopped,omitempty"`     // Why keeping stopped
	Unread          []KeepProblem `json:"unread"`                // Unread lists the directories and files of the homes that could not be read; their contents are not counted.
}

// KeepVerified is a keep verified as the API writes it.
type KeepVerified struct {
	FileSize      int64      `json:"fileSize"`                // Bytes
	Flaws         []KeepFlaw `json:"flaws"`                   // Copies that are not what they should be
	RepairedCount int64      `json:"repairedCount,omitempty"` // How many flaws were repaired; Flaws are those that are left.
	SessionCount  int64      `json:"sessionCount"`            // How many sessions
	VersionCount  int64      `json:"versionCount"`            // Versions of files
}

// KeptNow is a kept now as the API writes it.
type KeptNow struct {
	CopiedCount   int64         `json:"copiedCount"`             // Files with new copied bytes
	CopiedSize    int64         `json:"copiedSize"`              // Bytes that were copied
	DryRun        bool          `json:"dryRun,omitempty"`        // Nothing was copied
	FileCount     int64         `json:"fileCount"`               // How many files
	GoneCount     int64         `json:"goneCount"`               // Files found deleted
	Problems      []KeepProblem `json:"problems"`                // What cannot be read, or how much of that there is
	RepairedCount int64         `json:"repairedCount,omitempty"` // How many damaged places were rebuilt from their sources.
	SessionCount  int64         `json:"sessionCount"`            // How many sessions
	Stopped       string        `json:"stopped,omitempty"`       // Why not all was copied
}

// LaunchCost is a launch cost as the API writes it.
type LaunchCost struct {
	USD float64 `json:"usd"` // US dollars; null where nothing has a price
}

// LaunchEvent is a launch event as the API writes it.
type LaunchEvent struct {
	Behavior       string      `json:"behavior,omitempty"`       // allow or deny
	By             string      `json:"by,omitempty"`             // Who or what it is by
	Bytes          int64       `json:"bytes,omitempty"`          // How many bytes
	ChangedInput   bool        `json:"changedInput,omitempty"`   // The input that was allowed instead of the one that was asked for
	Cost           *LaunchCost `json:"cost,omitempty"`           // What it cost
	DurationMs     int64       `json:"durationMs,omitempty"`     // How long it took, in milliseconds
	Err            string      `json:"error,omitempty"`          // Why it failed, or what cli-bridge calls it
	Event          string      `json:"event"`                    // What happened
	InputHash      string      `json:"inputHash,omitempty"`      // Of the input that was shown, so that nothing else is allowed
	MessageID      string      `json:"messageId,omitempty"`      // The message, by its id
	Model          string      `json:"model,omitempty"`          // The model, by its id
	Next           time.Time   `json:"next,omitzero"`            // When a turn is retried
	PermissionMode string      `json:"permissionMode,omitempty"` // What it may do without asking
	PromptID       string      `json:"promptId,omitempty"`       // The question, by its id
	Reason         string      `json:"reason,omitempty"`         // Why
	Scope          string      `json:"scope,omitempty"`          // How far it goes
	SessionID      string      `json:"sessionId,omitempty"`      // The session it is of
	Timestamp      time.Time   `json:"timestamp"`                // When it was
	Tool           string      `json:"tool,omitempty"`           // The tool, by its name
	Why            string      `json:"why,omitempty"`            // Why it is so
}

// LaunchExit is a launch exit as the API writes it.
type LaunchExit struct {
	Code   int64  `json:"code,omitempty"`   // What it is, for programs
	Launch string `json:"launch,omitempty"` // Why the client could not be started.
	Signal string `json:"signal,omitempty"` // The signal that ended it
	Stderr string `json:"stderr,omitempty"` // The end of its standard error
}

// LaunchPrompt is a launch prompt as the API writes it.
type LaunchPrompt struct {
	AgentID     string          `json:"agentId,omitempty"`     // The sub-agent that asks
	BlockedPath string          `json:"blockedPath,omitempty"` // The path that the permission is asked for
	Deadline    time.Time       `json:"deadline"`              // When it is denied if there is no answer
	Description string          `json:"description,omitempty"` // What it is for, in the words of whoever made it
	ID          string          `json:"id"`                    // The thing itself; names that end in Id refer to one
	Input       json.RawMessage `json:"input"`                 // The exact input of the tool
	InputHash   string          `json:"inputHash"`             // Hash of the input; an answer must contain it
	Kind        string          `json:"kind"`                  // Which kind it is of
	Reason      string          `json:"reason,omitempty"`      // Why
	Rules       []LaunchRule    `json:"rules,omitzero"`        // What an answer with scope run or always would allow
	Since       time.Time       `json:"since"`                 // From then on
	Tool        string          `json:"tool"`                  // The tool, by its name
	ToolUseID   string          `json:"toolUseId,omitempty"`   // The call of the tool, by its id
}

// LaunchRule is a launch rule as the API writes it.
type LaunchRule struct {
	Destination string `json:"destination"` // Where an answer with scope always writes the rule, in the client's words.
	Text        string `json:"text"`        // The rule as in the client's settings
}

// Leftover is a leftover as the API writes it.
type Leftover struct {
	File      string    `json:"file"`               // A file, below its home where it is one of a home
	PID       int64     `json:"pid"`                // The process
	Root      string    `json:"root"`               // Directory of the home that it is in
	SessionID string    `json:"sessionId"`          // The session it is of
	StartedAt time.Time `json:"startedAt,omitzero"` // When it began
}

// LivePosition is a live position as the API writes it.
type LivePosition struct {
	Line   int64 `json:"line"`   // Number of lines before it
	Offset int64 `json:"offset"` // Where it begins, in bytes or rows
}

// LoginInputBody is a login input body as the API writes it.
type LoginInputBody struct {
	Code string `json:"code"` // What it is, for programs
}

// Member is a member as the API writes it.
type Member struct {
	File       string    `json:"file"`       // A file, below its home where it is one of a home
	FileSize   int64     `json:"fileSize"`   // Bytes
	Mode       int64     `json:"mode"`       // Permissions of a file
	ModifiedAt time.Time `json:"modifiedAt"` // When it was written
}

// MessageCursorGone is a message cursor gone as the API writes it.
type MessageCursorGone struct {
	Code     string `json:"code"`               // What it is, for programs
	CursorID string `json:"cursorId,omitempty"` // The message that was not found
	Message  string `json:"message,omitempty"`  // What was said, or what went wrong
}

// MessageFilters is a message filters as the API writes it.
type MessageFilters struct {
	Denormalize bool     `json:"denormalize"` // Results are part of their calls: always true
	Order       string   `json:"order"`       // asc or desc
	Types       []string `json:"types"`       // Which types of messages
}

// MessageIntegrity is a message integrity as the API writes it.
type MessageIntegrity struct {
	CorruptedLines   int64    `json:"corruptedLines"`   // Lines that cannot be read
	CorruptedSamples []string `json:"corruptedSamples"` // What is wrong, and where; never the content of the line
	TotalLines       int64    `json:"totalLines"`       // Lines of the file
	ValidLines       int64    `json:"validLines"`       // Lines that can be read
}

// MessagePage is a message page as the API writes it.
type MessagePage struct {
	APIVersion string             `json:"apiVersion"`      // The version of this form, always 2.0
	Err        *MessageCursorGone `json:"error,omitempty"` // Why it failed, or what cli-bridge calls it
	Filters    MessageFilters     `json:"filters"`         // What was asked for
	Integrity  MessageIntegrity   `json:"integrity"`       // How much of the file could be read
	Messages   []HistoryMessage   `json:"messages"`        // Messages, in the order that was asked for
	Pagination MessagePagination  `json:"pagination"`      // Which part of all messages this is
}

// MessagePagination is a message pagination as the API writes it.
type MessagePagination struct {
	HasMore    bool   `json:"hasMore"`              // There are more behind this page
	Limit      int64  `json:"limit"`                // How many at most
	NextCursor string `json:"nextCursor,omitempty"` // Pass as before to get older messages
	Offset     int64  `json:"offset"`               // Where it begins, in bytes or rows
	PrevCursor string `json:"prevCursor,omitempty"` // Pass as after to get newer messages
	Total      int64  `json:"total"`                // How many match, on all pages
}

// MoneyClientCost is a money client cost as the API writes it.
type MoneyClientCost struct {
	UnknownModel bool    `json:"unknownModel,omitempty"` // Some of it is of a model that the client had no price for
	USD          float64 `json:"usd"`                    // US dollars; null where nothing has a price
}

// MoneyCost is a money cost as the API writes it.
type MoneyCost struct {
	UnpricedModels []string `json:"unpricedModels"` // Models without a price, whose tokens USD leaves out
	USD            float64  `json:"usd"`            // Nil if tokens were used and none of them has a price.
}

// MoneyLedger is a money ledger as the API writes it.
type MoneyLedger struct {
	Client    *MoneyClientCost  `json:"client,omitempty"`    // What the client itself counted
	Counts    MoneyLedgerCounts `json:"counts"`              // How many there are of each kind
	HasMore   bool              `json:"hasMore"`             // There are more behind this page
	Next      string            `json:"next,omitempty"`      // Cursor of the next page
	Prices    MoneyPriceList    `json:"prices"`              // The list of prices
	Rows      []MoneyLedgerRow  `json:"rows"`                // The rows of the report
	SessionID string            `json:"sessionId,omitempty"` // The session or agent, if there is only one
	Sums      []MoneyLedgerSum  `json:"sums"`                // Add up to the total
	Total     int64             `json:"total"`               // Number of rows, before a limit
	Totals    MoneySpending     `json:"totals"`              // Sums over all rows
	Unpriced  []MoneyUnpriced   `json:"unpriced"`            // Models without a price
}

// MoneyLedgerCounts is a money ledger counts as the API writes it.
type MoneyLedgerCounts struct {
	Counted   int64 `json:"counted"`   // It is added up; or how many are
	Dropped   int64 `json:"dropped"`   // Another file has them
	Merged    int64 `json:"merged"`    // Lines that repeat a message in their own file
	Rows      int64 `json:"rows"`      // Messages as they are in the files
	Synthetic int64 `json:"synthetic"` // Answers that the client wrote itself
}

// MoneyLedgerRow is a money ledger row as the API writes it.
type MoneyLedgerRow struct {
	AgentID     string        `json:"agentId,omitempty"`     // The agent that got the answer
	AnswerID    string        `json:"answerId"`              // The id of the answer, as the model's provider gave it
	Call        string        `json:"call,omitempty"`        // The kind of the call that was made for the answer; empty: the answer itself
	Counted     bool          `json:"counted"`               // It is added up; or how many are
	CountedFile string        `json:"countedFile,omitempty"` // The file in which it counts instead
	CountedIn   string        `json:"countedIn,omitempty"`   // The session or agent in which it counts instead
	CountedRoot string        `json:"countedRoot,omitempty"` // The home in which it counts instead
	File        string        `json:"file"`                  // Path below the home
	LineCount   int64         `json:"lineCount"`             // Lines that repeat it; the largest value of each counter counts
	Model       string        `json:"model"`                 // The model, by its id
	Price       *PricePrice   `json:"price,omitempty"`       // What it was priced with
	Project     string        `json:"project"`               // The project, by its short name
	Root        string        `json:"root"`                  // Directory of the home that it is in
	SessionID   string        `json:"sessionId"`             // The session it is of
	Sum         []PriceLine   `json:"sum,omitzero"`          // The arithmetic: counter by counter
	Timestamp   time.Time     `json:"timestamp,omitzero"`    // When it was
	Usage       SesskeepUsage `json:"usage"`                 // Tokens
	USD         float64       `json:"usd"`                   // Null: it does not count, or has no price
	Why         string        `json:"why,omitempty"`         // Why it does not count
}

// MoneyLedgerSum is a money ledger sum as the API writes it.
type MoneyLedgerSum struct {
	MessageCount int64       `json:"messageCount"` // Lines of users and assistants, or answers that were paid for
	Price        PricePrice  `json:"price"`        // What it was priced with
	Sum          []PriceLine `json:"sum"`          // The arithmetic: counter by counter
	USD          float64     `json:"usd"`          // US dollars; null where nothing has a price
}

// MoneyLimit is a money limit as the API writes it.
type MoneyLimit struct {
	Name        string    `json:"name"`              // What it is called
	ResetsAt    time.Time `json:"resetsAt,omitzero"` // When it begins anew
	Root        string    `json:"root"`              // The home that uses the plan
	SeenAt      time.Time `json:"seenAt"`            // When it was seen
	UsedPercent float64   `json:"usedPercent"`       // How much of it is used up
}

// MoneyModelStats is a money model stats as the API writes it.
type MoneyModelStats struct {
	Cost         MoneyCost     `json:"cost"`         // What it cost
	MessageCount int64         `json:"messageCount"` // Lines of users and assistants, or answers that were paid for
	Model        string        `json:"model"`        // The model, by its id
	Usage        SesskeepUsage `json:"usage"`        // Tokens
}

// MoneyPriceList is a money price list as the API writes it.
type MoneyPriceList struct {
	Date   string   `json:"date"`             // The day the prices are of
	Own    []string `json:"own"`              // Models with a price in the user's file
	Source string   `json:"source,omitempty"` // Who it is for: user, agent or helper; or where something is from
}

// MoneyProjectStats is a money project stats as the API writes it.
type MoneyProjectStats struct {
	Cost         MoneyCost `json:"cost"`         // What it cost
	Project      string    `json:"project"`      // The project, by its short name
	ProjectPath  string    `json:"projectPath"`  // Working directory of the project
	PromptCount  int64     `json:"promptCount"`  // Prompts that were sent
	SessionCount int64     `json:"sessionCount"` // How many sessions
}

// MoneySpending is a money spending as the API writes it.
type MoneySpending struct {
	Cost         MoneyCost     `json:"cost"`         // What it cost
	MessageCount int64         `json:"messageCount"` // Lines of users and assistants, or answers that were paid for
	Usage        SesskeepUsage `json:"usage"`        // Tokens
}

// MoneyToolStats is a money tool stats as the API writes it.
type MoneyToolStats struct {
	CallCount  int64  `json:"callCount"`  // How often tools were called
	ErrorCount int64  `json:"errorCount"` // How many of them failed
	Tool       string `json:"tool"`       // The tool, by its name
}

// MoneyUnpriced is a money unpriced as the API writes it.
type MoneyUnpriced struct {
	Model      string  `json:"model"`      // The model, by its id
	Share      float64 `json:"share"`      // Share of all tokens of the report
	TokenCount int64   `json:"tokenCount"` // How many tokens
}

// MoneyUsageReport is a money usage report as the API writes it.
type MoneyUsageReport struct {
	By       string          `json:"by"`              // Who or what it is by
	HasMore  bool            `json:"hasMore"`         // There are more behind this page
	Limits   []MoneyLimit    `json:"limits,omitzero"` // Of a report by window, if clients reported them; app fills them in
	Prices   MoneyPriceList  `json:"prices"`          // The list of prices
	Rows     []MoneyUsageRow `json:"rows"`            // The rows of the report
	Since    time.Time       `json:"since,omitzero"`  // From then on
	Total    int64           `json:"total"`           // Number of rows, before a limit
	Totals   MoneyUsageTotal `json:"totals"`          // Sums over all rows
	TZ       string          `json:"tz"`              // The time zone of days
	Unpriced []MoneyUnpriced `json:"unpriced"`        // Models without a price
	Until    time.Time       `json:"until,omitzero"`  // Before then
}

// MoneyUsageRow is a money usage row as the API writes it.
type MoneyUsageRow struct {
	Active       bool           `json:"active,omitempty"`      // Of a window: it is not over
	Agents       *MoneySpending `json:"agents,omitempty"`      // Of a session: the part that agents spent
	Cost         MoneyCost      `json:"cost"`                  // What it cost
	From         time.Time      `json:"from,omitzero"`         // Of a day, week, month or window
	Group        string         `json:"group"`                 // What the row is of: a day, a project, a model, …
	Machine      string         `json:"machine,omitempty"`     // The machine that the home is of
	MessageCount int64          `json:"messageCount"`          // Lines of users and assistants, or answers that were paid for
	Project      string         `json:"project,omitempty"`     // The project, by its short name
	ProjectPath  string         `json:"projectPath,omitempty"` // Working directory of the project
	Root         string         `json:"root,omitempty"`        // Of a session: the home it is in
	SessionCount int64          `json:"sessionCount"`          // Number of sessions, agents counted with their session
	SessionID    string         `json:"sessionId,omitempty"`   // The session it is of
	Title        string         `json:"title,omitempty"`       // What it is called
	To           time.Time      `json:"to,omitzero"`           // Until then
	Usage        SesskeepUsage  `json:"usage"`                 // Tokens
}

// MoneyUsageTotal is a money usage total as the API writes it.
type MoneyUsageTotal struct {
	Cost         MoneyCost     `json:"cost"`         // What it cost
	MessageCount int64         `json:"messageCount"` // Lines of users and assistants, or answers that were paid for
	SessionCount int64         `json:"sessionCount"` // How many sessions
	Usage        SesskeepUsage `json:"usage"`        // Tokens
}

// MoveInputBody is a move input body as the API writes it.
type MoveInputBody struct {
	DryRun bool   `json:"dryRun,omitempty"` // Only tell what would be done
	To     string `json:"to"`               // The new path of the folder, from the root on
}

// Moved is a moved as the API writes it.
type Moved struct {
	DryRun bool           `json:"dryRun"` // Nothing was changed
	Homes  []MovedProject `json:"homes"`  // One for each home that knew the folder
}

// MovedDir is a moved dir as the API writes it.
type MovedDir struct {
	FromDirName  string `json:"fromDirName"`      // The directory below projects/ that it was
	Merged       bool   `json:"merged,omitempty"` // The other one is there already
	Partly       bool   `json:"partly,omitempty"` // What belongs to another project stays
	ProjectPath  string `json:"projectPath"`      // It is for now
	SessionCount int64  `json:"sessionCount"`     // How many sessions
	ToDirName    string `json:"toDirName"`        // The directory below projects/ that it is now
}

// MovedProject is a moved project as the API writes it.
type MovedProject struct {
	ActID            int64      `json:"actId,omitempty"`  // The number of the change, for undo
	Changed          bool       `json:"changed"`          // Whether, or how many of them, changed; the others were so already
	Directories      []MovedDir `json:"directories"`      // Directories that follow
	DryRun           bool       `json:"dryRun"`           // Nothing was changed: it only tells what would be
	FromPath         string     `json:"fromPath"`         // The path that it was
	HistoryLineCount int64      `json:"historyLineCount"` // Lines of history.jsonl
	Notes            []string   `json:"notes"`            // What is no damage, and good to know
	Root             string     `json:"root"`             // Directory of the home that it is in
	StateKeyCount    int64      `json:"stateKeyCount"`    // Projects in .claude.json
	ToPath           string     `json:"toPath"`           // The path that it is now
}

// NewCode is a new code as the API writes it.
type NewCode struct {
	Code      string    `json:"code"`      // What it is, for programs
	ExpiresAt time.Time `json:"expiresAt"` // When it is no longer good, or is deleted
}

// NewRun is a new run as the API writes it.
type NewRun struct {
	AfterReset     bool    `json:"afterReset,omitempty"`     // When the limit of the plan is reached, go on when it is reset
	BudgetUSD      float64 `json:"budgetUsd,omitempty"`      // End it when it has cost so much
	Cwd            string  `json:"cwd,omitempty"`            // Work in this directory: that of a known project, or one below --allow-root
	Fork           bool    `json:"fork,omitempty"`           // In a copy of it
	Model          string  `json:"model,omitempty"`          // The model, by its id
	PermissionMode string  `json:"permissionMode,omitempty"` // ask, acceptEdits, plan, auto, dontAsk; bypassPermissions only with --allow-bypass, from this machine
	Project        string  `json:"project,omitempty"`        // Work in the directory of this project
	Prompt         string  `json:"prompt"`                   // What to do
	Purpose        string  `json:"purpose,omitempty"`        // What it is for, as whoever started it said
	Resume         string  `json:"resume,omitempty"`         // Go on with this session, in its directory
	Retries        int64   `json:"retries,omitempty"`        // Try a turn again so many times when the API is overloaded
	Role           string  `json:"role,omitempty"`           // Who speaks, or what the token may do
	Timeout        int64   `json:"timeout,omitempty"`        // End it after so many seconds
	Worktree       string  `json:"worktree,omitempty"`       // Work in a new git worktree of this name
}

// NewTicket is a new ticket as the API writes it.
type NewTicket struct {
	ExpiresAt time.Time `json:"expiresAt"` // When it is no longer good
	Ticket    string    `json:"ticket"`    // For the parameter of that name
	URL       string    `json:"url"`       // The address with the ticket in it
}

// NewToken is a new token as the API writes it.
type NewToken struct {
	CreatedAt time.Time `json:"createdAt"`          // When it began, or was made
	Device    bool      `json:"device,omitempty"`   // It was given to a device that was paired
	ExpiresAt time.Time `json:"expiresAt,omitzero"` // Without it the token is good until it is revoked
	ID        string    `json:"id"`                 // The thing itself; names that end in Id refer to one
	Name      string    `json:"name,omitempty"`     // What the user calls it
	Role      string    `json:"role"`               // Who speaks, or what the token may do
	Token     string    `json:"token"`              // The secret
}

// OldSession is an old session as the API writes it.
type OldSession struct {
	CopiedCount  int64 `json:"copiedCount"`     // How many of them have a copy now
	Days         int64 `json:"days,omitempty"`  // Nothing happened in them for so long
	Empty        bool  `json:"empty,omitempty"` // Nothing was said in it
	FileSize     int64 `json:"fileSize"`        // Bytes
	SessionCount int64 `json:"sessionCount"`    // How many sessions
}

// Operation is an operation as the API writes it.
type Operation struct {
	Action      string   `json:"action"`                // What is done to each session
	CustomTitle *string  `json:"customTitle,omitempty"` // update: the title of all of them; null or empty takes it away
	Starred     bool     `json:"starred,omitempty"`     // update: with a star, or without
	Tags        []string `json:"tags,omitzero"`         // update: tags to add
	Untag       []string `json:"untag,omitzero"`        // update: tags to take away
}

// Outcome is an outcome as the API writes it.
type Outcome struct {
	Changed  int64    `json:"changed"`            // Whether, or how many of them, changed; the others were so already
	DryRun   bool     `json:"dryRun"`             // Nothing was changed: it only tells what would be
	Failed   int64    `json:"failed"`             // What it could not be done to, or how many
	FileSize int64    `json:"fileSize,omitempty"` // Of what was moved
	Results  []Result `json:"results"`            // What came of it, one by one
	Total    int64    `json:"total"`              // How many match, on all pages
	Verb     string   `json:"verb"`               // What was done
}

// Outline is an outline as the API writes it.
type Outline struct {
	AgentID   string        `json:"agentId,omitempty"`   // The agent it is of; without it the session itself
	Forks     []Fork        `json:"forks"`               // Turns that have siblings
	Items     []OutlineItem `json:"items"`               // What there is, in order
	Leaf      string        `json:"leaf,omitempty"`      // uuid of the conversation's last line
	MetaCount int64         `json:"metaCount,omitempty"` // Number of meta blocks; with all=true
	Root      string        `json:"root"`                // The home
	SessionID string        `json:"sessionId"`           // The session it is of
	Total     int64         `json:"total"`               // How many match, on all pages
	TurnCount int64         `json:"turnCount"`           // Turns of the conversation
}

// OutlineItem is an outline item as the API writes it.
type OutlineItem struct {
	Compaction *ViewCompaction `json:"compaction,omitempty"` // Tokens before and after the compaction
	Kind       string          `json:"kind"`                 // Kind of the item; plans and errors only with all=true
	MessageID  string          `json:"messageId"`            // uuid of its line
	Text       string          `json:"text,omitempty"`       // Start of its text, on one line
	Timestamp  time.Time       `json:"timestamp,omitzero"`   // When it was
	Turn       int64           `json:"turn"`                 // Index of its turn in the conversation, counting from 0
}

// Page is a page as the API writes it.
type Page struct {
	Behind   bool             `json:"behind,omitempty"`   // True while what was written is not all in the index: there may be more. Fronts that do not wait say so.
	Complete bool             `json:"complete,omitempty"` // Complete says whether everything was looked at for a text; nil where there was none.
	HasMore  bool             `json:"hasMore"`            // There are more behind this page
	Hidden   map[string]int64 `json:"hidden"`             // By source, or archived
	Next     string           `json:"next,omitempty"`     // For cursor, to go on behind this page
	Sessions []Session        `json:"sessions"`           // Sessions, in the order that was asked for
	Total    int64            `json:"total"`              // How many match, on all pages
}

// PairInputBody is a pair input body as the API writes it.
type PairInputBody struct {
	Claim  string `json:"claim,omitempty"`  // From the first answer, to collect the token
	Code   string `json:"code,omitempty"`   // From the other screen
	Device string `json:"device,omitempty"` // What the device calls itself
}

// Paired is a paired as the API writes it.
type Paired struct {
	Claim  string    `json:"claim,omitempty"`  // To ask again with
	Number string    `json:"number,omitempty"` // To be shown, and compared with the other screen
	Status string    `json:"status"`           // How it is
	Token  *NewToken `json:"token,omitempty"`  // When it is paired; told once
}

// PairingInputBody is a pairing input body as the API writes it.
type PairingInputBody struct {
	Days int64  `json:"days,omitempty"` // How long its token is good; without it until it is revoked
	Name string `json:"name,omitempty"` // What the device is called; without it what it calls itself
	Role string `json:"role,omitempty"` // Without it manage
}

// PairingRow is a pairing row as the API writes it.
type PairingRow struct {
	Code      string    `json:"code,omitempty"`    // To be carried to the device; told once
	Device    string    `json:"device,omitempty"`  // What the device calls itself
	ExpiresAt time.Time `json:"expiresAt"`         // When it is no longer good, or is deleted
	From      string    `json:"from,omitempty"`    // The address it came from
	ID        string    `json:"id"`                // The thing itself; names that end in Id refer to one
	Key       string    `json:"key,omitempty"`     // SHA-256 of the server's public key there (SubjectPublicKeyInfo), in base64 for URLs
	Number    string    `json:"number,omitempty"`  // What the device has to show
	Status    string    `json:"status"`            // How it is
	TokenID   string    `json:"tokenId,omitempty"` // Of the token it got
	URL       string    `json:"url,omitempty"`     // Where devices reach the server; told with the code
}

// PriceLine is a price line as the API writes it.
type PriceLine struct {
	Count int64   `json:"count"` // How many
	Kind  string  `json:"kind"`  // Which kind it is of
	Rate  float64 `json:"rate"`  // With the factors of batch and US-only
	USD   float64 `json:"usd"`   // US dollars; null where nothing has a price
}

// PricePrice is a price price as the API writes it.
type PricePrice struct {
	Batch        float64 `json:"batch,omitempty"`  // 0: not sent in a batch
	CacheRead    float64 `json:"cacheRead"`        // Tokens read from the cache, or the price of a million
	CacheWrite1h float64 `json:"cacheWrite1h"`     // Tokens written to the cache for an hour, or the price of a million
	CacheWrite5m float64 `json:"cacheWrite5m"`     // Tokens written to the cache for five minutes, or the price of a million
	Date         string  `json:"date,omitempty"`   // Of the table or file the row is from
	Fast         bool    `json:"fast,omitempty"`   // Asked for in fast mode, which is dearer
	Input        float64 `json:"input"`            // What a tool was given; or tokens, or the price of a million
	Model        string  `json:"model"`            // As Normalize writes it
	Note         string  `json:"note,omitempty"`   // What a user wrote about it, or what else there is to know
	Output       float64 `json:"output"`           // What a tool gave back; or tokens, or the price of a million
	Over         int64   `json:"over,omitempty"`   // Only requests with more input tokens than this
	Since        string  `json:"since,omitempty"`  // From then on
	Source       string  `json:"source,omitempty"` // Who it is for: user, agent or helper; or where something is from
	UsOnly       float64 `json:"usOnly,omitempty"` // 0: not restricted to the US
	WebSearch    float64 `json:"webSearch"`        // The price of a thousand searches of the web
}

// PricedProject is a priced project as the API writes it.
type PricedProject struct {
	Cost30d          MoneyCost     `json:"cost30d"`                 // What they cost
	Counts           IndexCounts   `json:"counts"`                  // How many there are of each kind
	DirName          string        `json:"dirName"`                 // Its directory below projects/ in the home
	FileSize         int64         `json:"fileSize"`                // Bytes
	ID               string        `json:"id"`                      // The thing itself; names that end in Id refer to one
	InlineAgentCount int64         `json:"inlineAgentCount"`        // Inside the files of their sessions (1.0): they have no rows
	LastActivityAt   time.Time     `json:"lastActivityAt,omitzero"` // When something was said in it last
	LastUsed         time.Time     `json:"lastUsed,omitzero"`       // When a session that somebody began was active last
	Memory           bool          `json:"memory,omitempty"`        // Has notes the client keeps for itself
	Name             string        `json:"name"`                    // What it is called
	Path             string        `json:"path"`                    // A path on the machine of the server
	Repository       string        `json:"repository,omitempty"`    // Of a worktree
	Root             string        `json:"root"`                    // Directory of the home that it is in
	SessionCount     int64         `json:"sessionCount"`            // Every row that is not archived
	Usage30d         SesskeepUsage `json:"usage30d"`                // Tokens of the last 30 days, agents included
}

// PricedProjectPage is a priced project page as the API writes it.
type PricedProjectPage struct {
	Behind   bool             `json:"behind,omitempty"` // What was written is not all in the index yet: there may be more
	HasMore  bool             `json:"hasMore"`          // There are more behind this page
	Hidden   map[string]int64 `json:"hidden"`           // Sessions of all these projects that sessionCount leaves out: archived ones
	Next     string           `json:"next,omitempty"`   // For cursor, to go on
	Projects []PricedProject  `json:"projects"`         // The one active last first
	Total    int64            `json:"total"`            // How many there are, on all pages
}

// Problem is a problem as the API writes it.
type Problem struct {
	Candidates []json.RawMessage `json:"candidates,omitzero"`  // What else has the name
	Code       string            `json:"code"`                 // What went wrong, for programs
	Detail     string            `json:"detail"`               // What went wrong, for people
	Err        string            `json:"error"`                // The code as cli-bridge calls it
	Field      string            `json:"field,omitempty"`      // The parameter, or the field of the body, that is wrong
	Hint       string            `json:"hint,omitempty"`       // What to do about it
	Message    string            `json:"message"`              // The same as detail, as cli-bridge calls it
	RetryAfter int64             `json:"retryAfter,omitempty"` // Seconds to wait
	Status     int64             `json:"status"`               // How it is
	Title      string            `json:"title"`                // What the status means
}

// ProjectUse is a project use as the API writes it.
type ProjectUse struct {
	FirstAt      time.Time `json:"firstAt,omitzero"` // When it was first
	LastAt       time.Time `json:"lastAt,omitzero"`  // When it was last
	Name         string    `json:"name"`             // What it is called
	Path         string    `json:"path"`             // A path on the machine of the server
	PromptCount  int64     `json:"promptCount"`      // Prompts that were sent
	SessionCount int64     `json:"sessionCount"`     // Those the history names
}

// ProjectUsePage is a project use page as the API writes it.
type ProjectUsePage struct {
	HasMore  bool         `json:"hasMore"`        // There are more behind this page
	Next     string       `json:"next,omitempty"` // For cursor, to go on behind this page
	Projects []ProjectUse `json:"projects"`       // Projects, the one active last first
	Total    int64        `json:"total"`          // How many match, on all pages
}

// Prompt is a prompt as the API writes it.
type Prompt struct {
	FullText          string        `json:"fullText,omitempty"`          // With the pastes in their places
	Line              int64         `json:"line,omitempty"`              // Of history.jsonl; 0: a long one was read from its end
	MissingPasteCount int64         `json:"missingPasteCount,omitempty"` // Pastes that Full lacks
	Pastes            []PromptPaste `json:"pastes,omitzero"`             // What was pasted into it
	ProjectPath       string        `json:"projectPath,omitempty"`       // Working directory of the project
	Root              string        `json:"root"`                        // Directory of the home that it is in
	SessionID         string        `json:"sessionId,omitempty"`         // Old clients did not write it
	Text              string        `json:"text"`                        // With a placeholder for each paste
	Timestamp         time.Time     `json:"timestamp,omitzero"`          // When it was
}

// PromptPage is a prompt page as the API writes it.
type PromptPage struct {
	Complete bool     `json:"complete"`        // Complete means that all of the history was searched. Otherwise Total counts only the searched part: a long history is read from its end until the page is full.
	HasMore  bool     `json:"hasMore"`         // There are more behind this page
	Next     string   `json:"next,omitempty"`  // For cursor, to go on behind this page
	Prompts  []Prompt `json:"prompts"`         // Prompts, the newest first
	Scope    string   `json:"scope,omitempty"` // The directory it is about; empty: all
	Total    int64    `json:"total"`           // How many match, on all pages
}

// PromptPaste is a prompt paste as the API writes it.
type PromptPaste struct {
	Filename  string `json:"filename,omitempty"`  // The name of a file
	ID        int64  `json:"id"`                  // The thing itself; names that end in Id refer to one
	MediaType string `json:"mediaType,omitempty"` // What its bytes are
	Type      string `json:"type,omitempty"`      // Which type it is of
}

// RawLine is a raw line as the API writes it.
type RawLine struct {
	Line int64           `json:"line"`           // The line of the file, counting from 1
	Raw  json.RawMessage `json:"raw,omitempty"`  // The line as JSON
	Text string          `json:"text,omitempty"` // The text
}

// RawPage is a raw page as the API writes it.
type RawPage struct {
	File      string    `json:"file"`               // A file, below its home where it is one of a home
	Lines     []RawLine `json:"lines"`              // Lines as they were written
	NextLine  int64     `json:"nextLine,omitempty"` // To go on with
	SessionID string    `json:"sessionId"`          // The session it is of
}

// Reason is a reason as the API writes it.
type Reason struct {
	ProblemCount int64  `json:"problemCount"` // How many problems
	Reason       string `json:"reason"`       // Why
}

// Repaired is a repaired as the API writes it.
type Repaired struct {
	ActID     int64          `json:"actId,omitempty"` // For undo
	DryRun    bool           `json:"dryRun"`          // Nothing was changed
	Files     []CheckRepair  `json:"files"`           // Files, by path
	Left      []CheckFinding `json:"left"`            // The findings that no repair can fix.
	Root      string         `json:"root"`            // Directory of the home that it is in
	SessionID string         `json:"sessionId"`       // The session it is of
	Verdict   CheckVerdict   `json:"verdict"`         // Whether the client would resume it, and why
}

// Restored is a restored as the API writes it.
type Restored struct {
	ActID         int64          `json:"actId,omitempty"`     // For undo
	DryRun        bool           `json:"dryRun"`              // Nothing was changed: it only tells what would be
	Files         []RestoredFile `json:"files"`               // Files, by path
	RestoredCount int64          `json:"restoredCount"`       // Files that were put back
	Root          string         `json:"root"`                // Directory of the home that it is in
	SessionID     string         `json:"sessionId,omitempty"` // The session it is of
}

// RestoredFile is a restored file as the API writes it.
type RestoredFile struct {
	File     string    `json:"file"`               // A file, below its home where it is one of a home
	FileSize int64     `json:"fileSize"`           // Bytes
	KeptAt   time.Time `json:"keptAt"`             // When it was copied
	LostSize int64     `json:"lostSize,omitempty"` // Bytes that are damaged in the copy
	State    string    `json:"state"`              // What it does, or how far it is
}

// Result is a result as the API writes it.
type Result struct {
	ActID      int64  `json:"actId,omitempty"`      // The number of the change, for undo
	Address    string `json:"address,omitempty"`    // It was asked for by
	AgentCount int64  `json:"agentCount,omitempty"` // That went with it
	Changed    bool   `json:"changed"`              // False: it was so already, or it failed
	Code       string `json:"code,omitempty"`       // What it is, for programs
	Err        string `json:"error,omitempty"`      // Why it failed, or what cli-bridge calls it
	FileCount  int64  `json:"fileCount,omitempty"`  // How many files
	FileSize   int64  `json:"fileSize,omitempty"`   // Bytes
	ID         string `json:"id,omitempty"`         // As it was asked for where it was not found
	Key        string `json:"key,omitempty"`        // SESSION[/AGENT]@HOME.MACHINE: names it among all homes, and is taken for an id
	Kind       string `json:"kind,omitempty"`       // Of what is unneeded, which has no id
	Note       string `json:"note,omitempty"`       // What else there is to know
	Root       string `json:"root,omitempty"`       // Directory of the home that it is in
	Title      string `json:"title,omitempty"`      // What it is called
}

// ResumeCounts is a resume counts as the API writes it.
type ResumeCounts struct {
	No     int64 `json:"no"`     // How many would not
	Partly int64 `json:"partly"` // How many would in part
	Yes    int64 `json:"yes"`    // How many would
}

// Retention is a retention as the API writes it.
type Retention struct {
	Days        int64     `json:"days"`                 // How many days, or the days themselves
	File        string    `json:"file,omitempty"`       // That says so; empty: nothing does
	LastSweepAt time.Time `json:"lastSweepAt,omitzero"` // When the client last deleted old sessions
	Root        string    `json:"root"`                 // Directory of the home that it is in
}

// RetentionHealth is a retention health as the API writes it.
type RetentionHealth struct {
	Days         int64      `json:"days"`                 // How many days, or the days themselves
	Expiring     []Expiring `json:"expiring"`             // Soon, the soonest first
	File         string     `json:"file,omitempty"`       // Empty: nothing sets it
	LastSweepAt  time.Time  `json:"lastSweepAt,omitzero"` // When the client last deleted old sessions
	OverdueCount int64      `json:"overdueCount"`         // Those whose time is over
	Root         string     `json:"root"`                 // Directory of the home that it is in
}

// RetentionInputBody is a retention input body as the API writes it.
type RetentionInputBody struct {
	Days   int64  `json:"days"`             // 3650 is as good as never
	DryRun bool   `json:"dryRun,omitempty"` // Only tell what would be changed
	Root   string `json:"root,omitempty"`   // The directory of one home; without it all of them
}

// RetentionPage is a retention page as the API writes it.
type RetentionPage struct {
	Homes    []Retention    `json:"homes"`    // One for each home
	Problems []IndexProblem `json:"problems"` // Settings files that cannot be read, and so do not count
	Total    int64          `json:"total"`    // How many homes there are
}

// RootHealth is a root health as the API writes it.
type RootHealth struct {
	Err               string `json:"error,omitempty"`   // Why it could not be read
	FileCount         int64  `json:"fileCount"`         // How many files
	FileSize          int64  `json:"fileSize"`          // Bytes
	Home              string `json:"home,omitempty"`    // Its name
	Machine           string `json:"machine,omitempty"` // The machine it belongs to
	OrphanedFileCount int64  `json:"orphanedFileCount"` // Files of sessions without a transcript.
	OrphanedFileSize  int64  `json:"orphanedFileSize"`  // Bytes of what nothing refers to
	Root              string `json:"root"`              // Directory of the home that it is in
	TranscriptCount   int64  `json:"transcriptCount"`   // Transcripts
}

// RunChange is a run change as the API writes it.
type RunChange struct {
	Model          string `json:"model,omitempty"`          // The model, by its id
	PermissionMode string `json:"permissionMode,omitempty"` // What it may do without asking
}

// RunDay is a run day as the API writes it.
type RunDay struct {
	BudgetUSD   float64 `json:"budgetUsd,omitempty"` // What runs that are started here may cost together in a day
	ForecastUSD float64 `json:"forecastUsd"`         // Forecast for the whole day, at the rate of the last hour
	USD         float64 `json:"usd"`                 // Since midnight
}

// RunMessage is a run message as the API writes it.
type RunMessage struct {
	MessageID string `json:"messageId,omitempty"` // A UUID: the same one again is the same message
	Prompt    string `json:"prompt"`              // What to do
}

// RunPage is a run page as the API writes it.
type RunPage struct {
	HasMore bool           `json:"hasMore"`         // There are more behind this page
	Next    string         `json:"next,omitempty"`  // For cursor, to go on
	Runs    []HolderRecord `json:"runs"`            // The newest first
	Today   RunDay         `json:"today"`           // What all runs have cost since midnight
	Total   int64          `json:"total"`           // How many there are, on all pages
	Unread  []string       `json:"unread,omitzero"` // Runs that cannot be read, and why: they are not in the list
}

// RunShown is a run shown as the API writes it.
type RunShown struct {
	Argv           []string       `json:"argv"`                    // Its arguments
	By             string         `json:"by,omitempty"`            // Who started it
	Client         string         `json:"client"`                  // Path of the client's program
	ClientVersion  string         `json:"clientVersion,omitempty"` // Version of the client that wrote it last
	Cost           LaunchCost     `json:"cost"`                    // What it cost
	CreatedAt      time.Time      `json:"createdAt"`               // When it began, or was made
	Dir            string         `json:"dir"`                     // A directory
	DurationAPIMs  int64          `json:"durationApiMs"`           // Milliseconds spent waiting for the model
	DurationMs     int64          `json:"durationMs"`              // How long it took, in milliseconds
	EndedAt        time.Time      `json:"endedAt,omitzero"`        // When it ended
	Err            string         `json:"error,omitempty"`         // Why the last turn, or the run, failed
	Events         []LaunchEvent  `json:"events"`                  // What happened, in order
	Exit           *LaunchExit    `json:"exit,omitempty"`          // How the process ended
	Foreign        bool           `json:"foreign,omitempty"`       // Foreign marks a question of a client that we did not start; it is not a run.
	Forked         bool           `json:"forked,omitempty"`        // It goes on in a copy of the session
	HolderPID      int64          `json:"holderPid"`               // Process id of its holder
	ID             string         `json:"id"`                      // The thing itself; names that end in Id refer to one
	Lines          int64          `json:"lines"`                   // Lines of output
	LogSize        int64          `json:"logSize"`                 // Bytes of its log
	Malformed      int64          `json:"malformed"`               // Lines of output that are not JSON or are malformed
	Model          string         `json:"model,omitempty"`         // The model, by its id
	Outcome        string         `json:"outcome,omitempty"`       // How the last turn, or the run, ended
	PermissionMode string         `json:"permissionMode"`          // What it may do without asking
	Prompts        []LaunchPrompt `json:"prompts,omitzero"`        // Open prompts, oldest first
	Purpose        string         `json:"purpose,omitempty"`       // What it is for, as whoever started it said
	Resumed        string         `json:"resumed,omitempty"`       // The session that it resumes or copies
	Role           string         `json:"role,omitempty"`          // Who speaks, or what the token may do
	Root           string         `json:"root,omitempty"`          // The home of its session
	SessionID      string         `json:"sessionId"`               // The session it is of
	Since          time.Time      `json:"since"`                   // From then on
	State          string         `json:"state"`                   // What it does, or how far it is
	Steps          int64          `json:"steps"`                   // Messages of the model
	Text           string         `json:"text,omitempty"`          // Final text of the last turn
	Title          string         `json:"title,omitempty"`         // The first line of the first message, shortened
	Turns          int64          `json:"turns"`                   // Turns: a prompt, or an answer with the results of its calls
	Unknown        int64          `json:"unknown"`                 // Lines of an unknown type
	Why            string         `json:"why,omitempty"`           // Why it is so
}

// ServerHealth is a server health as the API writes it.
type ServerHealth struct {
	Agents  int64  `json:"agents"`  // Runs that are alive
	Status  string `json:"status"`  // How it is
	Uptime  int64  `json:"uptime"`  // Seconds
	Version string `json:"version"` // The version of the program
}

// ServerNote is a server note as the API writes it.
type ServerNote struct {
	Trust []string `json:"trust,omitzero"` // Trust says who needs no token, and what they may do.
	URL   string   `json:"url,omitempty"`  // An address
}

// Session is a session as the API writes it.
type Session struct {
	AgentID              string         `json:"agentId,omitempty"`              // The agent it is of; without it the session itself
	AgentSessions        []string       `json:"agentSessions,omitzero"`         // Ids of the agents that it started
	AgentType            string         `json:"agentType,omitempty"`            // What kind of agent it is, as the client calls it
	Agents               *MoneySpending `json:"agents,omitempty"`               // What its agents spent
	ArchivedAt           time.Time      `json:"archivedAt,omitzero"`            // When it was archived; without it, it is not
	ClientVersion        string         `json:"clientVersion,omitempty"`        // Version of the client that wrote it last
	ContextTokens        int64          `json:"contextTokens,omitempty"`        // How many tokens the model had before it at its last own answer.
	ContextWindow        int64          `json:"contextWindow,omitempty"`        // How many it can have; 0 where that is not known.
	ContinuedIn          string         `json:"continuedIn,omitempty"`          // The session that the client went on in
	ConversationCount    int64          `json:"conversationCount"`              // Conversations: ways through the session, of which one is active
	Cost                 *MoneyCost     `json:"cost,omitempty"`                 // What it cost
	CreatedAt            time.Time      `json:"createdAt,omitzero"`             // When it began, or was made
	CustomTitle          string         `json:"customTitle,omitempty"`          // The title that a user gave it; without it, title was found out
	Description          string         `json:"description,omitempty"`          // What it is for, in the words of whoever made it
	DirName              string         `json:"dirName"`                        // Its directory below projects/ in the home
	Entrypoint           string         `json:"entrypoint,omitempty"`           // How the client was started, in its own word
	ExpiresAt            time.Time      `json:"expiresAt,omitzero"`             // When the client deletes it; zero where nobody asked for it.
	FileSize             int64          `json:"fileSize"`                       // Bytes
	ForkedFrom           string         `json:"forkedFrom,omitempty"`           // The session that its first lines were copied from
	GitBranch            string         `json:"gitBranch,omitempty"`            // The git branch that it ended on
	Home                 string         `json:"home,omitempty"`                 // What the home is called
	ID                   string         `json:"id"`                             // The thing itself; names that end in Id refer to one
	IsAgent              bool           `json:"isAgent,omitempty"`              // It is an agent of a session
	Key                  string         `json:"key,omitempty"`                  // SESSION[/AGENT]@HOME.MACHINE: names it among all homes, and is taken for an id
	LastActivityAt       time.Time      `json:"lastActivityAt"`                 // When something was said in it last
	LastAssistantMessage string         `json:"lastAssistantMessage,omitempty"` // How the last answer begins, at most 200 characters
	LastUserMessage      string         `json:"lastUserMessage,omitempty"`      // How the last prompt begins, at most 200 characters
	Machine              string         `json:"machine,omitempty"`              // The machine that the home is of
	MessageCount         int64          `json:"messageCount"`                   // Lines of users and assistants, or answers that were paid for
	Model                string         `json:"model,omitempty"`                // The model, by its id
	Models               []string       `json:"models,omitzero"`                // Models that answered
	Note                 string         `json:"note,omitempty"`                 // What a user wrote about it, or what else there is to know
	Origin               string         `json:"origin"`                         // Source: the file is there; copy: only our copy is
	OwnTags              []string       `json:"ownTags,omitzero"`               // Those of the user
	ParentSessionID      string         `json:"parentSessionId,omitempty"`      // The session that started it
	Problems             int64          `json:"problems"`                       // What cannot be read, or how much of that there is
	Project              string         `json:"project,omitempty"`              // The project, by its short name
	ProjectPath          string         `json:"projectPath"`                    // Working directory of the project
	PromptCount          int64          `json:"promptCount"`                    // Prompts that were sent
	Root                 string         `json:"root"`                           // Directory of the home that it is in
	Slug                 string         `json:"slug,omitempty"`                 // The name that the client made up for it
	Source               string         `json:"source"`                         // Who it is for: user, agent or helper; or where something is from
	Starred              bool           `json:"starred,omitempty"`              // It has a star
	Started              string         `json:"started,omitempty"`              // Who began it: person or program
	State                *IndexState    `json:"state,omitempty"`                // Nil where nobody asked for it
	Tags                 []string       `json:"tags,omitzero"`                  // The client's, then the user's
	Title                string         `json:"title,omitempty"`                // What it is called
	Usage                *SesskeepUsage `json:"usage,omitempty"`                // Usage and Cost are of the same messages: those that count here and in no other file, without its agents'. Both are nil where nobody asked for them.
}

// SessionsStruct is a sessions struct as the API writes it.
type SessionsStruct struct {
	Empty         bool   `json:"empty,omitempty"`         // Nothing was said in them
	MinSize       int64  `json:"minSize,omitempty"`       // Bytes that their transcript has at least
	OlderThanDays int64  `json:"olderThanDays,omitempty"` // Nothing happened in them for so long
	Project       string `json:"project,omitempty"`       // Of this project
	Source        string `json:"source,omitempty"`        // Without it user, and for empty ones all
}

// SesskeepProblem is a sesskeep problem as the API writes it.
type SesskeepProblem struct {
	Code   string `json:"code"`             // What it is, for programs
	File   string `json:"file"`             // Path inside the home
	Length int64  `json:"length,omitempty"` // In bytes
	Line   int64  `json:"line,omitempty"`   // Counting from 1; 0 if it is about the file
	Lost   bool   `json:"lost,omitempty"`   // Lost says that the bytes could not be read as a record. Otherwise the record was recovered and the Problem only tells how the file looks.
	Offset int64  `json:"offset"`           // Where it begins, in bytes or rows
	Reason string `json:"reason"`           // Why
}

// SesskeepUnfamiliar is a sesskeep unfamiliar as the API writes it.
type SesskeepUnfamiliar struct {
	Count   int64  `json:"count"`             // How many
	Name    string `json:"name"`              // What it is called
	Version string `json:"version,omitempty"` // Of the client that wrote it
	What    string `json:"what"`              // "type", "block", "field" or "iteration" (a kind of call)
}

// SesskeepUsage is a sesskeep usage as the API writes it.
type SesskeepUsage struct {
	Batch        bool  `json:"batch,omitempty"`       // Asked for as a batch, which is cheaper
	CacheRead    int64 `json:"cacheRead"`             // Tokens read from the cache, or the price of a million
	CacheWrite1h int64 `json:"cacheWrite1h"`          // Tokens written to the cache for an hour, or the price of a million
	CacheWrite5m int64 `json:"cacheWrite5m"`          // Tokens written to the cache for five minutes, or the price of a million
	Fast         bool  `json:"fast,omitempty"`        // Fast mode, priced apart
	Input        int64 `json:"input"`                 // What a tool was given; or tokens, or the price of a million
	Output       int64 `json:"output"`                // What a tool gave back; or tokens, or the price of a million
	UsOnly       bool  `json:"usOnly,omitempty"`      // Inference kept in the United States
	WebSearches  int64 `json:"webSearches,omitempty"` // Searches of the web
}

// Share is a share as the API writes it.
type Share struct {
	FileCount int64     `json:"fileCount"`         // How many files
	FileSize  int64     `json:"fileSize"`          // Bytes
	Name      string    `json:"name"`              // What it is called
	NewestAt  time.Time `json:"newestAt,omitzero"` // When the newest of it was written
	OldestAt  time.Time `json:"oldestAt,omitzero"` // When the oldest of it was written
}

// ShelfActor is a shelf actor as the API writes it.
type ShelfActor struct {
	From  string `json:"from,omitempty"`  // Cli, tui or api
	Token string `json:"token,omitempty"` // Of an API: the name of the token
	User  string `json:"user,omitempty"`  // Rows of users; or who it was
}

// Sibling is a sibling as the API writes it.
type Sibling struct {
	ID        string    `json:"id"`                 // uuid of its first line
	Leaf      string    `json:"leaf"`               // uuid of the last line of the conversation it is shown in
	Role      string    `json:"role"`               // Who speaks, or what the token may do
	Text      string    `json:"text,omitempty"`     // Start of its text
	Timestamp time.Time `json:"timestamp,omitzero"` // When it was
	TurnCount int64     `json:"turnCount"`          // Turns from it to the end of that conversation
}

// Siblings is a siblings as the API writes it.
type Siblings struct {
	Step  int64     `json:"step"`  // Number of the one in this conversation, counting from 1
	Total int64     `json:"total"` // How many match, on all pages
	Turns []Sibling `json:"turns"` // The siblings; at most the nearest 50
}

// Side is a side as the API writes it.
type Side struct {
	Blocks      []ViewPart `json:"blocks"`               // What a reader sees, in order
	Leaf        string     `json:"leaf,omitempty"`       // The conversation, by its last line
	Name        string     `json:"name,omitempty"`       // What it is called
	PromptCount int64      `json:"promptCount"`          // Prompts that were sent
	Root        string     `json:"root"`                 // Directory of the home that it is in
	SessionID   string     `json:"sessionId"`            // The session it is of
	TurnCount   int64      `json:"turnCount"`            // Turns of its own
	TurnsAfter  int64      `json:"turnsAfter,omitempty"` // Turns that are left out
}

// Snippet is a snippet as the API writes it.
type Snippet struct {
	AgentID     string    `json:"agentId,omitempty"`   // The agent it is of; without it the session itself
	Kind        string    `json:"kind"`                // Of the text: prompt, answer, thinking, title, input, output, note, …
	Leaf        string    `json:"leaf,omitempty"`      // Of its conversation, if that is not the active one
	Line        int64     `json:"line"`                // The line of the file, counting from 1
	Marks       [][]int64 `json:"marks"`               // All matches: start and length
	MatchLength int64     `json:"matchLength"`         // How many characters of text match
	MatchStart  int64     `json:"matchStart"`          // Where in text the match begins, counting characters from 0
	MessageID   string    `json:"messageId,omitempty"` // The message, by its id
	Text        string    `json:"text"`                // The text
	Timestamp   time.Time `json:"timestamp,omitzero"`  // When it was
	Type        string    `json:"type"`                // Of the line, as cli-bridge calls it
}

// Stats is a stats as the API writes it.
type Stats struct {
	ActiveDayCount int64               `json:"activeDayCount"`   // Days on which something was said
	AnswerCount    int64               `json:"answerCount"`      // Of the model
	Counts         IndexCounts         `json:"counts"`           // How many there are of each kind
	FileSize       int64               `json:"fileSize"`         // Bytes
	FirstAt        time.Time           `json:"firstAt,omitzero"` // When it was first
	HourOfWeek     [][]int64           `json:"hourOfWeek"`       // Answers by weekday, from Monday on, and hour
	Hours          []int64             `json:"hours"`            // Answers by hour of the day
	LastAt         time.Time           `json:"lastAt,omitzero"`  // When it was last
	Longest        []Session           `json:"longest"`          // Sessions with the most messages
	MessageCount   int64               `json:"messageCount"`     // Lines of users and assistants, or answers that were paid for
	Models         []MoneyModelStats   `json:"models"`           // Models that answered
	Prices         MoneyPriceList      `json:"prices"`           // The list of prices
	Projects       []MoneyProjectStats `json:"projects"`         // Projects, the one active last first
	PromptCount    int64               `json:"promptCount"`      // Prompts that were sent
	Tools          []MoneyToolStats    `json:"tools"`            // Tools, by how often they were called
	Totals         MoneySpending       `json:"totals"`           // Sums over all rows
	TZ             string              `json:"tz"`               // The time zone of days
	Unpriced       []MoneyUnpriced     `json:"unpriced"`         // Models without a price
	Weekdays       []int64             `json:"weekdays"`         // From Monday on
}

// Stopping is a stopping as the API writes it.
type Stopping struct {
	Status string `json:"status"` // How it is
}

// StorageItem is a storage item as the API writes it.
type StorageItem struct {
	FileCount int64     `json:"fileCount"`           // How many files
	FileSize  int64     `json:"fileSize"`            // Bytes
	Kind      string    `json:"kind"`                // Which kind it is of
	NewestAt  time.Time `json:"newestAt,omitzero"`   // When the newest of it was written
	OldestAt  time.Time `json:"oldestAt,omitzero"`   // When the oldest of it was written
	Orphan    bool      `json:"orphan"`              // Nothing refers to it
	Project   string    `json:"project,omitempty"`   // The project, by its short name
	SessionID string    `json:"sessionId,omitempty"` // The session it is of
}

// StoragePage is a storage page as the API writes it.
type StoragePage struct {
	Homes []HomeStorage `json:"homes"` // Homes of the client
	Total int64         `json:"total"` // How many match, on all pages
}

// StreamMessage is a stream message as the API writes it.
type StreamMessage struct {
	Content          string          `json:"content,omitempty"`          // What was said
	ID               string          `json:"id,omitempty"`               // The thing itself; names that end in Id refer to one
	Input            json.RawMessage `json:"input,omitempty"`            // What a tool was given; or tokens, or the price of a million
	InputDescription string          `json:"inputDescription,omitempty"` // What a tool was given, in one line
	IsError          bool            `json:"isError,omitempty"`          // It failed
	Name             string          `json:"name,omitempty"`             // What it is called
	Output           string          `json:"output,omitempty"`           // What a tool gave back; or tokens, or the price of a million
	Result           *StreamResult   `json:"result,omitempty"`           // What came of it
	Success          bool            `json:"success,omitempty"`          // What succeeded
	Tool             string          `json:"tool,omitempty"`             // Of a result without a call.
	Type             string          `json:"type"`                       // Which type it is of
}

// StreamResult is a stream result as the API writes it.
type StreamResult struct {
	IsError bool   `json:"isError"` // It failed
	Output  string `json:"output"`  // What a tool gave back; or tokens, or the price of a million
	Success bool   `json:"success"` // What succeeded
}

// TicketInputBody is a ticket input body as the API writes it.
type TicketInputBody struct {
	Path string `json:"path"` // What to download: …/sessions/{id}/export or …/sessions/{id}/blobs/{ref}, with its parameters
}

// Timeline is a timeline as the API writes it.
type Timeline struct {
	Days           []Day  `json:"days"`            // How many days, or the days themselves
	HasMore        bool   `json:"hasMore"`         // There are more behind this page
	MaxPromptCount int64  `json:"maxPromptCount"`  // On one of the days shown
	Scope          string `json:"scope,omitempty"` // How far it goes
	Total          int64  `json:"total"`           // How many match, on all pages
}

// TokenPage is a token page as the API writes it.
type TokenPage struct {
	HasMore bool       `json:"hasMore"`        // There are more behind this page
	Next    string     `json:"next,omitempty"` // For cursor, to go on
	Tokens  []TokenRow `json:"tokens"`         // The oldest first
	Total   int64      `json:"total"`          // How many there are, on all pages
}

// TokenRow is a token row as the API writes it.
type TokenRow struct {
	CreatedAt time.Time `json:"createdAt"`          // When it began, or was made
	Device    bool      `json:"device,omitempty"`   // It was given to a device that was paired
	ExpiresAt time.Time `json:"expiresAt,omitzero"` // Without it the token is good until it is revoked
	ID        string    `json:"id"`                 // The thing itself; names that end in Id refer to one
	Name      string    `json:"name,omitempty"`     // What the user calls it
	Role      string    `json:"role"`               // Who speaks, or what the token may do
}

// TrashPage is a trash page as the API writes it.
type TrashPage struct {
	FileSize int64             `json:"fileSize"`       // Of all of it
	HasMore  bool              `json:"hasMore"`        // There are more behind this page
	Next     string            `json:"next,omitempty"` // For cursor, to go on behind this page
	Problems []SesskeepProblem `json:"problems"`       // What cannot be told
	Total    int64             `json:"total"`          // How many match, on all pages
	Trash    []Trashed         `json:"trash"`          // What is in the trash, the newest first
}

// Trashed is a trashed as the API writes it.
type Trashed struct {
	Actor        ShelfActor `json:"actor"`                  // Who did it, by which way
	AgentCount   int64      `json:"agentCount"`             // Agents that go with it
	FileCount    int64      `json:"fileCount"`              // How many files
	FileSize     int64      `json:"fileSize"`               // Bytes
	ID           string     `json:"id,omitempty"`           // The thing itself; names that end in Id refer to one
	Key          string     `json:"key,omitempty"`          // SESSION[/AGENT]@HOME.MACHINE: names it among all homes, and is taken for an id
	Kind         string     `json:"kind,omitempty"`         // Of what is unneeded, of several sessions
	Members      []Member   `json:"members"`                // Files that belong to it
	MissingCount int64      `json:"missingCount,omitempty"` // Files that were moved, and are not there
	Name         string     `json:"name"`                   // Of its directory in the trash
	ProjectPath  string     `json:"projectPath,omitempty"`  // Working directory of the project
	Root         string     `json:"root"`                   // The home it lay in
	Slug         string     `json:"slug,omitempty"`         // The name that the client made up for it
	Title        string     `json:"title,omitempty"`        // What it is called
	TrashedAt    time.Time  `json:"trashedAt"`              // When it was moved to the trash
	Units        []string   `json:"units"`                  // What was moved: files, and directories with all they hold
}

// TreePage is a tree page as the API writes it.
type TreePage struct {
	Conversations    []IndexConversation `json:"conversations"`    // Conversations, the newest first
	Detached         []string            `json:"detached"`         // Names of lines without a uuid
	DuplicateCount   int64               `json:"duplicateCount"`   // Lines that are in the file twice
	InlineAgentCount int64               `json:"inlineAgentCount"` // Agents whose lines are in the file of the session
	Repaired         []string            `json:"repaired"`         // Uuids of lines whose parent was guessed
	Root             string              `json:"root,omitempty"`   // Its home, if the caller did not name it
	SessionID        string              `json:"sessionId"`        // The session it is of
	Turns            []TreeTurn          `json:"turns"`            // Turns: a prompt, or an answer with the results of its calls
}

// TreeTurn is a tree turn as the API writes it.
type TreeTurn struct {
	Active     bool      `json:"active,omitempty"`    // It is the one that the client would go on with
	Compacted  bool      `json:"compacted,omitempty"` // The conversation was summed up here
	ID         string    `json:"id"`                  // Uuid of its first line
	MessageIDs []string  `json:"messageIds"`          // Uuids of all its lines
	ParentID   string    `json:"parentId,omitempty"`  // What it follows
	Role       string    `json:"role"`                // Prompt, answer or notes
	Text       string    `json:"text,omitempty"`      // The text
	Timestamp  time.Time `json:"timestamp,omitzero"`  // When it was
}

// Truncation is a truncation as the API writes it.
type Truncation struct {
	FileSize int64  `json:"fileSize,omitempty"` // Bytes of the whole text; 0 if they were not counted
	Ref      string `json:"ref"`                // For /sessions/{id}/blobs/{ref}
}

// TurnUsage is a turn usage as the API writes it.
type TurnUsage struct {
	Active          bool           `json:"active"`                    // On the conversation that a resume would continue
	Agents          *MoneySpending `json:"agents,omitempty"`          // Agents that were called in it; nil: none
	CompactionCount int64          `json:"compactionCount,omitempty"` // How often the conversation was compacted between the previous prompt and the end of this row.
	ContextTokens   int64          `json:"contextTokens,omitempty"`   // The number of tokens in the context at the last answer; 0 if there was none.
	ContextWindow   int64          `json:"contextWindow,omitempty"`   // Context window of that model
	Cost            MoneyCost      `json:"cost"`                      // What it cost
	ElsewhereCount  int64          `json:"elsewhereCount,omitempty"`  // Messages that count in another session
	ID              string         `json:"id"`                        // Uuid of the prompt's first line
	MessageCount    int64          `json:"messageCount"`              // Lines of users and assistants, or answers that were paid for
	Model           string         `json:"model,omitempty"`           // The model, by its id
	Text            string         `json:"text,omitempty"`            // Of the prompt, shortened; empty: there was no prompt
	Timestamp       time.Time      `json:"timestamp,omitzero"`        // When it was
	Usage           SesskeepUsage  `json:"usage"`                     // Tokens
}

// TurnUsagePage is a turn usage page as the API writes it.
type TurnUsagePage struct {
	AgentID   string         `json:"agentId,omitempty"` // The agent it is of; without it the session itself
	Leaf      string         `json:"leaf,omitempty"`    // Of the requested conversation; empty: all
	Prices    MoneyPriceList `json:"prices"`            // The list of prices
	Root      string         `json:"root"`              // Directory of the home that it is in
	SessionID string         `json:"sessionId"`         // The session it is of
	Total     int64          `json:"total"`             // How many match, on all pages
	Totals    MoneySpending  `json:"totals"`            // Sums over all rows
	Turns     []TurnUsage    `json:"turns"`             // In the order of the prompts
}

// Twin is a twin as the API writes it.
type Twin struct {
	File      string `json:"file"`      // A file, below its home where it is one of a home
	Root      string `json:"root"`      // Directory of the home that it is in
	SessionID string `json:"sessionId"` // The session it is of
}

// Unneeded is an unneeded as the API writes it.
type Unneeded struct {
	FileCount int64  `json:"fileCount"` // How many files
	FileSize  int64  `json:"fileSize"`  // Bytes
	Kind      string `json:"kind"`      // Which kind it is of
	Root      string `json:"root"`      // Directory of the home that it is in
	UnitCount int64  `json:"unitCount"` // How many things
	What      string `json:"what"`      // What it is
	Why       string `json:"why"`       // It is safe to remove
}

// Update is an update as the API writes it.
type Update struct {
	CustomTitle *string  `json:"customTitle,omitempty"` // The same, as cli-bridge calls it
	Note        *string  `json:"note,omitempty"`        // Empty: none
	Source      *string  `json:"source,omitempty"`      // user, agent or helper; empty: what is found out
	Starred     *bool    `json:"starred,omitempty"`     // It has a star
	Tags        []string `json:"tags,omitzero"`         // All tags it has from now on
	Title       *string  `json:"title,omitempty"`       // What it is called; null, or a body that says nothing, takes it away
}

// ViewCall is a view call as the API writes it.
type ViewCall struct {
	Added      int64           `json:"added,omitempty"`      // Lines that were added
	AgentID    string          `json:"agentId,omitempty"`    // The sub-agent it started
	Command    string          `json:"command,omitempty"`    // The whole command of a shell call
	Diff       []ViewHunk      `json:"diff,omitzero"`        // What an edit changed, or tried to change
	DurationMs int64           `json:"durationMs,omitempty"` // How long it took, in milliseconds
	File       string          `json:"file,omitempty"`       // The file it reads or changes, as the model named it
	ID         string          `json:"id,omitempty"`         // The thing itself; names that end in Id refer to one
	ImageCount int64           `json:"imageCount,omitempty"` // In the result
	Input      json.RawMessage `json:"input,omitempty"`      // What a tool was given; or tokens, or the price of a million
	Media      []ViewMedia     `json:"media,omitzero"`       // An image or a document
	Outcome    string          `json:"outcome,omitempty"`    // The most informative fact about the result: +2 −1, exit 1, 214 lines
	Output     string          `json:"output,omitempty"`     // What the model saw, without the client's tags
	Persisted  string          `json:"persisted,omitempty"`  // The base name of the file in the session's tool-results folder that has the output, when it was too large for the transcript.
	Plan       string          `json:"plan,omitempty"`       // A plan that was proposed
	Prompt     string          `json:"prompt,omitempty"`     // The prompt of an agent
	Questions  []ViewQuestion  `json:"questions,omitzero"`   // What was asked
	Reason     string          `json:"reason,omitempty"`     // Why the call failed or was denied, if the result says so in its own words: what the tool printed, what the user answered.
	Removed    int64           `json:"removed,omitempty"`    // Lines that were removed
	Server     string          `json:"server,omitempty"`     // Of an MCP tool
	Short      string          `json:"short"`                // The tool in one short lower-case word: edit, bash, mcp
	State      string          `json:"state"`                // What it does, or how far it is
	Summary    string          `json:"summary,omitempty"`    // The most informative input, on one line
	Todos      []ViewTodo      `json:"todos,omitzero"`       // The list of things to do
	Tool       string          `json:"tool"`                 // Without the prefix of its server
}

// ViewCompaction is a view compaction as the API writes it.
type ViewCompaction struct {
	AfterTokens  int64  `json:"afterTokens,omitempty"`  // Tokens before the model after the compaction
	BeforeTokens int64  `json:"beforeTokens,omitempty"` // 0 if unknown
	Trigger      string `json:"trigger,omitempty"`      // Auto or manual
}

// ViewContent is a view content as the API writes it.
type ViewContent struct {
	Content   string          `json:"content,omitempty"`     // What was said
	ID        string          `json:"id,omitempty"`          // The thing itself; names that end in Id refer to one
	Input     json.RawMessage `json:"input,omitempty"`       // What a tool was given; or tokens, or the price of a million
	IsError   bool            `json:"is_error,omitempty"`    // It failed
	Name      string          `json:"name,omitempty"`        // What it is called
	Text      string          `json:"text,omitempty"`        // The text
	Thinking  string          `json:"thinking,omitempty"`    // What the model thought
	ToolUseID string          `json:"tool_use_id,omitempty"` // The call of the tool, by its id
	Type      string          `json:"type"`                  // Which type it is of
}

// ViewHunk is a view hunk as the API writes it.
type ViewHunk struct {
	Lines    []string `json:"lines"`              // Each starts with a space, + or -
	NewStart int64    `json:"newStart,omitempty"` // The first line afterwards
	OldStart int64    `json:"oldStart,omitempty"` // Its first line, counting from 1; 0 if not known
}

// ViewMedia is a view media as the API writes it.
type ViewMedia struct {
	FileSize int64  `json:"fileSize,omitempty"` // Decoded; 0 if it is not in the transcript
	Height   int64  `json:"height,omitempty"`   // In pixels
	Type     string `json:"type,omitempty"`     // Png, pdf, …; empty if unknown
	URL      string `json:"url,omitempty"`      // An address
	Width    int64  `json:"width,omitempty"`    // Width and Height are those of an image that can be shown: png, jpeg, gif or webp, judging by its first bytes. 0: it cannot.
}

// ViewPart is a view part as the API writes it.
type ViewPart struct {
	Aborted      bool            `json:"aborted,omitempty"`      // The answer was interrupted
	AgentID      string          `json:"agentId,omitempty"`      // The sub-agent a notice is about
	Also         []string        `json:"also,omitzero"`          // Also names the other entries that the part represents: the result of a call, and copies of a line that the client wrote twice.
	Call         *ViewCall       `json:"call,omitempty"`         // Of a call, and of a result without a call
	Compaction   *ViewCompaction `json:"compaction,omitempty"`   // What the client put in place of what was said before
	DurationMs   int64           `json:"durationMs,omitempty"`   // How long it took, in milliseconds
	Failed       bool            `json:"failed,omitempty"`       // The notice is about a failure
	Kind         string          `json:"kind"`                   // Which kind it is of
	Label        string          `json:"label,omitempty"`        // Label distinguishes parts of one kind, in a word or two: for a notice its subject (command, output, bash, task, stopped, summary, error, result, …), for a prompt "queued" if it was typed while the model worked and "task" if it was given to a sub-agent, for meta and unknown parts the type as written.
	Line         int64           `json:"line,omitempty"`         // Line number of that entry, counting from 1
	Media        *ViewMedia      `json:"media,omitempty"`        // An image or a document
	MessageID    string          `json:"messageId,omitempty"`    // Of the entry it comes from
	Model        string          `json:"model,omitempty"`        // Of an answer's parts; empty if the client wrote the answer
	Text         string          `json:"text,omitempty"`         // The text
	Timestamp    time.Time       `json:"timestamp,omitzero"`     // When it was
	WithheldSize int64           `json:"withheldSize,omitempty"` // Bytes of the signature stored instead of a thought
}

// ViewQuestion is a view question as the API writes it.
type ViewQuestion struct {
	Answer  string   `json:"answer,omitempty"` // What was answered
	Options []string `json:"options,omitzero"` // What can be chosen
	Text    string   `json:"text"`             // The text
}

// ViewTodo is a view todo as the API writes it.
type ViewTodo struct {
	Status string `json:"status"` // Pending, in_progress or completed
	Text   string `json:"text"`   // The text
}

// Way is a way as the API writes it.
type Way struct {
	ConversationCount int64     `json:"conversationCount"`  // Conversations: ways through the session, of which one is active
	Here              bool      `json:"here,omitempty"`     // It is the one that is shown
	Leaf              string    `json:"leaf"`               // Of the conversation it is shown in
	MessageID         string    `json:"messageId"`          // The message, by its id
	Text              string    `json:"text,omitempty"`     // The text
	Timestamp         time.Time `json:"timestamp,omitzero"` // When it was
	TurnCount         int64     `json:"turnCount"`          // This turn and all below
}
