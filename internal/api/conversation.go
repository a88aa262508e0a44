package api

import (
	"context"
	"encoding/json"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/talk"

	"github.com/danielgtaylor/huma/v2"
)

const aboutConversations = "conversations"

// conversationRoutes are the operations that read conversations.
type conversationRoutes struct{ *Server }

func (s conversationRoutes) register(api huma.API) {
	route := func(path, id, sum string) (string, routeInfo) {
		return "/projects/{project}/sessions/{id}" + path, routeInfo{id: id, sum: sum, tag: aboutConversations, role: access.Read}
	}
	path, w := route("/conversations", "listConversations", "List the conversations of a session, newest first")
	get(api, path, w, s.conversations)
	path, w = route("/tree", "tree", "Show the tree of a session's turns")
	get(api, path, w, s.tree)
	path, w = route("/compare", "compareConversations", "Compare two conversations of a session after their fork")
	get(api, path, w, s.compare)
	path, w = route("/blocks", "blocks", "Read some turns of a conversation")
	w.more = "Returns whole turns: a prompt, or an answer with the results of its calls. Without around, returns the end of the conversation; above=prev and below=next continue in either direction. Long texts are cut, and truncated has the references to the whole texts. Images and documents are never part of the answer."
	get(api, path, w, s.blocks)
	path, w = route("/outline", "outline", "Outline a conversation: its prompts, compactions and forks")
	get(api, path, w, s.outline)
	path, w = route("/messages", "listMessages", "List the messages of a conversation, newest first")
	w.more = "total counts the messages of all pages. Pass nextCursor as before, and prevCursor as after. error is set if a cursor names no message of the conversation."
	get(api, path, w, s.messages)
	path, w = route("/agents", "listAgents", "List the agents of a session, each following the one that started it")
	get(api, path, w, s.agents)
	path, w = route("/files", "listFiles", "List the files that a session changed")
	get(api, path, w, s.files)
	path, w = route("/usage", "turnUsage", "Show the cost of each prompt of a session")
	get(api, path, w, s.turnUsage)
	path, w = route("/raw", "rawLines", "Show the original lines of a transcript")
	get(api, path, w, s.raw)
}

// target finds the transcript that a route names.
func (s *Server) target(ctx context.Context, in *OneSession) (catalog.Session, catalog.Target, error) {
	session, err := s.session(ctx, in)
	if err != nil {
		return session, catalog.Target{}, err
	}
	t, err := s.opts.App.Catalog.TargetOf(&session)
	return session, t, err
}

