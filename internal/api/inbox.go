package api

import (
	"context"
	"encoding/json"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
)

// InboxPage is a list of what waits.
type InboxPage struct {
	Prompts []runs.InboxItem `json:"prompts" doc:"The oldest first"`
	Paged
}

func (s runRoutes) listInbox(ctx context.Context, in *struct{ Paging }) (*body[InboxPage], error) {
	all, err := s.opts.Runs.Inbox(ctx)
	if err != nil {
		return nil, err
	}
	page, w, err := cut(&in.Paging, "inbox", all.Prompts, func(p *runs.InboxItem) string { return p.RunID + " " + p.ID })
	if err != nil {
		return nil, err
	}
	return answer(InboxPage{page, w}), nil
}

// Decision is an answer to what a session asks.
type Decision struct {
	Behavior     string            `json:"behavior" enum:"allow,deny"`
	InputHash    string            `json:"inputHash" doc:"That of the prompt as it was shown; an answer to another input denies"`
	Scope        string            `json:"scope,omitempty" enum:"once,run,always" doc:"For how long an allowed tool is; its rules are those of the prompt"`
	Message      string            `json:"message,omitempty" doc:"To the model, where it is denied"`
	UpdatedInput json.RawMessage   `json:"updatedInput,omitempty" doc:"Use the tool with this instead"`
	Answers      map[string]string `json:"answers,omitempty" doc:"To questions, by their text"`
}

type decisionInput struct {
	ID   string `path:"id" doc:"Of what waits, as the list has it"`
	Body Decision
}

func (s runRoutes) answerPrompt(ctx context.Context, in *decisionInput) (*body[holder.Record], error) {
	d := &in.Body
	return runAnswer(s.opts.Runs.AnswerPrompt(ctx, launch.Answer{
		Prompt: in.ID, Hash: d.InputHash, Behavior: d.Behavior, Scope: launch.Scope(d.Scope), Message: d.Message, Input: d.UpdatedInput, Answers: d.Answers,
	}, s.actor(ctx)))
}
