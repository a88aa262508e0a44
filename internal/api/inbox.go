package api

import (
	"context"
	"encoding/json"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/runs"
)

// InboxPage is a page of open questions.
type InboxPage struct {
	Prompts []runs.InboxItem `json:"prompts" doc:"Open questions, oldest first"`
	Paged
}

func (s runRoutes) listInbox(ctx context.Context, in *struct{ Paging }) (*body[InboxPage], error) {
	all, err := s.opts.Runs.Inbox(ctx)
	if err != nil {
		return nil, err
	}
	page, w, err := paginate(&in.Paging, "inbox", all.Prompts, func(p *runs.InboxItem) string { return p.RunID + " " + p.ID })
	if err != nil {
		return nil, err
	}
	return answer(InboxPage{page, w}), nil
}

// Decision is the answer to a question of a session.
type Decision struct {
	Behavior     launch.Behavior   `json:"behavior" doc:"Whether the tool may run"`
	InputHash    string            `json:"inputHash" doc:"inputHash of the question; allowing another input is refused, and the question stays open. Not compared if behavior is deny"`
	Scope        launch.Scope      `json:"scope,omitempty" doc:"How long an allowed tool stays allowed, by the rules of the question. Default: once"`
	Message      string            `json:"message,omitempty" doc:"Message to the model if the tool is denied"`
	UpdatedInput json.RawMessage   `json:"updatedInput,omitempty" doc:"Input to use instead"`
	Answers      map[string]string `json:"answers,omitempty" doc:"Answers to the questions, by their text: the label of an option, several joined with a comma and a space, or any other text. Every question needs one"`
}

type decisionInput struct {
	ID   string `path:"id" doc:"ID of the question, as the inbox lists it"`
	Body Decision
}

func (s runRoutes) answerPrompt(ctx context.Context, in *decisionInput) (*body[holder.Record], error) {
	d := &in.Body
	return runAnswer(s.opts.Runs.AnswerPrompt(ctx, launch.Answer{
		Prompt: in.ID, Hash: d.InputHash, Behavior: d.Behavior, Scope: d.Scope, Message: d.Message, Input: d.UpdatedInput, Answers: d.Answers,
	}, s.actor(ctx)))
}