// read opens the transcript that a route names. The caller closes it.
func (s conversationRoutes) read(ctx context.Context, in *OneSession) (*reading.Session, error) {
	_, t, err := s.target(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.opts.App.Catalog.Read(ctx, t)
}

type branchesInput struct {
	OneSession
	Paging
}

func (s conversationRoutes) conversations(ctx context.Context, in *branchesInput) (*body[catalog.ConversationPage], error) {
	open, err := s.read(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	list, err := talk.Branches(ctx, open)
	if err != nil {
		return nil, err
	}
	page, w, err := paginate(&in.Paging, "conversations "+in.ID, list, func(c *ask.Conversation) string { return c.Leaf })
	if err != nil {
		return nil, err
	}
	return answer(catalog.ConversationPage{Conversations: page, Total: w.Total, HasMore: w.HasMore, Next: w.Next, Covered: ask.NewCovered(ask.Coverage{Complete: true})}), nil
}

func (s conversationRoutes) tree(ctx context.Context, in *OneSession) (*body[talk.TreePage], error) {
	open, err := s.read(ctx, in)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	page := talk.TreeOf(open.Ref.ID(), &open.Transcript.Digest, open.Transcript.Tree)
	return answer(page), nil
}

type blocksInput struct {
	OneSession
	Leaf     string `query:"leaf" doc:"Conversation, by the uuid of its last line. Default: the active one"`
	Around   string `query:"around" doc:"Message whose turn is the centre; start is the first turn, end the last. Default: end" example:"end"`
	Above    string `query:"above" doc:"Only turns before this message: prev of the current page"`
	Below    string `query:"below" doc:"Only turns after this message: next of the current page"`
	From     Number `query:"from" doc:"Number of the first turn, from 0, instead of a message; the page has it and the following turns, as many as after"`
	Before   Number `query:"before" doc:"Number of turns before it, at most 500. Default: 20" example:"20"`
	After    Number `query:"after" doc:"Number of turns after it, at most 500. Default: 20" example:"20"`
	Thinking string `query:"thinking" enum:"true,false" doc:"false leaves out thinking"`
	Tools    string `query:"tools" enum:"true,false" doc:"false leaves out tool calls"`
	Meta     string `query:"meta" enum:"true,false" doc:"false leaves out what the client inserted for the model"`
	Count    bool   `query:"count" doc:"Also number the blocks and count those of the conversation. The first such request reads all of it"`
}

// usualTurns is the default number of turns on each side.
const usualTurns = 20

func (s conversationRoutes) blocks(ctx context.Context, in *blocksInput) (*body[talk.BlockPage], error) {
	before, err := number("before", in.Before, usualTurns)
	if err != nil {
		return nil, err
	}
	after, err := number("after", in.After, usualTurns)
	if err != nil {
		return nil, err
	}
	from, err := number("from", in.From, -1)
	if err != nil {
		return nil, err
	}
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	page, err := s.opts.App.Talk.Blocks(ctx, t, talk.BlockOptions{
		Leaf: in.Leaf, From: from + 1, Around: in.Around, Above: in.Above, Below: in.Below, Before: min(before, maxLimit), After: min(after, maxLimit), Count: in.Count,
		NoThinking: in.Thinking == "false", NoCalls: in.Tools == "false", NoMeta: in.Meta == "false",
	})
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

type outlineInput struct {
	OneSession
	Leaf string `query:"leaf" doc:"Conversation, by the uuid of its last line. Default: the active one"`
	All  bool   `query:"all" doc:"Include plans and errors, which means reading the whole conversation"`
}

func (s conversationRoutes) outline(ctx context.Context, in *outlineInput) (*body[talk.Outline], error) {
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	out, err := s.opts.App.Talk.Outline(ctx, t, talk.OutlineOptions{Leaf: in.Leaf, All: in.All})
	if err != nil {
		return nil, err
	}
	return answer(out), nil
}

// AgentPage is a page of agents.
type AgentPage struct {
	Agents []catalog.Agent `json:"agents" doc:"Agents, each following the one that started it"`
	Paged
}

func (s conversationRoutes) agents(ctx context.Context, in *branchesInput) (*body[AgentPage], error) {
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	list, err := s.opts.App.Catalog.Agents(ctx, t)
	if err != nil {
		return nil, err
	}
	prices, err := s.prices(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.opts.App.Catalog.AddAgentCosts(ctx, t, list, prices); err != nil {
		return nil, err
	}
	page, w, err := paginate(&in.Paging, "agents "+in.ID, list, func(a *catalog.Agent) string { return string(a.ID) })
	if err != nil {
		return nil, err
	}
	return answer(AgentPage{page, w}), nil
}

// FilePage is a page of changed files.
type FilePage struct {
	Files []talk.ChangedFile `json:"files" doc:"Changed files, sorted by path"`
	Paged
}

type filesInput struct {
	OneSession
	Paging
	Patch bool `query:"patch" doc:"Include the patches"`
}

func (s conversationRoutes) files(ctx context.Context, in *filesInput) (*body[FilePage], error) {
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	list, err := s.opts.App.Talk.Files(ctx, t)
	if err != nil {
		return nil, err
	}
	page, w, err := paginate(&in.Paging, "files "+in.ID, list, func(f *talk.ChangedFile) string { return f.Path })
	if err != nil {
		return nil, err
	}
	for i := range page {
		if !in.Patch {
			page[i].Patches = nil
		}
	}
	return answer(FilePage{page, w}), nil
}

func (s conversationRoutes) turnUsage(ctx context.Context, in *OneSession) (*body[talk.TurnUsagePage], error) {
	_, t, err := s.target(ctx, in)
	if err != nil {
		return nil, err
	}
	prices, err := s.prices(ctx)
	if err != nil {
		return nil, err
	}
	page, err := s.opts.App.Talk.TurnUsage(ctx, t, prices)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

type rawInput struct {
	OneSession
	Line  Number `query:"line" doc:"Number of the first line, from 1" example:"1"`
	Limit Number `query:"limit" doc:"Number of lines, at most 500" example:"50"`
}

// RawPage is a page of the lines of a transcript.
type RawPage struct {
	SessionID string    `json:"sessionId" doc:"Id of the session"`
	File      string    `json:"file" doc:"Path of the transcript inside the home"`
	Lines     []RawLine `json:"lines" doc:"Lines of this page"`
	Next      int       `json:"nextLine,omitempty" doc:"Number of the line that the next page starts with"`
}

// RawLine is a line of a transcript.
type RawLine struct {
	Line int             `json:"line" doc:"Line number, from 1"`
	Raw  json.RawMessage `json:"raw,omitempty" doc:"The line, if it is JSON"`
	Text string          `json:"text,omitempty" doc:"The line, if it is not JSON"`
}

func (s conversationRoutes) raw(ctx context.Context, in *rawInput) (*body[RawPage], error) {
	from, err := number("line", in.Line, 1)
	if err != nil {
		return nil, err
	}
	from = max(1, from)
	most, err := limit(in.Limit, usualLimit)
	if err != nil {
		return nil, err
	}
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	lines, next, err := talk.RawLines(ctx, t, from, most)
	if err != nil {
		return nil, err
	}
	page := RawPage{SessionID: t.Ref.ID(), File: t.Ref.File, Lines: []RawLine{}, Next: next}
	for i, text := range lines {
		line := RawLine{Line: from + i}
		if json.Valid(text) {
			line.Raw = text
		} else {
			line.Text = string(text)
		}
		page.Lines = append(page.Lines, line)
	}
	return answer(page), nil
}
