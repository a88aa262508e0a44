package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sesskeep/internal/errcode"
	"sesskeep/internal/recall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addTools adds a tool for each question.
func addTools(s *mcp.Server, o *Options) {
	add(s, o, "search_history", "Search earlier sessions",
		"Search everything that was said, run and printed in earlier sessions: prompts, answers, commands and their outputs. Start here when something may have come up before.",
		(*recall.Recall).Search)
	add(s, o, "recall_decisions", "Recall what was decided",
		"Find what was asked and answered about something, newest first: why it is as it is, what was tried, what the user wants.",
		(*recall.Recall).Decisions)
	add(s, o, "what_happened_to_file", "History of a file",
		"List the changes that sessions made to a file, newest first, each with the prompt that led to it.",
		(*recall.Recall).File)
	add(s, o, "list_sessions", "List sessions",
		"List sessions, most recently active first.",
		(*recall.Recall).Sessions)
	add(s, o, "read_session", "Read a session",
		"Read a stretch of a session: its end, what stands around a message, a branch, or an agent's work.",
		(*recall.Recall).Read)
	add(s, o, "session_facts", "Facts of a session",
		"What is known of a session: when it ran, cost, branches, agents, changed files, and its prompts.",
		(*recall.Recall).Facts)
	add(s, o, "usage", "Usage and cost",
		"Tokens and cost by day, week, month, model, project or session.",
		(*recall.Recall).Usage)
	add(s, o, "running_sessions", "Running sessions",
		"The sessions that run now, and what each waits for.",
		(*recall.Recall).Running)
}

// add adds a tool that answers a question.
func add[Q any](s *mcp.Server, o *Options, name, title, description string, answer func(*recall.Recall, context.Context, recall.Caller, Q) (recall.Answer, error)) {
	no := false
	tool := &mcp.Tool{
		Name: name, Title: title, Description: description,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
	mcp.AddTool(s, tool, func(ctx context.Context, _ *mcp.CallToolRequest, q Q) (*mcp.CallToolResult, any, error) {
		text, err := o.ask(ctx, name, q, func(r *recall.Recall) (recall.Answer, error) { return answer(r, ctx, o.Caller, q) })
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

// ask records a question and answers it, here or by a running server.
func (o *Options) ask(ctx context.Context, name string, q any, answer func(*recall.Recall) (recall.Answer, error)) (string, error) {
	if o.Elsewhere != nil {
		if text, ok, err := o.Elsewhere(ctx, name, q); ok {
			return text, err
		}
	}
	if o.Note != nil {
		if err := o.Note(ctx, name); err != nil {
			return "", err
		}
	}
	r := o.Room
	if r == nil {
		opened, done, err := o.Open(ctx)
		if err != nil {
			return "", failure(err)
		}
		defer done()
		r = opened
	}
	a, err := answer(r)
	return a.Text, failure(err)
}

// failure formats an error for a model: on one line, and without names of files, which transcripts
// can choose.
func failure(err error) error {
	switch errcode.Of(err) {
	case "":
		return nil
	case errcode.Invalid, errcode.NotFound, errcode.Ambiguous:
		return fmt.Errorf("sesskeep: %s", strings.Join(strings.Fields(err.Error()), " "))
	case errcode.Canceled:
		return err
	}
	return fmt.Errorf("sesskeep: the answer failed (%s): the user can run \"sesskeep doctor\"", errcode.Of(err))
}

// scheme begins the addresses of resources.
const scheme = "sesskeep://session/"

// addResources adds sessions as documents.
func addResources(s *mcp.Server, o *Options) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "session", Title: "A session as Markdown", URITemplate: scheme + "{address}", MIMEType: "text/markdown",
		Description: "A session as Markdown, without secrets, at most 1 MB. The address is that of other answers.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		address, err := addressOf(req.Params.URI)
		if err != nil {
			return nil, err
		}
		text, err := o.ask(ctx, documentTool, req.Params.URI, func(r *recall.Recall) (recall.Answer, error) { return r.Document(ctx, o.Caller, address) })
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/markdown", Text: text}}}, nil
	})
}

// documentTool is the name under which the reading of a resource is recorded.
const documentTool = "session document"

// addressOf returns the address in the URI of a resource.
func addressOf(uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok || rest == "" {
		return "", mcp.ResourceNotFoundError(uri)
	}
	return rest, nil
}

// text returns the text of a tool result.
func text(r *mcp.CallToolResult) (string, error) {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	if r.IsError {
		return "", errors.New(b.String())
	}
	return b.String(), nil
}
